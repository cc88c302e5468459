// When will it be done? The forecast (forecast.ts) asked about the queue as it is now, for status and window.
import type { Account } from '../account/account.ts';
import { forecast, type Forecast } from '../limiter/forecast.ts';
import type { Limiter } from '../limiter/limiter.ts';
import type { Ledger } from '../ports.ts';

export const outlook = (now: {
  ledger: Pick<Ledger, 'uploads'>;
  limiter: Limiter;
  account: Account;
  concurrency: number;
  /** As observed of all uploads together; null: not known. */
  bytesPerSecond: number | null;
  /** As if these waited, too. */
  more: { files: number; bytes: number };
}): Forecast => {
  const { files, bytes } = now.ledger.uploads.backlog();
  return forecast(now.limiter.snapshot(), now.account.rules(), {
    files: files + now.more.files,
    bytes: bytes + now.more.bytes,
    bytesPerSecond: now.bytesPerSecond,
    concurrency: now.concurrency,
  });
};
