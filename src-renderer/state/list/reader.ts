// A question to the engine that is asked again after news: one at a time, and no more often than each `settleMs`.
import type { Session } from '../session.svelte.ts';

export const createReader = (
  session: Pick<Session, 'onEntries'>,
  settleMs: number,
  ask: () => Promise<void>,
) => {
  let soon: ReturnType<typeof setTimeout> | undefined;
  let isReading = false;
  let again = false;
  let readMs = -settleMs;

  const read = async (): Promise<void> => {
    again = isReading;
    if (isReading) return;
    isReading = true;
    readMs = performance.now();
    await ask();
    isReading = false;
    if (again) await read();
  };
  const readSoon = (): void => {
    const leftMs = Math.max(0, readMs + settleMs - performance.now());
    soon ??= setTimeout(() => {
      soon = undefined;
      void read();
    }, leftMs);
  };
  return {
    read,
    readSoon,
    /** Follows the engine until the undo is called. */
    follow(): () => void {
      void read();
      const undo = session.onEntries(readSoon);
      return () => {
        undo();
        again = false;
        clearTimeout(soon);
        soon = undefined;
      };
    },
  };
};
