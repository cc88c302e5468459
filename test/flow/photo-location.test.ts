// The location of a photo, by the real command at the service: held until a person decides; the link serves the copy without
// location, and the file in the folder stays as it is.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import jpeg from 'jpeg-js';
import { beforeEach, expect, test } from 'vitest';
import type { Service } from '../service/service.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import type { Place } from '../support/flow/place.ts';
import { startWatcher } from '../support/flow/watcher.ts';
import { eventually } from '../support/flow/poll.ts';
import { app, exif, jpegOf } from '../support/photos/photos.ts';

const photo = jpegOf([app.exif(exif()), app.profile()]);

let service: Service;
let place: Place;
beforeEach(async () => {
  service = await ownService();
  place = await ownPlace(service);
});

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const served = async (link: unknown): Promise<Buffer> =>
  Buffer.from(await (await fetch(String(link))).arrayBuffer());

const assertCopy = async (lines: readonly Record<string, unknown>[]): Promise<void> => {
  const uploaded = lines.find(({ event }) => event === 'uploaded');
  const bytes = await served(uploaded?.['public_link']);
  expect(uploaded).toMatchObject({ withoutLocation: true, size: bytes.length, sha256: sha256(bytes) });
  expect(bytes.includes('Maker')).toBe(false);
  expect(bytes.length).toBeLessThan(photo.length);
  expect(jpeg.decode(bytes).data.equals(jpeg.decode(photo).data)).toBe(true);
};

test('a photo is held, and uploaded without its location when a person decides so', async () => {
  const file = await place.put('a.jpg', photo);
  const before = statSync(file, { bigint: true });
  const first = await place.json(['upload', file]);
  expect(first.code).toBe(8);
  expect(first.lines.find(({ event }) => event === 'held')).toMatchObject({
    reason: 'location',
    removable: true,
  });
  expect((await place.json(['held'])).lines).toMatchObject([
    {
      queueId: 'q1',
      filename: path.basename(file),
      path: file,
      reason: 'location',
      sizeBytes: photo.length,
      removable: true,
    },
  ]);
  expect((await place.run(['held'])).stderr).toContain('--without-location');
  expect((await place.run(['why', file])).stdout).toContain('shows where it was taken');

  expect((await place.json(['confirm', '--without-location', 'q1'])).code).toBe(0);
  const second = await place.json(['upload', file]);
  expect(second.code).toBe(0);
  await assertCopy(second.lines);
  // The same photo under another name has the same link; the file was not touched.
  expect((await place.json(['upload', await place.put('b.jpg', photo)])).code).toBe(0);
  expect(service.files()).toHaveLength(1);
  expect(readFileSync(file).equals(photo)).toBe(true);
  expect(statSync(file, { bigint: true }).mtimeNs).toBe(before.mtimeNs);
  expect(readdirSync(path.dirname(file)).sort()).toEqual(['a.jpg', 'b.jpg']);
  // By the link's content: it is proven dead.
  expect((await place.json(['recall', file])).code).toBe(0);
});

test('confirming the photo as it is uploads it with its location, once and for all names', async () => {
  const file = await place.put('a.jpg', photo);
  await place.json(['upload', file]);
  expect((await place.json(['confirm', 'q1'])).code).toBe(0);
  const { code, lines } = await place.json(['upload', file]);
  expect(code).toBe(0);
  const uploaded = lines.find(({ event }) => event === 'uploaded');
  expect((await served(uploaded?.['public_link'])).equals(photo)).toBe(true);
  expect(uploaded).not.toHaveProperty('withoutLocation');
});

test('--without-location is refused for a file that is not held for its location', async () => {
  const file = await place.put('.env', 'A=1');
  await place.json(['upload', file]);
  const { code, lines } = await place.json(['confirm', '--without-location', 'q1']);
  expect(code).toBe(2);
  expect(JSON.stringify(lines)).toContain('not held for its location');
  expect((await place.json(['held'])).lines).toHaveLength(1);
});

test('after a kill while the copy is sent it is uploaded once, as the copy, and nothing of it stays on the disk', async () => {
  await place.run(['settings', 'set', 'photoLocation', 'remove']);
  const file = await place.put('a.jpg', photo);
  service.faults.add({ match: { method: 'POST' }, fault: { kind: 'delay', ms: 20_000, at: 'done' } });
  const running = place.start(['--json', 'upload', file], { process: true });
  await eventually('the service has the copy', () => service.files().length === 1);
  await running.stop('SIGKILL');
  await place.run(['settings', 'set', 'reconcileAfterMs', '1000']);
  // It is looked for by the content that was sent.
  const watcher = await startWatcher(place, service);
  await assertCopy([await watcher.told('uploaded', 'a.jpg')]);
  await watcher.stop();
  expect(service.files()).toHaveLength(1);
  const left = readdirSync(place.home, { recursive: true }).map(String);
  expect(left.filter((name) => /\.(?:jpe?g|tmp)$/.test(name))).toEqual([]);
});
