// The largest file that the account takes. The service gives a number without a unit, so the conclusion from it only
// makes files try one at a time. A file fails for its size only after the service refused that size.
import type { Clock } from '../ports/ports.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { Facts } from '../../contract/facts.ts';
import { hasNoSizeLimit } from '../../contract/model.ts';
import type { SizeUnit } from '../shared/links.ts';
import { isRecent } from '../shared/time.ts';

/** A 403 can have another reason than the size, so a new file may try again after this time. */
const believedMs = 24 * 3_600_000;

export const createSizeLimit = (
  { facts }: Pick<Ledger, 'facts'>,
  clock: Pick<Clock, 'wallMs'>,
  unit: () => SizeUnit | null,
) => {
  const limitNow = () => {
    const stats = facts.get('stats')?.value;
    const number = stats === undefined || hasNoSizeLimit(stats) ? 0 : stats.limits.max_file_size;
    return { number, plan: stats?.plan ?? '' };
  };
  /** What was seen under the limit and plan that the service reports now. */
  const seen = ({ number, plan } = limitNow()): Facts['size-limit'] => {
    const kept = facts.get('size-limit')?.value;
    const isSame = kept !== undefined && kept.told === number && kept.plan === plan;
    if (isSame) return kept;
    const isLifted = kept !== undefined && (kept.isLifted || kept.refused !== null);
    return { told: number, plan, acceptedBytes: 0, refused: null, isLifted };
  };
  const keep = (value: Facts['size-limit']): void => facts.set('size-limit', value, clock.wallMs());
  const refusal = () => {
    // Called for each file, so the usual case reads one fact only.
    if ((facts.get('size-limit')?.value.refused ?? null) === null) return null;
    const { refused } = seen();
    return refused !== null && isRecent(clock, refused.atMs, believedMs) ? refused : null;
  };
  const presumedBytes = (): number | null => {
    const now = limitNow();
    const bytes = now.number * (unit() ?? 1);
    return now.number > 0 && bytes > seen(now).acceptedBytes ? bytes : null;
  };
  return {
    /** The largest size in bytes that was not refused; larger files fail. Null: no refusal is known. */
    believedBytes(): number | null {
      const known = refusal();
      return known === null ? null : known.bytes - 1;
    },
    /** What the service's number probably means, in bytes. Null: it gives none, or a larger file was accepted. */
    presumedBytes,
    accepted(sizeBytes: number): void {
      const now = seen();
      if (sizeBytes <= now.acceptedBytes) return;
      const stillRefused = now.refused !== null && now.refused.bytes > sizeBytes ? now.refused : null;
      keep({ ...now, acceptedBytes: sizeBytes, refused: stillRefused });
    },
    /** 413, or 403 where nothing else explains it. False: the refusal is not about the size. */
    refused(sizeBytes: number, status: 403 | 413): boolean {
      const now = seen();
      const isAboutSize =
        sizeBytes > now.acceptedBytes && (status === 413 || sizeBytes > (presumedBytes() ?? Infinity));
      if (!isAboutSize) return false;
      const bytes = Math.min(sizeBytes, refusal()?.bytes ?? Infinity);
      keep({ ...now, refused: { bytes, atMs: clock.wallMs() } });
      return true;
    },
    /** True once after the service reports another limit or plan: files refused for their size may be tried again. */
    takeLifted(): boolean {
      const kept = facts.get('size-limit')?.value;
      if (kept === undefined || (kept.refused === null && !kept.isLifted)) return false;
      const now = seen();
      if (now.isLifted) keep({ ...now, isLifted: false });
      return now.isLifted;
    },
  };
};

export type SizeLimit = ReturnType<typeof createSizeLimit>;
