// Files that arrive together: they are counted, and the question about them comes at once.
import type { Account } from '../account/account.ts';
import { allowanceOf, type Allowance } from '../candidate/allowance.ts';
import { candidateOf, writtenPlace } from '../candidate/candidate.ts';
import { isAnsweredSize } from '../candidate/content-decisions.ts';
import { mayHaveBeenThere } from '../candidate/was-there.ts';
import { nameVerdict } from '../given/names-at.ts';
import type { NameVerdict } from '../shared/names/name-rules.ts';
import type { Place, Stamp } from '../ports/files.ts';
import type { Ports } from '../ports/ports.ts';
import type { Upload } from '../ports/uploads.ts';
import type { Core } from '../state/core.ts';
import { isOfFirstScan, type ActiveFolder } from '../shared/folder.ts';
import { startSlices } from '../shared/loop.ts';
import { joinPath } from '../shared/paths.ts';
import { judgeSettled, type Settled } from './intake-rules.ts';
import { isInGrace, isPausedByFolder } from '../shared/waits.ts';
import type { QuietPeriods } from './quiet-period.ts';

/** Files that arrive within this time are asked about together. */
const burstSpanMs = 60_000;
/** A row that may be part of the burst of now. */
export const isOfBurst = (
  { folderId, confirmed, createdAtMs }: Pick<Upload, 'folderId' | 'confirmed' | 'createdAtMs'>,
  nowMs: number,
): boolean => folderId !== null && !confirmed && createdAtMs >= nowMs - burstSpanMs;

/** Counts files that arrive together (README.md, promise 4). If a burst is over the limit, all of it is held. */
export const createBursts = (limits: () => { burstFiles: number; burstBytes: number }) => {
  /** Of the last minute, oldest first. `from`: those before it are older. */
  let recent: { id: number; sizeBytes: number; atMs: number }[] = [];
  let from = 0;
  let bytes = 0;
  /** New files without a state. */
  const known = new Set<number>();
  const held = new Set<number>();
  const fresh = new Set<number>();
  let hasHeld = false;
  /** A file that is over the limit alone is a question of its own. */
  const counted = (sizeBytes: number): number => (sizeBytes > limits().burstBytes ? 0 : sizeBytes);
  const dropOld = (nowMs: number): void => {
    for (let one = recent[from]; one !== undefined && nowMs - one.atMs > burstSpanMs; one = recent[from]) {
      bytes -= one.sizeBytes;
      from += 1;
    }
    if (from > 1000 && from > recent.length / 2) [recent, from] = [recent.slice(from), 0];
  };
  const isOver = (nowMs: number): boolean => {
    dropOld(nowMs);
    return recent.length - from > limits().burstFiles || bytes > limits().burstBytes;
  };
  const hold = (id: number): void => {
    if (!known.has(id) || held.has(id)) return;
    held.add(id);
    fresh.add(id);
  };
  const count = (id: number, sizeBytes: number, atMs: number): void => {
    recent.push({ id, sizeBytes: counted(sizeBytes), atMs });
    bytes += counted(sizeBytes);
  };
  return {
    /** One more new file. */
    arrived(id: number, sizeBytes: number, nowMs: number): void {
      const wasOver = isOver(nowMs);
      count(id, sizeBytes, nowMs);
      known.add(id);
      if (wasOver) hold(id);
      else if (isOver(nowMs)) for (const one of recent.slice(from)) hold(one.id);
    },
    /** One more, which was recorded as held because the burst is over the limit already. */
    arrivedHeld(id: number, sizeBytes: number, nowMs: number): void {
      count(id, sizeBytes, nowMs);
      hasHeld = true;
    },
    /** It is part of a burst that is held. */
    holds: (id: number): boolean => held.has(id),
    /**
     * The files of a burst that this has not returned yet. The user is asked about them at once. `hasHeld`: some were
     * recorded as held.
     */
    take(): { ids: number[]; hasHeld: boolean } {
      const taken = { ids: [...fresh], hasHeld };
      fresh.clear();
      hasHeld = false;
      return taken;
    },
    /** The file has its state. */
    forget(id: number): void {
      for (const ids of [known, held, fresh]) ids.delete(id);
    },
    /** Whether the files of the last minute are over the limit. */
    isOver,
  };
};

export type Bursts = ReturnType<typeof createBursts>;

/**
 * Whether a file that came into its folder by itself is a question of its own, because it is over the limit alone: by
 * its size as it is now, however it got it. `id` 0: it has no row yet.
 */
export const isLargeAlone = (
  {
    ledger,
    settings,
  }: { ledger: Pick<Ports['ledger'], 'folders'>; settings: Pick<Ports['settings'], 'current'> },
  { id, folderId, door, confirmed }: Pick<Upload, 'id' | 'folderId' | 'door' | 'confirmed'>,
  sizeBytes: number,
): boolean => {
  if (folderId === null || door !== 'folder' || confirmed || sizeBytes <= settings.current().burstBytes)
    return false;
  const folder = ledger.folders.byId(folderId);
  return folder !== null && (id === 0 ? folder.baselineDone : !isOfFirstScan(folder, id));
};

/** A file of a burst; id 0: it has no row yet. */
export type BurstFile = Pick<Upload, 'id' | 'folderId' | 'dir' | 'name' | 'sha256' | 'confirmed' | 'door'>;
const heldAtOnce = 64;

/**
 * Whether nothing but its burst decides about a file that has just arrived, for the real run and for a plan. It is
 * neither read nor looked at again: the question comes at once.
 */
