import { expect, test } from 'vitest';
import { openMemoryLedger } from '../../../support/memory-ledger.ts';
import { createRefusals } from '../../../../src-main/engine/account/refusals.ts';
import { createFeed } from '../../../../src-main/engine/shared/feed.ts';
import { createPicker } from '../../../../src-main/engine/upload/picker.ts';
import { createRows } from '../../../../src-main/engine/state/rows.ts';
import { createVirtualClock } from '../../../support/virtual-clock.ts';

const many = 1000;

/** Many settling files given by path, and how many rows are read one by one. */
const open = () => {
  const ledger = openMemoryLedger(() => 0);
  const clock = createVirtualClock();
  const insert = (kind: 'settling' | 'ready', n: number) =>
    ledger.uploads.insert(
      { folderId: null, dir: '/home/me', name: `file${n}`, stamp: null, state: { kind } },
      0,
    );
  const feed = createFeed({ clock, ledger });
  let reads = 0;
  const byId = (id: number) => {
    reads += 1;
    return ledger.uploads.byId(id);
  };
  const picker = createPicker(
    { ...ledger, uploads: { ...ledger.uploads, byId } },
    createRows({ ledger, clock, feed }),
    { presumedBytes: () => null },
    createRefusals(ledger, clock),
  );
  const ids = new Set(Array.from({ length: many }, (_, n) => insert('settling', n).id));
  return { insert, picker, ids, reads: () => reads };
};

test('settling files are not read one by one when none is ready', () => {
  const { picker, ids, reads } = open();
  picker.restrictTo(ids);
  expect(picker.next([])).toBeNull();
  expect(reads()).toBeLessThan(5);
});

test('settling files are not read one by one while the only ready one is on its way and not recorded yet', () => {
  const { insert, picker, ids, reads } = open();
  const ready = insert('ready', many);
  picker.restrictTo(new Set([...ids, ready.id]));
  expect(picker.next([ready])).toBeNull();
  expect(reads()).toBeLessThan(5);
});

test('a ready file behind many settling ones is found', () => {
  const { insert, picker, ids } = open();
  const ready = [insert('ready', many), insert('ready', many + 1)];
  picker.restrictTo(new Set([...ids, ...ready.map(({ id }) => id)]));
  expect(picker.next([])?.id).toBe(ready[0]?.id);
  expect(picker.next(ready.slice(0, 1))?.id).toBe(ready[1]?.id);
});

test.each([401, 407, 408, 411, 417, 421, 425, 426, 429])(
  'a file whose last answer was %d, which concerns every file, keeps its place',
  (status) => {
    const refusals = createRefusals(
      openMemoryLedger(() => 0),
      { wallMs: () => 0 },
    );
    expect(refusals.goesLast({ attempts: 1 }, { status })).toBe(false);
    expect(refusals.goesLast({ attempts: 1 }, { status: 403 })).toBe(true);
  },
);
