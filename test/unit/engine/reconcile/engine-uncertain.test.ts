// An answer was lost. The files on the service decide, after patient lookups; nothing is sent again blindly.
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import type { UploadState } from '../../../../src-main/contract/model.ts';
import { isDeep } from '../../../support/deep.ts';
import type { FakeService } from '../../../support/fake-service.ts';
import { begin, createWorld, minuteMs, share, started, type World } from '../../../support/fake-world.ts';

/** A file whose answer is lost, just now. */
const lose = async (
  fault: 'answer-lost' | 'tail-lost',
  given: Parameters<typeof createWorld>[0] = {},
  knobs: Partial<FakeService> = {},
): Promise<World> => {
  const world = createWorld(given);
  Object.assign(world.service, knobs);
  await world.start();
  await world.clock.advance(1000);
  world.service.faults.push(fault);
  await world.put('a.txt', 'the content', 'uncertain');
  return world;
};

describe('an upload whose answer was lost', () => {
  test('is found by the first lookup half a minute later and keeps that link', async () => {
    const world = await lose('answer-lost');
    await world.clock.advance(29_000);
    expect(world.row('a.txt').state.kind).toBe('uncertain');
    const row = await world.until('a.txt', 'uploaded', 5000);
    expect(row).toMatchObject({
      fileId: world.service.stored[0]?.fileId,
      publicLink: world.service.stored[0]?.link,
    });
    await world.clock.advance(60 * minuteMs);
    expect(world.service.count('upload')).toBe(1);
    expect(world.service.count('list')).toBe(1);
  });

  test('is not adopted once another account is present, and is when its own is back', async () => {
    const world = await lose('answer-lost');
    const { accounts } = world.ledger;
    const own = accounts.present();
    const { digestOfLink } = world.service.api;
    world.service.api.digestOfLink = (...given) => {
      // Another process logs in while the content is compared.
      accounts.become(accounts.add());
      world.service.api.digestOfLink = digestOfLink;
      return digestOfLink(...given);
    };
    await world.clock.runUntil(() => accounts.present() !== own, minuteMs);
    await world.clock.advance(1000);
    expect(world.row('a.txt').state.kind).toBe('uncertain');
    accounts.become(own);
    world.running().engine.nudge();
    await world.until('a.txt', 'uploaded', 60 * minuteMs);
    expect(world.service.count('upload')).toBe(1);
  });

  test('is found later when the list shows it late', async () => {
    const world = await lose('answer-lost', {}, { listLagMs: 10 * minuteMs });
    await world.clock.advance(15 * minuteMs);
    expect(world.row('a.txt').state.kind).toBe('uncertain');
    await world.until('a.txt', 'uploaded', 2 * minuteMs);
    expect(world.service.stored).toHaveLength(1);
    expect(world.service.count('list')).toBe(3);
  });

  test('is sent again only after an absence that is proved after reconcileAfterMs', async () => {
    const world = await lose('tail-lost');
    const lostAtMs = world.clock.monoMs();
    const row = await world.until('a.txt', 'uploaded', 30 * minuteMs);
    expect(world.clock.monoMs() - lostAtMs).toBeGreaterThan(15 * minuteMs);
    expect(world.clock.monoMs() - lostAtMs).toBeLessThan(17 * minuteMs);
    expect(world.service.stored.map((file) => file.fileId)).toEqual([row.fileId]);
    expect(world.service.count('upload')).toBe(2);
  });

  test('is never taken for a foreign file of the same name and size', async () => {
    const world = await lose('tail-lost');
    const foreign = world.service.addForeign('a.txt', 'CONTENT the');
    const row = await world.until('a.txt', 'uploaded', 30 * minuteMs);
    expect(row.fileId).not.toBe(foreign.fileId);
    expect(world.service.stored).toHaveLength(2);
  });

  test('is held when an entry of its size has no id: it may be that one', async () => {
    const world = await lose('answer-lost', {}, { withoutIdOf: ['a.txt'] });
    world.service.addForeign('b.txt', 'of another size');
    const row = await world.until('a.txt', 'held', 90 * minuteMs);
    expect(row.state).toEqual({ kind: 'held', reason: 'uncertain' });
    await world.clock.advance(24 * 60 * minuteMs);
    expect(world.service.count('upload')).toBe(1);
  });

  test('is sent again beside an entry of another size without an id', async () => {
    const world = await lose('tail-lost', {}, { withoutIdOf: ['b.txt'] });
    world.service.addForeign('b.txt', 'of another size');
    await world.until('a.txt', 'uploaded', 30 * minuteMs);
    expect(world.service.count('upload')).toBe(2);
  });

  test('is held when a candidate cannot be compared, and never sent again by itself', async () => {
    const world = await lose('answer-lost', {}, { linksBroken: true });
    const row = await world.until('a.txt', 'held', 30 * minuteMs);
    expect(row.state).toEqual({ kind: 'held', reason: 'uncertain' });
    await world.clock.advance(24 * 60 * minuteMs);
    expect(world.service.count('upload')).toBe(1);
  });

  test("is sent again in that case if the user's setting says so", async () => {
    const world = await lose('answer-lost', { settings: { onAmbiguous: 'reupload' } }, { linksBroken: true });
    await world.until('a.txt', 'uploaded', 30 * minuteMs);
    expect(world.service.count('upload')).toBe(2);
  });

  test('is compared through the file’s own endpoint when the list has no links', async () => {
    const world = await lose('answer-lost', {}, { without: ['public_link', 'filename', 'size'] });
    const row = await world.until('a.txt', 'uploaded', 5 * minuteMs);
    expect(row).toMatchObject({ publicLink: world.service.stored[0]?.link, remoteSize: 11 });
    expect(world.service.count('info')).toBe(1);
  });

  test('is held when neither list nor endpoint has a link', async () => {
    const world = await lose('answer-lost', {}, { without: ['public_link'] });
    world.service.api.info = () => Promise.reject(new Error('no'));
    await world.until('a.txt', 'held', 30 * minuteMs);
  });

  describe('that got the id of a deleted file, and the list has no links,', () => {
    /** A file of the same size, and the id of another one that is deleted now. */
    const loseAgain = async (
      fault: 'answer-lost' | 'tail-lost',
      whose: 'ours' | 'foreign',
      content = 'the content',
    ): Promise<World> => {
      const world = createWorld();
      Object.assign(world.service, { ids: 'again', without: ['public_link'] });
      const run = await world.start();
      if (whose === 'ours') await world.put('before.txt', 'before this', 'uploaded');
      else world.service.addForeign('before.txt', content);
      await run.call('files.list', {});
      const [before] = world.service.stored;
      if (before === undefined) throw new Error('Nothing is stored.');
      if (fault === 'answer-lost') before.deleted = true;
      await world.clock.advance(30_000);
      world.service.faults.push(fault);
      await world.put('a.txt', 'the content', 'uncertain');
      return world;
    };

    test('is found, although the ledger knows that id', async () => {
      const world = await loseAgain('answer-lost', 'ours');
      const row = await world.until('a.txt', 'uploaded', 30 * minuteMs);
      expect(row.publicLink).toBe(world.service.stored[1]?.link);
      expect(world.row('before.txt').idTakenAtMs).not.toBeNull();
      expect(world.service.count('upload')).toBe(2);
    });

    test('is sent again if that id still shows the link of our file', async () => {
      const world = await loseAgain('tail-lost', 'ours');
      world.service.without = ['public_link', 'filename'];
      await world.until('a.txt', 'uploaded', 30 * minuteMs);
      expect(world.service.count('upload')).toBe(3);
      expect(world.service.count('info')).toBe(1);
    });

    test('is sent again without a question if that id still shows the name of our file', async () => {
      const world = await loseAgain('tail-lost', 'ours');
      await world.until('a.txt', 'uploaded', 30 * minuteMs);
      expect(world.service.count('upload')).toBe(3);
      expect(world.service.count('info')).toBe(0);
    });

    test('is held if that id was of a file of another device, whose link was never seen', async () => {
      const world = await loseAgain('answer-lost', 'foreign');
      await world.until('a.txt', 'held', 30 * minuteMs);
      expect(world.service.count('upload')).toBe(1);
    });

    test('is sent again if the file of another device serves other bytes', async () => {
      const world = await loseAgain('tail-lost', 'foreign', 'before this');
      await world.until('a.txt', 'uploaded', 30 * minuteMs);
      expect(world.service.count('upload')).toBe(2);
    });

    test('is shown to a person', async () => {
      const world = await loseAgain('answer-lost', 'ours');
      world.service.linksBroken = true;
      const row = await world.until('a.txt', 'held', 30 * minuteMs);
      const fileId = world.service.stored[1]?.fileId;
      const shown = await world.running().call('queue.candidates', { id: row.id });
      expect(shown.map(({ file }) => file.file_id)).toEqual([fileId]);
    });

    test('waits for the next look if the id cannot be asked because of the rate', async () => {
      const world = await loseAgain('answer-lost', 'ours');
      const { info } = world.service.api;
      world.service.api.info = () => {
        world.service.api.info = info;
        return Promise.reject(new AppError('rate', 'Wait.', '', { status: 429 }));
      };
      await world.until('a.txt', 'uploaded', 60 * minuteMs);
      expect(world.service.count('upload')).toBe(2);
    });
  });

  describe('whose size many of our files have, in a list without links and names,', () => {
    /** One look asks twenty ids. `isThere`: it got the id of one of our files, which is deleted. */
    const loseAmong = async (
      most: number,
      { isThere, order = 'newest' }: { isThere: boolean; order?: FakeService['order'] },
    ): Promise<World> => {
      const world = createWorld({ settings: { requestsPerDay: 200 } });
      Object.assign(world.service, { ids: 'again', without: ['public_link', 'filename'], order });
      await world.start();
      for (let n = 0; n < most; n += 1) {
        await world.put(`own-${n}.txt`, `own ${100 + n}`, 'uploaded', 30 * minuteMs);
        await world.clock.advance(10_000);
      }
      const last = world.service.stored.at(-1);
      if (last !== undefined && isThere) last.deleted = true;
      await world.clock.advance(24 * 60 * minuteMs);
      world.service.faults.push(isThere ? 'answer-lost' : 'tail-lost');
      await world.put('a.txt', 'own abc', 'uncertain');
      return world;
    };

    test.each(['newest', 'oldest', 'shuffled'] as const)(
      'is found, whether it stands first or last: %s',
      async (order) => {
        const world = await loseAmong(25, { isThere: true, order });
        const row = await world.until('a.txt', 'uploaded', 120 * minuteMs);
        expect(row.publicLink).toBe(world.service.stored.at(-1)?.link);
        expect(world.service.count('upload')).toBe(26);
      },
    );

    test('is sent again once all their ids were asked', async () => {
      const world = await loseAmong(25, { isThere: false });
      await world.until('a.txt', 'uploaded', 120 * minuteMs);
      expect(world.service.count('upload')).toBe(27);
      expect(world.service.count('info')).toBe(25);
    });

    test('is held if they are too many to be asked', async () => {
      const world = await loseAmong(70, { isThere: false });
      const row = await world.until('a.txt', 'held', 120 * minuteMs);
      expect(row.state).toMatchObject({ kind: 'held', reason: 'uncertain' });
      expect(world.service.count('upload')).toBe(71);
    });

    test.each(['newest', 'oldest'] as const)(
      'is deleted without a question if a person does not want it: %s',
      async (order) => {
        const world = await loseAmong(25, { isThere: true, order });
        await world.running().call('queue.cancel', { ids: [world.row('a.txt').id] });
        await world.clock.runUntil(() => world.service.stored.at(-1)?.deleted === true, 120 * minuteMs);
      },
    );
  });

  test('is looked up again when the list could not be read', async () => {
    const world = await lose('answer-lost', {}, { refuseLists: { code: 'unusable-answer', status: 502 } });
    await world.clock.advance(2 * minuteMs);
    expect(world.row('a.txt').state.kind).toBe('uncertain');
    expect(world.service.count('list')).toBeGreaterThan(1);
    world.service.refuseLists = null;
    await world.until('a.txt', 'uploaded', 5 * minuteMs);
  });

  test('is looked up less and less often while the list cannot be read, and soon again when it can', async () => {
    const world = await lose('answer-lost', {}, { refuseLists: { code: 'unusable-answer', status: 502 } });
    const hours = isDeep ? 24 : 4;
    await world.clock.advance(hours * 60 * minuteMs);
    expect(world.service.count('list')).toBeLessThan(hours * 4 + 10);
    world.service.refuseLists = null;
    await world.until('a.txt', 'uploaded', 16 * minuteMs);
  });

  test('ends as gone when it was never created and its file disappeared meanwhile', async () => {
    const world = await lose('tail-lost');
    world.disk.remove('/tray/a.txt');
    await world.until('a.txt', 'gone', 30 * minuteMs);
    expect(world.service.stored).toEqual([]);
  });

  test('is adopted although its file disappeared meanwhile: the link exists', async () => {
    const world = await lose('answer-lost');
    world.disk.remove('/tray/a.txt');
    const row = await world.until('a.txt', 'uploaded', minuteMs);
    expect(row).toMatchObject({ present: false, fileId: world.service.stored[0]?.fileId });
  });

  test.each([
    ['the id of another upload', { file_id: 1001 }],
    ['a link that is none', { public_link: 'javascript:1' }],
    ['the size of another file', { size: 99_999 }],
  ])('is uncertain, too, when the answer has %s', async (_, receipt) => {
    const { world } = await started();
    await share(world, 'first.txt', 'first');
    world.service.faults.push({ receipt });
    await world.put('a.txt', 'the content', 'uncertain');
    const row = await world.until('a.txt', 'uploaded', minuteMs);
    expect(row.fileId).toBe(world.service.stored[1]?.fileId);
  });

  test('is uncertain when the answer has the id of a file that was there before', async () => {
    const { world, run } = await started();
    const foreign = world.service.addForeign('other.txt', 'other');
    await run.call('files.refresh', {});
    await world.clock.advance(1000);
    world.service.faults.push({ receipt: { file_id: foreign.fileId } });
    await world.put('a.txt', 'the content', 'uncertain');
  });

  test('shows the name given by the service when it differs', async () => {
    const { world } = await started();
    world.service.faults.push({ receipt: { filename: 'a (1).txt' } });
    world.disk.write('/tray/a.txt', 'the content');
    expect(await world.until('a.txt', 'uploaded')).toMatchObject({
      sentName: 'a.txt',
      remoteName: 'a (1).txt',
    });
  });
});

