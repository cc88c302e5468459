// Two accounts at one address. The service names no account: a file id means nothing without whose it is.
import { describe, expect, test } from 'vitest';
import type { FileId } from '../../../../src-main/contract/text/file-id.ts';
import { AppError } from '../../../../src-main/contract/errors.ts';
import {
  begin,
  dayMs,
  hourMs,
  loseAnswer,
  minuteMs,
  share,
  type Running,
  type World,
} from '../../../support/fake-world.ts';
import { completed } from '../../../../src-main/engine/state/file-json.ts';
import { isDeep } from '../../../support/deep.ts';
import { recall, served, shared, toldOf } from '../../../support/recalls.ts';
import { seeded } from '../../../support/limiter-models.ts';

const kinds = ['global', 'account', 'again'] as const;
/** An end that is due is tried again every few seconds. */
const longMs = isDeep ? dayMs : hourMs;
/** Keys that begin with b are of another account than all others. */
const twoAccounts = async (ids: (typeof kinds)[number]): Promise<{ world: World; run: Running }> => {
  const both = await begin();
  const { service, keys } = both.world;
  service.account = () => (keys.stored?.startsWith('b') === true ? 'b' : 'a');
  service.ids = ids;
  return both;
};
const use = async (world: World, run: Running, key: string): Promise<void> => {
  world.keys.stored = key;
  run.engine.nudge();
  await world.clock.advance(1000);
};
const namesIn = ({ service }: World, account: string): string[] =>
  service.stored.filter((one) => one.account === account && !one.deleted).map(({ name }) => name);

