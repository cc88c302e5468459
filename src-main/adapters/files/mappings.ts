// Files that processes have mapped shared and writable. Reading /proc/PID/maps costs half a millisecond for an average
// process, and a desktop has hundreds. So the answer is kept as long as the process's memory figures (/proc/PID/statm,
// a few microseconds) stay the same: mapping a file, or touching it, changes them.
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { systemCode } from '../system-code.ts';

/** A mapped file: its last name as latin1 and its inode number. */
type Mapping = { name: string; ino: string };

export const createMappings = () => {
  const known = new Map<string, { figures: string; mappings: Mapping[] }>();
  return {
    of: (pid: string): readonly Mapping[] => {
      const figures = attemptWithHandle(() => readFileSync(`/proc/${pid}/statm`, 'utf8')) ?? '';
      // A thread of the kernel maps nothing.
      if (figures.startsWith('0 ')) return [];
      const before = known.get(pid);
      if (before !== undefined && before.figures === figures) return before.mappings;
      const mappings = readMappings(pid);
      known.set(pid, { figures, mappings });
      return mappings;
    },
    /** Forgets processes that ended. */
    keepOnly: (processes: readonly string[]): void => {
      const living = new Set(processes);
      for (const pid of known.keys()) if (!living.has(pid)) known.delete(pid);
    },
  };
};

/** A line: `7f0000-7f1000 rw-s 00000000 fe:00 1311 /path`; the only escape in the path is \012 for a newline. */
const readMappings = (pid: string): Mapping[] => {
  const maps = attemptWithHandle(() => readSystemText(`/proc/${pid}/maps`)) ?? '';
  const mappings: Mapping[] = [];
  // Among thousands of lines a handful are shared: only those are looked at, which takes a tenth of the time.
  for (let at = maps.indexOf(shared); at >= 0; at = maps.indexOf(shared, at + shared.length)) {
    const end = maps.indexOf('\n', at);
    const line = maps.slice(maps.lastIndexOf('\n', at) + 1, end < 0 ? undefined : end);
    const [, ino, path] = /^\S+ rw-s \S+ \S+ (\d+) +(\/.*)$/.exec(line) ?? [];
    if (ino !== undefined && path !== undefined)
      mappings.push({ name: lastName(path.replaceAll('\\012', '\n')), ino });
  }
  return mappings;
};

const shared = ' rw-s ';

export const lastName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const piece = Buffer.alloc(64 * 1024);

/**
 * Reads a file that the kernel generates, as in /proc; latin1, because names may be of any bytes. Such a file has no
 * size, and `readFileSync` would allocate 64 KiB for each page of it. Throws the system's error.
 */
export const readSystemText = (file: string): string => {
  const descriptor = openSync(file, 'r');
  try {
    let text = '';
    for (;;) {
      const bytes = readSync(descriptor, piece);
      if (bytes === 0) return text;
      text += piece.toString('latin1', 0, bytes);
    }
  } finally {
    closeSync(descriptor);
  }
};

/** Processes end and files close while we look: what cannot be read any more is not there. */
export const attempt = <T>(ask: () => T): T | null => {
  try {
    return ask();
  } catch {
    return null;
  }
};

/** Without a free handle nothing was looked at. */
export const isWithoutHandle = (error: unknown): boolean => ['EMFILE', 'ENFILE'].includes(systemCode(error));

/** The same for what takes a handle. Throws the system's error where none is free: then it may be there all the same. */
export const attemptWithHandle = <T>(ask: () => T): T | null => {
  try {
    return ask();
  } catch (error) {
    if (isWithoutHandle(error)) throw error;
    return null;
  }
};
