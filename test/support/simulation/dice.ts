// Randomness of the simulation: one seed, and a separate stream for each part of the world, so that one more draw in
// one part does not change the others.
import { seeded } from '../limiter-models.ts';

export type Dice = {
  /** Uniform in [0, 1). */
  chance(): number;
  /** True with this probability. */
  happens(probability: number): boolean;
  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number;
  /** Log-uniform between two positive numbers: each order of magnitude is equally likely. */
  spread(low: number, high: number): number;
  pick<T>(from: readonly T[]): T;
  /** Another stream, named. */
  stream(name: string): Dice;
};

export const createDice = (seed: number): Dice => {
  const chance = seeded(seed);
  // The first draws of neighbouring seeds resemble each other.
  for (let i = 0; i < 4; i += 1) chance();
  const whole = (low: number, high: number): number => low + Math.floor(chance() * (high - low + 1));
  return {
    chance,
    happens: (probability) => chance() < probability,
    whole,
    spread: (low, high) => low * (high / low) ** chance(),
    pick(from) {
      const one = from[whole(0, from.length - 1)];
      if (one === undefined) throw new Error('Nothing to pick from.');
      return one;
    },
    stream(name) {
      let hash = seed;
      for (const point of name) hash = Math.imul(hash ^ (point.codePointAt(0) ?? 0), 0x9e3779b1) >>> 0;
      return createDice(hash);
    },
  };
};
