// The disk or the folder with Outtray's own data fails while it works, on real file systems. App and command report it,
// passing faults are tried again, and lasting ones end with one sentence and a code.
import { cpSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Ended, Line, Running } from '../support/flow/command.ts';
import type { Place } from '../support/flow/place.ts';
import { within } from '../support/flow/within.ts';
import { breakExt4, cutOff, fill, hasLoop, onImage, onQuota, onTmpfs } from './support/disks.ts';
import { lacks } from './support/parts.ts';

const lacksLoop = (): boolean => {
  if (hasLoop()) return false;
  console.log('Skipped: no loop devices here (run as root where /dev/loop-control is).');
  return true;
};

const timed = async <T>(work: Promise<T>): Promise<{ value: T; tookMs: number }> => {
  const startMs = performance.now();
  const value = await work;
  return { value, tookMs: performance.now() - startMs };
};

const rest = async (running: Running): Promise<void> => {
  await running.until('idle', (lines) => lines.find((line) => line.event === 'idle'));
};

const waitsForDisk = (running: Running): Promise<Line> =>
  running.until('waits for the disk', (lines) =>
    lines.find((line) => line.event === 'waiting' && line['reason'] === 'disk'),
  );

const uploaded = (running: Running, name: string): Promise<Line> =>
  running.until(`${name} uploaded`, (lines) =>
    lines.find((line) => line.event === 'uploaded' && line.path?.endsWith(name) === true),
  );

/** One error, one sentence, no stack, on either stream. */
const expectOneSentence = (ended: Ended, code: string, says: RegExp): void => {
  expect({ code: ended.code, signal: ended.signal }).toEqual({ code: 1, signal: null });
  const lines = ended.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
  const errors = lines.filter((line) => line.error !== undefined);
  expect(errors).toHaveLength(1);
  expect(errors[0]?.error?.code).toBe(code);
  expect(errors[0]?.error?.message).toMatch(says);
  expect(errors[0]?.error?.remedy).toMatch(/^\S.*[.!]$/);
  expect(ended.stderr).toBe('');
};

const withHome = async (
  make: (place: Place) => { unmount(): void },
  act: Parameters<typeof within>[1],
  options: Parameters<typeof within>[0] = {},
): Promise<void> =>
  within(options, async (service, place) => {
    const mounted = make(place);
    try {
      await act(service, place);
    } finally {
      mounted.unmount();
    }
  });

