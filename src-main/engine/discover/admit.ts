// Ends the settling of a file. It looks at the files whose quiet time is over, runs one writer check for all of them,
// and gives each stable file its next state.
import { AppError, unreachable } from '../../contract/errors.ts';
import { isUnfinished } from '../../contract/model.ts';
import { nameVerdict } from '../given/names-at.ts';
import type { Account } from '../account/account.ts';
import type { LinkEnds } from '../account/link-ends.ts';
import { keepApprovals, approvalsOf } from '../candidate/content-decisions.ts';
import { unfinishedBy } from '../candidate/unfinished.ts';
import type { Core } from '../state/core.ts';
import { decideSettled } from './decide.ts';
import { looksFor, type Inspection, type Look, type Stable } from '../inspect/inspection.ts';
import type { FolderChoice } from './folders/choose-folder.ts';
import type { Looks } from './folders/looks.ts';
import type { Watching } from './folders/watching.ts';
import { holdBurst, isLargeAlone, type Bursts } from './bursts.ts';
import { skipsOf } from './intake-rules.ts';
import { restedMsOf } from '../shared/file-version.ts';
import { joinPath } from '../shared/paths.ts';
import type { Files, Found, Writing } from '../ports/files.ts';
import type { Clock } from '../ports/ports.ts';
import type { Upload } from '../ports/uploads.ts';
import type { QuietPeriods } from './quiet-period.ts';
import type { FileRecorder } from './record-file.ts';
import { createPathVerdicts, createSettling } from './settle.ts';
import { startSlices } from '../shared/loop.ts';

/** One writer check is for at most this many files. */
const mostPerTurn = 2000;
const leastWaitMs = 10;
/** The state of a stable file, still to be written. `wanted`: what its content was looked into for. */
type Decision = { one: Stable; wanted: string; write: () => void };
/** What a decision depends on beside the version of the file. */
const judgedBy = ['confirmed', 'wantsAnother', 'door', 'graceOver'] as const satisfies (keyof Upload)[];
/** Decisions in one transaction: each commit waits for the disk, which may take milliseconds. */
const writtenAtOnce = 64;
/** A person waits for what is decided, also while thousands of files are still to be judged. */
const writtenAfterMs = 50;

/**
 * Decisions that are written together. `settleAgain`: after an error the files settle again as they are, because no other
 * code would look at them again.
 */
const createBatches = (
  { ledger, clock, settings }: Pick<Core['ports'], 'ledger' | 'clock' | 'settings'>,
  { quiet, bursts }: { quiet: QuietPeriods; bursts: Bursts },
  admit: (one: Stable, signal: AbortSignal, inside?: Look) => Promise<Decision | null>,
) => {
  const settleAgain = (ones: readonly Stable[]): void => {
    for (const { row, stamp } of ones) quiet.observe(row.id, stamp, clock.monoMs());
  };

  /** Meanwhile a person or an agent may have given another version, or a wish of another kind; or the settings changed. */
  const holds = ({ one: { row }, wanted }: Decision): boolean => {
    const now = ledger.uploads.byId(row.id);
    return (
      now?.stamp?.key === row.stamp?.key &&
      judgedBy.every((name) => now?.[name] === row[name]) &&
      wanted === looksFor(settings.current())
    );
  };

  const write = (decisions: readonly Decision[]): void => {
    let written: readonly Decision[] = [];
    try {
      ledger.atomically(() => {
        written = decisions.filter(holds);
        for (const decision of written) decision.write();
      });
    } catch (error) {
      settleAgain(decisions.map(({ one }) => one));
      throw error;
    }
    for (const { one } of decisions) {
      quiet.forget(one.row.id);
      bursts.forget(one.row.id);
    }
    settleAgain(decisions.filter((one) => !written.includes(one)).map(({ one }) => one));
  };

  /** Decisions are written together, but earlier ones are written before a file's content is compared with others. */
  const createBatch = (signal: AbortSignal) => {
    let decisions: Decision[] = [];
    let sinceMs = 0;
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
        if (decisions.length === 0) sinceMs = clock.monoMs();
        if (decision !== null) decisions.push(decision);
        const isLate = clock.monoMs() - sinceMs >= writtenAfterMs;
        if (isCompared || isLate || decisions.length >= writtenAtOnce) writeAll();
      },
    };
  };

  return { createBatch, settleAgain };
};

type Batch = ReturnType<ReturnType<typeof createBatches>['createBatch']>;

type AdmissionParts = {
  service: { account: Account; ends: Pick<LinkEnds, 'passOn'> };
  quiet: QuietPeriods;
  bursts: Bursts;
  recorder: FileRecorder;
  inspection: Inspection;
  folders: { choice: FolderChoice; watching: Watching; looks: Pick<Looks, 'holdBack' | 'putOff'> };
};

