// The rules of looking (design/upload-protocol.md): what the account list shows about an upload whose answer
// was lost. Pure.
import type { FileId } from '../../contract/text/file-id.ts';
import { lookTimes } from '../shared/waits.ts';
import type { RemoteFile } from '../../contract/model.ts';
import { isConsistentSize, sizeUnits } from '../shared/links.ts';

/** The next time to look after `looks` looks, or null when all are done. */
export const nextLookAt = (lostAtMs: number, looks: number, reconcileAfterMs: number): number | null => {
  const waitMs = lookTimes(reconcileAfterMs)[looks];
  return waitMs === undefined ? null : lostAtMs + waitMs;
};

export type LostUpload = { sentName: string; sizeBytes: number; startedAtMs: number };

/**
 * Whether an entry could be the lost upload: with its name or a fitting size, of no other upload, new since the
 * attempt. A list may have very many entries: the ledger is asked only about those with such a name or size.
 */
export const isCandidate = (
  lost: LostUpload,
  file: RemoteFile,
  known: (fileId: FileId) => { isOurs: boolean; firstSeenAtMs: number | null },
): boolean => {
  if (file.file_id === undefined || !isLike(lost, file)) return false;
  const { isOurs, firstSeenAtMs } = known(file.file_id);
  return !isOurs && (firstSeenAtMs === null || firstSeenAtMs >= lost.startedAtMs);
};

/** Whether an entry has the name of the lost upload, or may have its size. */
export const isLike = (lost: LostUpload, file: RemoteFile): boolean =>
  file.filename === lost.sentName || hasSizeOf(lost, file);

/** Whether an entry may have this size. An entry of unknown size may. */
export const hasSizeOf = ({ sizeBytes }: Pick<LostUpload, 'sizeBytes'>, { size }: RemoteFile): boolean =>
  size === undefined || isConsistentSize(sizeBytes, size);

/**
 * Gives the entries that are like an upload, in the order of the list. Both may be tens of thousands, so an entry is
 * looked up, and not compared with each upload.
 */
export const createLikes = <Entry extends RemoteFile>(
  files: readonly Entry[],
): ((lost: LostUpload) => Entry[]) => {
  const byKey = new Map<string | number | undefined, number[]>();
  const add = (key: string | number | undefined, at: number): void => {
    const those = byKey.get(key);
    if (those === undefined) byKey.set(key, [at]);
    else those.push(at);
  };
  for (const [at, { filename, size }] of files.entries()) {
    if (filename !== undefined) add(filename, at);
    add(size === undefined ? size : Math.floor(size), at);
  }
  return (lost) => {
    const sizes = sizeUnits.map((unit) => Math.floor(lost.sizeBytes / unit));
    // A consistent size differs by less than 1.
    const keys = [lost.sentName, undefined, ...sizes.flatMap((size) => [size - 1, size, size + 1])];
    const found = new Set(keys.flatMap((key) => byKey.get(key) ?? []));
    return [...found]
      .sort((one, other) => one - other)
      .flatMap((at) => files[at] ?? [])
      .filter((file) => isLike(lost, file));
  };
};

export type Evidence =
  /** The link of a candidate serves exactly the sent bytes. */
  | { kind: 'proved'; file: RemoteFile }
  /** Some candidate could not be compared. */
  | { kind: 'undecided' }
  /** No candidate, or all of them serve other bytes. */
  | { kind: 'absent' };

export type LookVerdict =
  | { kind: 'adopt'; file: RemoteFile }
  | { kind: 'look-again' }
  /** Absent after `reconcileAfterMs`: it was never created. */
  | { kind: 'send-again' }
  | { kind: 'hold' };

/** `isComplete`: the reading proves that no entry is missing. `isLast`: even a slow list must show the file now. */
export const lookVerdict = (
  evidence: Evidence,
  { isComplete, isLast }: { isComplete: boolean; isLast: boolean },
): LookVerdict => {
  if (evidence.kind === 'proved') return { kind: 'adopt', file: evidence.file };
  if (!isLast) return { kind: 'look-again' };
  return { kind: evidence.kind === 'absent' && isComplete ? 'send-again' : 'hold' };
};

/** After a quick refusal an absence may count from this time on: 90 s with the default, before the second look. */
export const quickAfterMs = (reconcileAfterMs: number): number => 3 * lookTimes(reconcileAfterMs)[0];

/** At least this many of our own files, all confirmed within `witnessMs`, show how soon the list has a new file. */
const witnessesNeeded = 10;
export const witnessMs = 60_000;

/**
 * Whether the list shows all of our own files within a minute. Then a file that is missing after two minutes will not
 * appear later. `confirmed`: ids of uploads that began and were confirmed in the minute before the list request.
 */
export const isPromptList = (files: readonly RemoteFile[], confirmed: readonly FileId[]): boolean => {
  if (confirmed.length < witnessesNeeded) return false;
  const listed = new Set(files.map((file) => file.file_id));
  return confirmed.every((fileId) => listed.has(fileId));
};
