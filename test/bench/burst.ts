// Promise 4 at its largest: a folder with 100,000 files is moved into a watched one. The question comes soon, and no
// file goes before it.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { judge, type Bench } from './frame.ts';
import { startServiceProcess } from './outtray.ts';
import { rounded } from './show.ts';
import { makeHome } from './watcher.ts';

const many = 100_000;
const mostMs = 300_000;

export const bench: Bench = {
  name: 'burst',
  goal: `${many} files at once: asked about within 10 s, none of them sent`,
  async run() {
    const service = await startServiceProcess([]);
    const home = await makeHome(service);
    try {
      const arriving = path.join(home.home, '..', 'arriving');
      mkdirSync(arriving);
      for (let n = 0; n < many; n += 1) writeFileSync(path.join(arriving, `${n}.txt`), `content ${n}\n`);
      const watcher = await home.start();
      await watcher.until(({ event }) => event === 'idle');
      const startMs = performance.now();
      const passedMs = (): number => performance.now() - startMs;
      const held = (): number => watcher.events.filter(({ event }) => event === 'held').length;
      renameSync(arriving, path.join(home.folder, 'arrived'));
      await watcher.until(({ event }) => event === 'held');
      const firstMs = passedMs();
      while (held() < many && passedMs() < mostMs) await sleep(500);
      const allMs = passedMs();
      const sent = (await service.get<unknown[]>('files')).length;
      await watcher.stop();
      const judged = judge([
        { what: 'question, seconds', value: firstMs / 1000, atMost: 10 },
        { what: 'files sent', value: sent, atMost: 0 },
      ]);
      return { ...judged, allMs: rounded(allMs) };
    } finally {
      home.remove();
      await service.stop();
    }
  },
};
