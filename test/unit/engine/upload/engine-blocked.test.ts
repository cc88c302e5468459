// A firewall in front of the service refuses one file by its name or content, with a page of its own.
import { expect, test } from 'vitest';
import { AppError, type ErrorCode } from '../../../../src-main/contract/errors.ts';
import { createRefusals } from '../../../../src-main/engine/account/refusals.ts';
import { openMemoryLedger } from '../../../support/memory-ledger.ts';
import { some } from '../../../support/deep.ts';
import { hourMs, minuteMs, started, type World } from '../../../support/fake-world.ts';

type Refusal = { code: ErrorCode; status?: number; afterTail?: boolean };
const fresh = () =>
  createRefusals(
    openMemoryLedger(() => 0),
    { wallMs: () => 0 },
  );
const firewall: Refusal = { code: 'blocked', status: 403 };

const blocking = async (isBlocked: (name: string) => boolean, refusal: Refusal = firewall) => {
  const { world, run } = await started();
  const { upload } = world.service.api;
  const { code, status } = refusal;
  world.service.api.upload = async (request) => {
    if (!isBlocked(request.sentName)) return await upload(request);
    if (refusal.afterTail === true) {
      for await (const _ of request.pieces(request.signal)) continue;
      await request.beforeTail();
    }
    world.service.requests.push({ kind: 'upload', atMs: world.clock.monoMs(), ok: false });
    const details = status === undefined ? {} : { status };
    throw new AppError(code, 'Something refused this file.', 'Rename the file.', details);
  };
  return { world, run, upload };
};

const isSelect = (name: string): boolean => name.startsWith('select');

/** The refused file arrives first, and others one after the other, a minute apart. */
const sendBeside = async (world: World, others = 6): Promise<void> => {
  world.disk.write('/tray/select 1.txt', 'x');
  for (let n = 1; n <= others; n += 1) {
    await world.clock.advance(minuteMs);
    world.disk.write(`/tray/other${n}.txt`, 'y'.repeat(n));
  }
  await world.clock.advance(minuteMs);
};
const countOf = (world: World, name: string): number => {
  const { id } = world.row(name);
  return world.ledger.attempts.ofUpload(id).length;
};

test('a file that a firewall refuses fails alone, and the others are uploaded', async () => {
  const { world } = await blocking((name) => name.includes("O'Brien"));
  world.disk.write("/tray/O'Brien.txt", 'x');
  for (let n = 1; n <= 5; n += 1) world.disk.write(`/tray/file${n}.txt`, 'y'.repeat(n));
  await world.clock.runUntil(() => world.service.stored.length === 5, 2 * minuteMs);
  const row = await world.until("O'Brien.txt", 'failed', 5 * minuteMs);
  expect(row.state).toMatchObject({ code: 'blocked', remedy: 'Rename the file.' });
});

test('a file that is refused alone fails, and a later one is uploaded', async () => {
  const { world } = await blocking((name) => name.includes('select'));
  world.disk.write('/tray/select 1 from users.txt', 'x');
  await world.until('select 1 from users.txt', 'failed', 5 * minuteMs);
  world.disk.write('/tray/other.txt', 'y');
  await world.until('other.txt', 'uploaded', 5 * minuteMs);
});

test('a firewall that refuses all uploads closes the queue, and no more than two files fail', async () => {
  const { world, run, upload } = await blocking(() => true);
  for (let n = 1; n <= 10; n += 1) world.disk.write(`/tray/file${n}.txt`, 'y'.repeat(n));
  await world.clock.runUntil(() => {
    const { gate } = run.engine.status();
    return gate.kind === 'closed' && gate.reason === 'blocked';
  }, 10 * minuteMs);
  const before = world.service.count('upload');
  await world.clock.advance(24 * hourMs);
  expect(world.service.count('upload') - before).toBeLessThan(40);
  expect(run.engine.status().counts.failed).toBeLessThanOrEqual(2);
  world.service.api.upload = upload;
  await world.clock.runUntil(() => world.service.stored.length >= 8, 7 * hourMs);
});

