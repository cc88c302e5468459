// What a person sets for the queue: a pause and an order. Both are facts in the ledger, so every process can set them.
import type { QueueOrder } from '../../contract/model.ts';
import type { Ledger, Ports } from '../ports.ts';

export type Pause = { untilMs: number | null };

/** Null when nothing is paused, or no longer. A policy may forbid pauses; then an earlier pause no longer holds. */
export const pauseNow = ({
  ledger,
  clock,
  settings,
}: Pick<Ports, 'ledger' | 'clock' | 'settings'>): Pause | null => {
  if (!settings.current().allowPause) return null;
  const value = ledger.facts.get('pause')?.value;
  if (typeof value !== 'object' || value === null || !('untilMs' in value)) return null;
  const untilMs = typeof value.untilMs === 'number' ? value.untilMs : null;
  return untilMs !== null && untilMs <= clock.wallMs() ? null : { untilMs };
};

export const queueOrder = ({ facts }: Pick<Ledger, 'facts'>): QueueOrder => {
  const value = facts.get('order')?.value;
  return value === 'newest' || value === 'smallest' ? value : 'arrival';
};
