// Reads copied files from the clipboard's formats. Pure; paste.ts asks the system.
import { fileURLToPath } from 'node:url';
import { fileListTypes, filesInList, type CopiedFiles } from '../../contract/text/copied-files.ts';

const native = (type: string): string => `electron application/osclipboard;format="${type}"`;

/** Where each system keeps the paths of copied files, as clipboard types; the first that is there counts. */
export const fileTypes: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: [...fileListTypes, ...fileListTypes.map(native)],
  darwin: [native('NSFilenamesPboardType'), native('public.file-url')],
  // Chromium gives all files of the Explorer (CF_HDROP) as addresses. FileNameW holds one path of several: where it alone
  // is there, the first file is uploaded and the others are reported (`countType`).
  win32: ['text/uri-list', native('FileNameW')],
};

/** Where Windows reports how many files were copied. */
export const countType = native('Shell IDList Array');

/** Of copied files without a path, such as those of a phone, an archive or a mail program. */
const pathlessTypes: readonly string[] = [
  native('FileGroupDescriptorW'),
  native('com.apple.pasteboard.promised-file-url'),
  native('public.file-url'),
  countType,
];
export const isPathless = (type: string): boolean => pathlessTypes.includes(type);

/** Its payload, a CIDA, begins with the number of files (learn.microsoft.com, CFSTR_SHELLIDLIST). */
export const copiedCount = (bytes: Uint8Array): number =>
  bytes.length < 4 ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);

/** Enough for any selection a person makes in a file manager. */
const maxPaths = 10_000;

/** The files in such a payload, whatever of the four forms it has. */
export const copiedFiles = (type: string, bytes: Uint8Array): CopiedFiles => {
  const files = allFilesIn(type, bytes);
  return { ...files, paths: files.paths.filter(isPath).slice(0, maxPaths) };
};

const allFilesIn = (type: string, bytes: Uint8Array): CopiedFiles => {
  if (type.includes('FileNameW'))
    return { paths: [new TextDecoder('utf-16le').decode(bytes).replace(/\0.*$/s, '')], elsewhere: 0 };
  const text = new TextDecoder().decode(bytes).replaceAll('\0', '');
  if (fileListTypes.some((one) => type.includes(one))) return filesInList(type, text, fromFileUrl);
  const paths = text.trimStart().startsWith('<')
    ? [...text.matchAll(/<string>([^<]*)<\/string>/g)].map((match) => withoutEntities(match[1] ?? ''))
    : text.split(/\r?\n/).flatMap((line) => fromFileUrl(line) ?? []);
  return { paths, elsewhere: 0 };
};

const isPath = (text: string): boolean => /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(text);

const fromFileUrl = (line: string): string | null => {
  if (!line.startsWith('file:')) return null;
  try {
    return fileURLToPath(line.trim(), { windows: process.platform === 'win32' });
  } catch {
    return null;
  }
};

const withoutEntities = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
