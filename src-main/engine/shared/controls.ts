// What a person sets for the queue: a pause and an order. Both are facts in the ledger, so every process can set them.
import type { QueueOrder } from '../../contract/model.ts';
import type { Facts } from '../../contract/facts.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { Ports } from '../ports/ports.ts';

export type Pause = Facts['pause'];

/** Null when nothing is paused, or no longer. A policy may forbid pauses; then an earlier pause no longer holds. */
export const pauseNow = ({
  ledger,
  clock,
  settings,
}: Pick<Ports, 'ledger' | 'clock' | 'settings'>): Pause | null => {
  if (!settings.current().allowPause) return null;
  const pause = ledger.facts.get('pause')?.value ?? null;
  const isOver = pause !== null && pause.untilMs !== null && pause.untilMs <= clock.wallMs();
  return isOver ? null : pause;
};

export const queueOrder = ({ facts }: Pick<Ledger, 'facts'>): QueueOrder =>
  facts.get('order')?.value ?? 'arrival';
