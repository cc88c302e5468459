// The limiter. Every request of this machine first spends a permit here. The permits are in the ledger, so the app,
// the command and a process after a crash share one count. policy.ts decides when a request may leave. This file
// carries that out, lets waiting requests go in order, and takes the answers.
import { AppError, unreachable } from '../../contract/errors.ts';
import type { BudgetView, Lane } from '../../contract/model.ts';
import type { Clock } from '../ports/ports.ts';
import type { Ledger, Permit } from '../ports/ledger.ts';
import { createBooks } from './books.ts';
import { createDailyUploads } from './daily-uploads.ts';
import { createLine, type Turn, type Wait } from './line.ts';
import {
  answered,
  limitsOf,
  nextSlot,
  spend,
  triedNow,
  type AnswerMeaning,
  type LimiterRules,
  type Load,
  type Slot,
} from './policy.ts';
import { snapshotOf, type BudgetSnapshot } from './snapshot.ts';
import { lanes, mayBeUpload } from './usage.ts';

export type Limiter = {
  /**
   * Gives a permit if one may be spent at once and no caller of `take` is before this lane. It joins the transaction of
   * the caller. A rollback takes the permit back. `bookedAs`: the lane whose use it counts as.
   */
  tryTake(lane: Lane, bookedAs?: Lane): Turn;
  /** Waits for a permit: the user's lane first, then in order of arrival. Throws `aborted`. */
  take(lane: Lane, signal: AbortSignal): Promise<Permit>;
  /** Ends a permit, once. Until then it counts as outstanding. */
  answered(permit: Permit, outcome: AnswerMeaning): void;
  /** How long `tryTake` would make this lane wait; null: it would be granted. */
  waitFor(lane: Lane): Wait | null;
  /** The same as a wall clock time, to show it. Null: now, or not known. */
  nextSlotAt(lane: Lane): number | null;
  /**
   * How long until no request is outstanding and the pace owes nothing. One request then delays others by its own slot
   * at most. Null: an answer is due before.
   */
  idleInMs(): number | null;
  /** Wall clock. Null when no 429 makes the requests wait. */
  pausedBy429UntilMs(): number | null;
  /** A person asked: after a 429 one request goes at once, and the others wait for its answer. */
  tryNow(): void;
  view(): BudgetView;
  /** When the oldest answers of this lane leave the windows of the minute and the day: milliseconds from now. */
  laneFreeInMs(lane: Lane): { minute: number | null; day: number | null };
  /**
   * The first permit that is outstanding or was answered within the last `ms` milliseconds. Null: there is none. A wall
   * clock that was set meanwhile does not matter.
   */
  firstWithin(ms: number): number | null;
  /** Now on the scale of elapsed.ts, which no wall clock that is set forward moves. Whole milliseconds. */
  nowMs(): number;
  /** What the forecast starts from (forecast.ts). */
  snapshot(): BudgetSnapshot;
  /**
   * Called at the start of the engine, whose lock guarantees that no other engine runs. Permits of earlier engines
   * (owner `engine:…`) count as answered now. Permits that are too old to count are forgotten.
   */
  recover(): void;
  /** The rules have changed (plan, settings): a waiting request may now go sooner. */
  rulesChanged(): void;
  /** The listener is called after each permit, answer and change of rules. Returns a function that removes it. */
  onChange(listener: () => void): () => void;
  /** Ends all waits: callers of `take` get `aborted`. */
  close(): void;
};

/** How often to look for answers of other processes. Only used while nothing else can free a slot. */
const LOOK_FOR_OTHERS_MS = 1_000;
/** The wait for an answer of this process. The answer itself ends the wait sooner. */
const LONG_MS = 60_000;

/**
 * `owner` names this process among those on the ledger, `engine:…` for the one that holds the engine lock.
 * `backlog`: how many uploads wait; a small backlog may go at once. `isAlive`: whether the process of an owner
 * still runs, null when unknown.
 */
