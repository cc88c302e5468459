// The errors of the program, one row a code.

export type ErrorRow = {
  /** wait: it passes by itself; act: a person must do something; none: it is final. */
  asks: 'wait' | 'act' | 'none';
  /** The exit code of a command that ends with it (cli/exit-codes.ts). */
  exit: Exit;
};

export type Exit =
  | 'fault'
  | 'wrongUse'
  | 'key'
  | 'plan'
  | 'notFound'
  | 'budget'
  | 'unreachable'
  | 'someFailed'
  | 'busy'
  | 'interrupted';

export const errorRows = {
  /** Wrong arguments or an impossible request. */
  'bad-use': { asks: 'act', exit: 'wrongUse' },
  /** A word may mean several files: nothing is done. */
  ambiguous: { asks: 'act', exit: 'wrongUse' },
  /** No base address or folder is set. */
  'not-configured': { asks: 'act', exit: 'wrongUse' },
  /** A setting has a value that cannot be used, or is locked by policy. */
  'bad-setting': { asks: 'act', exit: 'wrongUse' },
  /** An administrator forbids it by policy. */
  'not-allowed': { asks: 'act', exit: 'wrongUse' },
  /** No API key is stored or given. */
  'key-missing': { asks: 'act', exit: 'key' },
  /** 401: the service does not accept the key (service.md §5). */
  'key-refused': { asks: 'act', exit: 'key' },
  /** The key does not show the files of this data folder: it may be of another account. */
  'unknown-key': { asks: 'act', exit: 'wrongUse' },
  /** 403: the plan does not include the API (service.md §5). */
  plan: { asks: 'act', exit: 'plan' },
  /** 403: a limit of the account is exceeded (§7, §8). */
  limit: { asks: 'wait', exit: 'plan' },
  /** 404 on an id, or an id, upload or path that is not known. */
  'not-found': { asks: 'none', exit: 'notFound' },
  /** 429: the service's rate limit (§8). */
  rate: { asks: 'wait', exit: 'budget' },
  /** Our own budget is used up and the caller does not want to wait. */
  budget: { asks: 'wait', exit: 'budget' },
  /** No connection could be made: DNS, TCP, TLS, proxy. Nothing was sent. */
  offline: { asks: 'wait', exit: 'unreachable' },
  /** The connection broke or timed out after it was made. */
  interrupted: { asks: 'wait', exit: 'unreachable' },
  /** The service answered, but not as its specification requires (5xx, HTML, wrong types, too large). */
  'unusable-answer': { asks: 'wait', exit: 'unreachable' },
  /** Something else answered in place of the service: a login page of this network, or another API. */
  intercepted: { asks: 'wait', exit: 'unreachable' },
  /** 3xx or 4xx with a page: something in front of the service, for example a firewall, refused this file. */
  blocked: { asks: 'none', exit: 'someFailed' },
  /** 3xx: the service has another address. Never followed. */
  moved: { asks: 'act', exit: 'unreachable' },
  /** 404/405 on an endpoint itself: the base address is wrong. */
  'wrong-address': { asks: 'act', exit: 'unreachable' },
  /** 400, 413, 415 and other final 4xx: the service does not accept this request. */
  refused: { asks: 'none', exit: 'someFailed' },
  /** A rule of the administrator does not let this file be shared: its place, its type or its size. */
  forbidden: { asks: 'none', exit: 'someFailed' },
  /** The file is larger than the account allows. */
  'too-large': { asks: 'none', exit: 'someFailed' },
  /** The file changed, moved or left the folder while it was being sent. */
  changed: { asks: 'wait', exit: 'someFailed' },
  /** The file is no longer there. */
  gone: { asks: 'none', exit: 'someFailed' },
  /** The file cannot be opened now: permission or a lock. */
  locked: { asks: 'wait', exit: 'someFailed' },
  /** A link, device, pipe, socket or directory where a regular file was expected. */
  'not-a-file': { asks: 'none', exit: 'someFailed' },
  /** The path leads out of the watched folder. */
  outside: { asks: 'none', exit: 'someFailed' },
  /** It belongs to Outtray's own data. */
  'own-data': { asks: 'none', exit: 'wrongUse' },
  /** The watched folder is missing, unmounted or another one. */
  'folder-unavailable': { asks: 'act', exit: 'wrongUse' },
  /** The folder may not be watched (home, drive root, our own data, policy). */
  'folder-refused': { asks: 'act', exit: 'wrongUse' },
  /** Another Outtray holds the engine of this data folder. */
  'engine-taken': { asks: 'wait', exit: 'busy' },
  /** The ledger is damaged, or cannot be written. */
  ledger: { asks: 'act', exit: 'fault' },
  /** Another version of Outtray has updated the ledger: this one does not know its schema. */
  'ledger-newer': { asks: 'act', exit: 'fault' },
  /** The disk is full or fails. */
  disk: { asks: 'act', exit: 'fault' },
  /** The audit file cannot be written: nothing is uploaded without its record. */
  audit: { asks: 'act', exit: 'fault' },
  /** There is no keychain on this machine, or it does not answer. */
  'keychain-unavailable': { asks: 'act', exit: 'key' },
  /** The keychain is locked. Never the same as "no key". */
  'keychain-locked': { asks: 'act', exit: 'key' },
  /** It is not known whether the service has the file; it is held and never sent again blindly. */
  uncertain: { asks: 'act', exit: 'someFailed' },
  /** Stopped on request. */
  aborted: { asks: 'none', exit: 'interrupted' },
  /** A fault of Outtray. */
  internal: { asks: 'none', exit: 'fault' },
} as const satisfies Record<string, ErrorRow>;