describe.each(kinds)('ids that the service gives: %s. Under the key of another account', (ids) => {
  const shared = async () => {
    const { world, run } = await twoAccounts(ids);
    const fileId = await share(world, 'ours.txt', 'content');
    world.keys.stored = 'b-1';
    // With its own counter the other account has this id, too.
    while (world.service.addForeign('theirs.txt', 'theirs').fileId < Number(fileId));
    return { world, run, fileId, theirs: namesIn(world, 'b').length };
  };

  test.each<[string, (run: Running, fileId: FileId) => Promise<unknown>]>([
    [
      'an end that comes',
      async (run, fileId) => {
        await run.call('files.expire', { files: [{ fileId }], expire: { afterMs: minuteMs } });
      },
    ],
    ['a recall', (run, fileId) => run.call('files.recall', { files: [{ fileId }] })],
    ['a recall by path', (run) => run.call('files.recall', { files: [{ path: '/tray/ours.txt' }] })],
    ['a deletion', (run, fileId) => run.call('files.delete', { fileIds: [fileId] }).catch(() => null)],
  ])('%s deletes nothing there, and is done once the own key is back', async (_, act) => {
    const { world, run, fileId, theirs } = await shared();
    await use(world, run, 'b-1');
    await act(run, fileId);
    await world.clock.advance(longMs);
    expect(world.service.count('remove')).toBe(0);
    expect([namesIn(world, 'a'), namesIn(world, 'b')]).toEqual([['ours.txt'], expect.any(Array)]);
    expect(namesIn(world, 'b')).toHaveLength(theirs);
    await run.call('account.decide', { is: 'another' });
    await world.clock.advance(longMs);
    expect([namesIn(world, 'a').length, namesIn(world, 'b').length]).toEqual([1, theirs]);
    await use(world, run, 'key-1234');
    await run.call('files.recall', { files: [{ path: '/tray/ours.txt' }] });
    await world.clock.advance(longMs);
    expect([namesIn(world, 'a').length, namesIn(world, 'b').length]).toEqual([0, theirs]);
  });

  test('ids that were shown before do nothing, whether or not the key is known', async () => {
    const { world, run, fileId, theirs } = await shared();
    await use(world, run, 'b-1');
    await run.call('account.decide', { is: 'another' });
    await use(world, run, 'key-1234');
    const foreign = world.service.addForeign('of-another-machine.txt', 'other').fileId;
    world.keys.stored = 'b-1';
    while (world.service.addForeign('theirs.txt', 'theirs').fileId < foreign);
    world.keys.stored = 'key-1234';
    await run.call('files.refresh', {});
    const { accountId } = await run.call('files.page', {});
    const before = namesIn(world, 'b').length;
    // Another process has logged in, and this one has not met the new key.
    world.keys.stored = 'b-1';
    const fileIds = [fileId, foreign];
    const ended = await run.call('files.delete', { fileIds, byLink: fileIds, accountId });
    expect(ended.map(({ deleted }) => deleted)).toEqual([false, false]);
    for (const id of fileIds)
      await expect(run.call('files.info', { fileId: id, accountId })).rejects.toMatchObject({
        code: 'bad-use',
      });
    await world.clock.advance(hourMs);
    expect(world.service.count('remove')).toBe(0);
    expect(namesIn(world, 'b')).toHaveLength(before);
    expect(before).toBeGreaterThan(theirs);
    // What was asked of the own file is done under its own key.
    await use(world, run, 'key-1234');
    await world.clock.advance(hourMs);
    expect(namesIn(world, 'a')).toEqual(['of-another-machine.txt']);
  });

  test('no list, report or object gives the id of a file of the former account, which may be that of another file', async () => {
    const { world, run } = await shared();
    await use(world, run, 'b-1');
    await run.call('account.decide', { is: 'another' });
    // As if a proxy had sent the other file twice.
    world.service.addForeign('theirs.txt', 'theirs');
    const theirs = namesIn(world, 'b').length;
    await run.call('files.refresh', {});
    const { rows, accountId } = await run.call('files.page', {});
    const named = [{ path: '/tray/ours.txt' }];
    const ends = await run.call('files.expire', { files: named, expire: 'never' });
    const proofs = await run.call('files.verify', { files: named });
    const cards = await run.call('files.card', { files: named });
    const { results } = await run.call('files.unfollow', { files: named });
    const answers = [...ends, ...proofs, ...cards, ...cards.map(({ card }) => card), ...results];
    expect(answers.map((one) => one?.fileId)).toEqual(answers.map(() => null));
    const { links } = await run.call('report.copies', { path: '/tray/ours.txt' });
    const { files } = await run.call('report.export', { after: null });
    const shown = [...rows.filter(({ name }) => name === 'ours.txt'), ...links, ...files];
    const [row] = files;
    const object = completed(world.ledger, { uploadId: row?.uploadId ?? null });
    expect([...shown, object].map(({ fileId }) => fileId)).toEqual([null, null, null, null]);
    expect(object.downloads).toBeNull();
    const { upload, copies } = await run.call('file.why', { path: '/tray/ours.txt' });
    expect([upload?.fileId, copies]).toEqual([null, undefined]);
    // What the window does with all rows that it shows.
    const fileIds = rows.flatMap(({ fileId }) => fileId ?? []);
    const deleted = await run.call('files.delete', { fileIds, byLink: fileIds, accountId });
    expect(deleted).toHaveLength(theirs);
    expect(namesIn(world, 'a')).toEqual(['ours.txt']);
  });

  test('the files that a name or a path may mean are told apart by ids that are theirs', async () => {
    const { world, run } = await shared();
    await use(world, run, 'key-1234');
    await share(world, 'sub/ours.txt', 'other');
    await use(world, run, 'b-1');
    await run.call('account.decide', { is: 'another' });
    const named = { name: 'ours.txt', path: '/else/ours.txt' };
    const [found] = await run.call('files.find', { files: [named], use: 'link' });
    expect(found?.error?.code).toBe('ambiguous');
    expect(found?.error?.message).toContain('q2 (/tray/sub/ours.txt), q1 (/tray/ours.txt)');
  });

  test('nothing is sent until a person says that it is another account; then the same content goes there', async () => {
    const { world, run } = await shared();
    await use(world, run, 'b-1');
    world.disk.write('/tray/copy.txt', 'content');
    world.disk.write('/tray/new.txt', 'new');
    await world.clock.advance(2 * hourMs);
    expect(world.service.count('upload')).toBe(1);
    expect(run.engine.status().gate).toMatchObject({ kind: 'closed', reason: 'key' });
    expect(await run.call('account.get', {})).toMatchObject({ isUnknown: true });
    await run.call('account.decide', { is: 'another' });
    await world.clock.advance(hourMs);
    expect(namesIn(world, 'b')).toEqual(expect.arrayContaining(['new.txt']));
    await run.call('files.upload', { paths: ['/tray/ours.txt'] });
    await world.clock.advance(hourMs);
    expect(namesIn(world, 'b')).toEqual(expect.arrayContaining(['ours.txt']));
    expect(namesIn(world, 'a')).toEqual(['ours.txt']);
    const rows = (await run.call('files.page', {})).rows.map(({ name, place }) => `${name} ${place}`);
    expect(rows).toEqual(expect.arrayContaining(['ours.txt other-account', 'new.txt this-machine']));
  });

  test('an upload whose answer was lost is not looked for, and is found once the own key is back', async () => {
    const { world, run } = await shared();
    await use(world, run, 'key-1234');
    await loseAnswer(world, 'lost.txt', 'lost');
    await use(world, run, 'b-1');
    await run.call('account.decide', { is: 'another' });
    world.service.addForeign('lost.txt', 'lost');
    await world.clock.advance(longMs);
    expect(world.row('lost.txt').state.kind).toBe('uncertain');
    await use(world, run, 'key-1234');
    const { publicLink } = await world.until('lost.txt', 'uploaded', hourMs);
    expect(world.service.stored.find(({ link }) => link === publicLink)?.account).toBe('a');
  });

  test('no candidates are named for an upload that was lost, and none is taken', async () => {
    const { world, run, fileId } = await shared();
    await use(world, run, 'key-1234');
    await loseAnswer(world, 'lost.txt', 'lost');
    const { id } = world.row('lost.txt');
    await use(world, run, 'b-1');
    await run.call('account.decide', { is: 'another' });
    expect(await run.call('queue.uncertain', {})).toEqual([]);
    const taken = { id, choice: 'this-is-it', fileId } as const;
    for (const asked of [run.call('queue.candidates', { id }), run.call('queue.resolve', taken)])
      await expect(asked).rejects.toThrow('in another account');
    expect(world.row('lost.txt').state.kind).toBe('uncertain');
  });

  test.each(['lost', 'lost, and not wanted'])(
    'an upload that is %s is not decided by a list of this account, if the look itself meets the key',
    async (what) => {
      const { world, run } = await shared();
      await use(world, run, 'b-1');
      await run.call('account.decide', { is: 'another' });
      await use(world, run, 'key-1234');
      await loseAnswer(world, 'lost.txt', 'lost');
      const { id } = world.row('lost.txt');
      if (what !== 'lost') await run.call('queue.skip', { ids: [id] });
      // The first two looks do not find it, because the list is late.
      const { list } = world.service.api;
      world.service.api.list = async (...asked) => {
        const answer = await list(...asked);
        return { ...answer, files: answer.files.filter(({ filename }) => filename !== 'lost.txt') };
      };
      await world.clock.advance(10 * minuteMs);
      world.service.api.list = list;
      // Another process has logged in.
      world.keys.stored = 'b-1';
      await world.clock.advance(longMs);
      expect(world.row('lost.txt').state.kind).toBe('uncertain');
      expect(namesIn(world, 'b')).not.toContain('lost.txt');
      await use(world, run, 'key-1234');
      await world.clock.advance(longMs);
      expect(world.row('lost.txt').state.kind).toBe(what === 'lost' ? 'uploaded' : 'skipped');
      expect(namesIn(world, 'a').includes('lost.txt')).toBe(what === 'lost');
    },
  );

  test.each([
    ['a new file with its content', 'new.txt', 'lost'],
    ['another one of its name and size', 'sub/lost.txt', 'LOST'],
  ])(
    '%s does not wait for an upload of the other account whose answer was lost',
    async (_, name, content) => {
      const { world, run } = await shared();
      await use(world, run, 'key-1234');
      await loseAnswer(world, 'lost.txt', 'lost');
      await use(world, run, 'b-1');
      await run.call('account.decide', { is: 'another' });
      world.disk.write(`/tray/${name}`, content);
      await world.clock.advance(hourMs);
      expect(namesIn(world, 'b')).toContain(name.split('/').at(-1));
    },
  );

  test('a followed link waits, and takes no time meanwhile', async () => {
    const { world, run, fileId } = await shared();
    await use(world, run, 'key-1234');
    await run.call('files.follow', { files: [{ fileId }] });
    await world.clock.advance(dayMs);
    await use(world, run, 'b-1');
    await run.call('account.decide', { is: 'another' });
    const asked = world.service.count('info');
    await world.clock.advance(dayMs);
    expect(world.service.count('info')).toBe(asked);
    await use(world, run, 'key-1234');
    await world.clock.advance(dayMs);
    expect(world.service.count('info')).toBeGreaterThan(asked);
  });

  test('a new key of the same account goes on without a question', async () => {
    const { world, run } = await shared();
    await use(world, run, 'key-5678');
    await share(world, 'two.txt', 'two');
    expect(await run.call('account.get', {})).toMatchObject({ isUnknown: false });
    expect(namesIn(world, 'a')).toEqual(['ours.txt', 'two.txt']);
  });
});

