// Whether the watch sees everything. What it lacks is said once, however often it is met, and tried again from time
// to time, for somebody may have followed the remedy.
import type { WatchHealth } from '../../engine/ports.ts';

type Options = { hear: (health: WatchHealth) => void; retryMs: number; retry: () => void };

export const createHealth = ({ hear, retryMs, retry }: Options) => {
  let now: WatchHealth['kind'] | null = null;
  let timer: NodeJS.Timeout | undefined;

  const retryLater = (): void => {
    clearTimeout(timer);
    timer = setTimeout(retry, retryMs);
    timer.unref();
  };

  return {
    isDegraded: (): boolean => now === 'degraded',
    degrade: (message: string): void => {
      if (now !== 'degraded') hear({ kind: 'degraded', message });
      now = 'degraded';
      retryLater();
    },
    retryLater,
    live: (): void => {
      clearTimeout(timer);
      if (now !== 'live') hear({ kind: 'live' });
      now = 'live';
    },
    stop: (): void => {
      clearTimeout(timer);
    },
  };
};
