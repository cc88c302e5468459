// From settling to what a file becomes: looks at those whose quiet time is over, asks once for all of them who is
// writing, and gives each stable file its state.
import { looksSecret, type NameVerdict } from './rules.ts';
import type { UploadState } from '../contract/model.ts';
import type { Account } from './account.ts';
import { refusal } from './allowance.ts';
import { compareContent } from './content.ts';
import type { Feed } from './feed.ts';
import { rootOf, whyUnavailable, type ActiveFolder } from './folder.ts';
import { settledVerdict, type BurstGate } from './intake.ts';
import { joinPath } from './paths.ts';
import type { Found, Ports, Stamp, Upload } from './ports.ts';
import type { Settle } from './settle.ts';
import type { Sights } from './sights.ts';
import { startSlices } from './slices.ts';
import { renewed } from './stamps.ts';
import { inOneTransaction } from './together.ts';
import { createWriterCheck } from './writer-check.ts';

export type Settling = {
  /** Gives those that are due their state. */
  turn(signal: AbortSignal): Promise<void>;
  /** Milliseconds until something is due; null: nothing settles. */
  waitMs(): number | null;
  /** Looks at the file of a row that is to go on (or to go again). */
  lookAt(row: Upload): Promise<void>;
};

/** One pass of the writer check serves so many files. */
const mostPerTurn = 2000;
/** Ready files of a burst that began this long ago are held with the rest of it. */
const burstSpanMs = 60_000;
/** A file given by hand that has not changed for this long goes on at once, if nobody has it open for writing. */
const oldEnoughMs = 2000;
const leastWaitMs = 10;
/** How often a file is looked for whose folder is not there. */
const folderAgainMs = 30_000;
/** 5 s, then twice as long each time, at most 10 min. */
const lockBackOffMs = (attempts: number): number => Math.min(600_000, 5000 * 2 ** Math.min(attempts, 7));
/** So many files, or those of so long, are recorded with one flush of the disk. */
const mostTogether = 50;
const togetherMs = 20;

type Looked = { row: Upload; path: string; stamp: Stamp };
type Decided = { looked: Looked; row: Upload; sha256: string | null; state: UploadState };

