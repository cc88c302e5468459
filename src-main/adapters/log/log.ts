// The log: one JSON object a line, in a bounded private file, every secret taken out by value in the last step before
// the bytes are written. Nothing is opened before the first line.
import pino from 'pino';
import { AppError } from '../../contract/errors.ts';
import { visibleJson } from '../../contract/text/printable.ts';
import type { Log } from '../../engine/ports/ports.ts';
import { createBoundedFile } from './bounded-file.ts';
import type { Redactor } from './redactor.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** In characters; a longer line holds data from outside and is not an event. */
const maxLine = 32_768;

/** Lines go through `redactor`, which the caller shares with everything else that prints. `close` writes nothing. */
export const openLog = ({
  file,
  level = 'info',
  redactor,
  hear,
}: {
  file: string;
  level?: LogLevel;
  redactor: Redactor;
  /** Hears each line as it is written. */
  hear?: (line: string) => void;
}): Log & { close(): void } => {
  const sink = createBoundedFile(file);
  const lines = pino(
    {
      level,
      base: { pid: process.pid },
      messageKey: 'event',
      timestamp: () => `,"at":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }), log: plainFields },
      hooks: { streamWrite: (line) => bound(visibleJson(redactor.redact(line))) },
    },
    {
      write(line: string) {
        sink.write(line);
        hear?.(line);
      },
    },
  );
  const at =
    (name: LogLevel) =>
    (event: string, fields: Record<string, unknown> = {}) =>
      lines[name](fields, event);
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    close: () => sink.close(),
  };
};

const plainFields = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof Error ? plainError(value, 0) : value,
    ]),
  );

/** How deep causes are logged: our own error, the error that it wraps, and the error that that one wraps. */
const deepestCause = 3;

const plainError = (error: Error, depth: number): Record<string, unknown> => {
  const known = error instanceof AppError;
  const cause =
    error.cause instanceof Error && depth < deepestCause ? plainError(error.cause, depth + 1) : undefined;
  return {
    name: error.name,
    ...('code' in error ? { code: error.code } : {}),
    message: error.message,
    ...(known && error.status !== undefined ? { status: error.status } : {}),
    ...(known && error.evidence !== undefined ? { evidence: error.evidence } : {}),
    // The message of an error that we throw on purpose already shows where it comes from.
    ...(known && error.code !== 'internal' ? {} : { stack: error.stack }),
    ...(cause === undefined ? {} : { cause }),
  };
};

const bound = (line: string): string =>
  line.length <= maxLine
    ? line
    : `${JSON.stringify({ level: 'warn', at: new Date().toISOString(), event: 'log-line-cut', start: line.slice(0, 2000) })}\n`;
