// A release card: what a reader needs to check files, in seven forms. Names may be hostile in each of them. Pure.
import { option, wording } from './wording.ts';
import type { cardForms } from '../catalogue/choices.ts';
import type { FileId } from './file-id.ts';
import { AppError, unreachable } from '../errors.ts';
import { formatSize, plainDay } from './formats.ts';
import { inHtml, labelOf, markdown } from './link-text.ts';

export type CardForm = (typeof cardForms)[number];

/** `filename`: as the service has it. Size and SHA-256 are those of what was sent. */
export type CardFile = {
  fileId: FileId;
  filename: string;
  sizeBytes: number;
  sha256: string;
  publicLink: string;
  uploadedAtMs: number | null;
  expiresAtMs: number | null;
};

/** Ends with a line break. `locale`: sizes are written in it. Throws `bad-use` where a form cannot have a file. */
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
    case 'winget':
      return winget(files);
    case 'scoop':
      return scoop(files);
    case 'homebrew':
      return files.map(cask).join('\n');
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
    uploadedAt: isoOf(file.uploadedAtMs),
    expiresAt: isoOf(file.expiresAtMs),
  }));

const isoOf = (atMs: number | null): string | null => (atMs === null ? null : new Date(atMs).toISOString());

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

/** With the suffix of a pre-release: `2.0.0-rc.1` is not `2.0.0`. */
const versionOf = ({ filename, uploadedAtMs }: CardFile): string =>
  /\d{1,9}(\.\d{1,9}){1,3}([-.]?(alpha|beta|rc|pre|preview|dev|nightly|canary)([-.]?\d{1,9})?(?![a-z]))?/i.exec(
    filename,
  )?.[0] ?? (uploadedAtMs === null ? '0' : plainDay(uploadedAtMs).replaceAll('-', '.'));

/** Letters without an accent to remove. */
const asAscii: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  Æ: 'AE',
  æ: 'ae',
  Œ: 'OE',
  œ: 'oe',
  Ø: 'O',
  ø: 'o',
  Ł: 'L',
  ł: 'l',
  Đ: 'D',
  đ: 'd',
};

/** What is before the version, in letters, digits and hyphens alone. */
const stemOf = (filename: string): string => {
  const [stem = ''] = filename.replace(/\.[a-z][a-z0-9]{0,11}$/i, '').split(/[-_. ]v?\d/i);
  const letters = stem
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\u0000-\u007f]/gu, (letter) => asAscii[letter] ?? letter);
  const plain = letters.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '');
  return plain.slice(0, 32).replace(/-+$/, '') || 'app';
};

/** JSON is also YAML: quoted digits with one E stay a text. Only ASCII is left, so nothing can turn a line around. */
const quoted = (text: string): string =>
  JSON.stringify(text).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const installerTypes: Readonly<Record<string, string>> = {
  exe: 'exe',
  msi: 'msi',
  msix: 'msix',
  msixbundle: 'msix',
  appx: 'appx',
  appxbundle: 'appx',
  zip: 'zip',
};
const archOf = (filename: string): string =>
  /arm64|aarch64/i.test(filename) ? 'arm64' : /x86(?!_64)|i[36]86|ia32|win32/i.test(filename) ? 'x86' : 'x64';

/**
 * The three manifests 1.6.0 of a version (microsoft/winget-cli, schemas/JSON/manifests), as documents of one text, each
 * under the name of its file. A comment at the top lists what a card cannot know.
 */
