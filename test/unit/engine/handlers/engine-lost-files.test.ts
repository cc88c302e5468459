// Own files that the list lacks. The ids and links of the service decide what is gone, never a list alone.
import { AppError } from '../../../../src-main/contract/errors.ts';
import type { FileId } from '../../../../src-main/contract/text/file-id.ts';
import { describe, expect, test } from 'vitest';
import { begin, hourMs, minuteMs, share, type Running, type World } from '../../../support/fake-world.ts';

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
  const read = async (world: World, run: Running): Promise<void> => {
    await (call === 'files.list' ? run.call(call, { page: 1, limit: 100 }) : run.call(call, {}));
    await world.clock.advance(minuteMs);
  };

  test.each([3, 30])('none of %i that a list hides is gone, and none is uploaded again', async (count) => {
    const { world, run, ids } = await account(count);
    world.service.pageSize = 100;
    hide(world, (id) => id === ids[0]);
    await read(world, run);
    expect(gone(world, ids)).toEqual([]);
    await run.call('files.upload', { paths: ['/tray/2.txt'], again: false });
    await world.clock.advance(minuteMs);
    expect(world.service.count('upload')).toBe(count);
  });

  test.each([3, 30])('those of %i that were deleted are gone, for a few requests', async (count) => {
    const { world, run, ids } = await account(count);
    world.service.pageSize = 100;
    for (const file of world.service.stored.slice(1)) file.deleted = true;
    const before = world.service.count('info');
    await read(world, run);
    expect(gone(world, ids)).toEqual(ids.slice(1));
    expect(world.service.count('info') - before).toBeLessThanOrEqual(3);
  });

  test('a process beside the engine records them before it answers', async () => {
    const { world, run, ids } = await account(3);
    await run.stop();
    world.service.pageSize = 100;
    for (const file of world.service.stored.slice(1)) file.deleted = true;
    const guest = world.make('guest:1');
    await (call === 'files.list' ? guest.call(call, { page: 1, limit: 100 }) : guest.call(call, {}));
    expect(gone(world, ids)).toEqual(ids.slice(1));
  });

  test.each([3, 30])(
    'none of %i is gone that a process without an engine has no time to ask for',
    async (count) => {
      const { world, run, ids } = await account(count);
      await run.call('settings.set', { name: 'requestsPerMinute', value: 10 });
      await run.stop();
      hide(world, (id) => id === ids[0]);
      const guest = world.make('guest:1');
      // The first readings use up the minute.
      for (let n = 0; n < 4; n += 1) {
        const answer =
          call === 'files.list' ? guest.call(call, { page: 1, limit: 100 }) : guest.call(call, {});
        await world.clock.advance(1000);
        await answer;
      }
      expect(gone(world, ids)).toEqual([]);
      expect(guest.entries().filter(({ body }) => body.kind === 'lost')).toEqual([]);
    },
  );

  test('nothing is gone that is unseen only since the clock was set back during the questions', async () => {
    const { world, run, ids } = await account(3);
    const other = world.service.addForeign('other.txt', 'other').fileId;
    await read(world, run);
    await world.clock.advance(hourMs);
    hide(world, (id) => id !== ids[1]);
    const { info } = world.service.api;
    world.service.api.info = async (...asked) => {
      world.service.api.info = info;
      world.clock.jumpWall(-30 * 24 * hourMs);
      return await info(...asked);
    };
    await read(world, run);
    expect(gone(world, [...ids, other])).toEqual([]);
  });

  test('a refusal of what is asked in the background closes the gate, and nothing is gone', async () => {
    const { world, run, ids } = await account(3);
    world.service.pageSize = 100;
    hide(world, (id) => id === ids[0]);
    const refused = () => Promise.reject(new AppError('limit', 'Refused.', 'Wait.', { status: 403 }));
    Object.assign(world.service.api, { info: refused, stats: refused });
    await read(world, run);
    const { gate } = await run.call('app.status', {});
    expect([gone(world, ids), gate.kind]).toEqual([[], 'closed']);
  });

  test('an id that waits for its permit is not asked for once the gate is closed', async () => {
    const { world, run, ids } = await account(3);
    const { service, clock } = world;
    service.pageSize = 100;
    hide(world, (id) => id === ids[0]);
    await run.call('settings.set', { name: 'requestsPerMinute', value: 3 });
    const { info } = service.api;
    let isSending = false;
    service.api.upload = async () => {
      isSending = true;
      await new Promise<void>((resolve) => void clock.after(10_000, resolve));
      throw new AppError('moved', 'Elsewhere.', 'Wait.', { status: 302 });
    };
    service.api.info = async (...asked) => {
      service.api.info = info;
      world.disk.write('/tray/c.txt', 'one more');
      await clock.runUntil(() => isSending);
      return await info(...asked);
    };
    const before = service.count('info');
    await read(world, run);
    await clock.advance(5 * minuteMs);
    expect([run.engine.status().gate.kind, service.count('info') - before]).toEqual(['closed', 1]);
    expect(gone(world, ids)).toEqual([]);
  });

  test('a file whose id cannot be asked for is not gone', async () => {
    const { world, run, ids } = await account(2);
    hide(world, (id) => id === ids[0]);
    world.service.api.info = () => Promise.reject(new Error('reset'));
    await read(world, run);
    expect(gone(world, ids)).toEqual([]);
  });

  test('a file of another machine that is not listed any more is gone without a request', async () => {
    const { world, run } = await account(1);
    const { fileId } = world.service.addForeign('b.txt', 'other');
    await read(world, run);
    await world.clock.advance(hourMs);
    hide(world, (id) => id !== fileId);
    const before = world.service.count('info');
    await read(world, run);
    expect(gone(world, [fileId])).toEqual([fileId]);
    expect(world.service.count('info')).toBe(before);
  });

  test('what is known for less time than a list may be slow is neither gone nor asked for', async () => {
    const { world, run } = await account(1);
    const { fileId } = world.service.addForeign('b.txt', 'other');
    await world.put('new.txt', 'new', 'uploaded', minuteMs);
    world.service.pageSize = 100;
    await read(world, run);
    hide(world, (id) => id === world.service.stored[0]?.fileId);
    const before = world.service.count('info');
    await read(world, run);
    expect(gone(world, [fileId, world.row('new.txt').fileId ?? 0])).toEqual([]);
    expect(world.service.count('info')).toBe(before);
  });

  test('the answer does not wait for the ids that are asked in the background', async () => {
    const { world, run, ids } = await account(20);
    world.service.pageSize = 100;
    for (const file of world.service.stored.slice(1)) file.deleted = true;
    await run.call('settings.set', { name: 'requestsPerMinute', value: 10 });
    await world.clock.advance(minuteMs);
    const beganMs = world.clock.monoMs();
    await (call === 'files.list' ? run.call(call, { page: 1, limit: 100 }) : run.call(call, {}));
    expect(world.clock.monoMs() - beganMs).toBeLessThan(10_000);
    const { lanes } = (await run.call('app.status', {})).budget;
    await world.clock.advance(10 * minuteMs);
    expect(gone(world, ids)).toEqual(ids.slice(1));
    const after = (await run.call('app.status', {})).budget.lanes;
    expect(after.day.user - lanes.day.user).toBe(0);
  });
});

