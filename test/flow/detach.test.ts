// `upload --detach`: queued files are uploaded after the command has returned.
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readHolder, takeEngineLock } from '../../src-main/adapters/system/lock.ts';
import type { Service } from '../service/service.ts';
import { eventually } from '../support/flow/poll.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import { apiKey, untilAlone, type Place } from '../support/flow/place.ts';

let service: Service;
let place: Place;

beforeEach(async () => {
  service = await ownService();
  place = await ownPlace(service, { rate: 10 });
});
afterEach(() => untilAlone(place));

const stored = (): string[] =>
  service
    .files()
    .map(({ filename }) => filename)
    .toSorted();

test('it returns before anything is sent; a process in the background uploads each file once, and ends', async () => {
  const files = await Promise.all(['a.txt', 'b.txt'].map((name) => place.put(`../${name}`, name)));
  service.refuseConnections();
  const { code, lines } = await place.json(['upload', '--detach', 'a.txt', 'b.txt', 'not there']);
  expect(code).toBe(8);
  expect(lines.filter(({ event }) => event === 'queued').map((line) => line.path)).toEqual(files);
  expect(lines.find(({ event }) => event === 'failed')).toMatchObject({ code: 'gone' });
  expect(lines.at(-1)).toMatchObject({ event: 'idle', waiting: 2, failed: 1 });

  // The key is neither in its arguments nor in its environment.
  // Before it has written its number it is 0.
  const pid = await eventually('it has the engine', () => readHolder(place.home)?.pid || undefined);
  if (process.platform === 'linux') {
    expect(await readFile(`/proc/${pid}/cmdline`, 'utf8')).toMatch(/upload\0--background\0$/);
    expect(await readFile(`/proc/${pid}/environ`, 'utf8')).not.toContain(apiKey);
  }
  await service.listen();
  await eventually('both are there', () => stored().length === 2);
  await untilAlone(place);
  expect(stored()).toEqual(['a.txt', 'b.txt']);

  const again = await place.run(['upload', '--detach', 'a.txt']);
  expect(again).toMatchObject({ code: 0, stderr: '' });
  expect(again.stdout).toBe((await place.run(['link', 'a.txt'])).stdout);
  expect(readHolder(place.home)).toBeNull();
});

test('a running watch uploads them itself; no other process is started', async () => {
  const watch = place.start(['--json', 'watch', place.folder]);
  await watch.until('it watches', (lines) => lines.find(({ event }) => event === 'idle'));
  await place.put('../a.txt', 'a');
  const ended = await place.run(['upload', '--detach', 'a.txt']);
  expect(ended).toMatchObject({ code: 0, stdout: '' });
  expect(ended.stderr).toBe('1 file is queued; `outtray status` and `outtray why FILE` show the progress.\n');
  expect(readHolder(place.home)?.pid).toBe(watch.pid);
  await watch.until('it is up', (lines) => lines.find(({ event }) => event === 'uploaded'));
  await watch.stop();
  expect(stored()).toEqual(['a.txt']);
});

test('a watch that begins while such a process has the engine waits for its end', async () => {
  expect((await place.run(['status'])).code).toBe(0);
  const upload = takeEngineLock({ folder: place.home, who: 'outtray upload', isBrief: true });
  const watch = place.start(['--json', 'watch', place.folder]);
  expect((await place.json(['status'])).lines[0]?.['running']).toBe(true);
  upload.release();
  await watch.until('it watches', (lines) => lines.find(({ event }) => event === 'idle'));
  expect(readHolder(place.home)?.pid).toBe(watch.pid);
  await watch.stop();
});

test.each(['outtray mcp', 'outtray watch', 'an update'])(
  'beside %s, which ends by itself, a process in the background goes on with the files afterwards',
  async (who) => {
    await place.put('../a.txt', 'a');
    expect((await place.run(['status'])).code).toBe(0);
    const brief = takeEngineLock({ folder: place.home, who, isBrief: true });
    const ended = await place.run(['upload', '--detach', 'a.txt']);
    expect(ended).toMatchObject({ code: 0, stdout: '' });
    brief.release();
    await eventually('it is up', () => stored().length === 1);
    await untilAlone(place);
  },
);

test('an upload beside a process that ends by itself does not say that this one uploads the files', async () => {
  await place.put('../a.txt', 'a');
  expect((await place.run(['status'])).code).toBe(0);
  const brief = takeEngineLock({ folder: place.home, who: 'outtray mcp', isBrief: true });
  const upload = place.start(['upload', 'a.txt']);
  await eventually('it says what it waits for', () =>
    upload.stderr().includes('is at work for a short time'),
  );
  expect(upload.stderr()).not.toContain('it uploads these files');
  brief.release();
  expect(await upload.ended).toMatchObject({ code: 0 });
});

test('what could not be reported later is reported at once: no key, options that need links', async () => {
  await place.put('../a.txt', 'a');
  const keyless = { env: { OUTTRAY_API_KEY: undefined, DBUS_SESSION_BUS_ADDRESS: 'disabled:' } };
  expect((await place.json(['upload', '--detach', 'a.txt'], keyless)).code).toBe(3);
  for (const option of ['--copy', '--open', '--no-wait', '--format=markdown']) {
    const { code, lines } = await place.json(['upload', '--detach', option, 'a.txt']);
    expect([option, code, lines[0]?.error?.code]).toEqual([option, 2, 'bad-use']);
  }
  expect((await place.counts()).waiting).toBe(0);
  expect(service.requests()).toEqual([]);
});

test('the hidden switch alone does nothing', async () => {
  expect((await place.json(['upload', '--background'])).code).toBe(2);
});