describe('while an upload is uncertain', () => {
  test('its file waits under a new name, and is the same upload in the end', async () => {
    const world = await lose('answer-lost');
    const run = world.running();
    world.disk.rename('/tray/a.txt', '/tray/b.txt');
    await world.clock.advance(20_000);
    expect(world.row('b.txt').state.kind).toBe('ready');
    await world.clock.advance(60 * minuteMs);
    expect(world.service.stored).toHaveLength(1);
    const row = world.ledger.uploads.byFileId(world.service.stored[0]?.fileId ?? 0);
    expect(row).toMatchObject({ name: 'b.txt', present: true });
    expect((await run.call('app.status', {})).counts).toMatchObject({ uploaded: 1, waiting: 0, held: 0 });
  });

  test('another file of the same name and size waits for the result', async () => {
    const world = await lose('answer-lost');
    world.disk.make('/tray/sub', 'folder');
    world.disk.write('/tray/sub/a.txt', 'CONTENT the');
    await world.clock.advance(20_000);
    expect(world.service.count('upload')).toBe(1);
    await world.clock.advance(2 * minuteMs);
    expect(world.service.namesOf()).toEqual(['a.txt', 'a.txt']);
    expect(world.rows().map((row) => row.state.kind)).toEqual(['uploaded', 'uploaded']);
    const [first, second] = world.rows();
    expect(first?.fileId).toBe(world.service.stored[0]?.fileId);
    expect(second?.fileId).toBe(world.service.stored[1]?.fileId);
  });

  test('other files are uploaded', async () => {
    const world = await lose('answer-lost');
    await world.put('b.txt', 'something else', 'uploaded', 10_000);
  });

  test('a pause is respected: nothing is requested, and the lookups continue after it', async () => {
    const world = await lose('answer-lost');
    const untilMs = world.clock.wallMs() + 10 * minuteMs;
    world.ledger.facts.set('pause', { untilMs }, world.clock.wallMs());
    await world.clock.advance(9 * minuteMs);
    expect(world.service.count('list')).toBe(0);
    await world.until('a.txt', 'uploaded', 2 * minuteMs);
  });

  test('lookups continue by themselves after the network was away', async () => {
    const world = await lose('answer-lost');
    world.service.refuse = { code: 'offline' };
    world.disk.write('/tray/b.txt', 'something else');
    await world.clock.advance(10 * minuteMs);
    world.service.refuse = null;
    await world.until('a.txt', 'uploaded', 10 * minuteMs);
  });

  test('lookups continue even if no file is left to probe the network', async () => {
    const world = await lose('answer-lost');
    world.service.refuse = { code: 'offline' };
    world.disk.write('/tray/b.txt', 'something else');
    await world.clock.advance(minuteMs);
    world.disk.remove('/tray/b.txt');
    await world.clock.advance(10 * minuteMs);
    world.service.refuse = null;
    await world.until('a.txt', 'uploaded', 10 * minuteMs);
  });
});

