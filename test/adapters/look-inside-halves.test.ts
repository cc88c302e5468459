// The corpus in two halves, with the real rules in their real thread.
import { afterAll, expect, test } from 'vitest';
import { createInspect } from '../../src-main/adapters/inspect/inspect.ts';
import { measureHalf } from '../support/corpus/halves.ts';

const inspect = createInspect();
afterAll(() => inspect.close());

test.each(['seen', 'unseen', 'blind'] as const)(
  'the %s half has at least 60 kinds and 30 harmless ones',
  async (half) => {
    const { kinds, harmlessKinds, found } = await measureHalf(inspect, half);
    expect(kinds).toBeGreaterThanOrEqual(60);
    expect(harmlessKinds).toBeGreaterThanOrEqual(30);
    expect(found).toBeGreaterThan(0);
  },
  120_000,
);
