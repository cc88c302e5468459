// The command on a ledger that is full, locked, damaged, newer, or older than it was: one clear error, and afterwards
// nothing lost and nothing there twice.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import type { Service } from '../service/service.ts';
import type { Place } from '../support/flow/place.ts';
import { watchOnce, within } from '../support/flow/within.ts';

const ledgerOf = (place: Place): string => path.join(place.home, 'ledger.sqlite');
const names = (service: Service): string[] =>
  service
    .files()
    .map((file) => file.filename)
    .sort();

/** Runs once and expects it to end with this error. */
const expectFault = async (place: Place, code: string, says: RegExp): Promise<void> => {
  const { code: exit, lines } = await watchOnce(place);
  const error = lines.at(-1)?.error;
  expect({ exit, code: error?.code }).toEqual({ exit: 1, code });
  expect(error?.message).toMatch(says);
  expect(error?.remedy).toMatch(/^\S.*[.!]$/);
};

/** A file system of its own for the data folder; only root may make one. */
const canMount = (): boolean => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

describe.concurrent('a ledger', () => {
  test('restored from an older copy: what went up since is held, not uploaded in a mass', async () => {
    await within({}, async (service, place) => {
      await place.put('a.txt', 'before the copy');
      await watchOnce(place);
      copyFileSync(ledgerOf(place), `${place.root}/copy`);
      await place.put('b.txt', 'after the copy');
      await place.put('c.txt', 'after it as well');
      expect((await watchOnce(place)).code).toBe(0);
      copyFileSync(`${place.root}/copy`, ledgerOf(place));
      await place.put('d.txt', 'not yet uploaded, but who can tell');
      const { code, lines } = await watchOnce(place);
      expect(code).toBe(8);
      expect(lines.filter((line) => line.event === 'held').map((line) => line['reason'])).toEqual(
        Array.from({ length: 3 }, () => 'maybe-uploaded'),
      );
      expect(names(service)).toEqual(['a.txt', 'b.txt', 'c.txt']);
    });
  });

  test('deleted, or damaged in its header: the same', async () => {
    await within({}, async (service, place) => {
      await place.put('a.txt', 'a');
      await watchOnce(place);
      writeFileSync(ledgerOf(place), 'no database at all'.padEnd(20_000, '!'));
      expect((await watchOnce(place)).code).toBe(8);
      for (const end of ['', '-wal', '-shm']) rmSync(ledgerOf(place) + end, { force: true });
      expect((await watchOnce(place)).code).toBe(8);
      expect(names(service)).toEqual(['a.txt']);
    });
  });

  test('of a newer version is left as it is', async () => {
    await within({}, async (service, place) => {
      const newer = new DatabaseSync(ledgerOf(place));
      newer.exec('CREATE TABLE future (a); PRAGMA user_version = 99');
      newer.close();
      const before = readFileSync(ledgerOf(place));
      await place.put('a.txt', 'a');
      await expectFault(place, 'ledger', /newer version/);
      expect(readFileSync(ledgerOf(place)).equals(before)).toBe(true);
      expect(names(service)).toEqual([]);
    });
  });

  test('locked by another program: nothing is sent until it is free', async () => {
    await within({}, async (service, place) => {
      const other = new DatabaseSync(ledgerOf(place));
      other.exec('CREATE TABLE other (a); DROP TABLE other; BEGIN IMMEDIATE');
      await place.put('a.txt', 'a');
      await expectFault(place, 'ledger', /locked/);
      expect(names(service)).toEqual([]);
      other.exec('ROLLBACK');
      other.close();
      expect((await watchOnce(place)).code).toBe(0);
      expect(names(service)).toEqual(['a.txt']);
    });
  });

  test.skipIf(!canMount())(
    'on a full disk: the run ends and says so, and goes on when there is room',
    async () => {
      await within({}, async (service, place) => {
        const settings = readFileSync(path.join(place.home, 'settings.json'));
        execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=3m,mode=700', 'tmpfs', place.home]);
        try {
          writeFileSync(path.join(place.home, 'settings.json'), settings);
          await place.put('a.txt', 'a');
          expect((await watchOnce(place)).code).toBe(0);
          await place.put('b.txt', 'b');
          fill(path.join(place.home, 'fill'));
          await expectFault(place, 'disk', /full/);
          rmSync(path.join(place.home, 'fill'));
          expect((await watchOnce(place)).code).toBe(0);
          expect(names(service)).toEqual(['a.txt', 'b.txt']);
        } finally {
          execFileSync('/bin/umount', [place.home]);
        }
      });
    },
  );
});

/** Until nothing more fits. */
const fill = (file: string): void => {
  for (let size = 4_000_000; size >= 1; size = Math.floor(size / 2)) {
    try {
      writeFileSync(file, Buffer.alloc(size), { flag: 'a' });
    } catch {
      // As much as there was room for is in it.
    }
  }
};
