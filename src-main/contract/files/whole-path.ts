// Every program that Outtray starts is named by its whole path (a rule of the architecture test): Windows looks for a
// bare name in the current folder first, other systems do where PATH has an empty or relative entry.
import { AppError } from '../errors.ts';

const isWhole = (path: string): boolean => /^(\/|[a-z]:[\\/]|\\\\[^\\])/i.test(path);

/** The path as it is. Throws `internal` for one that depends on the current folder, or on the current drive. */
export const wholePath = (program: string): string => {
  if (isWhole(program)) return program;
  throw new AppError('internal', `A program is to be started by a bare name: ${program}.`, 'Report this.');
};
