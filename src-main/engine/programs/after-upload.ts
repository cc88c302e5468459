// Stage: the user's own program (the setting afterUpload) hears of links, one line of JSON for each event. The fact
// `after-upload` is written in the transaction of the entry and moves on when the program has ended. So after a crash
// an event may be sent twice, with the same id, but none is missing.
import type { Entry, EntryKind } from '../../contract/entries.ts';
import { toAppError } from '../../contract/errors.ts';
import { rulesOfFolder } from '../shared/folder.ts';
import { eventOf } from '../state/event-json.ts';
import { createLoop } from '../shared/loop.ts';
import { pauseFor } from '../shared/time.ts';
import type { Core } from '../state/core.ts';
import { createRuns, mostInRow } from './runs.ts';

/** Programs at once. */
const mostAtOnce = 2;
/** Entries that are looked at in one turn. */
const mostRead = 500;

/**
 * Files that come by themselves may also come in a row while a slow program runs. So it is not started for this long:
 * only a program that causes them leaves the folder quiet then. The pace of requests makes gaps of 15 seconds.
 */
const quietMs = 60_000;

const reportedKinds: ReadonlySet<EntryKind> = new Set(['uploaded', 'recalled', 'failed']);

/** Keeps a program that writes into a watched folder from causing its own next start. */
const createLoopGuard = (
  { ledger, clock, runProgram }: Core['ports'],
  work: Core['work'],
  positionOf: () => number | null,
) => {
  const { entries } = ledger;
  const runs = createRuns();

  /** When the file was written into its watched folder; null: it is in none. */
  const writtenMs = ({ uploadId, body }: Entry): number | null => {
    const row = uploadId === null || body.kind !== 'uploaded' ? null : ledger.uploads.byId(uploadId);
    return row === null || row.folderId === null ? null : (row.stamp?.ctimeMs ?? null);
  };

  /** While it is set, no program is started: what is written now comes from elsewhere. */
  let quiet: Promise<void> | null = null;

  /** Of the rows that are too long, those before this time come from the program. */
  let causedUntilMs = -Infinity;

  const keepQuiet = async (): Promise<void> => {
    const fromMs = clock.wallMs();
    await pauseFor(clock, quietMs, work.signal).catch(() => undefined);
    if (work.signal.aborted) return;
    const isFromElsewhere = (entry: Entry): boolean => {
      const atMs = writtenMs(entry);
      return atMs !== null && atMs > fromMs && runs.rowBefore(atMs) === 0;
    };
    if (entries.after(positionOf() ?? 0, mostRead).some(isFromElsewhere)) runs.forget();
    else causedUntilMs = clock.wallMs();
  };

  const runUnlessLoop = async (entry: Entry, program: string, line: string) => {
    const atMs = writtenMs(entry);
    if (atMs !== null && runs.isTooLong(atMs) && atMs > causedUntilMs)
      await (quiet ??= keepQuiet().finally(() => (quiet = null)));
    if (runs.isTooLong(atMs))
      return {
        problem: `it was not started: it seems to write into a watched folder, because ${mostInRow} files in a row appeared there while it ran for the file before`,
        output: '',
      };
    const ended = runs.begin(atMs, clock.wallMs());
    try {
      return await runProgram(program, line, work.signal);
    } finally {
      ended(clock.wallMs());
    }
  };
  return { runUnlessLoop, isQuiet: () => quiet !== null };
};

export const createAfterUpload = (ports: Core['ports'], { feed, work }: Pick<Core, 'feed' | 'work'>) => {
  const { ledger, settings, clock, log } = ports;
  const { facts, entries } = ledger;
  const running = new Map<number, Promise<void>>();
  /** Entries after the stored position whose program has ended. */
  const done = new Set<number>();

  /** The program for this entry; null: there is none. */
  const programFor = ({ uploadId, body }: Entry): string | null => {
    if (uploadId === null || !reportedKinds.has(body.kind)) return null;
    const folderId = ledger.uploads.byId(uploadId)?.folderId ?? null;
    const { afterUpload } = folderId === null ? settings.current() : rulesOfFolder(ports, folderId);
    return afterUpload === 'none' ? null : afterUpload;
  };

  const { runUnlessLoop, isQuiet } = createLoopGuard(ports, work, () => positionOf());
  const run = async (entry: Entry, program: string): Promise<void> => {
    const { seq, atMs, uploadId, path, body } = entry;
    const isExpired = body.kind === 'recalled' && body.lateMs !== undefined;
    const event = { ...eventOf(ledger, entry), ...(isExpired ? { event: 'expired' } : {}) };
    const line = JSON.stringify({ ...event, id: `${atMs}-${seq}` });
    const { problem, output } = await runUnlessLoop(entry, program, `${line}\n`);
    // It was ended with Outtray: the next start runs it again.
    if (problem !== null && work.signal.aborted) return;
    log.info('program after upload ended', { seq, event: body.kind, problem, output });
    done.add(seq);
    if (problem !== null) feed.record(uploadId, path, { kind: 'program-failed', message: problem });
    moveOn();
  };

  const begin = (entry: Entry, program: string): void => {
    const ended = run(entry, program)
      .catch((error: unknown) => {
        // Without a pause it would run again and again. The next start tries it once more.
        done.add(entry.seq);
        log.warn('program after upload', { error: toAppError(error).message });
      })
      .finally(() => {
        running.delete(entry.seq);
        loop.wake();
      });
    running.set(entry.seq, ended);
  };

  const positionOf = (): number | null => facts.get('after-upload')?.value ?? null;

  /** Moves the position to the first entry whose program has not ended. Behind the last entry there is none. */
  const moveOn = (): void =>
    ledger.atomically(() => {
      const from = positionOf();
      if (from === null) return;
      const next = entries.after(from, mostRead);
      const isOpen = (entry: Entry): boolean =>
        !done.has(entry.seq) && (running.has(entry.seq) || programFor(entry) !== null);
      const open = next.find(isOpen);
      const position = open === undefined ? (next.at(-1)?.seq ?? from) : open.seq - 1;
      if (open === undefined && next.length < mostRead) facts.remove('after-upload');
      else if (position !== from) facts.set('after-upload', position, clock.wallMs());
      for (const seq of done) if (seq <= position) done.delete(seq);
    });

  const turn = async (): Promise<number | null> => {
    moveOn();
    const from = positionOf();
    if (from === null) return null;
    const open: Entry[] = [];
    for (const entry of entries.after(from, mostRead)) {
      const program = done.has(entry.seq) ? null : programFor(entry);
      if (program === null) continue;
      const isNext =
        !isQuiet() && running.size < mostAtOnce && !open.some((earlier) => isSameFile(earlier, entry));
      if (isNext && !running.has(entry.seq)) begin(entry, program);
      open.push(entry);
    }
    return open.length === 0 ? 0 : null;
  };

  const loop = createLoop({ name: 'after upload', ports, work, turn });

  return {
    wake: loop.wake,
    /** Called for each entry, in its transaction. */
    recorded(entry: Entry): void {
      if (programFor(entry) === null) return;
      if (positionOf() === null) facts.set('after-upload', entry.seq - 1, clock.wallMs());
      loop.wake();
    },
    /** A program runs, or is due. */
    isBusy: (): boolean => work.isOn() && positionOf() !== null,
    async stop() {
      await loop.stop();
      await Promise.all(running.values());
    },
  };
};

/** The events of one file are sent in their order. */
const isSameFile = (one: Entry, other: Entry): boolean =>
  one.uploadId === other.uploadId || (one.path !== null && one.path === other.path);
