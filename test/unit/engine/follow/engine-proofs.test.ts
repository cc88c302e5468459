// Links that are read back: once after their upload, with spare requests, and each finding is reported once.
import { describe, expect, test } from 'vitest';
import type { Settings } from '../../../../src-main/contract/settings.ts';
import { AppError } from '../../../../src-main/contract/errors.ts';
import {
  begin,
  dayMs,
  hourMs,
  minuteMs,
  share,
  type Running,
  type World,
} from '../../../support/fake-world.ts';

const told = (world: World) =>
  world.ledger.entries
    .after(0, 5000)
    .flatMap(({ body, path }) => (body.kind === 'verified' ? [[path, body.reason]] : []));
const reads = (world: World): number => world.service.linkReads.length;
/** Without the one that asks for the plan at the first upload. */
const background = (run: Running): number => run.engine.status().budget.lanes.day.background - 1;
const verifying = (settings: Partial<Settings> = {}) =>
  begin({ settings: { verifyAfterUpload: true, ...settings } });
const stored = (world: World, name: string) => {
  const file = world.service.stored.findLast((one) => one.name === name);
  if (file === undefined) throw new Error(`${name} was not sent.`);
  return file;
};
/** From now on the link of this file serves other bytes. */
const spoil = (world: World, name: string): void => {
  stored(world, name).sha256 = 'f'.repeat(64);
};
/** Files that are sent from now on are served like this. */
const onceStored = (world: World, act: () => void): void => {
  const { upload } = world.service.api;
  world.service.api.upload = async (request) => {
    const receipt = await upload(request);
    act();
    return receipt;
  };
};

