// The server of a network drive is stopped in each phase of a run with two local folders: those go on, and when the
// server goes on, its file is uploaded once and whole.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { storedAs, uploads } from '../support/flow/wire.ts';
import { eventually } from '../support/flow/poll.ts';
import type { Place } from '../support/flow/place.ts';
import type { Running } from '../support/flow/command.ts';
import { within } from '../support/flow/within.ts';
import type { Service } from '../service/service.ts';
import { hasFuse, lastServer, mount, unmount } from './support/mounts.ts';
import { lacks } from './support/parts.ts';

const isMissing = lacks('sshfs', 'sftp-server') || !hasFuse();
/** Far less than a hung call takes. Without a hang it is about one second. */
const mostMs = 6000;
const stoppedMs = 20_000;
const sizeBytes = 6_000_000;

type Run = {
  place: Place;
  service: Service;
  watching: Running;
  content: Buffer;
  server: number;
  /** Writes the file of the drive, through the mount. */
  put(): void;
  progress(least: number): Promise<void>;
};

const phases: [string, (run: Run) => Promise<void> | void][] = [
  ['idle', () => undefined],
  ['scan', ({ put }) => put()],
  [
    'hash',
    async ({ place, content, service, put }) => {
      // Another file of its size has a link: contents are compared.
      writeFileSync(path.join(place.folder, 'same-size.bin'), Buffer.alloc(content.length, 1));
      await eventually('it is uploaded', () => uploads(service).length === 1 || undefined);
      put();
      await new Promise((next) => setTimeout(next, 700));
    },
  ],
  [
    'upload',
    async ({ put, progress }) => {
      put();
      await progress(0.1);
    },
  ],
  [
    'before the tail',
    async ({ put, progress }) => {
      put();
      await progress(0.9);
    },
  ],
];

test.skipIf(isMissing).each(phases)('the server is stopped: %s', async (_, reach) => {
  const settings = { settleMs: 300, bandwidthBytesPerSecond: 3_000_000 };
  await within({ settings }, async (service, place) => {
    const [far, net, other] = ['far', 'net', 'other'].map((name) => path.join(place.root, name));
    if (far === undefined || net === undefined || other === undefined) throw new Error('No folders.');
    for (const folder of [far, net, other]) mkdirSync(folder);
    mount.sshfs(far, net);
    const server = lastServer();
    try {
      for (const folder of [place.folder, other, net])
        expect((await place.run(['folders', 'add', folder])).code).toBe(0);
      const watching = place.start(['--json', 'watch']);
      await watching.until('idle', (lines) => lines.find((line) => line.event === 'idle'));
      const content = Buffer.alloc(sizeBytes, 'drive ');
      await reach({
        place,
        service,
        watching,
        content,
        server,
        put: () => writeFileSync(path.join(net, 'drive.bin'), content),
        progress: async (least) => {
          await watching.until('progress', (lines) =>
            lines.find(
              ({ event, sentBytes }) => event === 'progress' && Number(sentBytes) >= least * sizeBytes,
            ),
          );
        },
      });
      process.kill(server, 'SIGSTOP');
      const stoppedAtMs = performance.now();
      for (let at = 0; performance.now() < stoppedAtMs + stoppedMs; at += 1) {
        const texts = [place.folder, other].map((folder) => `local ${at} ${folder}`);
        for (const [index, folder] of [place.folder, other].entries())
          writeFileSync(path.join(folder, `${at}.txt`), texts[index] ?? '');
        const putAtMs = performance.now();
        for (const text of texts)
          await eventually('it is uploaded', () => storedAs(service, text)[0], 60_000);
        const tookMs = performance.now() - putAtMs;
        expect(tookMs).toBeLessThan(mostMs);
        const status = await place.run(['status']);
        expect(status.tookMs).toBeLessThan(mostMs);
        await new Promise((next) => setTimeout(next, 3000));
      }
      process.kill(server, 'SIGCONT');
      if (_ === 'idle') writeFileSync(path.join(net, 'drive.bin'), content);
      await eventually('the file of the drive is uploaded', () => storedAs(service, content)[0], 150_000);
      expect(storedAs(service, content)).toHaveLength(1);
      process.kill(server, 'SIGSTOP');
      const atMs = performance.now();
      expect((await watching.stop()).code).toBe(130);
      expect(performance.now() - atMs).toBeLessThan(mostMs);
    } finally {
      process.kill(server, 'SIGCONT');
      unmount(net);
    }
  });
});

test.skipIf(isMissing)(
  'the server is stopped: a command that is given a path on it ends and says so',
  async () => {
    await within({}, async (_, place) => {
      const [far, net] = [path.join(place.root, 'far'), path.join(place.root, 'net')];
      mkdirSync(path.join(far, 'tray'), { recursive: true });
      mkdirSync(net);
      mount.sshfs(far, net);
      const server = lastServer();
      try {
        writeFileSync(path.join(far, 'list.csv'), '');
        process.kill(server, 'SIGSTOP');
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
        process.kill(server, 'SIGSTOP');
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
        process.kill(server, 'SIGSTOP');
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
