// Files that the app was started with, or that the system opens with it: arguments of this start and of later ones, and
// macOS's own event. All can come before anything is ready, so they are kept until the app takes them. Those that come
// while the app ends are kept in a file: arguments of the next start have no room for many, and an installer passes none.
import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { app } from 'electron';
import { argumentPathOf } from './launch-mode.ts';

/** macOS opens the files of one selection one by one; those that come within this time belong together. */
const selectionMs = 100;

/** The paths among the arguments, whole. */
export const filesAmong = (args: readonly string[], folder: string): string[] => {
  const end = args.indexOf('--');
  const named = args.filter((argument, at) => (end !== -1 && at > end) || !argument.startsWith('-'));
  return named.map((argument) => path.resolve(folder, argumentPathOf(argument)));
};

/**
 * `isShare`: an entry of a file manager gave them, and its user wants the links on the clipboard and no window. `isLate`:
 * they were given more than an hour ago, and a person decides whether they are uploaded.
 */
export type FilesAtStart = { files: readonly string[]; isShare: boolean; isLate?: true };

export type GivenFiles = {
  /** Passes on the files that arrived so far and those that arrive from now on. */
  take(hear: (given: FilesAtStart) => void): void;
  /** The app ends: it keeps waiting files for the next start, and gives later ones to `passOn`. */
  leave(passOn: (given: FilesAtStart) => void): void;
};

const keptFile = (): string => path.join(app.getPath('userData'), 'given.jsonl');
/** An installer takes minutes. What waited for longer is not what its user expects of a start. */
const longestKeptMs = 3_600_000;

/** The next start takes it. */
export const keepForNextStart = (given: FilesAtStart): void => {
  if (given.files.length === 0) return;
  mkdirSync(path.dirname(keptFile()), { recursive: true });
  appendFileSync(keptFile(), `${JSON.stringify(given)}\n`, { mode: 0o600 });
};

const takeKept = (): FilesAtStart[] => {
  const file = keptFile();
  try {
    const isOld = Date.now() - statSync(file).mtimeMs > longestKeptMs;
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    // Before anything is uploaded: a file that stays would be uploaded by each start.
    rmSync(file);
    return lines.flatMap(givenOn).map((given) => (isOld ? { ...given, isLate: true } : given));
  } catch {
    return [];
  }
};

/** Nothing for a line that a crash cut off. */
const givenOn = (line: string): FilesAtStart[] => {
  try {
    return [givenOf(JSON.parse(line))];
  } catch {
    return [];
  }
};

/** Before the app is ready. `first`: the files of this start. */
export const followGivenFiles = (first: FilesAtStart): GivenFiles => {
  const early: FilesAtStart[] = [...takeKept(), first];
  let hear = (given: FilesAtStart): void => void early.push(given);
  // On the dock's icon, or opened with the app: one by one, the first ones before the app is ready
  // (Electron: `app`, event 'open-file').
  let selection: string[] = [];
  app.on('open-file', (event, file) => {
    event.preventDefault();
    selection.push(file);
    if (selection.length > 1) return;
    setTimeout(() => {
      const files = selection;
      selection = [];
      hear({ files, isShare: false });
    }, selectionMs);
  });
  // Not its arguments: Electron changes their order and adds some (Electron: `app`, event 'second-instance').
  app.on('second-instance', (_event, _argv, _folder, given) => hear(givenOf(given)));
  const follow = (wanted: (given: FilesAtStart) => void): void => {
    hear = (given) => {
      if (given.files.length > 0) wanted(given);
    };
  };
  const keep = (): void => {
    for (const given of early.splice(0)) keepForNextStart(given);
  };
  // A quit before anything else could follow the end of the app.
  app.on('will-quit', keep);
  return {
    take(wanted) {
      follow(wanted);
      for (const given of early.splice(0)) hear(given);
    },
    leave(passOn) {
      follow(passOn);
      keep();
    },
  };
};

/** What a second start handed over; it may be another version of this program. */
export const givenOf = (handed: unknown): FilesAtStart => {
  const { files, isShare, isLate } = Object(handed) as {
    files?: unknown;
    isShare?: unknown;
    isLate?: unknown;
  };
  const whole = (file: unknown): file is string => typeof file === 'string' && path.isAbsolute(file);
  return {
    files: Array.isArray(files) ? files.filter(whole) : [],
    isShare: isShare === true,
    ...(isLate === true ? { isLate } : {}),
  };
};
