// A person's request for a skipped file belongs to its content, like the confirmation of a held one.
import { describe, expect, test } from 'vitest';
import { isDeep } from '../../../support/deep.ts';
import { createWorld, minuteMs, started, type World } from '../../../support/fake-world.ts';
import type { Settings } from '../../../../src-main/contract/settings.ts';

type Start = Awaited<ReturnType<typeof started>>;
type Yes = { why: string; name: string; content: string; settings?: Partial<Settings> };

const yeses: Yes[] = [
  { why: 'hidden', name: '.hidden', content: 'wanted all the same' },
  { why: 'hidden', name: '.config/settings.txt', content: 'in a hidden folder' },
  { why: 'empty', name: 'marker.txt', content: '' },
  { why: 'hidden', name: '.gitkeep', content: '' },
  { why: 'ignored', name: 'build.log', content: 'a log', settings: { ignore: ['*.log'] } },
  { why: 'temporary', name: '~$letter.docx', content: 'an owner file' },
  { why: 'partial', name: 'film.mkv.part', content: 'half a film' },
  { why: 'system', name: '$RECYCLE.BIN/thrown.txt', content: 'thrown away' },
];

/** The file is skipped, a person requests it, and it has not been sent yet. */
const approve = async (yes: Yes): Promise<Start & { path: string }> => {
  const begun = await started({ settings: { recursive: true, ...yes.settings } });
  const { world, run } = begun;
  await run.call('queue.pause', { untilMs: null });
  for (const folder of ['.config', '$RECYCLE.BIN', '$RECYCLE.BIN/s', 's', 's/.config'])
    world.disk.make(`/tray/${folder}`, 'folder');
  world.disk.make('/elsewhere', 'folder');
  const path = `/tray/${yes.name}`;
  const name = path.slice(path.lastIndexOf('/') + 1);
  world.disk.write(path, yes.content);
  const { id, state } = await world.until(name, 'skipped');
  expect(state).toMatchObject({ rule: yes.why });
  await run.call('queue.retry', { ids: [id] });
  await world.until(name, 'ready');
  return { ...begun, path };
};

/** Resumes the queue, and returns what was received. */
const received = async ({ world, run }: Start): Promise<string[]> => {
  await world.clock.advance(minuteMs);
  await run.call('queue.resume', {});
  await world.clock.advance(10 * minuteMs);
  return world.service.stored.map(({ bytes }) => bytes.toString('latin1'));
};

type Act = (world: World, path: string, content: string) => void;

/** All of these keep the content. */
const same: [what: string, act: Act][] = [
  ['left alone', () => undefined],
  ['touched', ({ disk }, path) => disk.touch(path)],
  ['given other rights', ({ disk }, path) => disk.chmod(path)],
  ['written with the same bytes', ({ disk }, path, content) => disk.write(path, content)],
  ['replaced by a copy of itself', ({ disk }, path, content) => disk.replace(path, content)],
  [
    'overwritten by a copy that is renamed',
    ({ disk }, path, content) => {
      disk.write('/elsewhere/x', content);
      disk.rename('/elsewhere/x', path);
    },
  ],
  [
    'renamed',
    ({ disk }, path) =>
      disk.rename(
        path,
        path.replace(/[^/]*$/, (name) => `${name.slice(0, 2)}b${name.slice(2)}`),
      ),
  ],
  [
    'moved',
    ({ disk }, path) =>
      disk.rename(path, path.replace('/tray/', '/tray/s/').replace('s/$RECYCLE.BIN', '$RECYCLE.BIN/s')),
  ],
];

describe.each(yeses)('a request for $name, which is $why, holds when the file is', (yes) => {
  // In the fast ring each of them either while it runs, or while nothing does.
  const whileRunning = same.filter((_, at) => isDeep || (at + yeses.indexOf(yes)) % 2 === 0);
  const whileStopped = same.filter((one) => isDeep || !whileRunning.includes(one));

  test.each(whileRunning)('%s', async (_what, act) => {
    const { world, run, path } = await approve(yes);
    act(world, path, yes.content);
    expect(await received({ world, run })).toEqual([yes.content]);
  });

  test.each(whileStopped)('%s while nothing runs', async (_what, act) => {
    const { world, run, path } = await approve(yes);
    await run.stop();
    act(world, path, yes.content);
    expect(await received({ world, run: await world.start() })).toEqual([yes.content]);
  });
});

describe.each(yeses.filter(({ why, content }) => why !== 'empty' && content !== ''))(
  'a request for $name, which is $why, does not apply',
  (yes) => {
    test.each<[string, string]>([
      ['more bytes', `${yes.content} and more`],
      ['other bytes of the same size', yes.content.replace(/.$/, '#')],
    ])('to %s at its path', async (_what, content) => {
      const { world, run, path } = await approve(yes);
      world.disk.write(path, content);
      expect(await received({ world, run })).toEqual([]);
      expect(world.row(path.slice(path.lastIndexOf('/') + 1)).state).toMatchObject({
        kind: 'skipped',
        rule: yes.why,
      });
    });

    test('after a later cancellation', async () => {
      const { world, run, path } = await approve(yes);
      await run.call('queue.cancel', { ids: [world.row(path.slice(path.lastIndexOf('/') + 1)).id] });
      world.disk.touch(path);
      expect(await received({ world, run })).toEqual([]);
    });
  },
);

