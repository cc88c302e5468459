// Discovery: the way from a hint to a row that is ready. Hints and scans show where to look (scan.ts). A look decides
// and records (record-file.ts). Quiet time and rules follow (admit.ts). Only a scan is complete; hints are faster.
import { createLinkEnds } from '../account/link-ends.ts';
import type { Service } from '../account/service.ts';
import type { Settings } from '../../contract/settings.ts';
import { createNoter } from '../candidate/noter.ts';
import type { NoteContent } from '../candidate/unread.ts';
import { createInspection, looksFor } from '../inspect/inspection.ts';
import { createLoop, startSlices } from '../shared/loop.ts';
import type { Core } from '../state/core.ts';
import type { Upload } from '../ports/uploads.ts';
import { joinPath } from '../shared/paths.ts';
import type { Approval } from '../ports/ledger.ts';
import { nameVerdict } from '../given/names-at.ts';
import { skipsOf } from './intake-rules.ts';
import { createAdmission } from './admit.ts';
import { createChoice } from './folders/choose-folder.ts';
import { isByPerson } from '../../contract/model.ts';
import { addByHand, type HowGiven, type Taken } from './given-by-path.ts';
import { createBursts, heldBefore, isHeldOnArrival } from './bursts.ts';
import { brakeSpanMs, createQuietPeriods } from './quiet-period.ts';
import { createFileRecorder } from './record-file.ts';
import { isInGrace } from '../shared/waits.ts';
import { createScanner, leadsInside } from './scan.ts';
import { createFolderWaits } from './folders/folder-waits.ts';
import { createLooks } from './folders/looks.ts';
import type { OpenFolder } from './folders/open-folder.ts';
import { createWatching } from './folders/watching.ts';

