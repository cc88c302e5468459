// The command on a ledger that is full, locked, damaged, newer, or older than it was: one clear error, and afterwards
// nothing lost and nothing uploaded twice.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import type { Service } from '../service/service.ts';
import type { Place } from '../support/flow/place.ts';
import { watchOnce, within } from '../support/flow/within.ts';
import { writeShipped } from '../support/ledgers/shape.ts';

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

/** A data folder on a disk of this size, with its settings. */
const withDisk = (size: string, act: (service: Service, place: Place) => Promise<void>): Promise<void> =>
  within({}, async (service, place) => {
    const settings = readFileSync(path.join(place.home, 'settings.json'));
    execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'tmpfs', place.home]);
    try {
      writeFileSync(path.join(place.home, 'settings.json'), settings);
      await act(service, place);
    } finally {
      execFileSync('/bin/umount', [place.home]);
    }
  });

const contentOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [
        name,
        createHash('sha256')
          .update(readFileSync(path.join(folder, name)))
          .digest('hex'),
      ]),
  );

describe.concurrent('a ledger', () => {
  test('restored from an older copy: later uploads are held, not uploaded in bulk', async () => {
    await within({}, async (service, place) => {
      await place.put('a.txt', 'before the copy');
      await watchOnce(place);
      copyFileSync(ledgerOf(place), `${place.root}/copy`);
      await place.put('b.txt', 'after the copy');
      await place.put('c.txt', 'after it as well');
      expect((await watchOnce(place)).code).toBe(0);
      copyFileSync(`${place.root}/copy`, ledgerOf(place));
      await place.put('d.txt', 'not yet uploaded, but who can tell');
      // The clock of a disk is coarse: what came up to 12 ms before the start would count as after it.
      await sleep(20);
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

  test.skipIf(!canMount())(
    'of an earlier version, on a read-only disk: one sentence, nothing is changed, and it is updated once that is possible',
    async () => {
      await withDisk('8m', async (service, place) => {
        writeShipped(ledgerOf(place), 22);
        const before = contentOf(place.home);
        execFileSync('/bin/mount', ['-o', 'remount,ro', place.home]);
        await place.put('a.txt', 'a');
        // Each version reads its own tables only, so even reading needs the update.
        for (const args of [['status'], ['link', 'a.txt'], ['export'], ['watch', place.folder, '--once']]) {
          const { code, lines } = await place.json(args);
          expect({ code, error: lines.at(-1)?.error }).toMatchObject({
            code: 1,
            error: {
              code: 'disk',
              message: expect.stringContaining('The disk with the data folder is read-only.') as unknown,
            },
          });
        }
        expect(contentOf(place.home)).toEqual(before);
        execFileSync('/bin/mount', ['-o', 'remount,rw', place.home]);
        expect((await place.json(['status'])).code).toBe(0);
        expect(names(service)).toEqual([]);
      });
    },
  );

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
    'on a full disk: the run ends and reports it, and uploads resume when there is room',
    async () => {
      await withDisk('3m', async (service, place) => {
        await place.put('a.txt', 'a');
        expect((await watchOnce(place)).code).toBe(0);
        await place.put('b.txt', 'b');
        fill(path.join(place.home, 'fill'));
        await expectFault(place, 'disk', /full/);
        rmSync(path.join(place.home, 'fill'));
        expect((await watchOnce(place)).code).toBe(0);
        expect(names(service)).toEqual(['a.txt', 'b.txt']);
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
      // It contains as much as there was room for.
    }
  }
};
