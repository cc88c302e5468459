// The permit table as this process knows it. It is read completely once, and then only the changes are read. All data
// for a decision is read from the table before each decision. So permits of other processes count at once, and a
// transaction that was rolled back leaves no trace here: the table shows which permits are outstanding.
import type { Lane, LaneUse } from '../../contract/model.ts';
import type { Clock } from '../ports/ports.ts';
import type { Permit, PermitTable } from '../ports/ledger.ts';
import { firstLook, lookAt, nextLook, timeByBoot, type ClockLook } from './elapsed.ts';
import { freshMemory, parseMemory, restoreMemory, type LimiterMemory } from './memory.ts';
import { createUsage, DAY_WINDOW_MS, lanes, type DayCell, type Usage } from './usage.ts';

/**
 * A permit of another process that is outstanding for this long is given up, unless that process is known to run. A
 * process that was killed never answers its permits.
 */
const GIVEN_UP_MS = 120_000;
/** Permits older than the window of the day and its last cell are not needed. */
const KEPT_MS = DAY_WINDOW_MS + 3_600_000;
/** A process may work for months. Each new one reads all permits, 150,000 of them in one to two seconds. */
const PRUNE_EVERY = 500;

export type Books = {
  /** Reads the changes. Call it first, inside the transaction if there is one. */
  read(): void;
  /** The time of the last read, on the scale of the limiter (elapsed.ts). */
  nowMs(): number;
  memory(): LimiterMemory;
  /** True when the stored memory is out of date, for example after a jump of the clock. */
  mustRemember(): boolean;
  remember(memory: LimiterMemory): void;
  spend(lane: Lane): Permit;
  /** False when the permit is not outstanding. Then nothing changes. */
  answer(permit: Permit): boolean;
  /** Ends the permits of dead processes and forgets old permits. `isDead` takes an owner. */
  recover(isDead: (owner: string) => boolean): void;
  /** Counts answers within the window, and outstanding permits. */
  minuteUsed(): number;
  dayUsed(): number;
  minuteLanes(): LaneUse;
  dayLanes(): LaneUse;
  minuteFreeAtMs(count: number): number | null;
  dayFreeAtMs(count: number): number | null;
  laneFreeAtMs: Usage['laneFreeAtMs'];
  dayCells(): DayCell[];
  outstanding(): readonly Permit[];
  /** Whether other processes have outstanding permits. This process gets no event for their answers. */
  othersOutstanding(): boolean;
  toWallMs(atMs: number): number;
};

type BooksOptions = {
  clock: Clock;
  permits: PermitTable;
  owner: string;
  /** Whether the process that owns a permit still runs; null: cannot be known. */
  isAlive: (owner: string) => boolean | null;
};

/** Permits whose answer has not come. `add` counts one as answered, `at` is the time now. */
const createOutstanding = (
  { permits, owner, isAlive }: BooksOptions,
  add: (lane: Lane, answeredAtMs: number) => void,
  at: () => number,
) => {
  let outstanding: readonly Permit[] = [];
  /** Permits that are outstanding in the table, but given up and already counted as answered. */
  let givenUp = new Set<number>();

  const readOutstanding = (lastReadMs: number): void => {
    const before = outstanding;
    const now = permits.outstanding();
    outstanding = now.filter((permit) => !givenUp.has(permit.id) && !giveUp(permit));
    if (givenUp.size > 0) {
      givenUp = new Set(now.filter((permit) => givenUp.has(permit.id)).map((permit) => permit.id));
    }
    const left = new Set(outstanding.map((permit) => permit.id));
    const vanished = before.filter((p) => p.owner !== owner && !left.has(p.id) && !givenUp.has(p.id));
    if (vanished.length === 0) return;
    const rows = new Map(permits.since(lastReadMs - 5_000).map((row) => [row.id, row.answeredAtMs]));
    for (const permit of vanished) add(permit.lane, rows.get(permit.id) ?? at());
  };

  const giveUp = (permit: Permit): boolean => {
    if (permit.owner === owner || permit.spentAtMs > at() - GIVEN_UP_MS) return false;
    if (isAlive(permit.owner) === true) return false;
    givenUp.add(permit.id);
    add(permit.lane, at());
    return true;
  };

  const has = (permit: Permit): boolean =>
    outstanding.some((one) => one.id === permit.id && one.spentAtMs === permit.spentAtMs);
  const take = (permit: Permit): void => {
    outstanding = [...outstanding, permit];
  };
  const keep = (isKept: (permit: Permit) => boolean): void => {
    outstanding = outstanding.filter(isKept);
  };
  const clear = (): void => {
    outstanding = [];
    givenUp = new Set();
  };

  return { read: readOutstanding, list: () => outstanding, has, take, keep, clear };
};

