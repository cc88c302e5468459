// The end of settling, in two steps: what lies at the path of a row is a verdict, and one writer gives the row its state.
import type { LinkEnds } from '../account/link-ends.ts';
import { AppError, unreachable } from '../../contract/errors.ts';
import { isByPerson, type UploadState } from '../../contract/model.ts';
import type { FolderRules } from '../../contract/settings.ts';
import { noLinks, type Found, type Stamp } from '../ports/files.ts';
import type { Ports } from '../ports/ports.ts';
import type { SentCopy, Upload, WatchedFolder } from '../ports/uploads.ts';
import { isUnwritten } from '../shared/file-version.ts';
import { isExchanged, mayFolderBeThere, rootOf, whyUnavailable, whyUnproven } from '../shared/folder.ts';
import { foldedPath, joinPath } from '../shared/paths.ts';
import { fileBackOffMs, unfinishedAgainMs } from '../shared/waits.ts';
import type { Core } from '../state/core.ts';
import { holdRestOfBurst } from './bursts.ts';
import { failedBy } from './decide.ts';
import type { FolderChoice } from './folders/choose-folder.ts';
import type { Watching } from './folders/watching.ts';
import type { SettledState } from './intake-rules.ts';
import type { QuietPeriods } from './quiet-period.ts';
import type { FileRecorder } from './record-file.ts';

export type PathVerdict =
  /** A regular file. */
  | { kind: 'file'; stamp: Stamp }
  /** The file is gone, or its folder is not watched any more. */
  | { kind: 'gone' }
  /** Its folder is not there, or another one is in its place. */
  | { kind: 'folder-missing' }
  /** It cannot be read now. */
  | { kind: 'locked' }
  | { kind: 'is'; state: SettledState };

/** Thousands of files may settle at once. Within this time their folder is checked only once. */
const askAgainMs = 100;

export const createPathVerdicts = (
  ports: Ports,
  { choice, watching }: { choice: FolderChoice; watching: Watching },
) => {
  const { files, ledger, clock, spool } = ports;
  /** By folder: when it was found to be there. */
  const seenAtMs = new Map<number, number>();

  /** Whether its folder has to be there. A file that a person confirmed may be in one that is not watched any more. */
  const isOfWatched = ({ folderId, door, confirmed }: Upload): boolean =>
    !isByPerson(door) && folderId !== null && !(confirmed && choice.isRemoved(folderId));

  /** If the disk was removed, its files do not count as gone, and files of another disk in its place are not sent. */
  const isFolderThere = async ({ folderId }: Upload): Promise<boolean> => {
    const row = folderId === null ? null : ledger.folders.byId(folderId);
    if (row === null) return true;
    const active = watching.activeOf(row.id);
    if (active === null ? choice.isAway(row.id) : isExchanged(files, active)) return false;
    const nowMs = clock.monoMs();
    const known = seenAtMs.get(row.id);
    if (known !== undefined && nowMs < known + askAgainMs) return true;
    const isThere = await isTheChosenOne(row, active !== null);
    if (isThere) seenAtMs.set(row.id, nowMs);
    return isThere;
  };

  /**
   * A folder that is not watched here, or not yet, is proven now. Otherwise the rows of this folder would take the
   * files of another drive in its place, and that drive would then pass for the folder.
   */
  const isTheChosenOne = async (row: WatchedFolder, isProven: boolean): Promise<boolean> => {
    // No watch looks for a removed folder. If it cannot be distinguished from another one, it counts as the same one.
    if (choice.isRemoved(row.id)) return await mayFolderBeThere(files, row);
    return (isProven ? await whyUnavailable(files, row) : await whyUnproven(ports, row)) === null;
  };

  /** Whether a folder above the file is a link now. A file given by path was recorded by its real path. */
  const isBehindLink = async (row: Upload): Promise<boolean> => {
    if (rootOf(ledger, row) !== noLinks) return false;
    const path = joinPath(row.dir, row.name);
    const [now] = await files.spell([path]);
    return now !== undefined && foldedPath(now.path) !== foldedPath(path);
  };

  return {
    isOfWatched,
    async verdictOn(row: Upload, found: Found | null | 'unreadable'): Promise<PathVerdict> {
      if (choice.isLeft(row)) return { kind: 'gone' };
      // Neither lost nor sent until it is known whether its folder is still chosen.
      if (choice.mayBeLeft(row)) return { kind: 'folder-missing' };
      const isUnseen = found === null || found === 'unreadable';
      if ((isUnseen || isOfWatched(row)) && !(await isFolderThere(row))) return { kind: 'folder-missing' };
      if (found === 'unreadable') return { kind: 'locked' };
      if (found === null || found.type === 'folder') return { kind: 'gone' };
      const { type, stamp } = found;
      if (stamp === null)
        return { kind: 'is', state: { kind: 'skipped', rule: type === 'file' ? 'special' : type } };
      // Outtray does not write to a file in the spool after it is recorded.
      const isOverwritten = spool.holds(row.dir) && row.stamp !== null && !isUnwritten(row.stamp, stamp);
      if (isOverwritten) return { kind: 'is', state: failedBy(overwritten(row)) };
      if (await isBehindLink(row)) return { kind: 'is', state: failedBy(behindLink(row)) };
      return { kind: 'file', stamp };
    },
  };
};

const overwritten = ({ name }: Upload): AppError =>
  new AppError(
    'changed',
    `Another program wrote to ${name} in Outtray's own folder before it was sent.`,
    'It is not sent. Upload the files again.',
  );

const behindLink = ({ dir, name }: Upload): AppError =>
  new AppError(
    'outside',
    `A folder above ${joinPath(dir, name)} was replaced by a link.`,
    'Nothing is uploaded. If the file behind the link is meant, upload it again.',
  );

