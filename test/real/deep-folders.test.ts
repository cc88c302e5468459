// Chains of folders that are deeper than Outtray reads, and than the system can name: files near the top are uploaded soon,
// every file is in one of the counts, and every skipped one has a reason.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../support/flow/poll.ts';
import type { Counts, Place } from '../support/flow/place.ts';
import { storedAs } from '../support/flow/wire.ts';
import { within } from '../support/flow/within.ts';
import { system } from './support/disks.ts';

/** Folders of a chain that are read. */
const deepest = 128;

/** Makes a chain of folders below `top`, with a file in each `at`: no path reaches the lower ones. */
const makeChain = (top: string, levels: number, at: readonly number[]): void => {
  mkdirSync(top, { recursive: true });
  const program = `
    const { mkdirSync, writeFileSync } = require('node:fs');
    const [top, levels, at] = [process.argv[1], Number(process.argv[2]), new Set(process.argv[3].split(',').map(Number))];
    process.chdir(top);
    for (let level = 1; level <= levels; level += 1) {
      mkdirSync('d');
      process.chdir('d');
      if (at.has(level)) writeFileSync(level + '.txt', top + ' ' + level);
    }`;
  execFileSync(process.execPath, ['-e', program, top, String(levels), at.join(',')]);
};

const inChain = (top: string, level: number): string => path.join(top, ...Array<string>(level).fill('d'));

const peakMiB = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

const expectCounts = async (place: Place, wanted: Partial<Counts>): Promise<void> => {
  let last: Counts | null = null;
  const isReached = async (): Promise<boolean> => {
    last = await place.counts();
    return Object.entries(wanted).every(([name, count]) => last?.[name as keyof Counts] === count);
  };
  // Thousands of folders are watched beside other tests.
  await eventually('the counts add up', isReached, 240_000).catch(() => expect(last).toMatchObject(wanted));
};

const whyOf = async (place: Place, file: string): Promise<string> => {
  const { stdout, stderr } = await place.run(['why', file]);
  return stdout + stderr;
};

const within128 = async (act: (place: Place) => Promise<void>, place: Place): Promise<void> => {
  try {
    await act(place);
  } finally {
    // Node cannot remove a file that no path reaches.
    system('rm', ['-rf', place.folder]);
    mkdirSync(place.folder);
  }
};

test.skipIf(process.platform !== 'linux').for([
  ['2,500 levels', 1, 2500, 250],
  // A watched folder takes some 60 KiB, and of each chain 128 are watched.
  ['ten chains of 300 levels', 10, 300, 350],
] as const)(
  '%s: the file at the top is uploaded, and each file is counted',
  async ([, chains, levels, mostMiB]) => {
    await within({ settings: { settleMs: 300 } }, async (service, place) => {
      await within128(async () => {
        const at = [1, deepest - 1, deepest, deepest + 1, levels];
        const tops = Array.from({ length: chains }, (_, index) => path.join(place.folder, `chain ${index}`));
        // The chain's own folder counts, too.
        for (const top of tops) makeChain(top, levels, at);
        await place.put('top.txt', 'at the top');
        const startMs = performance.now();
        const watching = place.start(['--json', 'watch', place.folder, '--existing', 'upload']);
        await eventually('the top is uploaded', () => storedAs(service, 'at the top')[0]);
        console.log(
          `${chains} × ${levels}: the top is uploaded after ${(performance.now() - startMs).toFixed(0)} ms`,
        );
        // Of each chain the files in levels 1 and 127; the folder below the deepest one is skipped as a whole.
        await expectCounts(place, {
          uploaded: 1 + 2 * chains,
          skipped: chains,
          waiting: 0,
          held: 0,
          failed: 0,
        });
        for (const top of tops.slice(0, 2)) {
          expect(storedAs(service, `${top} ${deepest - 1}`)).toHaveLength(1);
          expect(await whyOf(place, inChain(top, deepest))).toMatch(/below at most 128 folders/);
        }
        // Below them the watch reports at once, and a scan is not needed.
        const last = tops.at(-1) ?? '';
        writeFileSync(path.join(inChain(last, deepest - 1), 'late.txt'), 'late');
        await eventually('it is uploaded', () => storedAs(service, 'late')[0]);
        const peak = peakMiB(watching.pid);
        console.log(`${chains} × ${levels}: a peak of ${peak.toFixed(0)} MiB`);
        expect(peak).toBeLessThan(mostMiB);
        expect((await watching.stop()).code).toBe(130);
      }, place);
    });
  },
);

