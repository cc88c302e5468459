// A person's no to an upload that is on its way, or whose answer was lost: it is kept, and what is there is deleted.
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import { fateOf } from '../../../../src-main/contract/model.ts';
import type { UploadFault } from '../../../support/fake-service.ts';
import {
  begin,
  hourMs,
  loseAnswer,
  minuteMs,
  type Running,
  type World,
} from '../../../support/fake-world.ts';

type Both = { world: World; run: Running };

/** Brings a.txt into the state; the service then has it unless `fault` says otherwise. */
const bring: Record<string, (both: Both, fault?: UploadFault) => Promise<unknown>> = {
  sending: ({ world }) => world.put('a.txt', 'the content', 'sending'),
  committing({ world }, fault) {
    if (fault !== undefined) world.service.faults.push(fault);
    return world.put('a.txt', 'the content', 'committing');
  },
  uncertain({ world }, fault = 'answer-lost') {
    world.service.faults.push(fault);
    return world.put('a.txt', 'the content', 'uncertain');
  },
  async held({ world }, fault = 'answer-lost') {
    world.service.linksBroken = true;
    if (fault === 'tail-lost') world.service.addForeign('b.txt', 'CONTENT the');
    world.service.faults.push(fault);
    await world.put('a.txt', 'the content', 'held', hourMs);
    world.service.linksBroken = false;
  },
};

const path = '/tray/a.txt';
const doors: Record<string, (run: Running, id: number) => Promise<unknown>> = {
  cancel: (run, id) => run.call('queue.cancel', { ids: [id] }),
  skip: (run, id) => run.call('queue.skip', { ids: [id] }),
  'recall of its id': (run, id) => run.call('files.recall', { files: [{ queueId: id }] }),
  'recall of its path': (run) => run.call('files.recall', { files: [{ path }] }),
  'recall of its name': (run) =>
    run.call('files.recall', { files: [{ name: 'a.txt', path: '/elsewhere/a.txt' }] }),
};

const living = ({ service }: World): string[] =>
  service.stored.filter(({ deleted, isForeign }) => !deleted && !isForeign).map(({ name }) => name);

const kindsOf = (run: Running): string[] => run.entries().map(({ body }) => body.kind);

const cases = Object.keys(bring).flatMap((state) => Object.keys(doors).map((door) => [state, door] as const));

describe.each(cases)('an upload that is %s, and the door %s', (state, door) => {
  test('nothing of it stays public, no link is offered, and it is not sent again', async () => {
    const both = await begin();
    await bring[state]?.(both);
    const { id } = both.world.row('a.txt');
    await doors[door]?.(both.run, id);
    await both.world.clock.advance(24 * hourMs);
    expect(living(both.world)).toEqual([]);
    expect(both.world.service.count('upload')).toBeLessThanOrEqual(1);
    expect(kindsOf(both.run)).not.toContain('uploaded');
    expect(both.world.row('a.txt').state.kind).toBe('skipped');
  });

  test('it ends as cancelled when the service never had it', async () => {
    const both = await begin();
    await bring[state]?.(both, 'tail-lost');
    const { id } = both.world.row('a.txt');
    await doors[door]?.(both.run, id);
    await both.world.clock.advance(24 * hourMs);
    expect(both.world.service.stored.filter(({ isForeign }) => !isForeign)).toEqual([]);
    expect(both.world.row('a.txt').state).toEqual({ kind: 'skipped', rule: 'cancelled' });
  });

  test('when the person then gives the file again, it goes on, or is asked about as before', async () => {
    const both = await begin();
    const { world, run } = both;
    await bring[state]?.(both);
    void doors[door]?.(run, world.row('a.txt').id).catch(() => undefined);
    await world.clock.advance(1);
    await run.call('files.upload', { paths: [path] });
    await world.clock.advance(24 * hourMs);
    const { state: now } = world.row('a.txt');
    expect([now.kind, living(world)]).toEqual([state === 'held' ? 'held' : 'uploaded', ['a.txt']]);
    expect(world.service.count('remove')).toBe(0);
  });

  test('it is kept by a kill, and by a restart', async () => {
    const both = await begin();
    await bring[state]?.(both);
    const { id } = both.world.row('a.txt');
    void doors[door]?.(both.run, id).catch(() => undefined);
    await both.world.clock.advance(1);
    both.run.life.kill();
    await both.world.clock.advance(1000);
    await both.world.start();
    await both.world.clock.advance(24 * hourMs);
    expect(living(both.world)).toEqual([]);
    expect(both.world.row('a.txt').state.kind).toBe('skipped');
  });

  test('another process takes it', async () => {
    const both = await begin();
    await bring[state]?.(both);
    const { id } = both.world.row('a.txt');
    await doors[door]?.(both.world.make('guest:1'), id);
    await both.world.clock.advance(24 * hourMs);
    expect(living(both.world)).toEqual([]);
  });
});

