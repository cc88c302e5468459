// Arrivals: from a hint to a row that is ready. Hints and scans say where to look; looking decides; the row is
// written before anything is believed. Scan is truth: a hint only makes it faster.
import type { HoldReason, UploadState } from '../contract/model.ts';
import type { Account } from './account.ts';
import { compareContent } from './content.ts';
import type { Feed } from './feed.ts';
import type { ActiveFolder } from './folder.ts';
import { createBurstGate, settledVerdict, sightVerdict } from './intake.ts';
import { joinPath, relativeTo, splitPath } from './paths.ts';
import type { Found, KnownFile, Ports, Sighting, Stamp, Upload } from './ports.ts';
import { looksSecret, type NameVerdict } from './rules.ts';
import { createSettle } from './settle.ts';

export type Arrivals = {
  sighted(batch: readonly Sighting[]): void;
  /** Asks for a full scan; the folder's rules may have changed. */
  requestScan(): void;
  /** A row whose file must be looked at again. */
  lookAgain(upload: Upload): void;
  /** Files given by hand; returns their rows. */
  addByHand(paths: readonly string[], options: { again: boolean }): Promise<Upload[]>;
  /** One piece of work; milliseconds until the next, or null. */
  turn(signal: AbortSignal): Promise<number | null>;
  /** Nothing is dirty, nothing settles. */
  isStill(): boolean;
  /** Rows of an earlier run that were still settling. */
  resume(): void;
  lastScanAtMs(): number | null;
};

/** More names than this in one folder: list it instead of looking at each. */
const namesPerFolder = 32;
/** One pass of the writer check serves so many files. */
const settlePerTurn = 2000;
/** Asking who writes costs a walk over all processes: at most once per quarter second. */
const writerCheckMs = 250;
/** A file given by hand that has not changed for this long goes on at once, if nobody has it open for writing. */
const oldEnoughMs = 2000;

