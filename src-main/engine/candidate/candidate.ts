// The candidate: all that a guard may know about a file that is to become public. It is made where the file is judged,
// and again from the open file before its tail is sent, so that what is judged is what goes.
import type { Door } from '../../contract/model.ts';
import { splitPath } from '../shared/paths.ts';
import { namesOfFile, type Names } from '../shared/sent-name.ts';
import type { Files, Place, Stamp } from '../ports/files.ts';
import type { Upload } from '../ports/uploads.ts';

export type IntakeCandidate = {
  /** `place`: where it really lies. `folderId` null: it was given by path. */
  at: { place: Place; folderId: number | null };
  file: { stamp: Stamp };
  names: Names;
  content: { sizeBytes: number; sha256: string | null };
  /** A person has confirmed this row: names and bursts do not hold it again. */
  said: { isConfirmed: boolean };
  door: Door;
};

/** `place`: of the open file before the tail; else where its path leads now. */
export const candidateOf = (
  row: Pick<Upload, 'folderId' | 'dir' | 'name' | 'sha256' | 'confirmed' | 'door'>,
  stamp: Stamp,
  place: Place,
): IntakeCandidate => ({
  at: { place, folderId: row.folderId },
  file: { stamp },
  names: namesOfFile(row.name),
  content: { sizeBytes: stamp.sizeBytes, sha256: row.sha256 },
  said: { isConfirmed: row.confirmed },
  door: row.door,
});

/** For a file without a row: it is only inspected, or is to be packed. */
export const candidateAt = (place: Place, stamp: Stamp, door: Door): IntakeCandidate =>
  candidateOf(
    { folderId: null, ...splitPath(place.path), sha256: null, confirmed: false, door },
    stamp,
    place,
  );

/** The stamp of a file of which at most the size is judged, because it is not there yet or was judged before. */
export const draftStamp = (sizeBytes: number): Stamp => ({
  sizeBytes,
  key: '',
  inode: '',
  mtimeMs: 0,
  ctimeMs: 0,
});

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
