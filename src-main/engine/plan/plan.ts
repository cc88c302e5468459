// A rehearsal: what would happen with files and folders, and when. It asks the functions that decide in the run, and
// writes nothing. A folder that is watched, or lies in one that is, is planned as a scan finds it; any other as
// `upload --recursive` takes it. The files are walked twice: first counted (a burst, the length of the queue), then decided.
import { AppError, toAppError } from '../../contract/errors.ts';
import type { BurstPlan, PlanEnd, PlannedFile } from '../../contract/commands.ts';
import { isBusy, isUnfinished, type EngineStatus, type UploadState } from '../../contract/model.ts';
import { requireRight } from '../../contract/rights.ts';
import type { Service } from '../account/service.ts';
import { decideSettled, failedBy } from '../discover/decide.ts';
import { wishFor } from '../discover/folders/choose-folder.ts';
import type { Discovery } from '../discover/discovery.ts';
import { judgeGiven } from '../discover/given-by-path.ts';
import { createBursts, leftOutOf } from '../discover/intake-rules.ts';
import { createQuietPeriods } from '../discover/quiet-period.ts';
import { createFileRecorder } from '../discover/record-file.ts';
import { createNoteLeft } from '../discover/scan.ts';
import { createUnreadableFolders } from '../discover/folders/unreadable-folders.ts';
import { createInspection } from '../inspect/inspection.ts';
import type { Forecast } from '../limiter/forecast.ts';
import type { Found, Ports, Stamp, Upload } from '../ports.ts';
import { arrivedSince, renewed } from '../shared/file-version.ts';
import { pauseNow } from '../shared/controls.ts';
import { rootOf, rulesNow, whyUnavailable, type ActiveFolder } from '../shared/folder.ts';
import { createNameRules, judgeByHand } from '../shared/names/name-rules.ts';
import { isTooDeep, joinPath, relativeTo, splitPath } from '../shared/paths.ts';
import { digestOrNull, isHeldUncertain } from '../shared/same-content.ts';
import { isInGrace } from '../shared/waits.ts';
import type { Rows } from '../state/rows.ts';
import { outermost } from '../upload/bundle-members.ts';
import { keysOf } from '../upload/picker.ts';
import { statsFreshMs } from '../upload/preflight.ts';
import { burstPlans, type Burst } from './burst.ts';
import { namedFile } from '../shared/sent-name.ts';

type World = {
  ports: Ports;
  rows: Rows;
  service: Service;
  discovery: Discovery;
  status: () => EngineStatus;
  forecast: (more: { files: number; bytes: number; fromMs?: number }) => Forecast;
};

/** Something that lies at a path. `folder`: the watched folder, as whose file a scan finds it. `root`: the folder that was given. */
type Item = { path: string; folder: ActiveFolder | null; root: string | null } & (
  { found: Found | Error | null } | { unreadable: string }
);

/** What would be recorded of it: it settles, or has its state already. `isNew`: it counts for a burst. */
type Recorded =
  | { kind: 'settles'; row: Upload; stamp: Stamp; isNew: boolean }
  | { kind: 'is'; state: UploadState; row: Upload | null };

/** As in admit.ts: rows of a burst that are ready already and not older are held, too. */
const burstSpanMs = 60_000;
const dayMs = 86_400_000;

