// `npm run bench [-- NAME …]`: benchmarks, one after the other, each ends in one line of JSON. They take real time
// and a quiet machine; none of them is a test.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

export type Bench = {
  name: string;
  /** What has to hold, in words. */
  goal: string;
  /** The figures; `ok` says whether the goal is reached. */
  run(): Promise<Record<string, unknown> & { ok: boolean }>;
};

const here = import.meta.dirname;
const shared = ['run.ts', 'outtray.ts'];

const load = async (): Promise<Bench[]> => {
  const found: Bench[] = [];
  for (const file of readdirSync(here).filter((name) => name.endsWith('.ts') && !shared.includes(name))) {
    const module = (await import(pathToFileURL(path.join(here, file)).href)) as { bench?: Bench };
    if (module.bench !== undefined) found.push(module.bench);
  }
  return found.sort((a, b) => a.name.localeCompare(b.name));
};

const benches = await load();
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const unknown = wanted.filter((name) => !benches.some((bench) => bench.name === name));
if (unknown.length > 0) {
  console.error(
    `There is no benchmark ${unknown.join(', ')}. There are: ${benches.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}
for (const bench of benches.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  console.error(`${bench.name}: ${bench.goal}`);
  const figures = await bench.run();
  console.log(
    JSON.stringify({ name: bench.name, goal: bench.goal, node: process.versions.node, ...figures }),
  );
  if (!figures.ok) process.exitCode = 1;
}
