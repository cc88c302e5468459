// The server of a network drive is stopped in each phase of a run with two local folders: those continue, and when the
// server continues, its file is uploaded once and whole.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { setTimeout as delay } from 'node:timers/promises';
import { sha256, storedAs } from '../support/flow/wire.ts';
import { eventually } from '../support/flow/poll.ts';
import type { Running } from '../support/flow/command.ts';
import { within } from '../support/flow/within.ts';
import { freeze, hasFuse, lastServer, mount, unmount } from './support/mounts.ts';
import { lacks } from './support/parts.ts';

const isMissing = lacks('sshfs', 'sftp-server') || !hasFuse();
/** Far less than a hung call takes. Without a hang it is about one second. */
const mostMs = 6000;
/** The limits of an idle machine: the figures are printed. */
const lostMs = 1000;
/** On an idle machine within five seconds, with a file of each other folder and a status between two checks. */
const toldWithinMs = 20_000;
const stoppedMs = 60_000;
const everyMs = 4000;
const sizeBytes = 6_000_000;

type Run = {
  /** Writes the file of the drive, through the mount. */
  put(): void;
  /** Puts a file into a local folder, and waits until it is uploaded. */
  putLocal(content: Buffer): Promise<void>;
  progress(least: number): Promise<void>;
  hang(): void;
};

/** Each ends with the server stopped. */
const phases: [name: string, isStarted: boolean, reach: (run: Run) => Promise<void> | void][] = [
  ['before the start', false, ({ hang }) => hang()],
  ['idle', true, ({ hang }) => hang()],
  [
    'scan',
    true,
    ({ put, hang }) => {
      put();
      hang();
    },
  ],
  [
    'quiet time',
    true,
    async ({ put, hang }) => {
      put();
      await delay(200);
      hang();
    },
  ],
  [
    'hash',
    true,
    async ({ put, putLocal, hang }) => {
      // Another file of its size has a link: contents are compared.
      await putLocal(Buffer.alloc(sizeBytes, 1));
      put();
      await delay(700);
      hang();
    },
  ],
  [
    'upload',
    true,
    async ({ put, progress, hang }) => {
      put();
      await progress(0.1);
      hang();
    },
  ],
  [
    'before the tail',
    true,
    async ({ put, progress, hang }) => {
      put();
      await progress(0.9);
      hang();
    },
  ],
];

