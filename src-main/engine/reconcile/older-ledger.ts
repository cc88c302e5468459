// The ledger may be an older copy of itself. A restored data folder does not know the uploads since the copy, and they
// would all be sent twice. Another machine with the same key may also have sent the same files. So the engine reads
// the account list once, before the first upload of a file that was there when Outtray started. It compares the content
// of a file with each similar entry that this ledger does not know (design/decisions.md, Older data folder).
import { AppError, isAboutOneFile, toAppError } from '../../contract/errors.ts';
import type { Facts } from '../../contract/facts.ts';
import type { RemoteFile } from '../../contract/model.ts';
import type { Service } from '../account/service.ts';
import { askOf, askUnlessClosed, type Ask } from '../limiter/ask.ts';
import { digestOrNull, goesAsPicked, sentContent } from '../shared/same-content.ts';
import { nameToSend } from '../shared/sent-name.ts';
import { doubtOf, firstSeenAtMs } from '../account/copies/first-seen.ts';
import { rootOf } from '../shared/folder.ts';
import {
  askIds,
  hasId,
  isNamedLike,
  isSameFile,
  mayBeAnother,
  type EntryWithId,
  type IdsAsked,
} from './ids-again.ts';
import { hasSizeOf, type Evidence } from './reconcile-rules.ts';
import { createAccountList } from './account-list.ts';
import type { Reconciler } from './reconciler.ts';
import { fileBackOffMs } from '../shared/waits.ts';
import { isGoneAnswer } from '../shared/links.ts';
import { joinPath } from '../shared/paths.ts';
import type { Stamp } from '../ports/files.ts';
import type { Ports } from '../ports/ports.ts';
import type { Upload } from '../ports/uploads.ts';
import { createVerifyContent, wasRead, type Readings } from './verify-content.ts';
import { isRecent } from '../shared/time.ts';
import { isBornSince, isWrittenSince } from '../shared/file-version.ts';
import type { Core } from '../state/core.ts';

export type OlderLedger = {
  /** Called before the first request of an engine that has just started. `folders`: paths of the watched folders. */
  started(folders: readonly string[]): void;
  /**
   * Clears this upload to go: true. False: its row shows why not (the service has it, it is held, or it waits). Throws
   * what `ask` throws.
   */
  clear(upload: Upload, signal: AbortSignal): Promise<boolean>;
};

/** If the last request of the ledger is younger than this, no upload is missing. So a quick restart needs no list. */
const freshMs = 300_000;
/** The share of the day's requests for the list. The same share is for sizes that it does not have, and for links. */
const shareOfDay = 0.1;
/** A comparison that fails is tried again after 30 s, 2 min and 8 min; then the user decides. */
const mostTries = 3;
const againMs = (tries: number): number => 30_000 * 4 ** (tries - 1);

const mostRequests = (account: Service['account']): number =>
  Math.max(2, Math.floor(account.rules().perDay * shareOfDay));

type Doubt = Facts['may-be-older'];

type News = {
  /** Whose list it is. */
  accountId: number;
  known: readonly EntryWithId[];
  /** With one of our ids, and no link: it is asked for its link before a file that it may be goes. */
  unclear: readonly EntryWithId[];
  /** Without an id, or without an answer: each may be any of our files, so it rules none of them out. */
  doubtful: readonly RemoteFile[];
  /** Requests for links that are left. Without one, the id of an unclear entry rules it out. */
  left: number;
  /** False when the list shifted while it was read: an entry that it lacks may be there. */
  isWhole: boolean;
  /** Monotonic. */
  readAtMs: number;
};

/** Without a doubt no list is read. */
const nothingNew = { known: [], doubtful: [], isWhole: true } as const;