test.each<[string, (run: Running, fileId: FileId, world: World) => Promise<unknown>]>([
  ['files.refresh', (run) => run.call('files.refresh', {})],
  ['files.list', (run) => run.call('files.list', { page: 1, limit: 100 })],
  ['files.info', (run, fileId) => run.call('files.info', { fileId })],
  ['files.recall', (run, fileId) => run.call('files.recall', { files: [{ fileId }] })],
  ['files.delete', (run, fileId) => run.call('files.delete', { fileIds: [Number(fileId) + 1] })],
  [
    'files.import',
    (run, _, { service }) => {
      const {
        fileId,
        link,
        name: filename,
      } = service.stored.find(({ isForeign }) => isForeign) ?? { fileId: 0, link: '', name: '' };
      const unknown = { sizeBytes: null, sha256: null, uploadedAtMs: null, expiresAtMs: null } as const;
      const file = { ...unknown, line: 1, fileId, publicLink: link, filename, size: null, uploadDate: null };
      return run.call('files.import', { files: [file], takeExpiry: false });
    },
  ],
])(
  'what %s was answered while another process logged in to another account is not of that account',
  async (_, act) => {
    const { world, run } = await twoAccounts('account');
    const { service, ledger, keys } = world;
    const fileId = await share(world, 'a.txt', 'a');
    service.addForeign('of-another-machine.txt', 'other');
    await use(world, run, 'b-1');
    await run.call('account.decide', { is: 'another' });
    expect(await share(world, 'b.txt', 'b')).toBe(fileId);
    const other = ledger.accounts.present();
    await use(world, run, 'key-1234');
    const { list, info } = service.api;
    const login = <Answer>(answer: Answer): Answer => {
      keys.stored = 'b-1';
      ledger.accounts.become(other);
      return answer;
    };
    service.api.list = async (...query) => login(await list(...query));
    service.api.info = async (...query) => login(await info(...query));
    await act(run, fileId, world).catch(() => null);
    expect(world.row('b.txt')).toMatchObject({ fileId, idTakenAtMs: null });
    expect((await run.call('files.page', {})).rows.map(({ name }) => name).toSorted()).toEqual([
      'a.txt',
      'b.txt',
    ]);
  },
);

