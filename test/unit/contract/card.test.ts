// Release cards: each form contains what it must, and hostile names do no harm in any of them.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HtmlRenderer, Parser } from 'commonmark';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { cardText, readSum, type CardFile, type CardForm } from '../../../src-main/contract/text/card.ts';
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

test('an unknown day of upload is left out, and an end is shown', () => {
  const file = { ...fileOf('notes.txt'), uploadedAtMs: null, expiresAtMs: Date.UTC(2026, 11, 1, 12) };
  const card = cardText([file], 'markdown', 'en');
  expect(card).toContain('until 2026-12-01');
  expect(card).not.toContain('2026-11-24');
  expect(JSON.parse(cardText([file], 'json', 'en'))).toMatchObject([
    { uploadedAt: null, expiresAt: '2026-12-01T12:00:00.000Z' },
  ]);
});
