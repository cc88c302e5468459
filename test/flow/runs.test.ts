// Runs that end and start again: files that arrived between them, interrupted uploads, and folders that come and go.
import { mkdir, rename, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../support/flow/poll.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import { sum, type Place } from '../support/flow/place.ts';
import { startWatcher } from '../support/flow/watcher.ts';
import { storedAs, uploads } from '../support/flow/wire.ts';

const newPlace = (settings: Record<string, unknown> = {}): Promise<Place> =>
  ownPlace(service, { settings, processes: true });
const watchOnce = (place: Place, ...more: string[]) => place.json(['watch', place.folder, '--once', ...more]);

const service = await ownService();

test('a run with nothing to do sends no request to the service', async () => {
  const place = await newPlace();
  await place.put('a.txt', 'was here');
  expect((await watchOnce(place)).code).toBe(0);
  const before = service.requests().length;
  const { code, lines } = await watchOnce(place);
  expect({ code, last: lines.at(-1) }).toMatchObject({ code: 0, last: { skipped: 1, uploaded: 0 } });
  expect(service.requests()).toHaveLength(before);
});

test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  'a run stopped by %s during uploads loses nothing, and the next one completes it, each file once',
  async (signal) => {
    const place = await newPlace();
    const watcher = await startWatcher(place, service);
    const contents = Array.from({ length: 40 }, (_, index) => `${signal} ${index} ${'x'.repeat(20_000)}`);
    await Promise.all(contents.map((content, index) => place.put(`${index}.txt`, content)));
    const arrived = (): number => contents.filter((content) => storedAs(service, content).length > 0).length;
    await eventually('some are up', () => arrived() >= 5);
    const ended = await watcher.running.stop(signal);
    expect(signal === 'SIGKILL' ? ended.signal : ended.code).toBe(signal === 'SIGKILL' ? 'SIGKILL' : 130);
    const between = await place.counts();
    expect(sum(between)).toBeLessThanOrEqual(contents.length);
    if (signal !== 'SIGKILL') {
      // Orderly: every answer that was due has been waited for and written down.
      expect(between.uploaded).toBe(arrived());
      expect(between.held).toBe(0);
    }
    await watchOnce(place);
    // Killed between a tail and its answer, an upload is looked for; the others are all there, once.
    const { held, uploaded, ...rest } = await place.counts();
    expect(rest).toEqual({ waiting: 0, skipped: 0, failed: 0 });
    expect(uploaded + held).toBe(contents.length);
    if (signal !== 'SIGKILL') expect(held).toBe(0);
    for (const content of contents) expect(storedAs(service, content).length).toBeLessThanOrEqual(1);
    expect(arrived()).toBeGreaterThanOrEqual(uploaded);
  },
);

test('a watched folder that is taken away does not count as all deleted; brought back, nothing is uploaded again', async () => {
  const place = await newPlace();
  await place.put('was-here.txt', 'here before it was chosen');
  const watching = place.start(['watch', place.folder]);
  await eventually('it watches', () => watching.stderr().includes('Watching'));
  await place.put('a.txt', 'stays shared');
  await eventually('it is up', () => watching.stdout().includes('/download/'));
  const counts = await place.counts();
  await rename(place.folder, path.join(place.root, 'unplugged'));
  await eventually('it says so', () => watching.stderr().includes('cannot be reached'));
  expect(await place.counts()).toEqual(counts);
  expect((await watching.stop()).code).toBe(130);
  const missing = await place.json(['watch', '--once']);
  expect(missing).toMatchObject({ code: 2, lines: [{ error: { code: 'folder-unavailable' } }] });
  await rename(path.join(place.root, 'unplugged'), place.folder);
  const before = uploads(service).length;
  expect((await place.json(['watch', '--once'])).code).toBe(0);
  expect(uploads(service)).toHaveLength(before);
  expect(await place.counts()).toEqual(counts);
});

test('another folder in its place does not publish files from before the folder was chosen', async () => {
  const place = await newPlace();
  await place.put('private.txt', 'never agreed to this');
  expect((await watchOnce(place)).code).toBe(0);
  // A drive that is not mounted leaves an empty folder; a script watches it all the same.
  const drive = path.join(place.root, 'drive');
  await rename(place.folder, drive);
  await mkdir(place.folder);
  const unnamed = await place.json(['watch', '--once']);
  expect(unnamed.lines.at(-1)?.error?.code).toBe('folder-unavailable');
  expect((await watchOnce(place)).lines.at(-1)?.error?.code).toBe('folder-unavailable');
  // The finding, what Outtray does, and the command that resolves it.
  expect(unnamed.lines.at(-1)?.error?.message).toMatch(
    /does not look like the folder that was chosen.*nothing/,
  );
  expect(unnamed.lines.at(-1)?.error?.remedy).toContain(`outtray settings set folder "${place.folder}"`);
  // Its owner declares this to be the folder now, and later the drive is back.
  await place.json(['settings', 'set', 'folder', place.folder]);
  expect((await watchOnce(place)).code).toBe(0);
  await rmdir(place.folder);
  await rename(drive, place.folder);
  await place.json(['settings', 'set', 'folder', place.folder]);
  expect((await watchOnce(place)).code).toBe(0);
  expect(storedAs(service, 'never agreed to this')).toHaveLength(0);
  expect(sum(await place.counts())).toBe(1);
});
