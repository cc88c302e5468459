// The simulation's own check that other folders go on while a drive hangs (I22): it sees an engine that stalls.
import { expect, test } from 'vitest';
import { createLife } from '../../support/fake-process.ts';
import { createDice } from '../../support/simulation/dice.ts';
import { createGoingOn } from '../../support/simulation/going-on.ts';
import { createStory } from '../../support/simulation/story.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

const copied = '/tray/copied 1.txt';

/** A drive hangs beside `/tray`; `state` is what the engine has made of the file after that time. */
const beside = async (options: {
  state: (afterMs: number) => 'settling' | 'ready' | null;
  /** The content of the file, which someone may change. */
  text?: (afterMs: number) => string;
  works?: boolean;
}) => {
  const world = createVirtualClock();
  const story = createStory(world.monoMs, false);
  const life = createLife();
  let copiedAtMs = Infinity;
  let copies = 0;
  const afterMs = (): number => world.monoMs() - copiedAtMs;
  const goingOn = createGoingOn({
    dice: createDice(1),
    world,
    machine: { life: () => life, works: () => options.works ?? true },
    tray: {
      copyIn(count, into) {
        copiedAtMs = world.monoMs();
        copies += count;
        return [`${into}/copied 1.txt`];
      },
      isPlain: () => true,
      isReadable: () => true,
      disk: { text: () => options.text?.(afterMs()) ?? 'as it was copied' },
    },
    folders: { paths: ['/tray'], rule: () => null, isJudged: () => true },
    stateOf: (folder, path) => (folder === '/tray' && path === copied ? options.state(afterMs()) : null),
    story,
  });
  goingOn.hung();
  await world.advance(3_600_000);
  return {
    copies,
    wentOn: story.faults.get('went-on-beside') ?? 0,
    broken: story.violations.map(({ invariant, what }) => `${invariant}: ${what}`),
  };
};

test.each<[string, Parameters<typeof beside>[0], Awaited<ReturnType<typeof beside>>]>([
  [
    'a file that is found, settles and gets ready keeps the promise',
    { state: (ms) => (ms < 5000 ? null : ms < 60_000 ? 'settling' : 'ready') },
    { copies: 1, wentOn: 1, broken: [] },
  ],
  [
    'a file that nobody finds breaks it',
    { state: () => null },
    { copies: 1, wentOn: 1, broken: [`I22: ${copied} is not found while another drive hangs`] },
  ],
  [
    'a file that is found too late breaks it',
    { state: (ms) => (ms < 16_000 ? null : 'ready') },
    { copies: 1, wentOn: 1, broken: [`I22: ${copied} is not found while another drive hangs`] },
  ],
  [
    'a file that settles for ever breaks it',
    { state: () => 'settling' },
    { copies: 1, wentOn: 1, broken: [`I22: ${copied} still settles while another drive hangs`] },
  ],
  [
    'a file that someone changes meanwhile says nothing',
    { state: () => null, text: (ms) => (ms < 1000 ? 'as it was copied' : 'changed') },
    { copies: 1, wentOn: 0, broken: [] },
  ],
  [
    'an engine that does not work gets no file',
    { state: () => null, works: false },
    { copies: 0, wentOn: 0, broken: [] },
  ],
])('%s', async (_, given, seen) => {
  expect(await beside(given)).toEqual(seen);
});
