// `npm run bench [-- NAME …]`: benchmarks, one after the other, each ends in one line of JSON on stdout; other output
// goes to stderr. They take real time and need a quiet machine; none of them is a test. Without names: the goals of
// performance.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Bench } from './frame.ts';
import { rounded, say } from './show.ts';

const here = import.meta.dirname;

/** The goals in their order; benchmarks that are not listed follow, by name. */
const order = [
  'drop-to-link',
  'first-picture',
  'window-answers',
  'upload-big',
  'upload-memory',
  'weight',
  'scan',
  'settle',
  'nothing-missed',
  'burst',
  'look-inside',
  'limiter',
  'files-list',
  'forecast',
  'start',
  'window-size',
];
const place = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);

const load = async (): Promise<Bench[]> => {
  const found: Bench[] = [];
  for (const file of readdirSync(here).filter((name) => name.endsWith('.ts') && name !== 'run.ts')) {
    // Programs that benchmarks start are in this folder and would run when imported; shared parts export no `bench`.
    if (file.includes('.child.')) continue;
    const source = pathToFileURL(path.join(here, file)).href;
    const module = (await import(source)) as { bench?: Bench };
    if (module.bench !== undefined) found.push(module.bench);
  }
  return found.sort((a, b) => place(a.name) - place(b.name) || a.name.localeCompare(b.name));
};

const benches = await load();
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const unknown = wanted.filter((name) => !benches.some((bench) => bench.name === name));
if (unknown.length > 0) {
  say(
    `There is no benchmark ${unknown.join(', ')}. There are: ${benches.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}
const chosen = benches.filter(({ name, extra }) =>
  wanted.length === 0 ? extra !== true : wanted.includes(name),
);
for (const { name, goal, run } of chosen) {
  say(`\n${name}: ${goal}`);
  const startMs = performance.now();
  const { ok, ...figures } = await run();
  const tookS = rounded((performance.now() - startMs) / 1_000);
  say(`${name}: ${ok === null ? 'not compared' : ok ? 'reached' : 'MISSED'} (${tookS} s)`);
  console.log(JSON.stringify({ name, goal, ok, tookS, ...figures }));
  if (ok === false) process.exitCode = 1;
}
