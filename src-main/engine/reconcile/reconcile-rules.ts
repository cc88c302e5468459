// Looking (design/decisions/after-the-tail.md): what a list of the account's files says about an upload whose answer
// was lost. Pure.
import { lookTimes } from '../shared/waits.ts';
import type { RemoteFile } from '../../contract/model.ts';
import { isConsistentSize, type SizeUnit } from '../shared/links.ts';

/** The next time to look after `looks` looks, or null when all are done. */
export const nextLookAt = (lostAtMs: number, looks: number, reconcileAfterMs: number): number | null => {
  const waitMs = lookTimes(reconcileAfterMs)[looks];
  return waitMs === undefined ? null : lostAtMs + waitMs;
};

export type Lost = { sentName: string; sizeBytes: number; startedAtMs: number };

/** An entry that could be the lost upload: new since the attempt, nobody else's, with the sent name and a fitting size. */
export const isCandidate = (
  lost: Lost,
  file: RemoteFile,
  known: { isOurs: boolean; firstSeenAtMs: number | null },
  unit: SizeUnit | null,
): boolean => {
  if (file.file_id === undefined || known.isOurs) return false;
  if (known.firstSeenAtMs !== null && known.firstSeenAtMs < lost.startedAtMs) return false;
  if (file.filename !== undefined && file.filename !== lost.sentName) return false;
  return file.size === undefined || isConsistentSize(lost.sizeBytes, file.size, unit);
};

export type Evidence =
  /** A candidate serves exactly the sent bytes. */
  | { kind: 'proved'; file: RemoteFile }
  /** Some candidate could not be compared. */
  | { kind: 'undecided' }
  /** No candidate, or all of them serve other bytes. */
  | { kind: 'absent' };

export type LookVerdict =
  | { kind: 'adopt'; file: RemoteFile }
  | { kind: 'look-again' }
  /** Absent twice, the second time after `reconcileAfterMs`: it was never created. */
  | { kind: 'send-again' }
  | { kind: 'hold' };

/** `absences` counts complete views without a candidate, this one included. */
export const lookVerdict = (
  evidence: Evidence,
  view: { isComplete: boolean; absences: number; isLast: boolean },
): LookVerdict => {
  switch (evidence.kind) {
    case 'proved':
      return { kind: 'adopt', file: evidence.file };
    case 'undecided':
      return view.isLast ? { kind: 'hold' } : { kind: 'look-again' };
    case 'absent':
      if (!view.isComplete) return view.isLast ? { kind: 'hold' } : { kind: 'look-again' };
      return view.isLast && view.absences >= 2 ? { kind: 'send-again' } : { kind: 'look-again' };
  }
};

/** From when on an absence may count after a quick refusal: with the default 90 s, before the second look. */
export const quickAfterMs = (reconcileAfterMs: number): number => 3 * lookTimes(reconcileAfterMs)[0];

/** So many files of ours, confirmed within so short a time, show how soon the list has a new file. */
const witnessesNeeded = 10;
export const witnessMs = 60_000;

/**
 * The list has files of ours within a minute, all of them: what it lacks after two minutes it will not show later.
 * `confirmed`: ids of the uploads that were begun and confirmed in the minute before the list was asked for.
 */
export const isPromptList = (files: readonly RemoteFile[], confirmed: readonly number[]): boolean => {
  if (confirmed.length < witnessesNeeded) return false;
  const listed = new Set(files.map((file) => file.file_id));
  return confirmed.every((fileId) => listed.has(fileId));
};
