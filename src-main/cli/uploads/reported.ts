// The program of the setting afterUpload, as far as a command waits for it.
import type { EntryBody } from '../../contract/entries.ts';
import { printable } from '../../contract/text/printable.ts';
import type { Composed, Session } from '../session.ts';

/** As long as one program may take: what is still due then, the next Outtray sends. */
const longestMs = 60_000;

/** Until the program has heard of all events; `next` waits for a moment. */
export const untilReported = async (
  { signal }: Session,
  { engine, isEngine, clock }: Composed,
  next: () => Promise<void>,
): Promise<void> => {
  const endMs = clock.monoMs() + longestMs;
  while (isEngine && !signal.aborted && engine.isReporting() && clock.monoMs() < endMs) await next();
};

export const programFailedText = (
  path: string,
  { message }: Extract<EntryBody, { kind: 'program-failed' }>,
): string => `${path}: the program of afterUpload failed: ${printable(message)}.`;
