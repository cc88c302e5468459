// Commands about waiting, held or skipped uploads, in unexpected situations.
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import { begin, hourMs, minuteMs, share } from '../../../support/fake-world.ts';

test('without a folder, the list of skipped files contains those given by path', async () => {
  const { world, run } = await begin({ settings: { folder: null } }, undefined, { folder: null });
  world.disk.write('/else/empty.txt', '');
  await run.call('files.upload', { paths: ['/else/empty.txt'] });
  await world.until('empty.txt', 'skipped');
  const { skipped } = await run.call('queue.get', {});
  expect(skipped.map(({ name }) => name)).toEqual(['empty.txt']);
});

test('an upload whose link was taken back cannot be moved to the top, and others of the same request are', async () => {
  const { world, run } = await begin();
  const fileId = await share(world, 'a.txt');
  const { id } = world.row('a.txt');
  await run.call('files.recall', { files: [{ fileId }] });
  await run.call('queue.pause', { untilMs: null });
  const waits = await world.put('b.txt', 'b', 'ready');
  await expect(run.call('queue.toTop', { ids: [id] })).rejects.toMatchObject({
    code: 'bad-use',
    message: `Upload q${id} has changed in the meantime.`,
  });
  expect((await run.call('queue.toTop', { ids: [id, waits.id] })).map(({ name }) => name)).toEqual(['b.txt']);
  expect(world.row('b.txt').priority).toBe(1);
});

test('files of one fate are counted and identified whatever their number; the first hundred are shown', async () => {
  const { world, run } = await begin({ settings: { folder: null } }, undefined, { folder: null });
  const paths = Array.from({ length: 230 }, (_, at) => `/else/${at}.txt`);
  for (const path of paths) world.disk.write(path, '');
  const taken = await run.call('files.upload', { paths });
  await world.until('229.txt', 'skipped');
  const ids = taken.flatMap(({ upload }) => upload?.id ?? []);
  const [alike, ...others] = await run.call('queue.alike', { ids: [...ids, 99_999] });
  expect(others).toEqual([]);
  expect(alike).toMatchObject({
    ids,
    asOfMs: Math.max(...ids.map((id) => world.ledger.uploads.byId(id)?.changedAtMs ?? 0)),
  });
  expect(alike?.uploads.map(({ id }) => id)).toEqual(ids.slice(0, 100));
  const by = { kind: 'skipped', fate: 'empty', asOfMs: alike?.asOfMs ?? 0 } as const;
  const [all] = await run.call('queue.alike', { alike: by });
  expect(all?.ids.toSorted((a, b) => a - b)).toEqual(ids);
});

test('without an uncertain upload, nothing is requested from the service', async () => {
  const { world, run } = await begin();
  await share(world, 'a.txt');
  const asked = world.service.requests.length;
  expect(await run.call('queue.uncertain', {})).toEqual([]);
  expect(world.service.requests).toHaveLength(asked);
});

test('candidates are shown only for an uncertain upload', async () => {
  const { world, run } = await begin();
  await share(world, 'a.txt');
  const { id } = world.row('a.txt');
  await expect(run.call('queue.candidates', { id })).rejects.toThrow(`Upload q${id} is not uncertain.`);
});

describe('what is no regular file', () => {
  test('cannot be confirmed', async () => {
    const { world, run } = await begin();
    world.disk.make('/tray/shortcut', 'link');
    const { id } = await world.until('shortcut', 'skipped');
    await expect(run.call('queue.confirm', { ids: [id] })).rejects.toMatchObject({
      code: 'bad-use',
      remedy: 'Put the file itself into the folder.',
    });
    await world.clock.advance(minuteMs);
    expect(world.service.stored).toEqual([]);
  });

  test('cannot be tried again; a file beside it can', async () => {
    const { world, run } = await begin();
    world.service.faults.push({ code: 'refused', status: 415 }, { code: 'refused', status: 415 });
    const [gone, there] = [await world.put('a.txt', 'a', 'failed'), await world.put('b.txt', 'bb', 'failed')];
    world.disk.hints(false);
    world.disk.remove('/tray/a.txt');
    await expect(run.call('queue.retry', { ids: [gone.id] })).rejects.toMatchObject({
      code: 'bad-use',
      message: expect.stringContaining('there is no regular file at its path') as string,
    });
    expect((await run.call('queue.retry', { ids: [gone.id, there.id] })).map(({ id }) => id)).toEqual([
      there.id,
    ]);
    await world.until('b.txt', 'uploaded');
  });
});

