// The banner over the view when something is wrong: one sentence and at most one button. Pure.
import type { AccountView } from '../../src-main/contract/answers.ts';
import { goingOf, isOurs, standstillOf } from '../../src-main/contract/live.ts';
import type { EngineStatus } from '../../src-main/contract/model.ts';
import type { WordKey } from '../../src-main/contract/locales/words.ts';
import { plainPath } from './path.svelte.ts';

export type BannerAct =
  'replace-key' | 'check-plan' | 'choose-folder' | 'scan' | 'keychain-remedy' | 'try-now';

export type BannerLine = {
  /** `calm`: it ends by itself. */
  tone: 'calm' | 'warn' | 'bad';
  key: WordKey;
  values: Record<string, string | number>;
  /** The value for `when`: the moment at which it ends; null: not known. */
  untilMs?: number | null;
  act?: { key: WordKey; do: BannerAct };
};

export const bannerFor = (status: EngineStatus, account: AccountView | null): BannerLine | null => {
  const { gate } = status;
  // First, because the other values shown may be wrong while it lasts.
  if (gate.kind === 'closed' && isOurs(gate.reason)) return gateBanner(status);
  const away = awayBanner(status);
  if (away?.tone === 'bad') return away;
  if (account?.key.kind === 'locked') {
    return {
      tone: 'bad',
      key: 'banner.keychainLocked',
      values: {},
      act: { key: 'banner.keychain.do', do: 'keychain-remedy' },
    };
  }
  const closed = gateBanner(status);
  if (closed !== null) return closed;
  if (away !== null) return away;
  if (status.watch === 'degraded') {
    return {
      tone: 'warn',
      key: 'banner.degraded',
      values: {},
      act: { key: 'banner.degraded.do', do: 'scan' },
    };
  }
  return null;
};

/** The sentence to announce once when it is over, with the same values; null: none. */
export const bannerEnd = ({ key }: BannerLine, { paused }: EngineStatus): WordKey | null => {
  switch (key) {
    case 'banner.folder':
      return 'banner.folder.back';
    case 'banner.degraded':
    case 'banner.keychain':
    case 'banner.keychainLocked':
      return null;
    default:
      return paused ? null : 'banner.over';
  }
};

/** The queue itself shows a problem that ends by itself, with its button. */
export const isSaidByQueue = ({ tone, act }: BannerLine): boolean =>
  tone === 'calm' && (act === undefined || act.do === 'try-now');

/** One of several folders is missing; the others continue. */
const awayBanner = ({ folders, folderAvailable }: EngineStatus): BannerLine | null => {
  const away = folders.find(({ available }) => !available);
  if (away === undefined) return null;
  return {
    tone: folderAvailable ? 'warn' : 'bad',
    key: 'banner.folder',
    values: { folder: plainPath(away.folder) },
    act: { key: 'banner.folder.do', do: 'choose-folder' },
  };
};

/** A missing keychain is permanent: shown at the foot of Settings and in Welcome, and here until it is dismissed. */
export const keychainBanner = (account: AccountView | null): BannerLine | null =>
  account?.key.kind === 'session' || account?.key.kind === 'unavailable'
    ? {
        tone: 'warn',
        key: 'banner.keychain',
        values: {},
        act: { key: 'banner.keychain.do', do: 'keychain-remedy' },
      }
    : null;

/** The problem ends by itself, but a person who does not want to wait can send one request at once. */
const tryNow = { key: 'queue.tryNow', do: 'try-now' } as const;

const gateBanner = (status: EngineStatus): BannerLine | null => {
  const standstill = standstillOf(status);
  if (standstill === null) return null;
  const { untilMs } = standstill;
  switch (standstill.reason) {
    case 'network':
      return { tone: 'calm', key: 'banner.network', values: {}, act: tryNow };
    case 'service':
      return { tone: 'calm', key: 'banner.service', values: {}, untilMs, act: tryNow };
    case 'key':
      return {
        tone: 'bad',
        key: 'banner.key',
        values: {},
        act: { key: 'banner.key.do', do: 'replace-key' },
      };
    case 'plan':
      return {
        tone: 'bad',
        key: 'banner.plan',
        values: {},
        act: { key: 'banner.plan.do', do: 'check-plan' },
      };
    case 'moved':
      return {
        tone: 'bad',
        key: 'banner.moved',
        values: {},
        act: { key: 'banner.moved.do', do: 'replace-key' },
      };
    case 'daily-uploads':
      return { tone: 'calm', key: 'banner.dailyUploads', values: { count: goingOf(status) } };
    case 'budget':
      return { tone: 'calm', key: 'banner.budget', values: {}, untilMs };
    case 'limit':
      return { tone: 'calm', key: 'banner.limit', values: {}, untilMs };
    case 'blocked':
      return { tone: 'calm', key: 'banner.blocked', values: {}, untilMs };
    case 'rate':
      return { tone: 'calm', key: 'banner.rate', values: {}, untilMs, act: tryNow };
    case 'disk': {
      const { storage } = status;
      return { tone: 'bad', key: storage === null ? 'banner.disk' : `banner.disk.${storage}`, values: {} };
    }
    case 'audit':
      return { tone: 'bad', key: 'banner.audit', values: {} };
    case 'policy':
      return { tone: 'bad', key: 'banner.policy', values: {} };
    case 'folder':
    case 'paused':
    case 'settling':
    case 'locked':
    case 'same-name':
    case 'busy':
    case 'unfinished':
    case 'grace':
      return null;
  }
};
