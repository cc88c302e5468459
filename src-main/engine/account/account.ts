// What is learned about the account and the service: plan, limits, the unit of sizes. Facts in the ledger.
import { dailyUploadsOf, type ServiceStats, type UploadReceipt } from '../../contract/model.ts';
import type { Settings } from '../../contract/settings.ts';
import { learnUnit } from '../shared/links.ts';
import { createSizeLimit } from './size-limit.ts';
import type { LimiterRules } from '../limiter/policy.ts';
import type { Clock } from '../ports/ports.ts';
import type { Ledger } from '../ports/ledger.ts';

/** Requests a minute and a day (service.md §8). Any other plan counts as Pro. */
const planLimits: Record<string, { perMinute: number; perDay: number }> = {
  pro: { perMinute: 50, perDay: 5000 },
  business: { perMinute: 100, perDay: 10_000 },
};
const proLimits = { perMinute: 50, perDay: 5000 };

/** A limit from this number on is in bytes: in kilobytes it would be over 100 GB. */
const surelyBytes = 100_000_000;

export const createAccount = (
  ledger: Pick<Ledger, 'facts' | 'accounts'>,
  clock: Clock,
  settings: () => Pick<Settings, 'requestsPerMinute' | 'requestsPerDay' | 'requestShare'>,
) => {
  const stats = () => ledger.facts.get('stats');
  const unit = () => ledger.facts.get('size-unit')?.value ?? null;
  const sizes = createSizeLimit(ledger, clock, unit);
  return {
    stats,
    /** What the service answered to a key of this account. Nothing, if another one is present now. */
    keep(accountId: number, value: ServiceStats): void {
      if (accountId !== ledger.accounts.present()) return;
      ledger.facts.set('stats', value, clock.wallMs());
    },
    /** For another account or service: forgets all that was learned. */
    forget(): void {
      for (const name of [
        'stats',
        'size-unit',
        'size-limit',
        'list-seen',
        'readings',
        'refused-uploads',
      ] as const)
        ledger.facts.remove(name);
    },
    unit,
    learn(sizeBytes: number, receipt: UploadReceipt): void {
      sizes.accepted(sizeBytes);
      const learned = learnUnit(sizeBytes, receipt.size);
      if (learned !== null && learned !== unit()) ledger.facts.set('size-unit', learned, clock.wallMs());
    },
    sizes,
    /** Larger files fail: the service refused one. Null: it has refused none for its size. */
    maxFileSizeBytes: sizes.believedBytes,
    /** Only to be shown: it may be in the wrong unit, so no file fails because of it. */
    likelyMaxFileBytes(): number | null {
      const number = stats()?.value.limits.max_file_size ?? 0;
      const presumed = unit() !== null || number >= surelyBytes ? sizes.presumedBytes() : null;
      return sizes.believedBytes() ?? presumed;
    },
    rules(): LimiterRules {
      const plan = stats()?.value;
      const byPlan = planLimits[plan?.plan.trim().toLowerCase() ?? ''] ?? proLimits;
      const { requestsPerMinute, requestsPerDay, requestShare } = settings();
      const daily = dailyUploadsOf(plan);
      return {
        perMinute: requestsPerMinute ?? byPlan.perMinute,
        perDay: requestsPerDay ?? byPlan.perDay,
        share: requestShare,
        dailyUploads: daily === 'unlimited' ? null : daily,
      };
    },
  };
};

export type Account = ReturnType<typeof createAccount>;