describe('an upload that is held as uncertain', () => {
  const held = async (): Promise<World> => {
    const world = await lose('answer-lost', {}, { linksBroken: true });
    await world.until('a.txt', 'held', 30 * minuteMs);
    return world;
  };

  test('prevents the upload of the only copy of its content when its own file disappears meanwhile', async () => {
    const world = await held();
    world.service.latencyMs = 10_000;
    await world.put('copy.txt', 'the content', 'sending');
    world.disk.remove('/tray/a.txt');
    await world.clock.advance(2 * minuteMs);
    expect(world.service.stored).toHaveLength(1);
    expect(world.rows().filter(({ present }) => present)).toMatchObject([
      { name: 'copy.txt', state: { kind: 'held', reason: 'uncertain' } },
    ]);
  });

  test('does not prevent the upload of a copy while its own file exists', async () => {
    const world = await held();
    await world.put('copy.txt', 'the content', 'uploaded');
    expect(world.service.stored).toHaveLength(2);
  });

  test('does not prevent another upload of the same file when a person asks for another link', async () => {
    const world = await held();
    await world.running().call('files.upload', { paths: ['/tray/a.txt'], again: true });
    await world.until('a.txt', 'uploaded');
    expect(world.service.stored).toHaveLength(2);
  });

  test('stays held when its new version is given by path', async () => {
    const world = await held();
    const { id } = world.row('a.txt');
    world.disk.hints(false);
    world.disk.write('/tray/a.txt', 'a new version');
    await world.running().call('files.upload', { paths: ['/tray/a.txt'] });
    expect(world.ledger.uploads.byId(id)?.state).toEqual({ kind: 'held', reason: 'uncertain' });
    await world.until('a.txt', 'uploaded', minuteMs);
  });
});

