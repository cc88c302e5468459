// The changes of one folder are recorded in parts. A process that is killed between two parts leaves some changes
// recorded. The next scan records the rest, and gives consent to no file that had none.
import { expect, test } from 'vitest';
import { isDeep, some } from '../../../support/deep.ts';
import { createWorld, minuteMs, type World } from '../../../support/fake-world.ts';

/** More files than one transaction takes, and more than are remembered in one piece. */
const many = isDeep ? 300 : 150;
const settings = { burstFiles: 1_000_000, concurrentUploads: 8 };
const numbers = Array.from({ length: many }, (_, at) => at);

type Change = {
  /** Before the folder is chosen, or just after. */
  before: (world: World) => void;
  prepare?: (world: World) => Promise<void>;
  change: (world: World) => void;
  expectAtEnd: (world: World, at: string) => void;
};

const presentRows = (world: World): string[] =>
  world.rows().flatMap(({ present, dir, name, state }) => (present ? [`${dir}/${name} ${state.kind}`] : []));
const namesIn = (dir: string, state: string): string[] => numbers.map((at) => `${dir}/${at}.txt ${state}`);

/** Runs the scenario with a kill at that commit of the scan that finds the change. Returns how many commits that scan had. */
const play = async (
  { before, prepare, change }: Change,
  kill: { commit: number; when: 'before' | 'after' } | null,
): Promise<{ world: World; commits: number; wasKilled: boolean }> => {
  const world = createWorld({ settings });
  world.disk.hints(false);
  before(world);
  await world.clock.advance(minuteMs);
  const run = await world.start();
  await prepare?.(world);
  await run.call('queue.pause', { untilMs: null });
  const from = run.life.commits();
  if (kill !== null) run.life.killAt(kill.commit, kill.when);
  change(world);
  run.client.call('folder.scan', {}).catch(() => undefined);
  await world.clock.advance(100);
  const commits = run.life.commits() - from;
  const wasKilled = run.life.isOver();
  if (wasKilled) await world.start();
  await world.clock.advance(minuteMs);
  return { world, commits, wasKilled };
};

const cases: [string, Change][] = [
  [
    'files that arrive together',
    {
      before: () => undefined,
      change: (world) => numbers.forEach((at) => world.disk.write(`/tray/${at}.txt`, String(at))),
      expectAtEnd: (world, at) =>
        expect(presentRows(world).toSorted(), at).toEqual(namesIn('/tray', 'ready').toSorted()),
    },
  ],
  [
    'files that leave together',
    {
      before: (world) => numbers.forEach((at) => world.disk.write(`/tray/${at}.txt`, String(at))),
      change: (world) => numbers.forEach((at) => world.disk.remove(`/tray/${at}.txt`)),
      expectAtEnd: (world, at) => expect(presentRows(world), at).toEqual([]),
    },
  ],
  [
    'files of before whose folder is renamed',
    {
      before: (world) => {
        world.disk.make('/tray/a', 'folder');
        for (const at of numbers) world.disk.write(`/tray/a/${at}.txt`, String(at));
      },
      change: (world) => world.disk.rename('/tray/a', '/tray/b'),
      expectAtEnd: (world, at) =>
        expect(presentRows(world).toSorted(), at).toEqual(namesIn('/tray/b', 'skipped').toSorted()),
    },
  ],
  ...some(['a', 'b'] as const, 2).map((from): [string, Change] => {
    const to = from === 'a' ? 'b' : 'a';
    return [
      `files of before that are moved from folder ${from} to folder ${to}`,
      {
        before: (world) => {
          for (const dir of ['/tray/a', '/tray/b']) world.disk.make(dir, 'folder');
          for (const at of numbers) world.disk.write(`/tray/${from}/${at}.txt`, String(at));
        },
        change: (world) => {
          for (const at of numbers) world.disk.rename(`/tray/${from}/${at}.txt`, `/tray/${to}/${at}.txt`);
        },
        expectAtEnd: (world, at) =>
          expect(presentRows(world).toSorted(), at).toEqual(namesIn(`/tray/${to}`, 'skipped').toSorted()),
      },
    ];
  }),
];

test.each(cases)(
  '%s: all changes are recorded, whenever the process is killed',
  async (_, one) => {
    const { commits, world: whole } = await play(one, null);
    one.expectAtEnd(whole, 'not killed');
    expect(commits).toBeGreaterThan(2);
    const isFull = process.env['OUTTRAY_FULL'] === '1';
    const stride = isFull ? 1 : Math.max(1, Math.floor(commits / (isDeep ? 3 : 1.5)));
    for (let commit = stride; commit <= commits; commit += stride) {
      for (const when of isFull ? (['before', 'after'] as const) : (['after'] as const)) {
        const at = `killed ${when} commit ${commit}`;
        const { world, wasKilled } = await play(one, { commit, when });
        expect(wasKilled, at).toBe(true);
        one.expectAtEnd(world, at);
      }
    }
  },
  120_000,
);

test('many files that arrive together are recorded in few transactions that wait for the disk', async () => {
  const world = createWorld({ settings });
  const run = await world.start();
  await run.call('queue.pause', { untilMs: null });
  const from = run.life.commits();
  for (const at of numbers) world.disk.write(`/tray/${at}.txt`, `content ${at}`);
  await world.clock.runUntil(() => world.ledger.uploads.countInState('ready') === many, minuteMs);
  expect(run.life.commits() - from).toBeLessThan(many / 5);
});

test('the folder is checked once for each file that is sent, not for each file that is found', async () => {
  // More than are checked one by one.
  const files = 40;
  const world = createWorld({ settings });
  const run = await world.start();
  await world.clock.advance(minuteMs);
  let asked = 0;
  const identify = world.disk.files.identify.bind(world.disk.files);
  world.disk.files.identify = (folder) => {
    asked += 1;
    return identify(folder);
  };
  for (const at of numbers.slice(0, files)) world.disk.write(`/tray/${at}.txt`, String(at));
  await world.clock.advance(minuteMs);
  expect(run.engine.status().counts.uploaded).toBe(files);
  expect(asked - files).toBeLessThan(10);
});
