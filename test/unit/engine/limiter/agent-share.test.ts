// The part of the requests that agents may use: a lane of the limiter, and what agents have asked for.
import { expect, test } from 'vitest';
import type { FileId } from '../../../../src-main/contract/text/file-id.ts';
import { begin, dayMs, minuteMs, share, type Running } from '../../../support/fake-world.ts';

const agent = { roots: ['/else'], mayReopen: [] as number[] };
/** Two requests a minute, ten a day. */
const rules = { requestsPerMinute: 8, requestsPerDay: 40, agentShare: 0.25 };

const worldWith = async (settings: Partial<Record<keyof typeof rules, number>> = {}) => {
  const { world, run } = await begin({ settings: { ...rules, ...settings } });
  const give = async (...names: string[]) => {
    const paths = names.map((name) => `/else/${name}`);
    for (const path of paths) if (world.disk.text(path) === null) world.disk.write(path, path);
    const given = await run.call('files.upload', { paths, agent });
    return given.map(({ error }) => error);
  };
  return { world, run, give };
};
const ok = null;
const over = expect.objectContaining({ code: 'budget' }) as unknown;
const recall = (run: Running, fileIds: readonly FileId[]) =>
  run.call('files.recall', { files: fileIds.map((fileId) => ({ fileId })), byAgent: true });

test('files beyond the share are refused with a time, and nothing of them is recorded', async () => {
  const { world, give } = await worldWith();
  expect(await give('1', '2', '3')).toEqual([ok, ok, over]);
  expect(world.rows().map(({ name }) => name)).toEqual(['1', '2']);
  const [error] = await give('3');
  expect(error?.retryAfterMs).toBeGreaterThan(0);
  await world.until('2', 'uploaded');
  const [later] = await give('3');
  await world.clock.advance((later?.retryAfterMs ?? 0) + 1);
  expect(await give('3')).toEqual([ok]);
});

test('calls at the same time get no more than one after the other', async () => {
  const { world, run } = await worldWith();
  for (const name of ['1', '2', '3', '4']) world.disk.write(`/else/${name}`, name);
  const given = await Promise.all(
    ['1', '2', '3', '4'].map((name) => run.call('files.upload', { paths: [`/else/${name}`], agent })),
  );
  expect(given.flat().filter(({ error }) => error === null)).toHaveLength(2);
});

test('what is queued already, has a link, or is a copy costs nothing', async () => {
  const { world, run, give } = await worldWith();
  await run.call('queue.pause', { untilMs: null });
  expect(await give('1')).toEqual([ok]);
  expect(await give('1', '1')).toEqual([ok, ok]);
  await run.call('queue.resume', {});
  await world.until('1', 'uploaded');
  world.disk.write('/else/copy', '/else/1');
  expect(await give('1', 'copy')).toEqual([ok, ok]);
  await world.until('copy', 'skipped');
  expect(await give('2')).toEqual([ok]);
});

test('attempts count, so a file that is sent again costs twice', async () => {
  const { world, run, give } = await worldWith();
  world.service.faults.push('cut-before-tail');
  expect(await give('1')).toEqual([ok]);
  await world.until('1', 'uploaded');
  expect(run.engine.status().budget.lanes.day).toMatchObject({ agent: 2, upload: 0 });
});

test('the files of a person do not count, and a person has no share', async () => {
  const { world, run, give } = await worldWith();
  for (const name of ['a', 'b', 'c']) await share(world, name);
  expect(await give('1', '2')).toEqual([ok, ok]);
  world.disk.write('/else/mine', 'mine');
  const [mine] = await run.call('files.upload', { paths: ['/else/mine'] });
  expect(mine?.error).toBeNull();
});

test('the share of the day holds over many minutes', async () => {
  const { world, give } = await worldWith();
  for (let at = 0; at < 10; at += 1) {
    expect(await give(`${at}`)).toEqual([ok]);
    await world.clock.advance(2 * minuteMs);
  }
  const [error] = await give('more');
  expect(error?.retryAfterMs).toBeGreaterThan(dayMs / 2);
  await world.clock.advance((error?.retryAfterMs ?? 0) + minuteMs);
  expect(await give('more')).toEqual([ok]);
});

test('what is queued counts for the day, too', async () => {
  const { run, give } = await worldWith({ requestsPerMinute: 800 });
  await run.call('queue.pause', { untilMs: null });
  for (let at = 0; at < 10; at += 1) expect(await give(`${at}`)).toEqual([ok]);
  expect(await give('more')).toEqual([over]);
});

test('a zip is refused before it is packed', async () => {
  const { world, run, give } = await worldWith();
  await give('1', '2');
  await expect(run.call('files.bundle', { paths: ['/else/1'], name: 'z', agent })).rejects.toMatchObject({
    code: 'budget',
  });
  expect(world.rows()).toHaveLength(2);
});

test('a share of 0 allows nothing, and the remedy names the setting', async () => {
  const { give } = await worldWith({ agentShare: 0 });
  const [error] = await give('1');
  expect(error).toMatchObject({ code: 'budget' });
  expect(error).not.toHaveProperty('retryAfterMs');
  expect(JSON.stringify(error?.remedy)).toContain('agentShare');
});

test('recalls by an agent need two requests each, and are booked for agents', async () => {
  const { world, run, give } = await worldWith();
  const [one, two] = [await share(world, 'a'), await share(world, 'b')];
  await world.clock.advance(2 * minuteMs);
  await expect(recall(run, [one, two])).rejects.toMatchObject({ code: 'budget' });
  expect(world.row('a').state.kind).toBe('uploaded');
  expect((await recall(run, [one]))[0]?.recalled?.dead).toBe(true);
  expect(run.engine.status().budget.lanes.minute.agent).toBe(2);
  expect(await give('1')).toEqual([over]);
  const [byPerson] = await run.call('files.recall', { files: [{ fileId: two }] });
  expect(byPerson?.recalled?.dead).toBe(true);
});
