// The time of grace for a user: announced when a file arrives, cancelled by a command beside the watch.
import { expect, test } from 'vitest';
import path from 'node:path';
import { ownPlace, ownService } from '../support/flow/own.ts';
import { startWatcher } from '../support/flow/watcher.ts';
import { storedAs } from '../support/flow/wire.ts';

const service = await ownService();

test('a file in the folder can be cancelled within graceSeconds; one given by path is uploaded at once', async () => {
  const place = await ownPlace(service, { settings: { graceSeconds: 60 } });
  const watcher = await startWatcher(place, service);
  const startMs = Date.now();
  await place.put('wrong.txt', 'not for the public');
  const told = await watcher.told('waiting', 'wrong.txt');
  expect(told).toMatchObject({ reason: 'grace' });
  const untilMs = Date.parse(String(told['until']));
  expect(untilMs - startMs).toBeGreaterThan(59_000);
  expect(untilMs - Date.now()).toBeLessThanOrEqual(60_000);
  const file = path.join(place.folder, 'wrong.txt');
  const why = (await place.json(['why', file])).lines[0];
  expect(why).toMatchObject({ state: 'waiting', reason: 'grace', until: told['until'] });
  const said = await place.run(['why', file]);
  expect(said.stdout).toMatch(/not public yet.* It is uploaded in \d+ s; `outtray cancel q\d+` stops it\./);
  expect((await place.counts()).waiting).toBe(1);
  expect((await place.run(['cancel', String(why?.['queueId'])])).code).toBe(0);
  await watcher.told('skipped', 'wrong.txt');
  await place.put('given.txt', 'for the public');
  await watcher.told('waiting', 'given.txt');
  expect((await place.run(['upload', path.join(place.folder, 'given.txt')])).code).toBe(0);
  expect(storedAs(service, 'for the public')).toHaveLength(1);
  await watcher.stop();
  expect(storedAs(service, 'not for the public')).toHaveLength(0);
});

test('a run with --once waits for the grace period, including the rest of one that began in an earlier run', async () => {
  const place = await ownPlace(service, { processes: true, settings: { graceSeconds: 1 } });
  const watcher = await startWatcher(place, service);
  await place.put('a.txt', 'killed in its time of grace');
  await watcher.told('waiting', 'a.txt');
  await watcher.running.stop('SIGKILL');
  const { code, lines } = await place.json(['watch', '--once']);
  expect(code).toBe(0);
  expect(lines.at(-1)).toMatchObject({ event: 'idle', uploaded: 1 });
  expect(storedAs(service, 'killed in its time of grace')).toHaveLength(1);
});

test('a value out of range is refused with its range', async () => {
  const place = await ownPlace(service);
  const { code, stderr } = await place.run(['settings', 'set', 'graceSeconds', '301']);
  expect(code).toBe(2);
  expect(stderr).toContain('whole number of seconds from 0 to 300');
});
