// Whether the watch sees everything. Each problem is reported once, however often it occurs. The watch tries again
// after a time, because the user may have followed the remedy.
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
