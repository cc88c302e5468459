// What an `upload` has to do: the files are recorded in the ledger, in the order of the arguments.
import type { LinkedFile } from '../../contract/text/link-text.ts';
import { type Door, noCounts, type Counts } from '../../contract/model.ts';
import { requireRight } from '../../contract/rights.ts';
import { unlessInterrupted, type Composed, type Session } from '../session.ts';
import { bytesText, expiryFrom, nameText } from '../output/words.ts';
import { tellRefused, type GivenFlags } from './given-files.ts';
import { formFrom, type Form, type LinkFlags } from './link-forms.ts';
import { inputFrom, inputMark, keepInput, type InputFlags } from './standard-input.ts';
import { leftOutText } from './zip.ts';

/** What remains to be done and printed, carried over when a guest has to become the engine. */
export type Job = {
  /** In the order of the arguments; null: not in the ledger yet. */
  waiting: number[] | null;
  /** Uploads that ended before this run: no entries arrive for them. */
  known: Set<number>;
  ids: Set<number>;
  counts: Counts;
  /** How many of those that are uploaded were before this run. */
  before: number;
  /** How many of those are held because no usable answer came. */
  unanswered: number;
  /** All that were printed. */
  links: LinkedFile[];
};

export type UploadFlags = GivenFlags &
  InputFlags &
  LinkFlags & {
    wait?: boolean;
    again?: boolean;
    open?: boolean;
    expire?: string;
    door?: Door;
    detach?: boolean;
    zip?: boolean;
  };

export const newJob = (waiting: number[] | null = null): Job => ({
  waiting,
  known: new Set(),
  ids: new Set(waiting),
  counts: noCounts(),
  before: 0,
  unanswered: 0,
  links: [],
});

/** The requested form. If a policy forbids the clipboard, `--copy` throws: nothing is uploaded without its copy. */
export const formOf = ({ settings }: Composed, { copy, format }: UploadFlags): Form | null => {
  if (copy === true) requireRight(settings, 'allowCopy');
  return formFrom(format, settings);
};

/** Records what is to be uploaded; the ids in the order of the arguments. */
export const queueFiles = async (
  session: Session,
  composed: Composed,
  job: Job,
  named: readonly string[],
  flags: UploadFlags,
): Promise<number[]> => {
  const { client, clock } = composed;
  const input = inputFrom(named, flags);
  const kept = input === null ? null : await keepInput(session, composed, input);
  const files = kept === null ? named : named.map((path) => (path === inputMark ? kept : path));
  if (flags.zip === true) return [await pack(session, composed, job, named, flags)];
  const paths =
    flags.recursive === true && files.length > 0 ? await filesIn(session, composed, job, files) : files;
  const taken =
    paths.length === 0
      ? []
      : await client.call('files.upload', {
          paths: [...paths],
          again: flags.again === true,
          door: flags.door ?? 'command',
          ...(flags.expire === undefined ? {} : { expire: expiryFrom(flags.expire, clock.wallMs()) }),
        });
  const ids: number[] = [];
  for (const { path, upload, error } of taken) {
    if (upload === null) {
      tellRefused(session, composed, path, error);
      job.counts.failed += 1;
      continue;
    }
    const { id, bucket } = upload;
    ids.push(id);
    job.ids.add(id);
    if (bucket === 'uploaded' || bucket === 'held' || bucket === 'skipped') job.known.add(id);
  }
  return ids;
};

/** Packs the named files and folders into one zip and records it. */
const pack = async (
  session: Session,
  composed: Composed,
  job: Job,
  named: readonly string[],
  { name, again, expire }: UploadFlags,
): Promise<number> => {
  const { output } = session;
  const { upload, files, leftOut, packedAgain } = await unlessInterrupted(session, () =>
    composed.client.call('files.bundle', {
      paths: [...named],
      name: name ?? null,
      again: again === true,
      ...(expire === undefined ? {} : { expire: expiryFrom(expire, composed.clock.wallMs()) }),
    }),
  );
  for (const path of packedAgain)
    output.note(`${path} changed while it was being packed, so everything was packed again.`);
  if (leftOut.length > 0) output.note(leftOutText(leftOut));
  const size = bytesText(upload.sizeBytes);
  output.note(`${files === 1 ? '1 file' : `${files} files`} in ${nameText(upload.name)} (${size}).`);
  job.ids.add(upload.id);
  if (upload.bucket === 'held') job.known.add(upload.id);
  return upload.id;
};

/** The files in the named folders, and the parts that cannot be read. */
const filesIn = async (
  session: Session,
  composed: Composed,
  job: Job,
  named: readonly string[],
): Promise<readonly string[]> => {
  const { paths, unreadable, leftOut } = await unlessInterrupted(session, () =>
    composed.client.call('files.walk', { paths: [...named] }),
  );
  const remedy = 'Give your account permission to read it.';
  for (const { path, message } of unreadable)
    tellRefused(session, composed, path, { code: 'locked', message, remedy });
  job.counts.failed += unreadable.length;
  if (leftOut.length > 0) session.output.note(leftOutText(leftOut));
  if (paths.length === 0) session.output.note('There is no file to upload.');
  return paths;
};
