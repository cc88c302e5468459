// Drops that ended, and that the window still shows beside another one: what it is told of each.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { GivenGroup } from '../../../../src-main/contract/window.ts';
import type { CopyMode } from '../../../../src-main/shell/rules-in-force.ts';
import type { Standing } from '../../../../src-main/shell/drop/drop.ts';

vi.mock('electron', () => ({ clipboard: {}, ClipboardItem: {} }));
// Other files of this run may have loaded these modules with their own stand-ins.
vi.resetModules();
const { createDrops } = await import('../../../../src-main/shell/drop/drops.ts');
const { otherContent } = await import('../../../../src-main/shell/clipboard/clipboard.ts');

const going: Standing = { isGoing: true, link: null };
const without: Standing = { isGoing: false, link: null };
const linked = (uploadId: number): Standing => ({
  isGoing: false,
  link: { uploadId, fileId: uploadId * 10, name: 'a.txt', link: 'https://x/1', uploadedAtMs: 1 },
});

let mode: CopyMode;
/** That of the present key. */
let account: number;
let result: GivenGroup['copy'];
/** The copies that were asked for. */
let written: number[][];
/** What happens after a quiet moment. */
let quiet: (() => void) | null;
let told: GivenGroup[];
let ledger: Map<number, Standing>;
let drops: ReturnType<typeof createDrops>;

beforeEach(() => {
  mode = 'dropped';
  account = 1;
  result = 'done';
  written = [];
  quiet = null;
  told = [];
  ledger = new Map();
  drops = createDrops({
    after: (_delayMs, act) => {
      quiet = act;
      return () => (quiet = null);
    },
    goesOn: () => false,
    mode: () => mode,
    look: {
      isByHand: (id) => id >= 1000,
      account: () => account,
      standing: (id) => ledger.get(id) ?? going,
      movedTo: async () => null,
    },
    async copy(uploadIds) {
      written.push([...uploadIds]);
      if (result === 'done' || result === 'unsure') drops.hearClipboard({ uploadIds, copy: result });
      return result;
    },
    tell: { group: (group) => told.push(group), leftOut: () => undefined },
    tokenFor: () => 'token',
  });
});

/** Where an upload is from now on. */
const now = async (id: number, standing: Standing): Promise<void> => {
  ledger.set(id, standing);
  drops.look();
  await new Promise(setImmediate);
};
const gone = async (id: number): Promise<void> => {
  ledger.set(id, without);
  drops.hear([{ seq: 1, atMs: 0, uploadId: id, path: '/x', body: { kind: 'lost', fileId: id * 10 } }]);
  await new Promise(setImmediate);
};
const lastOf = (drop: number): GivenGroup | undefined => told.filter(({ id }) => id === drop).at(-1);

describe('of a drop that ended before an older one the window is told', () => {
  beforeEach(async () => {
    drops.given([1]);
    drops.given([2, 3]);
    await now(3, without);
    await now(2, linked(2));
    await now(1, linked(1));
    expect(told.at(-1)).toMatchObject({ id: 1, going: 0 });
  });

  test('that a link is gone', async () => {
    await gone(2);
    expect(told.at(-1)).toMatchObject({ id: 2, linked: 0 });
  });

  test('that a file is brought back', async () => {
    await now(3, going);
    expect(told.at(-1)).toMatchObject({ id: 2, going: 1 });
  });

  test('that the clipboard has its links, or has them no longer', () => {
    expect(lastOf(2)).toMatchObject({ copy: 'off' });
    drops.hearClipboard({ uploadIds: [2], copy: 'done' });
    expect(lastOf(2)).toMatchObject({ copy: 'done' });
  });

  test('nothing, once a newer one has ended', async () => {
    drops.given([4]);
    await now(4, linked(4));
    const before = told.length;
    await gone(2);
    expect(told).toHaveLength(before);
  });
});

test.each(['done', 'unsure'] as const)(
  'of an older drop that asks, and whose copy was %j, the window is told that the clipboard has something else',
  async (copy) => {
    result = copy;
    drops.given([1, 2]);
    await now(2, { ...without, needsYou: true });
    await now(1, linked(1));
    mode = 'never';
    drops.given([3]);
    await now(3, linked(3));
    expect([lastOf(1)?.copy, lastOf(2)?.copy]).toEqual([copy, 'off']);
    drops.hearClipboard(otherContent);
    expect(lastOf(1)).toMatchObject({ copy: 'off' });
  },
);

const uploaded = {
  kind: 'uploaded',
  fileId: 1,
  publicLink: '',
  size: 1,
  filename: 'x',
  sha256: '',
  expiresAtMs: null,
} as const;

test.each([
  ['was not written, as their host is new', { fault: 'new-host', address: 'https://cdn.example/1' } as const],
  ['refused them', 'refused' as const],
  ['has them', 'done' as const],
])('entries that come late make no second drop before a newer one: the clipboard %s', async (_, now) => {
  result = now;
  ledger.set(1000, linked(1000));
  drops.given([1000]);
  await new Promise(setImmediate);
  drops.hear([{ seq: 1, atMs: 0, uploadId: 1000, path: '/x', body: uploaded }]);
  drops.given([7]);
  quiet?.();
  await new Promise(setImmediate);
  expect(written).toEqual([[1000]]);
  expect(told.at(-1)).toMatchObject({ id: 2 });
});

test('a drop is shown in its account only; what goes up for the next one comes as a drop of that one', async () => {
  drops.given([1]);
  await now(1, linked(1));
  drops.given([2, 3]);
  await now(3, { ...without, needsYou: true });
  expect(told.map(({ accountId }) => accountId).filter((id) => id !== 1)).toEqual([]);
  told = [];
  account = 2;
  drops.hearClipboard(otherContent);
  await now(3, going);
  await gone(1);
  quiet?.();
  expect([told, drops.isGoing()]).toEqual([[], false]);
  ledger.set(2, linked(2));
  const body = { ...uploaded, fileId: 20 };
  drops.hear([{ seq: 2, atMs: 0, uploadId: 2, path: '/x', body }]);
  for (let time = 0; time < 3; time += 1) quiet?.();
  await new Promise(setImmediate);
  expect(told.at(-1)).toMatchObject({ id: 3, accountId: 2, uploadIds: [2], copy: 'done' });
  // With the former key they do not come back.
  told = [];
  account = 1;
  await now(3, linked(3));
  await gone(2);
  expect(told).toEqual([]);
});
