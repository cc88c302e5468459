// The command killed at the effects that matter most, each in a run of its own, with the service as a process beside.
// Every effect there is: `npm run soak -- --points`; a thousand random moments: `npm run soak`.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPointsRig, type PointsRig } from '../support/soak/points.ts';
import { startServiceProcess, type Doom, type ServiceProcess } from '../support/soak/processes.ts';

let service: ServiceProcess;
let rig: PointsRig;

beforeAll(async () => {
  service = await startServiceProcess();
  rig = await createPointsRig(service, { build: 'source', name: 'crashes', files: 3 });
});
afterAll(async () => {
  await rig.remove();
  await service.stop();
});

/** The n-th effect of that label is the last one within the second upload: something is there that must not change. */
const inSecondUpload = (label: string): number => {
  const { effects } = rig;
  const connects = effects.flatMap((one, index) => (one === 'connect' ? [index] : []));
  // The first connection asks for the statistics.
  const [, , , third = effects.length] = connects;
  return effects.slice(0, third).filter((one) => one === label).length;
};
const labelLike = (label: RegExp): string => rig.effects.find((one) => label.test(one)) ?? 'none';

test.each<[what: string, moment: Doom['moment'], label: RegExp, nth: (label: string) => number]>([
  ['just before the folder is remembered', 'before', /^rename settings/, () => 1],
  ['just after the ledger is made', 'after', /^exec PRAGMA journal_mode = WAL/, () => 1],
  ['just before the tail is sent', 'before', /^send bytes/, inSecondUpload],
  ['just after the tail is sent', 'after', /^send bytes/, inSecondUpload],
  ['with the answer read and not recorded', 'after', /^read an answer/, inSecondUpload],
])('killed %s it starts again and keeps every promise', async (_, moment, like, nth) => {
  const label = labelLike(like);
  const result = await rig.try({ moment, label, nth: nth(label) });
  expect(result).toMatchObject({ died: true, broken: [] });
});