test('a login whose key is stored succeeds, although whose it is cannot be asked now', async () => {
  const { world, run } = await begin();
  await share(world, 'ours.txt');
  world.service.api.info = () => Promise.reject(new AppError('offline', 'There is no network.'));
  await run.call('account.login', { key: 'key-5678' });
  expect(world.keys.stored).toBe('key-5678');
});

describe('a service that was set up anew, or gives ids again', () => {
  const again = async () => {
    const { world, run } = await begin();
    const fileId = await share(world, 'old.txt', 'old');
    for (const file of world.service.stored) file.deleted = true;
    const theirs = world.service.addForeign('new.txt', 'new');
    theirs.fileId = Number(fileId);
    return { world, run, fileId };
  };

  test.each<[string, (run: Running, fileId: FileId) => Promise<unknown>]>([
    ['recall', (run, fileId) => run.call('files.recall', { files: [{ fileId }] })],
    ['delete', (run, fileId) => run.call('files.delete', { fileIds: [fileId] })],
    [
      'info, then delete',
      async (run, fileId) => {
        await run.call('files.info', { fileId });
        await run.call('files.delete', { fileIds: [fileId] });
      },
    ],
    [
      'list, then delete',
      async (run, fileId) => {
        await run.call('files.refresh', {});
        await run.call('files.delete', { fileIds: [fileId] });
      },
    ],
    [
      'expire',
      (run, fileId) => run.call('files.expire', { files: [{ fileId }], expire: { afterMs: minuteMs } }),
    ],
  ])('loses no other file by %s', async (_, act) => {
    const { world, run, fileId } = await again();
    await act(run, fileId);
    await world.clock.advance(dayMs);
    expect(world.service.namesOf()).toEqual(['new.txt']);
    expect(world.service.count('remove')).toBe(0);
  });

  test.each(['ours', 'of another machine'])(
    'finds a lost upload by one look under an id that was %s',
    async (whose) => {
      const { world, run } = await begin();
      if (whose === 'ours') await share(world, 'old.txt', 'old');
      else world.service.addForeign('old.txt', 'old');
      await run.call('files.refresh', {});
      for (const file of world.service.stored) file.deleted = true;
      world.service.ids = 'again';
      await loseAnswer(world, 'lost.txt', 'lost');
      // Every look fails until the time in which the list may be late is over.
      world.service.refuse = { code: 'offline' };
      await world.clock.advance(hourMs);
      world.service.refuse = null;
      await world.until('lost.txt', 'uploaded', hourMs);
      expect(world.service.namesOf()).toEqual(['lost.txt']);
    },
  );

  test('shows both files', async () => {
    const { run } = await again();
    await run.call('files.refresh', {});
    const rows = (await run.call('files.page', {})).rows.map(({ name, fileId }) => [name, fileId]);
    expect(rows).toEqual(
      expect.arrayContaining([
        ['old.txt', null],
        ['new.txt', 1001],
      ]),
    );
  });
});