describe.skipIf(lacks('root'))('a full disk', () => {
  test.for([
    ['in memory', onTmpfs, false],
    ['as a quota that is used up', onQuota, lacks('mkfs.btrfs') || lacksLoop()],
  ] as const)(
    '%s is reported within 5 s by watch, status and why, and the queue continues within 10 s after there is room',
    async ([, onto, isMissing], { skip }) => {
      if (isMissing) skip();
      await withHome(onto, async (service, place) => {
        const running = place.start(['--json', 'watch', place.folder]);
        await rest(running);
        await place.put('a.txt', 'a');
        await uploaded(running, 'a.txt');
        fill(path.join(place.home, 'fill'));
        const file = await place.put('b.txt', 'b');
        const told = await timed(waitsForDisk(running));
        expect(told.tookMs).toBeLessThan(5000);
        expect(told.value).toMatchObject({ until: null });
        expect(told.value['message']).toMatch(/full/);
        const status = await place.json(['status']);
        expect(status.lines[0]?.['waiting']).toMatchObject({ reason: 'disk', until: null });
        expect((await place.run(['status'])).stdout).toMatch(/Waiting: .*full/);
        expect((await place.run(['status'])).stdout).not.toMatch(/All done/);
        expect((await place.run(['why', file])).stdout).toMatch(/full/);
        await delay(3000);
        expect(service.files()).toHaveLength(1);
        rmSync(path.join(place.home, 'fill'));
        expect((await timed(uploaded(running, 'b.txt'))).tookMs).toBeLessThan(10_000);
        expect(running.lines().filter((line) => line['reason'] === 'disk')).toHaveLength(1);
        expect((await running.stop()).code).toBe(130);
        expect(service.files()).toHaveLength(2);
      });
    },
  );

  test('met by upload: it is reported and work resumes by itself; with --no-wait it ends', async () => {
    await withHome(
      onTmpfs,
      async (service, place) => {
        const file = await place.put('../big.bin', Buffer.alloc(6_000_000, 'outtray '));
        const other = await place.put('../other.bin', Buffer.alloc(5_000_000, 'outtray '));
        const uploading = async (args: string[]): Promise<Running> => {
          const running = place.start(['--json', 'upload', ...args]);
          await running.until('uploading', (lines) => lines.find((line) => line.event === 'progress'));
          fill(path.join(place.home, 'fill'));
          return running;
        };
        const running = await uploading([file]);
        await waitsForDisk(running);
        rmSync(path.join(place.home, 'fill'));
        const { value, tookMs } = await timed(running.ended);
        // Either its tail was sent, and the answer is looked for, or it is uploaded again.
        expect([0, 8]).toContain(value.code);
        expect(tookMs).toBeLessThan(15_000);
        expectOneSentence(await (await uploading(['--no-wait', other])).ended, 'disk', /full/);
        rmSync(path.join(place.home, 'fill'));
        expect(service.files().filter(({ filename }) => filename === 'big.bin').length).toBeLessThanOrEqual(
          1,
        );
      },
      { settings: { bandwidthBytesPerSecond: 1_500_000 } },
    );
  });

  test('under an upload beside a running watch: both report it, and both continue', async () => {
    await withHome(
      onTmpfs,
      async (_service, place) => {
        const watching = place.start(['--json', 'watch', place.folder]);
        await rest(watching);
        const file = await place.put('../big.bin', Buffer.alloc(9_000_000, 'outtray '));
        const running = place.start(['--json', 'upload', file]);
        await watching.until('uploading', (lines) => lines.find((line) => line.event === 'progress'));
        fill(path.join(place.home, 'fill'));
        await Promise.all([waitsForDisk(watching), waitsForDisk(running)]);
        rmSync(path.join(place.home, 'fill'));
        expect((await timed(running.ended)).tookMs).toBeLessThan(20_000);
        await watching.stop();
      },
      { settings: { bandwidthBytesPerSecond: 1_500_000 } },
    );
  });

  test.for([
    ['a zip', (file: string) => ['upload', '--zip', file], undefined],
    ['standard input', () => ['upload', '-', '--name', 'in.log'], 'outtray '.repeat(1_000_000)],
  ] as const)(
    'met by %s on its way to the spool: one sentence, nothing public, and nothing stays',
    async ([, args, stdin]) => {
      await withHome(onTmpfs, async (service, place) => {
        const spooled = (): string[] => {
          const folder = path.join(place.home, 'spool');
          return existsSync(folder) ? readdirSync(folder) : [];
        };
        const file = await place.put('../big.bin', Buffer.alloc(8_000_000, 'outtray '));
        const given = { ...(stdin === undefined ? {} : { stdin }) };
        const ended = await place.run(['--json', ...args(file)], given);
        expectOneSentence(ended, 'disk', /full/);
        expect([spooled(), service.files()]).toEqual([[], []]);
        // There is room again: the same input is uploaded.
        const small = await place.put('../small.bin', 'small');
        const again = await place.run(
          ['--json', ...args(small)],
          stdin === undefined ? {} : { stdin: 'small' },
        );
        expect(again.code).toBe(0);
        expect(service.files()).toHaveLength(1);
        expect(spooled()).toEqual([]);
      });
    },
  );
});

