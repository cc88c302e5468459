// The papers of the repository: every linked or cited file exists, and what a page lists is whole.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { homeFiles } from '../../src-main/adapters/system/home.ts';
import { readChecks } from '../first-run/page.ts';
import { onWindows, posixTest } from '../support/posix.ts';

const inGit = posixTest('git may be missing');
const root = path.resolve(import.meta.dirname, '../..');
const listed = (): string =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
const files = (onWindows ? '' : listed())
  .split('\0')
  .filter((file) => file !== '' && existsSync(path.join(root, file)));
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const papers = files.filter((file) => file.endsWith('.md'));

const outsideFences = (markdown: string): string[] => markdown.replace(/^```[\s\S]*?^```$/gm, '').split('\n');
/** The address that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
const hasHeading = (file: string, anchor: string): boolean =>
  outsideFences(read(file)).some(
    (line) => /^#+ /.test(line) && anchorOf(line.replace(/^#+ /, '')) === anchor,
  );

inGit.each(papers)('each link of %s leads to a file, and to a heading in it', (paper) => {
  const links = [...read(paper).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  const missing = links
    .filter((link) => !/^(https?:|mailto:)/.test(link))
    .filter((link) => {
      const [to = '', anchor] = link.split('#');
      const file = to === '' ? paper : path.join(path.dirname(paper), to);
      if (!existsSync(path.join(root, file))) return true;
      return anchor !== undefined && file.endsWith('.md') && !hasHeading(file, anchor);
    });
  expect(missing).toEqual([]);
});

inGit('each file that a comment cites is in the repository', () => {
  const code = files.filter((file) => /\.(ts|mjs|cjs|svelte|ya?ml)$/.test(file));
  const cited = code.flatMap((file) =>
    read(file)
      .split('\n')
      .filter((line) => /^\s*(\/\/|\/?\*|#|<!--)/.test(line) && !/Electron|docs\/api|→/i.test(line))
      .flatMap((line) => [
        ...line.matchAll(/(?<![\w./-])\w[\w-]*(?:\/[\w.-]+)*\.(?:md|(?:svelte\.)?ts|svelte)\b/g),
      ])
      .map(([name]) => `${file}: ${name}`),
  );
  const all = files.map((file) => `/${file}`).join('\n') + '\n';
  expect(cited.filter((one) => !all.includes(`/${one.split(': ')[1] ?? ''}\n`))).toEqual([]);
});

test('the page of the data folder has each file and each table of the ledger', () => {
  const page = read('resources/docs/design/data-folder.md');
  const tables = read('src-main/adapters/ledger/schema.ts').matchAll(/CREATE (?:VIRTUAL )?TABLE (\w+)/g);
  const names = [
    ...[...tables].map(([, name]) => name),
    ...Object.values(homeFiles).map((file) => file.path),
  ];
  expect(names.filter((name) => !page.includes(`\`${name}`))).toEqual([]);
});

test('the README is one short read', () => {
  const lines = read('README.md').split('\n');
  expect(lines.length).toBeLessThanOrEqual(130);
  expect(lines.filter((line) => line.length > 200)).toEqual([]);
});

test('a cell of a table in CONTRIBUTING is short; what needs more is a list', () => {
  const rows = read('.github/CONTRIBUTING.md')
    .split('\n')
    .filter((line) => line.startsWith('|'));
  const cells = rows.flatMap((row) => row.replaceAll(/^\| *| *\|$|--+/g, '').split(/ +\| +/));
  expect(cells.filter((cell) => cell.length > 160)).toEqual([]);
});

test.each(['user-guide.md', 'command.md', 'admin-guide.md', 'design/decisions.md'])(
  '%s lists its parts at the top',
  (guide) => {
    const lines = outsideFences(read(`resources/docs/${guide}`));
    const headings = lines.flatMap((line) => {
      const [, marks, heading] = /^(##|###) (.+)$/.exec(line) ?? [];
      return heading === undefined
        ? []
        : [`${marks === '##' ? '' : '  '}- [${heading}](#${anchorOf(heading)})`];
    });
    const top = lines.slice(
      0,
      lines.findIndex((line) => line.startsWith('## ')),
    );
    expect(top.filter((line) => /^ *- \[/.test(line))).toEqual(headings);
  },
);

test('each decision has fewer than 100 words', () => {
  const decisions = read('resources/docs/design/decisions.md').split(/^### /m).slice(1);
  expect(decisions.filter((one) => (one.split(/^## /m)[0] ?? '').trim().split(/\s+/).length >= 100)).toEqual(
    [],
  );
});

test('the changelog has versions with a date and the six kinds of changes, in short points', () => {
  const lines = read('resources/CHANGELOG.md').split('\n');
  const headings = lines.filter((line) => /^##/.test(line));
  expect(headings.length).toBeGreaterThan(1);
  for (const heading of headings)
    expect(heading).toMatch(
      /^(## \d+\.\d+\.\d+\S* - (\d{4}-\d{2}-\d{2}|Unreleased)|### (Added|Changed|Deprecated|Removed|Fixed|Security))$/,
    );
  const points = lines.join('\n').split(/^- /m).slice(1);
  for (const point of points) expect(point.length).toBeLessThan(400);
});

inGit('each picture is in the repository once', () => {
  const pictures = files.filter((file) => /^resources\/docs\/.*\.png$/.test(file));
  const bySize = new Map<number, string[]>();
  for (const file of pictures) {
    const { size } = statSync(path.join(root, file));
    bySize.set(size, [...(bySize.get(size) ?? []), file]);
  }
  const twins = [...bySize.values()].filter(
    (group) =>
      new Set(group.map((file) => readFileSync(path.join(root, file)).toString('base64'))).size <
      group.length,
  );
  expect(twins).toEqual([]);
});

test('the page of the first run is read whole: every check of its 31 subjects', () => {
  const checks = readChecks();
  expect(checks).toHaveLength(read('resources/docs/design/first-run.md').match(/^- /gm)?.length ?? 0);
  expect([...new Set(checks.map(({ number }) => number))]).toEqual(
    Array.from({ length: 31 }, (_, at) => at + 1),
  );
  expect(() => readChecks('## 1. A\n\n- By a person: It shows nothing.\n')).toThrow(
    'No check of the first run',
  );
});
