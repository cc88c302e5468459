// The ledger may be an older copy of itself: a data folder restored as a whole knows nothing of what was uploaded since,
// and all of it would go up twice. Another machine with the same key may have sent the same files, too. So before the
// first upload of a file that was there when Outtray started, the account is listed once; a file that is like an entry
// this ledger does not know is compared with its content (decisions/restored-data-folder.md).
import { AppError, toAppError } from '../../contract/errors.ts';
import type { RemoteFile } from '../../contract/model.ts';
import type { Account } from '../account/account.ts';
import { askUnlessClosed, type Ask } from '../limiter/ask.ts';
import { digest } from '../shared/same-content.ts';
import { plain } from '../shared/sent-name.ts';
import { seenAtMs } from './first-seen.ts';
import { rootOf } from '../shared/folder.ts';
import { isConsistentSize } from '../shared/links.ts';
import type { Evidence } from './reconcile-rules.ts';
import { createAccountList } from './account-list.ts';
import type { Reconciler } from './reconciler.ts';
import { nameToSend } from '../shared/sent-name.ts';
import { fileBackOffMs } from '../shared/waits.ts';
import { joinPath } from '../shared/paths.ts';
import type { Ports, Upload } from '../ports.ts';
import { createVerifyContent, wasRead, type Readings } from './verify-content.ts';
import { isWrittenSince } from '../shared/file-version.ts';
import type { Rows } from '../state/rows.ts';

export type OlderLedger = {
  /** Before the first request of an engine that was just started, with the path of the folder that it watches. */
  started(folder: string | null): void;
  /**
   * Whether this upload may go. If not, its row says why: it is on the service already, held, or waits. Throws what
   * asking throws.
   */
  mayGo(upload: Upload, signal: AbortSignal): Promise<boolean>;
};

/** A ledger whose last request is younger has nothing to miss: a start soon after another costs no list. */
const freshMs = 300_000;
/** Of the day's requests, for the list; and as much for the sizes that it lacks. */
const shareOfDay = 0.1;
/** A comparison that fails is tried again after 30 s, 2 min and 8 min; then the user decides. */
const mostTries = 3;
const againMs = (tries: number): number => 30_000 * 4 ** (tries - 1);

/**
 * `sinceMs`: entries that were first seen earlier are no news. `untilMs`: files that were written later cannot have been
 * sent by anything this ledger does not know. Epoch milliseconds.
 */
type Doubt = { sinceMs: number; untilMs: number };
const doubtFact = 'may-be-older';

type Entry = RemoteFile & { file_id: number };

