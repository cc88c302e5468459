// A release card: what a reader needs to check files, in four forms. Names may be hostile in each of them. Pure.
import type { cardForms } from '../catalogue/choices.ts';
import type { FileId } from './file-id.ts';
import { unreachable } from '../errors.ts';
import { formatSize, isoOrNull, plainDay } from './formats.ts';
import { inHtml, labelOf, markdown } from './link-text.ts';

export type CardForm = (typeof cardForms)[number];

/** `filename`: as the service has it. Size and SHA-256 are those of what was sent. */
export type CardFile = {
  /** Null: no id leads to it now. */
  fileId: FileId | null;
  filename: string;
  sizeBytes: number;
  sha256: string;
  publicLink: string;
  uploadedAtMs: number | null;
  expiresAtMs: number | null;
};

/** Ends with a line break. `locale`: sizes are written in it. */
export const cardText = (files: readonly CardFile[], form: CardForm, locale: string): string => {
  switch (form) {
    case 'markdown':
      return inMarkdown(files, locale);
    case 'html':
      return inPage(files, locale);
    case 'json':
      return `${JSON.stringify(cardRows(files), null, 2)}\n`;
    case 'sha256sums':
      return sums(files);
    default:
      return unreachable(form);
  }
};

/** Under the names of the command's JSON. */
export const cardRows = (files: readonly CardFile[]) =>
  files.map((file) => ({
    file_id: file.fileId,
    filename: file.filename,
    sizeBytes: file.sizeBytes,
    sha256: file.sha256,
    public_link: file.publicLink,
    uploadedAt: isoOrNull(file.uploadedAtMs),
    expiresAt: isoOrNull(file.expiresAtMs),
  }));

// ---------------------------------------------------------------- for readers

const aboutOf = ({ sizeBytes, uploadedAtMs, expiresAtMs }: CardFile, locale: string): string =>
  [
    formatSize(locale, sizeBytes),
    ...(uploadedAtMs === null ? [] : [plainDay(uploadedAtMs)]),
    ...(expiresAtMs === null ? [] : [`until ${plainDay(expiresAtMs)}`]),
  ].join(' · ');

const steps = [
  ['Linux, with the lines above saved as SHA256SUMS beside the files', 'sha256sum -c SHA256SUMS'],
  ['Windows', 'certutil -hashfile FILE SHA256'],
  ['macOS', 'shasum -a 256 FILE'],
] as const;
const warning = 'If it does not match, do not use it.';

/** Leaves out names that a terminal or a reader would see as another one: these lines are copied from a page. */
const plainSums = (files: readonly CardFile[]): string =>
  sums(files.filter(({ filename }) => labelOf(filename) === filename));

const inMarkdown = (files: readonly CardFile[], locale: string): string => {
  const lines = files.map(
    (file) =>
      `- ${markdown({ name: file.filename, link: file.publicLink })} · ${aboutOf(file, locale)}<br>\n  SHA-256 \`${file.sha256}\`\n`,
  );
  const listed = plainSums(files);
  const longest = Math.max(2, ...[...listed.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const how = steps.map(([where, what]) => `${where}:\n\n\`\`\`sh\n${what}\n\`\`\`\n`);
  return [
    ...lines,
    '\n<details>\n<summary>How to check</summary>\n\n',
    `${fence}text\n${listed}${fence}\n\n`,
    how.join('\n'),
    `\n**${warning}**\n\n</details>\n`,
  ].join('');
};

const inPage = (files: readonly CardFile[], locale: string): string => {
  const rows = files.map(
    (file) =>
      `<li><a href="${inHtml(file.publicLink)}">${inHtml(labelOf(file.filename))}</a> · ${inHtml(aboutOf(file, locale))}<br>SHA-256 <code>${file.sha256}</code></li>\n`,
  );
  const how = steps.map(([where, what]) => `<p>${where}:</p>\n<pre>${inHtml(what)}</pre>\n`);
  return `<ul>\n${rows.join('')}</ul>\n<details>\n<summary>How to check</summary>\n<pre>${inHtml(plainSums(files))}</pre>\n${how.join('')}<p><strong>${warning}</strong></p>\n</details>\n`;
};

// ---------------------------------------------------------------- for programs

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r' };

/** As coreutils write it: a backslash before the line marks a name with escapes. `-` alone is standard input. */
const sums = (files: readonly CardFile[]): string =>
  files
    .map(({ filename, sha256 }) => {
      const escaped = filename.replaceAll(/[\\\n\r]/g, (sign) => escapes[sign] ?? sign);
      const name = filename === '-' ? './-' : escaped;
      return `${escaped === filename ? '' : '\\'}${sha256}  ${name}\n`;
    })
    .join('');

/** One file of a card in the sha256sums form; null for a line that is none. */
export const readSum = (line: string): { sha256: string; filename: string } | null => {
  const [, mark, sha256 = '', name = ''] = /^(\\?)([0-9a-f]{64}) [ *](.+)$/is.exec(line) ?? [];
  if (mark === undefined) return null;
  const filename =
    mark === ''
      ? name
      : name.replaceAll(/\\([\\nr])/g, (_, sign: string) => ({ n: '\n', r: '\r' })[sign] ?? '\\');
  return { sha256: sha256.toLowerCase(), filename };
};
