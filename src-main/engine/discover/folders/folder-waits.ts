// Files that wait for the end of their time of grace or of a pause of their folder, and when they go on.
import { isByPerson } from '../../../contract/model.ts';
import type { Upload } from '../../ports/uploads.ts';
import { rulesOfFolder } from '../../shared/folder.ts';
import { createSince, sinceMark } from '../../shared/time.ts';
import { isInGrace, isPausedByFolder, type InGrace } from '../../shared/waits.ts';
import type { Core } from '../../state/core.ts';
import type { FolderChoice } from './choose-folder.ts';
import type { Watching } from './watching.ts';

const mostReleased = 1000;
/** The least wait between two looks at files whose time has come. */
const releaseAgainMs = 100;
/** The planned end of a grace period is kept if it is off by less than this. */
const graceGrainMs = 1000;

export const createFolderWaits = (
  { ports, rows, steadyMs }: Core,
  choice: Pick<FolderChoice, 'isLeft' | 'rulesOf'>,
  watching: Pick<Watching, 'posts'>,
) => {
  const { ledger, clock } = ports;
  const since = createSince<number>(clock);
  let isPlanned = false;

  /** Whether the folder of a row is paused for it. Asked for many rows, so each folder is read once. */
  const createPauses = (): ((row: Upload) => boolean) => {
    const paused = new Map<number, boolean>();
    const isPaused = (folderId: number): boolean => {
      const known = paused.get(folderId) ?? rulesOfFolder(ports, folderId).paused;
      paused.set(folderId, known);
      return known;
    };
    return (row) => {
      if (isByPerson(row.door)) return false;
      return row.folderId === null
        ? choice.rulesOf(row).some((rules) => rules.paused)
        : isPaused(row.folderId);
    };
  };

  /** A time of grace is measured on a clock that cannot be set. It never ends later than the setting allows. */
  const graceEndsAtMs = (row: InGrace): number => {
    const { id, state } = row;
    const graceSeconds = Math.max(0, ...choice.rulesOf(row).map((rules) => rules.graceSeconds));
    const passedMs = sinceMark(state.since, clock.sinceBoot()) ?? since.ms(id, state.sinceMs);
    return steadyMs() + Math.max(0, Math.ceil(1000 * graceSeconds - passedMs));
  };

  const plan = (): void => {
    isPlanned = true;
    const waiting = ledger.uploads.inState('waiting', 'all');
    const inGrace = waiting.filter(isInGrace);
    since.note(new Set(inGrace.map(({ id }) => id)));
    for (const row of inGrace) {
      const untilMs = graceEndsAtMs(row);
      if (Math.abs(untilMs - row.state.untilMs) < graceGrainMs) continue;
      rows.apply(row.id, { kind: 'replanned', untilMs });
    }
    const isPaused = createPauses();
    const goOn = waiting.filter((row) => isPausedByFolder(row) && (!isPaused(row) || choice.isLeft(row)));
    for (const { id } of goOn) rows.apply(id, { kind: 'replanned', untilMs: steadyMs() });
    if (!watching.posts().some(({ folder }) => folder.rules.paused)) return;
    const stay = ledger.uploads.inState('ready', 'all').filter(isPaused);
    for (const { id } of stay) rows.apply(id, { kind: 'sent-back' });
  };

  return {
    createPauses,
    /** Plans the waits again: the clock was set, the machine slept, or settings or rows have changed. */
    replan() {
      isPlanned = false;
    },
    /** The rows whose time has come. Those whose time has moved wait for the new one. */
    due(): number[] {
      if (!isPlanned) plan();
      return ledger.uploads.dueWaiting(steadyMs(), mostReleased).flatMap((row) => {
        const untilMs = isInGrace(row) ? graceEndsAtMs(row) : 0;
        if (untilMs <= steadyMs()) return [row.id];
        rows.apply(row.id, { kind: 'replanned', untilMs });
        return [];
      });
    },
    /** Milliseconds until the next of them; null: none waits. */
    nextMs(): number | null {
      const nextAtMs = ledger.uploads.nextWaitingAtMs();
      return nextAtMs === null ? null : Math.max(releaseAgainMs, nextAtMs - steadyMs());
    },
  };
};