test('a refusal concerns one file once another one passed, and all files when three are refused in a row', () => {
  const refusals = fresh();
  expect(refusals.refused(1)).toBe('not-known');
  refusals.passed(2);
  expect(refusals.refused(1)).toBe('this-file');
  refusals.passed(3);
  expect([4, 5, 6].map((id) => refusals.refused(id))).toEqual(['not-known', 'not-known', 'all']);
});

test.each([3, 5])(
  '%i files of one kind that are refused close uploads only until another file passes: then each fails alone',
  async (count) => {
    const { world, run } = await blocking(isSelect);
    for (let n = 1; n <= count; n += 1) world.disk.write(`/tray/select ${n}.txt`, 'x'.repeat(n + 9));
    await world.clock.advance(10 * minuteMs);
    for (let n = 1; n <= 20; n += 1) {
      world.disk.write(`/tray/other${n}.txt`, 'y'.repeat(n));
      await world.clock.advance(hourMs);
    }
    expect(world.service.stored).toHaveLength(20);
    const closings = run.entries().filter(({ body }) => 'reason' in body && body.reason === 'blocked');
    expect(closings.length).toBeLessThanOrEqual(2);
    expect(run.engine.status().counts.failed).toBe(count);
  },
);

test.each(some([302, 400, 404, 405, 406, 409, 410, 413, 414, 415, 451], 3))(
  'a page with status %i for one file fails only that file, and the others are uploaded',
  async (status) => {
    const { world, run } = await blocking(isSelect, { code: 'blocked', status });
    await sendBeside(world);
    expect(world.row('select 1.txt').state).toMatchObject({ kind: 'failed', remedy: 'Rename the file.' });
    expect(countOf(world, 'select 1.txt')).toBeLessThanOrEqual(2);
    expect(world.service.stored).toHaveLength(6);
    expect(run.engine.status().gate).toEqual({ kind: 'open' });
  },
);

test.each(some([403, 404, 405, 406, 413, 415], 2))(
  'a page with status %i after the tail fails only that file, without a lookup',
  async (status) => {
    const { world, run } = await blocking(isSelect, { code: 'blocked', status, afterTail: true });
    await sendBeside(world);
    expect(world.row('select 1.txt').state.kind).toBe('failed');
    expect(run.entries().map(({ body }) => body)).not.toContainEqual(
      expect.objectContaining({ reason: 'uncertain' }),
    );
    expect(world.service.stored).toHaveLength(6);
  },
);

test.each(some([302, 400, 409, 414, 451], 2))(
  'a page with status %i after the tail proves nothing: the file is looked up, and the others are uploaded',
  async (status) => {
    const { world, run } = await blocking(isSelect, { code: 'blocked', status, afterTail: true });
    world.disk.write('/tray/select 1.txt', 'x');
    await world.until('select 1.txt', 'uncertain', minuteMs);
    world.disk.write('/tray/other.txt', 'y');
    await world.until('other.txt', 'uploaded', minuteMs);
    await world.clock.advance(hourMs);
    expect(world.service.count('list')).toBeGreaterThan(0);
    expect(world.row('select 1.txt').state.kind).toBe(status < 400 ? 'waiting' : 'failed');
    expect(run.engine.status().gate).toEqual({ kind: 'open' });
  },
);

test('a page that calls a small file too large sets no limit for others, and one for a large file does', async () => {
  const { world } = await blocking((name) => isSelect(name) || name === 'large.bin', {
    code: 'blocked',
    status: 413,
  });
  await sendBeside(world);
  expect(world.service.stored).toHaveLength(6);
  world.disk.write('/tray/large.bin', 'z'.repeat(1024 * 1024));
  const row = await world.until('large.bin', 'failed', minuteMs);
  expect(row.state).toMatchObject({ code: 'too-large' });
});

