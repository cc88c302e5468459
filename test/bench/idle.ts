// Goal 12 of performance: with nothing to do the program does nothing. A minute of `outtray watch` over a folder whose
// files are all known: no request, next to no processor time.
import { setTimeout as sleep } from 'node:timers/promises';
import { judge, type Bench } from './frame.ts';
import { cpuMsOf } from './measure.ts';
import { startServiceProcess } from './outtray.ts';
import { rounded } from './show.ts';
import { makeTree } from './tree.ts';
import { makeHome } from './watcher.ts';

const forMs = 60_000;
/** What is left to do after the first scan (statements, code that is compiled) is over by then. */
const restMs = 3_000;
const goals = { requests: 0, cpuMs: 20 };

export const bench: Bench = {
  name: 'idle',
  goal: `nothing to do for ${forMs / 1_000} s: ${goals.requests} requests, ≤ ${goals.cpuMs} ms of processor time`,
  async run() {
    const service = await startServiceProcess([]);
    const home = await makeHome(service);
    try {
      makeTree(home.folder, 100, 10);
      const watcher = await home.start({ args: ['--existing', 'skip'] });
      await watcher.until(({ event }) => event === 'idle');
      await sleep(restMs);
      const asked = async (): Promise<number> => (await service.get<unknown[]>('requests')).length;
      const before = { requests: await asked(), cpuMs: cpuMsOf(watcher.pid) ?? Number.NaN };
      await sleep(forMs);
      const cpuMs = (cpuMsOf(watcher.pid) ?? Number.NaN) - before.cpuMs;
      const requests = (await asked()) - before.requests;
      await watcher.stop();
      const judged = judge([
        { what: 'requests', value: requests, atMost: goals.requests },
        { what: 'processor, ms', value: cpuMs, atMost: goals.cpuMs },
      ]);
      return { ...judged, requests, cpuMs: rounded(cpuMs), forMs };
    } finally {
      await service.stop();
      home.remove();
    }
  },
};
