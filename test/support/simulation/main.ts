// `npm run simulate -- --seed N` replays one run and prints its trace; `-- --days 10000` is the nightly run. Says how
// many days a second it made, which faults struck how often, and which promise was broken by which seed.
import { parseArgs } from 'node:util';
import { runDay } from './day.ts';
import { fates } from './weather.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    days: { type: 'string', default: '100' },
    from: { type: 'string', default: '1' },
    /** Stop after so many failing seeds. */
    failures: { type: 'string', default: '20' },
    hours: { type: 'string', default: '24' },
  },
});
const hours = Number(values.hours);
/** From this length on, a fault that struck less often is one that the simulation forgot. */
const nightlyDays = 10_000;
const leastPerFault = 500;
/** What else strikes beside the faults of single requests. */
const kinds = [
  ...fates,
  'daily-uploads',
  'link-unreachable',
  'other-device',
  'killed',
  'killed-at-call',
  'killed-at-commit',
  'power-cut',
  'slept',
  'clock-forward',
  'clock-back',
  'disk-full',
  'no-key',
  'locked-file',
  'unreadable',
  'unmounted',
  'watch-degraded',
  'hints-lost',
  'hint-dropped',
  'saved-while-sent',
];

if (values.seed === undefined) await many(Number(values.from), Number(values.days));
else await one(Number(values.seed));

async function one(seed: number): Promise<void> {
  const day = await runDay(seed, { trace: true, hours });
  for (const line of day.story.lines) console.log(line);
  console.log(`seed ${seed}: ${day.files} contents, ${day.requests} requests, trace ${day.hash}`);
  for (const { invariant, what, atMs } of day.story.violations)
    console.log(`${invariant} broken at ${(atMs / 1000).toFixed(3)} s: ${what}`);
  if (day.story.violations.length > 0) process.exitCode = 1;
}

async function many(from: number, days: number): Promise<void> {
  const faults = new Map<string, number>();
  const startMs = performance.now();
  let [failed, files, requests, done, virtualDays] = [0, 0, 0, 0, 0];
  for (let seed = from; seed < from + days && failed < Number(values.failures); seed += 1) {
    const day = await runDay(seed, { hours });
    done += 1;
    if (done % 500 === 0) console.error(`${done} days, ${failed} failed`);
    files += day.files;
    requests += day.requests;
    virtualDays += day.days;
    for (const [kind, count] of day.story.faults) faults.set(kind, (faults.get(kind) ?? 0) + count);
    const [first] = day.story.violations;
    if (first === undefined) continue;
    failed += 1;
    const broken = [...new Set(day.story.violations.map(({ invariant }) => invariant))].join(' ');
    console.log(`seed ${seed}: ${broken}: ${first.what}`);
    console.log(`  npm run simulate -- --seed ${seed}`);
  }
  const seconds = (performance.now() - startMs) / 1000;
  const cpu = process.cpuUsage();
  const cpuSeconds = (cpu.user + cpu.system) / 1e6;
  for (const [kind, count] of [...faults].sort(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`${kind} ${count}`);
  console.log(
    `${done} days (${virtualDays.toFixed(0)} with the time to finish), ${files} contents, ${requests} requests, ` +
      `${(done / seconds).toFixed(2)} days/s, ${(done / cpuSeconds).toFixed(2)} days per second of CPU, ${failed} failed`,
  );
  for (const kind of kinds) if (!faults.has(kind)) faults.set(kind, 0);
  const rare = [...faults].filter(([, count]) => count < leastPerFault);
  if (done >= nightlyDays) for (const [kind, count] of rare) console.log(`too seldom: ${kind} (${count})`);
  if (failed > 0 || (done >= nightlyDays && rare.length > 0)) process.exitCode = 1;
}
