// Files that arrive together: they are counted, and the question about them comes at once.
import type { Account } from '../account/account.ts';
import { allowanceOf, type Allowance } from '../candidate/allowance.ts';
import { candidateOf, writtenPlace } from '../candidate/candidate.ts';
import { mayHaveBeenThere } from '../candidate/was-there.ts';
import { nameVerdict } from '../given/names-at.ts';
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
  return {
    /** One more new file. */
    arrived(id: number, sizeBytes: number, nowMs: number): void {
      const wasOver = isOver(nowMs);
      recent.push({ id, sizeBytes: counted(sizeBytes), atMs: nowMs });
      bytes += counted(sizeBytes);
      known.add(id);
      if (wasOver) hold(id);
      else if (isOver(nowMs)) for (const one of recent.slice(from)) hold(one.id);
    },
    /** It is part of a burst that is held. */
    holds: (id: number): boolean => held.has(id),
    /** The files of a burst that this has not returned yet. The user is asked about them at once. */
    take(): number[] {
      const taken = [...fresh];
      fresh.clear();
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

const heldAtOnce = 64;

/**
 * Whether nothing but its burst decides about a file that has just arrived, for the real run and for a plan. It is
 * neither read nor looked at again: the question comes at once.
 */
export const isOnlyOfBurst = (
  { ledger, settings }: Pick<Ports, 'ledger' | 'settings'>,
  { row, stamp }: { row: Upload; stamp: Stamp },
  place: Place,
  judging: Pick<Settled, 'name' | 'maxFileSizeBytes'>,
  rules: Allowance,
): boolean => {
  // It may still be empty because its content comes later.
  if (stamp.sizeBytes === 0 || isLargeAlone({ ledger, settings }, row, stamp.sizeBytes)) return false;
  // The content may have an answer already.
  if (ledger.decisions.knowsSize(stamp.sizeBytes) || mayHaveBeenThere(ledger, { ...row, stamp }))
    return false;
  const { includeEmpty } = settings.current();
  const settled = { ...judging, burst: 'burst' as const, stamp, confirmed: row.confirmed, includeEmpty };
  const judged = judgeSettled(candidateOf(place, stamp.sizeBytes, row.name), settled, rules);
  return judged.kind === 'held' && judged.reason === 'burst';
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
  const ids = bursts.take();
  if (ids.length === 0) return;
  const breathe = startSlices(clock, 20);
  const rules = await allowanceOf(files, settings.current());
  let held = 0;
  const isAsked = rules.allowedRoots.length + rules.forbiddenRoots.length > 0;
  const holdOne = (id: number, places: ReadonlyMap<number, Place>): boolean => {
    const row = ledger.uploads.byId(id);
    if (row === null || row.state.kind !== 'settling' || row.confirmed || row.stamp === null) return false;
    const { stamp } = row;
    const judging = {
      name: nameVerdict(ports, row, activeOf(row.folderId)),
      maxFileSizeBytes: account.maxFileSizeBytes(),
    };
    const place = places.get(id) ?? writtenPlace(joinPath(row.dir, row.name));
    if (!isOnlyOfBurst(ports, { row, stamp }, place, judging, rules)) return false;
    if (rows.apply(id, { kind: 'burst' }) === 'stale') return false;
    quiet.forget(id);
    bursts.forget(id);
    return true;
  };
  for (let from = 0; from < ids.length && !signal.aborted; from += heldAtOnce) {
    const pause = breathe();
    if (pause !== null) await pause;
    const some = ids.slice(from, from + heldAtOnce);
    const places = new Map<number, Place>();
    // The disk is asked only where rules about places are in force.
    for (const row of isAsked ? some.map((id) => ledger.uploads.byId(id)) : [])
      if (row !== null) places.set(row.id, await files.place(joinPath(row.dir, row.name)));
    held += ledger.atomically(() => some.filter((id) => holdOne(id, places))).length;
  }
  if (held > 0) ledger.atomically(() => holdRestOfBurst({ ports, rows }));
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
