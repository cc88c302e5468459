// Accounts: keys, plans, and what each may still ask for (sections 5 and 8 of service.md).
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ServiceClock } from './clock.ts';
import type { AccountOptions, PlanName } from './options.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

export type Limits = {
  maxFileSizeBytes: number | null;
  dailyUploads: number | null;
  requestsPerMinute: number | null;
  requestsPerDay: number | null;
};

// The rates are those of the document. It does not give sizes and daily uploads: these are too large to limit a test.
const planLimits: Record<PlanName, Limits> = {
  Free: { maxFileSizeBytes: 0, dailyUploads: 0, requestsPerMinute: 0, requestsPerDay: 0 },
  Pro: {
    maxFileSizeBytes: 10 * 1024 ** 3,
    dailyUploads: 5_000,
    requestsPerMinute: 50,
    requestsPerDay: 5_000,
  },
  Business: {
    maxFileSizeBytes: 50 * 1024 ** 3,
    dailyUploads: 10_000,
    requestsPerMinute: 100,
    requestsPerDay: 10_000,
  },
};

type RateWindow = {
  hasRoom(atMs: number): boolean;
  count(atMs: number): void;
  /** How many requests are held against the client now. */
  level(atMs: number): number;
};

export type Account = {
  name: string;
  /** `null` once revoked. */
  key: string | null;
  plan: PlanName;
  limits: Limits;
  minute: RateWindow;
  day: RateWindow;
  uploads: RateWindow;
};

/** What the test API shows of an account. */
export type AccountView = Limits & {
  name: string;
  key: string | null;
  plan: PlanName;
  minuteCount: number;
  dayCount: number;
  uploadsToday: number;
};

export type Accounts = {
  byKey(key: string): Account | undefined;
  byName(name: string | undefined): Account;
  view(): AccountView[];
  setKey(key: string | null, name?: string): void;
  /** Of the account with that name (the first without one); an unknown name makes a new account. */
  change(options: AccountOptions): void;
};

export function createAccounts(options: AccountOptions[], clock: ServiceClock): Accounts {
  const accounts: Account[] = [];
  const add = (given: AccountOptions) => {
    const plan = given.plan ?? 'Pro';
    const limits = limitsOf(given, planLimits[plan]);
    const name = given.name ?? `account-${accounts.length + 1}`;
    const key = given.key ?? `key-${randomBytes(12).toString('hex')}`;
    accounts.push({ name, key, plan, limits, ...windowsOf(limits) });
  };
  for (const each of options) add(each);

  const byName = (name: string | undefined): Account => {
    const found = name === undefined ? accounts[0] : accounts.find((each) => each.name === name);
    if (!found) throw new Error(`No account ${name ?? 'at all'}`);
    return found;
  };

  return {
    byKey: (key) => accounts.find((each) => each.key === key),
    byName,
    view: () =>
      accounts.map(({ name, key, plan, limits, minute, day, uploads }) => {
        const nowMs = clock.now();
        const counts = {
          minuteCount: minute.level(nowMs),
          dayCount: day.level(nowMs),
          uploadsToday: uploads.level(nowMs),
        };
        return { name, key, plan, ...limits, ...counts };
      }),
    setKey: (key, name) => {
      byName(name).key = key;
    },
    change: (change) => {
      if (change.name !== undefined && !accounts.some((each) => each.name === change.name))
        return add(change);
      const account = byName(change.name);
      const before = account.limits;
      const base = change.plan === undefined ? account.limits : planLimits[change.plan];
      account.plan = change.plan ?? account.plan;
      account.limits = limitsOf(change, base);
      if (change.key !== undefined) account.key = change.key;
      if (!isDeepStrictEqual(before, account.limits)) Object.assign(account, windowsOf(account.limits));
    },
  };
}

function limitsOf(given: AccountOptions, base: Limits): Limits {
  const { maxFileSizeBytes, dailyUploads, requestsPerMinute, requestsPerDay } = given;
  return {
    maxFileSizeBytes: maxFileSizeBytes === undefined ? base.maxFileSizeBytes : maxFileSizeBytes,
    dailyUploads: dailyUploads === undefined ? base.dailyUploads : dailyUploads,
    requestsPerMinute: requestsPerMinute === undefined ? base.requestsPerMinute : requestsPerMinute,
    requestsPerDay: requestsPerDay === undefined ? base.requestsPerDay : requestsPerDay,
  };
}

const windowsOf = (limits: Limits): Pick<Account, 'minute' | 'day' | 'uploads'> => ({
  minute: createWindow(limits.requestsPerMinute, (atMs) => atMs - minuteMs),
  day: createWindow(limits.requestsPerDay, beginOfDay),
  uploads: createWindow(limits.dailyUploads, beginOfDay),
});

const beginOfDay = (atMs: number): number => atMs - (atMs % dayMs) - 1;

/** What was counted after `since` of now counts. */
function createWindow(limit: number | null, since: (atMs: number) => number): RateWindow {
  let stamps: number[] = [];
  const level = (atMs: number): number => {
    const first = stamps.findIndex((stamp) => stamp > since(atMs));
    if (first !== 0) stamps = first === -1 ? [] : stamps.slice(first);
    return stamps.length;
  };
  return {
    hasRoom: (atMs) => limit === null || level(atMs) < limit,
    count: (atMs) => void stamps.push(atMs),
    level,
  };
}
