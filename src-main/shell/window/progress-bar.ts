// The bar of a run in Dock and taskbar. Pure.
import type { Change } from '../../contract/client.ts';
import { needsPerson, nextRun, noRun, type Run } from '../../contract/live.ts';

/** `share` 0 to 1, negative: no bar. The mode is drawn on Windows only. */
export type ProgressBar = { share: number; mode: 'none' | 'normal' | 'error' | 'paused' };

export const noProgress: ProgressBar = { share: -1, mode: 'none' };

export const barOf = ({ status, share }: Run): ProgressBar => {
  if (status === null || share === null) return noProgress;
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
