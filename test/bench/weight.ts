// Goal 5 of performance: the cost of the running command while it has nothing to do. 10,000 files are watched, the
// ledger has 100,000 rows. No request, little memory, almost no processor time.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeManyUploads } from '../support/window/many-uploads.ts';
import { judge, type Bench } from './frame.ts';
import { cpuMsOf, residentBytesOf } from './measure.ts';
import { startServiceProcess } from './outtray.ts';
import { rounded } from './show.ts';
import { makeTree } from './tree.ts';
import { makeHome } from './watcher.ts';

const rows = 100_000;
const folders = 100;
const each = 100;
const forMs = 600_000;
/** The remaining work after the first scan (statements, compilation of code) is done by then. */
const restMs = 5_000;
const goals = { requests: 0, cpuMs: 100, residentMiB: 120 };

export const bench: Bench = {
  name: 'weight',
  goal: `${folders * each} files, ${rows} rows, ${forMs / 60_000} min idle: ≤ ${goals.residentMiB} MiB, ≤ ${goals.cpuMs} ms of processor time, ${goals.requests} requests`,
  async run() {
    const service = await startServiceProcess([]);
    const home = await makeHome(service);
    try {
      makeTree(home.folder, folders, each);
      const ledger = path.join(home.home, 'ledger.sqlite');
      writeManyUploads(ledger, rows);
      const first = await home.start({ args: ['--existing', 'skip'] });
      await first.untilLogged('scanned');
      await first.stop();
      const watcher = await home.start();
      await watcher.until(({ event }) => event === 'idle');
      await sleep(restMs);
      const asked = async (): Promise<number> => (await service.get<unknown[]>('requests')).length;
      const before = { requests: await asked(), cpuMs: cpuMsOf(watcher.pid) ?? Number.NaN };
      await sleep(forMs);
      const cpuMs = (cpuMsOf(watcher.pid) ?? Number.NaN) - before.cpuMs;
      const residentMiB = (residentBytesOf(watcher.pid) ?? Number.NaN) / 1024 ** 2;
      const requests = (await asked()) - before.requests;
      await watcher.stop();
      return {
        ...judge([
          { what: 'requests', value: requests, atMost: goals.requests },
          { what: 'processor, ms', value: cpuMs, atMost: goals.cpuMs },
          { what: 'resident, MiB', value: residentMiB, atMost: goals.residentMiB },
        ]),
        requests,
        cpuMs: rounded(cpuMs),
        residentMiB: rounded(residentMiB),
        forMs,
      };
    } finally {
      await service.stop();

      home.remove();
    }
  },
};
