// Watches the service's side: when requests arrive, what each stored file is, who asked for a deletion. The oracle of
// I2, I3, I5, I8, I12, I15, I16, I18, I19, I21 and I23; that of I17 is in waste.ts.
import type { Stored } from './account.ts';
import type { Story } from './story.ts';
import { otherDriveMark } from './drives.ts';
import { outsideMark } from './swaps.ts';
import type { Truth } from './truth.ts';
import { createWaste } from './waste.ts';
import type { RequestKind } from './network.ts';

/** One request of the engine, as long as it is on its way. */
export type Asked = {
  kind: RequestKind;
  /** Of an upload: the name that is sent. */
  name: string | null;
  atMs: number;
  byPerson: boolean;
  /** A check of a followed link: its refusal does not close the queue (decisions.md). */
  isCheck: boolean;
  isRefused: boolean;
  /** The answer is readable and holds what was asked for. */
  isAnswered: boolean;
  /** It is made with a key of another account. */
  isElsewhere: boolean;
  /** The outage that it met, in which nothing can succeed; null: none. */
  outage: number | null;
  /** Of an upload whose tail has left: its attempt in the ledger, and since when. */
  tail: { attemptId: number | null; atMs: number } | null;
  /** The service has refused it. */
  isDenied: boolean;
};

/** The process said at `saidMs` that no upload goes until `untilMs`. */
export type UploadsWait = { saidMs: number; untilMs: number };

export type Audit = {
  /** The engine starts a request. `outage`: the one that lasts now; null: none. */
  begins(kind: RequestKind, outage: number | null, isCheck?: boolean): Asked;
  /** It reaches the service and counts. */
  arrives(asked: Asked): void;
  /** The service refuses it with this status. */
  denies(asked: Asked, status: number): void;
  answers(asked: Asked): void;
  /** The request is over, with or without an answer. */
  ends(asked: Asked): void;
  /** The tail of an upload of these bytes leaves. */
  tail(asked: Asked, text: string): void;
  /** This attempt is called absent. */
  toldAbsent(attemptId: number): void;
  created(file: Stored): void;
  removed(file: Stored): void;
  /** A person acted: one probe is allowed. */
  acted(): void;
  /** The process was killed. `wait`: what it said last of uploads; null: they may go. */
  died(wait: UploadsWait | null): void;
  /** An engine was started: it has to find out again that the queue is refused, or that there is an outage. */
  started(): void;
  /** The wall clock was set forward (or back, below zero). */
  jumped(ms: number): void;
  requests(): number;
  /** A person left this content out while it was on its way, and did not ask for it since. */
  isNo(text: string): boolean;
};

const minuteMs = 60_000;
/** The protocol waits this long before it calls an upload absent whose answer was lost. */
const reconcileAfterMs = 15 * minuteMs;
const hourMs = 3_600_000;
/** An outage allows 30 probes in an hour. Whatever else asks for the statistics does so a few times. */
const mostStatistics = 50;
const dayMs = 86_400_000;
/** The concurrent uploads, a look for one, the statistics, and what a person asks for. */
const mostUnderWay = 12;
/** Shortest time between two probes after 401, 403, 404 and 3xx, less 2 s for the granularity of clocks. */
const probeMs = 15 * minuteMs - 2000;

/** A process that lives this long after a refusal has stored it. */
const storedMs = 10_000;

/** The whole queue was refused. `triedMs`: the last probe. `isExtraLeft`: one more request may ask for the reason. */
type Closing = {
  by: RequestKind;
  status: number;
  sinceMs: number;
  triedMs: number;
  isExtraLeft: boolean;
  /** A probe got the statistics: the account is readable, and only uploads are refused. */
  isReadable: boolean;
  isProbedByPerson: boolean;
  /** It was met by an earlier process. */
  isCarried: boolean;
};

