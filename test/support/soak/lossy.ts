// A bad network with real processes: 30 % of the complete uploads lose their answer, 20 % break within their body, and
// another device uploads files of the same names and sizes all the time.
import type { FileId } from '../../../src-main/contract/text/file-id.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from '../simulation/dice.ts';
import type { Build, ServiceProcess } from './processes.ts';
import { createTray } from './tray.ts';

const uploadPath = '/files/upload';

type RequestRecord = { method: string; path: string; faults: string[]; fileId: FileId | null };

export const runLossy = async (
  service: ServiceProcess,
  options: { build: Build; name: string; dice: Dice; files: number },
): Promise<{ figures: Record<string, unknown>; broken: string[] }> => {
  const { build, dice, files } = options;
  const account = await service.account(options.name);
  const tray = createTray({ build, service, account, settings: { reconcileAfterMs: 2000 } });
  const foreign = new Set<number>();
  try {
    const sizes = new Map<string, number>();
    for (let at = 0; at < files; at += 1) {
      const name = `file ${at}.bin`;
      const sizeBytes = 200 + dice.whole(0, 400) * 100;
      sizes.set(name, sizeBytes);
      tray.put(name, sizeBytes);
    }
    await service.control('faults', [
      { match: { path: uploadPath }, chance: 0.2, fault: { kind: 'reset', at: 'body' } },
      { match: { path: uploadPath }, chance: 0.3 / 0.8, fault: { kind: 'reset', at: 'done' } },
    ]);
    const run = tray.watch();
    let isOver = false;
    const otherDevice = async (): Promise<void> => {
      const names = [...sizes];
      while (!isOver) {
        const [filename, sizeBytes] = dice.pick(names);
        const content = `another device's ${foreign.size} `.padEnd(sizeBytes, 'x').slice(0, sizeBytes);
        const { id } = await service.control<{ id: number }>('files', {
          filename,
          content,
          account: account.name,
        });
        foreign.add(id);
        await sleep(dice.spread(50, 500));
      }
    };
    const other = otherDevice();
    const isAllUp = await run.until(
      (line) => line.event === 'idle' && line['uploaded'] === files,
      15 * 60_000,
    );
    isOver = true;
    await other;
    await run.stop('SIGINT');
    const requests = await service.control<RequestRecord[]>('requests');
    await service.clearFaults();
    const isForeign = ({ id }: { id: number }): boolean => foreign.has(id);
    const broken = [...(isAllUp ? [] : ['not everything went up']), ...(await tray.finish({ isForeign }))];
    const count = (test: (request: RequestRecord) => boolean): number => requests.filter(test).length;
    const sent = count((request) => request.path.endsWith(uploadPath));
    const lost = count((request) => request.fileId !== null && request.faults.includes('reset'));
    const lists = count((request) => request.method === 'GET' && request.path.endsWith('/files'));
    const downloads = count((request) => request.path.startsWith('/download/'));
    return {
      figures: {
        files,
        sent,
        broken_within_body: count((request) => request.fileId === null && request.faults.includes('reset')),
        answers_lost: lost,
        foreign: foreign.size,
        lists,
        downloads,
        per_uncertain: Number(((lists + downloads) / Math.max(1, lost)).toFixed(2)),
      },
      broken,
    };
  } finally {
    tray.remove();
  }
};
