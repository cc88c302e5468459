// The setting afterUpload: which events its program gets, in which order, and what a crash, a failure or a program that
// hangs changes.
import { expect, test } from 'vitest';
import { begin, minuteMs, share, type World } from '../../../support/fake-world.ts';

const settings = { afterUpload: 'hear it' };

/** Ends by hand. */
const held = (world: World) => {
  const ends: { event: Record<string, unknown>; end: (problem: string | null) => void }[] = [];
  world.programs.end = (event) => new Promise((end) => ends.push({ event, end }));
  return ends;
};
const names = (events: readonly { event: Record<string, unknown> }[]): string[] =>
  events.map(({ event }) => `${String(event['event'])} ${String(event['filename'])}`);

test('it gets each upload, recall and failure as JSON with an id, and nothing else', async () => {
  const { world, run } = await begin({ settings });
  const fileId = await share(world, 'a.txt');
  await world.put('empty.txt', '', 'skipped');
  await run.call('files.recall', { files: [{ fileId }] });
  await world.clock.advance(minuteMs);
  expect(world.programs.runs.map(({ command }) => command)).toEqual(['hear it', 'hear it']);
  expect(world.programs.runs[0]?.event).toMatchObject({
    event: 'uploaded',
    id: expect.stringMatching(/^\d+-\d+$/) as string,
    path: '/tray/a.txt',
    file_id: fileId,
    public_link: expect.stringContaining('http') as string,
  });
  expect(world.programs.runs[1]?.event).toMatchObject({ event: 'recalled', dead: true, file_id: fileId });
  expect(world.ledger.facts.get('after-upload')).toBeNull();
});

test('what happened before it was set, or while it is not set, it does not get later', async () => {
  const { world } = await begin();
  await share(world, 'a.txt');
  await world.settings.set('afterUpload', 'hear it');
  await share(world, 'b.txt');
  await world.settings.set('afterUpload', 'none');
  await share(world, 'c.txt');
  await world.settings.set('afterUpload', 'hear it');
  await world.clock.advance(minuteMs);
  expect(names(world.programs.runs)).toEqual(['uploaded b.txt']);
});

test('a folder has a program of its own, or none; a policy decides for all folders', async () => {
  const { world, run } = await begin({ settings });
  const rule = (value: string | null) =>
    run.call('folders.set', { folder: '/tray', name: 'afterUpload', value });
  await rule('own program');
  await share(world, 'a.txt');
  await rule('none');
  await share(world, 'b.txt');
  await rule('own program');
  await world.settings.set('afterUpload', 'none');
  world.settings.locked.add('afterUpload');
  await share(world, 'c.txt');
  await world.clock.advance(minuteMs);
  expect(world.programs.runs.map(({ command }) => command)).toEqual(['own program']);
});

test('two run at once, and one that hangs keeps only the events of its file', async () => {
  const { world, run } = await begin({ settings });
  const ends = held(world);
  const fileId = await share(world, 'a.txt');
  await run.call('files.recall', { files: [{ fileId }] });
  for (const name of ['b.txt', 'c.txt', 'd.txt']) await share(world, name);
  expect(names(ends)).toEqual(['uploaded a.txt', 'uploaded b.txt']);
  ends[1]?.end(null);
  await world.clock.advance(1000);
  ends[2]?.end(null);
  await world.clock.advance(1000);
  expect(names(ends).slice(2)).toEqual(['uploaded c.txt', 'uploaded d.txt']);
  ends[0]?.end(null);
  await world.clock.advance(1000);
  expect(names(ends).slice(4)).toEqual(['recalled a.txt']);
});

test('a failure is recorded once in the history of the file, which stays uploaded', async () => {
  const { world, run } = await begin({ settings });
  world.programs.end = () => Promise.resolve('it ended with code 1');
  await share(world, 'a.txt');
  await world.clock.advance(minuteMs);
  expect(world.programs.runs).toHaveLength(1);
  expect(run.entries().filter(({ body }) => body.kind === 'program-failed')).toMatchObject([
    { path: '/tray/a.txt', body: { message: 'it ended with code 1' } },
  ]);
  expect(world.row('a.txt').state.kind).toBe('uploaded');
});

