// Links that are taken back from a service that refuses, answers oddly, or keeps what was deleted.
import { describe, expect, test } from 'vitest';
import { AppError, type ErrorCode } from '../../../../src-main/contract/errors.ts';
import type { RemoteFile } from '../../../../src-main/contract/model.ts';
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

describe('a recall', () => {
  const doors: [string, (run: Running, ids: FileId[]) => Promise<(string | undefined)[]>][] = [
    ['recall', async (run, ids) => (await recall(run, ...ids)).map(({ error }) => error?.code)],
    [
      'deletion',
      async (run, fileIds) =>
        (await run.call('files.delete', { fileIds })).map(({ error, goesOn }) =>
          goesOn ? error?.code : 'not recorded',
        ),
    ],
  ];
  const faults = ['key-refused', 'offline', 'limit'] as const;
  test.each(doors.flatMap(([door, take]) => faults.map((code) => [door, code, take] as const)))(
    'is recorded for all files of a %s before the first request, and answered for each: %s',
    async (_, code, take) => {
      const { world, run, fileId } = await shared();
      const ids = [fileId, await share(world, 'b.txt', 'another'), await share(world, 'c.txt', 'a third')];
      world.service.refuse = { code, ...(code === 'key-refused' ? { status: 401 } : {}) };
      expect(new Set(await take(run, ids))).not.toContain(undefined);
      expect(await take(run, ids)).toHaveLength(3);
      expect(world.ledger.uploads.countInState('recalling')).toBe(3);
      world.service.refuse = null;
      await world.clock.advance(dayMs / 2);
      expect(served(world)).toEqual([]);
      expect(toldOf(world)).toHaveLength(3);
    },
  );

  test('of own files and of one of another machine is answered for each, the own ones first recorded', async () => {
    const { world, run, fileId } = await shared();
    const theirs = world.service.addForeign('theirs.txt', 'x').fileId;
    await run.call('files.refresh', {});
    world.service.refuse = { code: 'offline' };
    const results = await run.call('files.delete', { fileIds: [theirs, 4711, fileId] });
    expect(results.map(({ fileId: id, error, goesOn }) => [id, error?.code, goesOn])).toEqual([
      [theirs, 'offline', false],
      [4711, 'offline', false],
      [fileId, 'offline', true],
    ]);
    world.service.refuse = null;
    await world.clock.advance(dayMs);
    expect(served(world)).toEqual(['theirs.txt']);
  });
});

test('files of another machine are kept as long as their DELETE has not left', async () => {
  const { world, run } = await shared();
  const ids = ['one.txt', 'two.txt', 'three.txt'].map((name) => world.service.addForeign(name, name).fileId);
  await run.call('files.refresh', {});
  const { remove } = world.service.api;
  let kept: readonly FileId[] = [];
  world.service.api.remove = async (...given) => {
    world.service.api.remove = remove;
    kept = await run.call('files.keep', { fileIds: ids });
    return await remove(...given);
  };
  const results = await run.call('files.delete', { fileIds: ids });
  expect(kept).toEqual(ids.slice(1));
  expect(results.map((one) => [one.deleted, one.kept])).toEqual([
    [true, undefined],
    [false, true],
    [false, true],
  ]);
  expect(served(world)).toEqual(expect.arrayContaining(['two.txt', 'three.txt']));
  expect(await run.call('files.keep', { fileIds: ids })).toEqual([]);
});

describe('all files of one request', () => {
  const names = Array.from({ length: 12 }, (_, at) => `${at}.txt`);
  const many: [string, (run: Running, ids: FileId[], world: World) => unknown][] = [
    ['recalled by id', (run, ids) => recall(run, ...ids)],
    [
      'recalled by path',
      (run) => run.call('files.recall', { files: names.map((name) => ({ path: `/tray/${name}` })) }),
    ],
    ['deleted', (run, ids) => run.call('files.delete', { fileIds: ids })],
    [
      'ended together',
      (run, ids) =>
        run.call('files.expire', { files: ids.map((fileId) => ({ fileId })), expire: { afterMs: 1 } }),
    ],
    [
      'recalled in part before a restart',
      async (run, ids, world) => {
        void recall(run, ...ids).catch(() => undefined);
        await world.clock.advance(1500);
        await run.stop();
        await world.start();
      },
    ],
  ];
  test.each(many)(
    'that are %s are deleted first, four at a time, however slow the links are',
    async (_, act) => {
      const { world, run } = await begin({ settings: { requestsPerMinute: 1e6, requestsPerDay: 1e6 } });
      const ids: FileId[] = [];
      for (const name of names) ids.push(await share(world, name, `content of ${name}`));
      const { remove, digestOfLink } = world.service.api;
      const late = (): Promise<void> => new Promise((next) => world.clock.after(1000, next));
      let [deleting, most, readEarly] = [0, 0, 0];
      world.service.api.remove = async (...given) => {
        deleting += 1;
        most = Math.max(most, deleting);
        await late();
        deleting -= 1;
        return await remove(...given);
      };
      world.service.api.digestOfLink = async (...given) => {
        if (served(world).length > 0) readEarly += 1;
        for (let second = 0; second < 60; second += 1) await late();
        return await digestOfLink(...given);
      };
      void Promise.resolve(act(run, ids, world)).catch(() => undefined);
      await world.clock.runUntil(() => served(world).length === 0, 30_000);
      expect(most).toBe(4);
      expect(readEarly).toBe(0);
    },
  );
});

