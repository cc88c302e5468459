// Memory of 20 watched folders with 5,000 files each, beside that of one folder with as many files as all of them: the
// ledger knows the files, and a new process compares them with the disk.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { judge, type Bench } from './frame.ts';
import { peakBytesOf } from './measure.ts';
import { startServiceProcess, type ServiceProcess } from './outtray.ts';
import { say } from './show.ts';
import { makeTree } from './tree.ts';
import { makeHome } from './watcher.ts';

const each = 100;
const subfolders = 1_000;
const most = 1.1;
const rounds = 3;
const mostMs = 600_000;

export const bench: Bench = {
  name: 'scan-folders',
  extra: true,
  goal: `20 × 5,000 unchanged files: peak of memory ≤ ${most} × that of one folder with 100,000`,
  async run() {
    const service = await startServiceProcess([]);
    try {
      const one = await peaks(service, 1);
      const many = await peaks(service, 20);
      const judged = judge([{ what: '20 folders ÷ 1', value: median(many) / median(one), atMost: most }]);
      return { ...judged, peakMiB: { one, many } };
    } finally {
      await service.stop();
    }
  },
};

const median = (of: readonly number[]): number =>
  of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)] ?? Number.NaN;

/** MiB of each round, from the start until every folder is scanned. */
const peaks = async (service: ServiceProcess, count: number): Promise<number[]> => {
  say(`${count} folders`);
  const home = await makeHome(service);
  const folders = Array.from({ length: count }, (_, n) => path.join(home.folder, `${n}`));
  for (const folder of folders) {
    mkdirSync(folder);
    makeTree(folder, subfolders / count, each);
  }
  const [folder, ...others] = folders;
  writeFileSync(path.join(home.home, 'settings.json'), JSON.stringify({ folder, folders: others }));
  const found: number[] = [];
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const watcher = await home.start({ isOfSettings: true });
      await watcher.untilLogged('scanned', mostMs, count);
      const peakBytes = peakBytesOf(watcher.pid);
      // The first one records the files.
      if (round > 0) found.push(Math.round((peakBytes ?? Number.NaN) / 1024 ** 2));
      await watcher.stop();
    }
  } finally {
    home.remove();
  }
  return found;
};