describe('a recall', () => {
  test('that the service refuses is no deletion, and is tried again until it is done', async () => {
    const { world, run, fileId } = await shared();
    const { remove } = world.service.api;
    let refusals = 0;
    world.service.api.remove = () => {
      refusals += 1;
      return Promise.reject(new AppError('refused', 'It is locked.', '', { status: 409 }));
    };
    const [result] = await recall(run, fileId);
    expect(result).toMatchObject({ recalled: null, error: { code: 'refused' } });
    expect(result?.error?.message).toContain('It is locked. (409)');
    expect(await run.call('files.delete', { fileIds: [fileId] })).toMatchObject([
      { deleted: false, linkState: null, goesOn: true },
    ]);
    expect(world.row('a.txt').state).toMatchObject({ kind: 'recalling', refusal: 'It is locked.' });
    await world.clock.advance(2 * dayMs);
    expect(refusals).toBeGreaterThan(6);
    expect(refusals).toBeLessThan(12);
    world.service.api.remove = remove;
    await world.clock.advance(dayMs + hourMs);
    expect(served(world)).toEqual([]);
    expect(toldOf(world).map(({ body }) => body)).toMatchObject([{ dead: true }]);
  });

  test('of a link that a cache serves for hours goes on by itself until it is dead', async () => {
    const { world, run, fileId } = await shared();
    world.service.keepsLinks = true;
    await recall(run, fileId);
    await world.clock.advance(5 * hourMs);
    world.service.keepsLinks = false;
    await world.clock.advance(dayMs);
    expect(toldOf(world).map(({ body }) => body)).toMatchObject([{ dead: false }, { dead: true }]);
  });
});

