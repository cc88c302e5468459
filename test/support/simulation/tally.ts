// The totals over many runs, added up day by day and part by part, for the final report.
import type { Day } from './day.ts';
import { proxyFaults } from './proxy.ts';
import { fates, longRefusals } from './network.ts';
import { noes } from './noes.ts';

export type Tally = {
  days: number;
  /** Virtual days, the time to finish included. */
  virtualDays: number;
  files: number;
  requests: number;
  failed: number;
  cpuMs: number;
  faults: Record<string, number>;
  /** The largest amount of each bounded thing, over all runs. */
  peaks: Record<string, number>;
};

/** In a run of at least this many days, a fault rarer than `leastPerFault` is one that the simulation neglects. */
const nightlyDays = 10_000;
const leastPerFault = 500;

/** The faults that do not belong to a single request. */
const others = [
  'ceiling-lifted',
  'ceiling-lowered',
  'change-untold',
  'clock-back',
  'clock-forward',
  'copied-over',
  'daily-uploads',
  'data-folder-gone',
  'deleted-on-site',
  'disk-full',
  'downloaded',
  'drive-again',
  'drive-hung',
  'end-at-a-moment',
  'end-on-the-way',
  'file-swapped',
  'folder-added',
  'folder-away',
  'folder-into-another',
  'folder-removed',
  'folder-rule',
  'folder-swapped',
  'hint-dropped',
  'hints-lost',
  'id-given-again',
  'key-of-another',
  'killed',
  'killed-at-call',
  'killed-at-commit',
  'killed-while-closed',
  'link-404',
  'link-followed',
  'link-is-page',
  'link-unreachable',
  'locked-file',
  'look-crashed',
  'look-hung',
  'no-after-tail',
  'no-key',
  'no-on-the-way',
  'number-again',
  'other-device',
  'other-drive',
  'power-cut',
  'restored',
  'rights-changed',
  'saved-while-sent',
  'second-account',
  'second-engine',
  'set-up-anew',
  'size-overstated',
  'slept',
  'swapped-at-listing',
  'swapped-at-open',
  'swapped-while-sent',
  'time-set-back',
  'unmounted',
  'unreadable',
  'unwanted-deleted',
  'watch-degraded',
  'went-on-beside',
];

export const emptyTally = (): Tally => ({
  days: 0,
  virtualDays: 0,
  files: 0,
  requests: 0,
  failed: 0,
  cpuMs: 0,
  faults: Object.fromEntries(
    [...fates, ...longRefusals, ...proxyFaults, ...noes, ...others].map((kind) => [kind, 0]),
  ),
  peaks: {},
});

export const tallyOf = (day: Day, cpuMs: number): Tally => ({
  ...emptyTally(),
  days: 1,
  virtualDays: day.days,
  files: day.files,
  requests: day.requests,
  failed: day.story.violations.length > 0 ? 1 : 0,
  cpuMs,
  faults: Object.fromEntries(day.story.faults),
  peaks: Object.fromEntries(day.story.peaks),
});

export const added = (a: Tally, b: Tally): Tally => ({
  days: a.days + b.days,
  virtualDays: a.virtualDays + b.virtualDays,
  files: a.files + b.files,
  requests: a.requests + b.requests,
  failed: a.failed + b.failed,
  cpuMs: a.cpuMs + b.cpuMs,
  faults: combined(a.faults, b.faults, (x, y) => x + y),
  peaks: combined(a.peaks, b.peaks, Math.max),
});

const combined = (
  a: Record<string, number>,
  b: Record<string, number>,
  join: (x: number, y: number) => number,
): Record<string, number> => {
  const all = { ...a };
  for (const [name, value] of Object.entries(b)) all[name] = join(all[name] ?? 0, value);
  return all;
};

/** Faults that occurred too seldom for a run of this length. */
export const tooSeldom = (tally: Tally): [kind: string, count: number][] =>
  tally.days < nightlyDays ? [] : Object.entries(tally.faults).filter(([, count]) => count < leastPerFault);

export const report = (tally: Tally, seconds: number): string[] => {
  const { days, virtualDays, files, requests, failed, cpuMs } = tally;
  const sorted = (of: Record<string, number>) => Object.entries(of).sort(([a], [b]) => (a < b ? -1 : 1));
  const faults = sorted(tally.faults);
  const injected = faults.reduce((sum, [, count]) => sum + count, 0);
  return [
    ...faults.map(([kind, count]) => `${String(count).padStart(9)}  ${kind}`),
    `the most at once: ${sorted(tally.peaks)
      .map(([name, most]) => `${name} ${most}`)
      .join(', ')}`,
    ...tooSeldom(tally).map(([kind, count]) => `too seldom: ${kind} (${count} of ${leastPerFault})`),
    `${days} days (${virtualDays.toFixed(0)} with the time to finish), ${files} contents, ${requests} requests, ` +
      `${injected} faults of ${faults.length} kinds, ${failed} days with a broken promise`,
    `${(days / seconds).toFixed(2)} days/s, ${(days / (cpuMs / 1000)).toFixed(2)} days per second of CPU`,
  ];
};
