// When will it be done? The forecast (forecast.ts) asked about the queue as it is now, for status and window.
import type { Account } from '../account/account.ts';
import { forecast, type Forecast } from '../limiter/forecast.ts';
import type { Limiter } from '../limiter/limiter.ts';
import type { Ledger } from '../ports.ts';

const minuteMs = 60_000;

export const outlook = (now: {
  ledger: Pick<Ledger, 'uploads'>;
  limiter: Limiter;
  account: Account;
  concurrency: number;
  /** As observed of all uploads together; null: not known. */
  bytesPerSecond: number | null;
  /** As if these waited, too, and nothing went before `fromMs` (wall clock). */
  more: { files: number; bytes: number; fromMs?: number };
}): Forecast => {
  const { files, bytes } = now.ledger.uploads.backlog();
  const snapshot = now.limiter.snapshot();
  const nowMs = Math.max(snapshot.nowMs, now.more.fromMs ?? 0);
  const minuteUsed = nowMs - snapshot.nowMs < minuteMs ? snapshot.minuteUsed : 0;
  return forecast({ ...snapshot, nowMs, minuteUsed }, now.account.rules(), {
    files: files + now.more.files,
    bytes: bytes + now.more.bytes,
    bytesPerSecond: now.bytesPerSecond,
    concurrency: now.concurrency,
  });
};