export const createSettling = (options: {
  ports: Pick<Ports, 'files' | 'ledger' | 'clock' | 'settings'>;
  feed: Feed;
  account: Account;
  settle: Settle;
  burst: BurstGate;
  sights: Sights;
  folder: () => ActiveFolder | null;
  /** Time for what is not to be done before: see steady.ts. */
  steadyMs: () => number;
  /** Rows became ready, or wait for their own time. */
  ready: () => void;
}): Settling => {
  const { ports, feed, account, settle, burst, sights } = options;
  const { files, ledger, clock, settings } = ports;
  const writerCheck = createWriterCheck({ files, clock });

  const find = (path: string): Promise<Found | null | 'unreadable'> =>
    files.look(path).catch(() => 'unreadable' as const);

  const lookAtDue = async (ids: readonly number[], isStopped: () => boolean): Promise<Looked[]> => {
    const looked: Looked[] = [];
    const breathe = startSlices(clock, 20);
    for (const id of ids) {
      const pause = breathe();
      if (pause !== null) await pause;
      if (isStopped()) return [];
      const row = ledger.uploads.byId(id);
      if (row === null || !row.present || row.state.kind !== 'settling') {
        settle.forget(id);
        continue;
      }
      const path = joinPath(row.dir, row.name);
      const stamp = await stampOrElse(row, path, await find(path));
      if (stamp !== null) looked.push({ row, path, stamp });
    }
    return looked;
  };

  /** The stamp of a regular file; for anything else the row gets its state and null is returned. */
  const stampOrElse = async (
    row: Upload,
    path: string,
    found: Found | null | 'unreadable',
  ): Promise<Stamp | null> => {
    if (found === 'unreadable') waitForLock(row, path);
    else if (found === null && !(await isFolderThere(row))) waitForFolder(row);
    else if (found === null || found.type === 'folder') ledger.atomically(() => sights.vanish(row));
    else if (found.stamp === null) {
      setState(row, { kind: 'skipped', rule: found.type === 'link' ? 'link' : 'special' });
    } else if (!sights.staysBack(options.folder(), row, found.stamp)) return found.stamp;
    return null;
  };

  /** A disk that was taken away loses none of its files. */
  const isFolderThere = async ({ folderId }: Upload): Promise<boolean> => {
    const folder = folderId === null ? null : ledger.folders.byId(folderId);
    return folder === null || (await whyUnavailable(files, folder)) === null;
  };

  /** What a stable file becomes; null when that is done already. */
  const settled = async (one: Looked, signal: AbortSignal): Promise<Decided | null> => {
    const { row, path, stamp } = one;
    const active = options.folder();
    const isWatched = active !== null && row.folderId === active.row.id;
    const judged = settledVerdict({
      stamp,
      name: isWatched ? sights.judge(active, path) : judgeByHand(path),
      confirmed: row.confirmed,
      includeEmpty: settings.current().includeEmpty,
      maxFileSizeBytes: account.maxFileSizeBytes(),
      burst: sights.inBurst.delete(row.id) || (row.folderId !== null && burst.isOver(clock.monoMs())),
    });
    // A file that is skipped anyway needs no reason to be refused.
    let state =
      judged.kind === 'skipped' ? judged : (refusal(path, stamp.sizeBytes, settings.current()) ?? judged);
    const current =
      row.stamp?.key === stamp.key ? row : ledger.uploads.update(row.id, renewed(row, stamp), clock.wallMs());
    let sha256 = current.sha256;
    if (state.kind === 'ready') {
      const compared = await compareContent(ports, feed, current, rootOf(ledger, row.folderId), signal);
      if (compared.kind === 'done') return null;
      if (compared.kind === 'changed') {
        settle.observe(row.id, stamp, clock.monoMs());
        return null;
      }
      if (compared.kind === 'state') state = compared.state;
      else sha256 = compared.sha256 ?? sha256;
    }
    return { looked: one, row: current, sha256, state };
  };

  /** A fault must not lose it: nobody would look at it again. */
  const settledOrAgain = async (one: Looked, signal: AbortSignal): Promise<Decided | null> => {
    try {
      return await settled(one, signal);
    } catch (error) {
      settle.observe(one.row.id, one.stamp, clock.monoMs());
      throw error;
    }
  };

  /** Throws the first fault when all have had their turn. */
  const recordAll = (decided: readonly Decided[]): void => {
    const outcomes = inOneTransaction(
      ledger,
      decided.map((one) => () => store(one)),
    );
    const faults: unknown[] = [];
    for (const [at, { looked, row, state }] of decided.entries()) {
      const outcome = outcomes[at];
      if (outcome?.kind === 'failed') {
        settle.observe(looked.row.id, looked.stamp, clock.monoMs());
        faults.push(outcome.error);
      } else stored(row, state);
    }
    if (faults.length > 0) throw faults[0];
  };

  /**
   * Given by hand: the user named it, so only secrets are asked about. The same for files of a folder that is not
   * watched now: its other rules have been asked when they were seen.
   */
  const judgeByHand = (path: string): NameVerdict =>
    settings.current().holdSecrets && looksSecret(path) ? { kind: 'secret' } : { kind: 'wanted' };

  const setState = (row: Upload, state: UploadState): void => {
    ledger.atomically(() => store({ row, state, sha256: null }));
    stored(row, state);
  };

  /** In a transaction. */
  const store = ({ row, state, sha256 }: Omit<Decided, 'looked'>): void => {
    const path = joinPath(row.dir, row.name);
    const before = ledger.uploads.byId(row.id);
    // Somebody may have cancelled it meanwhile.
    if (before === null || !before.present || before.state.kind !== 'settling') return;
    const isRead = sha256 !== null && before.stamp?.key === row.stamp?.key;
    const change = isRead ? { state, sha256 } : { state };
    const now = ledger.uploads.update(row.id, change, clock.wallMs());
    if (state.kind === 'ready') {
      feed.record(row.id, path, { kind: 'queued', sizeBytes: row.stamp?.sizeBytes ?? 0 });
    } else sights.announce(now, path);
    if (state.kind === 'held' && state.reason === 'burst') holdRestOfBurst();
  };

  const stored = (row: Upload, state: UploadState): void => {
    settle.forget(row.id);
    if (state.kind === 'ready') options.ready();
  };

  /** The first files of a burst may already be ready when it turns out to be one. */
  const holdRestOfBurst = (): void => {
    const nowMs = clock.wallMs();
    for (const row of ledger.uploads.inState('ready', settings.current().burstFiles + 1)) {
      if (row.folderId === null || row.confirmed || row.createdAtMs < nowMs - burstSpanMs) continue;
      sights.announce(
        ledger.uploads.update(row.id, { state: { kind: 'held', reason: 'burst' } }, nowMs),
        joinPath(row.dir, row.name),
      );
    }
  };

  const waitForLock = (row: Upload, path: string): void => {
    settle.forget(row.id);
    const nowMs = clock.wallMs();
    const untilMs = options.steadyMs() + lockBackOffMs(row.attempts);
    ledger.atomically(() => {
      const state: UploadState = { kind: 'waiting', reason: 'locked', untilMs };
      ledger.uploads.update(row.id, { state, attempts: row.attempts + 1 }, nowMs);
      feed.record(row.id, path, { kind: 'waiting', reason: 'locked', untilMs });
    });
    options.ready();
  };

  const waitForFolder = (row: Upload): void => {
    settle.forget(row.id);
    const untilMs = options.steadyMs() + folderAgainMs;
    ledger.uploads.update(row.id, { state: { kind: 'waiting', reason: 'folder', untilMs } }, clock.wallMs());
    feed.statusChanged();
    options.ready();
  };

  return {
    async turn(signal) {
      const isStopped = (): boolean => signal.aborted;
      const due = settle.due(clock.monoMs(), mostPerTurn);
      if (due.length === 0 || isStopped() || clock.monoMs() < writerCheck.nextAtMs()) return;
      const looked = await lookAtDue(due, isStopped);
      if (looked.length === 0) return;
      const nowMs = clock.monoMs();
      const asked = new Set(looked.filter((one) => settle.isToAsk(one.row.id, one.stamp, nowMs)));
      const writers = await writerCheck.ask([...asked].map((one) => one.path));
      let decided: Decided[] = [];
      let lastRecordMs = clock.monoMs();
      const record = (): void => {
        const now = decided;
        decided = [];
        lastRecordMs = clock.monoMs();
        recordAll(now);
      };
      const breathe = startSlices(clock, 20);
      try {
        for (const one of looked) {
          const pause = breathe();
          if (pause !== null) await pause;
          if (isStopped()) return;
          const writing = writers.get(one.path) ?? 'untold';
          if (asked.has(one) && settle.confirm(one.row.id, one.stamp, writing, clock.monoMs())) {
            const state = await settledOrAgain(one, signal);
            if (state !== null) decided.push(state);
          } else if (one.row.stamp?.key !== one.stamp.key) {
            ledger.uploads.update(one.row.id, renewed(one.row, one.stamp), clock.wallMs());
          }
          if (decided.length >= mostTogether || clock.monoMs() - lastRecordMs > togetherMs) record();
        }
      } finally {
        record();
      }
    },
    waitMs() {
      const dueAtMs = settle.nextDueAtMs();
      if (dueAtMs === null) return null;
      return Math.max(dueAtMs - clock.monoMs(), writerCheck.nextAtMs() - clock.monoMs(), leastWaitMs);
    },
    async lookAt(row) {
      const path = joinPath(row.dir, row.name);
      const found = await find(path);
      const now = ledger.uploads.byId(row.id);
      // Somebody may have cancelled it meanwhile.
      if (now === null || !now.present || now.state.kind !== row.state.kind) return;
      const stamp = await stampOrElse(row, path, found);
      if (stamp === null) return;
      const isSame = row.stamp?.key === stamp.key;
      // Nothing to record of a file given by hand a moment ago: a flush of the disk less.
      if (!isSame || row.state.kind !== 'settling') {
        const change = { state: { kind: 'settling' as const }, ...renewed(row, stamp) };
        ledger.uploads.update(row.id, change, clock.wallMs());
      }
      settle.forget(row.id);
      const restedMs = clock.wallMs() - Math.max(stamp.mtimeMs, stamp.ctimeMs);
      const isOldEnough = row.folderId === null && restedMs > oldEnoughMs;
      settle.observe(row.id, stamp, clock.monoMs(), isOldEnough ? { restedMs } : {});
    },
  };
};