const winget = (files: readonly CardFile[]): string => {
  const [first] = files;
  if (first === undefined) return '';
  const name = stemOf(first.filename);
  const [id, version] = [`Publisher.${name}`, versionOf(first)];
  const zipped: string[] = [];
  const installers = files.map((file) => {
    const type = installerTypes[file.filename.split('.').at(-1)?.toLowerCase() ?? ''];
    if (type === undefined)
      throw new AppError(
        'bad-use',
        `winget has no type for ${labelOf(file.filename)}.`,
        wording`Give files that end with exe, msi, msix, appx or zip, or choose another ${option('--format')}.`,
      );
    const nested = [
      '    NestedInstallerType: portable',
      '    NestedInstallerFiles:',
      `      - RelativeFilePath: ${quoted(`${stemOf(file.filename)}.exe`)}`,
    ];
    if (type === 'zip') zipped.push(quoted(labelOf(file.filename)));
    return [
      `  - Architecture: ${archOf(file.filename)}`,
      `    InstallerType: ${type}`,
      ...(type === 'zip' ? nested : []),
      `    InstallerUrl: ${quoted(file.publicLink)}`,
      `    InstallerSha256: ${quoted(file.sha256.toUpperCase())}`,
    ].join('\n');
  });
  const document = (file: string, type: string, lines: readonly string[]): string =>
    [
      `# ${id}${file}.yaml`,
      `PackageIdentifier: ${quoted(id)}`,
      `PackageVersion: ${quoted(version)}`,
      ...lines,
      `ManifestType: ${type}`,
      'ManifestVersion: 1.6.0\n',
    ].join('\n');
  return [
    [
      '# Three files. Not known here, so correct it: Publisher (also in PackageIdentifier), License, ShortDescription',
      ...(zipped.length === 0 ? [] : [`, and the programs in ${zipped.join(', ')}`]),
      '.\n',
      document('', 'version', ['DefaultLocale: en-US']),
    ].join(''),
    document('.installer', 'installer', ['Installers:', ...installers]),
    document('.locale.en-US', 'defaultLocale', [
      'PackageLocale: en-US',
      'Publisher: Publisher',
      `PackageName: ${quoted(name.padEnd(2, '-'))}`,
      'License: Unknown',
      `ShortDescription: ${quoted(labelOf(first.filename).slice(0, 200).padEnd(3, '-'))}`,
    ]),
  ].join('---\n');
};

/**
 * Scoop takes what follows `#/` as the name of the file (ScoopInstaller/Scoop, schema.json and wiki, App-Manifests). It
 * wants each hash once: of files with the same content only the first is listed.
 */
const scoop = (files: readonly CardFile[]): string => {
  const [first] = files;
  if (first === undefined) return '';
  const digests = files.map(({ sha256 }) => sha256);
  const listed = files.filter(({ sha256 }, index) => digests.indexOf(sha256) === index);
  const manifest = {
    version: versionOf(first),
    description: labelOf(first.filename),
    homepage: new URL(first.publicLink).origin,
    license: 'Unknown',
    url: listed.map(({ publicLink, filename }) => `${publicLink}#/${inAddress(filename)}`),
    hash: listed.map(({ sha256 }) => sha256),
  };
  return `${JSON.stringify(manifest, null, 4)}\n`;
};

/** encodeURIComponent throws for half of a surrogate pair. */
const inAddress = (filename: string): string =>
  encodeURIComponent(filename.toWellFormed()).replaceAll("'", '%27');

/** In Ruby's double quotes `#` begins code. */
const inRuby = (text: string): string =>
  `"${Array.from(text.toWellFormed())
    .map((sign) =>
      /["\\#]/.test(sign)
        ? `\\${sign}`
        : /[\u0020-\u007e]/.test(sign)
          ? sign
          : `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`,
    )
    .join('')}"`;

const cask = (file: CardFile): string => {
  const { filename, sha256, publicLink } = file;
  const artifact = /\.m?pkg$/i.test(filename) ? `pkg ${inRuby(labelOf(filename))}` : 'stage_only true';
  return [
    `cask ${inRuby(stemOf(filename).toLowerCase())} do`,
    `  version ${inRuby(versionOf(file))}`,
    `  sha256 ${inRuby(sha256)}`,
    '',
    `  url ${inRuby(publicLink)}`,
    `  name ${inRuby(labelOf(filename))}`,
    `  desc ${inRuby(labelOf(filename))}`,
    `  homepage ${inRuby(new URL(publicLink).origin)}`,
    '',
    `  ${artifact}`,
    'end\n',
  ].join('\n');
};
