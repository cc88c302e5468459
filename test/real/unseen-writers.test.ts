// Programs that write a file in pieces where Outtray cannot see that they have it open: another user's, and one outside
// the PID namespace that Outtray runs in. Nothing of a half-written file may become public.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, readdir, writeFile } from 'node:fs/promises';
import { statfsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Service } from '../service/service.ts';
import type { Place } from '../support/flow/place.ts';
import { eventually } from '../support/flow/poll.ts';
import { sha256 } from '../support/flow/wire.ts';
import { within } from '../support/flow/within.ts';
import { lacks } from './support/parts.ts';

const us = 64_001;
const anotherUser = 64_002;
const pausesMs = [700, 3000, 8000];
const filesEach = 10;
const longestMs = 150_000;

/** Writes ten files at once, in three pieces each, and has them open all the while. */
const writer = `
const { openSync, writeSync, closeSync } = require('node:fs');
const [folder, pauseMs, files] = [process.argv[1], Number(process.argv[2]), Number(process.argv[3])];
const names = Array.from({ length: files }, (_, at) => folder + '/pause-' + pauseMs + '-' + at + '.txt');
const open = names.map((name) => openSync(name, 'w'));
const write = (piece) => open.forEach((fd, at) => writeSync(fd, names[at] + ' ' + piece + '\\n'));
const steps = ['first piece', 'second piece', 'whole'];
const step = () => {
  write(steps.shift());
  if (steps.length > 0) setTimeout(step, pauseMs);
  else open.forEach((fd) => closeSync(fd));
};
step();`;

const as = (user: number): string[] => [
  'setpriv',
  `--reuid=${user}`,
  `--regid=${user}`,
  '--clear-groups',
  '--inh-caps=-all',
];

const giveTo = async (folder: string, user: number): Promise<void> => {
  await chown(folder, user, user);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const inside = path.join(folder, entry.name);
    if (entry.isDirectory()) await giveTo(inside, user);
    else await chown(inside, user, user);
  }
};

const write = async (folder: string, before: readonly string[]): Promise<void> => {
  await Promise.all(
    pausesMs.map(async (pauseMs) => {
      const own = [process.execPath, '-e', writer, folder, String(pauseMs), String(filesEach)];
      const [program = '', ...args] = [...before, ...own];
      const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
      const [code] = (await once(child, 'exit')) as [number | null];
      expect(code).toBe(0);
    }),
  );
};

const pieces = ['first piece', 'second piece', 'whole'];
const wholeFiles = (folder: string): string[] =>
  pausesMs.flatMap((pauseMs) =>
    Array.from({ length: filesEach }, (_, at) => {
      const name = `${folder}/pause-${pauseMs}-${at}.txt`;
      return sha256(pieces.map((piece) => `${name} ${piece}\n`).join(''));
    }),
  );
const stored = (service: Service): (string | null)[] => service.files().map((file) => file.sha256);

/** Starts `outtray watch` by way of `before`; returns when it is idle. */
const watch = async (place: Place, before: readonly string[]): Promise<void> => {
  const running = place.start(['--json', 'watch', place.folder], { before });
  await running.until('idle', (lines) => lines.find((line) => line.event === 'idle'));
};

/** Each of them whole, each once, and nothing else beside `others`. */
const allWhole = async (service: Service, folder: string, others: readonly string[] = []): Promise<void> => {
  const wanted = [...wholeFiles(folder), ...others];
  await eventually(
    'as many files are public',
    () => stored(service).length >= wanted.length || undefined,
    100_000,
  );
  expect(stored(service).sort()).toEqual(wanted.sort());
};

describe.skipIf(lacks('root', 'setpriv'))('a writer of another user', () => {
  test(
    'that pauses for 0.7, 3 and 8 s publishes nothing half-written, and the user’s own file is as fast as before',
    { timeout: longestMs },
    async () => {
      await within({}, async (service, place) => {
        await giveTo(place.root, us);
        await chmod(place.root, 0o755);
        await chmod(place.folder, 0o777);
        await watch(place, as(us));
        const written = write(place.folder, as(anotherUser));
        const own = path.join(place.folder, 'own.txt');
        await writeFile(own, 'own file');
        await chown(own, us, us);
        await eventually('the own file is public', () => stored(service)[0], 8000);
        expect(stored(service)).toEqual([sha256('own file')]);
        await written;
        await allWhole(service, place.folder, [sha256('own file')]);
      });
    },
  );
});

const overlay = 0x794c7630;

describe.skipIf(lacks('root', 'unshare') || statfsSync('/').type === overlay)(
  'a writer outside the PID namespace that Outtray runs in',
  () => {
    test(
      'that pauses for 0.7, 3 and 8 s publishes nothing half-written',
      { timeout: longestMs },
      async () => {
        await within({}, async (service, place) => {
          await watch(place, ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child']);
          await write(place.folder, []);
          await allWhole(service, place.folder);
        });
      },
    );
  },
);

describe.skipIf(lacks('root', 'unshare', 'setpriv'))(
  'a writer of the same user in a PID namespace of its own',
  () => {
    test(
      'is detected, and its files are public soon after it closes them',
      { timeout: longestMs },
      async () => {
        await within({}, async (service, place) => {
          await watch(place, []);
          await write(place.folder, ['unshare', '--pid', '--fork', '--mount-proc']);
          const closedAtMs = performance.now();
          await allWhole(service, place.folder);
          expect(performance.now() - closedAtMs).toBeLessThan(8000);
        });
      },
    );
  },
);