describe('the estimate of when everything is done', () => {
  /** The speed is known from a large upload, and another one is on its way. */
  const underWay = async () => {
    const { world, run } = await begin();
    await share(world, 'first.bin', 'x'.repeat(1_000_000));
    world.service.latencyMs = 20_000;
    await world.put('second.bin', 'y'.repeat(2_000_000), 'sending');
    return { world, run };
  };

  test('counts the remaining bytes of uploads under way', async () => {
    const { world, run } = await underWay();
    const { doneAtMs, sending } = run.engine.status();
    expect(sending).toBe(1);
    expect(doneAtMs).toBeGreaterThan(world.clock.wallMs());
  });

  test('is missing from an otherwise unchanged status while the disk cannot be read', async () => {
    const { world, run } = await underWay();
    const before = run.engine.status();
    expect(before.doneAtMs).not.toBeNull();
    world.ledger.views.counts = () => {
      throw new AppError('disk', 'The disk does not answer.', '', { storage: 'full' });
    };
    expect(run.engine.status()).toMatchObject({
      counts: before.counts,
      folder: before.folder,
      doneAtMs: null,
      storage: null,
    });
  });

  test("is not served from an old status after a fault other than the disk's", async () => {
    const { world, run } = await underWay();
    const { counts } = world.ledger.views;
    world.ledger.views.counts = () => {
      throw new TypeError('x is no function');
    };
    expect(() => run.engine.status()).toThrow('x is no function');
    world.ledger.views.counts = counts;
  });
});

test.each(['queue.confirm', 'queue.retry'] as const)(
  '%s takes each that it can, whatever has become of the others; it is refused where it can take none',
  async (call) => {
    const { world, run } = await begin();
    await share(world, 'done.txt');
    world.service.faults.push('answer-lost', { code: 'refused', status: 415 });
    world.service.listLagMs = hourMs;
    const open = await world.put('open.txt', 'its answer is lost', 'uncertain');
    const failed = await world.put('failed.txt', 'no', 'failed');
    await run.call('queue.pause', { untilMs: null });
    const waits = await world.put('waits.txt', 'w', 'ready');
    const held = await world.put('id_rsa', 'd', 'held');
    const [taken, ...others] = call === 'queue.confirm' ? ([held, failed] as const) : ([failed] as const);
    const ids = [world.row('done.txt').id, open.id, ...others.map(({ id }) => id)];
    if (call === 'queue.confirm') ids.push(waits.id);
    const before = ids.map((id) => world.ledger.uploads.byId(id));
    await expect(run.call(call, { ids })).rejects.toMatchObject({ code: /bad-use|uncertain/ });
    const answers = await run.call(call, { ids: [...ids, taken.id] });
    expect(answers.map(({ id }) => id)).toEqual([taken.id]);
    expect(ids.map((id) => world.ledger.uploads.byId(id))).toEqual(before);
  },
);

test.each(['queue.cancel', 'queue.skip'] as const)(
  '%s takes all that it still can, and answers for these; it is refused where it can take none',
  async (leave) => {
    const { world, run } = await begin();
    await share(world, 'a.txt');
    await share(world, 'b.txt', 'another');
    const late = ['a.txt', 'b.txt'].map((name) => world.row(name).id);
    await run.call('queue.pause', { untilMs: null });
    const left = [await world.put('c.txt', 'c', 'ready'), await world.put('id_rsa', 'd', 'held')];
    const ids = left.map(({ id }) => id);
    const answers = await run.call(leave, { ids: [...late, ...ids] });
    expect(answers.map(({ id, state }) => [id, state.kind])).toEqual(ids.map((id) => [id, 'skipped']));
    await expect(run.call(leave, { ids: late })).rejects.toMatchObject({ code: 'bad-use' });
    expect(world.service.namesOf()).toEqual(['a.txt', 'b.txt']);
  },
);
