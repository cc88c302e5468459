// How well look inside distinguishes secrets from harmless texts (test/support/corpus), what a look costs, and how much
// longer a person waits for 200 files that are dropped at once: from the last close to the last link, with and without
// it in turn.
import { randomBytes, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInspect } from '../../src-main/adapters/inspect/inspect.ts';
import { harmlessFiles } from '../support/corpus/harmless.ts';
import { measurePart, type Part } from '../support/corpus/parts.ts';
import { judge, type Bench } from './frame.ts';
import { startServiceProcess } from './outtray.ts';
import { median, quantile, rounded, say } from './show.ts';
import { makeHome, type Home, type Watcher } from './watcher.ts';

const goals = { foundPercent: 95, alarmsPercent: 0.5, p50Ms: 50, slower: 1.1 };
const dropped = 200;
const rounds = 5;
/** The limiter is open: other benchmarks measure its waits. */
const settings = { requestsPerMinute: 100_000, requestsPerDay: 100_000_000, burstFiles: 1_000_000 };

export const bench: Bench = {
  name: 'look-inside',
  goal: `found ≥ ${goals.foundPercent} % of made-up secrets, false alarms ≤ ${goals.alarmsPercent} % of harmless files, p50 ≤ ${goals.p50Ms} ms a file, ${dropped} files at once ≤ ${goals.slower} × without`,
  async run() {
    const parts = {
      seen: await measureOnePart('seen'),
      unseen: await measureOnePart('unseen'),
      blind: await measureOnePart('blind'),
      formats: await measureOnePart('formats'),
    };
    const { alarms, tookMs } = await measureFiles();
    const drops = await measureDrops();
    const p50 = quantile(tookMs, 0.5);
    return {
      ...judge([
        {
          what: 'secrets not found, %',
          value: 100 - Math.min(...Object.values(parts).map(({ found }) => found)),
          atMost: 100 - goals.foundPercent,
        },
        { what: 'false alarms, %', value: alarms, atMost: goals.alarmsPercent },
        { what: 'a file p50, ms', value: p50, atMost: goals.p50Ms },
        {
          what: `${dropped} files at once, × without`,
          value: median(drops.on) / median(drops.off),
          atMost: goals.slower,
        },
      ]),
      alarms: rounded(alarms),
      parts,
      ms: { p50: rounded(p50), p95: rounded(quantile(tookMs, 0.95)), most: rounded(tookMs.at(-1) ?? 0) },
      dropsMs: { on: drops.on.map(rounded), off: drops.off.map(rounded) },
    };
  },
};

/** Percents. Which kinds of the unseen part are missed is not printed: the authors of rules must not know. */
const measureOnePart = async (part: Part): Promise<{ found: number; alarms: number }> => {
  const inspect = createInspect();
  try {
    const { kinds, harmlessKinds, found, alarms, missed, mistaken } = await measurePart(inspect, part);
    say(`${part}: ${rounded(found * 100)} % of ${kinds} kinds found`);
    say(`${part}: ${rounded(alarms * 100)} % false alarms of ${harmlessKinds} harmless kinds`);
    if (part !== 'unseen') say(`missed: ${missed.join(', ')}; mistaken: ${mistaken.join(', ')}`);
    return { found: rounded(found * 100), alarms: rounded(alarms * 100) };
  } finally {
    await inspect.close();
  }
};

/** Sources and files of packages: the share that is held, in percent, and the sorted milliseconds of each. */
const measureFiles = async (): Promise<{ alarms: number; tookMs: number[] }> => {
  const inspect = createInspect();
  const tookMs: number[] = [];
  const mistaken: string[] = [];
  try {
    for (const { name, bytes } of harmlessFiles(2000)) {
      const startMs = performance.now();
      if ((await inspect.findIn({ kind: 'text', bytes })).length > 0) mistaken.push(name);
      tookMs.push(performance.now() - startMs);
    }
  } finally {
    await inspect.close();
  }
  const alarms = (100 * mistaken.length) / tookMs.length;
  say(`${tookMs.length} files of packages: ${rounded(alarms)} % false alarms: ${mistaken.join(', ')}`);
  return { alarms, tookMs: tookMs.sort((one, other) => one - other) };
};

const measureDrops = async (): Promise<Record<'on' | 'off', number[]>> => {
  const none = ['--requests-per-minute', 'none', '--requests-per-day', 'none', '--store', 'hash-only'];
  const service = await startServiceProcess(none);
  const homes = {
    on: await makeHome(service, settings),
    off: await makeHome(service, { ...settings, lookInside: false }),
  };
  const took: Record<'on' | 'off', number[]> = { on: [], off: [] };
  try {
    const begin = async (home: Home): Promise<Watcher> => {
      const watcher = await home.start({ args: ['--existing', 'skip'] });
      await watcher.until(({ event }) => event === 'idle');
      return watcher;
    };
    const watchers = { on: await begin(homes.on), off: await begin(homes.off) };
    for (let round = 0; round < rounds; round += 1) {
      const turn = round % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const);
      for (const which of turn) took[which].push(await dropAll(homes[which].folder, watchers[which], round));
    }
    for (const watcher of Object.values(watchers)) await watcher.stop();
    return took;
  } finally {
    await service.stop();
    for (const home of Object.values(homes)) home.remove();
  }
};

/** Half texts, half pictures and the like, none of them known. Milliseconds until all have their links. */
const dropAll = async (folder: string, watcher: Watcher, round: number): Promise<number> => {
  const texts = harmlessFiles(2000);
  for (let at = 0; at < dropped; at += 1) {
    const text = texts[(at * 7 + round * 1000) % texts.length]?.bytes ?? Buffer.alloc(0);
    const content =
      at % 2 === 0
        ? Buffer.concat([Buffer.from(`${randomUUID()}\n`), text])
        : randomBytes(text.length + 1000);
    writeFileSync(path.join(folder, `${round} ${at}`), content);
  }
  const closedMs = Date.now();
  const name = path.join(folder, `${round} `);
  const links = () =>
    watcher.events.filter(({ event, path: of }) => event === 'uploaded' && of?.startsWith(name));
  await watcher.until(() => links().length === dropped);
  return Math.max(...links().map(({ at }) => Date.parse(at))) - closedMs;
};
