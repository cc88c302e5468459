// What one process learned about the service, the next one obeys; and what closes uploads stops nothing but uploads.
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import type { FileId } from '../../../../src-main/contract/text/file-id.ts';
import type { UploadFault } from '../../../support/fake-service.ts';
import { some } from '../../../support/deep.ts';
import { hourMs, minuteMs, share, started, type Running, type World } from '../../../support/fake-world.ts';

const full: UploadFault = { code: 'limit', status: 403 };
const blocked: UploadFault = { code: 'blocked', status: 403 };

/** Every upload from now on is refused; everything else is answered. Returns the undo. */
const refuseUploads = (world: World, fault: UploadFault): (() => void) => {
  const { upload } = world.service.api;
  world.service.api.upload = async (request) => {
    world.service.faults.unshift(fault);
    return await upload(request);
  };
  return () => (world.service.api.upload = upload);
};

/** What a cron job does: an engine starts, runs until nothing is left to do, and ends. */
const runOnce = async (world: World): Promise<void> => {
  const run = await world.start();
  await world.clock.advance(minuteMs);
  await run.stop();
};

describe.each<[string, UploadFault]>([
  ['refuses uploads', full],
  ['is behind something that blocks uploads', blocked],
])('while the service %s', (_, fault) => {
  test('a job that starts every five minutes sends as few uploads as one engine, and goes on when it may', async () => {
    const { world, run } = await started();
    await run.stop();
    const undo = refuseUploads(world, fault);
    for (const name of ['large.iso', 'b.iso', 'c.iso', 'd.iso'])
      world.disk.write(`/tray/${name}`, name.repeat(100));
    for (let n = 0; n < 24; n += 1) {
      await runOnce(world);
      await world.clock.advance(4 * minuteMs);
    }
    expect(world.service.count('upload')).toBeLessThan(13);
    undo();
    for (let n = 0; n < 40; n += 1) {
      await runOnce(world);
      await world.clock.advance(9 * minuteMs);
    }
    expect(world.service.stored).toHaveLength(4);
  });
});

const ofOneFile: UploadFault[] = [
  { code: 'interrupted' },
  { code: 'unusable-answer', status: 502 },
  { code: 'wrong-address', status: 404 },
  { code: 'moved', status: 302 },
  { code: 'blocked', status: 403 },
];
test.each(some(ofOneFile, 2))(
  'a file that meets $code alone is sent as rarely by jobs that start every ten minutes as by one engine',
  async (fault) => {
    const sentBy = async (isJob: boolean): Promise<number> => {
      const { world, run } = await started();
      if (isJob) await run.stop();
      const { upload } = world.service.api;
      let sent = 0;
      world.service.api.upload = async (request) => {
        if (request.sentName === 'large.iso') {
          sent += 1;
          world.service.faults.unshift(fault);
        }
        return await upload(request);
      };
      world.disk.write('/tray/large.iso', 'large'.repeat(100));
      for (let n = 0; n < 20; n += 1) {
        world.disk.write(`/tray/other${n}.txt`, 'y'.repeat(n + 1));
        if (isJob) await runOnce(world);
        await world.clock.advance((isJob ? 9 : 10) * minuteMs);
      }
      expect(world.service.stored.length).toBeGreaterThan(17);
      return sent;
    };
    const [byJobs, byOne] = [await sentBy(true), await sentBy(false)];
    expect(byJobs).toBeLessThanOrEqual(byOne + 4);
  },
);

test('a person who resumes between two processes makes the next one try at once', async () => {
  const { world, run } = await started();
  const undo = refuseUploads(world, full);
  await world.put('a.txt', 'a', 'ready');
  await world.clock.advance(minuteMs);
  run.life.kill();
  undo();
  const guest = world.make('guest:1');
  expect(guest.engine.status().gate).toMatchObject({ kind: 'closed', reason: 'limit' });
  await guest.call('queue.resume', {});
  await world.start();
  await world.until('a.txt', 'uploaded', minuteMs);
});

test('after a limit the smallest file is the probe', async () => {
  const { world } = await started();
  const { upload } = world.service.api;
  const sizes: number[] = [];
  world.service.api.upload = async (request) => {
    sizes.push(request.sizeBytes);
    world.service.faults.unshift(full);
    return await upload(request);
  };
  await world.put('large.bin', 'x'.repeat(5000), 'ready');
  await world.clock.advance(10_000);
  await world.put('small.txt', 'small', 'ready');
  await world.clock.advance(hourMs);
  expect(sizes[0]).toBe(5000);
  expect(new Set(sizes.slice(1))).toEqual(new Set([5]));
});

test.each<[string, UploadFault]>([
  ['the account is full', full],
  ['something blocks uploads', blocked],
])('links end and are taken back in time while %s', async (_, fault) => {
  const { world, run } = await started();
  const fileId = await share(world, 'taken.txt');
  refuseUploads(world, fault);
  for (const name of ['a', 'bb', 'ccc', 'dddd']) world.disk.write(`/tray/${name}`, name);
  await world.clock.advance(30 * minuteMs);
  expect(run.engine.status().gate).toMatchObject({ kind: 'closed' });
  await run.call('files.expire', { files: [{ fileId }], expire: { afterMs: 5 * minuteMs } });
  const seenMs = world.clock.wallMs();
  await world.clock.runUntil(() => world.ledger.uploads.byFileId(fileId)?.state.kind === 'recalled', hourMs);
  expect(world.clock.wallMs() - seenMs).toBeLessThan(7 * minuteMs);
  expect(run.engine.status().gate).toMatchObject({ kind: 'closed' });
});

/** What makes the engine ask the service although no file waits. */
const needs: [string, (world: World, run: Running, fileId: FileId) => Promise<void>][] = [
  [
    'a link is followed',
    async (_, run, fileId) => {
      await run.call('files.follow', { files: [{ fileId }] });
    },
  ],
  [
    'a deletion is refused while all is paused',
    async ({ service }, run, fileId) => {
      service.api.remove = () =>
        Promise.reject(new AppError('refused', 'No.', '', { status: 409, evidence: 'no' }));
      await run.call('queue.pause', { untilMs: null });
      await run.call('files.recall', { files: [{ fileId }] });
    },
  ],
];
describe.each(needs)('while uploads are refused, no file waits and %s', (_, need) => {
  test.each([true, false])(
    'few statistics are asked (the reason of the refusal is known: %s)',
    async (isKnown) => {
      const { world, run } = await started();
      const fileId = await share(world, 'shared.txt');
      refuseUploads(world, full);
      const { stats } = world.service.api;
      if (!isKnown)
        world.service.api.stats = () => Promise.reject(new AppError('interrupted', 'The connection broke.'));
      const { id } = await world.put('a.txt', 'a', 'ready');
      await world.clock.advance(minuteMs);
      world.service.api.stats = stats;
      await run.call('queue.cancel', { ids: [id] });
      await need(world, run, fileId);
      await world.clock.advance(hourMs);
      const before = world.service.count('stats');
      await world.clock.advance(12 * hourMs);
      expect(world.service.count('stats') - before).toBeLessThan(5);
    },
  );
});