describe('after an upload', () => {
  test('nothing is read unless the setting asks for it', async () => {
    const { world, run } = await begin();
    await share(world, 'a.txt');
    await world.clock.advance(dayMs);
    expect(reads(world)).toBe(0);
    expect(background(run)).toBe(0);
  });

  test('each link is read once, for one background request, and a right one is reported once', async () => {
    const { world, run } = await verifying();
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await share(world, name);
    // One a minute, so that no burst of uploads is delayed by more than one permit.
    await world.clock.advance(minuteMs);
    expect(reads(world)).toBe(1);
    await world.clock.advance(2 * minuteMs);
    expect(told(world)).toEqual([
      ['/tray/a.txt', null],
      ['/tray/b.txt', null],
      ['/tray/c.txt', null],
    ]);
    await world.clock.advance(dayMs - hourMs);
    expect(reads(world)).toBe(3);
    expect(background(run)).toBe(3);
    expect(run.engine.isStill()).toBe(true);
    expect(run.engine.status().wrongLinks).toBe(0);
  });

  test('a link that serves other bytes is reported at once, and once, everywhere', async () => {
    const { world, run } = await verifying();
    onceStored(world, () => spoil(world, 'a.txt'));
    const fileId = await share(world, 'a.txt');
    await world.clock.advance(minuteMs);
    expect(told(world)).toEqual([['/tray/a.txt', 'differs']]);
    expect(run.engine.status().wrongLinks).toBe(1);
    const { findings, counts } = await run.call('report.review', {});
    expect(findings[0]).toMatchObject({ kind: 'wrong', link: { fileId }, remedy: { do: 'recall', fileId } });
    expect(counts.wrong).toBe(1);
    const { sentence } = await run.call('file.why', { path: '/tray/a.txt' });
    expect(sentence).toContain('DIFFERENT bytes');
    await world.clock.advance(dayMs);
    expect(reads(world)).toBe(1);
    expect(told(world)).toHaveLength(1);
    await run.call('files.recall', { files: [{ fileId }] });
    expect(run.engine.status().wrongLinks).toBe(0);
    expect((await run.call('report.review', {})).counts.wrong).toBe(0);
  });

  test('a dead link is reported at once, and also that a person later found it alive', async () => {
    const { world, run } = await verifying();
    onceStored(world, () => {
      stored(world, 'a.txt').deleted = true;
    });
    const fileId = await share(world, 'a.txt');
    await world.clock.advance(minuteMs);
    expect(told(world)).toEqual([['/tray/a.txt', 'gone']]);
    await run.call('files.verify', { files: [{ fileId }] });
    expect(told(world)).toHaveLength(1);
    stored(world, 'a.txt').deleted = false;
    for (let i = 0; i < 2; i += 1) await run.call('files.verify', { files: [{ fileId }] });
    expect(told(world)).toEqual([
      ['/tray/a.txt', 'gone'],
      ['/tray/a.txt', null],
    ]);
    expect(run.engine.status().wrongLinks).toBe(0);
    const { sentence } = await run.call('file.why', { path: '/tray/a.txt' });
    expect(sentence).not.toContain('Read back');
  });

  test('an unreachable link is tried again a few times, and then reported', async () => {
    const { world, run } = await verifying();
    world.service.linksBroken = true;
    await share(world, 'a.txt');
    await world.clock.advance(hourMs);
    expect(told(world)).toEqual([]);
    expect(reads(world)).toBe(3);
    await world.clock.advance(dayMs);
    expect(told(world)).toEqual([['/tray/a.txt', 'unreachable']]);
    expect(reads(world)).toBe(4);
    // An unknown result is no finding.
    expect(run.engine.status().wrongLinks).toBe(0);
    expect((await run.call('file.why', { path: '/tray/a.txt' })).sentence).toContain('could not be read');
  });

  test('a link that is reached at the second try is right', async () => {
    const { world } = await verifying();
    world.service.linksBroken = true;
    await share(world, 'a.txt');
    await world.clock.advance(minuteMs);
    world.service.linksBroken = false;
    await world.clock.advance(6 * minuteMs);
    expect(told(world)).toEqual([['/tray/a.txt', null]]);
  });

  test('a link that is taken back meanwhile is no longer read', async () => {
    const { world, run } = await verifying();
    world.service.linkMs = 10_000;
    const fileId = await share(world, 'a.txt');
    await world.clock.runUntil(() => reads(world) === 1);
    await run.call('files.recall', { files: [{ fileId }] });
    await world.clock.advance(hourMs);
    expect(told(world)).toEqual([]);
    expect(run.engine.isStill()).toBe(true);
  });

  test('a crash in the middle of a read delays the read, and it is reported once', async () => {
    const { world, run } = await verifying();
    world.service.linkMs = 10_000;
    await share(world, 'a.txt');
    await world.clock.runUntil(() => reads(world) === 1);
    run.life.kill();
    await world.clock.advance(minuteMs);
    await world.start();
    await world.clock.advance(minuteMs);
    expect(reads(world)).toBe(1);
    await world.clock.advance(hourMs);
    expect(reads(world)).toBe(2);
    expect(told(world)).toEqual([['/tray/a.txt', null]]);
  });

  test('the end of the engine ends a read without a report', async () => {
    const { world, run } = await verifying();
    world.service.linkMs = 10_000;
    await share(world, 'a.txt');
    await world.clock.runUntil(() => reads(world) === 1);
    expect(run.engine.isStill()).toBe(false);
    await run.stop();
    expect(world.log.lines.filter(({ event }) => event.startsWith('link'))).toEqual([]);
    expect(told(world)).toEqual([]);
  });

  test('without a key no request is spent, and the link is read once there is one', async () => {
    const { world, run } = await verifying();
    const { require } = world.keys;
    onceStored(world, () => {
      world.keys.require = () => Promise.reject(new AppError('key-missing', 'No key.', 'Log in.'));
    });
    await share(world, 'a.txt');
    await world.clock.advance(hourMs);
    expect(reads(world)).toBe(0);
    expect(background(run)).toBe(0);
    expect(world.log.lines.some(({ event }) => event === 'link not read back')).toBe(true);
    world.keys.require = require;
    await world.clock.advance(10 * minuteMs);
    expect(told(world)).toEqual([['/tray/a.txt', null]]);
  });
});

