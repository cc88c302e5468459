// Links that end, by the command, against the service: when, by which process, in which words, and what is refused.
import { expect, test } from 'vitest';
import { ownPlace, ownService } from '../support/flow/own.ts';
import type { Place } from '../support/flow/place.ts';
import { storedAs, uploads } from '../support/flow/wire.ts';

let place: Place;
const service = await ownService();
const dayMs = 86_400_000;
const msUntil = (iso: unknown): number => Date.parse(String(iso)) - Date.now();

test('upload, list and info show the end of a link; expire moves and removes it', async () => {
  place = await ownPlace(service);
  const file = await place.put('a.txt', 'ends in a week');
  const { code, lines } = await place.json(['upload', '--expire', '7d', file]);
  const uploaded = lines.find(({ event }) => event === 'uploaded');
  expect(code).toBe(0);
  expect(msUntil(uploaded?.['expiresAt'])).toBeGreaterThan(6.9 * dayMs);
  expect(msUntil(uploaded?.['expiresAt'])).toBeLessThan(7 * dayMs);
  const id = String(uploaded?.['file_id']);
  const other = await place.put('b.txt', 'never ends');
  const [plain] = (await place.json(['upload', other])).lines.filter(({ event }) => event === 'uploaded');
  expect(plain).toMatchObject({ expiresAt: null });
  const { lines: listed } = await place.json(['list']);
  const files = listed[0]?.['files'] as { file_id: number; expiresAt: string | null }[];
  expect(files.map(({ file_id, expiresAt }) => [file_id, expiresAt]).toSorted()).toEqual(
    [
      [Number(id), uploaded?.['expiresAt']],
      [plain?.['file_id'], null],
    ].toSorted(),
  );
  expect((await place.json(['info', id])).lines).toMatchObject([
    { file: { expiresAt: uploaded?.['expiresAt'] } },
  ]);
  expect((await place.run(['list'])).stdout).toContain('expires ');
  expect((await place.run(['info', id])).stdout).toMatch(/^expiresAt +\w/m);

  const date = new Date(Date.now() + 40 * dayMs).toISOString().slice(0, 10);
  const moved = await place.json(['expire', file, String(plain?.['file_id']), date]);
  expect(moved).toMatchObject({ code: 0, lines: [{ file_id: Number(id), path: file }, { path: other }] });
  for (const line of moved.lines) {
    expect(line['expiresAt']).toBe(`${date}T23:59:59.000Z`);
    expect(line['public_link']).toMatch(/^http/);
  }
  const removed = await place.run(['expire', id, 'never']);
  expect(removed.code).toBe(0);
  expect(removed.stdout).toContain('a.txt: its link never ends.');
  expect((await place.json(['info', id])).lines).toMatchObject([{ file: { expiresAt: null } }]);
});

test('the next run ends a link whose time came while nothing ran, and says so in one line', async () => {
  place = await ownPlace(service, { rate: 5 });
  expect((await place.run(['settings', 'set', 'expireAfter', '2s'])).code).toBe(0);
  await place.put('a.txt', 'ends while nothing runs');
  expect((await place.run(['watch', place.folder, '--once', '--existing', 'upload'])).code).toBe(0);
  await place.pass(3000);
  expect(storedAs(service, 'ends while nothing runs')).toHaveLength(1);
  expect((await place.run(['watch', '--once'])).stderr).toContain('1 link has ended');
  expect(storedAs(service, 'ends while nothing runs')).toEqual([]);
});

test.each([
  [['upload', '--expire', '0d', 'a.txt'], 'That time has already passed.'],
  [['upload', '--expire', '1e9d', 'a.txt'], 'This is neither a time span nor a date.'],
  [['upload', '--expire', '999999999d', 'a.txt'], 'This is more than ten years from now.'],
  [['upload', '--expire', '2026-02-30', 'a.txt'], 'This is neither a time span nor a date.'],
  [['upload', '--expire', '2001-01-01', 'a.txt'], 'That time has already passed.'],
  [['upload', '--expire', '-1d', 'a.txt'], 'This is neither a time span nor a date.'],
  [['upload', '--expire', '', 'a.txt'], 'This is neither a time span nor a date.'],
  [['expire', '7d'], 'No file was named.'],
  [['expire', 'a.txt', 'now'], 'Ending a link now means recalling it.'],
  [['expire', '12', '13'], 'This is neither a time span nor a date.'],
  [['expire', 'a.txt', '2026-13-01'], 'This is neither a time span nor a date.'],
  [['settings', 'set', 'expireAfter', '0d'], 'expireAfter must be none, or a time'],
])('%j is refused with a remedy, and nothing is sent', async (args, said) => {
  place = await ownPlace(service);
  await place.put('a.txt', 'stays here');
  const before = uploads(service).length;
  const { code, stderr } = await place.run(args, { cwd: place.folder });
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(said) as string });
  expect(stderr).toMatch(/Give |Name |For example|`outtray recall FILE`/);
  expect(uploads(service)).toHaveLength(before);
});

test('an unknown file, and one without a link, are refused', async () => {
  place = await ownPlace(service);
  expect((await place.run(['expire', '4711', '7d'])).code).toBe(5);
  const { code, lines } = await place.json(['expire', '4711', place.folder, '7d']);
  expect(code).toBe(8);
  expect(lines.map(({ error }) => error)).toMatchObject([{ code: 'not-found' }, { code: 'not-found' }]);
});

test('a ceiling in the settings refuses a later end, and gives each upload one', async () => {
  place = await ownPlace(service);
  const file = await place.put('a.txt', 'under a ceiling');
  expect((await place.run(['settings', 'set', 'maxExpireAfter', '1d'])).code).toBe(0);
  const refused = await place.run(['upload', '--expire', '2d', file]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('at most 1d') as string });
  const { lines } = await place.json(['upload', file]);
  expect(msUntil(lines.find(({ event }) => event === 'uploaded')?.['expiresAt'])).toBeLessThan(dayMs);
  expect((await place.run(['expire', file, 'never'])).code).toBe(2);
});