// A no is for a content.
test.each(Object.keys(bring))(
  'a no to an upload that is %s stays when the file is written again and given, and what is given gets its link',
  async (state) => {
    const both = await begin();
    const { world, run } = both;
    await bring[state]?.(both);
    void run.call('queue.cancel', { ids: [world.row('a.txt').id] });
    await world.clock.advance(1);
    world.disk.write(path, 'another content');
    await run.call('files.upload', { paths: [path] });
    await world.clock.advance(24 * hourMs);
    const left = world.service.stored.filter(({ deleted, isForeign }) => !deleted && !isForeign);
    expect(left.map(({ link }) => link)).toEqual([world.row('a.txt').publicLink]);
    const { sha256 } = world.service.addForeign('b.txt', 'another content');
    expect(left.map((file) => file.sha256)).toEqual([sha256]);
  },
);

// Under every name, and also when its file has left before the upload is known to be nowhere.
const ways: [string, (world: World) => void][] = [
  ['has another version', ({ disk }) => disk.write(path, 'another content')],
  ['is replaced', ({ disk }) => disk.replace(path, 'another content')],
  ['is removed', ({ disk }) => disk.remove(path)],
];
test.each(ways)('a no holds for a copy of the file, which %s meanwhile', async (_, leave) => {
  const both = await begin();
  const { world, run } = both;
  await bring['uncertain']?.(both, 'tail-lost');
  world.disk.write('/tray/b.txt', 'the content');
  leave(world);
  await run.call('queue.cancel', { ids: [world.row('a.txt').id] });
  await world.clock.advance(24 * hourMs);
  expect(world.row('b.txt').state).toEqual({ kind: 'skipped', rule: 'cancelled' });
  expect(world.service.stored.map(({ bytes }) => String(bytes))).not.toContain('the content');
});

// So is a yes: it is for what the file holds when it is given.
test.each(['sending', 'committing'] as const)(
  'a file outside every folder that is written again while it is %s, and given, gets the link of what it holds',
  async (state) => {
    const { world, run } = await begin();
    const given = { paths: ['/elsewhere/a.txt'] };
    world.disk.write('/elsewhere/a.txt', 'the content');
    await run.call('files.upload', given);
    await world.until('a.txt', state);
    world.disk.write('/elsewhere/a.txt', 'another content');
    const [answer] = await run.call('files.upload', given);
    await world.clock.advance(hourMs);
    const row = world.ledger.uploads.byId(answer?.upload?.id ?? 0);
    const { sha256 } = world.service.addForeign('b.txt', 'another content');
    expect([row?.state.kind, row?.sha256]).toEqual(['uploaded', sha256]);
    expect(world.service.stored.filter((file) => file.sha256 === sha256 && !file.isForeign)).toHaveLength(1);
  },
);

test('an agent that gives the file again lifts no person’s no', async () => {
  const both = await begin();
  await bring['uncertain']?.(both);
  await both.run.call('queue.cancel', { ids: [both.world.row('a.txt').id] });
  await both.run.call('files.upload', { paths: [path], agent: { roots: ['/tray'], mayReopen: [] } });
  await both.world.clock.advance(24 * hourMs);
  expect([both.world.row('a.txt').state.kind, living(both.world)]).toEqual(['skipped', []]);
});

test('a no from another process just before the tail stops it, before this process has heard of it', async () => {
  const { world, run } = await begin();
  const { id } = await world.put('a.bin', 'y'.repeat(2_000_000), 'sending');
  run.engine.nudge = () => undefined;
  const guest = world.make('guest:1');
  await guest.call('queue.cancel', { ids: [id] });
  await world.clock.advance(hourMs);
  expect(world.service.stored).toEqual([]);
  expect(world.row('a.bin').state).toEqual({ kind: 'skipped', rule: 'cancelled' });
});

test('an upload whose row has left it meanwhile sends no tail', async () => {
  const { world, run } = await begin();
  const { id } = await world.put('a.bin', 'y'.repeat(2_000_000), 'sending');
  await run.call('queue.pause', { untilMs: null });
  // As after a time in which the ledger could not be written (recover.ts).
  world.ledger.uploads.update(id, { state: { kind: 'ready' } }, world.clock.wallMs());
  await world.clock.advance(hourMs);
  expect(world.service.stored).toEqual([]);
  expect(world.row('a.bin').state).toEqual({ kind: 'ready' });
});

