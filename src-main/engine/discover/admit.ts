// Ends the settling of a file. It looks at the files whose quiet time is over, runs one writer check for all of them,
// and gives each stable file its next state.
import { fileBackOffMs, unfinishedAgainMs } from '../shared/waits.ts';
import { AppError, unreachable } from '../../contract/errors.ts';
import { isByPerson, isUnfinished, type UploadState } from '../../contract/model.ts';
import { nameVerdict } from '../given/names-at.ts';
import type { Account } from '../account/account.ts';
import type { NoteContent } from '../candidate/was-there.ts';
import { keepYes, letsGo } from '../candidate/said.ts';
import { unfinishedBy } from '../candidate/unfinished.ts';
import type { Core } from '../state/core.ts';
import { decideSettled, failedBy } from './decide.ts';
import type { Inspection, Look, Stable } from '../inspect/inspection.ts';
import { isExchanged, mayBeThere, rootOf, whyUnavailable, whyUnproven } from '../shared/folder.ts';
import type { Choice } from './folders/choose-folder.ts';
import type { Watching } from './folders/watching.ts';
import { holdBurst, holdRestOfBurst, isLargeAlone, type Bursts } from './bursts.ts';
import { skipsOf, type SettledState } from './intake-rules.ts';
import { foldedPath, joinPath } from '../shared/paths.ts';
import { noLinks, type Files, type Found, type Stamp, type Writing } from '../ports/files.ts';
import type { Clock } from '../ports/ports.ts';
import type { SentCopy, Upload, WatchedFolder } from '../ports/uploads.ts';
import { restedMsOf, type QuietPeriods } from './quiet-period.ts';
import type { FileRecorder } from './record-file.ts';
import { isUnwritten } from '../shared/file-version.ts';
import { startSlices } from '../shared/loop.ts';

export type Admission = {
  /** Gives the files that are due their next state. */
  turn(signal: AbortSignal): Promise<void>;
  /** Holds the files of a burst that are not held yet. */
  holdBurst(signal: AbortSignal): Promise<void>;
  /** Milliseconds until something is due; null: nothing settles. */
  waitMs(): number | null;
  /** Looks at the file of a row that goes on or is tried again. */
  lookAt(row: Upload): Promise<void>;
};

/** One writer check is for at most this many files. */
const mostPerTurn = 2000;
const leastWaitMs = 10;
/** Thousands of files may settle at once. Within this time their folder is checked only once. */
const askAgainMs = 100;
/** While the folder of a file is missing, the file is looked for again after this time. */
const folderAgainMs = 30_000;

const notOurs = ({ name }: Upload) => ({
  kind: 'failed' as const,
  code: 'changed' as const,
  message: `Another program wrote to ${name} in Outtray's own folder before it was sent.`,
  remedy: 'It is not sent. Upload the files again.',
});

const behindLink = ({ dir, name }: Upload) =>
  failedBy(
    new AppError(
      'outside',
      `A folder above ${joinPath(dir, name)} was replaced by a link.`,
      'Nothing is uploaded. If the file behind the link is meant, upload it again.',
    ),
  );

type Wait = Extract<UploadState, { kind: 'waiting' }>;
/** The state of a stable file, still to be written. */
type Decision = { one: Stable; write: () => void };
/** Decisions in one transaction: each commit waits for the disk, which may take milliseconds. */
const writtenAtOnce = 64;

