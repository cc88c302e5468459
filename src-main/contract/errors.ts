// The one error of the program. Its code shows what can be done about it; adapters translate outside faults into it
// once and keep the cause. Errors cross process borders as data (`WireError`) and are rebuilt by the client.
import { withoutTokens } from './text/tokens.ts';
import { call, wording, type Wording } from './text/wording.ts';
import { errorRows, type ErrorRow } from './catalogue/errors.ts';

export type ErrorCode = keyof typeof errorRows;

/** What the code asks for. */
export const actionFor = (code: ErrorCode): ErrorRow['asks'] => errorRows[code].asks;

/** This code is about one file: for another file the service may answer otherwise. */
export const isAboutOneFile = (code: ErrorCode): boolean => code === 'not-found' || code === 'refused';

/**
 * What is wrong below Outtray: with the disk, with the data folder on it, or with the ledger's file in that.
 * `handles`: this process, or the system, may open no more files. `gone`: deleted or replaced while it was open.
 * `newer`: updated by another version of Outtray.
 */
export type StorageFault =
  'full' | 'read-only' | 'refused' | 'locked' | 'handles' | 'failed' | 'gone' | 'damaged' | 'newer';

/** `retryAfterMs`: see `ErrorDetails`. */
export type WireError = { code: ErrorCode; message: string; remedy: Wording; retryAfterMs?: number };

export type ErrorDetails = {
  /** HTTP status, when an answer came. */
  status?: number;
  /** `Retry-After` in milliseconds, only when sane (0 to 3600 s). */
  retryAfterMs?: number;
  /** A short, printable piece of the unexpected answer, for the diagnostics; never shown as the message. */
  evidence?: string;
  /** Set when the disk or the data folder is to blame, and not this request. */
  storage?: StorageFault;
  cause?: unknown;
};

export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  /** What the reader can do, one sentence; empty when there is nothing to do. */
  readonly remedy: Wording;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly evidence: string | undefined;
  readonly storage: StorageFault | undefined;

  constructor(code: ErrorCode, message: string, remedy: Wording = '', details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.remedy = remedy;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
    this.evidence = details.evidence;
    this.storage = details.storage;
  }
}

/** The error as data, for a pipe or a JSON line. Unknown throwables become `internal`. */
export const toWire = (error: unknown): WireError => {
  const known = toAppError(error);
  const { code, message, remedy, retryAfterMs } = known;
  return { code, message, remedy, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
};

export const fromWire = ({ code, message, remedy, ...details }: WireError): AppError =>
  new AppError(code, message, remedy, details);

export const toAppError = (error: unknown): AppError => {
  if (error instanceof AppError) return error;
  if (error instanceof Error && error.name === 'AbortError') {
    return new AppError('aborted', 'Stopped.', '', { cause: error });
  }
  const text = withoutTokens(error instanceof Error ? error.message : String(error));
  return new AppError('internal', `Something went wrong inside Outtray: ${text}`, 'Please report it.', {
    cause: error,
  });
};

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorRows, code);

/** Ends a `switch` over a union: a missing case does not compile. */
export const unreachable = (value: never): never => {
  throw new AppError('internal', `Unexpected value: ${JSON.stringify(value)}`);
};

export const noAddress = (): AppError =>
  new AppError(
    'not-configured',
    'No base address of the service is set.',
    wording`Run ${call('login', '--base-url=https://…/api/v1')}, or set OUTTRAY_BASE_URL.`,
  );

export const ownData = (path: string): AppError =>
  new AppError(
    'own-data',
    `${path} belongs to Outtray's own data.`,
    'Nothing is uploaded. Choose other files.',
  );

/**
 * Whether an answer to an upload may be about its file. RFC 9110 §15.5: 407 wants a login at the proxy, 411 a length,
 * 426 another protocol, whatever the file is. So do a key (401), a rate (429) and a request at the wrong time or place.
 */
export const mayBeOfOneFile = (status: number | null): boolean =>
  status !== null && status >= 300 && status < 500 && !ofEveryFile.has(status);
const ofEveryFile: ReadonlySet<number> = new Set([401, 407, 408, 411, 417, 421, 425, 426, 429]);

/** Why nothing is done while it is not known whose the key is. */
export const unknownKey = (): AppError =>
  new AppError(
    'unknown-key',
    'This key does not show the files of this data folder.',
    wording`Say whose key it is: ${call('login', '--account=same')} if its files were deleted at the service, ${call('login', '--account=another')} if new files are to go to another account.`,
  );