test('what a person does not want is looked for and deleted while the queue is paused, and nothing else is', async () => {
  const { world, run } = await begin();
  const { id } = await loseAnswer(world, 'a.txt', 'the content');
  await loseAnswer(world, 'b.txt', 'another');
  await run.call('queue.pause', { untilMs: null });
  await run.call('queue.cancel', { ids: [id] });
  await world.clock.advance(hourMs);
  expect(living(world)).toEqual(['b.txt']);
  expect(world.row('b.txt').state.kind).toBe('uncertain');
});

test('nothing says that it is gone or not uploaded before it is so', async () => {
  const { world, run } = await begin();
  const { id } = await loseAnswer(world, 'a.txt', 'the content');
  world.service.linksBroken = true;
  const [recall] = await run.call('files.recall', { files: [{ queueId: id }] });
  expect(recall).toMatchObject({ recalled: null, error: { code: 'uncertain' } });
  await world.clock.advance(72 * hourMs);
  expect(world.row('a.txt').state).toMatchObject({ kind: 'uncertain', isUnwanted: true });
  expect(kindsOf(run)).not.toContain('skipped');
  const { sentence } = await run.call('file.why', { path });
  expect(sentence).toBe(
    'Being taken back: its answer was lost. Outtray looks for it, and deletes it if it is there.',
  );
  expect((await run.call('app.status', {})).counts).toMatchObject({ waiting: 1, held: 0, skipped: 0 });
  expect(world.service.count('list')).toBeLessThan(30);
  world.service.linksBroken = false;
  await world.clock.advance(25 * hourMs);
  expect(living(world)).toEqual([]);
});

test('the file that a person then wants once more waits for the looks that may decide', async () => {
  const { world, run } = await begin();
  const { id } = await loseAnswer(world, 'a.txt', 'the content');
  await run.call('queue.cancel', { ids: [id] });
  await run.call('files.upload', { paths: [path], again: true });
  await world.clock.advance(20_000);
  expect(world.service.count('upload')).toBe(1);
  await world.clock.advance(hourMs);
  expect(world.ledger.uploads.byId(id)?.state.kind).toBe('recalled');
  expect(living(world)).toEqual(['a.txt']);
});

// Outtray may look for it for ever. Another file that it could be taken for does not wait for that.
describe('an upload that a person does not want and that stays undecided', () => {
  const undecided = async (): Promise<{ world: World; run: Running; id: number }> => {
    const { world, run } = await begin();
    const { id } = await loseAnswer(world, 'a.txt', 'the content');
    world.service.linksBroken = true;
    await run.call('queue.cancel', { ids: [id] });
    await world.clock.advance(24 * hourMs);
    expect(world.row('a.txt').state).toMatchObject({ kind: 'uncertain', isUnwanted: true });
    return { world, run, id };
  };
  const others: [string, string, (both: { world: World; run: Running }) => unknown][] = [
    ['a new version', path, ({ world }) => world.disk.replace(path, 'CONTENT the')],
    ['a new version in its place', path, ({ world }) => world.disk.write(path, 'CONTENT the')],
    [
      'another file of its name',
      '/tray/sub/a.txt',
      ({ world }) => {
        world.disk.make('/tray/sub', 'folder');
        world.disk.write('/tray/sub/a.txt', 'CONTENT the');
      },
    ],
    [
      'the file that a person wants once more',
      path,
      ({ run }) => run.call('files.upload', { paths: [path], again: true }),
    ],
  ];
  test.each(others)('does not keep %s waiting', async (_, at, act) => {
    const { world, run, id } = await undecided();
    await act({ world, run });
    await world.clock.advance(minuteMs);
    const row = world.rows().findLast((one) => one.dir + '/' + one.name === at);
    expect(row).toMatchObject({ state: { kind: 'uploaded' } });
    world.service.linksBroken = false;
    await world.clock.advance(25 * hourMs);
    expect(world.ledger.uploads.byId(id)?.state.kind).toBe('recalled');
    expect(world.service.stored.filter(({ deleted }) => !deleted).map(({ link }) => link)).toEqual([
      row?.publicLink,
    ]);
  });

  test('lets a file of its name go as soon as its looks have not decided', async () => {
    const { world, run } = await begin();
    const { id } = await loseAnswer(world, 'a.txt', 'the content');
    world.service.linksBroken = true;
    await run.call('queue.cancel', { ids: [id] });
    await world.clock.advance(minuteMs);
    world.disk.make('/tray/sub', 'folder');
    world.disk.write('/tray/sub/a.txt', 'CONTENT the');
    await world.clock.advance(17 * minuteMs);
    expect(world.rows().find(({ dir }) => dir === '/tray/sub')?.state.kind).toBe('uploaded');
  });

  test.each(['before', 'after'])(
    'leaves out a copy that came %s the no: none of its bytes is sent',
    async (when) => {
      const { world, run } = await begin();
      const { id } = await loseAnswer(world, 'a.txt', 'the content');
      world.service.linksBroken = true;
      if (when === 'before') await world.put('b.txt', 'the content', 'ready');
      await run.call('queue.cancel', { ids: [id] });
      await world.clock.advance(minuteMs);
      if (when === 'after') world.disk.write('/tray/b.txt', 'the content');
      await world.clock.advance(hourMs);
      expect(world.row('a.txt').state).toMatchObject({ kind: 'uncertain', isUnwanted: true });
      expect(world.row('b.txt').state).toEqual({ kind: 'skipped', rule: 'cancelled' });
      world.service.linksBroken = false;
      await world.clock.advance(25 * hourMs);
      expect(world.service.count('upload')).toBe(1);
      expect(living(world)).toEqual([]);
    },
  );
});