test('a look that began before a person sent it again decides nothing about the new upload', async () => {
  const { world, run } = await begin();
  const { service, clock } = world;
  service.addForeign('b.txt', 'CONTENT the');
  service.faults.push('tail-lost');
  const { id } = await world.put('a.txt', 'the content', 'uncertain');
  await clock.advance(15 * minuteMs);
  const { digestOfLink } = service.api;
  let goOn = (): void => undefined;
  service.api.digestOfLink = async (...asked) => {
    service.api.digestOfLink = digestOfLink;
    await new Promise<void>((resolve) => (goOn = resolve));
    return await digestOfLink(...asked);
  };
  await clock.advance(minuteMs);
  service.faults.push('answer-lost');
  await run.call('queue.resolve', { id, choice: 'again' });
  await clock.advance(10_000);
  expect(service.count('upload')).toBe(2);
  goOn();
  await world.until('a.txt', 'uploaded', 60 * minuteMs);
  expect(service.count('upload')).toBe(2);
});

describe('of uploads whose attempts are not known', () => {
  const insert = (world: World, name: string, state: Partial<Extract<UploadState, { kind: 'uncertain' }>>) =>
    world.ledger.uploads.insert(
      {
        folderId: null,
        dir: '/given',
        name,
        stamp: { sizeBytes: name.length, key: name, inode: name, mtimeMs: 1, ctimeMs: 1 },
        sha256: 'a'.repeat(64),
        state: { kind: 'uncertain', attemptId: 0, looks: 0, nextLookAtMs: world.clock.wallMs(), ...state },
      },
      world.clock.wallMs(),
    ).id;

  test('each has its own time since its answer was lost', async () => {
    const world = createWorld();
    world.service.addForeign('old.txt', 'other');
    world.service.linksBroken = true;
    insert(world, 'old.txt', { isUnwanted: true });
    const run = await world.start();
    await world.clock.advance(60 * minuteMs);
    const id = insert(world, 'new one.txt', {});
    run.engine.nudge();
    await world.clock.advance(13 * minuteMs);
    expect(world.ledger.uploads.byId(id)?.state.kind).toBe('uncertain');
  });

  test('those that a person does not want are looked for during a pause, however many others wait', async () => {
    const world = createWorld();
    for (let n = 0; n < 1001; n += 1) insert(world, `wanted ${n}`, {});
    const id = insert(world, 'unwanted', { isUnwanted: true, nextLookAtMs: world.clock.wallMs() + 1 });
    const run = await world.start();
    await run.call('queue.pause', { untilMs: null });
    await world.clock.advance(60 * minuteMs);
    expect(world.service.count('list')).toBeGreaterThan(0);
    expect(world.ledger.uploads.byId(id)?.state.kind).not.toBe('uncertain');
  });
});
