// Inspects the content of files: finds secrets, takes a while, and sometimes hangs or crashes. It then gives no
// verdict, like the real one (adapters/inspect), and the file is held.
import type { Clock } from '../../../src-main/engine/ports/ports.ts';
import type { Inspect } from '../../../src-main/engine/ports/files.ts';
import type { Dice } from './dice.ts';
import type { Story } from './story.ts';
import { holdsSecret } from './truth.ts';

/** The real one stops an inspection after this time. */
const hangMs = 30_000;
const unread = [{ kind: 'secret', rule: 'not-read', line: null }] as const;

export const createLookInside = ({
  dice,
  clock,
  story,
}: {
  dice: Dice;
  clock: Clock;
  story: Story;
}): Inspect => {
  const after = (delayMs: number): Promise<void> =>
    new Promise((resolve) => void clock.after(delayMs, resolve));
  return {
    photo: async () => null,
    excerpt: () => Promise.resolve(null),
    async findIn({ bytes }) {
      const text = Buffer.from(bytes).toString();
      const fate = dice.chance();
      if (fate < 0.02) {
        story.fault('look-hung');
        await after(hangMs);
        return unread;
      }
      await after(dice.spread(1, 2000));
      if (fate < 0.04) {
        story.fault('look-crashed');
        return unread;
      }
      return holdsSecret(text) ? [{ kind: 'secret', rule: 'made-up', line: 1 }] : [];
    },
  };
};