test('of two files with the same bytes none is deleted by guess: a person is asked', async () => {
  const { world, run } = await begin();
  const { id } = await loseAnswer(world, 'a.txt', 'the content');
  world.service.addForeign('a.txt', 'the content');
  await run.call('queue.cancel', { ids: [id] });
  await world.clock.advance(24 * hourMs);
  expect(world.service.count('remove')).toBe(0);
  expect(world.row('a.txt').state).toEqual({ kind: 'held', reason: 'uncertain' });
});

test('nor if it is cancelled while they are compared', async () => {
  const { world, run } = await begin();
  const { id } = await loseAnswer(world, 'a.txt', 'the content');
  world.service.addForeign('a.txt', 'the content');
  const { digestOfLink } = world.service.api;
  world.service.api.digestOfLink = async (...asked) => {
    world.service.api.digestOfLink = digestOfLink;
    await run.call('queue.cancel', { ids: [id] });
    return await digestOfLink(...asked);
  };
  await world.clock.advance(24 * hourMs);
  expect(world.service.count('remove')).toBe(0);
  expect(world.row('a.txt').state).toEqual({ kind: 'held', reason: 'uncertain' });
});

// One of them may be another machine's. Which of them can be read says nothing about that.
test.each([
  ['ours', 0, 'a while'],
  ['ours', 0, 'ever'],
  ['the other', 1, 'a while'],
  ['the other', 1, 'ever'],
] as const)('nor if %s (%i) cannot be read for %s', async (_, unread, span) => {
  const { world, run } = await begin();
  const { service } = world;
  const { id } = await loseAnswer(world, 'a.txt', 'the content');
  service.addForeign('a.txt', 'the content');
  const { digestOfLink } = service.api;
  service.api.digestOfLink = (link, ...more) =>
    link === service.stored[unread]?.link
      ? Promise.reject(new AppError('interrupted', 'The connection broke.'))
      : digestOfLink(link, ...more);
  await run.call('queue.cancel', { ids: [id] });
  await world.clock.advance(span === 'ever' ? 24 * hourMs : 5 * minuteMs);
  expect(service.count('remove')).toBe(0);
  expect(world.row('a.txt').state.kind).toBe(span === 'ever' ? 'held' : 'uncertain');
  service.api.digestOfLink = digestOfLink;
  await world.clock.advance(24 * hourMs);
  expect(service.count('remove')).toBe(0);
  expect(world.row('a.txt').state).toEqual({ kind: 'held', reason: 'uncertain' });
});

test('the audit file says that it was public', async () => {
  const { world, run } = await begin({ settings: { auditFile: '/audit.jsonl' } });
  const { id } = await loseAnswer(world, 'a.txt', 'the content');
  await run.call('queue.cancel', { ids: [id] });
  await world.clock.advance(hourMs);
  const told = world.audit.lines.map(({ event, public_link }) => [event, public_link]);
  const link = world.service.stored[0]?.link;
  expect(told).toEqual([
    ['uncertain', null],
    ['public', link],
    ['recalled', link],
  ]);
});

