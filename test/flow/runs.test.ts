// Runs that end and start again: files that arrived between them, interrupted uploads, and folders that come and go.
import { chmod, copyFile, link, mkdir, rename, rmdir, unlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../support/flow/poll.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import { countThings, sum, type Place } from '../support/flow/place.ts';
import { startWatcher } from '../support/flow/watcher.ts';
import { storedAs, uploads } from '../support/flow/wire.ts';

const newPlace = (settings: Record<string, unknown> = {}): Promise<Place> =>
  ownPlace(service, { settings, processes: true });
const watchOnce = (place: Place, ...more: string[]) => place.json(['watch', place.folder, '--once', ...more]);

const service = await ownService();

test('--existing upload takes existing files, and those that arrive while nothing runs are uploaded at the next start', async () => {
  const place = await newPlace();
  await place.put('a.txt', 'existing and wanted');
  await place.put('sub/b.txt', 'existing and wanted too');
  expect((await watchOnce(place, '--existing', 'upload')).code).toBe(0);
  expect(storedAs(service, 'existing and wanted')).toHaveLength(1);
  expect(storedAs(service, 'existing and wanted too')).toHaveLength(1);
  await place.put('c.txt', 'came while nothing ran');
  await unlink(path.join(place.folder, 'a.txt'));
  await rename(path.join(place.folder, 'sub'), path.join(place.folder, 'renamed'));
  const before = uploads(service).length;
  const { code, lines } = await place.json(['watch', '--once']);
  expect(code).toBe(0);
  expect(storedAs(service, 'came while nothing ran')).toHaveLength(1);
  expect(uploads(service)).toHaveLength(before + 1);
  expect(lines.at(-1)).toMatchObject({ event: 'idle', uploaded: 2, waiting: 0, skipped: 0 });
  expect(sum(await place.counts())).toBe(await countThings(place.folder));
});

test('a run with nothing to do sends no request to the service', async () => {
  const place = await newPlace();
  await place.put('a.txt', 'was here');
  expect((await watchOnce(place)).code).toBe(0);
  const before = service.requests().length;
  const { code, lines } = await watchOnce(place);
  expect({ code, last: lines.at(-1) }).toMatchObject({ code: 0, last: { skipped: 1, uploaded: 0 } });
  expect(service.requests()).toHaveLength(before);
});

test('more files at once than burstFiles are all held, and confirming sends them', async () => {
  const place = await newPlace({ burstFiles: 5 });
  const watcher = await startWatcher(place, service);
  await Promise.all(Array.from({ length: 9 }, (_, index) => place.put(`${index}.txt`, `burst ${index}`)));
  await eventually('all are held', async () => (await place.counts()).held === 9);
  expect(storedAs(service, 'burst 0')).toHaveLength(0);
  const { lines } = await place.json(['held']);
  expect(new Set(lines.map((line) => line['reason']))).toEqual(new Set(['burst']));
  await place.json(['confirm', ...lines.map((line) => String(line['queueId']))]);
  await eventually('all are up', async () => (await place.counts()).uploaded === 9);
  await watcher.stop();
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

test('an ignore pattern that is set between runs, or during one, counts from then on', async () => {
  const place = await newPlace();
  const watcher = await startWatcher(place, service);
  await place.json(['settings', 'set', 'ignore', '*.bak']);
  await place.put('one.bak', 'backup one');
  await place.put('two.txt', 'no backup');
  await watcher.uploaded('no backup');
  await watcher.told('skipped', 'one.bak');
  expect(storedAs(service, 'backup one')).toHaveLength(0);
  await place.json(['settings', 'set', 'ignore', 'default']);
  await watcher.uploaded('backup one');
  await watcher.stop();
});

test('a cancelled file stays back, however its permissions, times, names and folders change', async () => {
  const place = await newPlace({ settleMs: 300 });
  const file = await place.put('a.txt', 'cancelled words');
  const other = path.join(place.root, 'other');
  await mkdir(other);
  expect((await place.run(['pause'])).code).toBe(0);
  await watchOnce(place, '--existing', 'upload');
  expect((await place.run(['cancel', file])).code).toBe(0);
  expect((await place.run(['resume'])).code).toBe(0);
  const inside = path.join(place.folder, 'sub');
  for (const change of [
    () => chmod(file, 0o600),
    () => utimes(file, 1000, 1000),
    () => copyFile(file, path.join(place.folder, 'copy.txt')),
    () => link(file, path.join(place.folder, 'second name.txt')),
    () => mkdir(inside).then(() => rename(file, path.join(inside, 'b.txt'))),
    () => copyFile(path.join(inside, 'b.txt'), path.join(other, 'c.txt')),
  ]) {
    await change();
    await watchOnce(place);
    expect(storedAs(service, 'cancelled words')).toEqual([]);
  }
  expect((await place.run(['folders', 'add', other])).code).toBe(0);
  await copyFile(path.join(other, 'c.txt'), path.join(other, 'd.txt'));
  await place.json(['watch', '--once']);
  expect(storedAs(service, 'cancelled words')).toEqual([]);
  await place.put('new.txt', 'other words');
  await place.json(['watch', '--once']);
  expect(storedAs(service, 'other words')).toHaveLength(1);
  expect(await place.counts()).toMatchObject({ uploaded: 1, held: 0, waiting: 0, failed: 0 });
});

test('without subfolders only the folder itself is shared', async () => {
  const place = await newPlace({ recursive: false });
  await place.put('top.txt', 'on top');
  await place.put('sub/below.txt', 'below, not shared');
  expect((await watchOnce(place, '--existing', 'upload')).code).toBe(0);
  expect(storedAs(service, 'on top')).toHaveLength(1);
  expect(storedAs(service, 'below, not shared')).toHaveLength(0);
});
