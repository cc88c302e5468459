// Reads the paths of copied files from the clipboard's formats. Pure; paste.ts asks the system.
import { fileURLToPath } from 'node:url';

/** Where each system keeps the paths of copied files, as clipboard types; the first that is there counts. */
export const fileTypes: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: ['text/uri-list', 'electron application/osclipboard;format="text/uri-list"'],
  darwin: [
    'electron application/osclipboard;format="NSFilenamesPboardType"',
    'electron application/osclipboard;format="public.file-url"',
  ],
  // Holds one path of several. All of them (CF_HDROP) reach only the window, with its paste event: Ctrl+V there uploads
  // all (App.svelte); "Upload from clipboard" in the tray uploads the first one and reports that (`countType`).
  win32: ['electron application/osclipboard;format="FileNameW"'],
};

/** Where Windows reports how many files were copied. */
export const countType = 'electron application/osclipboard;format="Shell IDList Array"';

/** Its payload, a CIDA, begins with the number of files (learn.microsoft.com, CFSTR_SHELLIDLIST). */
export const copiedCount = (bytes: Uint8Array): number =>
  bytes.length < 4 ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);

/** Enough for any selection a person makes in a file manager. */
const maxPaths = 10_000;

/** The absolute paths in such a payload, whatever of the three forms it has. */
export const pathsIn = (type: string, bytes: Uint8Array): string[] => {
  if (type.includes('FileNameW'))
    return [new TextDecoder('utf-16le').decode(bytes).replace(/\0.*$/s, '')].filter(isPath);
  const text = new TextDecoder().decode(bytes).replaceAll('\0', '');
  const parts = text.trimStart().startsWith('<')
    ? [...text.matchAll(/<string>([^<]*)<\/string>/g)].map((match) => withoutEntities(match[1] ?? ''))
    : text.split(/\r?\n/).map(fromFileUrl);
  return parts.filter(isPath).slice(0, maxPaths);
};

const isPath = (text: string): boolean => /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(text);

const fromFileUrl = (line: string): string => {
  if (!line.startsWith('file:')) return '';
  try {
    return fileURLToPath(line.trim());
  } catch {
    return '';
  }
};

const withoutEntities = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