/** An upload whose answer was lost and that was never there ends as left out, long after the no. */
describe('a yes to its content that is newer than the no', () => {
  type Yes = (run: Running, own: number, copy: number) => Promise<unknown>;
  const yeses: Record<string, Yes> = {
    confirm: (run, _, copy) => run.call('queue.confirm', { ids: [copy] }),
    async retry(run, _, copy) {
      await run.call('queue.skip', { ids: [copy] });
      await run.call('queue.retry', { ids: [copy] });
    },
    'retry of the upload itself': (run, id) => run.call('queue.retry', { ids: [id] }),
    'undo of the no': (run) => run.call('queue.undo', {}),
    'upload of its file': (run) => run.call('files.upload', { paths: [path] }),
    'upload of its file once more': (run, id) => run.call('queue.resolve', { id, choice: 'again' }),
  };
  const ends: Record<string, (world: World) => unknown> = {
    'is there': () => undefined,
    'has left': ({ disk }) => disk.remove(path),
    'has another version': ({ disk }) => disk.replace(path, 'another content'),
  };
  const both = Object.keys(yeses).flatMap((yes) => Object.keys(ends).map((end) => [yes, end] as const));
  test.each(both)('by %s holds when the file %s at the end', async (yes, end) => {
    const { world, run } = await begin();
    world.service.faults.push('tail-lost');
    const { id } = await world.put('a.txt', 'the content', 'uncertain');
    await run.call('queue.pause', { untilMs: null });
    // The copy is there before the no.
    const name = yes === 'confirm' ? 'server.key' : 'copy.txt';
    const needsCopy = yes === 'confirm' || yes === 'retry';
    const copy = needsCopy
      ? (await world.put(name, 'the content', yes === 'confirm' ? 'held' : 'ready')).id
      : 0;
    await run.call('queue.cancel', { ids: [id] });
    await yeses[yes]?.(run, id, copy);
    if (needsCopy) world.disk.remove(`/tray/${name}`);
    ends[end]?.(world);
    await world.clock.advance(24 * hourMs);
    await run.call('queue.resume', {});
    world.disk.write('/tray/c.txt', 'the content');
    await world.clock.advance(hourMs);
    expect(world.service.stored.map(({ sha256 }) => sha256)).toContain(world.row('c.txt').sha256);
    expect(['uploaded', 'already-shared']).toContain(fateOf(world.row('c.txt').state));
  });
});

test('a no that an earlier version stored at the row alone keeps a copy back once the upload has ended', async () => {
  const { world } = await begin();
  world.service.faults.push('tail-lost');
  const { id, state } = await world.put('a.txt', 'the content', 'uncertain');
  if (state.kind !== 'uncertain') throw new Error(state.kind);
  world.ledger.uploads.update(id, { state: { ...state, isUnwanted: true } }, 0);
  await world.clock.advance(24 * hourMs);
  expect(world.row('a.txt').state.kind).toBe('skipped');
  world.disk.write('/tray/b.txt', 'the content');
  await world.clock.advance(hourMs);
  expect(world.row('b.txt').state).toEqual({ kind: 'skipped', rule: 'cancelled' });
});

describe('a no that is withdrawn', () => {
  test.each(['sending', 'committing', 'uncertain', 'held'])(
    'while it is %s gives it its link',
    async (state) => {
      const both = await begin();
      await bring[state]?.(both);
      const { id } = both.world.row('a.txt');
      await both.run.client.call('queue.cancel', { ids: [id] });
      expect(await both.run.client.call('queue.undo', {})).toHaveLength(1);
      await both.world.clock.advance(minuteMs);
      const kind = state === 'held' ? 'held' : 'uploaded';
      await both.world.until('a.txt', kind, hourMs);
      expect(living(both.world)).toEqual(['a.txt']);
    },
  );

  test('by uploading it again sends it once more', async () => {
    const { world, run } = await begin();
    const { id } = await loseAnswer(world, 'a.txt', 'the content');
    await run.call('queue.cancel', { ids: [id] });
    await run.call('queue.resolve', { id, choice: 'again' });
    await world.until('a.txt', 'uploaded');
    expect(world.service.count('upload')).toBe(2);
  });

  test('by the file that a person picks is not: its link is taken back', async () => {
    const { world, run } = await begin();
    const { id } = await loseAnswer(world, 'a.txt', 'the content');
    await run.call('queue.cancel', { ids: [id] });
    const fileId = world.service.stored[0]?.fileId ?? 0;
    await run.call('queue.resolve', { id, choice: 'this-is-it', fileId });
    await world.clock.advance(minuteMs);
    expect(living(world)).toEqual([]);
  });
});
