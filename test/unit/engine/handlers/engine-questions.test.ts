// Open questions: uploads with an unknown outcome. A source that may be wrong does not
// answer them.
import { describe, expect, test } from 'vitest';
import { createWorld, hourMs, minuteMs, share, started, type World } from '../../../support/fake-world.ts';

const elsewhere = 'https://elsewhere.example/api/v1';

const lose = async (world: World, name = 'a.txt', content = 'the content'): Promise<number> => {
  world.service.faults.push('answer-lost');
  world.disk.write(`/tray/${name}`, content);
  return (await world.until(name, 'uncertain')).id;
};
/** The account of another key: it has none of our files. */
const changeAccount = (world: World): void => {
  world.service.stored = [];
  world.service.addForeign('theirs.txt', 'theirs');
  world.keys.stored = 'key-of-another';
};

describe('with the key of another account', () => {
  test('an upload is not sent again because it is missing there', async () => {
    const { world } = await started();
    await share(world, 'first.txt', 'first');
    await world.clock.advance(hourMs);
    await lose(world);
    changeAccount(world);
    await world.clock.advance(2 * hourMs);
    expect(world.row('a.txt').state.kind).toBe('uncertain');
    expect(world.service.count('upload')).toBe(2);
  });

  test('an upload missing beside our own files is sent again, and so is one missing from an empty account at first', async () => {
    const { world } = await started();
    world.service.faults.push('tail-lost');
    await world.put('a.txt', 'the content', 'uncertain');
    await world.until('a.txt', 'uploaded', hourMs);
    world.service.addForeign('theirs.txt', 'theirs');
    await world.clock.advance(hourMs);
    world.service.faults.push('tail-lost');
    await world.put('b.txt', 'more content', 'uncertain');
    await world.until('b.txt', 'uploaded', hourMs);
  });

  test('the very first upload is sent again if the later ones are there', async () => {
    const { world } = await started();
    world.service.faults.push('tail-lost');
    for (const name of ['a.txt', 'b.txt', 'c.txt']) world.disk.write(`/tray/${name}`, `content of ${name}`);
    await world.clock.advance(hourMs);
    expect(world.rows().map(({ state }) => state.kind)).toEqual(['uploaded', 'uploaded', 'uploaded']);
    expect(world.service.stored).toHaveLength(3);
  });

  test('the very first upload is not sent again if none of the later ones is there', async () => {
    const { world } = await started();
    world.service.faults.push('tail-lost');
    for (const name of ['a.txt', 'b.txt', 'c.txt']) world.disk.write(`/tray/${name}`, `content of ${name}`);
    await world.clock.runUntil(() => world.ledger.uploads.countInState('uploaded') === 2, minuteMs);
    changeAccount(world);
    await world.clock.advance(3 * hourMs);
    expect(world.ledger.uploads.countInState('uncertain')).toBe(1);
    expect(world.service.namesOf()).toEqual(['theirs.txt']);
  });

  test('files that this machine deleted on the service do not count as missing', async () => {
    const { world, run } = await started();
    const { fileId } = await world.put('first.txt', 'first', 'uploaded');
    await world.clock.advance(hourMs);
    await run.call('files.delete', { fileIds: [fileId ?? 0] });
    world.service.faults.push('tail-lost');
    await world.put('a.txt', 'the content', 'uncertain');
    await world.until('a.txt', 'uploaded', hourMs);
  });
});

describe('at another address', () => {
  const move = async (): Promise<{ world: World; id: number }> => {
    const world = createWorld();
    const first = await world.start();
    const id = await lose(world);
    await first.stop();
    changeAccount(world);
    await world.settings.set('baseUrl', elsewhere);
    return { world, id };
  };

  test('an upload is not looked up, and nothing else is sent, while it is the only trace of the first one', async () => {
    const { world, id } = await move();
    const run = await world.start();
    world.disk.write('/tray/b.txt', 'more');
    await world.clock.advance(2 * hourMs);
    expect(world.service.requests.filter(({ kind }) => kind === 'list')).toEqual([]);
    expect(world.service.namesOf()).toEqual(['theirs.txt']);
    expect(run.engine.status().gate).toMatchObject({ kind: 'closed', reason: 'key' });
    const ask = run.call('queue.candidates', { id });
    await expect(ask).rejects.toMatchObject({ code: 'unknown-key' });
    const pick = run.call('queue.resolve', { id, choice: 'this-is-it', fileId: 1001 });
    await expect(pick).rejects.toMatchObject({ code: 'unknown-key' });
    await run.call('queue.resolve', { id, choice: 'leave' });
    await run.call('account.decide', { is: 'another' });
    await world.until('b.txt', 'uploaded', 20 * minuteMs);
    // The no waits for the key of its account.
    expect(world.row('a.txt').state).toMatchObject({ kind: 'uncertain', isUnwanted: true });
  });

  test("an upload held for a person's decision counts as well", async () => {
    const { world, id } = await move();
    world.ledger.uploads.update(id, { state: { kind: 'held', reason: 'uncertain' } }, 0);
    const run = await world.start();
    world.disk.write('/tray/b.txt', 'more');
    await world.clock.advance(hourMs);
    expect(world.service.namesOf()).toEqual(['theirs.txt']);
    await run.call('queue.resolve', { id, choice: 'again' });
    await world.clock.runUntil(() => world.service.namesOf().length === 3, 20 * minuteMs);
  });
});

