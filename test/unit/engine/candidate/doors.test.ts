// Whichever way a file arrives, what the service receives never breaks a rule, judged by the real file.
// `OUTTRAY_WALKS=250` walks 10,000 files, `OUTTRAY_WALKS_FROM=1001` others; `OUTTRAY_WALK=7` walks seed 7 alone and prints its way.
import { expect, test } from 'vitest';
import { isDeep } from '../../../support/deep.ts';
import { walkDoors } from '../../../support/doors/walk.ts';

const filesPerWalk = 40;
const only = process.env['OUTTRAY_WALK'];
const walks = only === undefined ? Number(process.env['OUTTRAY_WALKS'] ?? (isDeep ? 100 : 3)) : 1;
const first = Number(only ?? process.env['OUTTRAY_WALKS_FROM'] ?? 1);

test('no file that a rule forbids is sent, whichever way it arrives', { timeout: 900_000 }, async () => {
  const problems: string[] = [];
  let received = 0;
  for (let seed = first; seed < first + walks; seed += 1) {
    const walk = await walkDoors(seed, filesPerWalk);
    received += walk.received;
    problems.push(...walk.problems.map((problem) => `seed ${seed}: ${problem}`));
    if (only !== undefined) console.log(walk.trail.join('\n'));
  }
  expect(problems).toEqual([]);
  // Walks that send nothing prove nothing.
  expect(received).toBeGreaterThan(walks);
});
