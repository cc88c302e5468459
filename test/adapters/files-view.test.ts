// Where a process that writes a file would not be seen in /proc.
import { statfsSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { viewOfProcesses } from '../../src-main/adapters/files/view.ts';
import { createWriters } from '../../src-main/adapters/files/writers.ts';

const first = 'pid:[4026531836]';
const container = 'pid:[4026532301]';
const path = import.meta.filename;
const { dev } = statSync(path, { bigint: true });
const owned = (uid: number) => ({ uid: BigInt(uid), dev });

describe.runIf(process.platform === 'linux')('a writer may be hidden', () => {
  test('from an ordinary user if the file belongs to another user, and never if it is the user’s own', () => {
    const view = viewOfProcesses({ uid: 1000, pidNamespace: first });
    for (const isAnyUnread of [true, false]) {
      expect(view.hides(owned(33), isAnyUnread)).toBe(true);
      expect(view.hides(owned(0), isAnyUnread)).toBe(true);
      expect(view.hides(owned(1000), isAnyUnread)).toBe(false);
    }
  });

  test('from root only if a process does not reveal its files', () => {
    const view = viewOfProcesses({ uid: 0, pidNamespace: first });
    expect(view.hides(owned(33), false)).toBe(false);
    expect(view.hides(owned(33), true)).toBe(true);
    expect(view.hides(owned(0), true)).toBe(false);
  });

  test.skipIf(statfsSync('/').type === 0x794c7630)(
    'in a PID namespace of its own, whoever owns the file',
    () => {
      const view = viewOfProcesses({ uid: 1000, pidNamespace: container });
      expect(view.hides(owned(1000), false)).toBe(true);
    },
  );

  test('on a drive that other machines write to', () => {
    const disks = { isShared: (device: bigint) => device === dev };
    const view = viewOfProcesses({ uid: 1000, pidNamespace: first, disks });
    expect(view.hides(owned(1000), false)).toBe(true);
    expect(view.hides({ uid: 1000n, dev: dev + 1n }, false)).toBe(false);
  });

  test('and then the answer is "hidden" instead of "closed"', async () => {
    const writers = createWriters(() => Promise.resolve(), 'linux', { hides: () => true });
    expect(await writers([path])).toEqual(new Map([[path, 'hidden']]));
  });
});
