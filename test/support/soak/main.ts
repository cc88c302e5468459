// `npm run soak`: kills the program as often as requested, and checks every promise each time.
//
//   npm run soak                    1,000 kills at random moments (--kills, --seed)
//   npm run soak -- --points        a kill before and after every effect of a canonical run
//   npm run soak -- --audit         the same around every write to the audit file
//   npm run soak -- --recalls       the same of `outtray recall`
//   npm run soak -- --expiries      the same of a link that ends
//   npm run soak -- --lossy         lost answers, broken bodies and a second device (--files, --seed)
//
// The last line is JSON; the exit code is 1 when a promise was broken. It uses the built command, and builds it when
// its sources are newer.
import { parseArgs } from 'node:util';
import buildWhenStale from '../build.ts';
import { createDice } from '../simulation/dice.ts';
import { createKillsRig } from './kills.ts';
import { runLossy } from './lossy.ts';
import { createPointsRig, pointsOf, type PointResult } from './points.ts';
import { createRecallRig } from './recall-points.ts';
import { startServiceProcess, type Build, type ServiceProcess } from './processes.ts';

const { values } = parseArgs({
  options: {
    points: { type: 'boolean', default: false },
    audit: { type: 'boolean', default: false },
    recalls: { type: 'boolean', default: false },
    expiries: { type: 'boolean', default: false },
    lossy: { type: 'boolean', default: false },
    kills: { type: 'string', default: '1000' },
    files: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    /** How many programs run at once. */
    lanes: { type: 'string', default: '2' },
    /** With --points, --audit and --recalls: only every n-th. */
    every: { type: 'string', default: '1' },
  },
});
const lanes = Math.max(1, Number(values.lanes));
const seed = Number(values.seed);
const build: Build = 'bundle';
await buildWhenStale();
const startedAtMs = performance.now();
const seconds = (): number => Math.round((performance.now() - startedAtMs) / 1000);

type Outcome = { figures: Record<string, unknown>; broken: string[] };

const add = (to: Record<string, number>, from: Record<string, number>): void => {
  for (const [name, count] of Object.entries(from)) to[name] = (to[name] ?? 0) + count;
};
const eachLane = <T>(act: (lane: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: lanes }, (_, lane) => act(lane)));

const points = async (service: ServiceProcess): Promise<Outcome> => {
  const by = values.expiries ? 'expiry' : 'person';
  const rigs = await eachLane((lane) => {
    const name = `points-${lane}`;
    return values.recalls || values.expiries
      ? createRecallRig(service, { build, name, by })
      : createPointsRig(service, { build, name, isAudited: values.audit, files: values.audit ? 8 : 20 });
  });
  const effects = rigs[0]?.effects ?? [];
  const ofKind = pointsOf(effects).filter(({ label }) => !values.audit || /audit|commit/.test(label));
  const todo = ofKind.filter((_, index) => index % Number(values.every) === 0);
  const results: PointResult[] = [];
  const total = todo.length;
  console.log(`${effects.length} effects in a clean run, ${total} points to die at (${build})`);
  for (const [index, rig] of rigs.entries()) {
    const differs =
      rig.effects.length !== effects.length || rig.effects.some((one, at) => one !== effects[at]);
    if (differs) console.log(`lane ${index} counted ${rig.effects.length} effects, not all the same`);
  }
  await eachLane(async (lane) => {
    const rig = rigs[lane];
    for (let point = todo.shift(); point !== undefined && rig !== undefined; point = todo.shift()) {
      const result = await rig.try(point);
      results.push(result);
      for (const what of result.broken) {
        console.log(
          `BROKEN ${point.moment} ${point.label} ${point.nth} (${result.died ? 'died' : 'missed'}): ${what}`,
        );
      }
      if (results.length % 25 === 0) console.log(`${results.length} of ${total}, ${seconds()} s`);
    }
  });
  const kinds: Record<string, number> = {};
  for (const { died, point } of results) if (died) add(kinds, { [point.label]: 1 });
  for (const rig of rigs) await rig.remove();
  /** Runs that ended before the effect, because they had one commit less than the counted run. */
  const missed = results.filter(({ died }) => !died).length;
  return {
    figures: { effects: effects.length, points: total, missed, kinds },
    broken: results.flatMap(({ broken }) => broken),
  };
};

const kills = async (service: ServiceProcess): Promise<Outcome> => {
  const most = Number(values.kills);
  let [begun, done, rounds] = [0, 0, 0];
  const found: Record<string, number> = {};
  const broken: string[] = [];
  await eachLane(async (lane) => {
    const dice = createDice(seed).stream(`lane ${lane}`);
    const rig = await createKillsRig(service, { build, name: `kills-${lane}`, dice });
    console.log(`lane ${lane}: a run takes ${Math.round(await rig.measure())} ms (${build})`);
    while (begun < most) {
      const left = most - begun;
      begun += Math.min(left, rig.killsPerRound);
      const result = await rig.round(left);
      done += result.kills;
      rounds += 1;
      add(found, result.found);
      for (const what of result.broken) console.log(`BROKEN (lane ${lane}, round ${rounds}): ${what}`);
      broken.push(...result.broken);
      console.log(`${done} of ${most} kills, ${rounds} rounds, ${seconds()} s`);
    }
  });
  return { figures: { seed, kills: done, rounds, files: rounds * 40, found }, broken };
};

const lossy = (service: ServiceProcess): Promise<Outcome> =>
  runLossy(service, { build, name: 'lossy', dice: createDice(seed), files: Number(values.files) });

const kind =
  values.points || values.audit || values.recalls || values.expiries
    ? 'points'
    : values.lossy
      ? 'lossy'
      : 'kills';
const service = await startServiceProcess(['--seed', String(seed)]);
try {
  const { figures, broken } = await { points, lossy, kills }[kind](service);
  for (const what of kind === 'lossy' ? broken : []) console.log(`BROKEN: ${what}`);
  console.log(JSON.stringify({ soak: kind, ...figures, broken: broken.length, seconds: seconds() }));
  if (broken.length > 0) process.exitCode = 1;
} finally {
  await service.stop();
}
