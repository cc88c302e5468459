// Discovery: the way from a hint to a row that is ready. Hints and scans show where to look (scan.ts). A look decides
// and records (record-file.ts). Quiet time and rules follow (admit.ts). Only a scan is complete; hints are faster.
import type { Account } from '../account/account.ts';
import type { FolderRules, Settings } from '../../contract/settings.ts';
import { createNoter } from '../candidate/noter.ts';
import { createInspection } from '../inspect/inspection.ts';
import { createLoop, startSlices } from '../shared/loop.ts';
import type { Core } from '../state/core.ts';
import type { Sighting } from '../ports/files.ts';
import type { Upload } from '../ports/uploads.ts';
import { rulesOfFolder, rulesOfRow } from '../shared/folder.ts';
import { joinPath } from '../shared/paths.ts';
import type { LetGo } from '../ports/ledger.ts';
import { nameVerdict } from '../given/names-at.ts';
import { skipsOf } from './intake-rules.ts';
import { createAdmission } from './admit.ts';
import { createChoice, type Choice } from './folders/choose-folder.ts';
import { isByPerson, type WaitReason } from '../../contract/model.ts';
import { addByHand, type HowGiven, type Taken } from './given-by-path.ts';
import { createBursts, isHeldOnArrival } from './bursts.ts';
import { brakeSpanMs, createQuietPeriods } from './quiet-period.ts';
import { createFileRecorder } from './record-file.ts';
import { createSince, sinceMark } from '../shared/time.ts';
import { isInGrace, isPausedByFolder, type InGrace } from '../shared/waits.ts';
import { costAfter, createScanner } from './scan.ts';
import type { OpenFolder } from './folders/open-folder.ts';
import type { Marks, Post } from './folders/post.ts';
import { createWatching, type Watching } from './folders/watching.ts';

export type Discovery = {
  watching: Watching;
  choice: Choice;
  settingsChanged(settings: Settings): void;
  requestScan(): void;
  /** Takes up the rows that settle, from an earlier run or from another process. */
  resume(): void;
  addByHand(paths: readonly string[], how: HowGiven): Promise<Taken[]>;
  /**
   * False: it settles again. Its folder is paused, away or not watched any more, or the rules that admitted it have
   * changed, and a slow folder may keep the loop from hearing of that.
   */
  mayBegin(row: Upload): boolean;
  /** A folder is compared, a file is to be looked at, or settles. */
  hasWork(): boolean;
  /** There is no work, and no turn runs. */
  isStill(): boolean;
  stop(): Promise<void>;
};

/** More names than this in one folder: list it instead of looking at each. */
const namesPerFolder = 32;
const mostSettling = 1_000_000;
const mostReleased = 1000;
/** A file that could not be read on a drive that hung waits as one that another program has locked. */
const waitsForDrive: ReadonlySet<WaitReason> = new Set(['folder', 'locked']);
/** The least wait between two looks at files whose time has come. */
const releaseAgainMs = 100;
/** The planned end of a grace period is kept if it is off by less than this. */
const graceGrainMs = 1000;

