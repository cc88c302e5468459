// `npm run simulate -- --seed N` replays one run and prints its trace; `-- --days 10000 --jobs 2` is the nightly run.
// Reports the days per second, how often each fault was injected, and which seed broke which promise.
import { fork } from 'node:child_process';
import { parseArgs } from 'node:util';
import { runDay } from './day.ts';
import { added, emptyTally, report, tallyOf, tooSeldom, type Tally } from './tally.ts';

const { values } = parseArgs({
  options: {
    /** One run, with its trace. */
    seed: { type: 'string' },
    days: { type: 'string', default: '100' },
    from: { type: 'string', default: '1' },
    hours: { type: 'string', default: '24' },
    /** The number of processes that work at once. */
    jobs: { type: 'string', default: '1' },
    /** Stop after this many failing seeds. */
    failures: { type: 'string', default: '20' },
  },
});
const hours = Number(values.hours);
const mostFailed = Number(values.failures);
/** The number of seeds that a job gets at a time: few, so that no job ends long before the others. */
const seedsAtOnce = 5;
const progressEvery = 500;

/** A job gets its seeds part by part, and answers each part with its outcome. */
type Part = { from: number; to: number };
type Outcome = { tally: Tally; failures: string[] };

if (process.send !== undefined) serve();
else if (values.seed !== undefined) await one(Number(values.seed));
else await many(Number(values.from), Number(values.days), Math.max(1, Number(values.jobs)));

async function one(seed: number): Promise<void> {
  const day = await runDay(seed, { trace: true, hours });
  for (const line of day.story.lines) console.log(line);
  console.log(`seed ${seed}: ${day.files} contents, ${day.requests} requests, trace ${day.hash}`);
  for (const { invariant, what, atMs } of day.story.violations)
    console.log(`${invariant} broken at ${(atMs / 1000).toFixed(3)} s: ${what}`);
  if (day.story.violations.length > 0) process.exitCode = 1;
}

async function part({ from, to }: Part): Promise<Outcome> {
  let tally = emptyTally();
  const failures: string[] = [];
  for (let seed = from; seed < to; seed += 1) {
    const before = process.cpuUsage();
    const length = hours === 24 ? '' : ` --hours ${hours}`;
    const replay = `  npm run simulate --${length} --seed ${seed}`;
    const day = await runDay(seed, { hours }).catch((error: unknown) => {
      failures.push(`seed ${seed}: thrown: ${String(error)}\n${replay}`);
      return null;
    });
    if (day === null) {
      tally = added(tally, { ...emptyTally(), days: 1, failed: 1 });
      continue;
    }
    const { user, system } = process.cpuUsage(before);
    tally = added(tally, tallyOf(day, (user + system) / 1000));
    const [first] = day.story.violations;
    if (first === undefined) continue;
    const broken = [...new Set(day.story.violations.map(({ invariant }) => invariant))].join(' ');
    failures.push(`seed ${seed}: ${broken}: ${first.what}\n${replay}`);
  }
  return { tally, failures };
}

function serve(): void {
  process.on('message', (given: Part) => {
    part(given).then(
      (outcome) => process.send?.(outcome),
      (error: unknown) => {
        console.error(`seeds ${given.from} to ${given.to - 1}:`, error);
        process.exit(70);
      },
    );
  });
}

async function many(from: number, days: number, jobs: number): Promise<void> {
  const startMs = performance.now();
  let tally = emptyTally();
  let next = from;
  const end = from + days;

  const take = (): Part | null => {
    if (next >= end || tally.failed >= mostFailed) return null;
    const given = { from: next, to: Math.min(end, next + seedsAtOnce) };
    next = given.to;
    return given;
  };
  const keep = ({ tally: more, failures }: Outcome): void => {
    const before = tally.days;
    tally = added(tally, more);
    for (const failure of failures) console.log(failure);
    if (Math.floor(before / progressEvery) < Math.floor(tally.days / progressEvery))
      console.error(`${tally.days} days, ${tally.failed} failed`);
  };

  if (jobs === 1) for (let given = take(); given !== null; given = take()) keep(await part(given));
  else await Promise.all(Array.from({ length: jobs }, () => employ(take, keep)));

  for (const line of report(tally, (performance.now() - startMs) / 1000)) console.log(line);
  if (tally.failed > 0 || tooSeldom(tally).length > 0) process.exitCode = 1;
}

/** Starts one more process, and gives it part after part until none is left. */
function employ(take: () => Part | null, keep: (outcome: Outcome) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const job = fork(import.meta.filename, process.argv.slice(2));
    const send = (): void => {
      const given = take();
      if (given === null) job.disconnect();
      else job.send(given);
    };
    job.on('message', (outcome: Outcome) => {
      keep(outcome);
      send();
    });
    job.on('error', reject);
    job.on('exit', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`A job ended with ${code ?? signal ?? 'nothing'}.`));
    });
    send();
  });
}