export const createBooks = (options: BooksOptions): Books => {
  const { clock, permits, owner } = options;
  let usage = createUsage();
  let look: ClockLook | null = null;
  let memory = freshMemory(0);
  let mustRemember = false;
  let lastReadMs = 0;
  /** A jump was found just now. A process that has not found it writes stamps on another scale, so they give no age. */
  let jumped = false;
  /** The newest permit that was read. It includes our own permits after they are read back. */
  let newest: Permit | null = null;
  const at = (): number => look?.nowMs ?? 0;
  const add = (lane: Lane, answeredAtMs: number): void => {
    const stampMs = jumped ? at() : Math.min(answeredAtMs, at());
    if (stampMs > at() - KEPT_MS) usage.add(lane, stampMs);
  };

  const open = createOutstanding(options, add, at);

  const start = (): void => {
    jumped = false;
    const remembered = parseMemory(permits.memory());
    const rows = permits.after(0);
    const first = lookAtFirst(clock, remembered, rows);
    // Store it now. Otherwise the clock may be set before the next permit, and a later process would count that jump as
    // time that has passed.
    mustRemember ||= first.isUnnoted;
    look = first.look;
    look = notBehindStamps(permits, look);
    memory = restoreMemory(remembered, look.nowMs);
    for (const row of rows) {
      newest = row;
      if (row.answeredAtMs !== null) add(row.lane, row.answeredAtMs);
    }
  };

  /** A transaction in which permits were read was rolled back. Their ids may be used again for other permits. */
  const startAgain = (): void => {
    usage = createUsage();
    newest = null;
    open.clear();
    start();
  };

  const catchUp = (last: ClockLook): void => {
    const rows = permits.after((newest?.id ?? 1) - 1);
    if (newest !== null && !isSamePermit(rows.shift(), newest)) {
      startAgain();
      return;
    }
    const remembered = parseMemory(permits.memory());
    const storedOffsetMs = remembered.kind === 'known' ? remembered.memory.offsetMs : last.storedOffsetMs;
    look = nextLook(last, clock.wallMs(), clock.monoMs(), storedOffsetMs);
    jumped = look.offsetMs !== last.offsetMs;
    if (look.anchorMonoMs !== last.anchorMonoMs) look = notBehindStamps(permits, look);
    memory = restoreMemory(remembered, look.nowMs);
    for (const row of rows) {
      newest = row;
      if (row.owner !== owner && row.answeredAtMs !== null) add(row.lane, row.answeredAtMs);
    }
  };

  return {
    read() {
      if (look === null) start();
      else catchUp(look);
      open.read(lastReadMs);
      usage.expire(at());
      lastReadMs = at();
      const offsetMs = look?.offsetMs ?? 0;
      mustRemember ||= memory.offsetMs !== offsetMs;
      memory = { ...memory, offsetMs };
    },
    nowMs: at,
    memory: () => memory,
    mustRemember: () => mustRemember,
    remember(changed) {
      const boot = clock.sinceBoot();
      memory = { ...changed, noted: boot === null ? null : { ...boot, nowMs: at() } };
      permits.remember(memory);
      mustRemember = false;
    },
    spend(lane) {
      const permit = permits.insert(lane, at(), owner);
      open.take(permit);
      if (isPruneDue(permit, newest, at())) permits.prune(at() - KEPT_MS);
      return permit;
    },
    answer(permit) {
      // After a rollback another permit may have its id.
      if (!open.has(permit)) return false;
      permits.answer(permit.id, at());
      open.keep((one) => one.id !== permit.id);
      add(permit.lane, at());
      return true;
    },
    recover(isDead) {
      const owners = new Set(permits.outstanding().map((permit) => permit.owner));
      for (const one of owners) if (isDead(one)) permits.answerAllOf(one, at());
      for (const permit of permits.outstanding()) {
        if (permit.spentAtMs < at() - KEPT_MS) permits.answer(permit.id, at());
      }
      for (const permit of open.list()) if (isDead(permit.owner)) add(permit.lane, at());
      open.keep((permit) => !isDead(permit.owner));
      permits.prune(at() - KEPT_MS);
    },
    minuteUsed: () => usage.minuteUsed() + open.list().length,
    dayUsed: () => usage.dayUsed() + open.list().length,
    minuteLanes: () => withOutstanding(usage.minuteLanes(), open.list()),
    dayLanes: () => withOutstanding(usage.dayLanes(), open.list()),
    minuteFreeAtMs: (count) => usage.minuteFreeAtMs(count),
    dayFreeAtMs: (count) => usage.dayFreeAtMs(count),
    laneFreeAtMs: (lane) => usage.laneFreeAtMs(lane),
    dayCells: () => usage.dayCells(),
    outstanding: open.list,
    othersOutstanding: () => open.list().some((permit) => permit.owner !== owner),
    toWallMs: (atMs) => atMs - (look?.offsetMs ?? 0),
  };
};