export const createAudit = (options: {
  nowMs: () => number;
  /** Which start of the machine it is. */
  boot: () => string | undefined;
  perMinute: number;
  perDay: number;
  truth: Truth;
  /** Whether a person waits for an answer: any request may then come from that person. */
  isPersonAsking: () => boolean;
  /** Whether two files are in one account. */
  isTogether: (one: Stored, other: Stored) => boolean;
  /** The attempt whose tail has just left with these bytes; null: the ledger shows none. */
  attemptOf: (text: string) => number | null;
  wallMs: () => number;
  story: Story;
}): Audit => {
  const { nowMs, perMinute, perDay, truth, isTogether, story } = options;
  const waste = createWaste(nowMs, story);
  const arrived: number[] = [];
  let statistics: number[] = [];
  /** Each start may ask for them once: it does not know what the one before has learned of an outage. */
  let starts: number[] = [];
  /** When they were last answered. */
  let statisticsMs = -Infinity;
  let requests = 0;
  let minuteFrom = 0;
  let dayFrom = 0;
  let underWay = 0;
  let closed: Closing | null = null;
  /** The newest one, even if the queue was opened since. */
  let last: Closing | null = null;
  /** One request for statistics may ask for the reason of a 403. */
  let isWhyOwed = false;
  /**
   * The clock jumps forward, the process dies before it notices, and the machine starts again. The jump then looks
   * like elapsed time (a known cost, see limiter/elapsed.ts), and a window of the limit may be shorter by this much.
   */
  let unnoticedMs = 0;
  /** At its start an engine takes a shift of the wall clock up to 200 ms for none (elapsed.ts). */
  let startsMs = 0;
  let boot = options.boot();
  const lost: { atMs: number; ms: number }[] = [];
  const earlyBy = (): number => lost.reduce((sum, { ms }) => sum + ms, startsMs);
  let hasJumped = false;
  let forwardMs = 0;
  let actedMs = -Infinity;
  /** What the process that was killed said, and what the next one has to heed. */
  let left: UploadsWait | null = null;
  let heeded: UploadsWait | null = null;
  const tails = new Map<number, Asked>();
  /** By request: a ledger that is restored gives the ids of its attempts again. */
  const absent = new Set<Asked>();
  const lengthOf = (windowMs: number): number => {
    const sinceMs = nowMs() - windowMs;
    return lost.reduce((leftMs, { atMs, ms }) => (atMs > sinceMs ? leftMs - ms : leftMs), windowMs);
  };

  /** The index of the first request after that time, from `index` on; the number of requests: none. */
  const firstSince = (sinceMs: number, index: number): number => {
    let at = index;
    while ((arrived[at] ?? Infinity) <= sinceMs) at += 1;
    return at;
  };

  /**
   * Names refused since the last upload that succeeded, and names refused before it. Files of several folders may
   * share a name, so a success under this name proves nothing about the refused file.
   */
  const refused = new Set<string>();
  const refusedAlone = new Set<string>();
  const isOfOneFile = ({ name }: { name: string | null }, status: number): boolean => {
    if (name === null || status === 401 || status === 403) return false;
    refused.add(name);
    return refusedAlone.has(name) && closed === null;
  };

  const noteBoot = (): void => {
    if (options.boot() === boot) return;
    boot = options.boot();
    if (unnoticedMs > 0) lost.push({ atMs: nowMs(), ms: unnoticedMs });
    unnoticedMs = 0;
  };

  const allowProbe = (): void => {
    waste.restarts();
    if (closed === null) return;
    closed.triedMs = Number.NEGATIVE_INFINITY;
    closed.isProbedByPerson = true;
  };

  const isRefusal = (status: number): boolean =>
    [401, 403, 404, 405].includes(status) || (status >= 300 && status < 400);

  return {
    requests: () => requests,
    isNo: (text) => truth.content(text)?.isUnwanted === true,
    begins(kind, outage, isCheck = false) {
      requests += 1;
      // An engine may ask before it says that it has started.
      noteBoot();
      unnoticedMs = 0;
      underWay += 1;
      story.bounded('requests under way', underWay, mostUnderWay);
      story.note(`request ${kind}`);
      const asked = {
        kind,
        name: null,
        atMs: nowMs(),
        byPerson: options.isPersonAsking(),
        isCheck,
        isRefused: false,
        isAnswered: false,
        isElsewhere: false,
        outage: null,
        tail: null,
        isDenied: false,
      };
      if (!asked.byPerson) waste.begins(outage);
      if (kind === 'stats' && !asked.byPerson) {
        const isRecent = (atMs: number): boolean => atMs > nowMs() - hourMs;
        [statistics, starts] = [[...statistics.filter(isRecent), nowMs()], starts.filter(isRecent)];
        story.bounded('statistics in an hour', statistics.length - starts.length, mostStatistics);
      }
      if (kind === 'upload' && heeded !== null && !hasJumped && nowMs() < heeded.untilMs) {
        const earlyMs = heeded.untilMs - nowMs();
        story.violated(
          'W14',
          `the next process uploads ${(earlyMs / 1000).toFixed(1)} s before the wait is over`,
        );
        heeded = null;
      }
      if (closed === null || asked.byPerson) return asked;
      if (kind === 'stats' && isWhyOwed) isWhyOwed = false;
      else if (asked.atMs - closed.triedMs >= probeMs) {
        closed.triedMs = asked.atMs;
        closed.isExtraLeft = closed.status === 403;
      } else if (closed.isReadable && kind !== 'upload' && kind !== 'stats') {
        // The engine looks for uploads whose outcome is unknown, and ends links.
      } else if (closed.isExtraLeft) closed.isExtraLeft = false;
      else {
        const agoMs = asked.atMs - closed.triedMs;
        const promise = closed.isCarried && kind === 'upload' ? 'W14' : 'I12';
        story.violated(promise, `${kind} ${(agoMs / 1000).toFixed(1)} s after ${closed.status}`);
        closed = null;
      }
      return asked;
    },
    arrives() {
      const atMs = nowMs();
      arrived.push(atMs);
      minuteFrom = firstSince(atMs - lengthOf(minuteMs), minuteFrom);
      dayFrom = firstSince(atMs - lengthOf(dayMs), dayFrom);
      if (arrived.length - minuteFrom > perMinute) {
        story.violated('I5', `${arrived.length - minuteFrom} requests within 60 s; ${perMinute} are allowed`);
      }
      if (arrived.length - dayFrom > perDay) {
        story.violated('I5', `${arrived.length - dayFrom} requests within 24 h; ${perDay} are allowed`);
      }
    },
    denies(asked, status) {
      const { kind, byPerson } = asked;
      asked.isDenied = true;
      story.note(`answer ${kind} ${status}`);
      // One missing file does not mean that the whole queue is refused.
      if (!isRefusal(status) || (status === 404 && kind === 'info')) return;
      // A deletion that is forbidden is about its file, which has a wait of its own.
      if (kind === 'remove' && [403, 404, 405].includes(status)) return;
      asked.isRefused = true;
      if (asked.isCheck) return;
      // It may be about that file alone: the statistics tell.
      if (kind === 'info' && status === 403 && !byPerson) {
        isWhyOwed = true;
        return;
      }
      if (kind === 'upload' && status === 403) isWhyOwed = true;
      // This refusal also covers the statistics.
      else if (!byPerson) isWhyOwed = false;
      // Several may be refused together.
      const isAlone = isOfOneFile(asked, status);
      if (closed?.status === status || isAlone) return;
      // A request that left before the queue was refused belongs to that refusal: its interval has already begun.
      const begunAtMs = last !== null && asked.atMs < last.sinceMs ? last.triedMs : nowMs();
      last = {
        by: kind,
        status,
        sinceMs: nowMs(),
        triedMs: begunAtMs,
        isExtraLeft: false,
        // Uploads that are refused together share one request for the statistics.
        isReadable: kind === 'upload' && nowMs() - statisticsMs < 2 * minuteMs,
        isProbedByPerson: false,
        isCarried: false,
      };
      if (!byPerson) closed = last;
    },
    answers({ kind, name }) {
      story.note(`answer ${kind} 200`);
      if (name === null) return;
      for (const one of refused) refusedAlone.add(one);
      refused.clear();
    },
    ends(asked) {
      underWay -= 1;
      // Trouble is probed by a request of its own, also while uploads are refused.
      if (closed?.status === 403 && !asked.isAnswered && !asked.isRefused) closed.isExtraLeft = true;
      // The service itself answered, if only with a refusal: for Outtray the outage is over.
      if (asked.outage === null && (asked.isAnswered || asked.isRefused)) waste.restarts();
      else waste.failed(asked.outage);
      if (asked.kind === 'stats' && asked.isAnswered) statisticsMs = nowMs();
      if (closed === null || asked.isRefused || asked.atMs < closed.sinceMs) return;
      if (closed.by === 'upload' && asked.kind === 'stats' && asked.isAnswered) closed.isReadable = true;
      // After a 403, statistics of the first minutes only give the reason; those of a later probe open the queue.
      const isWhy =
        closed.status === 403 &&
        closed.by === 'upload' &&
        !closed.isProbedByPerson &&
        asked.kind === 'stats' &&
        asked.isAnswered &&
        asked.atMs - closed.sinceMs < probeMs;
      if (!isWhy) closed = null;
    },
    tail(asked, text) {
      const attemptId = options.attemptOf(text);
      asked.tail = { attemptId, atMs: nowMs() };
      if (attemptId !== null) tails.set(attemptId, asked);
      const ends = hasJumped ? null : truth.momentOf(text);
      if (ends !== null && nowMs() > ends.monoMs + 1000 && options.wallMs() > ends.wallMs)
        story.violated('W9', `${text.slice(0, 5)} left ${(nowMs() - ends.monoMs) / 1000} s after its end`);
    },
    toldAbsent(attemptId) {
      const asked = tails.get(attemptId);
      if (asked === undefined || asked.tail === null) return;
      absent.add(asked);
      const agoMs = nowMs() - asked.tail.atMs;
      if (!asked.isDenied && agoMs < reconcileAfterMs - earlyBy())
        story.violated('W7', `attempt ${attemptId} is called absent ${agoMs / 1000} s after its tail`);
      if (truth.isThere(asked)) story.violated('W7', `attempt ${attemptId} is called absent, and is there`);
    },
    created(file) {
      if (file.request !== null && 'tail' in file.request) {
        const asked = file.request as Asked;
        if (absent.has(asked))
          story.violated('W7', `attempt ${asked.tail?.attemptId} was called absent, and is there later`);
      }
      story.note(`created ${file.fileId} ${file.name} ${file.content.slice(0, 5)}`);
      if (file.content.startsWith(outsideMark)) {
        story.violated('I8', `${file.name} holds bytes from outside the folder`);
        return;
      }
      if (file.content.startsWith(otherDriveMark)) {
        story.violated('I21', `${file.name} is a file of another drive, and nobody was asked`);
        return;
      }
      const known = truth.content(file.content);
      if (known === null || !known.wasWhole) {
        story.violated('I3', `${file.name} holds what no file ever was: ${file.content.slice(0, 40)}`);
        return;
      }
      const mayNot = truth.whyNot(file.content);
      if (mayNot !== null) story.violated('I16', `${known.id} left the folder: ${mayNot}`);
      // A request that was already under way may still create the file.
      const { request } = file;
      const begunAtMs = request !== null && 'atMs' in request ? Number(request.atMs) : nowMs();
      if (known.no !== null && begunAtMs > known.no.sinceMs)
        story.violated('I23', `${known.id} went up in spite of ${known.no.by} (${file.name})`);
      if (known.takenBackAtMs !== null && begunAtMs > known.takenBackAtMs) {
        story.violated('I18', `${known.id} went up again after it was taken back (${file.name})`);
      }
      known.created.push(file);
      // A proxy can make several files of one of our requests: they count once. A user who deletes one of them means
      // the upload, so its other files do not count. Nor does a file whose deletion waits for the key or the service.
      const isGone = (one: Stored): boolean =>
        one.deleted || truth.deletionsAskedFor.has(one.link) || (truth.endOf(one) ?? Infinity) <= nowMs();
      const gone = new Set(known.created.filter(isGone).map((one) => one.request));
      const here = known.created.filter((one) => isTogether(one, file));
      const live = new Set(here.map((one) => one.request).filter((one) => !gone.has(one))).size;
      if (live > known.allowed) {
        story.violated(
          'I2',
          `${known.id} is there ${live} times (${file.name}); ${known.allowed} are allowed`,
        );
      }
    },
    removed(file) {
      story.note(`removed ${file.fileId}`);
      if (file.by !== 'us')
        story.violated('W5', `${file.name} (${file.fileId}) of another device was deleted`);
      const known = truth.content(file.content);
      if (!truth.deletionsAskedFor.has(file.link)) {
        const endMs = truth.endOf(file);
        // A jump that the limiter takes for elapsed time also brings an end forward.
        // An end counts from the tail, and the file was created later.
        const { request } = file;
        const tookMs = request !== null && 'atMs' in request ? file.atMs - Number(request.atMs) : 0;
        // An end at a moment is by the clock that the machine has when the link gets it.
        const setForwardMs = Number.isFinite(known?.earliestMs) ? forwardMs : 0;
        const earlyMs = earlyBy() + tookMs + setForwardMs;
        if (known?.wasUnwanted === true) story.fault('unwanted-deleted');
        else if (endMs === null) {
          story.violated('I15', `file ${file.fileId} was deleted and nobody asked for it`);
        } else if (nowMs() < endMs - earlyMs) {
          story.violated('I19', `the link of ${file.fileId} ended ${(endMs - nowMs()) / 1000} s too early`);
        }
        story.fault('link-ended');
      }
      if (known === null) return;
      // Another file with this content may wait: a person asked for a link of its own.
      const isAnotherDue = new Set(known.created.map((one) => one.request)).size < known.allowed;
      const isAskedSince = truth.deletionsAskedFor.has(file.link)
        ? known.isAskedSince
        : known.askedWith > known.created.indexOf(file);
      if (!isAskedSince && !isAnotherDue) known.takenBackAtMs = nowMs();
    },
    died(wait) {
      // A person has acted since: the wait is over.
      left = wait !== null && wait.saidMs >= actedMs ? wait : null;
      allowProbe();
    },
    started() {
      waste.restarts();
      [heeded, left] = [left, null];
      starts.push(nowMs());
      startsMs += 200;
      // What closes uploads is in the ledger by then, and holds for the next process.
      const isStored =
        closed?.by === 'upload' && closed.status === 403 && nowMs() - closed.sinceMs > storedMs;
      if (closed !== null && isStored) closed.isCarried = true;
      else closed = null;
      last = null;
      isWhyOwed = false;
      noteBoot();
    },
    jumped(ms) {
      hasJumped = true;
      forwardMs += Math.max(0, ms);
      unnoticedMs = Math.max(0, unnoticedMs + ms);
    },
    acted() {
      [heeded, left, actedMs] = [null, null, nowMs()];
      allowProbe();
    },
  };
};
