// When two stamps mean the same thing. The number of a device is no identity: on btrfs, network and removable drives it
// may change with a reboot, and a whole folder would look new.
import type { Stamp } from '../ports/files.ts';
import type { Upload } from '../ports/uploads.ts';

/** Same size, mtime, ctime and inode; the device may have another number. */
export const isSameVersion = (a: string | null, b: string | null): boolean => {
  if (a === b) return true;
  if (a === null || b === null) return false;
  return withoutDevice(a, 3) === withoutDevice(b, 3);
};

/** Same size and same time of the last write. The file may have been moved, or its rights may have changed. */
export const isUnwritten = (before: Stamp | null, now: Stamp | null): boolean =>
  before?.sizeBytes === now?.sizeBytes && before?.mtimeMs === now?.mtimeMs;

/**
 * Whether the wish for another link still holds: it is for the content that the file had when the user asked. Size and
 * time of two files can be equal, so the inode must be the same, too.
 */
export const goesOnWanting = (row: Pick<Upload, 'stamp' | 'wantsAnother'>, stamp: Stamp | null): boolean =>
  row.wantsAnother && row.stamp?.inode === stamp?.inode && isUnwritten(row.stamp, stamp);

/**
 * Whether a person's yes to this row still holds. The yes is for the content that was seen. With another stamp the
 * content may have changed; if it has not, its hash leads to the yes. An empty file always has the same content.
 */
export const staysConfirmed = (row: Pick<Upload, 'stamp' | 'confirmed'>, stamp: Stamp | null): boolean =>
  row.confirmed &&
  (isSameVersion(row.stamp?.key ?? null, stamp?.key ?? null) ||
    (row.stamp?.sizeBytes === 0 && stamp?.sizeBytes === 0));

type Renewed = Pick<Upload, 'stamp' | 'sha256' | 'sent' | 'confirmed' | 'wantsAnother' | 'graceOver'>;

/** What the row keeps when its file gets this stamp. */
export const renewed = (row: Renewed, stamp: Stamp): Renewed => ({
  stamp,
  graceOver: row.graceOver && row.stamp?.key === stamp.key,
  sha256: row.stamp?.key === stamp.key ? row.sha256 : null,
  sent: row.stamp?.key === stamp.key ? row.sent : null,
  confirmed: staysConfirmed(row, stamp),
  wantsAnother: goesOnWanting(row, stamp),
});

export const isOnSameDevice = (a: string | null, b: string | null): boolean =>
  a?.split(':')[3] === b?.split(':')[3];

/**
 * A file system reuses inode numbers. A file that was born after the last known change of the row's file is another
 * file. If the birth time is not known, it may be the same file.
 */
export const mayBeSame = (row: Pick<Upload, 'stamp' | 'createdAtMs'>, stamp: Stamp): boolean =>
  row.stamp !== null &&
  (stamp.bornMs === undefined || stamp.bornMs <= Math.max(row.stamp.ctimeMs, row.createdAtMs));

/**
 * Whether a file came, changed or was moved here after that time: each of these sets ctime. The file system's clock is
 * coarse, so a few milliseconds earlier still count as after.
 */
export const arrivedSince = (stamp: Pick<Stamp, 'ctimeMs'> | null, sinceMs: number): boolean =>
  stamp !== null && stamp.ctimeMs >= sinceMs - clockGrainMs;
/** Whether its content came after that time. A rename keeps the time of the content, and `arrivedSince` does not. */
export const isWrittenSince = (stamp: Stamp, sinceMs: number): boolean =>
  Math.min(stamp.mtimeMs, stamp.ctimeMs) >= sinceMs - clockGrainMs;
/** Whether the file itself came after that time: a touch, a rename and new content in place do not change this. */
export const isBornSince = (stamp: Pick<Stamp, 'bornMs'> | null, sinceMs: number): boolean =>
  stamp?.bornMs !== undefined && stamp.bornMs >= sinceMs - clockGrainMs;
const clockGrainMs = 12;

/** A given file that has not changed for this long goes at once, also where writers cannot be seen on this system. */
const oldEnoughMs = 2000;

/**
 * Milliseconds since the last change, by the file's own times; 0 where they prove nothing: a time in the future is of
 * another clock, and a young one in whole seconds (FAT, old disks) may be two seconds too early.
 */
export const restedMsOf = ({ mtimeMs, ctimeMs }: Stamp, wallMs: number): number => {
  const changedAtMs = Math.max(mtimeMs, ctimeMs);
  const restedMs = wallMs - changedAtMs;
  const isCoarse = changedAtMs % 1000 === 0;
  return restedMs < 0 || (isCoarse && !isOldEnough(restedMs)) ? 0 : restedMs;
};

export const isOldEnough = (restedMs: number): boolean => restedMs > oldEnoughMs;

const withoutDevice = (key: string, at: number): string => key.split(':').toSpliced(at, 1).join(':');
