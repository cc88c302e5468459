// `upload FILE…` uploads these files now, through the same ledger, limiter and protocol as everything else.
import { isStaying } from '../../adapters/system/lock.ts';
import { startInBackground, takeTask } from '../../adapters/system/background.ts';
import type { Entry } from '../../contract/entries.ts';
import { AppError, toAppError } from '../../contract/errors.ts';
import { proofSentence } from '../../contract/text/why.ts';
import type { Upload } from '../../engine/ports/uploads.ts';
import { createElsewhere, createSignal } from '../uploads/running-engine.ts';
import { programFailedText } from '../uploads/reported.ts';
import { eventOf, progressEvent } from '../../engine/state/event-json.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { finish, idleEvent, sayKnown } from '../uploads/finish.ts';
import { namesGiven } from '../uploads/given-files.ts';
import { formOf, newJob, queueFiles, type Job, type UploadFlags } from '../uploads/job.ts';
import { inputFrom } from '../uploads/standard-input.ts';
import { hear } from '../uploads/listen.ts';
import { copyLinks } from '../uploads/link-forms.ts';
import { openLinks } from './links.ts';
import { completed, fileJson } from '../../engine/state/file-json.ts';
import { createBars } from '../output/progress.ts';
import { within, type Session, type Composed } from '../session.ts';
import { stayLean } from '../stay-lean.ts';
import { standstill } from '../uploads/standstill.ts';
import { expectUpload } from '../uploads/expect-upload.ts';
import { createTroubleTeller } from '../uploads/disk-trouble.ts';
import { requireSender } from '../uploads/sender.ts';
import { uploadEndOf } from '../uploads/upload-ends.ts';
import { sayFileWait } from '../uploads/waits.ts';
import { closedText, expiryFrom } from '../output/words.ts';

/** The rows are checked after every change, and at least this often. */
const checkEveryMs = 100;
/** After this time without entries a guest checks the disk: the running engine cannot record that it waits for it. */
const quietMs = 3000;
/** At most this many of the remaining uploads are read to report what the run waits for. */
const looked = 100;
/** An engine with this name uploads what it was given, and nothing else. */
const who = 'outtray upload';
const remarkBeside = (holder: Composed['holder']): string =>
  isStaying(holder)
    ? 'Outtray is running; it uploads these files.'
    : 'Another Outtray is at work for a short time; these files are uploaded when it has ended, or before.';

/** Runs in the background process of `--detach`. */
export const uploadQueued = async (session: Session): Promise<ExitCode> => {
  const task = await takeTask();
  if (task === null) throw new AppError('bad-use', 'Nothing is queued for this process.', '');
  return await finishQueued({ ...session, apiKey: task.key ?? '' }, task.ids);
};

/** Uploads what is queued already, as if it was given now. */
export const finishQueued = (session: Session, ids: readonly number[]): Promise<ExitCode> =>
  untilDone(session, newJob([...ids]), [], {});

export const upload = async (
  session: Session,
  files: readonly string[],
  flags: UploadFlags,
): Promise<ExitCode> => {
  // Checked before anything is opened: with a wrong time nothing is uploaded.
  if (flags.expire !== undefined) expiryFrom(flags.expire, Date.now());
  const input = inputFrom(files, flags);
  const named = await namesGiven(session, files, flags);
  const job = newJob();
  if (flags.detach === true) return await detach(session, job, named, flags);
  if (input !== null || flags.zip === true) await queueFirst(session, job, named, flags);
  return await untilDone(session, job, named, flags);
};

const untilDone = async (
  session: Session,
  job: Job,
  named: readonly string[],
  flags: UploadFlags,
): Promise<ExitCode> => {
  for (;;) {
    const code = await within(
      session,
      { kind: 'either', who, isBrief: true },
      (composed) => work(session, composed, job, named, flags),
      { onEngine: (early) => expectUpload(early, job.waiting === null ? named : []) },
    );
    // The process with the engine has ended, so this process continues.
    if (code !== 'orphaned') return code;
  }
};

