// How long a pause can be asked for, and until when that is. Pure.
import type { WordKey } from '../../src-main/contract/words/en.ts';

export type PauseChoice = { key: WordKey; until: (nowMs: number) => number | null };

const MINUTE = 60_000;

export const pauseChoices: readonly PauseChoice[] = [
  { key: 'queue.pause.15', until: (nowMs) => nowMs + 15 * MINUTE },
  { key: 'queue.pause.60', until: (nowMs) => nowMs + 60 * MINUTE },
  // Tomorrow begins when people come back, not at midnight.
  { key: 'queue.pause.tomorrow', until: (nowMs) => tomorrowMorning(nowMs) },
  { key: 'queue.pause.ever', until: () => null },
];

export const tomorrowMorning = (nowMs: number): number => {
  const at = new Date(nowMs);
  at.setDate(at.getDate() + 1);
  at.setHours(8, 0, 0, 0);
  return at.getTime();
};
