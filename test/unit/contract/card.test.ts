// Release cards: the forms say what they must, and hostile names do no harm in any of them.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HtmlRenderer, Parser } from 'commonmark';
import { expect, onTestFinished, test } from 'vitest';
import { cardText, readSum, type CardFile, type CardForm } from '../../../src-main/contract/text/card.ts';

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const fileOf = (filename: string): CardFile => ({
  fileId: 7,
  filename,
  sizeBytes: 1234,
  sha256: digestOf(filename),
  publicLink: 'https://share.example/download/T7k',
  uploadedAtMs: Date.UTC(2026, 10, 24, 12),
  expiresAtMs: null,
});
const hostile = [
  '<script>alert(1)</script>.exe',
  '"quo\'te".exe',
  'line\nbreak.exe',
  'back\\slash.exe',
  'pi|pe `tick` ```.exe',
  '#{system("id")} #$x.exe',
  '\u202Eexe.fdp.exe',
  '](https://evil.example) [x.exe',
  '</details></pre>.exe',
  '-',
];
const text = (names: readonly string[], form: CardForm): string => cardText(names.map(fileOf), form, 'en');
const exes = hostile.filter((name) => name.endsWith('.exe'));

test('sha256sums passes sha256sum for every name, with backslashes and line breaks, and is read again', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'outtray-card-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const names = [...hostile.filter((name) => !name.includes('/')), 'tab\tand\rreturn'];
  for (const name of names) writeFileSync(path.join(folder, name), name);
  const sums = text(names, 'sha256sums');
  execFileSync('sha256sum', ['-c', '--strict', '--quiet'], { cwd: folder, input: sums });
  const read = sums.trimEnd().split('\n').map(readSum);
  expect(read.map((one) => one?.filename)).toEqual(names.map((name) => (name === '-' ? './-' : name)));
  expect(readSum('not a sum')).toBeNull();
});

test('Markdown renders a link and a digest for each file, and how to check in a fold', () => {
  const html = new HtmlRenderer().render(new Parser().parse(text(['app-1.2.zip', 'b.txt'], 'markdown')));
  expect(html.match(/<li>/g)).toHaveLength(2);
  expect(html).toContain('<a href="https://share.example/download/T7k">app-1.2.zip</a>');
  for (const name of ['app-1.2.zip', 'b.txt']) expect(html).toContain(`<code>${digestOf(name)}</code>`);
  expect(html).toMatch(
    /<details>[\s\S]*sha256sum -c[\s\S]*certutil -hashfile[\s\S]*shasum -a 256[\s\S]*<\/details>/,
  );
  expect(html).toContain('<strong>If it does not match, do not use it.</strong>');
});

test('hostile names make no tag, no other link and no turned line in Markdown and HTML', () => {
  const rendered = new HtmlRenderer().render(new Parser().parse(text(hostile, 'markdown')));
  for (const html of [rendered, text(hostile, 'html')]) {
    expect(html).not.toContain('<script');
    expect(html.match(/<\/details>/g)).toHaveLength(1);
    expect(html).not.toMatch(/[\u202A-\u202E]/);
    expect([...new Set(html.match(/href="[^"]*"/g))]).toEqual(['href="https://share.example/download/T7k"']);
    expect(html.match(/<li>/g)).toHaveLength(hostile.length);
  }
});

test('JSON has the fixed fields', () => {
  expect(JSON.parse(text(['a.txt'], 'json'))).toEqual([
    {
      file_id: 7,
      filename: 'a.txt',
      size: 1234,
      sha256: digestOf('a.txt'),
      public_link: 'https://share.example/download/T7k',
      uploadedAt: '2026-11-24T12:00:00.000Z',
      expiresAt: null,
    },
  ]);
});

test('winget has one installer for each file in plain lines, and refuses what is none', () => {
  const manifest = text(['Tray-1.2.3-arm64.msi', 'Tray-1.2.3-x86.exe', 'Tray-1.2.3.zip'], 'winget');
  expect(manifest).toContain('PackageIdentifier: "Publisher.Tray"\nPackageVersion: "1.2.3"\n');
  expect(
    manifest.match(/Architecture: .*\n.*InstallerType: .*/g)?.map((one) => one.replaceAll(/\s+/g, ' ')),
  ).toEqual([
    'Architecture: arm64 InstallerType: msi',
    'Architecture: x86 InstallerType: exe',
    'Architecture: x64 InstallerType: zip',
  ]);
  for (const name of exes) {
    expect(text([name], 'winget')).toMatch(
      /^PackageIdentifier: "Publisher\.[A-Za-z0-9-]{1,32}"\nPackageVersion: "[\d.]+"\nInstallers:\n {2}- Architecture: \w+\n {4}InstallerType: exe\n {4}InstallerUrl: "https:[^"]+"\n {4}InstallerSha256: [A-F0-9]{64}\nManifestType: installer\nManifestVersion: 1\.6\.0\n$/,
    );
  }
  expect(() => text(['notes.txt'], 'winget')).toThrow('winget has no type');
  expect(text([], 'winget') + text([], 'scoop')).toBe('');
});

test('Scoop has an address and a hash for each file, also for hostile names', () => {
  const manifest = JSON.parse(text(hostile, 'scoop')) as Record<string, string | string[]>;
  expect(manifest).toMatchObject({ homepage: 'https://share.example', license: 'Unknown' });
  expect(manifest['hash']).toEqual(hostile.map(digestOf));
  for (const url of manifest['url'] ?? [])
    expect(url).toMatch(/^https:\/\/share\.example\/download\/T7k#\/[\w.%!~*()-]+$/);
});

test('a Homebrew cask has its stanzas, and no name becomes Ruby', () => {
  const quoted = String.raw`"(?:[^"\\#\n]|\\.)*"`;
  const grammar = new RegExp(
    `^cask "[a-z0-9-]+" do\n  version ${quoted}\n  sha256 "[0-9a-f]{64}"\n\n  url ${quoted}\n  name ${quoted}\n  desc ${quoted}\n  homepage ${quoted}\n\n  (?:pkg ${quoted}|stage_only true)\nend\n$`,
  );
  for (const name of [...hostile, 'Tray-1.2.pkg']) {
    const cask = text([name], 'homebrew');
    expect(cask).toMatch(grammar);
    expect(cask).toMatch(/^[\u0020-\u007e\n]+$/);
  }
});

test('a Homebrew cask writes letters that are not ASCII by their numbers, and half a character as none', () => {
  const cask = text(['Größe 📦\ud83d.pkg'], 'homebrew');
  expect(cask).toContain('name "Gr\\u{f6}\\u{df}e \\u{1f4e6}\\u{fffd}.pkg"');
});

test('a day of upload that is not known is left out, and an end is told', () => {
  const file = { ...fileOf('notes.txt'), uploadedAtMs: null, expiresAtMs: Date.UTC(2026, 11, 1, 12) };
  const card = cardText([file], 'markdown', 'en');
  expect(card).toContain('until 2026-12-01');
  expect(card).not.toContain('2026-11-24');
  expect(JSON.parse(cardText([file], 'json', 'en'))).toMatchObject([
    { uploadedAt: null, expiresAt: '2026-12-01T12:00:00.000Z' },
  ]);
  expect(cardText([file], 'scoop', 'en')).toContain('"version": "0"');
});