export async function* plan(
  world: World,
  given: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<PlannedFile, PlanEnd> {
  const { ports, service } = world;
  const { ledger, clock, settings } = ports;
  const places = await placesOf(world, given);
  const walked = createWalk(ports, places, signal);
  const record = createRecord(world);
  const bursts = createBursts(() => settings.current());
  const twins = createTwins(ports, signal);

  const most = { files: 0, bytes: 0 };
  for await (const item of walked()) {
    const recorded = 'found' in item ? await record(item) : null;
    if (recorded?.kind !== 'settles') continue;
    const { sizeBytes } = recorded.stamp;
    most.files += 1;
    most.bytes += sizeBytes;
    twins.count(recorded.row);
    if (recorded.isNew) bursts.arrived(most.files, sizeBytes, 0);
  }
  const isBurst = bursts.isOver(0);
  const decide = createDecide(ports, service, { isBurst, signal });

  const graceMs = Math.max(0, ...places.map(({ folder }) => 1000 * (folder?.rules.graceSeconds ?? 0)));
  const fromMs = beginsAtMs(world, graceMs);
  /** A first guess: some of these will not go. Only the mean size and the length of the queue matter here. */
  const ahead = fromMs === null ? null : world.forecast({ ...most, fromMs });
  const queued = ledger.uploads.backlog().files;
  const goes = { files: 0, bytes: 0 };
  const burst = {
    files: 0,
    bytes: 0,
    newest: { name: '', sizeBytes: 0, mtimeMs: -Infinity },
    dirs: new Set<string>(),
  };
  let waiting = 0;
  for await (const item of walked()) {
    const { path } = item;
    if ('unreadable' in item) {
      yield { path, verdict: 'failed', why: 'locked', sizeBytes: null, expectedAtMs: null };
      continue;
    }
    const recorded = await record(item);
    if (recorded === null) continue;
    const { found } = item;
    const stamp = found === null || found instanceof Error ? null : found.stamp;
    const sizeBytes = stamp?.sizeBytes ?? null;
    let state = recorded.kind === 'is' ? recorded.state : await decide(recorded, item);
    const isQueued = recorded.kind === 'is' && state.kind === 'ready';
    if (isQueued && isBurst && item.folder !== null && isOfBurst(recorded.row, clock.wallMs()))
      state = { kind: 'held', reason: 'burst' };
    if (recorded.kind === 'settles' && state.kind === 'ready' && (await twins.isShared(recorded.row)))
      state = { kind: 'skipped', rule: 'already-shared' };
    const { verdict, why } = verdictOf(state);
    if (why === 'burst' && stamp !== null) {
      const { dir, name } = splitPath(path);
      burst.files += 1;
      burst.bytes += stamp.sizeBytes;
      burst.dirs.add(dir);
      if (stamp.mtimeMs >= burst.newest.mtimeMs) burst.newest = { name, ...stamp };
    }
    if (verdict !== 'upload') {
      yield { path, verdict, why, sizeBytes, expectedAtMs: null };
      continue;
    }
    if (isQueued) waiting += 1;
    else if (state.kind === 'ready') {
      goes.files += 1;
      goes.bytes += sizeBytes ?? 0;
    }
    const place = isQueued ? waiting : queued + goes.files;
    yield { path, verdict, why, sizeBytes, expectedAtMs: ahead?.doneAtMs(place) ?? null };
  }
  const isGoing = goes.files + waiting > 0;
  const all = isGoing && fromMs !== null ? world.forecast({ ...goes, fromMs }) : null;
  const place = goes.files > 0 ? queued + goes.files : waiting;
  const limit = service.account.rules().dailyUploads;
  return {
    requests: goes.files + waiting + (isGoing && isStatsDue(world) ? 1 : 0),
    finishesAtMs: all?.doneAtMs(place) ?? null,
    dailyUploadsLeft:
      limit === null ? null : Math.max(0, limit - ledger.uploads.committedSince(clock.wallMs() - dayMs)),
    burst: burst.files === 0 ? [] : plansFor(world, burst, goes),
  };
}

/** Its files wait for a person, and not for their time of grace. `goes`: what goes without a question goes before. */
const plansFor = (
  world: World,
  burst: Pick<Burst, 'files' | 'bytes' | 'newest'> & { dirs: ReadonlySet<string> },
  goes: { files: number; bytes: number },
): BurstPlan[] => {
  const fromMs = beginsAtMs(world, 0);
  return burstPlans(
    { ...burst, dirs: [...burst.dirs] },
    {
      settings: world.ports.settings.current(),
      mostBytes: world.service.account.maxFileSizeBytes(),
      ahead:
        fromMs === null
          ? null
          : ({ files, bytes }) =>
              world.forecast({ files: goes.files + files, bytes: goes.bytes + bytes, fromMs }),
    },
  );
};

/** Before the first upload of a day the account's limits are read. */
const isStatsDue = ({ service, ports }: World): boolean => {
  const stats = service.account.stats();
  return stats === null || ports.clock.wallMs() - stats.atMs >= statsFreshMs;
};

/** When the first file may go, wall clock; null: not known. */
const beginsAtMs = ({ ports, status }: World, graceMs: number): number | null => {
  if (status().gate.kind === 'closed') return null;
  const pause = pauseNow(ports);
  const nowMs = ports.clock.wallMs();
  if (pause === null) return nowMs + graceMs;
  return pause.untilMs === null ? null : Math.max(pause.untilMs, nowMs + graceMs);
};

const isOfBurst = (row: Upload | null, nowMs: number): boolean =>
  row !== null && row.folderId !== null && !row.confirmed && row.createdAtMs >= nowMs - burstSpanMs;

const verdictOf = (state: UploadState): Pick<PlannedFile, 'verdict' | 'why'> => {
  switch (state.kind) {
    case 'settling':
    case 'ready':
    case 'sending':
    case 'committing':
      return { verdict: 'upload', why: null };
    case 'waiting':
      return isUnfinished(state) ? { verdict: 'skipped', why: 'partial' } : { verdict: 'upload', why: null };
    case 'held':
      return { verdict: 'held', why: state.reason };
    case 'uncertain':
      return isBusy(state) ? { verdict: 'upload', why: null } : { verdict: 'held', why: 'uncertain' };
    case 'skipped':
      return { verdict: 'skipped', why: state.rule };
    case 'failed':
      return { verdict: 'failed', why: state.code };
    case 'uploaded':
    case 'superseded':
      return { verdict: 'skipped', why: 'already-shared' };
    case 'recalling':
    case 'recalled':
      return { verdict: 'skipped', why: state.isExpired === true ? 'expired' : 'recalled' };
    case 'gone':
      return { verdict: 'failed', why: 'gone' };
  }
};

// ------------------------------------------------ what lies there

type Place = { path: string; found: Found; folder: ActiveFolder | null };

/** Throws `not-found` for a path with nothing there, `not-allowed`, `folder-unavailable`. */
const placesOf = async ({ ports, discovery }: World, given: readonly string[]): Promise<Place[]> => {
  const chosen = discovery.choice.chosen().map(({ path, row }) => row?.path ?? path);
  const places: Place[] = [];
  for (const path of outermost(given)) {
    const found = await ports.files.look(path);
    if (found === null) throw new AppError('not-found', `There is no file at ${path}.`, 'Check the path.');
    const watched =
      found.type === 'folder'
        ? chosen.find((folder) => path === folder || relativeTo(folder, path) !== null)
        : undefined;
    if (watched === undefined) requireRight(ports.settings, 'allowGivenFiles');
    places.push({ path, found, folder: watched === undefined ? null : await watchedAt(ports, watched) });
  }
  return places;
};

/** A watched folder; one that was never scanned as its first scan would find it. */
const watchedAt = async (ports: Ports, path: string): Promise<ActiveFolder> => {
  const { files, ledger, clock } = ports;
  const known = ledger.folders.byPath(path);
  const problem = known === null ? null : await whyUnavailable(files, known);
  if (problem !== null) throw problem;
  const row = known ?? {
    id: 0,
    path,
    identity: await files.identify(path),
    chosenAtMs: clock.wallMs(),
    baselineDone: false,
    baselineLastId: 0,
    leftOutSubfolders: false,
    unreadable: [],
    judgedBy: null,
    own: {},
  };
  const existing = wishFor(ledger, path) ?? 'skip';
  return { row, ...rulesNow(ports, row), judgesAgain: true, isBaseline: !row.baselineDone, existing };
};

/** Walks over them as often as it is called, each folder by the names in it. */
const createWalk = (ports: Pick<Ports, 'files'>, places: readonly Place[], signal: AbortSignal) => {
  async function* below(dir: string, place: Place): AsyncGenerator<Item> {
    const { folder } = place;
    const at = { folder, root: place.path };
    if (signal.aborted) throw new AppError('aborted', 'Interrupted. Nothing was changed.');
    const listing = await ports.files.list(dir);
    if (!listing.ok) {
      yield { path: dir, ...at, unreadable: listing.message };
      return;
    }
    const isDeep = folder === null || folder.rules.recursive;
    for (const found of listing.found.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = joinPath(dir, found.name);
      if (found.type !== 'folder') yield { path, ...at, found };
      else if (isDeep && isTooDeep(folder?.row.path ?? place.path, path))
        yield { path, ...at, found: { ...found, type: 'too-deep' } };
      else if (isDeep) yield* below(path, place);
    }
  }
  return async function* walk(): AsyncGenerator<Item> {
    for (const place of places) {
      const { path, found, folder } = place;
      const isBelowFlat = folder !== null && path !== folder.row.path && !folder.rules.recursive;
      if (found.type === 'folder' && !isBelowFlat) yield* below(path, place);
      else if (found.type !== 'folder')
        yield { path, folder: null, root: null, found: await ports.files.look(path).catch(toAppError) };
    }
  };
};

// ------------------------------------------------ what it becomes

/** Null: there is nothing any more. */
const createRecord = ({ ports, rows, discovery }: World) => {
  const { ledger, clock, settings, ignore } = ports;
  const unread = createUnreadableFolders(ports);
  const quiet = createQuietPeriods(() => ({ settleMs: 0 }));
  // It is only asked: nothing settles, and no burst is counted in it.
  const recorder = createFileRecorder({
    ports,
    rows,
    quiet,
    bursts: createBursts(() => settings.current()),
    unread,
    isWatched: discovery.choice.isWatched,
  });
  const noteLeft = createNoteLeft(ports, recorder);
  const rules = createNameRules(settings.current(), ignore);

  const settles = (row: Upload, stamp: Stamp, isNew: boolean): Recorded => ({
    kind: 'settles',
    row: row.stamp?.key === stamp.key ? row : { ...row, ...renewed(row, stamp) },
    stamp,
    isNew,
  });

  /** A row that waits is looked at again. */
  const asItIs = (row: Upload, found: Found, active: ActiveFolder | null): Recorded => {
    const { state } = row;
    const isDecided = state.kind !== 'settling' && (state.kind !== 'waiting' || isInGrace(row));
    if (isDecided || found.stamp === null) return { kind: 'is', state, row };
    const isNew = active !== null && !row.confirmed && arrivedSince(found.stamp, active.row.chosenAtMs);
    return settles(row, found.stamp, isNew && state.kind === 'settling');
  };

  /** As a row of it would begin. */
  const draft = (path: string, stamp: Stamp | null, more: Partial<Upload>): Upload => ({
    id: 0,
    folderId: null,
    ...splitPath(path),
    stamp,
    state: { kind: 'settling' },
    sentName: null,
    sha256: null,
    sent: null,
    fileId: null,
    publicLink: null,
    remoteSize: null,
    remoteName: null,
    uploadedAtMs: null,
    createdAtMs: clock.wallMs(),
    changedAtMs: clock.wallMs(),
    priority: 0,
    attempts: 0,
    confirmed: false,
    graceOver: false,
    door: 'command',
    wantsAnother: false,
    sameAsId: null,
    expireWish: null,
    ends: null,
    present: true,
    keptBy: null,
    ...more,
  });

  const asScanned = async (path: string, found: Found, active: ActiveFolder): Promise<Recorded | null> => {
    const { dir, name } = splitPath(path);
    const known = ledger.uploads.presentAt(active.row.id, dir, name);
    if (known === null) await noteLeft(found);
    const seen = recorder.foresee(active, dir, found, known);
    if (seen === null) return null;
    if ('id' in seen) return asItIs(seen, found, active);
    const { state, isNew, wantsAnother } = seen;
    const { stamp } = found;
    if (state.kind !== 'settling' || stamp === null) return { kind: 'is', state, row: known };
    const more = { folderId: active.row.id, wantsAnother };
    // A known row gets the new version, or keeps its outcome and another row stands for the file.
    const row =
      known === null || isNew
        ? draft(path, stamp, { ...more, sameAsId: known?.id ?? null })
        : { ...known, ...renewed(known, stamp), state, sha256: null, sent: null, wantsAnother };
    return settles(row, stamp, isNew && !active.isBaseline);
  };

  const asGiven = (path: string, found: Found | Error | null): Recorded => {
    const what = judgeGiven(
      ledger,
      discovery.choice.folderIdOf,
      { path, found },
      { again: false, agent: null },
    );
    if (what.kind === 'stays')
      return found === null || found instanceof Error
        ? { kind: 'is', state: what.row.state, row: what.row }
        : asItIs(what.row, found, null);
    if (what.kind === 'refused') return { kind: 'is', state: failedBy(what.error), row: null };
    const { state, stamp, known, isBeside, folderId, confirmed, wantsAnother } = what;
    if (state.kind !== 'settling' || stamp === null) return { kind: 'is', state, row: known };
    const more = { folderId, confirmed, wantsAnother };
    const row =
      known === null || isBeside
        ? draft(path, stamp, { ...more, sameAsId: known?.id ?? null })
        : { ...known, state, stamp, sha256: null, sent: null, confirmed, wantsAnother };
    return settles(row, stamp, false);
  };

  return async ({ path, folder, root, ...item }: Item): Promise<Recorded | null> => {
    if (!('found' in item)) return null;
    const { found } = item;
    if (found === null || found instanceof Error) return asGiven(path, found);
    if (folder !== null) return await asScanned(path, found, folder);
    const leftOut =
      root === null ? null : leftOutOf(found.type, rules.judge(namedFile(relativeTo(root, path) ?? path)));
    return leftOut === null ? asGiven(path, found) : { kind: 'is', state: leftOut, row: null };
  };
};

/** What a file that settles becomes. */
const createDecide = (
  ports: Ports,
  { account }: Pick<Service, 'account'>,
  { isBurst, signal }: { isBurst: boolean; signal: AbortSignal },
) => {
  const work = { signal, isRunning: () => true, isOn: () => true };
  const inspection = createInspection({ ports, work }, () => undefined);
  const changed = failedBy(new AppError('changed', ''));

  return async ({ row, stamp }: Extract<Recorded, { kind: 'settles' }>, item: Item): Promise<UploadState> => {
    const { path, folder } = item;
    const one = { row, path, stamp };
    const settling = {
      one,
      name:
        folder === null
          ? judgeByHand(ports.settings.current(), namedFile(path))
          : folder.names.judge(namedFile(relativeTo(folder.row.path, path) ?? path)),
      maxFileSizeBytes: account.maxFileSizeBytes(),
      burst: isBurst && folder !== null,
      isToLookInto: inspection.isWanted,
    };
    let outcome = await decideSettled(ports, settling, signal);
    if (outcome.kind === 'look') {
      const inside = await inspection.lookNow({ ...one, row: outcome.row });
      if (signal.aborted) throw new AppError('aborted', 'Interrupted. Nothing was changed.');
      if (inside instanceof AppError) return failedBy(inside);
      if (inside === 'changed') return changed;
      outcome = await decideSettled(ports, settling, signal, inside);
    }
    switch (outcome.kind) {
      case 'is':
      case 'new':
        return outcome.state;
      case 'unread':
        return failedBy(outcome.fault);
      case 'same-file':
        // The row of that upload moves to this path, and keeps its state.
        return isHeldUncertain(outcome.twin.state)
          ? { kind: 'held', reason: 'uncertain' }
          : outcome.twin.state;
      case 'unfinished':
        return { kind: 'skipped', rule: 'partial' };
      case 'look':
      case 'changed':
        return changed;
    }
  };
};

/**
 * Of new files with the same name and size the queue sends one after the other, and compares the next with what is up
 * then. Only keys that occur twice are kept: others need no memory.
 */
const createTwins = (ports: Ports, signal: AbortSignal) => {
  const once = new Set<number>();
  const twice = new Set<number>();
  const sent = new Map<string, string[]>();
  const sha256Of = async (row: Upload): Promise<string | null> =>
    row.stamp === null
      ? null
      : (row.sha256 ??
        (await digestOrNull(
          ports,
          joinPath(row.dir, row.name),
          rootOf(ports.ledger, row),
          row.stamp.key,
          signal,
        )));
  return {
    count(row: Upload): void {
      for (const hash of keysOf(row).map(hashOf)) (once.has(hash) ? twice : once).add(hash);
    },
    /** Whether a file that goes before it has its content. */
    async isShared(row: Upload): Promise<boolean> {
      const keys = keysOf(row).filter((key) => twice.has(hashOf(key)));
      if (keys.length === 0) return false;
      const sha256 = await sha256Of(row);
      if (sha256 === null) return false;
      const isShared = keys.some((key) => sent.get(key)?.includes(sha256) === true) && !row.wantsAnother;
      for (const key of keys) sent.set(key, [...(sent.get(key) ?? []), sha256]);
      return isShared;
    },
  };
};

/** 32 bits; two keys with one hash are told apart later. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
};
