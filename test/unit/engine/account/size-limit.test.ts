import { describe, expect, test } from 'vitest';
import { openMemoryLedger } from '../../../support/memory-ledger.ts';
import { createSizeLimit } from '../../../../src-main/engine/account/size-limit.ts';
import type { SizeUnit } from '../../../../src-main/engine/shared/links.ts';
import { createVirtualClock } from '../../../support/virtual-clock.ts';
import { hourMs } from '../../../support/fake-world.ts';

const megabyte = 1_000_000;

const open = (number: number, unit: SizeUnit | null = 1) => {
  const { facts } = openMemoryLedger(() => 0);
  const clock = createVirtualClock();
  const tell = (most: number, plan = 'Pro', totalSize = 1) =>
    facts.set(
      'stats',
      {
        stats: { total_files: 1, total_size: totalSize },
        limits: { max_file_size: most, daily_uploads: 0 },
        plan,
      },
      0,
    );
  tell(number);
  return { sizes: createSizeLimit({ facts }, clock, () => unit), tell, clock };
};

describe('a number without a known unit', () => {
  test.each<[string, number, SizeUnit | null]>([
    ['megabytes beside sizes in bytes', 2048, 1],
    ['gigabytes beside sizes in bytes', 2, 1],
    ['kilobytes beside sizes in bytes', 2_000_000, 1],
    ['bytes beside sizes in kilobytes', 2_000_000_000, 1024],
    ['any, before the unit of sizes is known', 2048, null],
    ['none: zero', 0, 1],
    ['none: negative', -1, 1],
    ['none: absurd', Number.MAX_SAFE_INTEGER, 1_048_576],
  ])('fails no file: %s', (_, number, unit) => {
    expect(open(number, unit).sizes.believedBytes()).toBeNull();
  });

  test.each([2 ** 53 - 1, 2 ** 63, 1e15, 0, -1])('states no size: %d', (number) => {
    expect(open(number).sizes.presumedBytes()).toBeNull();
  });

  test('is no longer assumed once a larger file is accepted', () => {
    const { sizes } = open(2048);
    expect(sizes.presumedBytes()).toBe(2048);
    sizes.accepted(5 * megabyte);
    expect(sizes.presumedBytes()).toBeNull();
    expect(sizes.refused(6 * megabyte, 403)).toBe(false);
  });
});

describe('a refusal', () => {
  test('by a clock that was days ahead is not believed', () => {
    const { sizes, clock } = open(0);
    clock.jumpWall(72 * hourMs);
    sizes.refused(5 * megabyte, 413);
    expect(sizes.believedBytes()).not.toBeNull();
    clock.jumpWall(-72 * hourMs);
    expect(sizes.believedBytes()).toBeNull();
  });

  test('with 403 is about the size only over the assumed limit; 413 always is', () => {
    const { sizes } = open(1000);
    expect(sizes.refused(1000, 403)).toBe(false);
    expect(sizes.believedBytes()).toBeNull();
    expect(sizes.refused(1001, 403)).toBe(true);
    expect(sizes.believedBytes()).toBe(1000);
    expect(sizes.refused(800, 413)).toBe(true);
    expect(sizes.believedBytes()).toBe(799);
    expect(open(0).sizes.refused(9, 403)).toBe(false);
    expect(open(0).sizes.refused(9, 413)).toBe(true);
  });

  test('holds for its size and above, and never below an accepted size', () => {
    const { sizes } = open(0);
    sizes.accepted(500);
    expect(sizes.refused(500, 413)).toBe(false);
    sizes.refused(900, 413);
    sizes.refused(2000, 413);
    expect(sizes.believedBytes()).toBe(899);
    sizes.accepted(900);
    expect(sizes.believedBytes()).toBeNull();
  });

  test('holds for a day, and fails no files after that', async () => {
    const { sizes, clock } = open(1000);
    sizes.refused(1001, 403);
    await clock.advance(25 * hourMs);
    expect(sizes.believedBytes()).toBeNull();
    expect(sizes.takeLifted()).toBe(false);
  });

  test.each([
    ['limit', 5000, 'Pro'],
    ['plan', 1000, 'Business'],
  ])(
    'is lifted once by another %s, even if a file is refused before the new number is read',
    (_, most, plan) => {
      const { sizes, tell } = open(1000);
      sizes.refused(1001, 403);
      tell(1000, 'Pro', 999_999);
      expect(sizes.takeLifted()).toBe(false);
      tell(most, plan);
      expect(sizes.believedBytes()).toBeNull();
      sizes.refused(9000, 413);
      expect([sizes.takeLifted(), sizes.takeLifted()]).toEqual([true, false]);
      expect(sizes.believedBytes()).toBe(8999);
    },
  );
});
