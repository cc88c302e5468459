// The pauses that tray and queue offer, and when each ends. Pure.
import { tomorrowMorning } from './expiry.ts';
import type { WordKey } from './locales/words.ts';

const minuteMs = 60_000;

/** `until` returns epoch milliseconds; null: until resumed. */
export const pauses: readonly { key: WordKey; until: (nowMs: number) => number | null }[] = [
  { key: 'queue.pause.15', until: (nowMs) => nowMs + 15 * minuteMs },
  { key: 'queue.pause.60', until: (nowMs) => nowMs + 60 * minuteMs },
  { key: 'queue.pause.tomorrow', until: (nowMs) => tomorrowMorning(nowMs) },
  { key: 'queue.pause.open', until: () => null },
];