describe('an upload precedes a read', () => {
  test('nothing is read while an upload waits or is on its way', async () => {
    const { world, run } = await verifying();
    await run.call('queue.pause', { untilMs: null });
    await world.put('b.txt', 'b', 'ready');
    world.disk.write('/else/a.txt', 'a');
    await world.clock.advance(minuteMs);
    await run.call('queue.resume', {});
    await world.until('b.txt', 'uploaded');
    await world.clock.advance(minuteMs);
    const before = reads(world);
    world.service.latencyMs = 30_000;
    await world.put('c.txt', 'c', 'sending');
    await world.clock.advance(10_000);
    expect(reads(world)).toBe(before);
    expect(before).toBe(1);
    await world.until('c.txt', 'uploaded', 5 * minuteMs);
    await world.clock.advance(2 * minuteMs);
    expect(reads(world)).toBe(2);
  });

  test.each(['of this process', 'of another process'])(
    'one %s that arrives ends a read, which is repeated later',
    async (whose) => {
      const { world } = await verifying();
      world.service.linkMs = 10 * minuteMs;
      await share(world, 'a.txt');
      await world.clock.runUntil(() => reads(world) === 1);
      if (whose === 'of this process') await world.put('b.txt', 'b', 'uploaded');
      else {
        world.disk.write('/else/b.txt', 'b');
        const guest = world.make('guest:2');
        await guest.call('files.upload', { paths: ['/else/b.txt'] });
        await world.until('b.txt', 'uploaded');
      }
      expect(told(world)).toEqual([]);
      world.service.linkMs = 0;
      await world.clock.advance(hourMs);
      expect(reads(world)).toBe(3);
      expect(told(world)).toHaveLength(2);
    },
  );

  test('an upload that arrives while the key is looked up precedes the read', async () => {
    const { world, run } = await verifying();
    const { require } = world.keys;
    let isHeld = false;
    onceStored(world, () => {
      world.keys.require = async () => {
        if (!isHeld) {
          isHeld = true;
          await new Promise<void>((next) => world.clock.after(1000, next));
          await run.call('stats.get', { refresh: true });
        }
        await require();
      };
    });
    await share(world, 'a.txt');
    await world.clock.advance(5000);
    expect(reads(world)).toBe(0);
    await world.clock.advance(hourMs);
    expect(reads(world)).toBe(1);
  });

  test('nothing is read once half of the requests of the day are used', async () => {
    const { world, run } = await verifying({ requestsPerDay: 40 });
    for (let i = 0; i < 20; i += 1) {
      await run.call('stats.get', { refresh: true });
      await world.clock.advance(5000);
    }
    await share(world, 'a.txt');
    await world.clock.advance(20 * hourMs);
    expect(reads(world)).toBe(0);
    expect(run.engine.isStill()).toBe(true);
    await world.clock.advance(8 * hourMs);
    expect(reads(world)).toBe(1);
  });

  test('reads use at most a fifth of the requests of the day', async () => {
    const { world } = await verifying({ requestsPerDay: 40 });
    for (let i = 0; i < 12; i += 1) {
      await share(world, `${i}.txt`);
      await world.clock.advance(minuteMs);
    }
    await world.clock.advance(20 * hourMs);
    // One more was for the plan.
    expect(reads(world)).toBe(7);
    await world.clock.advance(8 * hourMs);
    expect(reads(world)).toBe(12);
  });
});

test('many links that are read back and followed links take turns', async () => {
  const { world, run } = await verifying({ followEveryMinutes: 1, burstFiles: 1000 });
  const fileId = await share(world, 'followed.txt');
  await run.call('files.follow', { files: [{ fileId }] });
  for (let i = 0; i < 30; i += 1) world.disk.write(`/tray/${i}.txt`, `${i}`);
  await world.clock.advance(20 * minuteMs);
  expect(world.service.count('info')).toBeGreaterThanOrEqual(4);
  expect(reads(world)).toBeGreaterThanOrEqual(8);
  await world.clock.advance(hourMs);
  expect(told(world)).toHaveLength(31);
});
