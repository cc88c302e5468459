// With POSIX locks, closing any descriptor of a file frees every lock that this process has on it (fcntl(2)): a second
// engine could start, and the log of the ledger could be removed under its writer. So nothing else in this process opens
// a file that SQLite has open here, whatever name it is given by.
import { statSync } from 'node:fs';

/** Paths of open databases, one for each connection. */
const open: string[] = [];

/** The log and its index have locks, too. */
const endings = ['', '-wal', '-shm'];

/** Returns the undo, for when SQLite has closed it. */
export const holdLocks = (file: string): (() => void) => {
  open.push(file);
  return () => {
    const at = open.indexOf(file);
    if (at !== -1) open.splice(at, 1);
  };
};

export const hasLocksHere = ({ dev, ino }: { dev: bigint; ino: bigint }): boolean =>
  open.some((file) =>
    endings.some((ending) => {
      try {
        const stats = statSync(file + ending, { bigint: true, throwIfNoEntry: false });
        return stats?.ino === ino && stats.dev === dev;
      } catch {
        return false;
      }
    }),
  );
