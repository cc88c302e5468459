// The books of one process on a permit table, and another process that spends there as well.
import type { Lane } from '../../src-main/contract/model.ts';
import { createBooks, type Books } from '../../src-main/engine/limiter/books.ts';
import type { Permit } from '../../src-main/engine/ports/ledger.ts';
import { createPermitLedger } from './permit-table.ts';
import { createVirtualClock } from './virtual-clock.ts';

export const booksWorld = (isAlive: (owner: string) => boolean | null = () => null) => {
  const clock = createVirtualClock();
  const startMs = clock.wallMs();
  const ledger = createPermitLedger();
  const { permits } = ledger;
  /** The books of one more process, read. */
  const open = (owner = 'engine:1'): Books => {
    const opened = createBooks({ clock, permits, owner, isAlive });
    opened.read();
    return opened;
  };
  const books = open();
  /** Another process spends a permit, `agoMs` before now (negative: after now). */
  const spent = (lane: Lane = 'upload', agoMs = 0): Permit =>
    permits.insert(lane, clock.wallMs() - agoMs, 'command:1');
  const later = (ms: number): Books => {
    clock.advanceNow(ms);
    books.read();
    return books;
  };
  return { clock, startMs, ledger, permits, open, books, spent, later };
};
