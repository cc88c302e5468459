// From the last recorded file to the exit code: prints links as they arrive.
import { readHolder } from '../../adapters/system/lock.ts';
import { isoOrNull } from '../../contract/text/formats.ts';
import type { LinkedFile } from '../../contract/text/link-text.ts';
import type { AppError } from '../../contract/errors.ts';
import type { Proof } from '../../engine/ports/ledger.ts';
import type { Upload } from '../../engine/ports/uploads.ts';
import { joinPath } from '../../engine/shared/paths.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { columnsOfStream, linkLines, widestName } from '../output/layout.ts';
import { countsText } from '../output/words.ts';
import { interrupted, type Composed, type Session } from '../session.ts';
import { eventOf } from '../../engine/state/event-json.ts';
import type { Job } from './job.ts';
import { inForm, type Form } from './link-forms.ts';
import type { Hearing } from './listen.ts';
import { untilReported } from './reported.ts';
import { uploadEndOf } from './upload-ends.ts';
import { createWaits } from './waits.ts';

/** How often a guest checks that an engine still runs; each check tries the lock. */
const holderEveryMs = 1000;

/** Prints each link in the order of the arguments as soon as it is its turn; returns when all are final. */
export const finish = async (
  session: Session,
  composed: Composed,
  job: Job,
  form: Form | null,
  hearing: Hearing,
  ways: {
    /** Resolves when something may have changed. */
    next: () => Promise<void>;
    /** Some of the uploads that are not final. */
    leftRows: () => readonly Upload[];
    /** Why the run cannot continue, or null. */
    stuck: () => AppError | null;
    /** Nothing moves, and no limit explains why. */
    isQuiet: () => boolean;
  },
): Promise<ExitCode | 'orphaned'> => {
  const { output, signal } = session;
  const { clock, home, isEngine } = composed;
  const { counts, ids, known, waiting } = job;
  if (waiting === null) return exitCodes.done;
  const columns = ids.size > 1 && form === null ? columnsOfStream(session.stdout) : null;
  const nameOf = (id: number): string => composed.ledger.uploads.byId(id)?.name ?? '';
  const width = columns === null ? 0 : widestName(waiting.map(nameOf));
  /** For a person, each link with its file; for a program, one link per line. */
  const linesOf = (file: LinkedFile): string[] => {
    if (form !== null) return [inForm([file], form)];
    return columns === null ? [file.link] : linkLines(file, width, columns);
  };
  const print = (links: readonly string[]): void => {
    if (form === null) output.lines(links);
    // A tab can only come from the form: the names in it contain none.
    else if (links.length > 0) output.formed(`${links.join('\n')}\n`, { tabs: true });
  };
  const settle = (): void => {
    const links: string[] = [];
    try {
      for (let id = waiting[0]; id !== undefined; id = waiting[0]) {
        const end = uploadEndOf(composed, id);
        if (end === null) return;
        waiting.shift();
        counts[end.bucket] += 1;
        if (end.isUnanswered === true) job.unanswered += 1;
        if (known.has(id) || end.followedBy !== undefined) {
          if (end.bucket === 'uploaded') job.before += 1;
          // What is still bundled happened earlier.
          hearing.catchUp();
          sayKnown(composed, end.followedBy ?? id, output);
        }
        if (end.link !== null) {
          job.links.push(end.link);
          links.push(...linesOf(end.link));
        }
        if (typeof end.expires === 'string') {
          print(links.splice(0));
          output.note(end.expires);
        }
        if (end.remark === null) continue;
        print(links.splice(0));
        if (end.bucket === 'skipped') output.note(end.remark);
        else output.trouble(end.remark);
      }
    } finally {
      print(links);
    }
  };
  /** An upload that has ended is reported, although one before it still waits. */
  const early = (error: AppError): AppError => {
    for (const id of waiting) {
      const link = uploadEndOf(composed, id)?.link ?? null;
      if (link !== null) print(linesOf(link));
    }
    return error;
  };
  const isSettling = (): boolean =>
    waiting.some((id) => composed.ledger.uploads.byId(id)?.state.kind === 'settling');
  const waits = createWaits(session, composed);
  let holderAtMs = clock.monoMs();
  for (;;) {
    settle();
    if (waiting.length === 0) break;
    if (signal.aborted) throw early(interrupted());
    const fatal = composed.engine.fatal();
    if (fatal !== null) throw early(fatal);
    const stop = ways.stuck();
    // Uploads that are settling finish first, so that nothing is left half-recorded. Without a ledger none can settle.
    if (stop !== null && (composed.engine.trouble() !== null || !isSettling())) throw early(stop);
    waits.look(ways.leftRows);
    if (!isEngine && clock.monoMs() - holderAtMs > holderEveryMs) {
      // A data folder that is gone has no holder either, and must not be created again.
      composed.ledger.check();
      if (composed.engine.trouble() !== null) {
        await ways.next();
        continue;
      }
      if (ways.isQuiet()) composed.engine.checkDisk();
      if (readHolder(home.folder) === null) {
        hearing.catchUp();
        return 'orphaned';
      }
      holderAtMs = clock.monoMs();
    }
    await ways.next();
  }
  const proofs = (): Proof[] => [...ids].flatMap((id) => composed.ledger.watched.byId('content', id) ?? []);
  // Before this process ends, it reads back what the links serve, if that is possible now.
  while (isEngine && !signal.aborted && !composed.engine.isStill() && proofs().some(isUnread))
    await ways.next();
  await untilReported(session, composed, ways.next);
  const unread = proofs().filter(isUnread).length;
  if (unread > 0)
    output.note(`${unread === 1 ? '1 link is' : `${unread} links are`} read back later, while Outtray runs.`);
  hearing.catchUp();
  output.object(idleEvent(job, clock.wallMs()));
  if (ids.size > 1 && session.stderr.isTTY === true) output.note(`${countsText(counts, job.before)}.`);
  const open = counts.held + counts.failed + counts.waiting;
  if (open > job.unanswered || proofs().some(isWrong)) return exitCodes.someFailed;
  return open > 0 ? exitCodes.unreachable : exitCodes.done;
};

/** `new`: how many of the uploads happened in this run. */
export const idleEvent = ({ counts, before }: Job, nowMs: number) => ({
  event: 'idle',
  at: new Date(nowMs).toISOString(),
  path: null,
  ...counts,
  new: counts.uploaded - before,
});

const isUnread = ({ nextMs }: Proof): boolean => nextMs !== null;
const isWrong = ({ told }: Proof): boolean => told === 'gone' || told === 'differs';

/** The event of an upload that had ended before this run, as if it ended now. */
export const sayKnown = ({ ledger, clock }: Composed, id: number, output: Session['output']): void => {
  const row = ledger.uploads.byId(id);
  if (row === null) return;
  const last = ledger.entries
    .ofUpload(id, 20)
    .map((entry) => eventOf(ledger, entry))
    .findLast((event) => event !== null);
  if (last === undefined) return;
  // Its end may have been set since, and its file renamed.
  const now = last.event === 'uploaded' ? { new: false, expiresAt: isoOrNull(row.ends?.atMs ?? null) } : {};
  const path = joinPath(row.dir, row.name);
  output.object({ ...last, ...now, path, at: new Date(clock.wallMs()).toISOString() });
};