type Wait = Extract<UploadState, { kind: 'waiting' }>;

/** Rows that wait for their folder in one transaction. */
const mostAtOnce = 2000;
/** While the folder of a file is missing, the file is looked for again after this time. */
const folderAgainMs = 30_000;

export const createSettling = (
  { ports, rows, steadyMs }: Pick<Core, 'ports' | 'rows' | 'steadyMs'>,
  quiet: QuietPeriods,
  { recorder, ends }: { recorder: FileRecorder; ends: Pick<LinkEnds, 'passOn'> },
  folders: Pick<Watching, 'activeOf' | 'check'> &
    Pick<FolderChoice, 'mayBeLeft'> & { isOfWatched(row: Upload): boolean },
) => {
  const { ledger, clock } = ports;

  /** In a transaction. `keepAnswer`: stores what a person's yes allows for this content. */
  const store = (
    row: Upload,
    what: {
      state: SettledState | Wait;
      sha256?: string | null;
      sent?: SentCopy | null;
      sameAsId?: number | null;
      keepAnswer?: (sha256: string) => void;
    },
    supersedesId: number | null = null,
  ): void => {
    const { state, sha256 = null, sent = null, sameAsId = row.sameAsId, keepAnswer } = what;
    if (sha256 !== null) keepAnswer?.(sha256);
    const now = rows.apply(row.id, { kind: 'settled', state, stamp: row.stamp, sha256, sent, sameAsId });
    if (now === 'stale') return;
    if (supersedesId !== null) rows.apply(supersedesId, { kind: 'superseded', byId: row.id });
    if (state.kind === 'held' && state.reason === 'burst') holdRestOfBurst({ ports, rows });
  };

  const waitForLock = (row: Upload): void => {
    quiet.forget(row.id);
    rows.apply(row.id, { kind: 'locked', untilMs: steadyMs() + fileBackOffMs(row.attempts) });
  };

  /** All files that settle in this folder, or wait for it and are due, wait. One transaction: they may be thousands. */
  const waitForFolder = (row: Upload): void => {
    const nowMs = steadyMs();
    const all = row.folderId === null ? [] : ledger.uploads.settlingIn(row.folderId, nowMs, mostAtOnce);
    // Where it is only not known whether the folder is still chosen, what a person confirmed there goes.
    const isWaiting = folders.mayBeLeft(row)
      ? folders.mayBeLeft
      : (one: Upload): boolean => one.state.kind === 'waiting' || folders.isOfWatched(one);
    const others = all.filter(isWaiting);
    ledger.atomically(() => {
      for (const id of new Set([row, ...others].map((one) => one.id))) {
        quiet.forget(id);
        rows.apply(id, { kind: 'folder-missing', untilMs: nowMs + folderAgainMs });
      }
    });
  };

  return {
    store,
    /** Returns the stamp of a file that may be admitted. In all other cases the row gets its state. */
    settle(row: Upload, verdict: PathVerdict): Stamp | null {
      switch (verdict.kind) {
        case 'file':
          return recorder.staysBack(folders.activeOf(row.folderId), row, verdict.stamp)
            ? null
            : verdict.stamp;
        case 'gone':
          ledger.atomically(() => recorder.vanish(row));
          return null;
        case 'folder-missing':
          waitForFolder(row);
          folders.check();
          return null;
        case 'locked':
          waitForLock(row);
          return null;
        case 'is':
          rows.apply(row.id, { kind: 'settled', state: verdict.state, stamp: row.stamp, sha256: null });
          quiet.forget(row.id);
          return null;
        default:
          return unreachable(verdict);
      }
    },
    /** The row of the twin moves to this path, where its file is. This row ends. In a transaction. */
    mergeIntoTwin(row: Upload, stamp: Stamp, twin: Upload, isNews: boolean): void {
      const { folderId, dir, name } = row;
      const merged = rows.apply(row.id, { kind: 'merged' });
      if (merged === 'stale') return;
      const moved = rows.apply(twin.id, { kind: 'moved', folderId, dir, name, stamp, isNews });
      if (moved === 'stale') throw new AppError('changed', 'The upload with this content has moved on.');
      ends.passOn(merged, moved);
    },
    /** If the disk fails, the file fails. If another program locks it, it waits. In a transaction. */
    leaveUnread(row: Upload, fault: AppError): void {
      if (fault.code !== 'disk') {
        waitForLock(row);
        return;
      }
      quiet.forget(row.id);
      store(row, { state: failedBy(fault) });
    },
    /** The longer it rests, the rarer the looks. When its control file is seen to vanish, a look follows at once. */
    waitForControl: ({ mtimeMs }: Stamp, control: string) => ({
      kind: 'waiting' as const,
      reason: 'unfinished' as const,
      untilMs: steadyMs() + unfinishedAgainMs(clock.wallMs() - mtimeMs),
      control,
    }),
    /** Its folder is paused, or new files in it wait for a time of grace. Null: this file goes at once. */
    waitOf(row: Upload, rules: readonly FolderRules[]): Wait | null {
      // The pause of a folder does not hold a file that a person gives by path.
      if (!isByPerson(row.door) && rules.some(({ paused }) => paused))
        return { kind: 'waiting', reason: 'paused', untilMs: null };
      const graceMs = 1000 * Math.max(0, ...rules.map(({ graceSeconds }) => graceSeconds));
      if (graceMs === 0 || row.graceOver) return null;
      const since = { sinceMs: clock.wallMs(), since: clock.sinceBoot() };
      return { kind: 'waiting', reason: 'grace', untilMs: steadyMs() + graceMs, ...since };
    },
  };
};
