// How far the uploads are, for Dock and taskbar: a run begins with the first file and ends when none is left. Pure.
import type { Change } from '../../contract/client.ts';
import { goingOf, needsPerson } from '../../contract/live.ts';
import type { EngineStatus } from '../../contract/model.ts';

/** `share` 0 to 1, negative: no bar. The mode is drawn on Windows only. */
export type ProgressBar = { share: number; mode: 'none' | 'normal' | 'error' | 'paused' };

export const noProgress: ProgressBar = { share: -1, mode: 'none' };

/**
 * `sent`: the share of each upload under way, by its id. `shown`: the largest share shown for these files, so that the
 * bar does not go back when a file is sent again or when one event arrives as two changes.
 */
export type ProgressRun = { status: EngineStatus | null; sent: ReadonlyMap<number, number>; shown: number };

export const noRun: ProgressRun = { status: null, sent: new Map(), shown: 0 };

export const nextRun = (run: ProgressRun, change: Change): ProgressRun => {
  const next = heard(run, change);
  const { status } = next;
  if (status === null || goingOf(status) === 0) return next;
  const isSame = run.status?.work.total === status.work.total;
  return { ...next, shown: Math.max(isSame ? next.shown : 0, shareOf(status, next.sent)) };
};

const heard = (run: ProgressRun, change: Change): ProgressRun => {
  const sent = new Map(run.sent);
  switch (change.kind) {
    case 'status':
      return goingOf(change.status) === 0
        ? { ...noRun, status: change.status }
        : { ...run, status: change.status };
    case 'progress':
      for (const { uploadId, sentBytes, totalBytes } of change.progress)
        sent.set(uploadId, totalBytes === 0 ? 1 : sentBytes / totalBytes);
      return { ...run, sent };
    case 'entries': {
      for (const { uploadId, body } of change.entries)
        if (uploadId !== null && body.kind !== 'uploading') sent.delete(uploadId);
      return { ...run, sent };
    }
    case 'packing':
    case 'settings':
      return run;
  }
};

/** In whole hundredths: finer steps are not visible. */
const shareOf = (status: EngineStatus, sent: ProgressRun['sent']): number => {
  const sum = [...sent.values()].reduce((all, one) => all + one, status.work.ready);
  return Math.min(1, Math.round((100 * sum) / (status.work.ready + goingOf(status))) / 100);
};

export const barOf = ({ status, shown: share }: ProgressRun): ProgressBar => {
  if (status === null || goingOf(status) === 0) return noProgress;
  const { gate } = status;
  if (gate.kind === 'closed' && needsPerson(gate.reason)) return { share, mode: 'error' };
  return { share, mode: status.paused || gate.kind === 'closed' ? 'paused' : 'normal' };
};

/** Hears every change; `show` is called when the bar changes. */
export const createProgress = (show: (bar: ProgressBar) => void) => {
  let run = noRun;
  return (change: Change): void => {
    const before = barOf(run);
    run = nextRun(run, change);
    const bar = barOf(run);
    if (bar.share !== before.share || bar.mode !== before.mode) show(bar);
  };
};