export const createOlderLedger = (
  { ports, rows, steadyMs }: Pick<Core, 'ports' | 'rows' | 'steadyMs'>,
  service: Pick<Service, 'account' | 'ask' | 'aboutOne' | 'gate'>,
  { adopt }: Pick<Reconciler, 'adopt'>,
): OlderLedger => {
  const { ledger, clock } = ports;
  const { account, ask, aboutOne, gate } = service;
  /** Entries that this ledger does not know, from one list of this run. */
  let news: News | null = null;
  /** Comparisons that failed, by version. */
  const failed = new Map<string, number>();
  /** The content of entries of one account. Each entry is read once, even if many files are like it. */
  const readings: Readings = new Map();
  let readIn: number | null = null;

  const doubt = createDoubt(ports);

  /** If the list cannot be read, that counts as trouble of the service. Without the list nothing is sent. */
  const list = async (open: Doubt, asking: Ask, signal: AbortSignal): Promise<News> => {
    try {
      const isCurrent = news !== null && (news.isWhole || clock.monoMs() - news.readAtMs < againMs(1));
      if (news !== null && isCurrent) return news;
      const left = news?.left ?? mostRequests(account);
      return (news = { ...(await readNews(ports, service, open, asking, signal)), left });
    } catch (caught) {
      const error = toAppError(caught);
      if (error.code !== 'unusable-answer') throw error;
      throw new AppError('interrupted', error.message, error.remedy, { cause: error });
    }
  };

  /** The list, once the entries like this upload whose ids are ours were asked for their links. */
  const listFor = async (upload: Upload, open: Doubt, asking: Ask, signal: AbortSignal): Promise<News> => {
    const read = await list(open, asking, signal);
    const like = [...read.doubtful.filter(hasId), ...read.unclear].filter(isLike(ledger, upload));
    const put = like.slice(0, read.left);
    const asked = await askIds(ports, put, { ask: aboutOne(asking), lane: 'background', signal });
    return (news = withLinks(news ?? read, { like, put, asked }));
  };

  /**
   * Whether an upload goes whose content cannot be compared. After three tries it is held. Then it goes only when the
   * user confirms it; an earlier confirmation was about its name or a burst.
   */
  const isUndecidedGo = (upload: Upload, version: string): boolean => {
    const tries = (failed.get(version) ?? 0) + 1;
    failed.set(version, tries);
    if (tries > mostTries + 1 && upload.confirmed) return true;
    if (tries > mostTries)
      rows.apply(upload.id, { kind: 'doubted', then: { kind: 'held', reason: 'maybe-uploaded' } });
    else {
      const untilMs = steadyMs() + againMs(tries);
      rows.apply(upload.id, {
        kind: 'doubted',
        then: { kind: 'waiting', reason: 'network', untilMs },
      });
    }
    return false;
  };

  return {
    started: doubt.begin,
    async clear(upload, signal) {
      const open = doubt.now();
      const { stamp } = upload;
      if (stamp === null) return true;
      const learned = upload.wantsAnother ? [] : ledger.remote.learnedOf(sentContent(upload).sizeBytes);
      if (open === null && learned.length === 0) return true;
      const accountId = ledger.accounts.present();
      if (readIn !== accountId) {
        news = null;
        readings.clear();
        readIn = accountId;
      }
      // Made before the disk is read: a refusal that comes meanwhile stops these requests, too.
      const asking = askOf(accountId, askUnlessClosed(gate.closedSinceMs, ask));
      const path = joinPath(upload.dir, upload.name);
      const isOld = open !== null && !(await isNewSince(ports, path, stamp, doubt.untilMs(open)));
      const read = isOld ? await listFor(upload, open, asking, signal) : nothingNew;
      const { known: entries, doubtful, isWhole } = read;
      // A list may have very many entries: the ledger is asked only about those of its size.
      const like = entries
        .filter(isLike(ledger, upload))
        .filter(({ file_id: fileId }) => ledger.uploads.byFileId(fileId) === null);
      const isHidden = !isWhole || doubtful.some(isLike(ledger, upload));
      if (like.length + learned.length === 0 && !isHidden) return true;
      const sha256 =
        sentContent(upload).sha256 ??
        (await digestOrNull(ports, path, rootOf(ledger, upload), stamp.key, signal));
      const same = [...learned.filter((file) => file.sha256 === sha256), ...like];
      if (sha256 !== null && same.length === 0 && !isHidden) return true;
      const evidence =
        sha256 === null
          ? null
          : await verify(ports, readings, upload, sha256, same, aboutOne(asking), signal);
      if (signal.aborted) return false;
      // The user may have cancelled it meanwhile, or have logged in to another account.
      const now = ledger.uploads.byId(upload.id);
      if (ledger.accounts.present() !== accountId) return false;
      if (!goesAsPicked(now, upload)) return false;
      if (evidence === null) {
        // The file changed or cannot be read now. It is looked at again later.
        const untilMs = Math.ceil(steadyMs() + fileBackOffMs(now.attempts));
        rows.apply(now.id, { kind: 'delayed', reason: 'locked', untilMs });
        return false;
      }
      if (sha256 === null) return false;
      const known = now.sent !== null ? now : rows.apply(now.id, { kind: 'hashed', sha256 });
      if (known === 'stale') return false;
      if (evidence.kind === 'proved') {
        adopt(known, evidence.file, true);
        rows.apply(known.id, { kind: 'served' });
        return false;
      }
      return (evidence.kind === 'absent' && !isHidden) || isUndecidedGo(known, `${known.id}/${stamp.key}`);
    },
  };
};

