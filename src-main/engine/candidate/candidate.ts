// The candidate: all that a guard may know about a file that is to become public. It is made where the file is judged,
// and again from the open file before its tail is sent, so that what is judged is what goes.
import { splitPath } from '../shared/paths.ts';
import { namesOfFile, type Names } from '../shared/sent-name.ts';
import type { Files, Place } from '../ports/files.ts';

/** `place`: where it really lies. */
export type IntakeCandidate = { place: Place; names: Names; sizeBytes: number };

/** `place`: of the open file before the tail; else where its path leads now. */
export const candidateOf = (
  place: Place,
  sizeBytes: number,
  name = splitPath(place.path).name,
): IntakeCandidate => ({ place, names: namesOfFile(name), sizeBytes });

/** The place of a path that no rule about places judges: the path as it is. */
export const writtenPlace = (path: string): Place => ({ path, names: [path], folders: [] });

/** Asks the disk only where rules about places are in force. */
export const placeFor = (
  files: Pick<Files, 'place'>,
  rules: { allowedRoots: readonly unknown[]; forbiddenRoots: readonly unknown[] },
  path: string,
): Promise<Place> =>
  rules.allowedRoots.length + rules.forbiddenRoots.length === 0
    ? Promise.resolve(writtenPlace(path))
    : files.place(path);