export const createArrivals = (options: {
  ports: Ports;
  feed: Feed;
  account: Account;
  folder: () => ActiveFolder | null;
  /** Rows became ready. */
  ready: () => void;
  /** The folder itself cannot be read. */
  lost: () => void;
  wake: () => void;
}): Arrivals => {
  const { ports, feed, account } = options;
  const { files, ledger, clock, settings } = ports;
  const dirty = new Map<string, Set<string> | null>();
  const again = new Set<number>();
  let scanWanted = false;
  let rulesMayDiffer = true;
  let writersAreSeen = true;
  let lastScanAtMs: number | null = null;
  let lastWriterCheckMs = Number.NEGATIVE_INFINITY;
  const settle = createSettle(() => ({ settleMs: settings.current().settleMs, writersAreSeen }));
  const burst = createBurstGate(() => settings.current());
  const burstIds = new Set<number>();

  // ---------------------------------------------------------------- sightings

  const mark = (sighting: Sighting): void => {
    if (sighting.everything === true) {
      scanWanted = true;
      return;
    }
    const names = dirty.get(sighting.folder);
    if (names === null) return;
    if (sighting.name === null || (names !== undefined && names.size >= namesPerFolder)) {
      dirty.set(sighting.folder, null);
    } else if (names === undefined) dirty.set(sighting.folder, new Set([sighting.name]));
    else names.add(sighting.name);
  };

  const judge = (active: ActiveFolder | null, path: string): NameVerdict => {
    if (active === null) return { kind: 'wanted' };
    return active.rules.judge(relativeTo(active.row.path, path) ?? path);
  };

  /** One thing found in the folder against what the ledger knows. Inside a transaction. */
  const sight = (active: ActiveFolder, dir: string, found: Found, known: Upload | null): void => {
    const path = joinPath(dir, found.name);
    const isExisting = active.isBaseline && !arrivedSince(found.stamp, active.row.chosenAtMs);
    const verdict = sightVerdict({
      found,
      name: judge(active, path),
      known,
      knownStampKey: known?.stamp?.key ?? null,
      existing: isExisting,
      existingWanted: isWanted(active, path),
      olderThanLedger: isOlderThanLedger(found.stamp),
    });
    const nowMs = clock.wallMs();
    switch (verdict.kind) {
      case 'known':
        if (known?.state.kind === 'settling' && found.stamp !== null) {
          settle.observe(known.id, found.stamp, clock.monoMs());
        }
        return;
      case 'record': {
        if (known === null && (wasGivenByHand(active, dir, found) || followed(active, path, dir, found)))
          return;
        const row =
          known === null
            ? insert(active, dir, found, verdict.state, null)
            : ledger.uploads.update(
                known.id,
                { state: verdict.state, stamp: found.stamp, attempts: 0 },
                nowMs,
              );
        announce(row, path);
        return;
      }
      case 'new-version': {
        if (known === null) return;
        ledger.uploads.update(known.id, { present: false }, nowMs);
        announce(insert(active, dir, found, verdict.state, known.id), path);
        return;
      }
    }
  };

  const insert = (
    active: ActiveFolder,
    dir: string,
    found: Found,
    state: UploadState,
    earlierId: number | null,
  ): Upload =>
    ledger.uploads.insert(
      { folderId: active.row.id, dir, name: found.name, stamp: found.stamp, state, sameAsId: earlierId },
      clock.wallMs(),
    );

  const announce = (row: Upload, path: string): void => {
    const { state } = row;
    if (state.kind === 'skipped') {
      const { kind: _, ...rest } = state;
      const link = row.sameAsId === null ? null : (ledger.uploads.byId(row.sameAsId)?.publicLink ?? null);
      feed.record(row.id, path, { kind: 'skipped', ...rest, ...(link === null ? {} : { publicLink: link }) });
    } else if (state.kind === 'held') feed.record(row.id, path, { kind: 'held', reason: state.reason });
    else if (state.kind === 'settling' && row.stamp !== null) {
      settle.observe(row.id, row.stamp, clock.monoMs());
      if (row.folderId !== null && !row.confirmed && burst.arrived(row.stamp.sizeBytes, clock.monoMs())) {
        burstIds.add(row.id);
      }
      feed.statusChanged();
    }
  };

  /** A rename inside the folder: what nobody consented to stays unconsented under its new name. */
  const followed = (active: ActiveFolder, path: string, dir: string, found: Found): boolean => {
    if (found.stamp === null) return false;
    for (const row of ledger.uploads.presentByInode(found.stamp.inode)) {
      if (row.folderId !== active.row.id || row.stamp?.sizeBytes !== found.stamp.sizeBytes) continue;
      if (row.stamp.mtimeMs !== found.stamp.mtimeMs) continue;
      const isUnconsented =
        (row.state.kind === 'skipped' && row.state.rule === 'existing') ||
        (row.state.kind === 'held' && row.state.reason !== 'secret-name' && row.state.reason !== 'burst');
      const from = joinPath(row.dir, row.name);
      if (!isUnconsented || !missing.has(from)) continue;
      const moved = ledger.uploads.update(
        row.id,
        { dir, name: found.name, stamp: found.stamp },
        clock.wallMs(),
      );
      feed.record(moved.id, path, { kind: 'moved', from });
      return true;
    }
    return false;
  };

  /** Uploaded by `outtray upload` before its folder was watched: the same file, the same link. */
  const wasGivenByHand = (active: ActiveFolder, dir: string, found: Found): boolean => {
    const row = ledger.uploads.presentAt(null, dir, found.name);
    if (row?.state.kind !== 'uploaded' || row.stamp?.key !== found.stamp?.key) return false;
    ledger.uploads.update(row.id, { folderId: active.row.id }, clock.wallMs());
    feed.statusChanged();
    return true;
  };

  /** Paths found to be gone in this pass, before new ones are recorded: a rename shows as both. */
  const missing = new Set<string>();

  const vanish = (row: Upload): void => {
    const nowMs = clock.wallMs();
    const path = joinPath(row.dir, row.name);
    switch (row.state.kind) {
      case 'sending':
      case 'committing':
        // The worker finds out before the tail; afterwards the row is looked at again.
        return;
      case 'uploaded':
      case 'uncertain':
        ledger.uploads.update(row.id, { present: false }, nowMs);
        break;
      case 'held':
        ledger.uploads.update(
          row.id,
          row.state.reason === 'uncertain' ? { present: false } : { present: false, state: { kind: 'gone' } },
          nowMs,
        );
        break;
      default:
        ledger.uploads.update(row.id, { present: false, state: { kind: 'gone' } }, nowMs);
    }
    settle.forget(row.id);
    burstIds.delete(row.id);
    feed.record(row.id, path, { kind: 'gone' });
  };

  const isOlderThanLedger = (stamp: Stamp | null): boolean => {
    const rebuilt = ledger.facts.get('rebuilt');
    return rebuilt !== null && stamp !== null && !arrivedSince(stamp, rebuilt.atMs);
  };

  // ---------------------------------------------------------------- looking at folders

  /** Lists one folder against the ledger; returns its subfolders. */
  const listFolder = async (active: ActiveFolder, dir: string): Promise<string[]> => {
    const listing = await files.list(dir);
    if (!listing.ok) {
      if (dir === active.row.path) options.lost();
      else if (listing.gone) forgetBelow(active, dir);
      else ports.log.warn('folder not readable', { dir, message: listing.message });
      return [];
    }
    const known = new Map(ledger.uploads.presentIn(active.row.id, dir).map((row) => [row.name, row]));
    const folders: string[] = [];
    const changed: { found: Found; known: KnownFile | null }[] = [];
    for (const found of listing.found) {
      if (found.type === 'folder') {
        folders.push(joinPath(dir, found.name));
        continue;
      }
      const before = known.get(found.name) ?? null;
      known.delete(found.name);
      if (before !== null && before.stampKey === (found.stamp?.key ?? null) && isSettledKind(before))
        continue;
      changed.push({ found, known: before });
    }
    if (changed.length > 0 || known.size > 0) {
      ledger.atomically(() => {
        for (const row of known.values()) missing.add(joinPath(dir, row.name));
        for (const one of changed)
          sight(active, dir, one.found, one.known === null ? null : ledger.uploads.byId(one.known.id));
        for (const gone of known.values()) {
          const row = ledger.uploads.byId(gone.id);
          if (row !== null && row.present && row.dir === dir && row.name === gone.name) vanish(row);
        }
      });
    }
    return settings.current().recursive ? folders : [];
  };

  /** Rows that a scan need not judge again while the rules are the same. */
  const isSettledKind = (row: KnownFile): boolean =>
    row.kind === 'uploaded' || (!rulesMayDiffer && row.kind !== 'settling');

  const forgetBelow = (active: ActiveFolder, dir: string): void => {
    const inside = `${dir}${dir.includes('\\') && !dir.includes('/') ? '\\' : '/'}`;
    for (const known of ledger.uploads.presentDirs(active.row.id)) {
      if (known !== dir && !known.startsWith(inside)) continue;
      ledger.atomically(() => {
        for (const gone of ledger.uploads.presentIn(active.row.id, known)) {
          const row = ledger.uploads.byId(gone.id);
          if (row !== null) vanish(row);
        }
      });
    }
  };

  const walk = async (active: ActiveFolder, from: string, signal: AbortSignal): Promise<Set<string>> => {
    const visited = new Set<string>();
    const pending = [from];
    for (let dir = pending.pop(); dir !== undefined && !signal.aborted; dir = pending.pop()) {
      visited.add(dir);
      pending.push(...(await listFolder(active, dir)));
    }
    return visited;
  };

  const scan = async (active: ActiveFolder, signal: AbortSignal): Promise<void> => {
    missing.clear();
    const visited = await walk(active, active.row.path, signal);
    if (signal.aborted || options.folder() !== active) return;
    for (const dir of ledger.uploads.presentDirs(active.row.id)) {
      if (visited.has(dir)) continue;
      // Not seen in the walk: gone, or not readable now. Only a folder that is truly gone loses its rows.
      const listing = await files.list(dir);
      if ((!listing.ok && listing.gone) || !settings.current().recursive) forgetBelow(active, dir);
    }
    rulesMayDiffer = false;
    lastScanAtMs = clock.monoMs();
    if (active.isBaseline) {
      ledger.folders.update(active.row.id, { baselineDone: true });
      active.isBaseline = false;
    }
  };

  const lookAt = async (
    active: ActiveFolder,
    dir: string,
    name: string,
    signal: AbortSignal,
  ): Promise<void> => {
    const path = joinPath(dir, name);
    const found = await files.look(path).catch(() => 'unreadable' as const);
    if (found === 'unreadable') return;
    if (found?.type === 'folder') {
      const known = ledger.uploads.presentAt(active.row.id, dir, name);
      if (known !== null) vanish(known);
      if (settings.current().recursive) await walk(active, path, signal);
      return;
    }
    const known = ledger.uploads.presentAt(active.row.id, dir, name);
    if (found === null) {
      missing.add(path);
      if (known === null) forgetBelow(active, path);
      else ledger.atomically(() => vanish(known));
      return;
    }
    ledger.atomically(() => sight(active, dir, found, known));
  };

  /** Gone names first, so that a rename is seen as one. */
  const lookAtDirty = async (active: ActiveFolder, signal: AbortSignal): Promise<void> => {
    missing.clear();
    const work = [...dirty];
    dirty.clear();
    for (const [dir, names] of work) {
      if (signal.aborted) return;
      if (names === null) {
        const known = new Set(ledger.uploads.presentDirs(active.row.id));
        for (const folder of await listFolder(active, dir))
          if (!known.has(folder)) await walk(active, folder, signal);
      } else for (const name of names) await lookAt(active, dir, name, signal);
    }
  };

  // ---------------------------------------------------------------- settling

  const settleDue = async (signal: AbortSignal): Promise<void> => {
    const due = settle.due(clock.monoMs(), settlePerTurn);
    if (due.length === 0 || signal.aborted) return;
    const sinceCheckMs = clock.monoMs() - lastWriterCheckMs;
    if (sinceCheckMs < writerCheckMs) return;
    const looked: { row: Upload; path: string; stamp: Stamp }[] = [];
    for (const id of due) {
      const row = ledger.uploads.byId(id);
      if (row === null || !row.present || row.state.kind !== 'settling') {
        settle.forget(id);
        continue;
      }
      const path = joinPath(row.dir, row.name);
      const found = await files.look(path).catch(() => 'unreadable' as const);
      if (found === 'unreadable') {
        settle.forget(id);
        waitForLock(row, path);
      } else if (found === null || found.type === 'folder') ledger.atomically(() => vanish(row));
      else if (found.stamp === null)
        setState(row, { kind: 'skipped', rule: found.type === 'link' ? 'link' : 'special' });
      else looked.push({ row, path, stamp: found.stamp });
    }
    if (looked.length === 0) return;
    const writers = await files.openForWriting(looked.map((one) => one.path));
    lastWriterCheckMs = clock.monoMs();
    writersAreSeen = writers !== null;
    for (const { row, path, stamp } of looked) {
      const isOpen = writers === null ? null : writers.has(path);
      if (settle.confirm(row.id, stamp, isOpen, clock.monoMs())) await settled(row, path, stamp, signal);
      else if (row.stamp?.key !== stamp.key) ledger.uploads.update(row.id, { stamp }, clock.wallMs());
    }
  };

  const settled = async (row: Upload, path: string, stamp: Stamp, signal: AbortSignal): Promise<void> => {
    const active = row.folderId === null ? null : options.folder();
    const name = row.folderId === null ? judgeByHand(row.name) : judge(active, path);
    let state = settledVerdict({
      stamp,
      name,
      confirmed: row.confirmed,
      includeEmpty: settings.current().includeEmpty,
      maxFileSizeBytes: account.maxFileSizeBytes(),
      burst: burstIds.has(row.id) || (row.folderId !== null && burst.isOver(clock.monoMs())),
    });
    burstIds.delete(row.id);
    const current = ledger.uploads.update(row.id, { stamp }, clock.wallMs());
    if (state.kind === 'ready') {
      const compared = await compareContent(ports, feed, current, signal);
      if (compared.kind === 'done') return;
      if (compared.kind === 'changed') {
        settle.observe(row.id, stamp, clock.monoMs());
        return;
      }
      if (compared.kind === 'state') state = compared.state;
    }
    setState(current, state);
  };

  /** Given by hand: the user named it, so only secrets are asked about. */
  const judgeByHand = (name: string): NameVerdict =>
    settings.current().holdSecrets && looksSecret(name) ? { kind: 'secret' } : { kind: 'wanted' };

  const setState = (row: Upload, state: UploadState): void => {
    const path = joinPath(row.dir, row.name);
    ledger.atomically(() => {
      const before = ledger.uploads.byId(row.id);
      if (before === null || !before.present || before.state.kind !== 'settling') return;
      const stored = ledger.uploads.update(row.id, { state }, clock.wallMs());
      if (state.kind === 'ready')
        feed.record(row.id, path, { kind: 'queued', sizeBytes: row.stamp?.sizeBytes ?? 0 });
      else if (state.kind === 'failed') {
        const { code, message, remedy } = state;
        feed.record(row.id, path, { kind: 'failed', code, message, remedy });
      } else announce(stored, path);
      if (state.kind === 'held' && state.reason === 'burst') holdBurst(state.reason);
    });
    settle.forget(row.id);
    if (state.kind === 'ready') options.ready();
  };

  /** The first files of a burst may already be ready when it turns out to be one: they are held with the rest. */
  const holdBurst = (reason: HoldReason): void => {
    const since = clock.wallMs() - 60_000;
    for (const row of ledger.uploads.inState('ready', settings.current().burstFiles + 1)) {
      if (row.folderId === null || row.confirmed || row.createdAtMs < since) continue;
      ledger.uploads.update(row.id, { state: { kind: 'held', reason } }, clock.wallMs());
      feed.record(row.id, joinPath(row.dir, row.name), { kind: 'held', reason });
    }
  };

  const waitForLock = (row: Upload, path: string): void => {
    const untilMs = clock.wallMs() + Math.min(600_000, 5000 * 2 ** Math.min(row.attempts, 7));
    ledger.atomically(() => {
      const state: UploadState = { kind: 'waiting', reason: 'locked', untilMs };
      ledger.uploads.update(row.id, { state, attempts: row.attempts + 1 }, clock.wallMs());
      feed.record(row.id, path, { kind: 'waiting', reason: 'locked', untilMs });
    });
    options.ready();
  };

  // ---------------------------------------------------------------- rows to look at again

  const lookAtRow = async (id: number, signal: AbortSignal): Promise<void> => {
    const row = ledger.uploads.byId(id);
    if (row === null || !row.present) return;
    const active = options.folder();
    if (row.folderId !== null && row.folderId === active?.row.id && row.state.kind === 'uploaded') {
      await lookAt(active, row.dir, row.name, signal);
      return;
    }
    if (row.state.kind === 'uploaded') return;
    const found = await files.look(joinPath(row.dir, row.name)).catch(() => 'unreadable' as const);
    const nowMs = clock.wallMs();
    if (found === 'unreadable') waitForLock(row, joinPath(row.dir, row.name));
    else if (found === null || found.type === 'folder') ledger.atomically(() => vanish(row));
    else if (found.stamp === null) {
      ledger.uploads.update(
        row.id,
        { state: { kind: 'skipped', rule: found.type === 'link' ? 'link' : 'special' } },
        nowMs,
      );
    } else {
      ledger.uploads.update(row.id, { state: { kind: 'settling' }, stamp: found.stamp }, nowMs);
      settle.forget(row.id);
      settle.observe(row.id, found.stamp, clock.monoMs(), {
        hurry: row.folderId === null && isOld(found.stamp),
      });
    }
  };

  const isOld = (stamp: Stamp): boolean =>
    clock.wallMs() - Math.max(stamp.mtimeMs, stamp.ctimeMs) > oldEnoughMs;

  return {
    sighted(batch) {
      for (const sighting of batch) mark(sighting);
      options.wake();
    },
    requestScan() {
      scanWanted = true;
      rulesMayDiffer = true;
      options.wake();
    },
    lookAgain(upload) {
      again.add(upload.id);
      options.wake();
    },
    async addByHand(paths, { again: uploadAgain }) {
      const rows: Upload[] = [];
      for (const path of paths) {
        const row = await byHand(path, uploadAgain);
        rows.push(row);
      }
      options.wake();
      return rows;
    },
    async turn(signal) {
      const active = options.folder();
      if (active !== null && scanWanted) {
        scanWanted = false;
        dirty.clear();
        await scan(active, signal);
      }
      if (active !== null && dirty.size > 0) await lookAtDirty(active, signal);
      for (const id of again) {
        again.delete(id);
        await lookAtRow(id, signal);
      }
      await settleDue(signal);
      if (signal.aborted) return null;
      if (scanWanted || again.size > 0 || (active !== null && dirty.size > 0)) return 0;
      const nextMs = settle.nextDueAtMs();
      return nextMs === null
        ? null
        : Math.max(nextMs - clock.monoMs(), lastWriterCheckMs + writerCheckMs - clock.monoMs(), 10);
    },
    isStill: () =>
      settle.size() === 0 &&
      again.size === 0 &&
      (options.folder() === null || (!scanWanted && dirty.size === 0)),
    resume() {
      for (const row of ledger.uploads.inState('settling', 1_000_000)) again.add(row.id);
    },
    lastScanAtMs: () => lastScanAtMs,
  };

  async function byHand(path: string, uploadAgain: boolean): Promise<Upload> {
    const active = options.folder();
    const { dir, name } = splitPath(path);
    // A file of the watched folder keeps its one row, whoever names it.
    const inFolder = active !== null && relativeTo(active.row.path, path) !== null ? active.row.id : null;
    const found = await files.look(path);
    return ledger.atomically(() => {
      const known = ledger.uploads.presentAt(inFolder, dir, name);
      const nowMs = clock.wallMs();
      const stamp = found?.type === 'file' ? found.stamp : null;
      if (known !== null && known.stamp?.key === stamp?.key && !uploadAgain) {
        const idle =
          known.state.kind === 'skipped' || known.state.kind === 'failed' || known.state.kind === 'held';
        if (!idle || stamp === null) return known;
        const isKept = known.state.kind === 'held' && known.state.reason !== 'existing-changed';
        if (isKept) return known;
        const row = ledger.uploads.update(known.id, { state: { kind: 'settling' }, attempts: 0 }, nowMs);
        settle.observe(row.id, stamp, clock.monoMs(), { hurry: isOld(stamp) });
        return row;
      }
      const state = stateByHand(found);
      if (
        known !== null &&
        known.state.kind !== 'uploaded' &&
        known.state.kind !== 'uncertain' &&
        known.fileId === null
      ) {
        if (known.state.kind === 'sending' || known.state.kind === 'committing') return known;
        const row = ledger.uploads.update(
          known.id,
          { state, stamp, confirmed: uploadAgain, attempts: 0 },
          nowMs,
        );
        if (stamp !== null && state.kind === 'settling')
          settle.observe(row.id, stamp, clock.monoMs(), { hurry: isOld(stamp) });
        return row;
      }
      if (known !== null) ledger.uploads.update(known.id, { present: false }, nowMs);
      const row = ledger.uploads.insert(
        { folderId: inFolder, dir, name, stamp, state, sameAsId: known?.id ?? null, confirmed: uploadAgain },
        nowMs,
      );
      if (stamp !== null && state.kind === 'settling')
        settle.observe(row.id, stamp, clock.monoMs(), { hurry: isOld(stamp) });
      else if (state.kind === 'failed') {
        const { code, message, remedy } = state;
        feed.record(row.id, path, { kind: 'failed', code, message, remedy });
      }
      return row;
    });
  }
};

/**
 * Whether a file came (or changed, or was moved here: all of them set ctime) after that time. The file system's
 * clock is coarse, so a few milliseconds count as after.
 */
const arrivedSince = (stamp: Stamp | null, sinceMs: number): boolean =>
  stamp !== null && stamp.ctimeMs >= sinceMs - clockGrainMs;
const clockGrainMs = 12;

const isWanted = (active: ActiveFolder, path: string): boolean =>
  active.existing === 'upload' || (active.existing !== 'skip' && active.existing.includes(path));

const stateByHand = (found: Found | null): UploadState => {
  if (found === null) {
    return { kind: 'failed', code: 'gone', message: 'There is no such file.', remedy: 'Check the path.' };
  }
  if (found.type === 'file') return { kind: 'settling' };
  const what =
    found.type === 'folder' ? 'a folder' : found.type === 'link' ? 'a symbolic link' : 'no regular file';
  return {
    kind: 'failed',
    code: 'not-a-file',
    message: `This is ${what}.`,
    remedy:
      found.type === 'link' ? 'Links are never followed; name the file itself.' : 'Name a regular file.',
  };
};