/** Decides the state of each stable file. */
const createAdmit = (
  { ports, rows }: Pick<Core, 'ports' | 'rows'>,
  { service, quiet, bursts, inspection, folders: { choice, watching } }: Omit<AdmissionParts, 'recorder'>,
  settling: ReturnType<typeof createSettling>,
) => {
  const { ledger, clock, settings } = ports;
  const { store } = settling;
  const burstOf = (row: Upload, sizeBytes: number): 'burst' | 'large' | null => {
    if (isLargeAlone(ports, row, sizeBytes)) return 'large';
    const isOfBurst = bursts.holds(row.id) || (row.folderId !== null && bursts.isOver(clock.monoMs()));
    return isOfBurst ? 'burst' : null;
  };

  /**
   * Decides the state of a stable file. Null: there is nothing to write, or it has to be looked into first. `inside`:
   * what that look found.
   */
  const admit = async (one: Stable, signal: AbortSignal, inside?: Look): Promise<Decision | null> => {
    const { row, path, stamp } = one;
    const active = watching.activeOf(row.folderId);
    const current = row.stamp?.key === stamp.key ? row : rows.apply(row.id, { kind: 'touched', stamp });
    if (current === 'stale') return null;
    const stable = { row: current, path, stamp };
    const now = settings.current();
    const wanted = inside?.wanted ?? looksFor(now);
    const decided = (write: () => void): Decision => ({ one: stable, wanted, write });
    const name = nameVerdict(ports, row, active);
    const approvals = approvalsOf(current, skipsOf({ name, stamp, includeEmpty: now.includeEmpty }), now);
    const keepAnswer = (sha256: string): void => keepApprovals(ledger, approvals, stamp, sha256);
    const outcome = await decideSettled(
      ports,
      {
        one: stable,
        name,
        maxFileSizeBytes: service.account.maxFileSizeBytes(),
        burst: burstOf(row, stamp.sizeBytes),
        isToLookInto: inspection.isWanted,
        note: inspection.note,
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
        return decided(() => settling.leaveUnread(current, outcome.fault));
      case 'same-file':
        return decided(() => settling.mergeIntoTwin(current, stamp, outcome.twin, outcome.isMoved));
      case 'unfinished':
        return decided(() => store(current, { state: settling.waitForControl(stamp, outcome.control) }));
      case 'is':
        return decided(() => store(current, { ...outcome, keepAnswer }));
      case 'new': {
        const { state, sha256, sent, supersedesId } = outcome;
        const wait = settling.waitOf(current, choice.rulesOf(current));
        // The earlier version is superseded when this one may go.
        if (wait !== null) return decided(() => store(current, { state: wait, sha256, keepAnswer }));
        return decided(() =>
          store(current, { state, sha256, sent, sameAsId: null, keepAnswer }, supersedesId),
        );
      }
      default:
        return unreachable(outcome);
    }
  };
  return admit;
};

/** Looks at files whose quiet time is over. Small ones come first: a large one keeps no small one waiting. */
const createDueLook = (
  { files, ledger, clock }: Core['ports'],
  quiet: QuietPeriods,
  settling: ReturnType<typeof createSettling>,
  verdictOn: ReturnType<typeof createPathVerdicts>['verdictOn'],
  looks: AdmissionParts['folders']['looks'],
) => {
  return async (ids: readonly number[], isStopped: () => boolean): Promise<Stable[]> => {
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
      if (looks.holdBack(row)) {
        quiet.putOff(row.id);
        looks.putOff(row);
        continue;
      }
      const path = joinPath(row.dir, row.name);
      const stamp = settling.settle(row, await verdictOn(row, await find({ files }, path)));
      if (stamp !== null) looked.push({ row, path, stamp });
    }
    return looked.toSorted((a, b) => a.stamp.sizeBytes - b.stamp.sizeBytes);
  };
};

const find = ({ files }: Pick<Core['ports'], 'files'>, path: string): Promise<Found | null | 'unreadable'> =>
  files.look(path).catch(() => 'unreadable' as const);

