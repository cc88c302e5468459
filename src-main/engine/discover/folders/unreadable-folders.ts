// Subfolders that could not be read when the watched folder was chosen. Their files are pre-existing, or may be. The
// engine treats them as pre-existing until it has read the subfolder once.
import type { ActiveFolder } from '../../shared/folder.ts';
import { relativeTo } from '../../shared/paths.ts';
import type { Ports } from '../../ports/ports.ts';

export type Unread = {
  /** This path cannot be read now. It counts only in a first scan, or below a folder that has not been read yet. */
  failed(active: ActiveFolder, path: string): void;
  /** These paths have been read. Files that appear there later count as new. */
  read(active: ActiveFolder, isRead: (path: string) => boolean): void;
  /** Whether this path, or a folder above it, has not been read yet: what the first listing shows was there. */
  covers(active: ActiveFolder, path: string): boolean;
};

export const createUnreadableFolders = ({ ledger }: Pick<Ports, 'ledger'>): Unread => {
  const store = (active: ActiveFolder, unreadable: readonly string[]): void => {
    ledger.folders.update(active.row.id, { unreadable });
    active.row = { ...active.row, unreadable };
  };
  const covers = ({ row }: ActiveFolder, path: string): boolean =>
    row.unreadable.some((unread) => path === unread || relativeTo(unread, path) !== null);

  return {
    failed(active, path) {
      const { unreadable, leftOutSubfolders } = active.row;
      if (unreadable.includes(path)) return;
      if (active.isBaseline || leftOutSubfolders || covers(active, path))
        store(active, [...unreadable, path]);
    },
    read(active, isRead) {
      const left = active.row.unreadable.filter((path) => !isRead(path));
      if (left.length < active.row.unreadable.length) store(active, left);
    },
    covers,
  };
};