test('a request for a hidden file does not apply to its later secret-looking name', async () => {
  const { world, run, path } = await approve({ why: 'hidden', name: '.hidden', content: 'x' });
  world.disk.rename(path, '/tray/id_rsa');
  expect(await received({ world, run })).toEqual([]);
  expect(world.row('id_rsa').state).toMatchObject({ kind: 'held', reason: 'secret-name' });
});

test('a request for a hidden file does not apply to a pattern of the user', async () => {
  const { world, run, path } = await approve({
    why: 'hidden',
    name: '.hidden',
    content: 'x',
    settings: { ignore: ['*.log'] },
  });
  world.disk.rename(path, '/tray/x.log');
  expect(await received({ world, run })).toEqual([]);
  expect(world.row('x.log').state).toMatchObject({ kind: 'skipped', rule: 'ignored' });
});

test('skipped files with the size of a requested one cause no burst', async () => {
  const { world, run } = await approve({
    why: 'hidden',
    name: '.hidden',
    content: 'x',
    settings: { burstFiles: 3 },
  });
  for (let n = 0; n < 10; n += 1) world.disk.write(`/tray/.lock${n}`, String(n));
  world.disk.write('/tray/report.txt', 'a report');
  expect(await received({ world, run })).toEqual(['x', 'a report']);
  expect(world.row('.lock9').state).toMatchObject({ kind: 'skipped', rule: 'hidden' });
});

test('a request for one empty file does not apply to another, not even under its name later', async () => {
  const { world, run } = await approve({ why: 'empty', name: 'marker.txt', content: '' });
  world.disk.write('/tray/other.txt', '');
  world.disk.remove('/tray/marker.txt');
  expect(await received({ world, run })).toEqual([]);
  world.disk.write('/tray/marker.txt', '');
  await world.clock.advance(10 * minuteMs);
  expect(world.service.stored).toEqual([]);
  for (const name of ['other.txt', 'marker.txt'])
    expect(world.row(name).state).toMatchObject({ kind: 'skipped', rule: 'empty' });
});

describe.each([
  { rule: 'includeHidden', name: '.hidden', other: '.other', off: true, on: false },
  { rule: 'ignore', name: 'a.log', other: 'b.log', off: [], on: ['*.log'] },
] as const)('a rule ($rule) that is removed and set again', ({ rule, name, other, off, on }) => {
  test('skips a waiting file with the size of a requested one, but not the requested one', async () => {
    const { world, run } = await started({ settings: { [rule]: on } });
    await run.call('queue.pause', { untilMs: null });
    world.disk.write(`/tray/${name}`, 'x');
    const { id } = await world.until(name, 'skipped');
    await run.call('queue.retry', { ids: [id] });
    await world.until(name, 'ready');
    await run.call('settings.set', { name: rule, value: off });
    world.disk.write(`/tray/${other}`, 'y');
    await world.until(other, 'ready');
    await run.call('settings.set', { name: rule, value: on });
    await world.until(other, 'skipped');
    expect(await received({ world, run })).toEqual(['x']);
  });
});

describe.each(['queue.confirm', 'queue.retry'] as const)(
  'a secret that was skipped for another reason, after %s,',
  (ask) => {
    test.each<[string, string, Partial<Settings>]>([
      ['hidden', '.config/id_rsa', {}],
      ['ignored', 'id_rsa', { ignore: ['id_*'] }],
      ['system', '$RECYCLE.BIN/id_rsa', {}],
    ])('%s: is held before it becomes public', async (rule, name, settings) => {
      const { world, run } = await started({ settings: { recursive: true, ...settings } });
      for (const folder of ['.config', '$RECYCLE.BIN']) world.disk.make(`/tray/${folder}`, 'folder');
      world.disk.write(`/tray/${name}`, 'private');
      const { id, state } = await world.until('id_rsa', 'skipped');
      expect(state).toMatchObject({ rule });
      await run.call(ask, { ids: [id] });
      expect((await world.until('id_rsa', 'held')).state).toMatchObject({ reason: 'secret-name' });
      await world.clock.advance(minuteMs);
      expect(world.service.count('upload')).toBe(0);
      await run.call('queue.confirm', { ids: [id] });
      await world.until('id_rsa', 'uploaded');
    });
  },
);

test('a pre-existing secret that changed is held as a secret, too', async () => {
  const world = createWorld();
  world.disk.write('/tray/id_rsa', 'old');
  await world.clock.advance(minuteMs);
  const run = await world.start();
  const { id, state } = await world.put('id_rsa', 'changed', 'held');
  expect(state).toMatchObject({ reason: 'existing-changed' });
  await run.call('queue.confirm', { ids: [id] });
  await world.clock.advance(minuteMs);
  expect(world.row('id_rsa').state).toMatchObject({ reason: 'secret-name' });
  await run.call('queue.confirm', { ids: [id] });
  await world.until('id_rsa', 'uploaded');
});

test('content that is held through another process is held under other names, too', async () => {
  const { world } = await started({ settings: { recursive: true } });
  world.disk.make('/tray/.config', 'folder');
  world.disk.write('/tray/.config/id_rsa', 'private');
  const { id } = await world.until('id_rsa', 'skipped');
  await world.make('guest:1').client.call('queue.confirm', { ids: [id] });
  await world.until('id_rsa', 'held');
  await world.clock.advance(minuteMs);
  await world.put('copy.txt', 'private', 'held');
});
