// Seeded chance: the same seed gives the same tokens, orders and faults.
import { createHash } from 'node:crypto';

/** mulberry32: small, fast and good enough for dice. */
export function createChance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A short opaque word, determined by the seed and the parts. */
export function wordOf(seed: number, ...parts: (string | number)[]): string {
  return createHash('sha256')
    .update([seed, ...parts].join(':'))
    .digest('base64url')
    .replace(/[-_]/g, 'x')
    .slice(0, 10);
}