export const createDiscovery = (core: Core, { account, expiry }: Pick<Service, 'account' | 'expiry'>) => {
  const { ports, rows, work, steadyMs } = core;
  const { ledger, clock, settings } = ports;
  const { signal } = work;
  const again = new Set<number>();
  let isResumed = false;
  /** A folder was opened: the rows that settle in it are to be taken up. */
  let hasOpened = false;

  const loop = createLoop({ name: 'discovery', ports, work, turn: () => turn() });
  const watching = createWatching(core, {
    wake: loop.wake,
    opened() {
      hasOpened = true;
      loop.wake();
    },
  });
  const choice = createChoice(core, watching);
  const waits = createFolderWaits(core, choice, watching);
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
    isWatched: choice.isWatched,
    left: watching.requestScan,
  });
  const looks = createLooks(core, watching, {
    scannerFor: (look) =>
      createScanner({
        ports,
        recorder,
        holdBurst: () => admission.holdBurst(signal),
        missed: watching.missed,
        look,
      }),
    takeUp(id) {
      quiet.takeUp(id);
      again.add(id);
    },
    wake: loop.wake,
  });
  const noter = createNoter(core, looks.haveJustBegun);
  /** Unless its file has changed meanwhile. */
  const noteContent: NoteContent = ({ id, stamp }, sha256) => {
    ledger.atomically(() => {
      if (ledger.uploads.byId(id)?.stamp?.key === stamp?.key) rows.apply(id, { kind: 'hashed', sha256 });
    });
  };
  const inspection = createInspection(core, {
    done: loop.wake,
    isHeldBack: looks.holdBack,
    note: noteContent,
  });
  const admission = createAdmission(core, {
    service: { account, ends: createLinkEnds(core, expiry, choice.folderOf) },
    quiet,
    bursts,
    recorder,
    inspection,
    folders: { choice, watching, looks },
  });

  const note = (active: OpenFolder, { dir, name }: Upload): void => {
    const post = watching.active().find(({ folder }) => folder === active);
    post?.marks.note([{ folder: dir, name }]);
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
    if (active !== null && !(await leadsInside(ports.files, active, row.dir))) {
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
        if (active !== null && !(await isAsItWent(row))) note(active, row);
        return;
      default:
      // Its turn may come late. If it is now on its way, uncertain or cancelled, it must not begin again.
    }
  };

  const turn = async (): Promise<number | null> => {
    if (hasOpened) {
      takeUp();
      hasOpened = false;
    } else hearLookInside();
    if (looks.areNone()) recorder.missing.clear();
    await looks.turn();
    for (const id of waits.due()) again.add(id);
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
    if (again.size > 0 || looks.areDue()) return 0;
    return least(admission.waitMs(), waits.nextMs());
  };

  const hasWork = (): boolean =>
    quiet.size() > 0 || inspection.size() > 0 || again.size > 0 || looks.areDue() || looks.areUnderWay();

  const requestScan = (): void => {
    watching.requestScan();
    loop.wake();
  };

  /** What became ready under other settings is looked into again. */
  const hearLookInside = (): void => {
    const { lookInside, photoLocation } = settings.current();
    const looks = looksFor(settings.current());
    if ((ledger.facts.get('looks-inside')?.value ?? 'true ask') === looks) return;
    ledger.atomically(() => {
      const looksLess = !lookInside && photoLocation !== 'remove';
      const ready = looksLess ? [] : ledger.uploads.inState('ready', 'all');
      for (const { id } of ready) rows.apply(id, { kind: 'sent-back' });
      ledger.facts.set('looks-inside', looks, clock.wallMs());
    });
  };

  /** By the rules of this moment. Whether a person approved its content is decided when it settles. */
  const isKeptOut = (row: Upload): boolean => {
    const { stamp, confirmed } = row;
    if (confirmed || stamp === null) return false;
    const active = isByPerson(row.door) ? null : watching.activeOf(row.folderId);
    if (active?.rules.recursive === false && row.dir !== active.row.path) return true;
    const name = nameVerdict(ports, row, active);
    const { includeEmpty } = settings.current();
    const reasons: Approval[] = skipsOf({ name, stamp, includeEmpty });
    if (name.kind === 'secret') reasons.push('secret-name');
    return reasons.some((reason) => !ledger.decisions.knowsSize(stamp.sizeBytes, reason));
  };

  const takeUp = (): void => {
    hearLookInside();
    watching.hearOwnRules();
    const settling = ledger.uploads.inState('settling', 'all');
    if (!isResumed) recorder.countAgain([...heldBefore(ports, settling), ...settling]);
    isResumed = true;
    waits.replan();
    noter.resume();
    for (const { id, door } of settling) {
      again.add(id);
      // It may have been put off until its folder has been looked at, and was given by path meanwhile.
      if (isByPerson(door)) for (const part of [quiet, inspection]) part.takeUp(id);
    }
  };

  rows.onMove(({ row }) => {
    const { kind } = row.state;
    // A file given by hand is sent once, as it was. The user did not ask for its next version.
    if (kind === 'settling' || (kind === 'uploaded' && row.folderId !== null)) again.add(row.id);
    else if (isInGrace(row)) waits.replan();
    else if (kind !== 'waiting') return;
    loop.wake();
  });

  return {
    watching,
    choice,
    settingsChanged(now: Settings): void {
      choice.settingsChanged(now);
      loop.wake();
    },
    requestScan,
    /** Takes up the rows that settle, from an earlier run or from another process. */
    resume(): void {
      takeUp();
      loop.wake();
    },
    addByHand: (paths: readonly string[], how: HowGiven): Promise<Taken[]> =>
      addByHand(ports, rows, choice.folderIdOf, paths, how),
    /**
     * False: it settles again. Its folder is paused, away or not watched any more, or the rules that admitted it have
     * changed, and a slow folder may keep the loop from hearing of that.
     */
    mayBegin(row: Upload): boolean {
      hearLookInside();
      if (ledger.uploads.byId(row.id)?.state.kind !== 'ready') return false;
      const isAway = !isByPerson(row.door) && row.folderId !== null && choice.isAway(row.folderId);
      if (!choice.mayBeLeft(row) && !waits.createPauses()(row) && !isAway && !isKeptOut(row)) return true;
      rows.apply(row.id, { kind: 'sent-back' });
      return false;
    },
    /** A folder is compared, a file is to be looked at, or settles. */
    hasWork,
    /** There is no work, and no turn runs. */
    isStill: (): boolean => !loop.isBusy() && !hasWork(),
    async stop(): Promise<void> {
      await choice.stop();
      await watching.stop();
      await Promise.all([looks.stop(), loop.stop()]);
      await noter.stop();
    },
  };
};

export type Discovery = ReturnType<typeof createDiscovery>;

const least = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b);
