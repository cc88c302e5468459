// The one error of the program. Its code says what can be done about it; adapters translate the world into it
// once and keep the cause. Errors cross process borders as data (`WireError`) and are rebuilt by the client.

/** What the code asks for: wait (it passes by itself), act (a person must do something), none (it is final). */
export type ErrorAction = 'wait' | 'act' | 'none';

const actions = {
  /** Wrong arguments or an impossible request. */
  'bad-use': 'act',
  /** No base address or folder is set. */
  'not-configured': 'act',
  /** A setting has a value that cannot be used, or is locked by policy. */
  'bad-setting': 'act',
  /** An administrator forbids it by policy. */
  'not-allowed': 'act',
  /** No API key is stored or given. */
  'key-missing': 'act',
  /** 401: the service does not accept the key (service.md §5). */
  'key-refused': 'act',
  /** 403: the plan does not include the API (service.md §5). */
  plan: 'act',
  /** 403: a limit of the account is exceeded (§7, §8). */
  limit: 'wait',
  /** 404 on an id, or an id, upload or path that is not known. */
  'not-found': 'none',
  /** 429: the service's rate limit (§8). */
  rate: 'wait',
  /** Our own budget is used up and the caller does not want to wait. */
  budget: 'wait',
  /** No connection could be made: DNS, TCP, TLS, proxy. Nothing was sent. */
  offline: 'wait',
  /** The connection broke or timed out after it was made. */
  interrupted: 'wait',
  /** The service answered, but not with what its specification says (5xx, HTML, wrong types, too large). */
  'unusable-answer': 'wait',
  /** Something else answered in place of the service: a login page of this network, or another API. */
  intercepted: 'wait',
  /** 3xx or 4xx with a page: something before the service, for example a firewall, refused this file. */
  blocked: 'none',
  /** 3xx: the service lives elsewhere. Never followed. */
  moved: 'act',
  /** 404/405 on an endpoint itself: the base address is wrong. */
  'wrong-address': 'act',
  /** 400, 413, 415 and other final 4xx: the service does not accept this request. */
  refused: 'none',
  /** The file is larger than the account allows. */
  'too-large': 'none',
  /** The file changed, moved or left the folder while it was being sent. */
  changed: 'wait',
  /** The file is no longer there. */
  gone: 'none',
  /** The file cannot be opened now: permission or a lock. */
  locked: 'wait',
  /** A link, device, pipe, socket or directory where a regular file was expected. */
  'not-a-file': 'none',
  /** The path leads out of the watched folder. */
  outside: 'none',
  /** The watched folder is missing, unmounted or another one. */
  'folder-unavailable': 'act',
  /** The folder may not be watched (home, drive root, our own data, policy). */
  'folder-refused': 'act',
  /** Another Outtray holds the engine of this data folder. */
  'engine-taken': 'wait',
  /** The ledger is damaged, or cannot be written. */
  ledger: 'act',
  /** Another version of Outtray has updated the ledger: this one does not know its form. */
  'ledger-newer': 'act',
  /** The disk is full or fails. */
  disk: 'act',
  /** The audit file cannot be written: nothing is uploaded without its record. */
  audit: 'act',
  /** There is no keychain on this machine, or it does not answer. */
  'keychain-unavailable': 'act',
  /** The keychain is locked. Never the same as "no key". */
  'keychain-locked': 'act',
  /** Whether the service has the file is not known; it is held and never sent again blindly. */
  uncertain: 'act',
  /** Stopped on request. */
  aborted: 'none',
  /** A fault of Outtray. */
  internal: 'none',
} as const satisfies Record<string, ErrorAction>;

export type ErrorCode = keyof typeof actions;

export const actionFor = (code: ErrorCode): ErrorAction => actions[code];

/**
 * What is wrong below Outtray: with the disk, with the data folder on it, or with the ledger's file in that.
 * `handles`: this process, or the system, may open no more files. `gone`: deleted or replaced while it was open.
 * `newer`: updated by another version of Outtray.
 */
export type StorageFault =
  'full' | 'read-only' | 'refused' | 'locked' | 'handles' | 'failed' | 'gone' | 'damaged' | 'newer';

export type WireError = { code: ErrorCode; message: string; remedy: string };

export type ErrorDetails = {
  /** HTTP status, when an answer came. */
  status?: number;
  /** `Retry-After` in milliseconds, only when sane (0 to 3600 s). */
  retryAfterMs?: number;
  /** A short, printable piece of what came instead, for the diagnostics; never shown as the message. */
  evidence?: string;
  /** Set when the disk or the data folder is to blame, and not this request. */
  storage?: StorageFault;
  cause?: unknown;
};

export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  /** What the reader can do, one sentence; empty when there is nothing to do. */
  readonly remedy: string;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly evidence: string | undefined;
  readonly storage: StorageFault | undefined;

  constructor(code: ErrorCode, message: string, remedy = '', details: ErrorDetails = {}) {
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
  return { code: known.code, message: known.message, remedy: known.remedy };
};

export const fromWire = (wire: WireError): AppError => new AppError(wire.code, wire.message, wire.remedy);

export const toAppError = (error: unknown): AppError => {
  if (error instanceof AppError) return error;
  if (error instanceof Error && error.name === 'AbortError') {
    return new AppError('aborted', 'Stopped.', '', { cause: error });
  }
  const text = error instanceof Error ? error.message : String(error);
  return new AppError('internal', `Outtray met a fault of its own: ${text}`, 'Please report it.', {
    cause: error,
  });
};

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(actions, code);

/** Ends a `switch` over a union: a missing case does not compile. */
export const unreachable = (value: never): never => {
  throw new AppError('internal', `Unexpected value: ${JSON.stringify(value)}`);
};

export const noAddress = (): AppError =>
  new AppError(
    'not-configured',
    'No base address of the service is set.',
    'Run `outtray login --base-url=https://…/api/v1`, or set OUTTRAY_BASE_URL.',
  );

/**
 * Whether an answer to an upload may be about its file. RFC 9110 §15.5: 407 wants a login at the proxy, 411 a length,
 * 426 another protocol, whatever the file is; so do a key (401), a rate (429), and a request at the wrong time or place.
 */
export const mayBeOfOneFile = (status: number | null): boolean =>
  status !== null && status >= 300 && status < 500 && !ofEveryFile.has(status);
const ofEveryFile: ReadonlySet<number> = new Set([401, 407, 408, 411, 417, 421, 425, 426, 429]);
