// Subfolders that could not be read when the watched folder was chosen. Their files are pre-existing, or may be. The
// engine treats them as pre-existing until it has read the subfolder once.
import type { ActiveFolder } from '../../shared/folder.ts';
import { relativeTo } from '../../shared/paths.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Stamp } from '../../ports/files.ts';
import { arrivedSince } from '../../shared/file-version.ts';

export type Unread = {
  /** This folder cannot be read now. It counts only in a first scan, or below a folder that has not been read yet. */
  failed(active: ActiveFolder, dir: string): void;
  /** These folders and everything below them have been read. Files that appear there later count as new. */
  read(active: ActiveFolder, dirs: ReadonlySet<string>): void;
  /** Whether a file without a row was there when the folder was chosen. */
  wasThere(active: ActiveFolder, dir: string, stamp: Stamp | null): boolean | 'unknown';
};

export const createUnreadableFolders = ({ ledger }: Pick<Ports, 'ledger'>): Unread => {
  const store = (active: ActiveFolder, unreadable: readonly string[]): void => {
    ledger.folders.update(active.row.id, { unreadable });
    active.row = { ...active.row, unreadable };
  };
  const covers = ({ row }: ActiveFolder, dir: string): boolean =>
    row.unreadable.some((unread) => dir === unread || relativeTo(unread, dir) !== null);

  return {
    failed(active, dir) {
      const dirs = active.row.unreadable;
      if (dirs.includes(dir) || !(active.isBaseline || covers(active, dir))) return;
      store(active, [...dirs, dir]);
    },
    read(active, dirs) {
      const left = active.row.unreadable.filter((dir) => !dirs.has(dir));
      if (left.length < active.row.unreadable.length) store(active, left);
    },
    wasThere(active, dir, stamp) {
      const { chosenAtMs } = active.row;
      if (stamp === null || !covers(active, dir)) return false;
      if (!arrivedSince(stamp, chosenAtMs)) return true;
      // It was changed or moved here since then. It is certainly new only if it was created after that moment.
      return stamp.bornMs !== undefined && stamp.bornMs >= chosenAtMs ? false : 'unknown';
    },
  };
};
