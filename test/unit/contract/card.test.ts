// Release cards: each form contains what it must, and hostile names do no harm in any of them.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HtmlRenderer, Parser } from 'commonmark';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { cardText, readSum, type CardFile, type CardForm } from '../../../src-main/contract/text/card.ts';
import { labelOf } from '../../../src-main/contract/text/link-text.ts';
import {
  caskGroups,
  caskReader,
  scoopManifest,
  wingetInstaller,
  wingetLocale,
  wingetVersion,
} from '../../support/card-schemas.ts';
import { schemaProblems } from '../../support/schema-problems.ts';
import { hasRuby } from '../../support/machine.ts';
import { posixTest } from '../../support/posix.ts';

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
  "$(id) ${HOME} `id` '$(id)'.exe",
  '--- !!tag &anchor *alias %TAG {a: b}, [c] # d.exe',
  '- a: b.exe',
  '\\#{1} #@x \\u0022 \\n.exe',
  '&amp; &lt;img src=x onerror=alert(1)>.exe',
  '=1+1 | @x.exe',
  '-',
];
const text = (names: readonly string[], form: CardForm): string => cardText(names.map(fileOf), form, 'en');
/** Names made of characters that are special in at least one of the forms. */
const oddName = fc
  .array(
    fc.oneof(
      fc.constantFrom(...Array.from('\\"\'`#{}$()|<>[]*&!%@:-?\n\r\t\u0000\u202e\u2028\ud83d ')),
      fc.constantFrom('#{', '$(', '---\n', '</pre>', '](', '```', '<!--', 'ü', '📦', '1.2'),
      fc.string({ minLength: 1, maxLength: 5 }),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => parts.join(''));

const exes = hostile.filter((name) => name.endsWith('.exe'));

posixTest('its names lack these signs')(
  'sha256sums passes sha256sum for every name, with backslashes and line breaks, and is parsed again',
  () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'outtray-card-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const names = [...hostile.filter((name) => !name.includes('/')), 'tab\tand\rreturn'];
    for (const name of names) writeFileSync(path.join(folder, name), name);
    const sums = text(names, 'sha256sums');
    execFileSync('sha256sum', ['-c', '--strict', '--quiet'], { cwd: folder, input: sums });
    const read = sums.trimEnd().split('\n').map(readSum);
    expect(read.map((one) => one?.filename)).toEqual(names.map((name) => (name === '-' ? './-' : name)));
    expect(readSum('not a sum')).toBeNull();
  },
);

test('Markdown renders a link and a digest for each file, and the verification steps in a fold', () => {
  const html = new HtmlRenderer().render(new Parser().parse(text(['app-1.2.zip', 'b.txt'], 'markdown')));
  expect(html.match(/<li>/g)).toHaveLength(2);
  expect(html).toContain('<a href="https://share.example/download/T7k">app-1.2.zip</a>');
  for (const name of ['app-1.2.zip', 'b.txt']) expect(html).toContain(`<code>${digestOf(name)}</code>`);
  expect(html).toMatch(
    /<details>[\s\S]*sha256sum -c[\s\S]*certutil -hashfile[\s\S]*shasum -a 256[\s\S]*<\/details>/,
  );
  expect(html).toContain('<strong>If it does not match, do not use it.</strong>');
});

