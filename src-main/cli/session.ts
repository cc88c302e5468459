// One run of the command: options, output, the composed program, and an orderly end on SIGINT and SIGTERM.
import { compose, type ComposedEngine as Base, type Early, type Role } from '../compose.ts';
import { AppError } from '../contract/errors.ts';
import { nowhere, splitPath } from '../engine/shared/paths.ts';
import type { Io } from './io.ts';
import type { Output } from './output/output.ts';
import type { InLocale } from './output/words.ts';
import { printable, visibleJson } from '../contract/text/printable.ts';
import { typedText } from './output/typed.ts';

export type GlobalOptions = {
  json?: boolean;
  home?: string;
  profile?: string;
  baseUrl?: string;
  quiet?: boolean;
  verbose?: boolean;
  progress?: boolean;
};

/**
 * `signal` is aborted when the run is interrupted, and when its output can no longer be written. `env` is without the
 * key, because started programs inherit it.
 */
export type Session = Omit<Io, 'hearFaults'> &
  InLocale & {
    options: GlobalOptions;
    output: Output;
    /** The key of the environment; '' when there is none. */
    apiKey: string;
  };

/** What a run is composed of, and how it writes times. */
export type Composed = Base & InLocale;

/** A line of the log as a person reads it: time, level, event, and the rest as it is. */
export const logLine = (line: string): string => {
  const { at, level, event, pid: _, ...rest } = JSON.parse(line) as Record<string, unknown>;
  const more = Object.keys(rest).length === 0 ? '' : ` ${visibleJson(JSON.stringify(rest))}`;
  return `${String(at)} ${String(level)} ${String(event)}${more}`;
};

/** Composes, acts, and closes in every case. */
export const within = async <T>(
  session: Session,
  role: Role,
  act: (composed: Composed) => Promise<T>,
  more: { takeBaseUrl?: boolean; onEngine?: (early: Early) => Promise<void> } = {},
): Promise<T> => {
  const { options, env, apiKey, output, clock, inspect, cwd, userHome, signal } = session;
  const composed = await compose({
    role,
    home: options.home,
    env,
    apiKey,
    cwd,
    userHome,
    signal,
    ...(clock === undefined ? {} : { clock }),
    ...(inspect === undefined ? {} : { inspect }),
    ...(more.onEngine === undefined ? {} : { onEngine: more.onEngine }),
    onLongUpdate: () =>
      output.note('Updating the ledger for this version of Outtray: this may take a few seconds …'),
    ...(options.verbose === true ? { hearLog: (line: string) => output.log(logLine(line)) } : {}),
    overrides:
      options.baseUrl === undefined || more.takeBaseUrl === false ? {} : { baseUrl: options.baseUrl },
  });
  output.clean = (text) => composed.redactor.redactKnown(text);
  output.isMade = (path) => {
    const { dir } = splitPath(path);
    return dir === nowhere || composed.spool.holds(dir);
  };
  try {
    const answer = await act({ ...composed, locale: session.locale });
    const { unwritable } = composed.ledger;
    if (unwritable !== null)
      output.note(
        `${unwritable.message} The ledger can be read, but not changed. ${typedText(unwritable.remedy)}`,
      );
    return answer;
  } finally {
    await composed.close();
  }
};

/** Rejects with `aborted` as soon as the run is interrupted; then nothing begins. */
export const unlessInterrupted = async <T>(session: Session, begin: () => Promise<T>): Promise<T> => {
  const { signal } = session;
  if (signal.aborted) throw interrupted();
  let undo = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    const stop = (): void => reject(interrupted());
    signal.addEventListener('abort', stop, { once: true });
    undo = () => signal.removeEventListener('abort', stop);
  });
  try {
    return await Promise.race([begin(), stopped]);
  } finally {
    undo();
  }
};

export const interrupted = (): AppError =>
  new AppError('aborted', 'Interrupted. Everything is recorded.', 'Run it again to continue.');

/** There is a person who can answer. */
export const canAsk = ({ output, stdin, stderr }: Session): boolean =>
  !output.json && stdin().isTTY === true && stderr.isTTY === true;

/** Throws `aborted` for anything but yes, with `otherwise` as the message. */
export const askBefore = async (session: Session, asked: string, otherwise: string): Promise<void> => {
  const { signal, stdin, stderr, env } = session;
  // Links and names in it are other people's bytes.
  const question = asked.split('\n').map(printable).join('\n');
  if (env['TERM'] === 'dumb') {
    // The end of the input and an interruption count as no.
    if (/^y(es)?$/i.test(await askLine(session, `${question} [y/N] `).catch(() => ''))) return;
    throw new AppError('aborted', otherwise);
  }
  const { confirm } = await import('@clack/prompts');
  const answer = await confirm({
    message: question,
    initialValue: false,
    input: stdin(),
    output: stderr,
    signal,
  });
  if (answer !== true) throw new AppError('aborted', otherwise);
};

/** For terminals that cannot move the cursor: the line that is typed, '' at the end of the input. Throws when interrupted. */
export const askLine = async ({ stdin, stderr, signal }: Session, question: string): Promise<string> => {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: stdin(), output: stderr, terminal: false });
  try {
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    return (await Promise.race([lines.question(question, { signal }), ended])).trim();
  } finally {
    lines.close();
  }
};

type Question = { question: string; otherwise: string };

/**
 * Asks a person before links are taken away for good, unless `yes`. In a pipe, naming the file is the consent.
 * `about` is called only when a person is asked; null: no link would be lost.
 */
export const askToTakeAway = async (
  session: Session,
  yes: boolean | undefined,
  about: () => Question | null | Promise<Question | null>,
): Promise<void> => {
  if (yes === true || !canAsk(session)) return;
  const asked = await about();
  if (asked !== null) await askBefore(session, asked.question, asked.otherwise);
};
