// The command killed at the effects that matter most, each in its own run, with the service as a separate process.
// Every effect there is: `npm run soak -- --points`; a thousand random moments: `npm run soak`.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPointsRig, type PointsRig } from '../support/soak/points.ts';
import { createRecallRig } from '../support/soak/recall-points.ts';
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

describe('a run with an audit file that is killed', () => {
  let audited: PointsRig;
  beforeAll(async () => {
    const run = { build: 'source', name: 'audited', files: 4, isAudited: true } as const;
    audited = await createPointsRig(service, run);
  });
  afterAll(() => audited.remove());

  test.each<[what: string, moment: Doom['moment'], label: string, nth: number]>([
    ['just before the second line', 'before', 'writeSync audit.jsonl', 2],
    ['half through the second line', 'torn', 'writeSync audit.jsonl', 2],
    ['with the line written and not noted', 'after', 'fsyncSync audit.jsonl', 2],
    ['before the full file gets its new name', 'before', 'renameSync audit.jsonl', 1],
    ['with no file under the old name', 'after', 'renameSync audit.jsonl', 1],
    ['half through the first line of the new file', 'torn', 'writeSync audit.jsonl', 4],
  ])('%s misses no line, writes none twice, and none with the key', async (_, moment, label, nth) => {
    const result = await audited.try({ moment, label, nth });
    expect(result).toMatchObject({ died: true, broken: [] });
  });
});

describe('a killed run in which a link ends', () => {
  let expiries: PointsRig;
  beforeAll(async () => {
    expiries = await createRecallRig(service, { build: 'source', name: 'expiries', by: 'expiry' });
  });
  afterAll(() => expiries.remove());

  test.each<[what: string, moment: Doom['moment'], label: string, from: 'first' | 'last']>([
    ['just before its first request', 'before', 'send text', 'first'],
    ['just before the deletion is sent', 'before', 'send text', 'last'],
    ['just after the deletion is sent', 'after', 'send text', 'last'],
    ['with its answer read and not recorded', 'after', 'read an answer', 'last'],
    ['before its end is told', 'before', 'commit', 'last'],
    ['after its end is told', 'after', 'commit', 'last'],
  ])('%s is finished by the next start, and reported once', async (_, moment, label, from) => {
    const nth = from === 'first' ? 1 : expiries.effects.filter((one) => one === label).length;
    const result = await expiries.try({ moment, label, nth });
    expect(result).toMatchObject({ died: true, broken: [] });
  });
});

describe('a recall that is killed', () => {
  let recalls: PointsRig;
  beforeAll(async () => {
    recalls = await createRecallRig(service, { build: 'source', name: 'recalls' });
  });
  afterAll(() => recalls.remove());

  /** Where the deletion is among the effects: after the query of the download count. */
  const inDeletion = (label: string): number => {
    const { effects } = recalls;
    const [, second = 0, third = effects.length] = effects.flatMap((one, at) =>
      one === 'connect' ? [at] : [],
    );
    return effects.slice(0, third).lastIndexOf(label) < second
      ? 0
      : effects.slice(0, third).filter((one) => one === label).length;
  };

  test.each<[what: string, moment: Doom['moment'], label: string]>([
    ['just before the deletion is sent', 'before', 'send text'],
    ['just after the deletion is sent', 'after', 'send text'],
    ['with its answer read and not recorded', 'after', 'read an answer'],
  ])('%s is finished by the next start, and reported once', async (_, moment, label) => {
    const result = await recalls.try({ moment, label, nth: inDeletion(label) });
    expect(result).toMatchObject({ died: true, broken: [] });
  });

  test('before its end is recorded is finished by the next start, and reported once', async () => {
    const nth = recalls.effects.filter((one) => one === 'commit').length;
    const results = [];
    for (const moment of ['before', 'after'] as const)
      results.push(await recalls.try({ moment, label: 'commit', nth }));
    expect(results).toMatchObject([
      { died: true, broken: [] },
      { died: true, broken: [] },
    ]);
  });
});