test('hostile names add no tag, no other link and no reversed line in Markdown and HTML', () => {
  const tags = ['<a', '<br', '<code', '<details', '<li', '<p', '<pre', '<strong', '<summary', '<ul'];
  const harmless = (names: readonly string[]) => {
    const rendered = new HtmlRenderer().render(new Parser().parse(text(names, 'markdown')));
    for (const html of [rendered, text(names, 'html')]) {
      const others = [...new Set(html.match(/<[a-z!?][a-z]*/gi))].filter((tag) => !tags.includes(tag));
      expect(others).toEqual([]);
      expect(html.match(/<\/details>/g)).toHaveLength(1);
      expect(html).not.toMatch(/[\u202A-\u202E]/);
      expect([...new Set(html.match(/href="[^"]*"/g))]).toEqual([
        'href="https://share.example/download/T7k"',
      ]);
      expect(html.match(/<li>/g)).toHaveLength(names.length);
      for (const name of names) expect(html).toContain(`<code>${digestOf(name)}</code>`);
    }
  };
  harmless(hostile);
  fc.assert(fc.property(fc.array(oddName, { minLength: 1, maxLength: 4 }), harmless));
});

test('a name of any characters is parsed again from the sums', () => {
  fc.assert(
    fc.property(fc.array(oddName, { minLength: 1, maxLength: 4 }), (names) => {
      const lines = text(names, 'sha256sums').slice(0, -1).split('\n');
      const read = lines.map((line) => readSum(line)?.filename);
      expect(read).toEqual(names.map((name) => (name === '-' ? './-' : name)));
    }),
  );
});

test('JSON has the fixed fields', () => {
  expect(JSON.parse(text(['a.txt'], 'json'))).toEqual([
    {
      file_id: 7,
      filename: 'a.txt',
      sizeBytes: 1234,
      sha256: digestOf('a.txt'),
      public_link: 'https://share.example/download/T7k',
      uploadedAt: '2026-11-24T12:00:00.000Z',
      expiresAt: null,
    },
  ]);
});

/** The three documents of a winget card, each as its schema requires. */
const wingetSet = (card: string): unknown[] => {
  const set = parseAllDocuments(card).map((one) => one.toJS() as unknown);
  expect(set).toHaveLength(3);
  for (const [at, schema] of [wingetVersion, wingetInstaller, wingetLocale].entries())
    expect(schemaProblems(schema, set[at])).toBeNull();
  return set;
};

test('winget has one installer for each file in plain lines, and refuses other file types', () => {
  const manifest = text(['Tray-1.2.3-arm64.msi', 'Tray-1.2.3-x86.exe', 'Tray-1.2.3.zip'], 'winget');
  expect(manifest).toContain('PackageIdentifier: "Publisher.Tray"\nPackageVersion: "1.2.3"\n');
  expect(
    manifest.match(/Architecture: .*\n.*InstallerType: .*/g)?.map((one) => one.replaceAll(/\s+/g, ' ')),
  ).toEqual([
    'Architecture: arm64 InstallerType: msi',
    'Architecture: x86 InstallerType: exe',
    'Architecture: x64 InstallerType: zip',
  ]);
  expect(() => text(['notes.txt'], 'winget')).toThrow('winget has no type');
  expect(text([], 'winget') + text([], 'scoop')).toBe('');
});

test('a winget manifest is valid YAML for winget’s schema, whatever the names', () => {
  const wanted = (names: readonly string[]) => {
    const [, manifest] = wingetSet(text(names, 'winget'));
    expect(manifest).toMatchObject({
      Installers: names.map((name) => ({
        InstallerUrl: 'https://share.example/download/T7k',
        InstallerSha256: digestOf(name).toUpperCase(),
      })),
    });
  };
  wanted(['Tray-1.2.3-arm64.msi', 'Tray.msixbundle', 'Tray.appx', 'Tray.zip']);
  wanted(exes);
  fc.assert(fc.property(oddName, (name) => wanted([`${name}.exe`])));
  // Digits with one E are a number in YAML.
  const likeNumber = { ...fileOf('a.exe'), sha256: `12e${'4'.repeat(61)}` };
  wingetSet(cardText([likeNumber], 'winget', 'en'));
});

test('a winget card names its three files and its unknown fields; a zip names the program to run in it', () => {
  const card = text(['Tray-1.2.3.zip'], 'winget');
  expect(card.match(/^# .*/gm)).toEqual([
    '# Three files. Not known here, so correct it: Publisher (also in PackageIdentifier), License, ShortDescription, and the programs in "Tray-1.2.3.zip".',
    '# Publisher.Tray.yaml',
    '# Publisher.Tray.installer.yaml',
    '# Publisher.Tray.locale.en-US.yaml',
  ]);
  expect(wingetSet(card)[1]).toMatchObject({
    Installers: [
      { NestedInstallerType: 'portable', NestedInstallerFiles: [{ RelativeFilePath: 'Tray.exe' }] },
    ],
  });
  expect(text(['Tray-1.2.3.msi'], 'winget')).not.toContain('the programs in');
});

test.each([
  ['app-v2.0.0-rc.1.exe', '2.0.0-rc.1'],
  ['app-2.0.0rc2-x64.exe', '2.0.0rc2'],
  ['app_1.4-beta.exe', '1.4-beta'],
  ['app-1.2.3-arm64.exe', '1.2.3'],
  ['app-1.2.3-predator.exe', '1.2.3'],
  ['app-1.2.3-devices.exe', '1.2.3'],
])('%s has the version %s in every form', (name, version) => {
  expect(text([name], 'winget')).toContain(`PackageVersion: "${version}"\n`);
  expect(JSON.parse(text([name], 'scoop'))).toMatchObject({ version });
  expect(text([name], 'homebrew')).toContain(`version "${version}"`);
});

test.each([
  ['Übersicht-1.0.exe', 'Ubersicht'],
  ['Ålesund Größe.exe', 'Alesund-Grosse'],
  ['Łódź.exe', 'Lodz'],
  ['合同.exe', 'app'],
])('an identifier keeps the letters of %s: %s', (name, stem) => {
  expect(text([name], 'winget')).toContain(`PackageIdentifier: "Publisher.${stem}"`);
  expect(text([name], 'homebrew')).toContain(`cask "${stem.toLowerCase()}"`);
});

test('a Scoop manifest satisfies Scoop’s schema, whatever the names, and has each content once', () => {
  const wanted = (names: readonly string[]) => {
    const manifest = JSON.parse(text(names, 'scoop')) as { url: string[]; hash: string[] };
    expect(schemaProblems(scoopManifest, manifest)).toBeNull();
    for (const [at, url] of manifest.url.entries())
      expect(digestOf(decodeURIComponent(new URL(url).hash.slice(2)))).toBe(manifest.hash[at]);
  };
  wanted(hostile);
  fc.assert(
    fc.property(fc.uniqueArray(oddName, { minLength: 1, maxLength: 4 }), (names) =>
      wanted(names.map((name) => name.toWellFormed())),
    ),
  );
  const same = [fileOf('a.zip'), { ...fileOf('b.zip'), sha256: digestOf('a.zip') }, fileOf('c.zip')];
  const manifest: unknown = JSON.parse(cardText(same, 'scoop', 'en'));
  expect(schemaProblems(scoopManifest, manifest)).toBeNull();
  expect(manifest).toMatchObject({
    url: ['a.zip', 'c.zip'].map((name) => `https://share.example/download/T7k#/${name}`),
  });
});

test('Scoop has an address and a hash for each file, also for hostile names', () => {
  const manifest = JSON.parse(text(hostile, 'scoop')) as Record<string, string | string[]>;
  expect(manifest).toMatchObject({ homepage: 'https://share.example', license: 'Unknown' });
  expect(manifest['hash']).toEqual(hostile.map(digestOf));
  for (const url of manifest['url'] ?? [])
    expect(url).toMatch(/^https:\/\/share\.example\/download\/T7k#\/[\w.%!~*()-]+$/);
});

test.skipIf(!hasRuby)('a Homebrew cask has its stanzas in Homebrew’s order, and no name becomes Ruby', () => {
  const odd = fc.sample(oddName, { numRuns: 200, seed: 7 });
  const names = [...hostile, ...odd, ...odd.map((name) => `${name}.pkg`), 'Tray-1.2.pkg'];
  const casks = names.map((name) => text([name], 'homebrew'));
  execFileSync('ruby', ['-c'], { input: casks.join('\n'), stdio: ['pipe', 'ignore', 'inherit'] });
  const calls = JSON.parse(
    execFileSync('ruby', ['-e', caskReader], { input: JSON.stringify(casks), encoding: 'utf8' }),
  ) as [stanza: string, value: unknown][][];
  const ends = calls.map((called, at) => {
    const name = labelOf(names[at] ?? '').toWellFormed();
    const [token, version, sha256, ...about] = called;
    expect(token).toEqual(['cask', expect.stringMatching(/^[a-z0-9]+(-[a-z0-9]+)*$/)]);
    expect(version).toEqual(['version', expect.stringMatching(/^[\d.]+$/)]);
    expect(sha256).toEqual(['sha256', digestOf(names[at] ?? '')]);
    expect(about.slice(0, 4)).toEqual([
      ['url', 'https://share.example/download/T7k'],
      ['name', name],
      ['desc', name],
      ['homepage', 'https://share.example'],
    ]);
    const [artifact] = about.slice(4);
    expect(artifact).toEqual(/\.pkg$/i.test(name) ? ['pkg', name] : ['stage_only', true]);
    expect(about).toHaveLength(5);
    return artifact?.[0];
  });
  expect(new Set(ends)).toEqual(new Set(['pkg', 'stage_only']));
  for (const cask of casks) {
    expect(cask).toMatch(/^[\u0020-\u007e\n]+$/);
    const groups = cask
      .replace(/^cask .*\n/, '')
      .replace(/\nend\n$/, '')
      .split('\n\n');
    const stanzas = groups.map((group) => group.split('\n').map((line) => line.trim().split(' ')[0]));
    expect(stanzas.slice(0, 2)).toEqual(caskGroups.slice(0, 2));
    expect(caskGroups[2]).toContain(stanzas[2]?.[0]);
    expect(stanzas).toHaveLength(3);
  }
});

test('a Homebrew cask escapes non-ASCII letters by their numbers, and half a character as none', () => {
  const cask = text(['Größe 📦\ud83d.pkg'], 'homebrew');
  expect(cask).toContain('name "Gr\\u{f6}\\u{df}e \\u{1f4e6}\\u{fffd}.pkg"');
});

test('an unknown day of upload is left out, and an end is shown', () => {
  const file = { ...fileOf('notes.txt'), uploadedAtMs: null, expiresAtMs: Date.UTC(2026, 11, 1, 12) };
  const card = cardText([file], 'markdown', 'en');
  expect(card).toContain('until 2026-12-01');
  expect(card).not.toContain('2026-11-24');
  expect(JSON.parse(cardText([file], 'json', 'en'))).toMatchObject([
    { uploadedAt: null, expiresAt: '2026-12-01T12:00:00.000Z' },
  ]);
  expect(cardText([file], 'scoop', 'en')).toContain('"version": "0"');
});