export const createAdmission = (
  { ports, rows, steadyMs }: Pick<Core, 'ports' | 'rows' | 'steadyMs'>,
  to: {
    account: Account;
    quiet: QuietPeriods;
    bursts: Bursts;
    recorder: FileRecorder;
    inspection: Inspection;
    folders: { choice: Choice; watching: Watching };
  },
): Admission => {
  const { account, quiet, bursts, recorder, inspection } = to;
  const { choice, watching } = to.folders;
  const { files, ledger, clock, settings, spool } = ports;
  const writerCheck = createWriterCheck({ files, clock });
  /** By folder: when it was found to be there. */
  const seenAtMs = new Map<number, number>();

  const find = (path: string): Promise<Found | null | 'unreadable'> =>
    files.look(path).catch(() => 'unreadable' as const);

  const lookAtDue = async (ids: readonly number[], isStopped: () => boolean): Promise<Stable[]> => {
    const looked: Stable[] = [];
    const breathe = startSlices(clock, 20);
    for (const id of ids) {
      const pause = breathe();
      if (pause !== null) await pause;
      if (isStopped()) return [];
      const row = ledger.uploads.byId(id);
      if (row === null || !row.present || row.state.kind !== 'settling') {
        quiet.forget(id);
        continue;
      }
      const path = joinPath(row.dir, row.name);
      const stamp = await stampOrElse(row, await find(path));
      if (stamp !== null) looked.push({ row, path, stamp });
    }
    return looked;
  };

  /** The stamp of a regular file; for anything else the row gets its state and null is returned. */
  const stampOrElse = async (row: Upload, found: Found | null | 'unreadable'): Promise<Stamp | null> => {
    if (choice.isLeft(row)) ledger.atomically(() => recorder.vanish(row));
    else if ((found === null || found === 'unreadable' || isOfWatched(row)) && !(await isFolderThere(row))) {
      waitForFolder(row);
      watching.check();
    } else if (found === 'unreadable') waitForLock(row);
    else if (found === null || found.type === 'folder') ledger.atomically(() => recorder.vanish(row));
    else if (found.stamp === null) {
      const state = {
        kind: 'skipped' as const,
        rule: found.type === 'file' ? ('special' as const) : found.type,
      };
      rows.apply(row.id, { kind: 'settled', state, stamp: row.stamp, sha256: null });
      quiet.forget(row.id);
    } else if (isAnotherSpooled(row, found.stamp)) {
      rows.apply(row.id, { kind: 'settled', state: notOurs(row), stamp: row.stamp, sha256: null });
      quiet.forget(row.id);
    } else if (await isBehindLink(row)) {
      rows.apply(row.id, { kind: 'settled', state: behindLink(row), stamp: row.stamp, sha256: null });
      quiet.forget(row.id);
    } else if (!recorder.staysBack(watching.activeOf(row.folderId), row, found.stamp)) return found.stamp;
    return null;
  };

  /** Whether another program wrote to a file in the spool. Outtray does not write to it after it is recorded. */
  const isAnotherSpooled = ({ dir, stamp }: Upload, now: Stamp): boolean =>
    spool.holds(dir) && stamp !== null && !isUnwritten(stamp, now);

  /** Whether a folder above the file is a link now. A file given by path was recorded by its real path. */
  const isBehindLink = async (row: Upload): Promise<boolean> => {
    if (rootOf(ledger, row) !== noLinks) return false;
    const path = joinPath(row.dir, row.name);
    const [now] = await files.spell([path]);
    return now !== undefined && foldedPath(now.path) !== foldedPath(path);
  };

  /** A file that a person let go may be in a folder that is not watched any more. Then the folder is not checked. */
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
    if (choice.isRemoved(row.id)) return await mayBeThere(files, row);
    return (isProven ? await whyUnavailable(files, row) : await whyUnproven(ports, row)) === null;
  };

  const burstOf = (row: Upload, sizeBytes: number): 'burst' | 'large' | null => {
    if (isLargeAlone(ports, row, sizeBytes)) return 'large';
    const isOfBurst = bursts.holds(row.id) || (row.folderId !== null && bursts.isOver(clock.monoMs()));
    return isOfBurst ? 'burst' : null;
  };

  /** Unless its file has changed meanwhile. */
  const note: NoteContent = ({ id, stamp }, sha256) => {
    ledger.atomically(() => {
      if (ledger.uploads.byId(id)?.stamp?.key === stamp?.key) rows.apply(id, { kind: 'hashed', sha256 });
    });
  };

  /**
   * Decides the state of a stable file. Null: there is nothing to write, or it has to be looked into first. `inside`:
   * what that look found.
   */
  const admit = async (one: Stable, signal: AbortSignal, inside?: Look): Promise<Decision | null> => {
    const { row, path, stamp } = one;
    const decided = (write: () => void): Decision => ({ one, write });
    const active = watching.activeOf(row.folderId);
    const current = row.stamp?.key === stamp.key ? row : rows.apply(row.id, { kind: 'touched', stamp });
    if (current === 'stale') return null;
    const stable = { row: current, path, stamp };
    const now = settings.current();
    const name = nameVerdict(ports, row, active);
    const lets = letsGo(current, skipsOf({ name, stamp, includeEmpty: now.includeEmpty }), now);
    const said = (sha256: string): void => keepYes(ledger, lets, stamp, sha256);
    const outcome = await decideSettled(
      ports,
      {
        one: stable,
        name,
        maxFileSizeBytes: account.maxFileSizeBytes(),
        burst: burstOf(row, stamp.sizeBytes),
        isToLookInto: inspection.isWanted,
        note,
      },
      signal,
      inside,
    );
    switch (outcome.kind) {
      case 'look':
        inspection.begin(stable);
        return null;
      case 'changed':
        quiet.observe(row.id, stamp, clock.monoMs());
        return null;
      case 'unread':
        return decided(() => leaveUnread(current, outcome.fault));
      case 'same-file':
        return decided(() => mergeIntoTwin(current, stamp, outcome.twin, outcome.isMoved));
      case 'unfinished':
        return decided(() => store(current, { state: waitForControl(stamp, outcome.control) }));
      case 'is':
        return decided(() => store(current, { ...outcome, said }));
      case 'new': {
        const { state, sha256, sent, supersedesId } = outcome;
        const wait = waitOf(current);
        // The earlier version is superseded when this one may go.
        if (wait !== null) return decided(() => store(current, { state: wait, sha256, said }));
        return decided(() => store(current, { state, sha256, sent, sameAsId: null, said }, supersedesId));
      }
      default:
        return unreachable(outcome);
    }
  };

  /** The longer it rests, the rarer the looks. When its control file is seen to vanish, a look follows at once. */
  const waitForControl = ({ mtimeMs }: Stamp, control: string) => ({
    kind: 'waiting' as const,
    reason: 'unfinished' as const,
    untilMs: steadyMs() + unfinishedAgainMs(clock.wallMs() - mtimeMs),
    control,
  });

  /** Its folder is paused, or new files in it wait for a time of grace. Null: this file goes at once. */
  const waitOf = (row: Upload): Wait | null => {
    const rules = choice.rulesOf(row);
    // The pause of a folder does not hold a file that a person gives by path.
    if (!isByPerson(row.door) && rules.some(({ paused }) => paused))
      return { kind: 'waiting', reason: 'paused', untilMs: null };
    const graceMs = 1000 * Math.max(0, ...rules.map(({ graceSeconds }) => graceSeconds));
    if (graceMs === 0 || row.graceOver) return null;
    const since = { sinceMs: clock.wallMs(), since: clock.sinceBoot() };
    return { kind: 'waiting', reason: 'grace', untilMs: steadyMs() + graceMs, ...since };
  };

  /** After an error the files settle again as they are, because no other code would look at them again. */
  const settleAgain = (ones: readonly Stable[]): void => {
    for (const { row, stamp } of ones) quiet.observe(row.id, stamp, clock.monoMs());
  };

  const write = (decisions: readonly Decision[]): void => {
    try {
      ledger.atomically(() => {
        for (const decision of decisions) decision.write();
      });
    } catch (error) {
      settleAgain(decisions.map(({ one }) => one));
      throw error;
    }
    for (const { one } of decisions) {
      quiet.forget(one.row.id);
      bursts.forget(one.row.id);
    }
  };

  /** Decisions are written together, but earlier ones are written before a file's content is compared with others. */
  const createBatch = (signal: AbortSignal) => {
    let decisions: Decision[] = [];
    const writeAll = (): void => {
      const now = decisions;
      decisions = [];
      if (now.length > 0) write(now);
    };
    return {
      writeAll,
      async add(one: Stable, inside?: Look): Promise<void> {
        const isCompared = ledger.uploads.knowsSize(one.stamp.sizeBytes);
        if (isCompared) writeAll();
        const decision = await admit(one, signal, inside).catch((error: unknown) => {
          settleAgain([one, ...decisions.map((waiting) => waiting.one)]);
          throw error;
        });
        if (decision === null) return;
        decisions.push(decision);
        if (isCompared || decisions.length >= writtenAtOnce) writeAll();
      },
    };
  };

  /** Files that were looked into meanwhile. A result for another version, or for a row that moved on, is dropped. */
  const admitLookedInto = async (signal: AbortSignal): Promise<void> => {
    const batch = createBatch(signal);
    const breathe = startSlices(clock, 20);
    for (let result = inspection.take(); result !== null && !signal.aborted; result = inspection.take()) {
      const pause = breathe();
      if (pause !== null) await pause;
      const { one, inside } = result;
      const row = ledger.uploads.byId(one.row.id);
      const isDue = row?.present === true && row.state.kind === 'settling' && !quiet.isWatched(row.id);
      if (!isDue) continue;
      if (inside instanceof AppError) ledger.atomically(() => leaveUnread(row, inside));
      else if (inside === 'changed' || row.stamp?.key !== one.stamp.key) settleAgain([one]);
      else await batch.add({ ...one, row }, inside);
    }
    batch.writeAll();
  };

  /** In a transaction. */
  const store = (
    row: Upload,
    what: {
      state: SettledState | Wait;
      sha256?: string | null;
      sent?: SentCopy | null;
      sameAsId?: number | null;
      /** Stores what a person's yes allows for this content. */
      said?: (sha256: string) => void;
    },
    supersedesId: number | null = null,
  ): void => {
    const { state, sha256 = null, sent = null, sameAsId = row.sameAsId, said } = what;
    if (sha256 !== null) said?.(sha256);
    const now = rows.apply(row.id, { kind: 'settled', state, stamp: row.stamp, sha256, sent, sameAsId });
    if (now === 'stale') return;
    if (supersedesId !== null) rows.apply(supersedesId, { kind: 'superseded', byId: row.id });
    if (state.kind === 'held' && state.reason === 'burst') holdRestOfBurst({ ports, rows });
  };

  /** The row of the twin moves to this path, where its file is. This row ends. In a transaction. */
  const mergeIntoTwin = (row: Upload, stamp: Stamp, twin: Upload, isNews: boolean): void => {
    const { folderId, dir, name } = row;
    if (rows.apply(row.id, { kind: 'merged' }) === 'stale') return;
    const moved = rows.apply(twin.id, { kind: 'moved', folderId, dir, name, stamp, isNews });
    if (moved === 'stale') throw new AppError('changed', 'The upload with this content has moved on.');
  };

  /** If the disk fails, the file fails. If another program locks it, it waits. In a transaction. */
  const leaveUnread = (row: Upload, fault: AppError): void => {
    if (fault.code !== 'disk') {
      waitForLock(row);
      return;
    }
    quiet.forget(row.id);
    store(row, { state: failedBy(fault) });
  };

  const waitForLock = (row: Upload): void => {
    quiet.forget(row.id);
    rows.apply(row.id, { kind: 'locked', untilMs: steadyMs() + fileBackOffMs(row.attempts) });
  };

  /** All files that settle in this folder, or wait for it and are due, wait. One transaction: they may be thousands. */
  const waitForFolder = (row: Upload): void => {
    const nowMs = steadyMs();
    const waiting = ledger.uploads
      .dueWaiting(nowMs, mostPerTurn)
      .filter(({ state }) => state.kind === 'waiting' && state.reason === 'folder');
    const settling = ledger.uploads.inState('settling', mostPerTurn).filter(isOfWatched);
    const others = [...waiting, ...settling].filter(({ folderId }) => folderId === row.folderId);
    ledger.atomically(() => {
      for (const id of new Set([row, ...others].map((one) => one.id))) {
        quiet.forget(id);
        rows.apply(id, { kind: 'folder-missing', untilMs: nowMs + folderAgainMs });
      }
    });
  };

  const holdBurstNow = (signal: AbortSignal): Promise<void> =>
    holdBurst({ ports, rows, quiet, bursts, activeOf: watching.activeOf, account }, signal);

  return {
    holdBurst: holdBurstNow,
    async turn(signal) {
      const isStopped = (): boolean => signal.aborted;
      await holdBurstNow(signal);
      await admitLookedInto(signal);
      const due = quiet.due(clock.monoMs(), mostPerTurn);
      if (due.length === 0 || isStopped() || clock.monoMs() < writerCheck.nextAtMs()) return;
      const looked = await lookAtDue(due, isStopped);
      if (looked.length === 0) return;
      const nowMs = clock.monoMs();
      const asked = new Set(looked.filter((one) => quiet.isToAsk(one.row.id, one.stamp, nowMs)));
      const writers = await writerCheck.ask([...asked].map((one) => one.path));
      const breathe = startSlices(clock, 20);
      const batch = createBatch(signal);
      for (const one of looked) {
        const pause = breathe();
        if (pause !== null) await pause;
        if (isStopped()) break;
        const writing = writers.get(one.path) ?? 'untold';
        if (!asked.has(one) || !quiet.confirm(one.row.id, one.stamp, writing, clock.monoMs())) {
          if (one.row.stamp?.key !== one.stamp.key)
            rows.apply(one.row.id, { kind: 'touched', stamp: one.stamp });
          continue;
        }
        await batch.add(one);
      }
      batch.writeAll();
    },
    waitMs() {
      const dueAtMs = quiet.nextDueAtMs();
      if (dueAtMs === null) return null;
      return Math.max(dueAtMs - clock.monoMs(), writerCheck.nextAtMs() - clock.monoMs(), leastWaitMs);
    },
    async lookAt(row) {
      const path = joinPath(row.dir, row.name);
      const found = await find(path);
      const now = ledger.uploads.byId(row.id);
      // The user may have cancelled it meanwhile.
      if (now === null || !now.present || now.state.kind !== row.state.kind) return;
      const stamp = await stampOrElse(row, found);
      if (stamp === null) return;
      const isSame = row.stamp?.key === stamp.key;
      // While nothing has changed, nothing is recorded again.
      if (isSame && isUnfinished(row.state)) {
        const { untilMs, control } = waitForControl(stamp, row.state.control);
        const isAsBefore = (await unfinishedBy(ports, row, stamp.sizeBytes)) === control;
        if (isAsBefore && rows.apply(row.id, { kind: 'replanned', untilMs }) !== 'stale') return;
      }
      // A file given by hand a moment ago has nothing to record. This saves one flush of the disk.
      if (!isSame || row.state.kind !== 'settling') {
        if (rows.apply(row.id, { kind: 'checked', stamp }) === 'stale') return;
      }
      quiet.forget(row.id);
      const restedMs = row.folderId === null ? restedMsOf(stamp, clock.wallMs()) : 0;
      quiet.observe(row.id, stamp, clock.monoMs(), { restedMs });
    },
  };
};

/** The check walks over all processes, so it may use a twentieth of the time. After idle time, one second at once. */
const pace = { leastMs: 50, mostMs: 250, share: 20, inHandMs: 1000 };

/** Asks which files are open for writing, as often as its share of the time allows. */
export const createWriterCheck = ({ files, clock }: { files: Files; clock: Clock }) => {
  let [paidUntilMs, nextMs] = [-Infinity, -Infinity];
  return {
    /** Monotonic time before which the system is not asked. */
    nextAtMs: (): number => nextMs,
    async ask(paths: readonly string[]): Promise<ReadonlyMap<string, Writing>> {
      if (paths.length === 0) return new Map();
      const atMs = clock.monoMs();
      const writers = await files.openForWriting(paths);
      const shareMs = Math.min(pace.mostMs, pace.share * (clock.monoMs() - atMs));
      paidUntilMs = Math.max(paidUntilMs, atMs - pace.inHandMs) + shareMs;
      nextMs = Math.max(clock.monoMs() + pace.leastMs, paidUntilMs);
      return writers;
    },
  };
};