const cutOff: Refusal[] = [
  { code: 'interrupted' },
  { code: 'interrupted', status: 408 },
  { code: 'unusable-answer', status: 500 },
  { code: 'unusable-answer', status: 501 },
  { code: 'unusable-answer', status: 502 },
];
test.each(some(cutOff, 2))(
  'a file that is cut off ($code $status) while others pass waits alone, and the reason is shown',
  async (refusal) => {
    const { world, run } = await blocking(isSelect, refusal);
    await sendBeside(world, 20);
    expect(world.row('select 1.txt').state).toMatchObject({ kind: 'waiting', reason: 'blocked' });
    expect(world.service.stored).toHaveLength(20);
    const closings = run.entries().filter(({ body }) => body.kind === 'queue-closed').length;
    await sendBeside(world, 20);
    expect(run.entries().filter(({ body }) => body.kind === 'queue-closed')).toHaveLength(closings);
    const { sentence } = await run.call('file.why', { path: '/tray/select 1.txt' });
    expect(sentence).toContain('rename it');
  },
);

test('a network that cuts off everything blames no single file', async () => {
  const { world } = await blocking(() => true, { code: 'interrupted' });
  for (let n = 1; n <= 3; n += 1) world.disk.write(`/tray/file${n}.txt`, 'y'.repeat(n));
  await world.clock.advance(6 * hourMs);
  expect(world.rows().map(({ state }) => state)).not.toContainEqual(
    expect.objectContaining({ reason: 'blocked' }),
  );
});

test.each<Refusal>([
  { code: 'wrong-address', status: 404 },
  { code: 'wrong-address', status: 405 },
  { code: 'moved', status: 302 },
])(
  '$status without a page closes the queue once; when another file has passed, that file waits alone',
  async (refusal) => {
    const { world, run } = await blocking(isSelect, refusal);
    await sendBeside(world);
    expect(run.engine.status().gate.kind).toBe('closed');
    await world.clock.runUntil(() => world.service.stored.length === 6, 20 * minuteMs);
    await world.clock.runUntil(() => world.row('select 1.txt').state.kind === 'waiting', 20 * minuteMs);
    expect(world.row('select 1.txt').state).toMatchObject({ reason: 'blocked' });
    expect(run.engine.status().gate).toEqual({ kind: 'open' });
  },
);

test.each<Refusal>([firewall, { code: 'wrong-address', status: 404 }, { code: 'moved', status: 302 }])(
  'after a restart another file is sent before the one that met $status',
  async (refusal) => {
    const { world, run } = await blocking(isSelect, refusal);
    for (const name of ['select 1', 'other']) world.disk.write(`/tray/${name}.txt`, name);
    await world.clock.runUntil(() => world.service.count('upload') === 1, hourMs);
    await run.stop();
    const sent: string[] = [];
    const { upload } = world.service.api;
    world.service.api.upload = async (request) => {
      sent.push(request.sentName);
      return await upload(request);
    };
    await world.clock.advance(20 * minuteMs);
    await world.start();
    await world.until('other.txt', 'uploaded', 5 * minuteMs);
    expect(sent[0]).toBe('other.txt');
  },
);

test('a file that was cut off twice is sent after the others until one of them has passed', () => {
  const refusals = fresh();
  expect(refusals.goesLast({ attempts: 1 }, undefined)).toBe(false);
  expect(refusals.goesLast({ attempts: 2 }, undefined)).toBe(true);
  refusals.passed(7);
  expect(refusals.goesLast({ attempts: 2 }, undefined)).toBe(false);
  refusals.cut(1);
  expect(refusals.goesLast({ attempts: 2 }, undefined)).toBe(true);
});

test('a refusal that also meets another file blames no single file', () => {
  const refusals = fresh();
  refusals.denied(1);
  expect(refusals.isOnlyThis(1)).toBe(false);
  refusals.passed(2);
  refusals.denied(1);
  expect(refusals.isOnlyThis(1)).toBe(true);
  refusals.denied(3);
  expect(refusals.isOnlyThis(1)).toBe(false);
});

test('403 without a page is a limit of the account, even if others pass in between: no single file is blamed', async () => {
  const { world } = await blocking(isSelect, { code: 'limit', status: 403 });
  await sendBeside(world);
  await world.clock.advance(12 * hourMs);
  expect(world.service.stored).toHaveLength(6);
  expect(world.row('select 1.txt').state.kind).toBe('ready');
});
