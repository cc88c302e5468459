// Runs the command of a file manager's entry as that file manager does: each has its own way of putting paths into a
// command. GLib's rules of splitting (glib/gshell.c) differ from those of a shell: `$` has no meaning.

/** As `g_shell_parse_argv`: blanks separate, quotes and backslashes as GLib reads them. */
export const glibWords = (line: string): string[] => {
  const words: string[] = [];
  let word: string | null = null;
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at] ?? '';
    if (/[ \t\n]/.test(sign)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (sign === "'") {
      const end = line.indexOf("'", at + 1);
      if (end < 0) throw new Error(`A quote has no end: ${line}`);
      word = (word ?? '') + line.slice(at + 1, end);
      at = end;
    } else if (sign === '"') {
      word ??= '';
      for (at += 1; line[at] !== '"'; at += 1) {
        if (at >= line.length) throw new Error(`A quote has no end: ${line}`);
        if (line[at] === '\\' && /["\\`$\n]/.test(line[at + 1] ?? '')) at += 1;
        word += line[at] ?? '';
      }
    } else if (sign === '\\') {
      at += 1;
      word = (word ?? '') + (line[at] === '\n' ? '' : (line[at] ?? ''));
    } else word = (word ?? '') + sign;
  }
  if (word !== null) words.push(word);
  return words;
};

/** A value of a key file: `\\`, `\n`, `\s`. */
export const keyOf = (text: string, key: string): string => {
  const value = new RegExp(`^${key}=(.*)$`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`There is no ${key}.`);
  return value.replaceAll(/\\(.)/g, (_, sign: string) => ({ n: '\n', s: ' ', t: '\t' })[sign] ?? sign);
};

/** Nemo with Quote=double (libnemo-private/nemo-action.c: expand_action_string, get_path): tokens are replaced once. */
export const nemoWords = (action: string, paths: readonly string[]): string[] => {
  const list = paths.map((one) => `"${one.replaceAll(/["\\]/g, '\\$&')}"`).join(' ');
  return glibWords(expand(keyOf(action, 'Exec'), list));
};

/**
 * Nautilus (`run_script`): the variables, the script and the names that reach it. GLib parses the quoted names as an
 * Exec line, where `%` begins a field code, which is empty here (gio/gdesktopappinfo.c,
 * expand_application_parameters). `names`: characters that are bytes.
 */
export const nautilusWords = (script: string, folder: string, names: readonly string[]): string[] => {
  const line = names.map((name) => `'${name.replaceAll("'", "'\\''")}'`).join(' ');
  const paths = names.map((name) => `${folder}/${name}\n`).join('');
  const inUri = (sign: string): string =>
    `%${sign.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`;
  return [
    `NAUTILUS_SCRIPT_SELECTED_FILE_PATHS=${paths}`,
    `NAUTILUS_SCRIPT_SELECTED_URIS=${names.map((name) => `file://${`${folder}/${name}`.replaceAll(/[^\w/.-]/g, inUri)}\n`).join('')}`,
    script,
    ...glibWords(line.replaceAll(/%([^])/g, (_, sign) => (sign === '%' ? '%' : ''))),
  ];
};

/** Thunar (thunar_uca_model_parse_argv): each path is quoted by `g_shell_quote`, and /bin/sh reads the line. */
export const thunarWords = (command: string, paths: readonly string[]): string[] => [
  '/bin/sh',
  '-c',
  expand(command, paths.map((one) => `'${one.replaceAll("'", "'\\''")}'`).join(' ')),
];

const expand = (line: string, list: string): string =>
  line.replaceAll(/%(.)/g, (all, sign) => (sign === '%' ? '%' : sign === 'F' ? list : all));

/** A desktop entry's Exec (the specification's own rules, as KIO and GLib follow them): %F is a word of its own. */
export const desktopWords = (entry: string, paths: readonly string[]): string[] =>
  glibWords(keyOf(entry, 'Exec')).flatMap((word) => (word === '%F' ? paths : [word.replaceAll('%%', '%')]));
