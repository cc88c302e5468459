// The port `Audit`: lines are only appended, by one write with O_APPEND, and are on the disk (fsync) before it returns.
//
// · A crash in the middle of a write may tear the last line; the next append ends it. It counts only if it is whole.
// · At 10 MiB one rename gives the file a name with the time: a crash before or after it loses nothing. The ten newest
//   of these files stay. Where it cannot be renamed (chattr +a, a mount point, opened by a collector on Windows), the
//   file goes on growing.
// · bounded-file.ts does not serve here: it drops a line that it cannot write.
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { statfsSync, statSync, writeSync, type Stats } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { visibleJson } from '../../contract/text/printable.ts';
import type { Audit, AuditLine } from '../../engine/ports/ledger.ts';
import { hasLocksHere } from '../system/storage.ts';

/** With less room the next lines would fail. */
const leastFreeBytes = 64 * 1024;
/** The file is read from its end in pieces of this size. */
const pieceBytes = 64 * 1024;
const newline = 0x0a;
/** One of our lines is far shorter, unless its path is at the system's limit several times over. */
const headBytes = 64 * 1024;

export type AuditFiles = Audit & {
  /** Throws `bad-setting` when the path holds a link or anything other than an audit file. Creates nothing. */
  demandOurs(file: string): void;
};

