// A cancel is no yes: a file that is tried again after it is asked about as before.
import { describe, expect, test } from 'vitest';
import { begin, hourMs, type World } from '../../../support/fake-world.ts';

const writeScans = ({ disk }: World, from = 1): void => {
  for (let at = from; at < from + 8; at += 1) disk.write(`/tray/scan${at}.tif`, 'x'.repeat(at));
};

const questions: [string, string, (world: World) => void][] = [
  ['a name that looks like a secret', 'id_rsa', ({ disk }) => disk.write('/tray/id_rsa', 'private')],
  ['a secret in it', 'notes.txt', ({ disk }) => disk.write('/tray/notes.txt', 'SECRET')],
  ['a burst', 'scan3.tif', writeScans],
  ['its size', 'film.mp4', ({ disk }) => disk.write('/tray/film.mp4', 'x'.repeat(2000))],
  [
    'a change of a file that was there before',
    'old.txt',
    ({ disk }) => disk.write('/tray/old.txt', 'changed'),
  ],
];

describe.each(['queue.cancel', 'queue.skip'] as const)('after %s, a file that was held for', (leave) => {
  test.each(questions)('%s is held again by a retry, and goes after a yes', async (_, name, write) => {
    const settings = { burstFiles: 5, burstBytes: 1000, holdSecrets: true };
    const { world, run } = await begin({ settings }, ({ disk }) => disk.write('/tray/old.txt', 'old'));
    write(world);
    const { id, state } = await world.until(name, 'held');
    await run.call(leave, { ids: [id] });
    await world.clock.advance(hourMs);
    expect(world.row(name).state.kind).toBe('skipped');
    for (let time = 0; time < 2; time += 1) {
      await run.call('queue.retry', { ids: [id] });
      await world.clock.advance(hourMs);
      expect(world.row(name).state).toEqual(state);
      expect(world.service.stored).toEqual([]);
      if (time === 0) await run.call(leave, { ids: [id] });
    }
    await run.call('queue.confirm', { ids: [id] });
    await world.until(name, 'uploaded');
  });
});
