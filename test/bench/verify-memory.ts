// Memory of `outtray verify` does not grow with the file behind the link. The service is a few lines that make content
// without a disk: as many zeros as the address says.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { interleave, judge, type Bench, type Contestant } from './frame.ts';
import { builtCommand, figuresOf, measure } from './measure.ts';
import { makePlace } from './outtray.ts';

const MiB = 1024 ** 2;
const sizesMiB = [64, 512, 2_048, 8_192];
const mostRatio = 1.1;
const piece = Buffer.alloc(MiB);

const zeros = function* (pieces: number) {
  for (let sent = 0; sent < pieces; sent += 1) yield piece;
};

const sha256OfZeros = (pieces: number): string => {
  const hash = createHash('sha256');
  for (const part of zeros(pieces)) hash.update(part);
  return hash.digest('hex');
};

const startZeros = async (): Promise<Server> => {
  const server = createServer((request, response) => {
    const sizeMiB = Number(request.url?.split('/').at(-1) ?? 0);
    response.setHeader('content-length', sizeMiB * MiB);
    // The command that reads may end first.
    pipeline(zeros(sizeMiB), response).catch(() => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

export const bench: Bench = {
  name: 'verify-memory',
  extra: true,
  // Not of 64 MiB: these are read before V8 first collects the buffers of the connection.
  goal: `peak memory at 8 GiB ≤ ${mostRatio} × that at 512 MiB`,
  async run() {
    const built = await builtCommand();
    const place = makePlace();
    const server = await startZeros();
    const { port } = server.address() as AddressInfo;
    const origin = `http://127.0.0.1:${port}`;
    const contestant = (sizeMiB: number): Contestant => {
      const name = `${sizeMiB} MiB`;
      const card = path.join(place.folder, `${name}.json`);
      const public_link = `${origin}/download/${sizeMiB}`;
      const sha256 = sha256OfZeros(sizeMiB);
      writeFileSync(card, JSON.stringify([{ file_id: 1, size: sizeMiB * MiB, sha256, public_link }]));
      return {
        name,
        // `measure` throws unless the link is proven: then the exit code is 8.
        run: async () =>
          figuresOf(
            await measure({
              file: process.execPath,
              args: [built, 'verify', '--card', card],
              env: {
                ...process.env,
                OUTTRAY_HOME: mkdtempSync(path.join(place.folder, 'home-')),
                OUTTRAY_BASE_URL: `${origin}/api/v1`,
                OUTTRAY_API_KEY: 'any',
              },
            }),
          ),
      };
    };
    try {
      // Seconds a round, and memory hardly varies: three do.
      const rounds = await interleave({ rounds: 3, warmup: 0, contestants: sizesMiB.map(contestant) });
      const value = rounds.ratio('8192 MiB', '512 MiB', 'peakBytes');
      return {
        ...judge([{ what: 'memory at 8 GiB × at 512 MiB', value, atMost: mostRatio }]),
        ...rounds.summary(),
      };
    } finally {
      server.close();
      place.remove();
    }
  },
};
