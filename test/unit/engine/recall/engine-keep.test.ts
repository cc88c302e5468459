// A person wants a link after all: it stays if its DELETE has not left, and nothing is told that is not so.
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import type { FileId } from '../../../../src-main/contract/text/file-id.ts';
import {
  begin,
  dayMs,
  hourMs,
  minuteMs,
  share,
  type Running,
  type World,
} from '../../../support/fake-world.ts';
import { recall, served, shared, toldOf } from '../../../support/recalls.ts';

type Given = { world: World; run: Running; fileId: FileId; id: number };
/** Each with a link. */
const given: Record<string, () => Promise<Given>> = {
  async 'a file'() {
    const both = await shared();
    return { ...both, id: both.world.row('a.txt').id };
  },
  async 'an earlier version'() {
    const { world, run, fileId } = await shared();
    const { id } = world.row('a.txt');
    await world.clock.advance(hourMs);
    world.disk.write('/tray/a.txt', 'a newer version');
    await world.clock.advance(hourMs);
    return { world, run, fileId, id };
  },
  async 'a file that has left the disk'() {
    const both = await shared();
    const { id } = both.world.row('a.txt');
    both.world.disk.remove('/tray/a.txt');
    await both.world.clock.advance(hourMs);
    return { ...both, id };
  },
};
const doors: Record<string, (run: Running, of: { id: number; fileId: FileId }) => Promise<unknown>> = {
  'files.keep': (run, { fileId }) => run.call('files.keep', { fileIds: [fileId] }),
  'queue.retry': (run, { id }) => run.call('queue.retry', { ids: [id] }),
};
const each = Object.entries(doors).flatMap(([door, keep]) =>
  Object.entries(given).map(([what, make]) => ({ door, keep, what, make })),
);

describe.each(each)('$what that waits to be deleted: $door', ({ keep, make }) => {
  test.each([false, true])('keeps it as it was, across a restart: %s', async (isRestarted) => {
    const { world, run, fileId, id } = await make();
    const before = world.ledger.uploads.byId(id);
    const names = served(world);
    world.service.refuse = { code: 'offline' };
    await recall(run, fileId);
    expect(world.ledger.uploads.byId(id)?.state.kind).toBe('recalling');
    let now = run;
    if (isRestarted) {
      await run.stop();
      now = await world.start();
    }
    await keep(now, { id, fileId });
    expect(world.ledger.uploads.byId(id)).toMatchObject({ state: before?.state, present: before?.present });
    world.service.refuse = null;
    await world.clock.advance(dayMs);
    expect(served(world)).toEqual(names);
    expect(world.service.count('remove')).toBe(0);
    expect(toldOf(world)).toEqual([]);
    // It can be taken back later.
    await recall(now, fileId);
    expect(world.ledger.uploads.byId(id)?.state).toMatchObject({ kind: 'recalled', dead: true });
  });
});

describe.each(Object.entries(doors))('%s', (_, keep) => {
  test('keeps nothing whose DELETE has left, and says so', async () => {
    const { world, run, fileId } = await shared();
    const { id } = world.row('a.txt');
    const { remove } = world.service.api;
    const said: unknown[] = [];
    world.service.api.remove = async (...of) => {
      said.push(await keep(run, { id, fileId }).catch(String));
      return await remove(...of);
    };
    expect((await recall(run, fileId))[0]?.recalled).toMatchObject({ dead: true });
    expect(said).toHaveLength(1);
    expect([[], expect.stringContaining('the service was told to delete it')]).toContainEqual(said[0]);
    expect(served(world)).toEqual([]);
  });

  test('keeps one that the service refuses to delete', async () => {
    const { world, run, fileId } = await shared();
    const { id } = world.row('a.txt');
    const { remove } = world.service.api;
    world.service.api.remove = () => Promise.reject(new AppError('refused', 'Busy.', '', { status: 409 }));
    await recall(run, fileId);
    await keep(run, { id, fileId });
    world.service.api.remove = remove;
    await world.clock.advance(3 * dayMs);
    expect(world.row('a.txt').state.kind).toBe('uploaded');
    expect(served(world)).toEqual(['a.txt']);
  });

  test('keeps no link whose time is over', async () => {
    const { world, run, fileId } = await shared();
    const { id } = world.row('a.txt');
    await run.call('files.expire', { files: [{ fileId }], expire: { afterMs: hourMs } });
    const { remove } = world.service.api;
    world.service.api.remove = () => Promise.reject(new AppError('refused', 'Busy.', '', { status: 409 }));
    await world.clock.advance(2 * hourMs);
    await keep(run, { id, fileId }).catch((error: unknown) =>
      expect(String(error)).toContain('its time is over'),
    );
    world.service.api.remove = remove;
    await world.clock.advance(dayMs);
    expect(served(world)).toEqual([]);
  });
});

test('a link that still answers after its recall is not alive again by keeping it', async () => {
  const { world, run, fileId } = await shared();
  const { id } = world.row('a.txt');
  world.service.keepsLinks = true;
  await recall(run, fileId);
  expect(world.ledger.uploads.byId(id)?.state).toMatchObject({ kind: 'recalled', dead: false });
  world.service.refuse = { code: 'offline' };
  await run.call('files.recall', { files: [{ queueId: id }] });
  await run.call('files.keep', { fileIds: [fileId] });
  expect(world.ledger.uploads.byId(id)?.state).toMatchObject({ kind: 'recalled', dead: false });
});

test('those of many that wait for their turn stay, and each is answered', async () => {
  const { world, run } = await begin();
  const ids: FileId[] = [];
  for (let at = 0; at < 12; at += 1) ids.push(await share(world, `${at}.txt`, `content ${at}`));
  world.service.latencyMs = 5000;
  const recalled = run.call('files.delete', { fileIds: ids });
  await world.clock.runUntil(() => world.service.count('remove') > 0, hourMs);
  const kept = await run.call('files.keep', { fileIds: ids });
  await world.clock.advance(10 * minuteMs);
  const results = await recalled;
  expect(kept.length).toBeGreaterThan(6);
  for (const { fileId, deleted, error, goesOn } of results)
    expect([deleted, error?.code, goesOn]).toEqual(
      kept.includes(fileId) ? [false, 'aborted', false] : [true, undefined, false],
    );
  expect(served(world)).toHaveLength(kept.length);
  await world.clock.advance(dayMs);
  expect(served(world)).toHaveLength(kept.length);
});

test('an upload whose answer was lost is not taken back when it is kept', async () => {
  const { world, run } = await begin();
  world.service.faults.push('answer-lost');
  world.service.listLagMs = 2 * hourMs;
  const { id } = await world.put('a.txt', 'content', 'uncertain');
  await run.call('files.recall', { files: [{ queueId: id }] });
  await run.call('queue.retry', { ids: [id] });
  world.service.listLagMs = 0;
  await world.until('a.txt', 'uploaded', dayMs);
  await world.clock.advance(dayMs);
  expect(served(world)).toEqual(['a.txt']);
});
