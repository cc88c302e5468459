// The end of the app, while calls are under way that are answered only then.
import { expect, test, vi } from 'vitest';
import type { Standing } from '../../../../src-main/shell/drop/drop.ts';

vi.mock('electron', () => ({ clipboard: {}, ClipboardItem: {} }));
const { createDrops } = await import('../../../../src-main/shell/drop/drops.ts');

test('after it nothing is looked up in the ledger, which is closed', async () => {
  let isClosed = false;
  let told = 0;
  const fromLedger = <Answer>(answer: Answer): Answer => {
    if (isClosed) throw new Error('The ledger is closed.');
    return answer;
  };
  const going: Standing = { isGoing: true, link: null };
  const drops = createDrops({
    after: () => () => undefined,
    goesOn: () => false,
    mode: () => 'dropped',
    look: {
      isByHand: () => fromLedger(true),
      account: () => 1,
      standing: (id) => fromLedger({ ...going, isGone: id === 2 }),
      movedTo: async () => '/tray/b.txt',
    },
    copy: async () => 'done',
    tell: { group: () => (told += 1), leftOut: () => (told += 1) },
    tokenFor: () => 'token',
  });
  drops.given([1, 2]);
  drops.stop();
  isClosed = true;
  const before = told;
  drops.given([3]);
  drops.hear([{ seq: 1, atMs: 0, uploadId: 1, path: '/tray/a.txt', body: { kind: 'lost', fileId: 10 } }]);
  drops.look();
  await new Promise(setImmediate);
  expect(told).toBe(before);
});
