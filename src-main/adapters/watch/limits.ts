// What the system allows in watches, and the words for when it is not enough.
import { readFileSync, watch } from 'node:fs';
import { moreHandles } from '../system/storage.ts';

/** If the limit is lower, an editor and a browser use it up before Outtray starts. */
const minWatches = 8192;

const limitOf = (name: string): number | null => {
  try {
    return Number(readFileSync(`/proc/sys/fs/inotify/${name}`, 'latin1'));
  } catch {
    return null;
  }
};

/**
 * How many events in one batch mean that some were probably lost: half of what the queue of Linux holds, at most 8,000.
 * Elsewhere Node reports a loss as an event without a name.
 */
export const overflowEvents = (): number =>
  Math.min(8000, Math.floor((limitOf('max_queued_events') ?? 16_384) / 2));

export const isLimit = (error: unknown): boolean => ['ENOSPC', 'EMFILE', 'ENFILE'].includes(codeOf(error));

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** One or two sentences: what ran out, what happens instead, the exact remedy. */
export const limitMessage = (error: unknown, platform: NodeJS.Platform = process.platform): string => {
  const instead = 'so the folder is scanned every 30 s or less often instead';
  if (platform !== 'linux')
    return `The system watches nothing more, ${instead}. ${moreHandles(platform, '')}`;
  if (codeOf(error) === 'ENOSPC') {
    return `The system's ${limitOf('max_user_watches') ?? 0} folder watches are used up, ${instead}. To allow more: ${moreOf('max_user_watches')}`;
  }
  // Without free descriptors not even the limit can be read; without free inotify instances it can.
  const instances = limitOf('max_user_instances');
  return instances === null
    ? `Outtray has no file handles left to watch with, ${instead}. To allow more: ulimit -n 65536, then start it again`
    : `The system's ${instances} watching programs are used up, ${instead}. To allow more: ${moreOf('max_user_instances')}`;
};

const minimumOf = { max_user_watches: 524_288, max_user_instances: 1024 };

const moreOf = (name: keyof typeof minimumOf): string =>
  `sudo sysctl fs.inotify.${name}=${Math.max(minimumOf[name], 2 * (limitOf(name) ?? 0))}`;

/** For `doctor`. Tries one watch: other programs of this user may have used up what the system allows. */
export const checkWatchLimits = (folder: string): { ok: boolean; message: string; remedy: string } => {
  if (process.platform !== 'linux') return { ok: true, message: 'The system reports changes.', remedy: '' };
  try {
    watch(folder).close();
  } catch (error) {
    const code = codeOf(error) || String(error);
    const name = code === 'ENOSPC' ? 'max_user_watches' : 'max_user_instances';
    return {
      ok: false,
      message: `The system allows no further watch (${code}; fs.inotify.${name} is ${limitOf(name) ?? 'unknown'}), so Outtray scans every 30 s or less often.`,
      remedy: `Run \`${moreOf(name)}\`.`,
    };
  }
  const watches = limitOf('max_user_watches');
  if (watches === null) {
    return { ok: true, message: 'The system does not say how many folders may be watched.', remedy: '' };
  }
  return watches >= minWatches
    ? { ok: true, message: `Up to ${watches} folders can be watched.`, remedy: '' }
    : {
        ok: false,
        message: `Only ${watches} folders can be watched; beyond that Outtray scans every 30 s or less often.`,
        remedy: `Run \`${moreOf('max_user_watches')}\`.`,
      };
};
