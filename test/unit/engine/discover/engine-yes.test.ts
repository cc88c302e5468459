// A confirmation belongs to the content that the person saw: it survives a touch and a restart, but no new content.
import { describe, expect, test } from 'vitest';
import { begin, minuteMs, started, type World } from '../../../support/fake-world.ts';
import type { Settings } from '../../../../src-main/contract/settings.ts';

type Start = Awaited<ReturnType<typeof started>>;
type Yes = { name: string; content: string; settings?: Partial<Settings>; why: string };

const yeses: Yes[] = [
  { name: 'id_rsa', content: 'SECRET one', why: 'secret-name' },
  { name: 'a.txt', content: 'SECRET two', why: 'secret-content' },
  { name: 'photo.jpg', content: '\x01\x02\x03PHOTO GPS FIXED', why: 'location' },
  { name: 'b.txt', content: 'one of many', settings: { burstFiles: 0 }, why: 'burst' },
];

/** The file is held, a person confirms it, and it has not been sent yet. `isRead`: its content was known when it was held. */
const confirmed = async (yes: Yes, isRead: boolean): Promise<Start> => {
  const begun = await started({ settings: { recursive: true, ...yes.settings } });
  const { world, run } = begun;
  await run.call('queue.pause', { untilMs: null });
  const { id, state } = await world.put(yes.name, yes.content, 'held');
  expect(state).toMatchObject({ reason: yes.why });
  if (isRead) await world.clock.advance(minuteMs);
  await run.call('queue.confirm', { ids: [id] });
  await world.until(yes.name, 'ready');
  return begun;
};

/** Resumes the queue, and returns what was received. */
const received = async ({ world, run }: Start): Promise<string[]> => {
  await world.clock.advance(minuteMs);
  await run.call('queue.resume', {});
  await world.clock.advance(10 * minuteMs);
  return world.service.stored.map(({ bytes }) => bytes.toString('latin1'));
};

/** All of these keep the content. */
const same: [what: string, act: (world: World, path: string, content: string) => void][] = [
  ['left alone', () => undefined],
  ['touched', ({ disk }, path) => disk.touch(path)],
  ['given other rights', ({ disk }, path) => disk.chmod(path)],
  ['written with the same bytes', ({ disk }, path, content) => disk.write(path, content)],
  ['replaced by a copy of itself', ({ disk }, path, content) => disk.replace(path, content)],
  ['renamed', ({ disk }, path) => disk.rename(path, path.replace('/tray/', '/tray/s/'))],
];

describe.each(yeses)('a confirmation of a file held for its $why stays valid when the file is', (yes) => {
  test.each(same.flatMap(([what, act]) => [true, false].map((isRead) => [what, isRead, act] as const)))(
    '%s, and its content was read before: %s',
    async (_what, isRead, act) => {
      const begun = await confirmed(yes, isRead);
      begun.world.disk.make('/tray/s', 'folder');
      act(begun.world, `/tray/${yes.name}`, yes.content);
      expect(await received(begun)).toEqual([yes.content]);
    },
  );

  test('followed by a restart', async () => {
    const { world, run } = await confirmed(yes, true);
    await run.stop();
    world.disk.touch(`/tray/${yes.name}`);
    const again = await world.start();
    expect(await received({ world, run: again })).toEqual([yes.content]);
  });
});

/** All of these leave other content at the path. */
const others: [what: string, act: (world: World, path: string, content: string) => void][] = [
  ['written again', ({ disk }, path, content) => disk.write(path, `${content} and more`)],
  [
    'written again with as many bytes',
    ({ disk }, path, content) => disk.write(path, content.replace(/.$/, '#')),
  ],
  ['replaced', ({ disk }, path, content) => disk.replace(path, `${content} and more`)],
  [
    'overwritten by another file that is renamed',
    ({ disk }, path, content) => {
      disk.write('/elsewhere/x', `${content} and more`);
      disk.rename('/elsewhere/x', path);
    },
  ],
];

describe.each(yeses.filter(({ why }) => why !== 'burst'))(
  'a confirmation of a file held for its $why is void when the file is',
  (yes) => {
    test.each(others.flatMap(([what, act]) => [true, false].map((isRead) => [what, isRead, act] as const)))(
      '%s, and its content was read before: %s',
      async (_what, isRead, act) => {
        const begun = await confirmed(yes, isRead);
        begun.world.disk.make('/elsewhere', 'folder');
        act(begun.world, `/tray/${yes.name}`, yes.content);
        expect(await received(begun)).toEqual([]);
        expect(begun.world.row(yes.name).state).toMatchObject({ kind: 'held', reason: yes.why });
      },
    );

    test('rewritten while nothing runs', async () => {
      const { world, run } = await confirmed(yes, true);
      await run.stop();
      world.disk.write(`/tray/${yes.name}`, `${yes.content} and more`);
      const again = await world.start();
      expect(await received({ world, run: again })).toEqual([]);
      expect(world.row(yes.name).state).toMatchObject({ kind: 'held', reason: yes.why });
    });

    test('rewritten, and given by path', async () => {
      const begun = await confirmed(yes, true);
      begun.world.disk.write(`/tray/${yes.name}`, `${yes.content} and more`);
      await begun.run.call('files.upload', { paths: [`/tray/${yes.name}`] });
      expect(await received(begun)).toEqual([]);
    });

    test('left out and put back after it is rewritten', async () => {
      const { world, run } = await confirmed(yes, true);
      const { id } = world.row(yes.name);
      await run.call('queue.cancel', { ids: [id] });
      world.disk.write(`/tray/${yes.name}`, `${yes.content} and more`);
      await run.call('queue.undo', { ids: [id] });
      expect(await received({ world, run })).toEqual([]);
    });
  },
);

test('a confirmation of a burst does not apply to the later secret-looking name of a file', async () => {
  const begun = await confirmed(
    { name: 'b.txt', content: 'x', settings: { burstFiles: 0 }, why: 'burst' },
    true,
  );
  begun.world.disk.rename('/tray/b.txt', '/tray/id_rsa');
  expect(await received(begun)).toEqual([]);
  expect(begun.world.row('id_rsa').state).toMatchObject({ kind: 'held', reason: 'secret-name' });
});

test('a confirmation of a hidden file stays valid when the folder is scanned again after a restart', async () => {
  const { world, run } = await started();
  await run.call('queue.pause', { untilMs: null });
  const { id } = await world.put('.hidden', 'x', 'skipped');
  await run.call('queue.retry', { ids: [id] });
  await world.clock.advance(200);
  await run.stop();
  const again = await world.start();
  expect(await received({ world, run: again })).toEqual(['x']);
});

test('a request for another link does not release a secret, and is fulfilled once the secret is confirmed', async () => {
  const { world, run } = await begin();
  world.disk.write('/home/id_rsa', 'not for the public');
  const again = () => run.call('files.upload', { paths: ['/home/id_rsa'], again: true });
  await again();
  const { id } = await world.until('id_rsa', 'held');
  await again();
  await world.clock.advance(minuteMs);
  expect(world.service.count('upload')).toBe(0);
  await run.call('queue.confirm', { ids: [id] });
  await world.until('id_rsa', 'uploaded');
  await again();
  await world.clock.advance(minuteMs);
  expect(world.service.stored).toHaveLength(2);
  world.disk.write('/home/id_rsa', 'another secret');
  await again();
  await world.clock.advance(minuteMs);
  expect(world.service.stored).toHaveLength(2);
});