test('the uncertain one among more than 1,000 held files is found by its content', async () => {
  const { world } = await started();
  const id = await lose(world);
  world.service.linksBroken = true;
  await world.until('a.txt', 'held', hourMs);
  const held = { kind: 'held' as const, reason: 'burst' as const };
  world.ledger.atomically(() => {
    for (let n = 0; n < 1100; n += 1) {
      const draft = { folderId: null, dir: '/x', name: String(n), stamp: null, state: held, priority: 1 };
      world.ledger.uploads.insert(draft, world.clock.wallMs());
    }
  });
  world.disk.rename('/tray/a.txt', '/tray/b.txt');
  await world.clock.advance(hourMs);
  expect(world.ledger.uploads.byId(id)).toMatchObject({
    name: 'b.txt',
    present: true,
    state: { kind: 'held' },
  });
  expect(world.service.count('upload')).toBe(1);
});

describe('beside hundreds of uncertain uploads', () => {
  const open = (world: World, count: number): void => {
    const state = { kind: 'uncertain' as const, attemptId: 0, looks: 0, nextLookAtMs: 9e15 };
    world.ledger.atomically(() => {
      for (let n = 1; n <= count; n += 1) {
        const stamp = { sizeBytes: 7, key: `7:${n}`, inode: `x${n}`, mtimeMs: 0, ctimeMs: 0 };
        const draft = { folderId: null, dir: '/x', name: `${n}.txt`, stamp, state };
        world.ledger.uploads.insert(draft, world.clock.wallMs());
      }
    });
  };

  test('a file with the name and size of the last of them waits', async () => {
    const { world } = await started();
    open(world, 300);
    world.disk.write('/tray/300.txt', 'content');
    await world.clock.advance(hourMs);
    expect(world.row('300.txt').state.kind).toBe('ready');
    expect(world.service.count('upload')).toBe(0);
  });

  test('a file that may be sent is found behind hundreds that may not', async () => {
    const { world, run } = await started({ settings: { burstFiles: 1000 } });
    await run.call('queue.pause', { untilMs: null });
    open(world, 1);
    for (let n = 0; n < 220; n += 1) world.disk.write(`/tray/d${n}/1.txt`, String(n).padEnd(7));
    world.disk.make('/tray/d', 'folder');
    for (let n = 0; n < 220; n += 1) world.disk.make(`/tray/d${n}`, 'folder');
    await run.call('folder.scan', {});
    await world.clock.runUntil(() => world.ledger.uploads.countInState('ready') === 220);
    await world.put('free.txt', 'may go', 'ready');
    await run.call('queue.resume', {});
    await world.until('free.txt', 'uploaded', minuteMs);
    expect(world.service.count('upload')).toBe(1);
  });
});

describe('“this is it”', () => {
  test('takes the link from the list if the details of the file have none', async () => {
    const { world, run } = await started();
    const id = await lose(world);
    world.service.linksBroken = true;
    await world.until('a.txt', 'held', hourMs);
    const { info } = world.service.api;
    world.service.api.info = async (fileId, signal) => {
      const { public_link: _, ...file } = await info(fileId, signal);
      return file;
    };
    const fileId = world.service.stored[0]?.fileId ?? 0;
    const view = await run.call('queue.resolve', { id, choice: 'this-is-it', fileId });
    expect(view).toMatchObject({ state: { kind: 'uploaded' }, publicLink: world.service.stored[0]?.link });
  });

  test('is refused without a valid link, and changes nothing', async () => {
    const { world, run } = await started();
    const id = await lose(world);
    await run.call('queue.pause', { untilMs: null });
    const fileId = world.service.stored[0]?.fileId ?? 0;
    const pick = (): Promise<unknown> => run.call('queue.resolve', { id, choice: 'this-is-it', fileId });
    for (const file of [{}, { public_link: 'javascript:1' }]) {
      world.service.api.info = async () => file;
      await expect(pick()).rejects.toMatchObject({ code: 'unusable-answer' });
    }
    expect(world.row('a.txt').state.kind).toBe('uncertain');
  });
});