export const isOnlyOfBurst = (
  { ledger, settings }: Pick<Ports, 'ledger' | 'settings'>,
  { row, stamp }: { row: BurstFile; stamp: Stamp },
  place: Place,
  judging: Pick<Settled, 'name' | 'maxFileSizeBytes' | 'burst'>,
  rules: Allowance,
): boolean => {
  // It may still be empty because its content comes later.
  if (judging.burst !== 'burst' || stamp.sizeBytes === 0) return false;
  // The content may have an answer already.
  if (isAnsweredSize(ledger, stamp.sizeBytes) || mayHaveBeenThere(ledger, { ...row, stamp })) return false;
  const { includeEmpty } = settings.current();
  const settled = { ...judging, stamp, confirmed: row.confirmed, includeEmpty };
  const judged = judgeSettled(candidateOf(place, stamp.sizeBytes, row.name), settled, rules);
  return judged.kind === 'held' && judged.reason === 'burst';
};

/**
 * Whether a new file of a watched folder is recorded as held. Where rules about places are in force, the disk has to be
 * asked about it first.
 */
export const isHeldOnArrival = (
  { ports, bursts, account }: Pick<Core, 'ports'> & { bursts: Bursts; account: Account },
  row: BurstFile,
  stamp: Stamp,
  name: NameVerdict,
): boolean => {
  const { allowedRoots, forbiddenRoots, ...rules } = ports.settings.current();
  if (allowedRoots.length + forbiddenRoots.length > 0 || !bursts.isOver(ports.clock.monoMs())) return false;
  const burst = isLargeAlone(ports, row, stamp.sizeBytes) ? ('large' as const) : ('burst' as const);
  const judging = { name, maxFileSizeBytes: account.maxFileSizeBytes(), burst };
  const place = writtenPlace(joinPath(row.dir, row.name));
  return isOnlyOfBurst(ports, { row, stamp }, place, judging, {
    ...rules,
    allowedRoots: [],
    forbiddenRoots: [],
  });
};

/** Holds the files of a burst. Those about which something else decides wait until they have settled. */
export const holdBurst = async (
  {
    ports,
    rows,
    quiet,
    bursts,
    activeOf,
    account,
  }: Pick<Core, 'ports' | 'rows'> & {
    quiet: Pick<QuietPeriods, 'forget'>;
    bursts: Bursts;
    activeOf: (folderId: number | null) => ActiveFolder | null;
    account: Pick<Account, 'maxFileSizeBytes'>;
  },
  signal: AbortSignal,
): Promise<void> => {
  const { files, ledger, clock, settings } = ports;
  const { ids, hasHeld } = bursts.take();
  if (ids.length === 0 && !hasHeld) return;
  const breathe = startSlices(clock, 20);
  const rules = await allowanceOf(files, settings.current());
  const newlyHeld = new Set<number>();
  const isAsked = rules.allowedRoots.length + rules.forbiddenRoots.length > 0;
  const holdOne = (id: number, places: ReadonlyMap<number, Place>): void => {
    const row = ledger.uploads.byId(id);
    if (row === null || row.state.kind !== 'settling' || row.confirmed || row.stamp === null) return;
    const { stamp } = row;
    const judging = {
      name: nameVerdict(ports, row, activeOf(row.folderId)),
      maxFileSizeBytes: account.maxFileSizeBytes(),
      burst: isLargeAlone(ports, row, stamp.sizeBytes) ? ('large' as const) : ('burst' as const),
    };
    const place = places.get(id) ?? writtenPlace(joinPath(row.dir, row.name));
    if (!isOnlyOfBurst(ports, { row, stamp }, place, judging, rules)) return;
    if (rows.apply(id, { kind: 'burst' }) === 'stale') return;
    quiet.forget(id);
    bursts.forget(id);
    newlyHeld.add(id);
  };
  for (let from = 0; from < ids.length && !signal.aborted; from += heldAtOnce) {
    const pause = breathe();
    if (pause !== null) await pause;
    const some = ids.slice(from, from + heldAtOnce);
    const places = new Map<number, Place>();
    // The disk is asked only where rules about places are in force.
    for (const row of isAsked ? some.map((id) => ledger.uploads.byId(id)) : [])
      if (row !== null) places.set(row.id, await files.place(joinPath(row.dir, row.name)));
    ledger.atomically(() => some.forEach((id) => holdOne(id, places)));
  }
  if (hasHeld || newlyHeld.size > 0) ledger.atomically(() => holdRestOfBurst({ ports, rows }));
};

/** The files of a burst that were held already when the process ended, while these were still to be held. */
export const heldBefore = (
  { ledger, settings }: Pick<Ports, 'ledger' | 'settings'>,
  settling: readonly Upload[],
): Upload[] => {
  if (settling.length === 0) return [];
  const oldestMs = settling.reduce((least, { createdAtMs }) => Math.min(least, createdAtMs), Infinity);
  return ledger.uploads
    .inState('held', settings.current().burstFiles + 1, 'newest')
    .filter((row) => row.state.kind === 'held' && row.state.reason === 'burst' && isOfBurst(row, oldestMs));
};

/** When a burst goes over the limit, its first files may already be ready, in their time of grace, or paused. */
export const holdRestOfBurst = ({ ports, rows }: Pick<Core, 'ports' | 'rows'>): void => {
  const { clock, ledger, settings } = ports;
  const nowMs = clock.wallMs();
  const most = settings.current().burstFiles + 1;
  // Others may wait for long, or fill the queue; those of the burst are the newest.
  const waiting = ledger.uploads.inState('waiting', most, 'newest');
  const still = waiting.filter((row) => isInGrace(row) || isPausedByFolder(row));
  for (const row of [...ledger.uploads.inState('ready', most, 'newest'), ...still]) {
    if (isOfBurst(row, nowMs)) rows.apply(row.id, { kind: 'burst' });
  }
};
