// How the words of a command are written where an entry names it.

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
