// Files that the app was started with, or that the system opens with it: arguments of this start and of later ones, and
// macOS's own event. All can come before anything is ready, so they are kept until the app takes them.
import path from 'node:path';
import { app } from 'electron';
import { pathOf } from './launch-mode.ts';

/** Enough for any selection in a file manager; the message to the first start has a limit of its own. */
const maxFiles = 1_000;

/** macOS opens the files of one selection one by one; those that come within this time belong together. */
const selectionMs = 100;

/** The paths among the arguments, whole. */
export const filesAmong = (args: readonly string[], folder: string): string[] => {
  const end = args.indexOf('--');
  const named = args.filter((argument, at) => (end !== -1 && at > end) || !argument.startsWith('-'));
  return named.slice(0, maxFiles).map((argument) => path.resolve(folder, pathOf(argument)));
};

export type GivenFiles = {
  /** Passes on the files that arrived so far and those that arrive from now on. */
  take(hear: (files: readonly string[]) => void): void;
};

/** Before the app is ready. `first`: the files of this start. */
export const followGivenFiles = (first: readonly string[]): GivenFiles => {
  const early: (readonly string[])[] = [first];
  let hear = (files: readonly string[]): void => void early.push(files);
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
      hear(files);
    }, selectionMs);
  });
  // Not its arguments: Electron changes their order and adds some (Electron: `app`, event 'second-instance').
  app.on('second-instance', (_event, _argv, _folder, given) => hear(filesOf(given)));
  return {
    take(wanted) {
      hear = (files) => {
        if (files.length > 0) wanted(files);
      };
      for (const files of early.splice(0)) hear(files);
    },
  };
};

/** What a second start hands over; it may be another version of this program. */
export const givenBy = (files: readonly string[]): { files: readonly string[] } => ({ files });

const filesOf = (given: unknown): string[] => {
  const { files } = Object(given) as { files?: unknown };
  if (!Array.isArray(files)) return [];
  return files
    .filter((file): file is string => typeof file === 'string' && path.isAbsolute(file))
    .slice(0, maxFiles);
};
