// One folder with the stamp of every file in it. The names of a large one are read by the thread pool (100,000 of one
// folder take 80 ms there and 14 here), those of a small one at once: to wake a thread for a hundred names takes longer
// than to read them (of 1,000 such folders 200 ms and 130; without it a restart's scan is a seventh quicker). A scan of
// 100,000 files is then 100,000 lstat calls, so they are synchronous (3 µs each; through the thread pool 20 to 60 µs)
// and taken in slices, so that nothing else waits for longer than a slice. The price: on a drive that hangs, one call
// hangs the process with it.
//
// Nothing is made of a file that is known as it is: a stamp of its own for each takes as long as half of the lstat, and
// a folder that has not changed is compared as one text (engine/discover/roll.ts), which takes a tenth off, or, from the second
// time on, as one digest of the same (engine/discover/reading.ts): another fifth, and 16 MiB of the ledger's pages.
//
// Before that, a restart's scan of them took 390 ms of this thread: 200 the kernel's lstat, 60 the ledger, 40 the keys
// and their comparison. A worker that lists instead left it 180, or 300 where both listed in turn, and paid for it with
// 100 ms more in all (it starts cold each time) and 15 MiB at the peak; with all processors busy, as after a login, the
// scan then took 1.2 times as long.
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, statSync, type BigIntStats, type StatSyncOptions } from 'node:fs';
import { readdir } from 'node:fs/promises';
import type { Found, Known, Listing, Print, Roll } from '../../engine/ports.ts';
import { isGone } from './faults.ts';
import { fromLatin1Name, joinPath, toSystemPath } from './paths.ts';
import type { Breathe } from './slices.ts';
import { foundOf, keyOf, typeOf } from './stamps.ts';

/** Entries between two looks at the clock: about 0.2 ms. */
const stride = 64;

export const statOptions = { bigint: true, throwIfNoEntry: false } as const satisfies StatSyncOptions;

/**
 * A folder that is no larger than this has some 1,300 names at most; where the size is their number 16,000, which take
 * 13 ms. Some file systems say 0, whatever is in it.
 */
const smallBytes = 16_384;

/** More names than these are not put in order, which takes 2 ms, and are known one by one. */
const mostSorted = 4096;

type Collected = { found: Found[]; print?: Print };

/** Returns `list` of the port. */
export const createListing = (breathe: Breathe) => {
  const collect = async (
    folder: string,
    names: string[],
    asked: Known | 'print' | null,
  ): Promise<Collected> => {
    const known = asked === 'print' ? null : asked;
    let print = asked === null || names.length > mostSorted ? null : startPrint(names.length);
    // By their bytes, which is the order of a roll.
    if (print !== null) names.sort();
    const inside = joinPath(folder, '');
    const statsOf = (name: string) => lstatSync(toSystemPath(inside + name), statOptions);
    const found: Found[] = [];
    for (let from = 0; from < names.length; from += stride) {
      await breathe();
      let roll = '';
      for (const raw of names.slice(from, from + stride)) {
        const name = fromLatin1Name(raw);
        const stats = statsOf(name);
        if (stats === undefined) continue; // gone since its name was read
        if (asked === null || typeOf(stats) !== 'file') {
          found.push(foundOf(name, stats));
          continue;
        }
        print?.add(name, stats);
        if (known !== null) roll += `${name}/${keyOf(stats)}/`;
      }
      if (known === null || known.isNext(roll)) continue;
      for (const [name, key] of filesIn(roll)) {
        if (known.has(name, key)) continue;
        print = null; // it may be gone by now
        const stats = statsOf(name);
        if (stats !== undefined) found.push(foundOf(name, stats));
      }
    }
    return print === null ? { found } : { found, print: print.end() };
  };

  const namesIn = async (folder: string): Promise<string[]> => {
    await breathe();
    const path = toSystemPath(folder);
    const { size } = statSync(path);
    return size > 0 && size <= smallBytes ? readdirSync(path, 'latin1') : readdir(path, 'latin1');
  };

  return async (folder: string, asked: Known | 'print' | null = null): Promise<Listing> => {
    try {
      const names = await namesIn(folder);
      return { ok: true, ...(await collect(folder, names, asked)) };
    } catch (error) {
      if (isGone(error)) return { ok: false, gone: true, message: `${folder} is not there.` };
      // Also when one entry cannot be asked for: an incomplete listing would read as "the others are deleted".
      const message = error instanceof Error ? error.message : String(error);
      return { ok: false, gone: false, message: `${folder} cannot be read: ${message}` };
    }
  };
};

/** Of what a roll is made of, as bytes: to put its text together is a twelfth of a scan. */
const startPrint = (most: number) => {
  const numbers = new BigInt64Array(most * 5);
  let names = '';
  let at = 0;
  return {
    add(name: string, { size, mtimeNs, ctimeNs, dev, ino }: BigIntStats): void {
      names += `${name}/`;
      numbers[at] = size;
      numbers[at + 1] = mtimeNs;
      numbers[at + 2] = ctimeNs;
      numbers[at + 3] = dev;
      numbers[at + 4] = ino;
      at += 5;
    },
    // SHA-256: nobody can make a file that passes for another one.
    end: (): Print =>
      createHash('sha256').update(names, 'utf8').update(numbers.subarray(0, at)).digest('base64'),
  };
};

const filesIn = (roll: Roll): [name: string, key: string][] => {
  const parts = roll.split('/');
  return Array.from({ length: (parts.length - 1) / 2 }, (_, at) => [
    parts[2 * at] ?? '',
    parts[2 * at + 1] ?? '',
  ]);
};
