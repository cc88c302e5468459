// The outcome of each request: mostly success, sometimes a fault, sometimes the same fault for hours. Every kind of
// fault has a name, and is counted when it is injected.
import type { Dice } from './dice.ts';

export type RequestKind = 'upload' | 'list' | 'info' | 'remove' | 'stats';

/** Any request can meet these. `refused`: no connection; `reset`: broken before an answer. */
const common = [
  'refused',
  'reset',
  'truncated',
  'html',
  'wrong-types',
  'success-false',
  '5xx',
  'redirect',
  '401',
  '403',
  '404',
  '408',
  '429',
  '429-retry-after',
  '429-silly-retry-after',
  'slow',
] as const;
/** `…-created`: the service has the file in spite of the fault. `early-…`: the fault occurs while the body is sent. */
const ofUploads = [
  'reset-in-body',
  'tail-lost',
  'answer-lost',
  'truncated-created',
  'html-created',
  'wrong-types-created',
  'success-false-created',
  '5xx-created',
  'known-id',
  'bad-link',
  'wrong-size',
  'late-commit',
  '400',
  '413',
  'early-401',
  'early-403',
  'early-413',
  'early-429',
] as const;
/** What the service may refuse for a day while it answers everything else: one upload, or one deletion, after the other. */
const refusals = { upload: ['403', 'early-403'], remove: ['403', '5xx', '400'] } as const;
export const longRefusals = ['upload-refused-long', 'remove-refused-long'] as const;
/** Faults that can last for a while. */
const spells = ['refused', 'reset', '5xx', 'html', 'redirect', '401', '403', '404', '429', 'slow'] as const;

export type Fate = 'good' | (typeof common)[number] | (typeof ofUploads)[number];
export const fates: readonly Fate[] = [...common, ...ofUploads];

export type Network = {
  fate(kind: RequestKind): Fate;
  /** The fault that every request meets now; null: each meets its own. */
  spell(): Fate | null;
  /** Whether it refuses all uploads, or all deletions, for long. */
  isRefusing(kind: RequestKind): boolean;
  linkFails(): boolean;
  /** A link that is there is answered with 404. */
  isLinkFlaky(): boolean;
  /** From now on every request succeeds. */
  clear(): void;
};

const hourMs = 3_600_000;

export const createNetwork = (dice: Dice, nowMs: () => number, dayMs: number): Network => {
  const startMs = nowMs();
  const intensity = dice.pick([0, 0.02, 0.1, 0.3, 0.6]);
  const linkFaults = dice.pick([0, 0, 0.2, 0.9]);
  const stretches = Array.from({ length: dice.whole(0, 4) }, () => {
    const fromMs = startMs + dice.chance() * dayMs;
    return { fromMs, toMs: fromMs + dice.spread(60_000, 4 * hourMs), fate: dice.pick(spells) };
  });
  const flaky = dice.stream('flaky links');
  const linkFlakes = flaky.pick([0, 0, 0.1, 0.5]);
  const own = dice.stream('refusals');
  const refusing = Object.keys(refusals).flatMap((kind) => {
    const fromMs = startMs + own.chance() * dayMs;
    const stretch = { kind, fromMs, toMs: fromMs + own.spread(hourMs, dayMs) };
    return own.happens(0.2) ? [stretch] : [];
  });
  let isClear = false;
  const isRefusing = (wanted: RequestKind): boolean =>
    !isClear &&
    refusing.some(({ kind, fromMs, toMs }) => kind === wanted && fromMs <= nowMs() && nowMs() < toMs);
  const spell = (): Fate | null =>
    isClear
      ? null
      : (stretches.find(({ fromMs, toMs }) => fromMs <= nowMs() && nowMs() < toMs)?.fate ?? null);
  return {
    fate(kind) {
      if (isClear) return 'good';
      const now = spell();
      if (now !== null) return now;
      if ((kind === 'upload' || kind === 'remove') && isRefusing(kind)) return own.pick(refusals[kind]);
      if (!dice.happens(kind === 'upload' ? intensity : intensity / 2)) return 'good';
      return dice.pick(kind === 'upload' && dice.happens(0.7) ? ofUploads : common);
    },
    spell,
    isRefusing,
    isLinkFlaky: () => !isClear && flaky.happens(linkFlakes),
    linkFails: () => !isClear && dice.happens(linkFaults),
    clear() {
      isClear = true;
    },
  };
};
