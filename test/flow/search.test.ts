// `search`, and `list` in another order: what this machine knows, page by page, without a request.
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ownPlace, ownService } from '../support/flow/own.ts';

const service = await ownService();
const place = await ownPlace(service);
beforeAll(async () => {
  await service.addFile({ filename: 'from-another.txt', content: 'by another machine' });
  await place.put('b-report.txt', '22');
  await place.put('a-notes.txt', '333');
  await place.put('../c-report.txt', '1');
  expect((await place.run(['watch', place.folder, '--once', '--existing', 'upload'])).code).toBe(0);
  expect((await place.run(['upload', 'c-report.txt'])).code).toBe(0);
  await place.run(['list', '--all']);
});

const found = async (...args: string[]): Promise<unknown[]> => {
  const before = service.requests().length;
  const { code, lines } = await place.json(args);
  expect([code, service.requests().length - before]).toEqual([0, 0]);
  const { event, files, asOf } = lines.at(-1) ?? {};
  expect({ event, files, asOf }).toEqual({
    event: 'files',
    files: lines.length - 1,
    asOf: expect.stringMatching(/Z$/) as string,
  });
  return lines.slice(0, -1).map(({ filename }) => filename);
};

test.each<[string, string[], string[]]>([
  ['search finds words in names', ['search', 'report'], ['b-report.txt', 'c-report.txt']],
  ['a search has no use for what all links share', ['search', 'download'], []],
  [
    'the newest of what is found',
    ['search', 'report', '--sort', 'uploaded'],
    ['c-report.txt', 'b-report.txt'],
  ],
  ['all words must be there', ['search', 'report', 'b-'], ['b-report.txt']],
  ['a search may find nothing', ['search', 'nothing like it'], []],
  [
    'names go from A on',
    ['list', '--sort', 'name'],
    ['a-notes.txt', 'b-report.txt', 'c-report.txt', 'from-another.txt'],
  ],
  [
    'the largest comes first',
    ['list', '--sort', 'size', '--place', 'here'],
    ['a-notes.txt', 'b-report.txt', 'c-report.txt'],
  ],
  [
    '--reverse turns it round',
    ['list', '--place', 'here', '--sort', 'size', '--reverse'],
    ['c-report.txt', 'b-report.txt', 'a-notes.txt'],
  ],
  ['a limit', ['list', '--sort', 'name', '--limit', '2'], ['a-notes.txt', 'b-report.txt']],
  ['a page', ['list', '--sort', 'name', '--limit', '2', '--page', '2'], ['c-report.txt', 'from-another.txt']],
  ['elsewhere', ['list', '--place', 'elsewhere'], ['from-another.txt']],
  ['gone', ['list', '--place', 'gone'], []],
  ['a watched folder', ['list', '--folder', 'folder', '--sort', 'name'], ['a-notes.txt', 'b-report.txt']],
])('%s: %j', async (_, args, names) => expect(await found(...args)).toEqual(names));

test('list, search and info write a size alike: with its unit if this machine sent the file, else as the service gives it', async () => {
  for (const [name, size] of [
    ['c-report.txt', '1 byte'],
    ['from-another.txt', '18'],
  ] as const) {
    const id = String(service.files().find(({ filename }) => filename === name)?.id);
    const row = new RegExp(`^ *${id} +${size} .* ${name} `, 'm');
    for (const args of [
      ['list', '--all'],
      ['list', '--sort', 'name'],
      ['search', name],
    ])
      expect((await place.run(args)).stdout).toMatch(row);
    expect((await place.run(['info', id])).stdout).toMatch(new RegExp(`^size +${size}$`, 'm'));
  }
});

test('each file is one object with the names of every answer, and a row with its size and link for a person', async () => {
  const { lines } = await place.json(['search', 'c-report']);
  const stored = service.files().find(({ filename }) => filename === 'c-report.txt');
  expect(lines[0]).toEqual({
    file_id: stored?.id,
    queueId: 'q3',
    filename: 'c-report.txt',
    path: path.join(place.root, 'c-report.txt'),
    public_link: stored?.link,
    sizeBytes: 1,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    uploadedAt: expect.stringMatching(/Z$/) as string,
    expiresAt: null,
    downloads: 0,
  });
  const text = await place.run(['search', 'c-report']);
  expect(text.stdout).toMatch(/^\d+ +1 byte +\S.* c-report\.txt +http\S+\n$/);
  expect(text.stderr).toMatch(/^1 of 1 files, as of /);
});

test.each([
  [['list', '--sort', 'age'], 2],
  [['list', '--place', 'there'], 2],
  [['list', '--sort', 'name', '--limit', '0'], 2],
  [['list', '--sort', 'name', '--limit', '2', '--page', '2'], 0],
  [['list', '--sort', 'name', '--limit', '2', '--page', '3'], 2],
  [['list', '--folder', 'nowhere'], 5],
  [['search'], 2],
])('%j ends with %i', async (args, code) => expect((await place.run(args)).code).toBe(code));
