// How many watches the system allows, for `doctor`.
import { readFile } from 'node:fs/promises';

/** Fewer are used up by an editor and a browser before Outtray starts. */
const leastWatches = 8192;

export const checkWatchLimits = async (
  platform: NodeJS.Platform = process.platform,
): Promise<{ ok: boolean; message: string; remedy: string }> => {
  if (platform !== 'linux') return { ok: true, message: 'The system tells of changes.', remedy: '' };
  const text = await readFile('/proc/sys/fs/inotify/max_user_watches', 'utf8').catch(() => '');
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
