// What every request of one running service shares.
import type { Accounts } from './accounts.ts';
import type { ServiceClock } from './clock.ts';
import type { Faults } from './faults.ts';
import type { Knobs } from './options.ts';
import type { RequestLog } from './request-log.ts';
import type { Store } from './store.ts';

export type Context = {
  /** Read at every use: knobs may change while the service runs. */
  knobs: Knobs;
  seed: number;
  clock: ServiceClock;
  accounts: Accounts;
  store: Store;
  log: RequestLog;
  faults: Faults;
  /** Aborted when the service closes. */
  closing: AbortSignal;
  /** Our own origin, `http://127.0.0.1:port`. */
  host(): string;
};
