// Enumerated crashes: counts the effects of a canonical run over 20 files, then kills a run just before and just after
// each of them in turn. The next start must keep every promise.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Build, Doom, ServiceProcess } from './processes.ts';
import { createTray, type Tray } from './tray.ts';

/** `died`: false when the run ended before that effect. */
export type PointResult = { point: Doom; died: boolean; broken: string[] };

export type PointsRig = {
  /** Every effect of a clean run, in order. */
  effects: string[];
  try(point: Doom): Promise<PointResult>;
  remove(): Promise<void>;
};

/** One upload after the other, so that two runs do the same in the same order. */
export const createPointsRig = async (
  service: ServiceProcess,
  options: { build: Build; name: string; files?: number; isAudited?: boolean },
): Promise<PointsRig> => {
  const { files = 20, isAudited = false } = options;
  const account = await service.account(options.name);
  const tray: Tray = createTray({
    build: options.build,
    service,
    account,
    settings: { concurrentUploads: 1 },
    isAudited,
  });
  const aside = mkdtempSync(path.join(tmpdir(), 'outtray-soak-notes-'));
  const notes = path.join(aside, 'notes');
  // With 20 files: from 4 bytes to 0.6 MB, below and above the size of the withheld tail (16 KiB).
  for (let at = 0; at < files; at += 1) tray.put(`file ${at}.bin`, 1 + Math.round(1.9 ** at * 3));

  const readNotes = (): string[] => {
    try {
      return readFileSync(notes, 'utf8').split('\n').slice(0, -1);
    } catch {
      return [];
    }
  };
  const again = async (): Promise<void> => {
    await service.remove(await service.files(account.name));
    tray.renew();
    rmSync(notes, { force: true });
  };

  const counting = tray.watch({ once: true, notes });
  const clean = await counting.ended;
  const effects = readNotes();
  if (clean.code !== 0 || effects.length < files * 8) {
    const said = JSON.stringify(counting.lines.at(-1));
    throw new Error(
      `The clean run ended with ${clean.code ?? clean.signal} after ${effects.length} effects: ${said}`,
    );
  }
  const atOnce = await tray.finish({ status: true });
  if (atOnce.length > 0) throw new Error(`The clean run broke promises: ${atOnce.join('; ')}`);

  let tries = 0;
  return {
    effects,
    async try(point) {
      tries += 1;
      await again();
      const { signal } = await tray.watch({ once: true, doom: point, notes }).ended;
      const died = signal === 'SIGKILL' && readNotes()[0] === point.label;
      const broken = [...tray.noteLinks().broken];
      // At every other point, `status` runs before the next start: it is the first to open what the crash left.
      if (tries % 2 === 0) {
        const status = await tray.status();
        if (!status.ok) broken.push(`status after the crash said ${status.said}`);
      }
      broken.push(...(await tray.finish({ status: tries % 2 === 1 })));
      return { point, died, broken };
    },
    async remove() {
      await service.remove(await service.files(account.name));
      tray.remove();
      rmSync(aside, { recursive: true, force: true });
    },
  };
};

export const pointsOf = (effects: readonly string[]): Doom[] =>
  effects.flatMap((label, index) => {
    const nth = effects.slice(0, index + 1).filter((one) => one === label).length;
    const moments = ['before', 'after', ...(label.startsWith('writeSync') ? ['torn' as const] : [])] as const;
    return moments.map((moment) => ({ moment, label, nth }));
  });
