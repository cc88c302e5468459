import { describe, expect, test } from 'vitest';
import { openMemoryLedger } from '../../../support/memory-ledger.ts';
import { dailyUploadsOf } from '../../../../src-main/contract/model.ts';
import { createAccount } from '../../../../src-main/engine/account/account.ts';
import { createVirtualClock } from '../../../support/virtual-clock.ts';

const world = (
  given: { requestsPerMinute?: number; requestsPerDay?: number; requestShare?: number } = {},
) => {
  const ledger = openMemoryLedger(() => 0);
  const settings = { requestsPerMinute: null, requestsPerDay: null, requestShare: 1, ...given };
  const account = createAccount(ledger, createVirtualClock(), () => settings);
  return { account, accountId: ledger.accounts.present() };
};
const stats = (plan: string, maxFileSize = 0, dailyUploads = 0) => ({
  stats: { total_files: 1, total_size: 1 },
  limits: { max_file_size: maxFileSize, daily_uploads: dailyUploads },
  plan,
});
const receipt = (size: number) => ({ file_id: 1, public_link: 'https://x.example/1', size, filename: 'a' });

describe('the limits', () => {
  test.each([
    ['pro', 50, 5000],
    [' Business ', 100, 10_000],
    ['Enterprise', 50, 5000],
    ['', 50, 5000],
  ])('of plan "%s" are %d a minute and %d a day', (plan, perMinute, perDay) => {
    const { account, accountId } = world();
    account.keep(accountId, stats(plan));
    expect(account.rules()).toEqual({ perMinute, perDay, share: 1, dailyUploads: null });
  });

  test('are those of Pro until the plan is known', () => {
    expect(world().account.rules()).toMatchObject({ perMinute: 50, perDay: 5000 });
  });

  test('from the settings take precedence over those of the plan', () => {
    const { account, accountId } = world({ requestsPerMinute: 7, requestsPerDay: 70, requestShare: 0.5 });
    account.keep(accountId, stats('business', 0, 25));
    expect(account.rules()).toEqual({ perMinute: 7, perDay: 70, share: 0.5, dailyUploads: 25 });
  });
});

describe('the daily uploads', () => {
  test.each([
    [0, null, null],
    [-1, null, null],
    [1, 1, 1],
    [999_999_999, 999_999_999, 999_999_999],
    [2 ** 31 - 1, 'unlimited', null],
    [2 ** 53 - 1, 'unlimited', null],
  ])('that the service reports as %d are %s for a reader, and %s for the limiter', (told, shown, kept) => {
    const { account, accountId } = world();
    account.keep(accountId, stats('pro', 0, told));
    expect(dailyUploadsOf(account.stats()?.value)).toBe(shown);
    expect(account.rules().dailyUploads).toBe(kept);
  });

  test('are unknown until the service has been asked', () => expect(dailyUploadsOf(undefined)).toBeNull());
});

describe('the unit of sizes', () => {
  test('is learned from an upload that allows only one unit, and again when the service changes it', () => {
    const { account } = world();
    account.learn(1, receipt(1));
    expect(account.unit()).toBeNull();
    account.learn(5_000_000, receipt(5000));
    expect(account.unit()).toBe(1000);
    account.learn(1, receipt(1));
    expect(account.unit()).toBe(1000);
    account.learn(5_000_000, receipt(5_000_000));
    expect(account.unit()).toBe(1);
  });

  test('turns the largest allowed size into bytes for display; no file fails because of it', () => {
    const { account, accountId } = world();
    account.keep(accountId, stats('pro', 100_000));
    expect(account.likelyMaxFileBytes()).toBeNull();
    account.learn(5_000_000, receipt(5000));
    expect(account.likelyMaxFileBytes()).toBe(100_000_000);
    expect(account.maxFileSizeBytes()).toBeNull();
    account.keep(accountId, stats('pro', 0));
    expect(account.likelyMaxFileBytes()).toBeNull();
  });
});

test('everything learned about the account is forgotten with it', () => {
  const { account, accountId } = world();
  account.keep(accountId, stats('business'));
  account.learn(5_000_000, receipt(5000));
  account.forget();
  expect(account.stats()).toBeNull();
  expect(account.unit()).toBeNull();
});
