// What the system allows a user runs out: watches (inotify instances) and file handles.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Place } from '../support/flow/place.ts';
import { within } from '../support/flow/within.ts';
import { lacks } from './support/parts.ts';

const root = path.resolve(import.meta.dirname, '../..');

type Said = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };

const collect = async (child: ChildProcess): Promise<Said> => {
  const said = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code, signal, ...said };
};

/** The command, run below a shell that has set a limit. */
const limited = (place: Place, limit: string, args: readonly string[]): Promise<Said> =>
  collect(
    spawn(
      '/bin/bash',
      ['-c', `${limit}; exec "$0" "$@"`, process.execPath, path.join(root, 'src-main/cli.ts'), ...args],
      {
        env: { PATH: process.env['PATH'], NO_COLOR: '1', ...place.env },
        timeout: 60_000,
        killSignal: 'SIGKILL',
      },
    ),
  );

describe.skipIf(process.platform !== 'linux')('file handles', () => {
  test('run out: each command ends with the limit and a remedy, never with "cannot be opened"', async () => {
    await within({}, async (_service, place) => {
      const file = await place.put('a.txt', 'a');
      await place.run(['status']);
      let told = 0;
      for (let most = 17; most <= 40; most += 1) {
        const { code, signal, stdout, stderr } = await limited(place, `ulimit -n ${most}`, ['upload', file]);
        if (code === 0) break;
        const said = stdout + stderr;
        expect(signal, `ended by itself with ${most}: ${said}`).not.toBe('SIGKILL');
        // Below that Node itself does not start.
        if (!said.includes('outtray:')) continue;
        expect(said).not.toMatch(
          /cannot be opened for writing|no connection|connection broke|Check its permissions|^\s+at /m,
        );
        if (said.includes(`all of the ${most} file handles`) && said.includes('ulimit -n')) told += 1;
      }
      expect(told).toBeGreaterThan(0);
    });
  });
});

/** A user namespace of its own in which no inotify instance may be made: nothing else on the machine notices. */
const withoutWatches = (place: Place, args: readonly string[]): ChildProcess =>
  spawn(
    'unshare',
    [
      ...['--user', '--map-root-user', '/bin/sh', '-c'],
      'echo 0 > /proc/sys/user/max_inotify_instances && exec "$0" "$@"',
      ...[process.execPath, path.join(root, 'src-main/cli.ts'), ...args],
    ],
    { env: { PATH: process.env['PATH'], NO_COLOR: '1', ...place.env } },
  );

const linesOf = ({ stdout }: Said): Record<string, unknown>[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe.skipIf(process.platform !== 'linux' || lacks('root', 'unshare'))('watches', () => {
  test('used up: upload needs none, watch scans and receives commands, status and doctor name the remedy', async () => {
    await within({}, async (service, place) => {
      const given = await place.put('../given.txt', 'given');
      expect(await collect(withoutWatches(place, ['upload', given]))).toMatchObject({ code: 0 });
      expect(service.files()).toHaveLength(1);

      const watching = withoutWatches(place, ['--json', 'watch', place.folder]);
      const ended = collect(watching);
      try {
        const status = await eventually('degraded', async () => {
          const [line] = linesOf(await collect(withoutWatches(place, ['--json', 'status'])));
          return line?.['remedy'] === undefined ? undefined : line;
        });
        expect(status['remedy']).toMatch(/sysctl fs\.inotify\.max_user_instances=/);
        const checks = linesOf(await collect(withoutWatches(place, ['--json', 'doctor'])));
        const watcher = checks.find(({ name }) => name === 'watcher');
        expect(watcher).toMatchObject({ ok: false });
        expect(watcher?.['remedy']).toMatch(/sysctl fs\.inotify\.max_user_instances=/);
        // Beside the running engine: it hears of the file without a watch.
        const other = await place.put('../other.txt', 'other');
        expect(await collect(withoutWatches(place, ['upload', other]))).toMatchObject({ code: 0 });
        // Found by scanning, every 30 s.
        await place.put('found.txt', 'found');
        await eventually('found by a scan', () =>
          service.files().some(({ filename }) => filename === 'found.txt') ? true : undefined,
        );
      } finally {
        watching.kill('SIGINT');
        await ended;
      }
    });
  });
});

const eventually = async <T>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
): Promise<T> => {
  const endMs = performance.now() + 60_000;
  while (performance.now() < endMs) {
    const found = await look();
    if (found !== undefined) return found;
    await delay(500);
  }
  throw new Error(`Not seen: ${what}`);
};
