// What the system allows in watches, and the words for when it is not enough.
import { readFileSync } from 'node:fs';

const limitOf = (name: string): number | null => {
  try {
    return Number(readFileSync(`/proc/sys/fs/inotify/${name}`, 'latin1'));
  } catch {
    return null;
  }
};

/**
 * Events in one batch from which on some were probably lost: half of what the queue of Linux holds, at most 8,000.
 * Elsewhere Node reports a loss as an event without a name.
 */
export const overflowEvents = (): number =>
  Math.min(8000, Math.floor((limitOf('max_queued_events') ?? 16_384) / 2));

export const isLimit = (error: unknown): boolean => ['ENOSPC', 'EMFILE', 'ENFILE'].includes(codeOf(error));

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** One or two sentences: what ran out, what happens instead, the exact remedy. */
export const limitMessage = (error: unknown): string => {
  const instead = 'so the folder is scanned every 30 s instead';
  if (codeOf(error) === 'ENOSPC') {
    const watches = limitOf('max_user_watches') ?? 0;
    return `The system's ${watches} folder watches are used up, ${instead}. To allow more: ${sysctl('max_user_watches', Math.max(524_288, 2 * watches))}`;
  }
  // Out of descriptors not even the limit can be read; out of inotify instances it can.
  const instances = limitOf('max_user_instances');
  return instances === null
    ? `Outtray has no file handles left to watch with, ${instead}. To allow more: ulimit -n 65536, then start it again`
    : `The system's ${instances} watching programs are used up, ${instead}. To allow more: ${sysctl('max_user_instances', Math.max(1024, 2 * instances))}`;
};

const sysctl = (name: string, value: number): string => `sudo sysctl fs.inotify.${name}=${value}`;