export const createOlderLedger = (options: {
  ports: Pick<Ports, 'ledger' | 'clock' | 'files' | 'api' | 'log'>;
  account: Account;
  ask: Ask;
  rows: Rows;
  /** Time for what is not to be done before: see time.ts. */
  steadyMs: () => number;
  reconciler: () => Pick<Reconciler, 'adopt'>;
  /** Since when (monotonic) the queue's gate is closed; null: it is open. */
  closedSinceMs: () => number | null;
}): OlderLedger => {
  const { ports, account } = options;
  const { ledger, clock, log } = ports;
  /** Entries that this ledger does not know, from one list of this run. */
  let news: readonly Entry[] | null = null;
  /** Comparisons that failed, by version. */
  const failed = new Map<string, number>();
  /** What these entries serve: each is read once, however many files are like it. */
  const readings: Readings = new Map();

  const doubt = (): Doubt | null => {
    const value = ledger.facts.get(doubtFact)?.value;
    return isDoubt(value) ? value : null;
  };

  /**
   * The answer for one file has a size where the list has none. The ledger keeps it: an entry is asked for once in its
   * life.
   */
  const withSizes = async (
    files: readonly Entry[],
    most: number,
    asking: Ask,
    signal: AbortSignal,
  ): Promise<readonly Entry[]> => {
    const sized: Entry[] = [];
    let asked = 0;
    for (const file of files) {
      const { file_id: fileId } = file;
      const size = file.size ?? ledger.remote.byId(fileId)?.size;
      if (size !== undefined || asked >= most) {
        sized.push(size === undefined ? file : { ...file, size });
        continue;
      }
      asked += 1;
      try {
        const told = await asking('background', signal, (stop) => ports.api.info(fileId, stop));
        const full = { ...file, ...told, file_id: fileId };
        ledger.remote.saw([full], seenAtMs(ports));
        sized.push(full);
      } catch (caught) {
        // It was deleted meanwhile.
        if (toAppError(caught).code !== 'not-found') throw caught;
      }
    }
    return sized;
  };

  const readNews = async (
    { sinceMs }: Doubt,
    asking: Ask,
    signal: AbortSignal,
  ): Promise<readonly Entry[]> => {
    const isOurs = ({ file_id: id }: RemoteFile): boolean =>
      id !== undefined && ledger.uploads.byFileId(id) !== null;
    const most = Math.max(2, Math.floor(account.rules().perDay * shareOfDay));
    // What was found or sent since the doubt began may be newer than what is still to be found.
    const isFromBefore = ({ file_id: id }: RemoteFile): boolean =>
      id !== undefined && (ledger.uploads.byFileId(id)?.uploadedAtMs ?? Infinity) < sinceMs;
    const reachesPast = (files: readonly RemoteFile[]): boolean => files.some(isFromBefore);
    const pass = await createAccountList(ports, asking).pass({
      lane: 'background',
      signal,
      most,
      reachesPast,
    });
    ledger.remote.saw(pass.files, seenAtMs(ports));
    const found = pass.files.filter(
      (file): file is Entry =>
        file.file_id !== undefined &&
        !isOurs(file) &&
        (ledger.remote.byId(file.file_id)?.firstSeenAtMs ?? Infinity) >= sinceMs,
    );
    log.info('listed before the first upload', { requests: pass.requests, unknown: found.length });
    if (pass.isComplete && found.length === 0) ledger.facts.remove(doubtFact);
    return await withSizes(found, most, asking, signal);
  };

  /** A list that cannot be read is trouble of the service: nothing is sent on a guess. */
  const list = async (open: Doubt, asking: Ask, signal: AbortSignal): Promise<readonly Entry[]> => {
    try {
      return (news ??= await readNews(open, asking, signal));
    } catch (caught) {
      const error = toAppError(caught);
      if (error.code !== 'unusable-answer') throw error;
      throw new AppError('interrupted', error.message, error.remedy, { cause: error });
    }
  };

  /** By its size, whatever its name: it may have been renamed since. A size that nobody knows may be this one. */
  const isLike = (upload: Upload, { size }: RemoteFile): boolean =>
    size === undefined || isConsistentSize(upload.stamp?.sizeBytes ?? 0, size, account.unit());

  const compare = async (
    upload: Upload,
    sha256: string,
    like: readonly RemoteFile[],
    asking: Ask,
    signal: AbortSignal,
  ): Promise<Evidence> => {
    const lost = {
      sentName: nameToSend(upload.name),
      sizeBytes: upload.stamp?.sizeBytes ?? 0,
      startedAtMs: 0,
    };
    // What could not be read is tried again.
    for (const [key, { isRead }] of readings) if (!isRead) readings.delete(key);
    const proof = createVerifyContent(ports.api, asking, signal, readings);
    const named = like.filter((file) => isNamedLike(upload, file));
    const first = await proof(lost, sha256, named, 'namesakes');
    if (first.kind === 'proved') return first;
    const second = await proof(lost, sha256, named, 'others');
    if (second.kind === 'proved') return second;
    const others = like.filter((file) => !named.includes(file));
    const third = await proof(lost, sha256, others, 'others');
    if (third.kind === 'proved') return third;
    // Under another name something longer is another file.
    const isUnread = others.some((file) => !wasRead(readings, file, lost.sizeBytes));
    return [first, second].some(({ kind }) => kind === 'undecided') || isUnread
      ? { kind: 'undecided' }
      : { kind: 'absent' };
  };

  /**
   * Whether one goes that cannot be compared: held after three tries, and only by the user's word after that. An earlier
   * word was about its name, or about a burst.
   */
  const isUndecidedGo = (upload: Upload, version: string): boolean => {
    const tries = (failed.get(version) ?? 0) + 1;
    failed.set(version, tries);
    if (tries > mostTries + 1 && upload.confirmed) return true;
    if (tries > mostTries)
      options.rows.apply(upload.id, { kind: 'doubted', then: { kind: 'held', reason: 'maybe-uploaded' } });
    else {
      const untilMs = options.steadyMs() + againMs(tries);
      options.rows.apply(upload.id, {
        kind: 'doubted',
        then: { kind: 'waiting', reason: 'network', untilMs },
      });
    }
    return false;
  };

  return {
    started(folder) {
      const nowMs = clock.wallMs();
      // A time in the future was recorded by another clock: it says nothing.
      const isRecent = (atMs: number): boolean => Math.abs(nowMs - atMs) < freshMs;
      const watched = folder === null ? null : ledger.folders.byPath(folder);
      const isFresh = ledger.permits
        .since(nowMs - freshMs)
        .some(({ spentAtMs, answeredAtMs }) => isRecent(answeredAtMs ?? spentAtMs));
      // Nothing can be missing from a ledger whose folder was chosen just now.
      const isNew = watched === null || isRecent(watched.chosenAtMs);
      const isEmpty = isNew && ledger.uploads.newestLinks(1).length === 0;
      if (isFresh || isEmpty) return;
      ledger.facts.set(doubtFact, { sinceMs: doubt()?.sinceMs ?? nowMs, untilMs: nowMs }, nowMs);
    },
    async mayGo(upload, signal) {
      const open = doubt();
      const { stamp } = upload;
      if (open === null || stamp === null || isWrittenSince(stamp, open.untilMs)) return true;
      const asking = askUnlessClosed(options.closedSinceMs, options.ask);
      const like = (await list(open, asking, signal)).filter(
        (file) => ledger.uploads.byFileId(file.file_id) === null && isLike(upload, file),
      );
      if (like.length === 0) return true;
      const path = joinPath(upload.dir, upload.name);
      const sha256 =
        upload.sha256 ?? (await digest(ports, path, rootOf(ledger, upload.folderId), stamp.key, signal));
      const evidence = sha256 === null ? null : await compare(upload, sha256, like, asking, signal);
      if (signal.aborted) return false;
      // The user may have cancelled it meanwhile.
      const now = ledger.uploads.byId(upload.id);
      if (now?.state.kind !== 'ready' || now.stamp?.key !== stamp.key) return false;
      if (evidence === null) {
        // It changed, or cannot be read now: it is looked at again.
        const untilMs = Math.ceil(options.steadyMs() + fileBackOffMs(now.attempts));
        options.rows.apply(now.id, { kind: 'delayed', reason: 'locked', untilMs });
        return false;
      }
      if (sha256 === null) return false;
      const known = options.rows.apply(now.id, { kind: 'hashed', sha256 });
      if (known === 'stale') return false;
      switch (evidence.kind) {
        case 'proved':
          options.reconciler().adopt(known, evidence.file);
          return false;
        case 'absent':
          return true;
        case 'undecided':
          return isUndecidedGo(known, `${known.id}/${stamp.key}`);
      }
    },
  };
};

/** Whatever the service makes of names: it changes their case or puts a number before them. */
const isNamedLike = (upload: Upload, { filename }: RemoteFile): boolean => {
  const sentName = nameToSend(upload.name);
  const own = plain(sentName);
  return filename === undefined || filename === sentName || (own.length > 0 && plain(filename).includes(own));
};

const isDoubt = (value: unknown): value is Doubt =>
  typeof value === 'object' &&
  value !== null &&
  'sinceMs' in value &&
  'untilMs' in value &&
  typeof value.sinceMs === 'number' &&
  typeof value.untilMs === 'number';
