// The state of a watched folder. Only the acts in this file change it, here and in the ledger.
import { rulesNow, whyUnproven, type ActiveFolder } from '../../shared/folder.ts';
import { relativeTo } from '../../shared/paths.ts';
import type { AppError } from '../../../contract/errors.ts';
import type { Mounts } from '../../ports/files.ts';
import type { Ports } from '../../ports/ports.ts';
import type { WatchedFolder } from '../../ports/uploads.ts';

export type OpenFolder = ActiveFolder & {
  /** The rules of now hold from here on. A scan has to judge every name again. */
  takeRules(): void;
  /** True if another command or process has changed its own rules in the ledger. They hold with `takeRules`. */
  readOwnRules(): boolean;
  /** In another process, the user may have accepted the folder that is there now. */
  readChoice(): void;
  /** Proves it after it was lost, or after another mount. Returns why it is not the chosen one, or null. */
  prove(): Promise<AppError | null>;
  /** What is mounted there now. Null: not known. */
  setMounts(mounts: Mounts | null): void;
  /** This path cannot be read now. It counts only in a first scan, or below a folder that has not been read yet. */
  addUnreadable(path: string): void;
  /** These paths have been read. Files that appear there later count as new. */
  removeUnreadable(isRead: (path: string) => boolean): void;
  /** Forgets other rules at once. If they come back later, the names judged in between must be judged again. */
  forgetOtherRules(): void;
  /** A whole scan begins. Call the result when it has seen everything. `isWhole`: it could read everything. */
  beginScan(): (isWhole: boolean) => void;
};

/** Without subfolders, the files in them were not judged. */
const digestOf = ({ rules, names }: ActiveFolder): string =>
  rules.recursive ? names.digest : `flat ${names.digest}`;

export const createOpenFolder = (
  ports: Pick<Ports, 'files' | 'ledger' | 'settings' | 'ignore'>,
  opened: ActiveFolder,
): OpenFolder => {
  const { folders } = ports.ledger;
  const change = (values: Partial<ActiveFolder>): void => {
    Object.assign(folder, values);
  };
  const store = (values: Parameters<typeof folders.update>[1]): void => {
    folders.update(folder.row.id, values);
    change({ row: { ...folder.row, ...values } });
  };

  const folder: OpenFolder = {
    ...opened,
    takeRules: () => change({ ...rulesNow(ports, folder.row), judgesAgain: true }),
    readOwnRules() {
      const { row } = folder;
      const own = folders.byId(row.id)?.own ?? row.own;
      if (JSON.stringify(own) === JSON.stringify(row.own)) return false;
      change({ row: { ...row, own } });
      return true;
    },
    readChoice() {
      const { row: before } = folder;
      const row = folders.byId(before.id);
      if (row === null || (row.identity === before.identity && row.chosenAtMs === before.chosenAtMs)) return;
      change({ row, existing: 'skip' });
    },
    prove: () =>
      whyUnproven(ports, folder.row, (identity) => {
        if (identity !== folder.row.identity) store({ identity });
      }),
    setMounts: (mounts) => change({ mounts }),
    addUnreadable(path) {
      const { unreadable, leftOutSubfolders, baselineDone } = folder.row;
      if (unreadable.includes(path)) return;
      if (!baselineDone || leftOutSubfolders || isBelowUnread(folder, path))
        store({ unreadable: [...unreadable, path] });
    },
    removeUnreadable(isRead) {
      const { unreadable } = folder.row;
      const left = unreadable.filter((path) => !isRead(path));
      if (left.length < unreadable.length) store({ unreadable: left });
    },
    forgetOtherRules() {
      const { judgedBy } = folder.row;
      if (judgedBy !== null && judgedBy !== digestOf(folder)) store({ judgedBy: null });
    },
    beginScan() {
      const { names, rules, row } = folder;
      const digest = digestOf(folder);
      change({ judgesAgain: row.judgedBy !== digest });
      folder.forgetOtherRules();
      return (isWhole) => {
        // The rules may have changed meanwhile. Then another scan has already been requested.
        const judgesAgain = folder.names !== names;
        change({ judgesAgain });
        // After a restart the names that a whole scan has judged need not be judged again.
        if (!judgesAgain && isWhole && folder.row.judgedBy !== digest) store({ judgedBy: digest });
        // From the first whole listing with subfolders on, what appears in them is new.
        const leftOutSubfolders =
          !rules.recursive || !folder.rules.recursive || (folder.row.leftOutSubfolders && judgesAgain);
        if (!folder.row.baselineDone)
          store({ baselineDone: true, baselineLastId: ports.ledger.uploads.lastId(), leftOutSubfolders });
        else if (leftOutSubfolders !== folder.row.leftOutSubfolders) store({ leftOutSubfolders });
      };
    },
  };
  return folder;
};

/**
 * Whether this path, or a folder above it, could not be read when the folder was chosen and has not been read since:
 * what its first listing shows was there, or may have been.
 */
export const isBelowUnread = ({ row }: { row: Pick<WatchedFolder, 'unreadable'> }, path: string): boolean =>
  row.unreadable.some((unread) => path === unread || relativeTo(unread, path) !== null);
