// `npm run first-run [-- --auto] [--short] [--only 9,10] [--out FILE]`: makes the checks of the page first-run.md on the
// Electron of this checkout, or on the stand-in if there is none, and asks a person for the others.
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { version } from '../../src-main/adapters/version.ts';
import type { RunningApp } from '../support/app.ts';
import buildWhenStale from '../support/build.ts';
import { electronBinary } from '../support/machine.ts';
import { readChecks, type Check } from './page.ts';

const marks = { right: '✓', wrong: '!', 'not-asked': '?', 'only-real': '–', 'other-system': '–' };
type Outcome = keyof typeof marks;
type Result = Check & { outcome: Outcome; seen: string };

const longestMs = 180_000;

const { values } = parseArgs({
  options: {
    auto: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    out: { type: 'string', default: 'first-run.json' },
  },
});
const numbers = values.only.split(',').filter((number) => number !== '');
const isAsking = !values.auto && process.stdin.isTTY;

const isReal = electronBinary() !== null;
if (isReal) process.env['ELECTRON'] = 'real';
else
  console.log('Electron’s binary is missing (node node_modules/electron/install.js): this is the stand-in.');
await buildWhenStale();
// They choose between Electron and the stand-in when they are loaded.
const { acts, begin } = await import('./acts.ts');
const { setStage } = await import('../app/stage.ts');

const systems: Partial<Record<NodeJS.Platform, string>> = { win32: 'Windows', darwin: 'macOS' };
const here = systems[process.platform] ?? 'Linux';
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());

const stage = await setStage();
let running = null as Promise<RunningApp> | null;
const app = (): Promise<RunningApp> => {
  const one = (running ??= begin(stage));
  const forget = (): void => {
    if (running === one) running = null;
  };
  one.then(({ ended }) => ended.then(forget), forget);
  return one;
};

const inTime = async (act: Promise<string>): Promise<string> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(reject, longestMs, new Error(`Not done in ${String(longestMs / 1000)} s.`));
  return await Promise.race([act, promise]).finally(() => clearTimeout(timer));
};

const personSays = async ({ how, right }: Check): Promise<[Outcome, string]> => {
  console.log(`\n  Do: ${how}\n  It should show: ${right}`);
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const question = '  y: right, n and what you see: wrong, Enter: later. ';
  const given = await lines.question(question, { signal: stop.signal }).catch(() => '');
  lines.close();
  const [, word = '', seen = ''] = /^\s*(\S*)\s*(.*)$/.exec(given) ?? [];
  if (word === '') return ['not-asked', ''];
  return /^y(es)?$/i.test(word) ? ['right', seen] : ['wrong', /^no?$/i.test(word) ? seen : given.trim()];
};

const outcomeOf = async (check: Check): Promise<[Outcome, string]> => {
  if (check.system !== null && check.system !== here) return ['other-system', ''];
  if (check.act === null) return isAsking ? await personSays(check) : ['not-asked', ''];
  if (check.isOnlyReal && !isReal) return ['only-real', ''];
  const act = acts[check.act];
  if (act === undefined) throw new Error(`${check.act} is not in acts.ts.`);
  return await inTime(act({ stage, app, isShort: values.short })).then(
    (seen): [Outcome, string] => ['right', seen],
    (error: unknown): [Outcome, string] => ['wrong', error instanceof Error ? error.message : String(error)],
  );
};

const results: Result[] = [];
try {
  for (const check of readChecks()) {
    if (stop.signal.aborted) break;
    if (numbers.length > 0 && !numbers.includes(String(check.number))) continue;
    const [outcome, seen] = await outcomeOf(check);
    results.push({ ...check, outcome, seen });
    if (outcome === 'not-asked' || outcome === 'other-system') continue;
    const should = outcome === 'wrong' ? `\n  It should show: ${check.right}` : '';
    console.log(`${marks[outcome]} ${String(check.number)}. ${check.subject}: ${seen || check.how}${should}`);
  }
} finally {
  await (await running?.catch(() => null))?.quit();
  await stage[Symbol.asyncDispose]();
}

const report = {
  at: new Date().toISOString(),
  outtray: version,
  electron: isReal ? 'real' : 'stand-in',
  system: `${here} ${os.release()} ${process.arch}`,
  desktop: process.env['XDG_CURRENT_DESKTOP'] ?? null,
  results,
};
writeFileSync(values.out, `${JSON.stringify(report, null, 2)}\n`);
const count = (outcome: Outcome): string => String(results.filter((one) => one.outcome === outcome).length);
console.log(
  `${count('right')} right, ${count('wrong')} wrong, ${count('not-asked')} for a person, ${count('only-real')} for the real Electron. The report is in ${values.out}.`,
);
process.exit(count('wrong') === '0' ? 0 : 1);
