// What the command prints: text for people, or one JSON object per line and nothing else. Text from outside is made
// printable first; the key is removed by value from everything that is printed.
import { styleText } from 'node:util';
import type { AppError } from '../../contract/errors.ts';
import { toWire } from '../../contract/errors.ts';
import { splitPath } from '../../engine/shared/paths.ts';
import { tableLines } from './layout.ts';
import { printable, visibleJson } from '../../contract/text/printable.ts';
import { troubleText, typedJson } from './typed.ts';
import type { Io } from '../io.ts';
import type { Stdout } from './stdout.ts';
import { nameText } from './words.ts';

export type Output = {
  json: boolean;
  quiet: boolean;
  /** A line of the answer, on stdout; in JSON mode nothing. */
  line(text: string): void;
  /** Several lines in one write: a write per line would take a noticeable part of the time of a small upload. */
  lines(texts: readonly string[], more?: { tabs: boolean }): void;
  /** Rows of cells in columns, as far as the terminal has room. `right`: columns that are aligned on the right. */
  table(rows: readonly (readonly string[])[], more?: { right?: readonly number[]; indent?: string }): void;
  /** The same for our own text with styles in it; the caller makes the rest printable. */
  styled(text: string): void;
  /** An object of the answer; in text mode nothing. */
  object(value: object): void;
  /** A remark on stderr; not when quiet, not in JSON mode, and the same one not twice in a row. */
  note(text: string): void;
  /** A line of the log on stderr, in every mode. */
  log(line: string): void;
  /** What went wrong with one of several things, on stderr; not in JSON mode, which has an object for it. */
  trouble(text: string): void;
  /** The one error of a run. */
  error(error: AppError): void;
  /** Set by a component that draws on stderr meanwhile; called around the write of every line. */
  around: ((write: () => void) => void) | null;
  /** For another program: unchanged, apart from secrets. */
  raw(text: string): void;
  /** Whole lines in a form that was asked for: printable on a terminal, unchanged for another program. */
  formed(text: string, more?: { tabs: boolean }): void;
  /** Resolves once standard output takes more, or `signal` is aborted. */
  drained(signal: AbortSignal): Promise<void>;
  /** Every line passes through; replaced once secrets are known. */
  clean: (text: string) => string;
  /** Whether Outtray made this file, such as a zip: then only its name is shown. Set once the data folder is known. */
  isMade: (path: string) => boolean;
  /** The path, or the name of a file that Outtray made. */
  named(path: string): string;
  /** The same, short enough for a sentence. */
  pathText(path: string): string;
};

export const createOutput = (
  { stderr }: Pick<Io, 'stderr'>,
  stdout: Stdout,
  options: { json: boolean; quiet: boolean },
): Output => {
  const write = (put: (text: string) => void, text: string): void => {
    const act = (): void => put(`${output.clean(text)}\n`);
    if (output.around === null) act();
    else output.around(act);
  };
  const writeError = (text: string): void => {
    stderr.write(text);
  };
  let lastNote = '';
  const output: Output = {
    ...options,
    around: null,
    clean: (text) => text,
    isMade: () => false,
    named: (path) => (output.isMade(path) ? splitPath(path).name : path),
    pathText: (path) => nameText(output.named(path)),
    raw: (text) => stdout.write(output.clean(text)),
    formed(text, more) {
      const whole = text.replace(/\n$/, '');
      if (stdout.columns() !== null) output.lines(whole.split('\n'), more);
      else if (!options.json) write(stdout.write, whole);
    },
    drained: (signal) => stdout.drained(signal),
    line: (text) => output.lines([text]),
    lines(texts, { tabs } = { tabs: false }) {
      const shown = (text: string): string =>
        tabs ? text.split('\t').map(printable).join('\t') : printable(text);
      if (!options.json && texts.length > 0) write(stdout.write, texts.map(shown).join('\n'));
    },
    table(rows, { right = [], indent = '' } = {}) {
      const columns = stdout.columns();
      const room = columns === null ? null : columns - indent.length;
      output.lines(tableLines(rows, room, right).map((line) => indent + line));
    },
    styled(text) {
      if (!options.json) write(stdout.write, text);
    },
    object(value) {
      if (options.json) write(stdout.write, jsonLine(withoutMade(value, output.isMade)));
    },
    note(text) {
      // Trouble that recurs several times a minute is printed once.
      if (options.json || options.quiet || text === lastNote) return;
      lastNote = text;
      write(writeError, printable(text));
    },
    log(line) {
      write(writeError, line);
    },
    trouble(text) {
      if (!options.json) write(writeError, printable(text));
    },
    error(error) {
      if (options.json) write(stdout.write, jsonLine({ error: toWire(error) }));
      else {
        const name = styleText('red', 'outtray:', { stream: stderr });
        write(writeError, `${name} ${printable(troubleText(error))}`);
      }
    },
  };
  return output;
};

/** The path of a file that Outtray made is of no use; the file is removed once it is public. */
const withoutMade = (value: object, isMade: Output['isMade']): object => {
  if ('files' in value && Array.isArray(value.files))
    return { ...value, files: value.files.map((file: object) => withoutMade(file, isMade)) };
  return 'path' in value && typeof value.path === 'string' && isMade(value.path)
    ? { ...value, path: null }
    : value;
};

export const jsonLine = (value: object): string => visibleJson(typedJson(value));
