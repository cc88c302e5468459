// Preloaded into the command (`--import`): notes every moment in which the event loop was blocked, and writes them to
// the file OUTTRAY_BENCH_BLOCKS at the end and on SIGUSR2: { atMs, blockMs }[], wall clock.
import { writeFileSync } from 'node:fs';

const everyMs = 2;
/** Shorter ones are the timer's own. */
const leastMs = 4;

const blocks = [];
/** The first turn follows the loading of the program: before that, nothing waits for the loop. */
let beforeMs = Infinity;
setInterval(() => {
  const nowMs = performance.now();
  const blockMs = nowMs - beforeMs - everyMs;
  if (blockMs >= leastMs) blocks.push({ atMs: Date.now(), blockMs });
  beforeMs = nowMs;
}, everyMs).unref();

const write = () => writeFileSync(process.env.OUTTRAY_BENCH_BLOCKS, JSON.stringify(blocks));
process.on('exit', write);
process.on('SIGUSR2', write);