test.skipIf(isMissing).concurrent.for(phases)(
  'the server is stopped for a minute: %s',
  async ([name, isStarted, reach], { expect }) => {
    const settings = { settleMs: 300, bandwidthBytesPerSecond: 3_000_000 };
    await within({ settings }, async (service, place) => {
      const [far, net, other] = ['far', 'net', 'other'].map((one) => path.join(place.root, one));
      if (far === undefined || net === undefined || other === undefined) throw new Error('No folders.');
      for (const folder of [far, net, other]) mkdirSync(folder);
      mount.sshfs(far, net);
      const server = lastServer();
      const content = Buffer.alloc(sizeBytes, 'drive ');
      const put = (): void => writeFileSync(path.join(net, 'drive.bin'), content);
      const locals: (string | Buffer)[] = [];
      /** One in each of the two local folders; returns how long it took until both were uploaded. */
      const putBoth = async (): Promise<number> => {
        const texts = [place.folder, other].map((folder) => `local ${locals.length} ${folder}`);
        for (const [index, folder] of [place.folder, other].entries())
          writeFileSync(path.join(folder, `${locals.length}.txt`), texts[index] ?? '');
        locals.push(...texts);
        const putAtMs = performance.now();
        for (const text of texts)
          await eventually('it is uploaded', () => storedAs(service, text)[0], 60_000);
        return performance.now() - putAtMs;
      };
      const folderNow = async (): Promise<{ available: boolean }> => {
        const { lines } = await place.json(['status']);
        const folders = lines[0]?.['folders'] as { folder: string; available: boolean }[];
        const found = folders.find(({ folder }) => folder === net);
        if (found === undefined) throw new Error('The drive is not told.');
        return found;
      };
      try {
        for (const folder of [place.folder, other, net])
          expect((await place.run(['folders', 'add', folder])).code).toBe(0);
        let watching: Running | null = null;
        const start = async (): Promise<Running> => {
          const running = place.start(['--json', 'watch']);
          await running.until('idle', (lines) => lines.find((line) => line.event === 'idle'));
          return running;
        };
        const before: number[] = [];
        if (isStarted) {
          watching = await start();
          for (let at = 0; at < 3; at += 1) before.push(await putBoth());
          expect(await folderNow()).toMatchObject({ available: true });
        }
        await reach({
          put,
          async putLocal(bytes) {
            locals.push(bytes);
            writeFileSync(path.join(place.folder, 'same-size.bin'), bytes);
            await eventually('it is uploaded', () => storedAs(service, bytes)[0]);
          },
          progress: async (least) => {
            await watching?.until('progress', (lines) =>
              lines.find(
                ({ event, sentBytes }) => event === 'progress' && Number(sentBytes) >= least * sizeBytes,
              ),
            );
          },
          hang: () => freeze(server),
        });
        const stoppedAtMs = performance.now();
        watching ??= await start();
        let toldMs: number | null = null;
        const during: number[] = [];
        while (performance.now() < stoppedAtMs + stoppedMs) {
          during.push(await putBoth());
          const askedMs = performance.now();
          if (!(await folderNow()).available) toldMs ??= askedMs - stoppedAtMs;
          expect(performance.now() - askedMs).toBeLessThan(mostMs);
          if (toldMs !== null) await delay(everyMs);
        }
        const usualMs = median(isStarted ? before : during);
        const worstMs = Math.max(...during) - usualMs;
        console.log(
          `${name}: a local file takes ${rounded(usualMs)} ms, and lost ${rounded(median(during) - usualMs)} ms, ` +
            `at most ${rounded(worstMs)} ms (of ${during.length}); the hang is told after ${rounded(toldMs ?? NaN)} ms`,
        );
        expect(worstMs).toBeLessThan(mostMs);
        expect(median(during) - usualMs).toBeLessThan(lostMs);
        expect(toldMs).toBeLessThan(toldWithinMs);
        process.kill(server, 'SIGCONT');
        if (name === 'before the start')
          await eventually('the drive is listed', () =>
            readFileSync(path.join(place.home, 'log/outtray.log'), 'utf8').includes(
              `"folder":"${net}","folders"`,
            ),
          );
        if (name === 'idle' || name === 'before the start') put();
        await eventually('the file of the drive is uploaded', () => storedAs(service, content)[0], 300_000);
        await eventually('the drive is told to be back', async () => (await folderNow()).available);
        // Nothing incomplete, nothing twice.
        const expected = [...locals, content].map(sha256);
        expect(
          service
            .files()
            .map((file) => file.sha256)
            .toSorted(),
        ).toEqual(expected.toSorted());
        freeze(server);
        const atMs = performance.now();
        expect((await watching.stop()).code).toBe(130);
        expect(performance.now() - atMs).toBeLessThan(mostMs);
      } finally {
        process.kill(server, 'SIGCONT');
        unmount(net);
      }
    });
  },
);

const median = (of: readonly number[]): number =>
  of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)] ?? Number.NaN;
const rounded = (ms: number): string => ms.toFixed(0);

test.skipIf(isMissing)(
  'the server is stopped: a command that is given a path on it ends and reports it',
  async () => {
    await within({}, async (_, place) => {
      const [far, net] = [path.join(place.root, 'far'), path.join(place.root, 'net')];
      mkdirSync(path.join(far, 'tray'), { recursive: true });
      mkdirSync(net);
      mount.sshfs(far, net);
      const server = lastServer();
      try {
        writeFileSync(path.join(far, 'list.csv'), '');
        freeze(server);
        for (const args of [
          ['watch', path.join(net, 'tray'), '--once'],
          ['export', '--output', path.join(net, 'new.csv')],
          ['export', '--force', '--output', path.join(net, 'list.csv')],
          ['verify', '--card', path.join(net, 'card.json')],
          ['upload', '--files-from', path.join(net, 'files.txt')],
          ['login', '--key-file', path.join(net, 'key.txt')],
          ['folders', 'add', path.join(net, 'tray')],
        ]) {
          const { code, stderr, tookMs } = await place.run(args, { process: true });
          expect({ args, code }).not.toEqual({ args, code: 0 });
          expect({ args, stderr }).toEqual({
            args,
            stderr: expect.stringContaining('does not answer') as unknown,
          });
          expect(tookMs).toBeLessThan(mostMs);
        }
        const ca = path.join(net, 'ca.pem');
        const settings = { caFile: ca, baseUrl: 'https://127.0.0.1:1/api' };
        writeFileSync(path.join(place.home, 'settings.json'), JSON.stringify(settings));
        const env = { OUTTRAY_BASE_URL: undefined };
        const { stderr, tookMs } = await place.run(['list'], { process: true, env });
        expect(stderr).toContain(`The certificate file ${ca} cannot be read.`);
        expect(tookMs).toBeLessThan(mostMs);
      } finally {
        process.kill(server, 'SIGCONT');
        unmount(net);
      }
    });
  },
);