describe('a list that is read page by page and shifts between two pages', () => {
  /** The entries of the second page move to the first one, which has been read, and as many are added behind them. */
  const shifting = ({ service }: World): void => {
    service.order = 'oldest';
    service.pageSize = 3;
    const { list } = service.api;
    service.api.list = async (query, signal) => {
      const answer = await list(query, signal);
      const [first] = service.stored.filter((file) => !file.deleted);
      if (query.page !== 1 || first === undefined) return answer;
      first.deleted = true;
      service.addForeign('new.txt', `new ${service.stored.length}`);
      return answer;
    };
  };
  const readAll = async (world: World, run: Running): Promise<void> => {
    for (const page of [1, 2]) await run.call('files.list', { page });
    await world.clock.advance(minuteMs);
  };

  test('a file of another machine that it lacks is asked for and is not gone', async () => {
    const { world, run } = await account(1);
    const foreign = ['b', 'c', 'd', 'e', 'f'].map(
      (name) => world.service.addForeign(`${name}.txt`, name).fileId,
    );
    await run.call('files.refresh', {});
    await world.clock.advance(hourMs);
    shifting(world);
    await readAll(world, run);
    expect(gone(world, foreign)).toEqual([]);
  });

  test('once two readings are equal, one that is not in it is gone without a request', async () => {
    const { world, run } = await account(1);
    const foreign = ['b', 'c', 'd', 'e', 'f'].map(
      (name) => world.service.addForeign(`${name}.txt`, name).fileId,
    );
    await run.call('files.refresh', {});
    world.service.pageSize = 100;
    await world.clock.advance(hourMs);
    const hidden = foreign[4];
    const { list } = world.service.api;
    world.service.api.list = async (query, signal) => {
      const { files } = await list({}, signal);
      const shown = files.filter(({ file_id: id }) => id !== hidden);
      const { page = 1 } = query;
      return {
        files: shown.slice(3 * (page - 1), 3 * page),
        pagination: { page, limit: 3, total: shown.length, pages: 2 },
      };
    };
    const before = world.service.count('info');
    await readAll(world, run);
    expect(gone(world, foreign)).toEqual([]);
    expect(world.service.count('info') - before).toBe(1);
    await world.clock.advance(hourMs);
    await readAll(world, run);
    expect(gone(world, foreign)).toEqual([hidden]);
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
  await world.clock.advance(minuteMs);
  expect(gone(world, ids)).toEqual(ids.slice(0, 1));
  expect(world.service.count('upload')).toBe(9);
});

describe('while the clock was years ahead', () => {
  const yearsMs = 5 * 365 * 24 * hourMs;
  test.each<[string, (world: World, run: Running) => Promise<unknown>]>([
    ['the list was read', (_, run) => run.call('files.refresh', {})],
    [
      'the answer of an upload was lost',
      async (world, run) => {
        world.service.faults.push('tail-lost');
        await world.put('lost.txt', 'lost', 'uncertain');
        world.clock.jumpWall(-yearsMs);
        await run.call('files.refresh', {});
      },
    ],
    ['a file was uploaded', (world) => share(world, 'late.txt')],
  ])('%s: what is deleted later is gone', async (_, happen) => {
    const { world, run } = await account(2);
    const other = world.service.addForeign('other.txt', 'other');
    await run.call('files.refresh', {});
    world.clock.jumpWall(yearsMs);
    await happen(world, run);
    const stillAheadMs = world.clock.wallMs() - world.clock.monoMs();
    const late = world.service.stored.filter(({ name }) => name === 'late.txt').map(({ fileId }) => fileId);
    if (stillAheadMs > yearsMs / 2) world.clock.jumpWall(-yearsMs);
    await world.clock.advance(hourMs);
    const deleted = [...late, other.fileId];
    for (const file of world.service.stored) if (deleted.includes(file.fileId)) file.deleted = true;
    await run.call('files.refresh', {});
    await world.clock.advance(minuteMs);
    expect(gone(world, deleted)).toEqual(deleted);
  });
});
