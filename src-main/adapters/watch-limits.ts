// How many watches the system allows, for `doctor`.
import { readFileSync, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** Fewer are used up by an editor and a browser before Outtray starts. */
const leastWatches = 8192;

export const checkWatchLimits = async (
  folder: string,
  platform: NodeJS.Platform = process.platform,
  startWatch: typeof watch = watch,
): Promise<{ ok: boolean; message: string; remedy: string }> => {
  if (platform !== 'linux') return { ok: true, message: 'The system tells of changes.', remedy: '' };
  const text = await readFile('/proc/sys/fs/inotify/max_user_watches', 'utf8').catch(() => '');
  const refusal = refusedWatch(folder, startWatch);
  if (refusal !== null) return refusal;
  const watches = Number(text.trim());
  if (text === '' || Number.isNaN(watches)) {
    return { ok: true, message: 'The system does not say how many folders may be watched.', remedy: '' };
  }
  return watches >= leastWatches
    ? { ok: true, message: `Up to ${watches} folders can be watched.`, remedy: '' }
    : {
        ok: false,
        message: `Only ${watches} folders can be watched; beyond that Outtray scans every 30 s.`,
        remedy: 'Run `sudo sysctl fs.inotify.max_user_watches=524288`.',
      };
};

/** One watch is tried: other programs of this user may have used up what the system allows. */
const refusedWatch = (
  folder: string,
  startWatch: typeof watch,
): { ok: false; message: string; remedy: string } | null => {
  try {
    startWatch(folder).close();
    return null;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const name = code === 'ENOSPC' ? 'max_user_watches' : 'max_user_instances';
    const most = limitOf(name);
    const more = Math.max(name === 'max_user_watches' ? 524_288 : 1024, 2 * (most ?? 0));
    return {
      ok: false,
      message: `The system allows no further watch (${code}; fs.inotify.${name} is ${most ?? 'unknown'}), so Outtray scans every 30 s.`,
      remedy: `Run \`sudo sysctl fs.inotify.${name}=${more}\`.`,
    };
  }
};

const limitOf = (name: string): number | null => {
  try {
    return Number(readFileSync(`/proc/sys/fs/inotify/${name}`, 'latin1'));
  } catch {
    return null;
  }
};
