// Followed links, by the command, against the service: what is reported, by which requests, and what is refused.
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, test } from 'vitest';
import type { Line } from '../support/flow/command.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import type { Place } from '../support/flow/place.ts';
import { startWatcher } from '../support/flow/watcher.ts';

let place: Place;
const service = await ownService();
beforeEach(async () => {
  place = await ownPlace(service, { rate: 10, settings: { requestsPerDay: 5000 } });
});

const shared = async (name: string): Promise<{ file: string; id: number; link: string }> => {
  const file = await place.put(name, `${name} of ${place.root}`);
  const { lines } = await place.json(['upload', file]);
  const uploaded = lines.find(({ event }) => event === 'uploaded');
  return { file, id: Number(uploaded?.['file_id']), link: String(uploaded?.['public_link']) };
};
const download = async (link: string): Promise<void> => {
  await (await fetch(link)).bytes();
};
const checksOf = (id: number): number =>
  service.requests().filter(({ method, path }) => method === 'GET' && path.endsWith(`/files/${id}`)).length;
const watchOnce = async (): Promise<Line[]> =>
  (await place.json(['watch', place.folder, '--once'])).lines.filter(
    ({ event }) => event === 'downloaded' || event === 'downloads' || event === 'lost',
  );
const price = (links: number) => ({
  event: 'price',
  links,
  requestsPerDay: 96 * links,
  dayLimit: 5000,
  everySeconds: 900,
  waits: null,
});

test('a followed link is reported once, at its first download, at the cost of one request', async () => {
  const { file, id, link } = await shared('a.txt');
  await watchOnce();
  expect(checksOf(id)).toBe(0);
  const followed = await place.json(['follow', file]);
  const named = { file_id: id, path: file, public_link: link, downloads: null };
  expect(followed).toMatchObject({ code: 0, lines: [{ event: 'followed', ...named }, price(1)] });
  await download(link);
  await download(link);
  expect(await watchOnce()).toMatchObject([
    { event: 'downloaded', file_id: id, path: file, public_link: link, downloads: 2 },
  ]);
  expect(checksOf(id)).toBe(1);
  const [listed, cost] = (await place.json(['follow'])).lines;
  expect(listed).toMatchObject({ file_id: id, path: file, public_link: link, downloads: 2 });
  expect(Date.parse(String(listed?.['asOf']))).toBeGreaterThan(Date.parse(String(listed?.['since'])));
  expect(cost).toEqual(price(1));
  await download(link);
  expect(await watchOnce()).toEqual([]);
  expect(checksOf(id)).toBe(1);

  const { stdout, stderr } = await place.run(['follow', '--stop', String(id)]);
  expect(stdout).toContain('a.txt: its downloads are no longer reported.');
  expect(stderr).toContain('No link is followed, so no requests are made.');
  expect((await place.json(['follow'])).lines).toEqual([{ ...price(0), everySeconds: 900 }]);
});

test('a running watch reports a link that another process follows', async () => {
  const { file, id, link } = await shared('b.txt');
  const watcher = await startWatcher(place, service);
  await download(link);
  const { stdout, stderr } = await place.run(['follow', file]);
  expect(stdout).toContain('b.txt: its next download is reported at once, later ones each morning.');
  expect(stderr).toContain('1 link is followed: up to 96 of 5000 requests a day, each link every 15 min.');
  expect(await watcher.told('downloaded', 'b.txt')).toMatchObject({ file_id: id, downloads: 1 });
  expect(await watcher.stop()).toBe(130);
});

test('a file that is not shared here cannot be followed; others in the same call are', async () => {
  const { file, id } = await shared('d.txt');
  const no = await place.put('no.txt', 'not shared');
  expect((await place.run(['follow', no])).code).toBe(5);
  const { code, lines } = await place.json(['follow', no, file, '99999999']);
  expect(code).toBe(8);
  expect(lines).toMatchObject([
    { error: { code: 'not-found' }, path: no },
    { event: 'followed', file_id: id },
    { error: { code: 'not-found' }, file_id: 99_999_999 },
    { event: 'price', links: 1 },
  ]);
  expect((await place.run(['follow', '--stop'])).code).toBe(2);
});

test('no check is made when requests are short, and this is reported', async () => {
  const { file, id, link } = await shared('e.txt');
  const settings = (value: string) => place.run(['settings', 'set', 'requestsPerDay', value]);
  await settings('2');
  await download(link);
  const { lines } = await place.json(['follow', file]);
  expect(lines).toMatchObject([{ event: 'followed' }, { event: 'price', dayLimit: 2, waits: 'requests' }]);
  expect(await watchOnce()).toEqual([]);
  expect(checksOf(id)).toBe(0);
  expect((await place.run(['follow'])).stderr).toContain(
    'The next check is waiting: requests are running low.',
  );
  await settings('5000');
  expect(await watchOnce()).toMatchObject([{ event: 'downloaded', file_id: id, downloads: 1 }]);
  expect(checksOf(id)).toBe(1);
});

test('further downloads are reported in one line a day, in JSON and as text, and once', async () => {
  const { file, id, link } = await shared('g.txt');
  await place.run(['follow', file]);
  await download(link);
  expect(await watchOnce()).toMatchObject([{ event: 'downloaded', downloads: 1 }]);
  /** Reads the list, as a check does, and moves the last line back by two days. */
  const twoDaysLater = async (): Promise<void> => {
    await download(link);
    await download(link);
    await place.run(['list']);
    const ledger = new DatabaseSync(path.join(place.home, 'ledger.sqlite'));
    ledger.exec(`UPDATE facts SET at_ms = at_ms - 172800000 WHERE name = 'downloads-told'`);
    ledger.close();
  };
  await twoDaysLater();
  expect(await watchOnce()).toMatchObject([
    { event: 'downloads', links: 1, downloads: 2, files: [{ file_id: id, path: file, downloads: 2 }] },
  ]);
  expect(await watchOnce()).toEqual([]);
  await twoDaysLater();
  const { stderr } = await place.run(['watch', place.folder, '--once']);
  expect(stderr).toMatch(/2 new downloads of followed links: .*g\.txt 2\./);
});
