// Goal 11 of performance: "all done at" is shown at the start, and it is right. The whole engine on the virtual clock:
// 170 files on a Pro account, and 600 files of which the day's requests allow only a part today.
import type { QueueView } from '../../src-main/contract/answers.ts';
import type { Settings } from '../../src-main/contract/settings.ts';
import { createWorld, minuteMs } from '../support/fake-world.ts';
import { judge, type Bench } from './frame.ts';
import { rounded } from './show.ts';

const cases: readonly { name: string; files: number; settings: Partial<Settings> }[] = [
  { name: '170 files', files: 170, settings: { requestsPerMinute: 50, requestsPerDay: 5_000 } },
  {
    name: '600 files over the end of the day',
    files: 600,
    settings: { requestsPerMinute: 50, requestsPerDay: 400 },
  },
];
const goals = { off: 0.1, beforeReopening: 0 };
const lookEveryMs = minuteMs;
const mostMs = 3 * 24 * 60 * minuteMs;

type Told = { atMs: number; doneAtMs: number | null; early: number };

/** How many of the times in the window are before the moment at which the queue continues. */
const tooEarly = ({ status, waiting }: QueueView): number => {
  const reopensAtMs = status.gate.kind === 'closed' ? status.gate.untilMs : status.nextSlotAtMs;
  if (reopensAtMs === null || status.sending > 0) return 0;
  const told = [status.doneAtMs, ...waiting.map(({ expectedAtMs }) => expectedAtMs)];
  return told.filter((atMs) => atMs !== null && atMs < reopensAtMs).length;
};

const play = async (files: number, settings: Partial<Settings>): Promise<{ told: Told[]; endMs: number }> => {
  const ends: (() => Promise<void>)[] = [];
  const world = createWorld({
    settings: { ...settings, burstFiles: 10_000 },
    whenDone: (end) => ends.push(end),
  });
  try {
    const run = await world.start();
    for (let at = 0; at < files; at += 1)
      world.disk.write(`/tray/file ${String(at)}.txt`, `content ${String(at)}`);
    // A file that may still change is in no forecast: the start is the moment at which all are ready.
    await world.clock.runUntil(
      () => world.ledger.uploads.countInState('settling') === 0 && run.engine.status().sending > 0,
    );
    const told: Told[] = [];
    const uploaded = (): number => run.engine.status().counts.uploaded;
    while (uploaded() < files && world.clock.monoMs() < mostMs) {
      const view = await run.call('queue.get', { limit: files });
      told.push({ atMs: world.clock.wallMs(), doneAtMs: view.status.doneAtMs, early: tooEarly(view) });
      await world.clock.advance(lookEveryMs);
    }
    return { told, endMs: Math.max(...world.service.stored.map(({ atMs }) => atMs)) };
  } finally {
    for (const end of ends) await end();
  }
};

export const bench: Bench = {
  name: 'forecast',
  goal: `"all done at", told at the start, within ${goals.off * 100} % of the time it takes; no told time before the queue goes on`,
  async run() {
    const results = [];
    for (const { name, files, settings } of cases) {
      const { told, endMs } = await play(files, settings);
      const [first] = told;
      const isTold = first !== undefined && first.doneAtMs !== null;
      const tookMs = endMs - (first?.atMs ?? Number.NaN);
      results.push({
        name,
        tookMinutes: rounded(tookMs / minuteMs),
        off: isTold ? Math.abs((first.doneAtMs ?? 0) - endMs) / tookMs : Infinity,
        early: told.reduce((sum, one) => sum + one.early, 0),
      });
    }
    return {
      ...judge(
        results.flatMap(({ name, off, early }) => [
          { what: `${name}: off by`, value: off, atMost: goals.off },
          { what: `${name}: times before the queue goes on`, value: early, atMost: goals.beforeReopening },
        ]),
      ),
      results,
    };
  },
};