describe('a file that the service does not show, while its link serves it', () => {
  /** What GET of the id answers, once. */
  const oddly = (world: World, answer: (fileId: FileId) => Promise<RemoteFile>): void => {
    const { info } = world.service.api;
    world.service.api.info = (fileId) => {
      world.service.api.info = info;
      return answer(fileId);
    };
  };
  const another = (file_id: FileId): Promise<RemoteFile> =>
    Promise.resolve({ file_id, public_link: 'https://share.example/download/other' });
  const odd: [string, (fileId: FileId) => Promise<RemoteFile>][] = [
    ['404', () => Promise.reject(new AppError('not-found', 'No.', '', { status: 404 }))],
    ['another link', another],
  ];

  test.each(odd)('after %s is not told to be deleted, and is deleted later', async (_, answer) => {
    const { world, run, fileId } = await shared();
    oddly(world, answer);
    const [result] = await recall(run, fileId);
    expect(result).toMatchObject({ recalled: { dead: false }, error: { code: 'not-found' } });
    expect(result?.error?.message).toContain('Outtray has deleted nothing');
    expect(served(world)).toEqual(['a.txt']);
    await world.clock.advance(dayMs);
    expect(served(world)).toEqual([]);
    expect(toldOf(world).map(({ body }) => body)).toMatchObject([{ dead: false }, { dead: true }]);
  });

  test.each(odd)('after %s is not told to be deleted by a deletion', async (_, answer) => {
    const { world, run, fileId } = await shared();
    oddly(world, answer);
    expect(await run.call('files.delete', { fileIds: [fileId] })).toMatchObject([
      { deleted: false, linkState: 'answers', error: { code: 'not-found' } },
    ]);
  });

  test('in an answer of another command is ours again as soon as the id shows our link', async () => {
    const { world, run, fileId } = await shared();
    oddly(world, another);
    await run.call('files.info', { fileId });
    expect(world.row('a.txt').idTakenAtMs).not.toBeNull();
    await run.call('files.info', { fileId });
    expect(world.row('a.txt').idTakenAtMs).toBeNull();
    expect((await run.call('files.page', {})).rows).toMatchObject([{ fileId, place: 'this-machine' }]);
    expect((await recall(run, fileId))[0]?.recalled).toMatchObject({ dead: true });
    expect(served(world)).toEqual([]);
  });

  test('is deleted once its time is over, although an answer showed another link before', async () => {
    const { world, run, fileId } = await shared();
    await run.call('files.expire', { files: [{ fileId }], expire: { afterMs: hourMs } });
    oddly(world, another);
    await run.call('files.info', { fileId });
    await world.clock.advance(dayMs);
    expect(served(world)).toEqual([]);
  });
});

