// A call of the command in a sentence: written here, and found again here, because the window has other remedies.
import type { ProgramCommand } from '../catalogue/program.ts';

/** "`outtray queue`"; `rest`: arguments and options, as they are typed. */
export const command = (name: ProgramCommand, rest = ''): string =>
  `\`outtray ${name}${rest === '' ? '' : ` ${rest}`}\``;

export const see = (name: ProgramCommand, rest = ''): string => `See ${command(name, rest)}.`;

/** Commands stand in backquotes and options begin with dashes: neither helps the user of a window. */
export const isForTerminal = (remedy: string): boolean => /`|\s--[a-z]/.test(remedy);