export const createLimiter = (options: {
  clock: Clock;
  chance: () => number;
  ledger: Pick<Ledger, 'permits' | 'atomically'> & { attempts?: Pick<Ledger['attempts'], 'committedSince'> };
  owner: string;
  rules: () => LimiterRules;
  backlog?: () => number;
  isAlive?: (owner: string) => boolean | null;
}): Limiter => {
  const { clock, chance, ledger, owner } = options;
  const uploadsWaiting = options.backlog ?? (() => Infinity);
  const books = createBooks({
    clock,
    permits: ledger.permits,
    owner,
    isAlive: options.isAlive ?? (() => null),
  });
  const daily = createDailyUploads(clock, (sinceMs) => ledger.attempts?.committedSince(sinceMs) ?? 0);
  const listeners = new Set<() => void>();
  let known: LimiterRules | null = null;
  /** Read once for each decision. */
  const rules = (): LimiterRules => (known ??= options.rules());

  /** Reads the table. A jump of the clock is stored at once, so that a crash does not lose it. */
  const read = (): void => {
    known = null;
    books.read();
    if (!books.mustRemember()) return;
    ledger.atomically(() => {
      books.read();
      books.remember(books.memory());
    });
  };

  /** For figures that are only shown: a disk that cannot be written must not hide them. The jump is stored later. */
  const readToTell = (): void => {
    try {
      read();
    } catch (error) {
      if (!(error instanceof AppError) || error.storage === undefined) throw error;
    }
  };

  const load = (lane: Lane): Load => {
    let lastSentMs: number | null = null;
    for (const permit of books.outstanding()) lastSentMs = Math.max(lastSentMs ?? 0, permit.spentAtMs);
    return {
      minuteUsed: books.minuteUsed(),
      dayUsed: books.dayUsed(),
      minuteFreeAtMs: books.minuteFreeAtMs,
      dayFreeAtMs: books.dayFreeAtMs,
      lastSentMs,
      dailyUploadAtMs() {
        const uploading = books.outstanding().filter((permit) => mayBeUpload(permit.lane)).length;
        const { upload, agent } = books.dayLanes();
        const waitMs = daily.waitMs(rules().dailyUploads, upload + agent, uploading);
        return waitMs === null ? null : books.nowMs() + waitMs;
      },
      backlog() {
        if (lane === 'upload') return uploadsWaiting();
        return lane === 'background' ? Infinity : line.length(lane);
      },
    };
  };

  const slotOf = (lane: Lane): Slot => nextSlot(books.memory(), load(lane), rules(), books.nowMs(), lane);

  const waitOf = (slot: Slot): Wait | null => {
    switch (slot.kind) {
      case 'now':
        return null;
      case 'at':
        return { waitMs: Math.max(1, Math.ceil(slot.atMs - books.nowMs())), why: slot.why };
      case 'after-answer':
        return { waitMs: books.othersOutstanding() ? LOOK_FOR_OTHERS_MS : LONG_MS, why: slot.why };
      default:
        return unreachable(slot);
    }
  };

  /**
   * Requests that are over, by permit. After a full disk or a rollback of the outer transaction, the permit is still
   * outstanding. Then it is answered with the next request.
   */
  const over = new Map<number, { permit: Permit; outcome: AnswerMeaning }>();

  /** Inside a transaction, after `read`. */
  const settle = (): void => {
    for (const [id, { permit, outcome }] of over) {
      const minuteUsed = books.minuteUsed();
      if (!books.answer(permit)) {
        over.delete(id);
        continue;
      }
      const seen = { sentMs: permit.spentAtMs, minuteUsed, chance };
      const before = books.memory();
      const after = answered(before, rules(), books.nowMs(), outcome, seen);
      if (after !== before) books.remember(after);
      if (mayBeUpload(permit.lane)) daily.forget();
    }
  };

  const settleNow = (): void =>
    ledger.atomically(() => {
      read();
      settle();
    });

  /** Inside a transaction. Returns the permit, or how long to wait. */
  const grant = (lane: Lane, bookedAs = lane): Turn => {
    settle();
    const slot = slotOf(lane);
    const wait = waitOf(slot);
    if (wait !== null) return { kind: 'wait', ...wait };
    const memory = spend(books.memory(), rules(), books.nowMs());
    const permit = books.spend(bookedAs);
    books.remember(memory);
    return { kind: 'granted', permit };
  };

  const rank = (lane: Lane): number => lanes.indexOf(lane);
  /** Whether a caller of `take` goes first. Uploads that wait for the daily limit do not block other lanes. */
  const someoneBefore = (lane: Lane): boolean =>
    lanes.some((one) => {
      if (rank(one) > rank(lane) || line.length(one) === 0) return false;
      return waitOf(slotOf(one))?.why !== 'daily-uploads';
    });

  const queuedWait = (lane: Lane): Wait =>
    waitOf(slotOf(lane)) ?? { waitMs: LOOK_FOR_OTHERS_MS, why: 'pace' };

  const notify = (): void => {
    for (const listener of [...listeners]) listener();
  };

  const line = createLine({
    clock,
    turn: (lane) =>
      ledger.atomically(() => {
        read();
        return grant(lane);
      }),
    granted: notify,
  });

  return {
    tryTake(lane, bookedAs) {
      const turn = ledger.atomically((): Turn => {
        read();
        return someoneBefore(lane) ? { kind: 'wait', ...queuedWait(lane) } : grant(lane, bookedAs);
      });
      if (turn.kind === 'granted') notify();
      return turn;
    },
    take: line.join,
    answered(permit, outcome) {
      if (!over.has(permit.id)) over.set(permit.id, { permit, outcome });
      settleNow();
      line.moveSoon();
      notify();
    },
    waitFor(lane) {
      read();
      return someoneBefore(lane) ? queuedWait(lane) : waitOf(slotOf(lane));
    },
    nextSlotAt(lane) {
      readToTell();
      const slot = slotOf(lane);
      return slot.kind === 'at' ? Math.ceil(books.toWallMs(slot.atMs)) : null;
    },
    idleInMs() {
      read();
      if (books.outstanding().some(({ id }) => over.has(id))) {
        try {
          settleNow();
        } catch {
          return null; // as long as the disk is full
        }
      }
      return books.outstanding().length > 0
        ? null
        : Math.max(0, Math.ceil(books.memory().dueMs - books.nowMs()));
    },
    pausedBy429UntilMs() {
      readToTell();
      const untilMs = books.memory().pausedUntilMs;
      return untilMs > books.nowMs() ? Math.ceil(books.toWallMs(untilMs)) : null;
    },
    tryNow() {
      ledger.atomically(() => {
        read();
        const before = books.memory();
        const after = triedNow(before, books.nowMs());
        if (after !== before) books.remember(after);
      });
      line.moveSoon();
      notify();
    },
    view() {
      readToTell();
      const { perMinute, perDay } = limitsOf(rules());
      return {
        minute: { limit: perMinute, used: books.minuteUsed() },
        day: { limit: perDay, used: books.dayUsed() },
        lanes: { minute: books.minuteLanes(), day: books.dayLanes() },
      };
    },
    laneFreeInMs(lane) {
      readToTell();
      const { minute, day } = books.laneFreeAtMs(lane);
      const inMs = (atMs: number | null): number | null =>
        atMs && Math.max(1, Math.ceil(atMs - books.nowMs()));
      return { minute: inMs(minute), day: inMs(day) };
    },
    firstWithin(ms) {
      readToTell();
      return ledger.permits.since(books.nowMs() - ms)[0]?.id ?? null;
    },
    nowMs() {
      read();
      return Math.floor(books.nowMs());
    },
    snapshot() {
      readToTell();
      return snapshotOf(books);
    },
    recover() {
      ledger.atomically(() => {
        read();
        books.recover((one) => one.startsWith('engine:'));
      });
      line.moveSoon();
      notify();
    },
    rulesChanged() {
      daily.forget();
      line.moveSoon();
      notify();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: line.close,
  };
};