describe('a living link that answers 404 now and then', () => {
  const notFound = (): Promise<never> =>
    Promise.reject(new AppError('not-found', 'No.', '', { status: 404 }));
  const isToldDead = (world: World): boolean =>
    toldOf(world).some(({ body }) => body.kind === 'recalled' && body.dead);

  /** Its id answers 404, and its link cannot be read. */
  const hide = (world: World): (() => void) => {
    const { info } = world.service.api;
    world.service.api.info = notFound;
    world.service.linksBroken = true;
    return () => (world.service.api.info = info);
  };

  /** The next DELETE fails so; then the try comes that makes it. */
  const removalFails = (code: ErrorCode, status?: number) => async (world: World) => {
    const { remove } = world.service.api;
    let isMade = false;
    world.service.api.remove = () => {
      world.service.api.remove = remove;
      isMade = true;
      return Promise.reject(new AppError(code, 'No.', '', status === undefined ? {} : { status }));
    };
    await world.clock.runUntil(() => isMade);
  };
  const shows: [string, (world: World, run: Running, fileId: FileId) => Promise<unknown>][] = [
    ['at a try whose DELETE gets no usable answer', removalFails('unusable-answer', 200)],
    ['at a try whose DELETE is refused', removalFails('limit', 403)],
    // It closes the gate, and no file is there to be the probe.
    ['at a try whose DELETE is interrupted', removalFails('interrupted')],
    [
      'in an answer to a person',
      async (world, run, fileId) => {
        const show = hide(world);
        await world.clock.advance(minuteMs);
        show();
        await run.call('files.info', { fileId });
      },
    ],
  ];
  test.each(shows)('is not told dead after its id showed it again %s', async (_, showAgain) => {
    const { world, run, fileId } = await shared();
    const show = hide(world);
    await recall(run, fileId);
    show();
    await showAgain(world, run, fileId);
    world.service.api.digestOfLink = notFound;
    await world.clock.runUntil(() => isToldDead(world));
    expect(served(world)).toEqual([]);
    expect(toldOf(world).map(({ body }) => body)).toMatchObject([{ dead: false }, { dead: true }]);
  });

  test('is not told dead by a recall during which it was kept and taken back again', async () => {
    const { world, run, fileId } = await shared();
    const otherId = await share(world, 'b.txt', 'another');
    const { info, remove } = world.service.api;
    world.service.api.digestOfLink = notFound;
    world.service.api.info = async (...given) => {
      world.service.api.info = info;
      const file = await info(...given);
      await run.client.call('files.keep', { fileIds: [fileId] });
      return file;
    };
    let again: Promise<unknown> = Promise.resolve();
    world.service.api.remove = async (...given) => {
      world.service.api.remove = remove;
      world.service.api.info = () => Promise.reject(new AppError('offline', 'No.'));
      again = run.client.call('files.recall', { files: [{ fileId }] });
      await world.clock.turn();
      return await remove(...given);
    };
    await recall(run, fileId, otherId);
    await world.during(again);
    expect(served(world)).toEqual(['a.txt']);
    expect(toldOf(world).map(({ body }) => body)).toMatchObject([{ fileId: otherId, dead: true }]);
  });
});

test.each(['recalled', 'expired'] as const)(
  'a file that a service keeps after each DELETE is %s once, and asked about ever more rarely',
  async (rule) => {
    const { world, run, fileId } = await shared();
    world.service.api.remove = async (id, signal) => {
      await world.service.api.stats(signal);
      return { message: `${String(id)} is in the trash` };
    };
    if (rule === 'recalled') await recall(run, fileId);
    else await run.call('files.expire', { files: [{ fileId }], expire: { afterMs: 1000 } });
    await world.clock.advance(10 * dayMs);
    expect(toldOf(world)).toHaveLength(1);
    expect(world.service.count('info') + world.service.count('stats')).toBeLessThan(60);
    expect(world.ledger.uploads.byFileId(fileId)?.state).toMatchObject({ kind: 'recalled', dead: false });
    expect(world.row('a.txt').state).toEqual({ kind: 'skipped', rule });
  },
);

test('a link that two processes prove dead at once is reported once', async () => {
  const { world, run, fileId } = await shared();
  const command = world.make('command:1');
  world.service.linkMs = 5000;
  await Promise.all([recall(run, fileId), command.call('files.recall', { files: [{ fileId }] })]);
  expect(toldOf(world)).toHaveLength(1);
});

test('a service whose answer to an id has no link closes nothing for uploads when a link ends', async () => {
  const { world, run, fileId } = await shared();
  const { info } = world.service.api;
  world.service.api.info = async (...args) => {
    const { public_link: _, ...file } = await info(...args);
    return file;
  };
  await run.call('files.expire', { files: [{ fileId }], expire: { afterMs: 1000 } });
  await world.clock.advance(10_000);
  await share(world, 'b.txt', 'another');
  expect(world.ledger.entries.after(0, 100).filter(({ body }) => body.kind === 'queue-closed')).toEqual([]);
  expect(world.ledger.uploads.byFileId(fileId)?.state.kind).toBe('recalling');
});

test.each(['held', 'ready', 'uncertain'] as const)(
  'an end is set for a file that is %s, and holds from its link on',
  async (kind) => {
    const { world, run } = await begin();
    await run.call('queue.pause', { untilMs: null });
    if (kind === 'uncertain') {
      await run.call('queue.resume', {});
      world.service.faults.push('answer-lost');
    }
    const name = kind === 'held' ? 'id_rsa' : 'b.txt';
    const { id } = await world.put(name, 'content', kind);
    const files = [{ path: `/tray/${name}` }];
    expect(await run.call('files.expire', { files, expire: { afterMs: hourMs } })).toMatchObject([
      { publicLink: null, error: null },
    ]);
    await run.call('queue.resume', {});
    if (kind === 'held') await run.call('queue.confirm', { ids: [id] });
    const { ends, uploadedAtMs } = await world.until(name, 'uploaded', dayMs / 48);
    expect(Math.abs((ends?.atMs ?? 0) - (uploadedAtMs ?? 0) - hourMs)).toBeLessThan(60_000);
  },
);