const createDoubt = ({ ledger, clock }: Pick<Ports, 'ledger' | 'clock'>) => {
  /** Monotonic: when this engine started, if it began the doubt. */
  let begunMonoMs = -Infinity;
  const now = (): Doubt | null => doubtOf({ ledger, clock });
  return {
    now,
    begin(folders: readonly string[]): void {
      const nowMs = clock.wallMs();
      if (!mayBeOlder({ ledger, clock }, folders, nowMs)) return;
      begunMonoMs = clock.monoMs();
      ledger.facts.set('may-be-older', { sinceMs: now()?.sinceMs ?? nowMs, untilMs: nowMs }, nowMs);
    },
    /** What came later is new. By the clock of now: that of the start may have been behind. */
    untilMs: (open: Doubt): number => Math.max(open.untilMs, clock.wallMs() - (clock.monoMs() - begunMonoMs)),
  };
};

/** At a start of the engine. */
const mayBeOlder = (
  { ledger, clock }: Pick<Ports, 'ledger' | 'clock'>,
  folders: readonly string[],
  nowMs: number,
): boolean => {
  const isFreshAt = (atMs: number): boolean => isRecent(clock, atMs, freshMs);
  const isFresh = ledger.permits
    .since(nowMs - freshMs)
    .some(({ spentAtMs, answeredAtMs }) => isFreshAt(answeredAtMs ?? spentAtMs));
  // If the folders were chosen just now, no upload can be missing in the ledger.
  const isNew = folders.every((path) => isFreshAt(ledger.folders.byPath(path)?.chosenAtMs ?? nowMs));
  return !isFresh && !(isNew && ledger.views.newestLinks(1).length === 0);
};

/** Compares the size and not the name, because the file may be renamed. */
const isLike =
  (ledger: Ports['ledger'], upload: Upload) =>
  (file: RemoteFile): boolean =>
    hasSizeOf(sentContent(upload), file) && mayBeAnother(ledger, nameToSend(upload.name), file);

const verify = async (
  ports: Core['ports'],
  readings: Readings,
  upload: Upload,
  sha256: string,
  like: readonly RemoteFile[],
  asking: Ask,
  signal: AbortSignal,
): Promise<Evidence> => {
  const lost = {
    sentName: nameToSend(upload.name),
    sizeBytes: sentContent(upload).sizeBytes,
    startedAtMs: 0,
  };
  // Entries that could not be read are tried again.
  for (const [key, { isRead }] of readings) if (!isRead) readings.delete(key);
  const proof = createVerifyContent(ports, asking, signal, readings);
  const named = like.filter((file) => isNamedLike(lost.sentName, file));
  const first = await proof(lost, sha256, named, 'namesakes');
  if (first.kind === 'proved') return first;
  const second = await proof(lost, sha256, named, 'others');
  if (second.kind === 'proved') return second;
  const others = like.filter((file) => !named.includes(file));
  const third = await proof(lost, sha256, others, 'others');
  if (third.kind === 'proved') return third;
  // An entry with another name and a longer content is another file.
  const isUnread = others.some((file) => !wasRead(readings, file, lost.sizeBytes));
  return [first, second].some(({ kind }) => kind === 'undecided') || isUnread
    ? { kind: 'undecided' }
    : { kind: 'absent' };
};

/**
 * Whether the file came after that time. If the disk gives no birth time, an old file may have been touched. A time ahead
 * of the clock proves nothing: one of the two is wrong.
 */
const isNewSince = async (
  { files, clock }: Pick<Ports, 'files' | 'clock'>,
  path: string,
  stamp: Stamp,
  sinceMs: number,
): Promise<boolean> => {
  if (!isWrittenSince(stamp, sinceMs) || Math.floor(stamp.ctimeMs) > clock.wallMs()) return false;
  try {
    const found = await files.look(path);
    return isBornSince(found?.stamp ?? null, sinceMs);
  } catch (caught) {
    if (toAppError(caught).code === 'locked') return false;
    throw caught;
  }
};