test.skipIf(isMissing)(
  'the server is stopped: Ctrl-C ends a command that is given a path on it at once',
  async () => {
    await within({}, async (_, place) => {
      const [far, net] = [path.join(place.root, 'far'), path.join(place.root, 'net')];
      for (const folder of [far, net]) mkdirSync(folder);
      mount.sshfs(far, net);
      const server = lastServer();
      try {
        freeze(server);
        for (const args of [
          ['export', '--output', path.join(net, 'new.csv')],
          ['verify', '--card', path.join(net, 'card.json')],
          ['upload', '--files-from', path.join(net, 'files.txt')],
          ['login', '--key-file', path.join(net, 'key.txt')],
        ]) {
          const running = place.start(args);
          await new Promise((next) => setTimeout(next, 600));
          const atMs = performance.now();
          await running.stop('SIGINT');
          expect(performance.now() - atMs).toBeLessThan(2000);
        }
      } finally {
        process.kill(server, 'SIGCONT');
        unmount(net);
      }
    });
  },
);

test.skipIf(isMissing)(
  'the server of the drive with the data folder is stopped: each command ends with a sentence, and nothing is lost',
  async () => {
    await within({}, async (service, place) => {
      const [far, net] = [path.join(place.root, 'far'), path.join(place.root, 'net')];
      for (const folder of [far, net]) mkdirSync(folder);
      mount.sshfs(far, net);
      const server = lastServer();
      const env = { OUTTRAY_HOME: path.join(net, 'home') };
      const run = (args: string[]) => place.run(args, { process: true, env });
      try {
        const file = await place.put('../first.txt', 'first');
        expect(await run(['upload', file])).toMatchObject({ code: 0 });
        freeze(server);
        const next = await place.put('../next.txt', 'next');
        for (const args of [
          ['status'],
          ['upload', next],
          ['watch', place.folder, '--once'],
          ['doctor'],
          ['settings'],
          ['link', file],
          ['export'],
          ['paste'],
        ]) {
          const { code, stderr, tookMs } = await run(args);
          expect({ args, code, stderr }).toEqual({
            args,
            code: 1,
            stderr: expect.stringContaining(
              `The drive at ${net} with the data folder does not answer.`,
            ) as unknown,
          });
          expect(tookMs).toBeLessThan(20_000);
        }
        process.kill(server, 'SIGCONT');
        expect(await run(['upload', file, next])).toMatchObject({ code: 0 });
        expect(service.files().map(({ filename }) => filename)).toEqual(['first.txt', 'next.txt']);
      } finally {
        process.kill(server, 'SIGCONT');
        unmount(net);
      }
    });
  },
);

test.skipIf(isMissing)(
  'the server of the drive with the data folder is stopped later: status reports it, and when it continues, nothing is lost',
  async () => {
    await within({ settings: { settleMs: 300 } }, async (service, place) => {
      const [far, net] = [path.join(place.root, 'far'), path.join(place.root, 'net')];
      for (const folder of [far, net]) mkdirSync(folder);
      mount.sshfs(far, net);
      const server = lastServer();
      const env = { OUTTRAY_HOME: path.join(net, 'home') };
      try {
        const watching = place.start(['--json', 'watch', place.folder], { env });
        await watching.until('idle', (lines) => lines.find((line) => line.event === 'idle'));
        freeze(server);
        await place.put('meanwhile.txt', 'meanwhile');
        expect(await place.run(['status'], { process: true, env })).toMatchObject({
          code: 1,
          stderr: expect.stringContaining(
            `The drive at ${net} with the data folder does not answer.`,
          ) as unknown,
        });
        process.kill(server, 'SIGCONT');
        await eventually('it is uploaded', () => storedAs(service, 'meanwhile')[0], 120_000);
        expect((await watching.stop()).code).toBe(130);
        expect(storedAs(service, 'meanwhile')).toHaveLength(1);
      } finally {
        process.kill(server, 'SIGCONT');
        unmount(net);
      }
    });
  },
);
