// Discovery: the way from a hint to a row that is ready. Hints and scans say where to look (scan.ts). A look decides
// and records (record-file.ts). Quiet time and rules follow (admit.ts). Only a scan is complete; hints are faster.
import type { Account } from '../account/account.ts';
import type { Settings } from '../../contract/settings.ts';
import type { ActiveFolder } from '../shared/folder.ts';
import { createInspection } from '../inspect/inspection.ts';
import { createLoop, startSlices } from '../shared/loop.ts';
import type { Core } from '../state/core.ts';
import type { Sighting, Upload } from '../ports.ts';
import { createAdmission } from './admit.ts';
import { createChoice, type Choice } from './choose-folder.ts';
import type { Door } from '../../contract/model.ts';
import { addByHand, type ByAgent } from './given-by-path.ts';
import { createBursts } from './intake-rules.ts';
import { brakeSpanMs, createQuietPeriods } from './quiet-period.ts';
import { createFileRecorder } from './record-file.ts';
import { createSince, sinceMark } from '../shared/time.ts';
import { isInGrace, type InGrace } from '../shared/waits.ts';
import { createScanner } from './scan.ts';
import { createUnreadableFolders } from './unreadable-folders.ts';
import { createWatching, type Watching } from './watching.ts';

export type Discovery = {
  watching: Watching;
  choice: Choice;
  settingsChanged(settings: Settings): void;
  requestScan(): void;
  /** Takes up the rows that settle, from an earlier run or from another process. */
  resume(): void;
  addByHand(
    paths: readonly string[],
    how: { again: boolean; door: Door; agent: ByAgent | null; andThen: (row: Upload) => Upload },
  ): Promise<Upload[]>;
  /** A file is to be looked at, or settles. */
  hasWork(): boolean;
  /** There is no work, and no turn runs. */
  isStill(): boolean;
  stop(): Promise<void>;
};

/** More names than this in one folder: list it instead of looking at each. */
const namesPerFolder = 32;
const mostSettling = 1_000_000;
const mostReleased = 1000;
/** The least wait between two looks at files whose time has come. */
const releaseAgainMs = 100;
/** A planned end of a time of grace that is off by less stays. */
const graceGrainMs = 1000;