/**
 * A new comparison of the clocks begins no earlier than the newest stamp in the table, from any process. So the scale
 * never falls behind a stamp, and the stamps keep the order of events.
 */
const notBehindStamps = (permits: PermitTable, found: ClockLook): ClockLook => {
  let newestMs = found.nowMs;
  for (const row of permits.since(found.nowMs))
    newestMs = Math.max(newestMs, row.spentAtMs, row.answeredAtMs ?? 0);
  if (newestMs <= found.nowMs) return found;
  return lookAt(newestMs, found.wallMs, found.anchorMonoMs, found.storedOffsetMs);
};

/** `newest`: of those that were read. It stays: by it the next read recognises a rollback. */
const isPruneDue = ({ id }: Permit, newest: Permit | null, nowMs: number): boolean =>
  id % PRUNE_EVERY === 0 && newest !== null && newest.spentAtMs > nowMs - KEPT_MS;

const isSamePermit = (row: Permit | undefined, one: Permit): boolean =>
  row?.id === one.id && row.owner === one.owner && row.spentAtMs === one.spentAtMs;

const withOutstanding = (use: LaneUse, outstanding: readonly Permit[]): LaneUse => {
  const all = { ...use };
  for (const lane of lanes) all[lane] += outstanding.filter((permit) => permit.lane === lane).length;
  return all;
};

/** `isUnnoted`: the time since the boot is known now, and was not stored. */
const lookAtFirst = (
  clock: Clock,
  remembered: ReturnType<typeof parseMemory>,
  rows: readonly Permit[],
): { look: ClockLook; isUnnoted: boolean } => {
  const [wallMs, monoMs] = [clock.wallMs(), clock.monoMs()];
  const known = remembered.kind === 'known' ? remembered.memory : null;
  const offsetMs = known?.offsetMs ?? 0;
  const boot = clock.sinceBoot();
  const byBootMs = timeByBoot(known?.noted ?? null, boot);
  const isUnnoted = known !== null && boot !== null && byBootMs === null;
  // If the offset is lost, the age of the newest stamp is not known. It counts as if no time had passed.
  const newestMs = rows.reduce((most, row) => Math.max(most, row.spentAtMs, row.answeredAtMs ?? 0), 0);
  const isLost = remembered.kind === 'strange' && newestMs > 0;
  const look = isLost
    ? lookAt(newestMs, wallMs, monoMs, offsetMs)
    : firstLook(wallMs, monoMs, offsetMs, byBootMs);
  return { look, isUnnoted };
};
