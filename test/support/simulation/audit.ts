// Watches the service's side: how many requests come when, what each stored file is, who had anything deleted. The
// oracle of I2, I3, I5, I8, I12, I15, I16, I18, I19, I21 and I23; that of I17 is in waste.ts.
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
  /** Of a followed link: that it is refused says nothing to the queue (decisions/follow.md). */
  isCheck: boolean;
  isRefused: boolean;
  /** With what was asked for, not with something unreadable. */
  isAnswered: boolean;
  /** It met an outage in which nothing can succeed: which one. */
  outage: number | null;
};

export type Audit = {
  /** The engine starts a request. `outage`: the one that lasts now; null: none. */
  begins(kind: RequestKind, outage: number | null, isCheck?: boolean): Asked;
  /** It reaches the service and counts. */
  arrives(asked: Asked): void;
  /** It is answered with such a status. */
  denies(asked: Asked, status: number): void;
  answers(asked: Asked): void;
  /** The request is over, with or without an answer. */
  ends(asked: Asked): void;
  created(file: Stored): void;
  removed(file: Stored): void;
  /** A person acted: one probe is allowed. */
  acted(): void;
  /** An engine was started: it has to learn again that the queue is refused, or that there is an outage. */
  started(): void;
  /** The wall clock was set forward (or back, below zero). */
  jumped(ms: number): void;
  requests(): number;
};

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** Uploads at once, a look, the statistics, and what a person asks for. */
const mostUnderWay = 12;
/** Shortest time between two probes after 401, 403, 404 and 3xx, less what a clock's grain may take from it. */
const probeMs = 15 * minuteMs - 2000;

/** The queue was refused as a whole; `triedMs`: when it was last tried since, `isExtraLeft`: what tells why. */
type Closing = {
  by: RequestKind;
  status: number;
  sinceMs: number;
  triedMs: number;
  isExtraLeft: boolean;
  /** The statistics of a probe were answered: the account may be read, and only uploads are refused. */
  isReadable: boolean;
  isProbedByPerson: boolean;
};

