import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { unlinkSync, watch, writeFileSync, type WatchListener } from 'node:fs';
import { mkdir, mkdtemp, rm, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { onWake, touchWake } from '../../src-main/adapters/system/wake.ts';
import { posixTest } from '../support/posix.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outtray-wake-'));
  file = join(folder, 'wake');
});
afterEach(() => rm(folder, { recursive: true }));

const source = new URL('../../src-main/adapters/system/wake.ts', import.meta.url).href;

const touchFromAnotherProcess = async () => {
  const script = `await (await import(${JSON.stringify(source)})).touchWake(${JSON.stringify(file)})`;
  const other = spawn(process.execPath, ['--input-type=module', '-e', script]);
  expect((await once(other, 'exit'))[0]).toBe(0);
};

/** The listener's own first touch may still be under way in the system's queue. */
const listen = async () => {
  const hear = vi.fn();
  const stop = await onWake(file, hear);
  await delay(80);
  hear.mockClear();
  return { hear, stop };
};

test('a touch by another process is noticed', async () => {
  const { hear, stop } = await listen();
  await touchFromAnotherProcess();
  await vi.waitFor(() => expect(hear).toHaveBeenCalled());
  await stop();
});

test('many touches in a row are noticed together', async () => {
  const { hear, stop } = await listen();
  await Promise.all(Array.from({ length: 20 }, () => touchWake(file)));
  await vi.waitFor(() => expect(hear).toHaveBeenCalled());
  await delay(120);
  // Once; more often only where a busy machine stretches the row.
  expect(hear.mock.calls.length).toBeLessThan(10);
  await stop();
});

test('nothing is noticed after the undo', async () => {
  const { hear, stop } = await listen();
  await touchWake(file);
  await stop();
  // On a busy machine the first touch may have been heard before the undo.
  hear.mockClear();
  await touchWake(file);
  await delay(120);
  expect(hear).not.toHaveBeenCalled();
});

test('a touch is still noticed after the file was deleted', async () => {
  const { hear, stop } = await listen();
  await unlink(file);
  await delay(120);
  hear.mockClear();
  await touchFromAnotherProcess();
  await vi.waitFor(() => expect(hear).toHaveBeenCalled());
  await stop();
});

// A file system in memory gives each file a new inode; others give the one that has just become free.
posixTest('it has no such folder')(
  'a touch is still noticed after another file took the place at once',
  async () => {
    const disk = await mkdtemp('/var/tmp/outtray-wake-');
    onTestFinished(() => rm(disk, { recursive: true }));
    const place = join(disk, 'wake');
    const hear = vi.fn();
    const stop = await onWake(place, hear);
    unlinkSync(place);
    writeFileSync(place, '');
    await delay(120);
    hear.mockClear();
    await vi.waitFor(async () => {
      await touchWake(place);
      expect(hear).toHaveBeenCalled();
    });
    await stop();
  },
);

test('a touch is still noticed after the folder was away for a while', async () => {
  const place = join(folder, 'home');
  await mkdir(place);
  const inside = join(place, 'wake');
  const hear = vi.fn();
  const watcher = Object.assign(new EventEmitter(), { close: vi.fn() });
  const told: WatchListener<string>[] = [];
  const startWatch = (path: string, listener: WatchListener<string>) =>
    told.push(listener) === 1 ? watcher : watch(path, listener);
  const stop = await onWake(inside, hear, startWatch as unknown as typeof watch);
  await rm(place, { recursive: true });
  told[0]?.('rename', 'wake');
  await vi.waitFor(() => expect(watcher.close).toHaveBeenCalled());
  await vi.waitFor(() => expect(hear).toHaveBeenCalled());
  hear.mockClear();
  await mkdir(place);
  await vi.waitFor(
    async () => {
      await touchWake(inside);
      expect(hear).toHaveBeenCalled();
    },
    { timeout: 20_000, interval: 100 },
  );
  await stop();
});

test('a touch is still noticed after the watch reported an error', async () => {
  const hear = vi.fn();
  const watcher = Object.assign(new EventEmitter(), { close: vi.fn() });
  let watches = 0;
  const startWatch = (path: string, listener: WatchListener<string>) =>
    (watches += 1) === 1 ? watcher : watch(path, listener);
  const stop = await onWake(file, hear, startWatch as unknown as typeof watch);
  watcher.emit('error', new Error('the watch has ended'));
  await vi.waitFor(() => expect(watches).toBe(2));
  hear.mockClear();
  await touchFromAnotherProcess();
  await vi.waitFor(() => expect(hear).toHaveBeenCalled());
  expect(watcher.close).toHaveBeenCalled();
  await stop();
});

test('a touch is heard although the file could not be touched at the start', async () => {
  const place = join(folder, 'away');
  const hear = vi.fn();
  const stop = await onWake(join(place, 'wake'), hear);
  await mkdir(place);
  await vi.waitFor(
    async () => {
      await touchWake(join(place, 'wake'));
      expect(hear).toHaveBeenCalled();
    },
    { timeout: 20_000, interval: 100 },
  );
  await stop();
});
