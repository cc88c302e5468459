// Random kills: rounds of 40 files that arrive bit by bit. Each kill comes at a random time within the length of a
// whole run, looks included; then the program runs to the end, and every promise is checked.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from '../simulation/dice.ts';
import type { Build, ServiceProcess } from './processes.ts';
import { createTray, reconcileAfterMs } from './tray.ts';

export type Round = {
  kills: number;
  /** The rows of the ledgers right after the kills, by state, and how many kills left an upload under way. */
  found: Record<string, number>;
  broken: string[];
};

const files = 40;
const killsPerRound = 10;
/** From a few bytes through the size of the withheld tail (16 KiB) to bodies that take several writes. */
const sizes = [16, 700, 16_384, 16_385, 70_000, 300_000, 1_500_000, 4_000_000];

export const createKillsRig = async (
  service: ServiceProcess,
  options: { build: Build; name: string; dice: Dice },
) => {
  const { build, dice } = options;
  const account = await service.account(options.name);
  let wholeMs = 0;

  const round = async (most: number): Promise<Round> => {
    const tray = createTray({
      build,
      service,
      account,
      settings: { concurrentUploads: dice.pick([1, 2, 4]) },
    });
    const found: Record<string, number> = {};
    const broken: string[] = [];
    const count = (what: string): void => {
      found[what] = (found[what] ?? 0) + 1;
    };
    let put = 0;
    const add = (upTo: number): void => {
      for (; put < upTo; put += 1) {
        tray.put(`file ${put}.bin`, dice.pick(sizes) + (dice.happens(0.5) ? dice.whole(0, 5000) : 0));
      }
    };
    const kills = Math.min(most, killsPerRound);
    try {
      for (let kill = 1; kill <= kills; kill += 1) {
        add(Math.ceil((files * kill) / kills));
        const run = tray.watch();
        // Sometimes beyond the run's own end: the looks for uploads left by the kill before come late.
        await Promise.race([
          sleep(dice.chance() * (wholeMs + (dice.happens(0.3) ? reconcileAfterMs : 0))),
          run.ended,
        ]);
        const { signal } = await run.stop('SIGKILL');
        if (signal !== 'SIGKILL') broken.push(`it ended by itself: ${run.stderr()}`);
        const { view, broken: changed } = tray.noteLinks();
        broken.push(...changed);
        const states = new Set(view?.rows.map((row) => row.state));
        count(view === null ? 'no ledger yet' : 'kills of a run with a ledger');
        for (const state of states) count(state);
      }
      broken.push(...(await tray.finish()));
      return { kills, found, broken };
    } finally {
      await service.remove(await service.files(account.name));
      tray.remove();
    }
  };

  return {
    /** How long a run over a round's files takes from its start to rest; kills fall within that. */
    async measure(): Promise<number> {
      const tray = createTray({ build, service, account });
      for (let at = 0; at < files / 4; at += 1) tray.put(`file ${at}.bin`, dice.pick(sizes));
      const startMs = performance.now();
      const run = tray.watch();
      await run.until((line) => line.event === 'idle' && line['uploaded'] === files / 4, 60_000);
      wholeMs = performance.now() - startMs;
      await run.stop('SIGINT');
      await service.remove(await service.files(account.name));
      tray.remove();
      return wholeMs;
    },
    round,
    killsPerRound,
  };
};