export const createAudit = (options: {
  nowMs: () => number;
  /** Which start of the machine it is. */
  boot: () => string | undefined;
  perMinute: number;
  perDay: number;
  truth: Truth;
  /** Whether a person waits for an answer: then any request may be theirs. */
  isPersonAsking: () => boolean;
  story: Story;
}): Audit => {
  const { nowMs, perMinute, perDay, truth, story } = options;
  const waste = createWaste(nowMs, story);
  const arrived: number[] = [];
  let requests = 0;
  let minuteFrom = 0;
  let dayFrom = 0;
  let underWay = 0;
  let closed: Closing | null = null;
  /** The newest of them, whatever came after it. */
  let last: Closing | null = null;
  /** Statistics that tell why it was 403: one request for each spell. */
  let isWhyOwed = false;
  /**
   * The clock jumps forward, the process dies before it notices, and the machine starts again. Then the jump looks like
   * time that passed (the price named in limiter/elapsed.ts). A window may afterwards be shorter by this much.
   */
  let unnoticedMs = 0;
  /** A start takes a wall clock that is off by up to 200 ms for one that was not set (elapsed.ts). */
  let startsMs = 0;
  let boot = options.boot();
  const lost: { atMs: number; ms: number }[] = [];
  const lengthOf = (windowMs: number): number => {
    const sinceMs = nowMs() - windowMs;
    return lost.reduce((leftMs, { atMs, ms }) => (atMs > sinceMs ? leftMs - ms : leftMs), windowMs);
  };

  /** The first request after that time, from `index` on: there may be none. */
  const firstSince = (sinceMs: number, index: number): number => {
    let at = index;
    while ((arrived[at] ?? Infinity) <= sinceMs) at += 1;
    return at;
  };

  /**
   * Names that were refused since an upload passed, and those that were refused before one passed. Files of several folders
   * may share a name: that it passes says nothing about the file that was refused.
   */
  const refused = new Set<string>();
  const refusedAlone = new Set<string>();
  const isOfOneFile = ({ name }: { name: string | null }, status: number): boolean => {
    if (name === null || status === 401 || status === 403) return false;
    refused.add(name);
    return refusedAlone.has(name) && closed === null;
  };

  const isRefusal = (status: number): boolean =>
    [401, 403, 404, 405].includes(status) || (status >= 300 && status < 400);

  return {
    requests: () => requests,
    begins(kind, outage, isCheck = false) {
      requests += 1;
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
        outage: null,
      };
      if (!asked.byPerson) waste.begins(outage);
      if (closed === null || asked.byPerson) return asked;
      if (kind === 'stats' && isWhyOwed) isWhyOwed = false;
      else if (asked.atMs - closed.triedMs >= probeMs) {
        closed.triedMs = asked.atMs;
        closed.isExtraLeft = closed.status === 403;
      } else if (closed.isReadable && (kind === 'list' || kind === 'info')) {
        // Uploads are looked for.
      } else if (closed.isExtraLeft) closed.isExtraLeft = false;
      else {
        const agoMs = asked.atMs - closed.triedMs;
        story.violated('I12', `${kind} ${(agoMs / 1000).toFixed(1)} s after ${closed.status}`);
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
      story.note(`answer ${kind} ${status}`);
      // That a single file is missing says nothing about the whole queue.
      if (!isRefusal(status) || (status === 404 && (kind === 'info' || kind === 'remove'))) return;
      asked.isRefused = true;
      if (asked.isCheck) return;
      if (kind === 'upload' && status === 403) isWhyOwed = true;
      // What was refused meanwhile is also closed for the statistics.
      else if (!byPerson) isWhyOwed = false;
      // Several may be refused together.
      const isAlone = isOfOneFile(asked, status);
      if (closed?.status === status || isAlone) return;
      // On its way before the queue was refused, it is cut off with it: the interval has begun already.
      const begunAtMs = last !== null && asked.atMs < last.sinceMs ? last.triedMs : nowMs();
      last = {
        by: kind,
        status,
        sinceMs: nowMs(),
        triedMs: begunAtMs,
        isExtraLeft: false,
        isReadable: false,
        isProbedByPerson: false,
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
      // The service itself answered, maybe with a refusal: for Outtray there is no outage.
      if (asked.outage === null && (asked.isAnswered || asked.isRefused)) waste.restarts();
      else waste.failed(asked.outage);
      if (closed === null || asked.isRefused || asked.atMs < closed.sinceMs) return;
      if (closed.by === 'upload' && asked.kind === 'stats' && asked.isAnswered) closed.isReadable = true;
      // For 403, the statistics of the first minutes only tell the reason; those of a later probe open the queue.
      const isWhy =
        closed.status === 403 &&
        closed.by === 'upload' &&
        !closed.isProbedByPerson &&
        asked.kind === 'stats' &&
        asked.isAnswered &&
        asked.atMs - closed.sinceMs < probeMs;
      if (!isWhy) closed = null;
    },
    created(file) {
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
      // A request that was on its way then may still bring it.
      const { request } = file;
      const begunAtMs = request !== null && 'atMs' in request ? Number(request.atMs) : nowMs();
      if (known.no !== null && begunAtMs > known.no.sinceMs)
        story.violated('I23', `${known.id} went up in spite of ${known.no.by} (${file.name})`);
      if (known.takenBackAtMs !== null && begunAtMs > known.takenBackAtMs) {
        story.violated('I18', `${known.id} went up again after it was taken back (${file.name})`);
      }
      known.created.push(file);
      // The files that a proxy makes of one of our requests count once. A user who deletes one of them means this
      // upload: then its other files do not count either. Nor does one whose deletion waits for the key or the service.
      const isGone = (one: Stored): boolean =>
        one.deleted || truth.deletionsAskedFor.has(one.fileId) || (truth.endOf(one) ?? Infinity) <= nowMs();
      const gone = new Set(known.created.filter(isGone).map((one) => one.request));
      const live = new Set(known.created.map((one) => one.request).filter((one) => !gone.has(one))).size;
      if (live > known.allowed) {
        story.violated(
          'I2',
          `${known.id} is there ${live} times (${file.name}); ${known.allowed} are allowed`,
        );
      }
    },
    removed(file) {
      story.note(`removed ${file.fileId}`);
      const known = truth.content(file.content);
      if (!truth.deletionsAskedFor.has(file.fileId)) {
        const endMs = truth.endOf(file);
        // What the limiter cannot tell from time that passed, an end cannot.
        const earlyMs = lost.reduce((sum, { ms }) => sum + ms, startsMs);
        if (endMs === null) {
          story.violated('I15', `file ${file.fileId} was deleted and nobody asked for it`);
        } else if (nowMs() < endMs - earlyMs) {
          story.violated('I19', `the link of ${file.fileId} ended ${(endMs - nowMs()) / 1000} s too early`);
        }
        story.fault('link-ended');
      }
      if (known === null) return;
      // Another file with this content may wait: a person asked for a link of its own.
      const isAnotherDue = new Set(known.created.map((one) => one.request)).size < known.allowed;
      const isAskedSince = truth.deletionsAskedFor.has(file.fileId)
        ? known.isAskedSince
        : known.askedWith > known.created.indexOf(file);
      if (!isAskedSince && !isAnotherDue) known.takenBackAtMs = nowMs();
    },
    started() {
      waste.restarts();
      startsMs += 200;
      closed = null;
      last = null;
      isWhyOwed = false;
      if (options.boot() === boot) return;
      boot = options.boot();
      if (unnoticedMs > 0) lost.push({ atMs: nowMs(), ms: unnoticedMs });
      unnoticedMs = 0;
    },
    jumped(ms) {
      unnoticedMs = Math.max(0, unnoticedMs + ms);
    },
    acted() {
      waste.restarts();
      if (closed === null) return;
      closed.triedMs = Number.NEGATIVE_INFINITY;
      closed.isProbedByPerson = true;
    },
  };
};