test.each(['kill', 'stop'] as const)(
  'after a %s the next start sends what no program has ended with, under the same id',
  async (way) => {
    const { world, run } = await begin({ settings });
    const ends = held(world);
    await share(world, 'a.txt');
    await share(world, 'b.txt');
    ends[1]?.end(null);
    await world.clock.advance(1000);
    if (way === 'kill') run.life.kill();
    else await run.stop();
    world.programs.end = () => Promise.resolve(null);
    await world.start();
    await world.clock.advance(minuteMs);
    const runs = world.programs.runs.map(({ event }) => event['id']);
    expect(runs.slice(0, 2)).toContain(runs[2]);
    expect(names(world.programs.runs.slice(2))[0]).toBe('uploaded a.txt');
    expect(world.ledger.facts.get('after-upload')).toBeNull();
  },
);

test('old entries that are still to be sent are not removed', async () => {
  const { world } = await begin({ settings });
  held(world);
  await share(world, 'a.txt');
  await share(world, 'b.txt');
  const first = world.ledger.facts.get('after-upload')?.value ?? -1;
  world.ledger.entries.prune(1);
  expect(world.ledger.entries.after(0, 1)[0]?.seq).toBe(first + 1);
});

test('a program that writes into the watched folder is not started for ever: after ten files in a row that is told, once', async () => {
  const { world, run } = await begin({ settings });
  let written = 0;
  world.programs.end = () => {
    written += 1;
    world.disk.write(`/tray/log-${written}.txt`, `heard ${written}`);
    return Promise.resolve(null);
  };
  await share(world, 'a.txt');
  await world.clock.advance(60 * minuteMs);
  expect([world.programs.runs.length, written]).toEqual([11, 11]);
  expect(
    run.entries().flatMap(({ path, body }) => (body.kind === 'program-failed' ? [[path, body.message]] : [])),
  ).toEqual([['/tray/log-11.txt', expect.stringContaining('it seems to write into a watched folder')]]);
  // The next file is heard of.
  world.programs.end = () => Promise.resolve(null);
  await share(world, 'b.txt');
  await world.clock.advance(minuteMs);
  expect(names(world.programs.runs).at(-1)).toBe('uploaded b.txt');
});

test('what is not decided yet when it stops, the next start sends', async () => {
  const { world, run } = await begin({ settings });
  world.programs.end = () => {
    const { length } = world.programs.runs;
    if (length <= 11) world.disk.write(`/tray/log-${length}.txt`, `heard ${length}`);
    return Promise.resolve(null);
  };
  await share(world, 'a.txt');
  await world.until('log-11.txt', 'uploaded');
  await world.clock.advance(5000);
  expect(world.programs.runs).toHaveLength(11);
  await run.stop();
  await world.start();
  await world.clock.advance(minuteMs);
  expect(names(world.programs.runs.slice(11))).toEqual(['uploaded log-11.txt']);
});

test.each([
  [40, 1000, 5000],
  [60, 3000, 3000],
])(
  '%d files, one every %d ms, are all heard of by a program that takes %d ms',
  async (count, everyMs, takesMs) => {
    const { world, run } = await begin({ settings });
    world.programs.end = async () => {
      await new Promise<void>((resolve) => void world.clock.after(takesMs, resolve));
      return null;
    };
    for (let at = 0; at < count; at += 1) {
      world.disk.write(`/tray/${at}.txt`, `content ${at}`);
      await world.clock.advance(everyMs);
    }
    await world.clock.advance(10 * minuteMs);
    expect(new Set(names(world.programs.runs)).size).toBe(count);
    expect(run.entries().filter(({ body }) => body.kind === 'program-failed')).toEqual([]);
  },
);

test.each(['all folders', 'one folder'])('the program of %s hears of a link that ends', async (whose) => {
  const { world, run } = await begin({ settings: whose === 'all folders' ? settings : {} });
  if (whose === 'one folder')
    await run.call('folders.set', { folder: '/tray', name: 'afterUpload', value: 'hear it' });
  const fileId = await share(world, 'a.txt');
  await run.call('files.expire', { files: [{ fileId }], expire: { afterMs: minuteMs } });
  await world.clock.advance(20 * minuteMs);
  expect(names(world.programs.runs)).toEqual(['uploaded a.txt', 'expired a.txt']);
  expect(world.programs.runs[1]?.event).toMatchObject({ file_id: fileId, dead: true, path: '/tray/a.txt' });
});