const work = async (
  session: Session,
  composed: Composed,
  job: Job,
  named: readonly string[],
  flags: UploadFlags,
): Promise<ExitCode | 'orphaned'> => {
  const { engine, clock, isEngine } = composed;
  const { output } = session;
  const { ids } = job;
  const form = formOf(composed, flags);
  await requireSender(composed);
  if (!isEngine) output.note(remarkBeside(composed.holder));
  const bars = createBars(session);
  const elsewhere = createElsewhere(composed);
  const stirred = createSignal(clock);
  /** Entries that arrive before we know which uploads are ours: a missing file has already failed by then. */
  const early: Entry[] = [];
  const tell = (entry: Entry): void => {
    const isOurs = entry.uploadId === null || ids.has(entry.uploadId);
    const event = isOurs && output.json ? eventOf(composed.ledger, entry) : null;
    if (event !== null) output.object(event);
    if (isOurs && entry.body.kind === 'verified' && entry.body.reason !== null)
      output.trouble(`${output.pathText(entry.path ?? '')}: ${proofSentence(entry.body.reason)}`);
    if (isOurs && entry.body.kind === 'program-failed')
      output.trouble(programFailedText(output.pathText(entry.path ?? ''), entry.body));
    if (isOurs && entry.body.kind === 'waiting')
      sayFileWait(output, { ...entry, body: entry.body }, clock.wallMs());
    if (entry.body.kind === 'queue-closed') output.note(closedText(entry.body, clock.wallMs(), session));
  };
  let heardAtMs = clock.monoMs();
  const hearing = hear(composed, {
    trouble: createTroubleTeller(output, clock),
    entries(entries) {
      stirred.ring();
      heardAtMs = clock.monoMs();
      for (const entry of entries) {
        if (job.waiting === null && entry.uploadId !== null) early.push(entry);
        else tell(entry);
        if (entry.uploadId !== null && ids.has(entry.uploadId)) bars.heard(entry);
      }
    },
    progress(progress) {
      stayLean();
      heardAtMs = clock.monoMs();
      const ours = progress.filter((one) => ids.has(one.uploadId));
      bars.progress(ours);
      if (output.json)
        for (const one of ours) output.object(progressEvent(composed.ledger, one, clock.wallMs()));
    },
  });
  try {
    if (isEngine) {
      engine.restrictTo(ids);
      await engine.start({ folder: null, existing: 'skip' });
    }
    if (job.waiting === null) {
      job.waiting = await queueFiles(session, composed, job, named, flags);
      for (const entry of early.splice(0)) tell(entry);
    }
    for (const id of job.waiting.slice(0, looked)) {
      const last = isEngine ? undefined : composed.ledger.entries.ofUpload(id, 20).at(-1);
      // Reported before this run began.
      if (last?.body.kind === 'waiting' && last.body.written !== undefined) tell(last);
    }
    for (const id of job.waiting) {
      if (!job.known.has(id)) bars.expect(id, composed.ledger.uploads.byId(id)?.stamp?.sizeBytes ?? 0);
    }
    engine.restrictTo(ids);
    const patience = flags.wait === false ? 'none' : 'all';
    const leftRows = (): Upload[] =>
      (job.waiting ?? []).slice(0, looked).flatMap((id) => composed.ledger.uploads.byId(id) ?? []);
    const standing = (): AppError | null => standstill(composed, patience, leftRows);
    const code = await finish(session, composed, job, form, hearing, {
      next: () => stirred.wait(checkEveryMs),
      isQuiet: () => clock.monoMs() - heardAtMs > quietMs && engine.wait() === null,
      leftRows,
      stuck: () => (isEngine ? standing() : (elsewhere.standstill() ?? standing())),
    });
    if (code === 'orphaned') return code;
    const isCopied = flags.copy !== true || (await copyLinks(session, composed, job.links, form));
    if (flags.open === true)
      await openLinks(
        session,
        composed,
        job.links.map(({ link }) => link),
      );
    return code === exitCodes.done && !isCopied ? exitCodes.someFailed : code;
  } finally {
    hearing.stop();
    bars.stop();
  }
};

/** Records the uploads and returns. If no engine is running, a background process continues. */
const detach = (
  session: Session,
  job: Job,
  named: readonly string[],
  flags: UploadFlags,
): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async (composed) => {
    const { clock, holder } = composed;
    const { output } = session;
    const isServed = isStaying(holder);
    // Checked while there is a terminal that shows the error.
    await requireSender(composed);
    const at = new Date(clock.wallMs()).toISOString();
    const left: number[] = [];
    for (const id of await queueFiles(session, composed, job, named, flags)) {
      const end = uploadEndOf(composed, id);
      job.counts[end?.bucket ?? 'waiting'] += 1;
      if (end === null) {
        left.push(id);
        output.object({ event: 'queued', at, ...fileJson(completed(composed.ledger, { uploadId: id })) });
        continue;
      }
      if (end.bucket === 'uploaded') job.before += 1;
      sayKnown(composed, end.followedBy ?? id, output);
      if (end.link !== null) output.line(end.link.link);
      if (end.remark !== null) (end.bucket === 'skipped' ? output.note : output.trouble)(end.remark);
    }
    if (left.length > 0) {
      if (!isServed) await goOnWith(session, composed, left);
      output.note(
        `${left.length} ${left.length === 1 ? 'file is' : 'files are'} queued; \`outtray status\` and \`outtray why FILE\` show the progress.`,
      );
    }
    output.object(idleEvent(job, clock.wallMs()));
    return job.counts.held + job.counts.failed > 0 ? exitCodes.someFailed : exitCodes.done;
  });

const goOnWith = async (
  { options, env, apiKey }: Session,
  { home }: Composed,
  ids: number[],
): Promise<void> => {
  const address = options.baseUrl === undefined ? [] : [`--base-url=${options.baseUrl}`];
  const args = ['--quiet', ...address, 'upload', '--background'];
  const same = { ...env, OUTTRAY_HOME: home.root, OUTTRAY_PROFILE: home.profile ?? '' };
  await startInBackground(args, same, { ids, key: apiKey === '' ? null : apiKey }).catch((cause: unknown) => {
    const message = `The files are queued, but no background process could be started: ${toAppError(cause).message}`;
    const remedy = 'They are uploaded when Outtray runs; `outtray upload` without --detach uploads them now.';
    throw new AppError('internal', message, remedy, { cause });
  });
};

/**
 * Queues as a guest, before this process may become the engine: reading standard input or packing a zip may take long,
 * and other processes can upload meanwhile.
 */
const queueFirst = (
  session: Session,
  job: Job,
  named: readonly string[],
  flags: UploadFlags,
): Promise<void> =>
  within(session, { kind: 'guest' }, async (composed) => {
    formOf(composed, flags);
    await requireSender(composed);
    job.waiting = await queueFiles(session, composed, job, named, flags);
    // The run that follows receives no entry for an upload that has already ended.
    for (const id of job.waiting) if (uploadEndOf(composed, id) !== null) job.known.add(id);
  });