export const createDiscovery = (core: Core, account: Account): Discovery => {
  const { ports, rows, work, steadyMs } = core;
  const { ledger, clock, settings } = ports;
  const { signal } = work;
  const again = new Set<number>();
  let isResumed = false;

  const quiet = createQuietPeriods(
    () => ({ settleMs: settings.current().settleMs }),
    (id) => ledger.uploads.versionsBefore(id, clock.wallMs() - brakeSpanMs),
  );
  const bursts = createBursts(() => settings.current());
  const recorder = createFileRecorder({
    ports,
    rows,
    quiet,
    bursts: { ...bursts, isHeldOnArrival: (...one) => isHeldOnArrival({ ports, bursts, account }, ...one) },
    isWatched: (folderId) => choice.isWatched(folderId),
    left(folderId) {
      for (const { folder, marks } of watching.posts())
        if (folder.row.id === folderId) marks.scanWanted = true;
    },
  });
  const scanner = createScanner({
    ports,
    recorder,
    holdBurst: () => admission.holdBurst(signal),
    lost: () => watching.check(),
  });
  let isComparing = false;
  const noter = createNoter(core, () => isComparing);
  const inspection = createInspection(core, () => loop.wake());
  const admission = createAdmission(core, {
    account,
    quiet,
    bursts,
    recorder,
    inspection,
    watching: {
      isLeft: (row) => isLeft(row),
      activeOf: (id) => watching.activeOf(id),
      isAway: (id) => choice.isAway(id),
      check: () => watching.check(),
      isRemoved: (id) => choice.isRemoved(id),
      rulesOf: (row) => rulesOf(row),
    },
  });

  const mark = (marks: Marks, sighting: Sighting): void => {
    const { dirty } = marks;
    if (sighting.everything === true) {
      marks.scanWanted = true;
      return;
    }
    const names = dirty.get(sighting.folder);
    if (names === null) return;
    if (sighting.name === null || (names !== undefined && names.size >= namesPerFolder)) {
      dirty.set(sighting.folder, null);
    } else if (names === undefined) dirty.set(sighting.folder, new Set([sighting.name]));
    else names.add(sighting.name);
  };

  const lookAtDirty = async ({ folder, marks }: Post, isCurrent: () => boolean): Promise<void> => {
    const work = [...marks.dirty];
    marks.dirty.clear();
    for (const [dir, names] of work) {
      if (!isCurrent()) return;
      if (names === null) await scanner.list(folder, dir, isCurrent);
      else for (const name of names) await scanner.look(folder, dir, name, isCurrent);
    }
  };

  const isStillWatched = (folder: OpenFolder): boolean =>
    !signal.aborted && watching.activeOf(folder.row.id) === folder;

  const lookAtFolder = async (post: Post): Promise<void> => {
    const { folder, marks } = post;
    const isCurrent = (): boolean => isStillWatched(folder);
    isComparing = true;
    try {
      if (marks.scanWanted) {
        marks.scanWanted = false;
        marks.dirty.clear();
        const startMs = clock.monoMs();
        await scanner.scan(folder, isCurrent);
        marks.lastScanAtMs = clock.monoMs();
        marks.scanCost = costAfter(marks.scanCost, marks.lastScanAtMs - startMs);
      }
      if (marks.dirty.size > 0) await lookAtDirty(post, isCurrent);
    } catch (error) {
      // The marks of this work are already removed. Only a scan finds the rest.
      marks.scanWanted = true;
      throw error;
    } finally {
      isComparing = false;
    }
  };

  const isAsItWent = async ({ dir, name, stamp }: Upload): Promise<boolean> => {
    const found = await ports.files.look(joinPath(dir, name)).catch(() => null);
    return stamp !== null && found?.stamp?.key === stamp.key;
  };

  /** Looks at a row that settles, whose time has come, or that was uploaded a moment ago. */
  const lookAtRow = async (id: number): Promise<void> => {
    if (quiet.isWatched(id) || inspection.has(id)) return;
    const row = ledger.uploads.byId(id);
    if (row === null || !row.present) return;
    const active = watching.activeOf(row.folderId);
    if (active !== null && !(await scanner.isInside(active, row.dir))) {
      ledger.atomically(() => recorder.vanish(row));
      return;
    }
    switch (row.state.kind) {
      case 'waiting':
        // It may have been postponed meanwhile, together with others.
        if ((row.state.untilMs ?? 0) <= steadyMs()) await admission.lookAt(row);
        return;
      case 'settling':
        await admission.lookAt(row);
        return;
      case 'uploaded':
        // It may have changed while its last bytes went out.
        if (active !== null && !(await isAsItWent(row)))
          await scanner.look(active, row.dir, row.name, () => isStillWatched(active));
        return;
      default:
      // Its turn may come late. If it is now on its way, uncertain or cancelled, it must not begin again.
    }
  };

  const rulesOf = (row: Upload): FolderRules[] => rulesOfRow(ports, choice.folderOf, row);
  /** Whether the folder of a row is paused. Asked for many rows, so each folder is read once. */
  const createPauses = (): ((row: Upload) => boolean) => {
    const paused = new Map<number, boolean>();
    const isPaused = (folderId: number): boolean => {
      const known = paused.get(folderId) ?? rulesOfFolder(ports, folderId).paused;
      paused.set(folderId, known);
      return known;
    };
    return (row) => {
      if (isByPerson(row.door)) return false;
      return row.folderId === null ? rulesOf(row).some((rules) => rules.paused) : isPaused(row.folderId);
    };
  };

  /** Its folder is not watched any more. A file that a person gives by path, or let go, still goes from there. */
  const isLeft = ({ folderId, door, confirmed }: Upload): boolean =>
    folderId !== null && !isByPerson(door) && !confirmed && choice.isRemoved(folderId);

  const since = createSince(clock);
  let areWaitsPlanned = false;
  /** A time of grace is measured on a clock that cannot be set. It never ends later than the setting allows. */
  const graceEndsAtMs = (row: InGrace): number => {
    const { id, state } = row;
    const graceSeconds = Math.max(0, ...rulesOf(row).map((rules) => rules.graceSeconds));
    const passedMs = sinceMark(state.since, clock.sinceBoot()) ?? since.ms(id, state.sinceMs);
    return steadyMs() + Math.max(0, Math.ceil(1000 * graceSeconds - passedMs));
  };
  /** Plans the waits again after the clock was set, the machine slept, or the setting changed. */
  const planWaits = (): void => {
    areWaitsPlanned = true;
    const waiting = ledger.uploads.inState('waiting', mostSettling);
    const inGrace = waiting.filter(isInGrace);
    since.note(new Set(inGrace.map(({ id }) => id)));
    for (const row of inGrace) {
      const untilMs = graceEndsAtMs(row);
      if (Math.abs(untilMs - row.state.untilMs) < graceGrainMs) continue;
      rows.apply(row.id, { kind: 'replanned', untilMs });
    }
    const isPaused = createPauses();
    const goOn = waiting.filter((row) => isPausedByFolder(row) && (!isPaused(row) || isLeft(row)));
    for (const { id } of goOn) rows.apply(id, { kind: 'replanned', untilMs: steadyMs() });
    if (!watching.posts().some(({ folder }) => folder.rules.paused)) return;
    const stay = ledger.uploads.inState('ready', mostSettling).filter(isPaused);
    for (const { id } of stay) rows.apply(id, { kind: 'sent-back' });
  };

  const releaseWaiting = (): void => {
    if (!areWaitsPlanned) planWaits();
    for (const row of ledger.uploads.dueWaiting(steadyMs(), mostReleased)) {
      const untilMs = isInGrace(row) ? graceEndsAtMs(row) : 0;
      if (untilMs <= steadyMs()) again.add(row.id);
      else rows.apply(row.id, { kind: 'replanned', untilMs });
    }
  };

  const nextReleaseMs = (): number | null => {
    const nextAtMs = ledger.uploads.nextWaitingAtMs();
    return nextAtMs === null ? null : Math.max(releaseAgainMs, nextAtMs - steadyMs());
  };

  const turn = async (): Promise<number | null> => {
    hearLookInside();
    recorder.missing.clear();
    for (const post of watching.active()) await lookAtFolder(post);
    releaseWaiting();
    const breathe = startSlices(clock, 20);
    for (const id of again) {
      const pause = breathe();
      if (pause !== null) await pause;
      if (signal.aborted) return null;
      again.delete(id);
      await lookAtRow(id);
    }
    await admission.turn(signal);
    if (signal.aborted) return null;
    if (again.size > 0 || hasFolderWork()) return 0;
    return least(admission.waitMs(), nextReleaseMs());
  };
  const loop = createLoop({ name: 'discovery', ports, work, turn });

  const hasFolderWork = (): boolean =>
    watching.active().some(({ marks }) => marks.scanWanted || marks.dirty.size > 0);
  const hasWork = (): boolean =>
    isComparing || quiet.size() > 0 || inspection.size() > 0 || again.size > 0 || hasFolderWork();

  const requestScan = (): void => {
    for (const { marks } of watching.posts()) marks.scanWanted = true;
    loop.wake();
  };

  /** What became ready under other settings is looked into again. */
  const hearLookInside = (): void => {
    const { lookInside, photoLocation, requireLookInside } = settings.current();
    const looks = `${String(lookInside)} ${photoLocation}${requireLookInside ? ' required' : ''}`;
    if ((ledger.facts.get('looks-inside')?.value ?? 'true ask') === looks) return;
    ledger.atomically(() => {
      const looksLess = !lookInside && photoLocation !== 'remove';
      const ready = looksLess ? [] : ledger.uploads.inState('ready', mostSettling);
      for (const { id } of ready) rows.apply(id, { kind: 'sent-back' });
      ledger.facts.set('looks-inside', looks, clock.wallMs());
    });
  };

  /** By the rules of this moment. Whether a person let its content go is decided when it settles. */
  const isKeptOut = (row: Upload): boolean => {
    const { stamp, confirmed } = row;
    if (confirmed || stamp === null) return false;
    const active = isByPerson(row.door) ? null : watching.activeOf(row.folderId);
    if (active?.rules.recursive === false && row.dir !== active.row.path) return true;
    const name = nameVerdict(ports, row, active);
    const { includeEmpty } = settings.current();
    const reasons: LetGo[] = skipsOf({ name, stamp, includeEmpty });
    if (name.kind === 'secret') reasons.push('secret-name');
    return reasons.some((reason) => !ledger.letGo.knowsSize(stamp.sizeBytes, reason));
  };

  const resume = (): void => {
    hearLookInside();
    watching.hearOwnRules();
    const settling = ledger.uploads.inState('settling', mostSettling);
    if (!isResumed) recorder.countAgain(settling);
    isResumed = true;
    areWaitsPlanned = false;
    noter.resume();
    for (const { id } of settling) again.add(id);
    loop.wake();
  };

  rows.onMove(({ row }) => {
    const { kind } = row.state;
    // A file given by hand is sent once, as it was. The user did not ask for its next version.
    if (kind === 'settling' || (kind === 'uploaded' && row.folderId !== null)) again.add(row.id);
    else if (isInGrace(row)) areWaitsPlanned = false;
    else if (kind !== 'waiting') return;
    loop.wake();
  });

  const watching = createWatching(core, {
    sighted(marks, batch) {
      for (const sighting of batch) mark(marks, sighting);
      loop.wake();
    },
    wake: () => loop.wake(),
    resume: () => resume(),
    answers(folderId) {
      for (const { id, folderId: its, state } of ledger.uploads.inState('waiting', mostSettling))
        if (its === folderId && state.kind === 'waiting' && waitsForDrive.has(state.reason))
          rows.apply(id, { kind: 'replanned', untilMs: steadyMs() });
      loop.wake();
    },
  });
  const choice = createChoice(core, watching);

  return {
    watching,
    choice,
    settingsChanged(now) {
      choice.settingsChanged(now);
      loop.wake();
    },
    requestScan,
    resume,
    addByHand: (paths, how) => addByHand(ports, rows, choice.folderIdOf, paths, how),
    mayBegin(row) {
      hearLookInside();
      if (ledger.uploads.byId(row.id)?.state.kind !== 'ready') return false;
      const isAway = !isByPerson(row.door) && row.folderId !== null && choice.isAway(row.folderId);
      if (!isLeft(row) && !createPauses()(row) && !isAway && !isKeptOut(row)) return true;
      rows.apply(row.id, { kind: 'sent-back' });
      return false;
    },
    hasWork,
    isStill: () => !loop.isBusy() && !hasWork(),
    async stop() {
      await choice.stop();
      await watching.stop();
      await loop.stop();
      await noter.stop();
    },
  };
};

const least = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b);
