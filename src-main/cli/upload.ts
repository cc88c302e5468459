// `upload FILE…`: these files now, through the same ledger, limiter and protocol as everything else.
import { resolve } from 'node:path';
import type { Composed } from '../compose.ts';
import { AppError } from '../contract/errors.ts';
import type { UploadView } from '../contract/model.ts';
import type { Upload } from '../engine/ports.ts';
import { sentenceFor } from '../engine/why.ts';
import { eventOf, progressEvent } from './events.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';
import { hear } from './hear.ts';
import { createBars } from './progress.ts';
import { within, type Session } from './session.ts';
import { standstill } from './standstill.ts';
import { nameText } from './words.ts';

const checkEveryMs = 100;
/** A closed gate is announced once; its reason is given with the end. */
const guestRemark = 'Outtray is running; it uploads these files.';

export const upload = (
  session: Session,
  files: readonly string[],
  flags: { wait?: boolean; again?: boolean },
): Promise<ExitCode> =>
  within(session, { kind: 'either', who: 'outtray upload' }, async (composed) => {
    const { client, engine, keys, isEngine } = composed;
    const { output } = session;
    if (isEngine) await keys.require();
    else output.note(guestRemark);
    const ids = new Set<number>();
    const bars = createBars(output, session.options.progress !== false);
    const undo = hear(composed, {
      entries(entries) {
        for (const entry of entries) {
          const isOurs = entry.uploadId === null || ids.has(entry.uploadId);
          const event = isOurs ? eventOf(entry) : null;
          if (event !== null) output.object(event);
          if (entry.uploadId !== null && entry.body.kind !== 'uploading') bars.end(entry.uploadId);
        }
      },
      progress(progress) {
        const ours = progress.filter((one) => ids.has(one.uploadId));
        bars.progress(ours);
        for (const one of ours) output.object(progressEvent(one, composed.clock.wallMs()));
      },
    });
    try {
      if (isEngine) {
        engine.restrictTo(ids);
        await engine.start({ folder: null, existing: 'skip' });
      }
      const rows = await client.call('files.upload', {
        paths: files.map((file) => resolve(file)),
        again: flags.again === true,
      });
      for (const row of rows) ids.add(row.id);
      engine.restrictTo(ids);
      return await finish(session, composed, rows, flags.wait === false ? 'none' : 'all');
    } finally {
      undo();
      bars.stop();
    }
  });

/** Prints each link in the order of the arguments as soon as it is its turn; returns when all are final. */
const finish = async (
  session: Session,
  composed: Composed,
  rows: readonly UploadView[],
  patience: 'none' | 'all',
): Promise<ExitCode> => {
  const { output, signal } = session;
  const waiting = rows.map((row) => row.id);
  // What had ended before this run has no entry to hear of.
  const ended = rows.filter(
    (row) => row.bucket === 'uploaded' || row.bucket === 'held' || row.bucket === 'skipped',
  );
  const known = new Set(ended.map((row) => row.id));
  const counts = { uploaded: 0, waiting: 0, held: 0, skipped: 0, failed: 0 };
  const settle = (): void => {
    for (let id = waiting[0]; id !== undefined; id = waiting[0]) {
      const end = endOf(composed, id);
      if (end === null) return;
      waiting.shift();
      counts[end.bucket] += 1;
      if (known.has(id)) sayKnown(composed, id, output);
      if (end.link !== null) output.line(end.link);
      if (end.remark !== null) output.note(end.remark);
    }
  };
  for (;;) {
    settle();
    if (waiting.length === 0) break;
    if (signal.aborted)
      throw new AppError('aborted', 'Interrupted. Everything is recorded.', 'Run it again to continue.');
    if (composed.isEngine) {
      const stop = standstill(composed, patience);
      if (stop !== null) {
        // What has ended behind one that waits is told all the same.
        for (const id of waiting) {
          const link = endOf(composed, id)?.link ?? null;
          if (link !== null) output.line(link);
        }
        throw stop;
      }
    }
    await new Promise<void>((next) => composed.clock.after(checkEveryMs, next));
  }
  await new Promise<void>((next) => composed.clock.after(checkEveryMs, next));
  output.object({
    event: 'idle',
    at: new Date(composed.clock.wallMs()).toISOString(),
    path: null,
    ...counts,
  });
  return counts.held + counts.failed + counts.waiting > 0 ? exitCodes.someFailed : exitCodes.done;
};

/** The event of an upload that had ended before this run, as if it ended now. */
const sayKnown = ({ ledger, clock }: Composed, id: number, output: Session['output']): void => {
  const row = ledger.uploads.byId(id);
  if (row === null) return;
  const last = ledger.entries
    .ofUpload(id, 20)
    .map(eventOf)
    .findLast((event) => event !== null);
  if (last !== undefined) output.object({ ...last, at: new Date(clock.wallMs()).toISOString() });
};

type End = {
  bucket: 'uploaded' | 'waiting' | 'held' | 'skipped' | 'failed';
  link: string | null;
  remark: string | null;
};

/** Null while the upload can still move. */
const endOf = (composed: Composed, id: number): End | null => {
  const row = composed.ledger.uploads.byId(id);
  if (row === null) return { bucket: 'failed', link: null, remark: null };
  const remark = (): string => `${nameText(row.name)}: ${sentence(row)}`;
  switch (row.state.kind) {
    case 'uploaded':
    case 'superseded':
      return { bucket: 'uploaded', link: row.publicLink, remark: null };
    case 'skipped': {
      const same = row.sameAsId === null ? null : composed.ledger.uploads.byId(row.sameAsId);
      return { bucket: 'skipped', link: same?.publicLink ?? null, remark: remark() };
    }
    case 'held':
    case 'uncertain':
      return { bucket: 'held', link: null, remark: `${remark()} (outtray confirm ${row.id})` };
    case 'failed':
      return { bucket: 'failed', link: null, remark: remark() };
    case 'gone': {
      // The ledger followed the file to a row that had its content already.
      const twin = composed.ledger.uploads.presentAt(row.folderId, row.dir, row.name);
      return twin?.state.kind === 'uploaded'
        ? { bucket: 'uploaded', link: twin.publicLink, remark: null }
        : { bucket: 'failed', link: null, remark: remark() };
    }
    case 'waiting':
      return row.state.reason === 'locked' ? { bucket: 'waiting', link: null, remark: remark() } : null;
    case 'settling':
    case 'ready':
    case 'sending':
    case 'committing':
      return null;
  }
};

const sentence = (row: Upload): string => {
  const text = sentenceFor(row.state, row.publicLink, {
    gate: { kind: 'open' },
    paused: false,
    running: true,
  });
  return row.state.kind === 'failed' ? `${text} ${row.state.remedy}` : text;
};
