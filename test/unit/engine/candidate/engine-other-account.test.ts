// A file of a folder that is, or may be, in another account than the present one.
import { describe, expect, test } from 'vitest';
import { begin, hourMs, loseAnswer, share, type World } from '../../../support/fake-world.ts';

/** An upload in account a; then the key of account b is there. */
const inOther = async (isLost: boolean) => {
  const { world, run } = await begin();
  world.service.account = () => (world.keys.stored === 'b-1' ? 'b' : 'a');
  const use = async (key: string): Promise<void> => {
    world.keys.stored = key;
    run.engine.nudge();
    await world.clock.advance(1000);
  };
  await share(world, 'first.txt', 'first');
  if (isLost) await loseAnswer(world, 'ours.txt', 'ours');
  else await share(world, 'ours.txt', 'ours');
  await use('b-1');
  await run.call('account.decide', { is: 'another' });
  const namesIn = (account: string): string[] =>
    world.service.stored.filter((one) => one.account === account).map(({ name }) => name);
  return { world, run, use, namesIn };
};

describe.each([false, true])('whose answer is lost: %s', (isLost) => {
  test.each<[string, (world: World) => void]>([
    ['is touched', ({ disk }) => disk.touch('/tray/ours.txt')],
    ['is saved again', ({ disk }) => disk.write('/tray/ours.txt', 'ours')],
    [
      'is replaced by a copy of itself',
      ({ disk }) => {
        disk.remove('/tray/ours.txt');
        disk.write('/tray/ours.txt', 'ours');
      },
    ],
  ])('if it %s, it does not go to this one', async (_, change) => {
    const { world, use, namesIn } = await inOther(isLost);
    change(world);
    await world.clock.advance(hourMs);
    expect(namesIn('b')).toEqual([]);
    await use('key-1234');
    change(world);
    await world.clock.advance(hourMs);
    const here = world.ledger.uploads.atPath('/tray', 'ours.txt', 9).filter(({ present }) => present);
    expect(here.map(({ state, accountId }) => [state.kind, accountId])).toEqual([['uploaded', 1]]);
    expect(namesIn('a')).toEqual(['first.txt', 'ours.txt']);
  });
});

test('another content of it goes to this one, and so does the same content if a person gives it', async () => {
  const { world, run, namesIn } = await inOther(false);
  world.disk.write('/tray/first.txt', 'second');
  await world.clock.advance(hourMs);
  await run.call('files.upload', { paths: ['/tray/ours.txt'] });
  await world.clock.advance(hourMs);
  expect(namesIn('b')).toEqual(['first.txt', 'ours.txt']);
});

test('after a yes to a burst, the same content of a touched file goes to this one', async () => {
  const { world, run, namesIn } = await inOther(false);
  await world.clock.advance(hourMs);
  await world.settings.set('burstFiles', 1);
  for (const name of ['first.txt', 'ours.txt']) world.disk.touch(`/tray/${name}`);
  await world.clock.advance(hourMs);
  const held = world.rows().filter(({ state }) => state.kind === 'held');
  expect(held.map(({ state }) => state)).toEqual(held.map(() => ({ kind: 'held', reason: 'burst' })));
  expect(held).toHaveLength(2);
  await run.call('queue.confirm', { ids: held.map(({ id }) => id) });
  await world.clock.advance(hourMs);
  expect(namesIn('b').toSorted()).toEqual(['first.txt', 'ours.txt']);
});
