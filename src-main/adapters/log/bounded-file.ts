// A file that lines are added to and that never outgrows its bound: at 1 MiB it becomes `.1`, `.1` becomes `.2`, the
// oldest is dropped. Writes are synchronous, so that the last line before a crash is in the file; the app and the
// command may write to the same file. rotating-file-stream buffers and assumes that it is alone, hence these lines.
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

export type BoundedFile = {
  /** Never throws: a full disk must not stop an upload because a line about it could not be written. */
  write(line: string): void;
  close(): void;
};

/** A link in its place is never followed. (Windows has no such flag; the data folder is checked at the start.) */
const appending = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;

/** A file that was deleted or moved away is noticed this soon: to look at each line would cost as much as the line. */
const lookEveryMs = 2000;

/** Opened at the first line. Private (0600). */
export const createBoundedFile = (
  file: string,
  { maxBytes = 1_048_576, files = 3, nowMs = () => performance.now() } = {},
): BoundedFile => {
  let fd: number | null = null;
  let lookedMs = 0;

  const open = () => {
    try {
      // The folder above it is the data folder: one that is gone is not made again.
      mkdirSync(dirname(file), { mode: 0o700 });
    } catch {
      // It is there, or opening the file fails as well.
    }
    return openSync(file, appending, 0o600);
  };

  const close = () => {
    const closing = fd;
    // Also after an error the system has freed the number, and may give it to another file.
    fd = null;
    if (closing !== null) closeSync(closing);
  };

  const isInPlace = (open: number): boolean => {
    try {
      return statSync(file).ino === fstatSync(open).ino;
    } catch {
      return false;
    }
  };

  const rotate = (inode: number) => {
    close();
    // The other process may have done it already; then the path is a new file.
    if (statSync(file, { throwIfNoEntry: false })?.ino === inode) {
      for (let age = files - 1; age > 0; age -= 1) {
        const younger = age === 1 ? file : `${file}.${age - 1}`;
        if (statSync(younger, { throwIfNoEntry: false }) !== undefined) renameSync(younger, `${file}.${age}`);
      }
    }
    return open();
  };

  return {
    write(line) {
      const bytes = Buffer.from(line);
      try {
        if (fd !== null && nowMs() - lookedMs >= lookEveryMs) {
          lookedMs = nowMs();
          if (!isInPlace(fd)) close();
        }
        fd ??= open();
        const { size, ino } = fstatSync(fd);
        if (size > 0 && size + bytes.length > maxBytes) fd = rotate(ino);
        writeSync(fd, bytes);
      } catch {
        try {
          close();
        } catch {
          // Nothing is left to be closed.
        }
      }
    },
    close,
  };
};
