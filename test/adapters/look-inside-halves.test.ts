// The corpus in two halves, with the real rules in their real thread.
import { afterAll, expect, test } from 'vitest';
import { createInspect } from '../../src-main/adapters/inspect/inspect.ts';
import { measureHalf } from '../support/corpus/halves.ts';

const inspect = createInspect();
afterAll(() => inspect.close());

test.each(['seen', 'unseen', 'blind', 'formats'] as const)(
  'in the %s part 95 of 100 secrets are found, and at most one of 200 harmless files is held',
  async (half) => {
    const { kinds, harmlessKinds, found, alarms } = await measureHalf(inspect, half);
    expect(kinds).toBeGreaterThanOrEqual(60);
    expect(harmlessKinds).toBeGreaterThanOrEqual(30);
    expect(found).toBeGreaterThanOrEqual(0.95);
    expect(alarms).toBeLessThanOrEqual(0.005);
  },
  120_000,
);