describe.skipIf(lacks('root'))('the data folder', () => {
  const ways: [string, (place: Place) => void][] = [
    ['deleted', (place) => rmSync(place.home, { recursive: true, maxRetries: 10 })],
    ['renamed', (place) => renameSync(place.home, `${place.home}.moved`)],
    [
      'replaced by a copy of itself',
      (place) => {
        cpSync(place.home, `${place.home}.copy`, { recursive: true });
        rmSync(place.home, { recursive: true, maxRetries: 10 });
        renameSync(`${place.home}.copy`, place.home);
      },
    ],
  ];
  test.for(ways)(
    '%s under an idle watch and a waiting upload: both end with a code within 10 s',
    async ([, change]) => {
      await within({ settings: { requestsPerMinute: 1 } }, async (service, place) => {
        const watching = place.start(['--json', 'watch', place.folder]);
        await rest(watching);
        const file = await place.put('../given.txt', 'given');
        const uploading = place.start(['--json', 'upload', file]);
        await uploading.until('queued', (lines) => lines.find((line) => line.event === 'queued'));
        change(place);
        const [first, second] = await Promise.all([timed(watching.ended), timed(uploading.ended)]);
        expect(first.tookMs).toBeLessThan(10_000);
        expect(second.tookMs).toBeLessThan(10_000);
        expectOneSentence(first.value, 'ledger', /deleted or replaced/);
        expectOneSentence(second.value, 'ledger', /deleted or replaced/);
        expect(service.files().length).toBeLessThanOrEqual(1);
      });
    },
  );
});

describe.skipIf(lacks('root', 'mkfs.xfs', 'xfs_io') || lacksLoop())('a disk that fails', () => {
  test('under an idle watch: one sentence, one code, no stack, and nothing is set aside', async () => {
    await withHome(
      (place) => onImage(place, 'xfs'),
      async (_service, place) => {
        const running = place.start(['--json', 'watch', place.folder]);
        await rest(running);
        await place.put('a.txt', 'a');
        await uploaded(running, 'a.txt');
        cutOff(place.home);
        const { value, tookMs } = await timed(running.ended);
        expect(tookMs).toBeLessThan(10_000);
        expectOneSentence(value, 'disk', /disk with the data folder failed/);
        for (const args of [
          ['status'],
          ['watch', place.folder],
          ['upload', path.join(place.folder, 'a.txt')],
        ]) {
          expectOneSentence(await place.run(['--json', ...args]), 'disk', /disk with the data folder failed/);
        }
      },
    );
  });

  test('during uploads: it is reported once, and after it is back nothing is stored twice', async () => {
    await withHome(
      (place) => onImage(place, 'xfs'),
      async (service, place) => {
        const running = place.start(['--json', 'watch', place.folder]);
        await rest(running);
        for (let n = 0; n < 20; n += 1) await place.put(`f${n}.bin`, Buffer.alloc(200_000, `${n} `));
        await running.until('first', (lines) => lines.find((line) => line.event === 'uploaded'));
        cutOff(place.home);
        expectOneSentence(await running.ended, 'disk', /disk with the data folder failed/);
        const names = service.files().map(({ filename }) => filename);
        expect(new Set(names).size).toBe(names.length);
      },
      { settings: { bandwidthBytesPerSecond: 1_000_000 } },
    );
  });

  test('that the system made read-only is reported as such, and waited for', async () => {
    await withHome(
      (place) => onImage(place, 'ext4'),
      async (service, place) => {
        const running = place.start(['--json', 'watch', place.folder]);
        await rest(running);
        breakExt4(place.home);
        await place.put('a.txt', 'a');
        const { value, tookMs } = await timed(waitsForDisk(running));
        expect(tookMs).toBeLessThan(5000);
        expect(value['message']).toMatch(/read-only/);
        expect((await running.stop()).code).toBe(130);
        expectOneSentence(await place.run(['--json', 'watch', place.folder, '--once']), 'disk', /read-only/);
        expect(service.files()).toEqual([]);
      },
    );
  });
});
