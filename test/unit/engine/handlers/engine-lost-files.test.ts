// Own files that the list lacks. The ids and links of the service decide what is gone, never a list alone.
import type { FileId } from '../../../../src-main/contract/text/file-id.ts';
import { describe, expect, test } from 'vitest';
import { begin, hourMs, minuteMs, type Running, type World } from '../../../support/fake-world.ts';

/** An account of this many own files, all long listed. */
const account = async (count: number): Promise<{ world: World; run: Running; ids: FileId[] }> => {
  const { world, run } = await begin({ settings: { requestsPerMinute: 10_000, requestsPerDay: 100_000 } });
  for (let n = 1; n <= count; n += 1) world.disk.write(`/tray/${n}.txt`, `content ${n}`);
  await world.clock.runUntil(() => world.service.stored.length === count, hourMs);
  await world.clock.advance(hourMs);
  return { world, run, ids: world.service.stored.map(({ fileId }) => fileId) };
};
/** The list lacks what does not pass, as one that is served from an old copy does. */
const hide = ({ service }: World, isShown: (fileId: FileId | undefined) => boolean): void => {
  const { list } = service.api;
  service.api.list = async (query, signal) => {
    const answer = await list({ page: 1, limit: 10_000, ...query }, signal);
    const files = answer.files.filter(({ file_id: id }) => isShown(id));
    return { files, pagination: { page: 1, limit: 100, total: files.length, pages: 1 } };
  };
};
const gone = (world: World, ids: readonly FileId[]): FileId[] =>
  ids.filter((id) => world.ledger.remote.byId(id)?.gone === true);

describe.each(['files.refresh', 'files.list'] as const)('by %s', (call) => {
  const read = async (run: Running): Promise<void> => {
    await (call === 'files.list' ? run.call(call, { page: 1, limit: 100 }) : run.call(call, {}));
  };

  test.each([3, 30])('none of %i that a list hides is gone, and none is uploaded again', async (count) => {
    const { world, run, ids } = await account(count);
    world.service.pageSize = 100;
    hide(world, (id) => id === ids[0]);
    await read(run);
    expect(gone(world, ids)).toEqual([]);
    await run.call('files.upload', { paths: ['/tray/2.txt'], again: false, recursive: false });
    await world.clock.advance(minuteMs);
    expect(world.service.count('upload')).toBe(count);
  });

  test.each([3, 30])('those of %i that were deleted are gone, for a few requests', async (count) => {
    const { world, run, ids } = await account(count);
    world.service.pageSize = 100;
    for (const file of world.service.stored.slice(1)) file.deleted = true;
    const before = world.service.count('info');
    await read(run);
    expect(gone(world, ids)).toEqual(ids.slice(1));
    expect(world.service.count('info') - before).toBeLessThanOrEqual(3);
  });

  test('a file whose id cannot be asked for is not gone', async () => {
    const { world, run, ids } = await account(2);
    hide(world, (id) => id === ids[0]);
    world.service.api.info = () => Promise.reject(new Error('reset'));
    await read(run);
    expect(gone(world, ids)).toEqual([]);
  });

  test('a file of another machine that is not listed any more is gone without a request', async () => {
    const { world, run } = await account(1);
    const { fileId } = world.service.addForeign('b.txt', 'other');
    await read(run);
    await world.clock.advance(hourMs);
    hide(world, (id) => id !== fileId);
    const before = world.service.count('info');
    await read(run);
    expect(gone(world, [fileId])).toEqual([fileId]);
    expect(world.service.count('info')).toBe(before);
  });
});

test('a file of an oldest-first list that shifts while it is read is neither gone nor uploaded again', async () => {
  const { world, run, ids } = await account(9);
  world.service.order = 'oldest';
  world.service.pageSize = 3;
  const { list } = world.service.api;
  let pages = 0;
  world.service.api.list = async (query, signal) => {
    const answer = await list(query, signal);
    pages += 1;
    // The fourth file moves to the page that has been read.
    if (pages === 1) {
      for (const file of world.service.stored.slice(0, 1)) file.deleted = true;
      world.service.addForeign('new.txt', 'new');
    }
    return answer;
  };
  await run.call('files.refresh', {});
  expect(gone(world, ids)).toEqual(ids.slice(0, 1));
  expect(world.service.count('upload')).toBe(9);
});
