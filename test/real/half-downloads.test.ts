// Real download programs that are quit in the middle: the partial file has its final name, and the program's control file
// lies beside it. Nothing of it may become public, and once the program has finished it, all of it does.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Place } from '../support/flow/place.ts';
import { eventually } from '../support/flow/poll.ts';
import { sha256 } from '../support/flow/wire.ts';
import { watchOnce, within } from '../support/flow/within.ts';
import { lacks, type Part } from './support/parts.ts';

const content = Buffer.alloc(6_000_000, 'distro ');
const pieceBytes = 50_000;
/** While set, a download takes some seconds. */
let isSlow = true;
let server: Server;
let address = '';

beforeAll(async () => {
  server = createServer((request, response) => {
    const range = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '');
    const from = Number(range?.[1] ?? 0);
    const end = range?.[2] === undefined || range[2] === '' ? content.length : Number(range[2]) + 1;
    response.writeHead(range === null ? 200 : 206, {
      'accept-ranges': 'bytes',
      'content-length': end - from,
      ...(range === null ? {} : { 'content-range': `bytes ${from}-${end - 1}/${content.length}` }),
    });
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    const send = async (): Promise<void> => {
      for (let at = from; at < end && !response.destroyed; at += pieceBytes) {
        response.write(content.subarray(at, Math.min(end, at + pieceBytes)));
        if (isSlow) await delay(50);
      }
      response.end();
    };
    void send();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/distro.iso`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const load = (place: Place, program: string, args: readonly string[]) =>
  spawn(program, args, {
    cwd: place.folder,
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], HOME: place.root },
  });

/** Quits the program once some of the file has arrived; returns the names that it leaves. */
const loadHalf = async (
  place: Place,
  program: string,
  args: readonly string[],
  signal: NodeJS.Signals,
): Promise<string[]> => {
  isSlow = true;
  const child = load(place, program, args);
  const ended = once(child, 'exit');
  await eventually(
    `${program} has begun`,
    async () =>
      ((await stat(path.join(place.folder, 'distro.iso')).catch(() => null))?.size ?? 0) > 0 || undefined,
  );
  await delay(500);
  child.kill(signal);
  await ended;
  return (await readdir(place.folder)).sort();
};

type Loader = { part: Part; args: (url: string) => string[]; control: string; signal: NodeJS.Signals };
const loaders: Loader[] = [
  { part: 'aria2c', args: (url) => ['-q', '-c', url], control: 'distro.iso.aria2', signal: 'SIGINT' },
  { part: 'aria2c', args: (url) => ['-q', '-c', url], control: 'distro.iso.aria2', signal: 'SIGKILL' },
  { part: 'axel', args: (url) => ['-q', '-n', '3', url], control: 'distro.iso.st', signal: 'SIGINT' },
  {
    part: 'lftp',
    args: (url) => ['-c', `set pget:save-status 0; pget -c -n 3 ${url}`],
    control: 'distro.iso.lftp-pget-status',
    signal: 'SIGINT',
  },
];

for (const { part, args, control, signal } of loaders)
  describe.skipIf(lacks(part))(`a download of ${part} that ends by ${signal}`, () => {
    test(
      'is held back by every door, and uploaded whole when it is finished',
      { timeout: 60_000 },
      async () => {
        await within({}, async (service, place) => {
          expect(await loadHalf(place, part, args(address), signal)).toEqual(['distro.iso', control]);
          await watchOnce(place);
          expect((await place.json(['upload', path.join(place.folder, 'distro.iso')])).lines).toContainEqual(
            expect.objectContaining({
              event: 'waiting',
              path: expect.stringContaining('distro.iso') as unknown,
            }),
          );
          const why = await place.run(['why', path.join(place.folder, 'distro.iso')]);
          expect(why.stdout).toContain(control);
          await place.json(['upload', '--zip', '--name', 'all.zip', place.folder]);
          expect(service.files()).toEqual([]);

          isSlow = false;
          const [code] = (await once(load(place, part, args(address)), 'exit')) as [number];
          expect([code, await readdir(place.folder)]).toEqual([0, ['distro.iso']]);
          await watchOnce(place);
          expect(service.files().map((file) => file.sha256)).toEqual([sha256(content)]);
        });
      },
    );
  });

const without: [Part, (url: string) => string[]][] = [
  ['wget', (url) => ['-q', url]],
  ['curl', (url) => ['-sO', url]],
];
for (const [part, args] of without)
  describe.skipIf(lacks(part))(`a download of ${part} that was quit`, () => {
    test('leaves its final name and nothing beside it: nothing distinguishes it from a complete file', async () => {
      await within({}, async (_service, place) => {
        expect(await loadHalf(place, part, args(address), 'SIGINT')).toEqual(['distro.iso']);
      });
    });
  });