/** `like`: the entries that an upload may be. `put`: those of them that were asked; the others are ruled out. */
const withLinks = (
  news: News,
  { like, put, asked }: Record<'like' | 'put', readonly RemoteFile[]> & { asked: IdsAsked },
): News => ({
  ...news,
  known: [...news.known, ...asked.others],
  unclear: news.unclear.filter((file) => !like.includes(file)),
  doubtful: [...news.doubtful.filter((file) => !put.includes(file)), ...asked.doubtful],
  left: Math.max(0, news.left - put.length),
});

const readNews = async (
  ports: Core['ports'],
  { account, aboutOne }: Pick<Service, 'account' | 'aboutOne'>,
  { sinceMs }: Doubt,
  asking: Ask,
  signal: AbortSignal,
): Promise<Omit<News, 'left'>> => {
  const { ledger, clock, log } = ports;
  const isOurs = (file: RemoteFile): file is EntryWithId =>
    hasId(file) && ledger.uploads.byFileId(file.file_id) !== null;
  const most = mostRequests(account);
  // A file that was found or sent since `sinceMs` may be newer than the entries that are still to be found.
  const isFromBefore = (file: RemoteFile): boolean =>
    isOurs(file) &&
    isSameFile(ledger, file) &&
    (ledger.uploads.byFileId(file.file_id)?.uploadedAtMs ?? Infinity) < sinceMs;
  const reachesPast = (files: readonly RemoteFile[]): boolean => files.some(isFromBefore);
  const pass = await createAccountList(ports, asking).pass({
    lane: 'background',
    signal,
    most,
    reachesPast,
  });
  const { accountId } = pass;
  ledger.remote.saw(accountId, pass.files, ports.clock.wallMs(), firstSeenAtMs(ports));
  const found = pass.files.filter(
    (file): file is EntryWithId =>
      file.file_id !== undefined &&
      !isOurs(file) &&
      (ledger.remote.byId(file.file_id)?.firstSeenAtMs ?? Infinity) >= sinceMs,
  );
  log.info('listed before the first upload', { requests: pass.requests, unknown: found.length });
  const unclear = pass.files.filter(isOurs).filter((file) => file.public_link === undefined);
  const doubtful = pass.files.filter((file) => !hasId(file));
  if (pass.isComplete && found.length + unclear.length + doubtful.length === 0)
    ledger.facts.remove('may-be-older');
  // What the requests of a day do not suffice for is not read at all.
  const isWhole = pass.isComplete || pass.requests >= most;
  const known = await withSizes(ports, found, most, aboutOne(asking), signal);
  return { accountId, known, unclear, doubtful, isWhole, readAtMs: clock.monoMs() };
};

/**
 * The list has just shown this entry, and the answer for it is 404. Even a repeated 404 may come from a proxy. So
 * evidence of another kind decides: its link. Without a link the entry stays.
 */
const isLinkGone = async (
  ports: Core['ports'],
  { file_id: fileId, public_link }: EntryWithId,
  signal: AbortSignal,
): Promise<boolean> => {
  const link = public_link ?? ports.ledger.remote.byId(fileId)?.public_link;
  if (link === undefined) return false;
  try {
    await ports.api.digestOfLink(link, 0, signal);
    return false;
  } catch (caught) {
    return isGoneAnswer(toAppError(caught));
  }
};

/**
 * If the list has no size for an entry, the answer for that one file has it. The ledger keeps the size, so each entry
 * is asked for only once.
 */
const withSizes = async (
  ports: Core['ports'],
  files: readonly EntryWithId[],
  most: number,
  asking: Ask,
  signal: AbortSignal,
): Promise<readonly EntryWithId[]> => {
  const sized: EntryWithId[] = [];
  let asked = 0;
  for (const file of files) {
    const { file_id: fileId } = file;
    const size = file.size ?? ports.ledger.remote.byId(fileId)?.size;
    if (size !== undefined || asked >= most) {
      sized.push(size === undefined ? file : { ...file, size });
      continue;
    }
    asked += 1;
    try {
      sized.push(
        await asking('background', signal, async (stop, { accountId }) => {
          const full = { ...file, ...(await ports.api.info(fileId, stop)), file_id: fileId };
          ports.ledger.remote.saw(accountId, [full], ports.clock.wallMs(), firstSeenAtMs(ports));
          return full;
        }),
      );
    } catch (caught) {
      const { code } = toAppError(caught);
      if (!isAboutOneFile(code)) throw caught;
      if (code !== 'not-found' || !(await isLinkGone(ports, file, signal))) sized.push(file);
    }
  }
  return sized;
};