export const createDiscovery = (core: Core, account: Account): Discovery => {
  const { ports, rows, work, steadyMs } = core;
  const { ledger, clock, settings } = ports;
  const { signal } = work;
  const dirty = new Map<string, Set<string> | null>();
  const again = new Set<number>();
  let isResumed = false;
  let scanWanted = false;
  let lastScanAtMs: number | null = null;
  const folder = (): ActiveFolder | null => watching.active();

  const quiet = createQuietPeriods(
    () => ({ settleMs: settings.current().settleMs }),
    (id) => ledger.uploads.versionsBefore(id, clock.wallMs() - brakeSpanMs),
  );
  const bursts = createBursts(() => settings.current());
  const unread = createUnreadableFolders(ports);
  const recorder = createFileRecorder({ ports, rows, quiet, bursts, unread });
  const scanner = createScanner({ ports, recorder, unread, lost: () => watching.check() });
  const inspection = createInspection(core, () => loop.wake());
  const admission = createAdmission(core, { account, quiet, bursts, recorder, inspection, folder });

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

  const lookAtDirty = async (active: ActiveFolder, isCurrent: () => boolean): Promise<void> => {
    recorder.missing.clear();
    const work = [...dirty];
    dirty.clear();
    for (const [dir, names] of work) {
      if (!isCurrent()) return;
      if (names === null) await scanner.list(active, dir, isCurrent);
      else for (const name of names) await scanner.look(active, dir, name, isCurrent);
    }
  };

  const lookAtFolder = async (active: ActiveFolder, isCurrent: () => boolean): Promise<void> => {
    try {
      if (scanWanted) {
        scanWanted = false;
        dirty.clear();
        await scanner.scan(active, isCurrent);
        lastScanAtMs = clock.monoMs();
      }
      if (dirty.size > 0) await lookAtDirty(active, isCurrent);
    } catch (error) {
      // The marks of this work are already removed. Only a scan finds the rest.
      scanWanted = true;
      throw error;
    }
  };

  /** A row that settles, whose time has come, or that was uploaded a moment ago. */
  const lookAtRow = async (id: number, isCurrent: () => boolean): Promise<void> => {
    if (quiet.isWatched(id) || inspection.has(id)) return;
    const row = ledger.uploads.byId(id);
    if (row === null || !row.present) return;
    const active = folder();
    const isActive = active !== null && row.folderId === active.row.id;
    if (isActive && !(await scanner.isInside(active, row.dir))) {
      ledger.atomically(() => recorder.vanish(row));
      return;
    }
    switch (row.state.kind) {
      case 'waiting':
        // It was put off meanwhile, with others.
        if ((row.state.untilMs ?? 0) <= steadyMs()) await admission.lookAt(row);
        return;
      case 'settling':
        await admission.lookAt(row);
        return;
      case 'uploaded':
        // It may have changed while its last bytes went out.
        if (isActive) await scanner.look(active, row.dir, row.name, isCurrent);
        return;
      default:
      // Its turn may come late. If it is now on its way, uncertain or cancelled, it must not begin again.
    }
  };

  const since = createSince(clock);
  let isGracePlanned = false;
  /** A time of grace ends after what has passed on a clock that cannot be set, and never later than the setting says. */
  const graceEndsAtMs = ({ id, state }: InGrace): number => {
    const passedMs = sinceMark(state.since, clock.sinceBoot()) ?? since.ms(id, state.sinceMs);
    return steadyMs() + Math.max(0, Math.ceil(1000 * settings.current().graceSeconds - passedMs));
  };
  /** The clock was set, the machine slept, or the setting changed. */
  const planGrace = (): void => {
    isGracePlanned = true;
    const inGrace = ledger.uploads.inState('waiting', mostSettling).filter(isInGrace);
    since.note(new Set(inGrace.map(({ id }) => id)));
    for (const row of inGrace) {
      const untilMs = graceEndsAtMs(row);
      if (Math.abs(untilMs - row.state.untilMs) < graceGrainMs) continue;
      rows.apply(row.id, { kind: 'replanned', untilMs });
    }
  };

  const releaseWaiting = (): void => {
    if (!isGracePlanned) planGrace();
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
    const active = folder();
    const isCurrent = (): boolean => !signal.aborted && folder() === active;
    if (active !== null) await lookAtFolder(active, isCurrent);
    releaseWaiting();
    const breathe = startSlices(clock, 20);
    for (const id of again) {
      const pause = breathe();
      if (pause !== null) await pause;
      if (signal.aborted) return null;
      again.delete(id);
      await lookAtRow(id, isCurrent);
    }
    await admission.turn(signal);
    if (signal.aborted) return null;
    if (again.size > 0 || hasFolderWork()) return 0;
    return least(admission.waitMs(), nextReleaseMs());
  };
  const loop = createLoop({ name: 'discovery', ports, work, turn });

  const hasFolderWork = (): boolean => folder() !== null && (scanWanted || dirty.size > 0);
  const hasWork = (): boolean =>
    quiet.size() > 0 || inspection.size() > 0 || again.size > 0 || hasFolderWork();

  const requestScan = (): void => {
    scanWanted = true;
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

  const resume = (): void => {
    const settling = ledger.uploads.inState('settling', mostSettling);
    if (!isResumed) recorder.countAgain(settling);
    isResumed = true;
    isGracePlanned = false;
    for (const { id } of settling) again.add(id);
    loop.wake();
  };

  rows.onMove(({ row }) => {
    const { kind } = row.state;
    // A file given by hand is sent once, as it was. The user did not ask for its next version.
    if (kind === 'settling' || (kind === 'uploaded' && row.folderId !== null)) again.add(row.id);
    else if (isInGrace(row)) isGracePlanned = false;
    else if (kind !== 'waiting') return;
    loop.wake();
  });

  const watching = createWatching(core, {
    sighted(batch) {
      for (const sighting of batch) mark(sighting);
      loop.wake();
    },
    requestScan,
    rulesChanged() {
      scanner.rulesChanged();
      requestScan();
    },
    resume,
    lastScanAtMs: () => lastScanAtMs,
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
    hasWork,
    isStill: () => !loop.isBusy() && !hasWork(),
    async stop() {
      await watching.stop();
      await loop.stop();
    },
  };
};

const least = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b);
