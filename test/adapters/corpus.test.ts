// The corpus in its parts, with the real rules in their real thread.
import { afterAll, expect, test } from 'vitest';
import { createInspect } from '../../src-main/adapters/inspect/inspect.ts';
import { harmlessFiles } from '../support/corpus/harmless.ts';
import { measurePart } from '../support/corpus/parts.ts';
import { isDeep } from '../support/deep.ts';

const inspect = createInspect();
afterAll(() => inspect.close());

test.each(['seen', 'unseen', 'blind', 'formats'] as const)(
  'in the %s part 95 of 100 secrets are found, and at most one of 200 harmless files is held',
  async (part) => {
    const { kinds, harmlessKinds, found, alarms } = await measurePart(inspect, part);
    expect(kinds).toBeGreaterThanOrEqual(60);
    expect(harmlessKinds).toBeGreaterThanOrEqual(30);
    expect(found).toBeGreaterThanOrEqual(0.95);
    expect(alarms).toBeLessThanOrEqual(0.005);
  },
  120_000,
);

test.runIf(isDeep)('of 2,000 sources and files of packages at most one of 200 is held', async () => {
  const held: string[] = [];
  for (const { name, bytes } of harmlessFiles(2000))
    if ((await inspect.findIn({ kind: 'text', bytes })).length > 0) held.push(name);
  expect(held.length, held.join(', ')).toBeLessThanOrEqual(10);
});
