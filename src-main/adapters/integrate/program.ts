// How another program starts this one, and how its words are written where an entry names it.
import path from 'node:path';

/** What every entry runs; the paths follow. */
export const uploadArguments = ['upload', '--copy', '--'] as const;

/**
 * The words that start the command: the installed program, an AppImage, Electron with the app's folder, or Node with
 * cli.ts.
 */
export const thisProgram = (
  running: Pick<NodeJS.Process, 'execPath' | 'versions' | 'argv' | 'env'> & {
    defaultApp?: boolean;
  } = process,
): string[] => {
  // An AppImage is mounted at another path at each start; its own file keeps its path.
  if ('electron' in running.versions && running.defaultApp !== true)
    return [running.env['APPIMAGE'] || running.execPath];
  return [running.execPath, path.resolve(running.argv[1] ?? '')];
};

/** A word for `sh`, which Thunar uses, and for GLib's `g_shell_parse_argv`, which Nemo uses. */
export const shellWord = (word: string): string =>
  /^[\w@+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

export const shellWords = (words: readonly string[]): string => words.map(shellWord).join(' ');

/** A string as the value of a key in a desktop entry (Desktop Entry Specification 1.5, Possible value types). */
export const keyValue = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

/** A word of the key Exec (the same, The Exec key): quoted, and `%` doubled. */
export const execWord = (word: string): string =>
  /^[\w@+=:,./-]+$/.test(word) ? word : `"${word.replaceAll(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`;

export const inXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