export const createAudit = ({
  nowMs,
  maxBytes = 10 * 1024 * 1024,
  files = 10,
}: {
  nowMs: () => number;
  maxBytes?: number;
  /** How many full files stay beside the one that is written. */
  files?: number;
}): AuditFiles => {
  const who = { user: userName(), computer: hostname() };

  const explained = <T>(file: string, act: () => T): T => {
    try {
      return act();
    } catch (cause) {
      throw unwritable(file, cause);
    }
  };

  const append = (file: string, lines: readonly AuditLine[]): void => {
    const before = lstatSync(file, { throwIfNoEntry: false });
    const isRotated = before !== undefined && before.size >= maxBytes && rotate(file);
    const fd = openOurs(file);
    try {
      if (isRotated) giveRights(fd, before);
      const texts = lines.map((line) => `${visibleJson(JSON.stringify({ ...line, ...who }))}\n`);
      const text = texts.join('');
      const bytes = Buffer.from(endsWhole(fd) ? text : `\n${text}`);
      for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  };

  /** False when it cannot be renamed: it goes on growing, and no line is lost. */
  const rotate = (file: string): boolean => {
    const now = new Date(nowMs()).toISOString().replaceAll(/[-:]|\.\d+/g, '');
    try {
      const [newest] = fullOnes(file);
      // After the clock was set back, the names go on from the newest one: their order is that of the lines.
      const isLater = newest === undefined || now > newest.time;
      const full = `${file}.${isLater ? now : `${newest.time}-${newest.again + 1}`}`;
      // First the name: another process may write the same file, and must not replace the one that this process fills.
      closeSync(openSync(full, 'wx', 0o600));
      try {
        renameSync(file, full);
      } catch (error) {
        rmSync(full, { force: true });
        throw error;
      }
    } catch {
      // A disk that really failed is reported by the write that follows.
      return false;
    }
    attempt(() => {
      for (const { path } of fullOnes(file).slice(files)) attempt(() => rmSync(path, { force: true }));
    });
    return true;
  };

  return {
    check: (file) =>
      explained(file, () => {
        const { bavail, bsize } = statfsSync(dirname(file));
        if (bavail * bsize < leastFreeBytes) throw new Error('the disk is full');
        closeSync(openOurs(file));
      }),
    lastSeq: (file, ledger) =>
      explained(file, () => {
        const [newest] = fullOnes(file);
        for (const one of newest === undefined ? [file] : [file, newest.path]) {
          const seq = lastIn(one, ledger);
          if (seq !== null) return seq;
        }
        return null;
      }),
    demandOurs(file) {
      // A missing file is fine: its folder may be made later. The first write reports what else is wrong.
      try {
        if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return;
        closeSync(openOurs(file));
      } catch (cause) {
        const said = cause instanceof Error ? cause.message : String(cause);
        throw new AppError(
          'bad-setting',
          `${file} cannot be the audit file: ${said}.`,
          'Name a file that is not there yet, or an audit file of Outtray.',
          { cause },
        );
      }
    },
    append: (file, lines) => explained(file, () => append(file, lines)),
  };
};

/** Throws for a database that this process has open: to open and close it here frees its locks. */
const isThere = (file: string): boolean => {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  if (stats !== undefined && hasLocksHere(stats)) throw new Error('Outtray keeps other data in it');
  return stats !== undefined;
};

/**
 * Opens the file to append lines; creates it if it is missing. Throws for a link or another kind of file: otherwise the
 * setting auditFile could name any file of the user.
 */
const openOurs = (file: string): number => {
  isThere(file);
  const fd = openSync(
    file,
    constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK | constants.O_NOFOLLOW,
    0o600,
  );
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw new Error('it is no regular file');
    const head = Buffer.alloc(Math.min(headBytes, stats.size));
    readSync(fd, head, 0, head.length, 0);
    if (stats.size > 0 && !isAuditFile(head.toString('utf8')))
      throw new Error('it holds something else than records of Outtray');
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
};

/**
 * The file's successor is readable for the same people, for example a collector's group. It stays private when that
 * group cannot be given to it.
 */
const giveRights = (fd: number, { mode, gid }: Stats): void => {
  attempt(() => {
    const own = fstatSync(fd);
    if (own.gid !== gid) fchownSync(fd, own.uid, gid);
    fchmodSync(fd, mode & 0o777);
  });
};

/** Whole lines of Outtray, or the torn beginning of the first one. */
const isAuditFile = (head: string): boolean =>
  head.split('\n').some((line) => {
    try {
      const read: unknown = JSON.parse(line);
      return (
        typeof read === 'object' && read !== null && 'ledger' in read && 'seq' in read && 'event' in read
      );
    } catch {
      return false;
    }
  }) ||
  (!head.includes('\n') && (head.startsWith(firstWords) || firstWords.startsWith(head)));

/** `AuditLine` begins with its time. */
const firstWords = '{"at":"';

type FullFile = {
  path: string;
  /** `20260101T000000Z` */
  time: string;
  /** 2 for the second file with this time, and so on. */
  again: number;
};

/** The full files, the newest first: by their names, because a clock that is set back makes the times of files useless. */
const fullOnes = (file: string): FullFile[] => {
  const folder = dirname(file);
  const start = `${basename(file)}.`;
  return readdirSync(folder)
    .flatMap((name): FullFile[] => {
      const ending = name.startsWith(start) ? name.slice(start.length) : '';
      const [, time, again = '1'] = /^(\d{8}T\d{6}Z)(?:-(\d+))?$/.exec(ending) ?? [];
      return time === undefined ? [] : [{ path: join(folder, name), time, again: Number(again) }];
    })
    .sort((a, b) => (a.time === b.time ? b.again - a.again : a.time < b.time ? 1 : -1));
};

const endsWhole = (fd: number): boolean => {
  const { size } = fstatSync(fd);
  const last = Buffer.alloc(1);
  return size === 0 || (readSync(fd, last, 0, 1, size - 1) === 1 && last[0] === newline);
};

/** Read backwards, piece by piece, until a whole line of this ledger is found. */
const lastIn = (file: string, ledger: string): number | null => {
  if (!isThere(file)) return null;
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    let rest = Buffer.alloc(0);
    for (let end = fstatSync(fd).size; end > 0;) {
      const length = Math.min(pieceBytes, end);
      const piece = Buffer.alloc(length);
      end -= length;
      readSync(fd, piece, 0, length, end);
      const bytes = Buffer.concat([piece, rest]);
      // The text before the first line feed may be the end of a line that begins in the preceding piece.
      const cut = end === 0 ? 0 : bytes.indexOf(newline) + 1;
      if (cut === 0 && end > 0) {
        rest = bytes;
        continue;
      }
      const found = bytes.subarray(cut).toString('utf8').split('\n').reverse();
      for (const line of found) {
        const seq = seqIn(line, ledger);
        if (seq !== null) return seq;
      }
      rest = bytes.subarray(0, cut);
    }
    return null;
  } finally {
    closeSync(fd);
  }
};

/** Null for a line that is torn, or of another ledger. */
const seqIn = (line: string, ledger: string): number | null => {
  if (!line.includes(ledger)) return null;
  try {
    const read: unknown = JSON.parse(line);
    if (typeof read !== 'object' || read === null || !('ledger' in read) || !('seq' in read)) return null;
    return read.ledger === ledger && typeof read.seq === 'number' ? read.seq : null;
  } catch {
    return null;
  }
};

const attempt = (act: () => void): void => {
  try {
    act();
  } catch {
    // The records matter more.
  }
};

const userName = (): string => {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
};

const unwritable = (file: string, cause: unknown): AppError => {
  const said = cause instanceof Error ? cause.message : String(cause);
  return new AppError(
    'audit',
    `The audit file ${file} cannot be written (${said}).`,
    'Create its folder, give your account permission to write to it, or free up space; nothing is uploaded until then, and Outtray tries again by itself.',
    { cause },
  );
};