export const createAdmission = (
  core: Pick<Core, 'ports' | 'rows' | 'feed' | 'steadyMs'>,
  parts: AdmissionParts,
) => {
  const { service, quiet, bursts, recorder, inspection, folders } = parts;
  const { ports, rows, feed } = core;
  const { watching } = folders;
  const { files, ledger, clock } = ports;
  const writerCheck = createWriterCheck({ files, clock });
  const { verdictOn, isOfWatched } = createPathVerdicts(ports, folders);
  const settling = createSettling(
    core,
    quiet,
    { recorder, ends: service.ends },
    { ...watching, mayBeLeft: folders.choice.mayBeLeft, isOfWatched },
  );

  const lookAtDue = createDueLook(ports, quiet, settling, verdictOn, folders.looks);
  const admit = createAdmit(core, parts, settling);
  const { createBatch, settleAgain } = createBatches(ports, { quiet, bursts }, admit);

  /** Files that were looked into meanwhile. A result for another version, or for a row that moved on, is dropped. */
  const admitLookedInto = async (batch: Batch, signal: AbortSignal): Promise<void> => {
    const breathe = startSlices(clock, 20);
    for (let result = inspection.take(); result !== null && !signal.aborted; result = inspection.take()) {
      const pause = breathe();
      if (pause !== null) await pause;
      const { one, inside } = result;
      const row = ledger.uploads.byId(one.row.id);
      const isDue = row?.present === true && row.state.kind === 'settling' && !quiet.isWatched(row.id);
      if (!isDue) continue;
      if (inside instanceof AppError) ledger.atomically(() => settling.leaveUnread(row, inside));
      else if (inside === 'changed' || row.stamp?.key !== one.stamp.key) settleAgain([one]);
      else await batch.add({ ...one, row }, inside);
    }
  };

  const holdBurstNow = (signal: AbortSignal): Promise<void> =>
    holdBurst({ ports, rows, quiet, bursts, activeOf: watching.activeOf, account: service.account }, signal);

  const reportStillWritten = (): void => {
    for (const { id, how } of quiet.takeStillWritten()) {
      const row = ledger.uploads.byId(id);
      if (row?.state.kind !== 'settling') continue;
      const body = { kind: 'waiting', reason: 'settling', untilMs: null, written: how } as const;
      feed.record(id, joinPath(row.dir, row.name), body);
    }
  };

  return {
    /** Holds the files of a burst that are not held yet. */
    holdBurst: holdBurstNow,
    /** Gives the files that are due their next state. */
    async turn(signal: AbortSignal): Promise<void> {
      reportStillWritten();
      const isStopped = (): boolean => signal.aborted;
      await holdBurstNow(signal);
      const batch = createBatch(signal);
      await admitLookedInto(batch, signal);
      batch.writeAll();
      const due = quiet.due(clock.monoMs(), mostPerTurn);
      if (due.length === 0 || isStopped() || clock.monoMs() < writerCheck.nextAtMs()) return;
      const looked = await lookAtDue(due, isStopped);
      if (looked.length === 0) return;
      const nowMs = clock.monoMs();
      const asked = new Set(looked.filter((one) => quiet.isToAsk(one.row.id, one.stamp, nowMs)));
      const writers = await writerCheck.ask([...asked].map((one) => one.path));
      const breathe = startSlices(clock, 20);
      for (const one of looked) {
        const pause = breathe();
        if (pause !== null) {
          await pause;
          await admitLookedInto(batch, signal);
        }
        if (isStopped()) break;
        const writing = writers.get(one.path) ?? 'open';
        if (!asked.has(one) || !quiet.confirm(one.row.id, one.stamp, writing, clock.monoMs())) {
          if (one.row.stamp?.key !== one.stamp.key)
            rows.apply(one.row.id, { kind: 'touched', stamp: one.stamp });
          continue;
        }
        await batch.add(one);
      }
      batch.writeAll();
      reportStillWritten();
    },
    /** Milliseconds until something is due; null: nothing settles. */
    waitMs(): number | null {
      const dueAtMs = quiet.nextDueAtMs();
      if (dueAtMs === null) return null;
      return Math.max(dueAtMs - clock.monoMs(), writerCheck.nextAtMs() - clock.monoMs(), leastWaitMs);
    },
    /** Looks at the file of a row that goes on or is tried again. */
    async lookAt(row: Upload): Promise<void> {
      const path = joinPath(row.dir, row.name);
      const found = await find({ files }, path);
      const now = ledger.uploads.byId(row.id);
      // The user may have cancelled it meanwhile.
      if (now === null || !now.present || now.state.kind !== row.state.kind) return;
      const stamp = settling.settle(row, await verdictOn(row, found));
      if (stamp === null) return;
      const isSame = row.stamp?.key === stamp.key;
      // While nothing has changed, nothing is recorded again.
      if (isSame && isUnfinished(row.state)) {
        const { untilMs, control } = settling.waitForControl(stamp, row.state.control);
        const isAsBefore = (await unfinishedBy(ports, row, stamp.sizeBytes)) === control;
        if (isAsBefore && rows.apply(row.id, { kind: 'replanned', untilMs }) !== 'stale') return;
      }
      // A file given by hand a moment ago has nothing to record. This saves one flush of the disk.
      if (!isSame || row.state.kind !== 'settling') {
        if (rows.apply(row.id, { kind: 'checked', stamp }) === 'stale') return;
      }
      quiet.forget(row.id);
      const restedMs = row.folderId === null ? restedMsOf(stamp, clock.wallMs()) : 0;
      // What has changed since it was given was not finished.
      const isGiven = row.door !== 'folder' && isSame && files.seesWriters();
      quiet.observe(row.id, stamp, clock.monoMs(), { restedMs, isGiven });
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
