// One run of the command: options, output, the composed program, and an orderly end on SIGINT and SIGTERM.
import { compose, type Composed, type Role } from '../compose.ts';
import { AppError } from '../contract/errors.ts';
import type { Output } from './output/output.ts';

export type GlobalOptions = {
  json?: boolean;
  home?: string;
  baseUrl?: string;
  quiet?: boolean;
  verbose?: boolean;
  progress?: boolean;
};

export type Session = {
  options: GlobalOptions;
  output: Output;
  /** Without the key: programs that are started inherit it. */
  env: NodeJS.ProcessEnv;
  /** The key of the environment; '' when there is none. */
  apiKey: string;
  /** Aborted by the first SIGINT or SIGTERM. */
  signal: AbortSignal;
};

/** A line of the log as a person reads it: time, level, event, and the rest as it is. */
const logLine = (line: string): void => {
  const { at, level, event, pid: _, ...rest } = JSON.parse(line) as Record<string, unknown>;
  const more = Object.keys(rest).length === 0 ? '' : ` ${JSON.stringify(rest)}`;
  process.stderr.write(`${String(at)} ${String(level)} ${String(event)}${more}\n`);
};

/** Composes, acts, and closes in every case. */
export const within = async <T>(
  session: Session,
  role: Role,
  act: (composed: Composed) => Promise<T>,
  settings: { takeBaseUrl: boolean } = { takeBaseUrl: true },
): Promise<T> => {
  const { options, env, apiKey, output } = session;
  const composed = await compose({
    role,
    home: options.home,
    env,
    apiKey,
    ...(options.verbose === true ? { hearLog: logLine } : {}),
    overrides: options.baseUrl === undefined || !settings.takeBaseUrl ? {} : { baseUrl: options.baseUrl },
  });
  output.clean = (text) => composed.redactor.redact(text);
  try {
    return await act(composed);
  } finally {
    await composed.close();
  }
};

/** Rejects with `aborted` as soon as the run is interrupted. */
export const unlessInterrupted = async <T>(session: Session, work: Promise<T>): Promise<T> => {
  const { signal } = session;
  if (signal.aborted) throw interrupted();
  let undo = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    const stop = (): void => reject(interrupted());
    signal.addEventListener('abort', stop, { once: true });
    undo = () => signal.removeEventListener('abort', stop);
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    undo();
  }
};

const interrupted = (): AppError =>
  new AppError('aborted', 'Interrupted. Everything is recorded.', 'Run it again to continue.');

/** There is a person who can answer. */
export const canAsk = ({ output }: Session): boolean =>
  !output.json && process.stdin.isTTY && process.stderr.isTTY;

/** Throws `aborted` for anything but yes; `otherwise` says what was not done. */
export const askBefore = async ({ signal }: Session, question: string, otherwise: string): Promise<void> => {
  const { confirm } = await import('@clack/prompts');
  const answer = await confirm({ message: question, initialValue: false, output: process.stderr, signal });
  if (answer !== true) throw new AppError('aborted', otherwise);
};