test.each(Array.from({ length: isDeep ? 100 : 3 }, (_, at) => at + 1))(
  'random work with two accounts, seed %i: no file of the other account is touched, and dead is said of what is dead',
  async (seed) => {
    const chance = seeded(seed);
    const below = (count: number): number => Math.floor(chance() * count);
    const { world, run: first } = await twoAccounts(kinds[seed % kinds.length] ?? 'global');
    let run = first;
    let files = 0;
    world.service.onRemove = (file) => {
      const row = world.rows().find(({ publicLink }) => publicLink === file.link);
      // Only what is ours, and is to be taken back.
      expect([file.isForeign, row?.state.kind]).toEqual([false, 'recalling']);
    };
    const anyRow = () => {
      const rows = world.rows().filter(({ fileId }) => fileId !== null);
      return rows[below(rows.length)];
    };
    const steps: (() => Promise<unknown>)[] = [
      async () => world.disk.write(`/tray/f${++files}.txt`, `content ${below(20)} of ${files}`),
      async () => world.service.addForeign('theirs.txt', `theirs ${below(1000)}`),
      () => use(world, run, ['key-1234', 'key-2', 'b-1', 'b-2'][below(4)] ?? ''),
      () =>
        run.call('account.decide', { is: world.keys.stored?.startsWith('b') === true ? 'another' : 'same' }),
      async () => {
        const row = anyRow();
        if (row !== undefined) await run.call('files.recall', { files: [{ queueId: row.id }] });
      },
      async () => {
        const fileId = anyRow()?.fileId ?? null;
        const isOurs = fileId !== null && world.ledger.uploads.byFileId(fileId) !== null;
        if (isOurs) await run.call('files.delete', { fileIds: [fileId] });
      },
      async () => {
        const row = anyRow();
        if (row !== undefined)
          await run.call('files.expire', {
            files: [{ queueId: row.id }],
            expire: { afterMs: below(5) * hourMs + 1000 },
          });
      },
      async () => {
        const row = anyRow();
        if (row !== undefined) await run.call('files.follow', { files: [{ queueId: row.id }] });
      },
      () => run.call('files.refresh', {}),
      async () => {
        await run.stop();
        run = await world.start();
      },
      () => world.clock.advance(below(3) * hourMs),
    ];
    for (let step = 0; step < (isDeep ? 200 : 20); step += 1) {
      // A question, a row without a link and a key of another account are refused, as they should be.
      await steps[below(steps.length)]?.().catch((caught: unknown) => {
        if (!(caught instanceof AppError) || caught.code === 'internal') throw caught;
      });
      await world.clock.advance(minuteMs);
      for (const { state, publicLink } of world.rows()) {
        const file = world.service.stored.find(({ link }) => link === publicLink);
        if (state.kind === 'recalled' && state.dead) expect(file?.deleted).toBe(true);
      }
    }
    for (const { isForeign, deleted } of world.service.stored) if (isForeign) expect(deleted).toBe(false);
  },
  300_000,
);
