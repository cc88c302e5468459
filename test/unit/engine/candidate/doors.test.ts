// Whatever door a file comes by: what the service receives never contradicts a rule that is asked about the real file.
// `OUTTRAY_WALKS=250` walks 10,000 files, `OUTTRAY_WALKS_FROM=1001` others; `OUTTRAY_WALK=7` walks seed 7 alone and prints its way.
import { expect, test } from 'vitest';
import { isDeep } from '../../../support/deep.ts';
import { walkDoors } from '../../../support/doors/walk.ts';

const filesPerWalk = 40;
const only = process.env['OUTTRAY_WALK'];
const walks = only === undefined ? Number(process.env['OUTTRAY_WALKS'] ?? (isDeep ? 100 : 3)) : 1;
const first = Number(only ?? process.env['OUTTRAY_WALKS_FROM'] ?? 1);

test('nothing goes by any door that a rule forbids', { timeout: 900_000 }, async () => {
  const problems: string[] = [];
  let received = 0;
  for (let seed = first; seed < first + walks; seed += 1) {
    const walk = await walkDoors(seed, filesPerWalk);
    received += walk.received;
    problems.push(...walk.problems.map((problem) => `seed ${seed}: ${problem}`));
    if (only !== undefined) console.log(walk.trail.join('\n'));
  }
  expect(problems).toEqual([]);
  // Walks in which everything is kept back prove nothing.
  expect(received).toBeGreaterThan(walks);
});