test.skipIf(process.platform !== 'linux')(
  'a chain of folders that appears while watched, sinks below the limit and rises again has each file in a count',
  async () => {
    await within({ settings: { settleMs: 300 } }, async (service, place) => {
      await within128(async () => {
        const watching = place.start(['--json', 'watch', place.folder]);
        await watching.until('idle', (lines) => lines.find((line) => line.event === 'idle'));
        const come = path.join(place.folder, 'come');
        makeChain(come, 200, [1, deepest - 1, deepest, 200]);
        await expectCounts(place, { uploaded: 2, skipped: 1, waiting: 0, held: 0, failed: 0 });

        // Files of its own, in a folder that is moved deeper than is read, and back.
        const moved = path.join(place.folder, 'moved');
        mkdirSync(path.join(moved, 'a/b'), { recursive: true });
        writeFileSync(path.join(moved, 'one.txt'), 'one');
        writeFileSync(path.join(moved, 'a/b/two.txt'), 'two');
        await expectCounts(place, { uploaded: 4, skipped: 1 });
        const sunk = path.join(inChain(come, deepest - 2), 'moved');
        renameSync(moved, sunk);
        writeFileSync(path.join(sunk, 'three.txt'), 'three');
        await eventually('it is uploaded', () => storedAs(service, 'three')[0]);
        await eventually(
          'the folder below is skipped',
          async () => /below at most 128 folders/.test(await whyOf(place, path.join(sunk, 'a'))) || undefined,
        );
        writeFileSync(path.join(sunk, 'a/b/four.txt'), 'four');
        renameSync(sunk, moved);
        await eventually('it is uploaded', () => storedAs(service, 'four')[0]);
        await expectCounts(place, { uploaded: 6, skipped: 1, waiting: 0, held: 0, failed: 0 });
        for (const text of ['one', 'two', 'three', 'four']) expect(storedAs(service, text)).toHaveLength(1);
        expect((await watching.stop()).code).toBe(130);
      }, place);
    });
  },
);

test.skipIf(process.platform !== 'linux')(
  'a chain of long names, in which no path reaches a file, is reported with its reason; a command that is given it ends',
  async () => {
    await within({ settings: { settleMs: 300 } }, async (service, place) => {
      await within128(async () => {
        const program = `
          const { mkdirSync, writeFileSync } = require('node:fs');
          process.chdir(process.argv[1]);
          for (let level = 1; level <= 30; level += 1) {
            const name = 'n'.repeat(250);
            mkdirSync(name);
            process.chdir(name);
            writeFileSync('file.txt', 'long ' + level);
          }`;
        await place.put('top.txt', 'at the top');
        execFileSync(process.execPath, ['-e', program, place.folder]);
        const { code, lines } = await place.json(['watch', place.folder, '--once', '--existing', 'upload']);
        expect(code).toBeOneOf([0, 8]);
        const room = Math.floor((4095 - place.folder.length) / 251);
        // A file that a path reaches is uploaded; the folder or file behind the last of them is skipped.
        const counts = await place.counts();
        expect(service.files().length).toBe(counts.uploaded);
        expect(counts).toMatchObject({ waiting: 0, held: 0, failed: 0 });
        expect(counts.uploaded).toBeOneOf([room, room + 1]);
        expect(counts.skipped).toBeGreaterThan(0);
        expect(JSON.stringify(lines)).toContain('too-deep');
        const planned = await place.json(['plan', place.folder]);
        expect(JSON.stringify(planned.lines)).toContain('too-deep');
      }, place);
    });
  },
);
