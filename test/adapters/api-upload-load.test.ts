// Uploads under load: receivers that pause or stop, shared buffers, memory, the bandwidth cap.
import { createBandwidth } from '../../src-main/adapters/api/bandwidth.ts';
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createPart } from '../../src-main/adapters/api/multipart.ts';
import {
  apiFor,
  closeAfter,
  faultOf,
  json,
  lengthsOf,
  receipt,
  serve,
  uploadOf,
  type Peer,
} from './api-wire.ts';

const answerWhole = async (peer: Peer) => {
  await peer.request();
  peer.send(json(200, receipt));
};

test('a receiver that stops reading for longer than the limit is an interruption', async () => {
  const { api } = await serve((peer) => peer.socket.pause(), { limits: { stallMs: 100 } });
  let tail = false;
  const error = await faultOf(
    api.upload(
      uploadOf(Buffer.alloc(50_000_000), {
        beforeTail: async () => {
          tail = true;
        },
      }),
    ),
  );
  expect(error).toMatchObject({ code: 'interrupted', evidence: 'stalled' });
  expect(tail).toBe(false);
});

test('a slow file or a slow decision about the tail does not count as a stall', async () => {
  const { api } = await serve(answerWhole, { limits: { stallMs: 60 } });
  const request = uploadOf(Buffer.alloc(20_000), {
    async *pieces() {
      yield new Uint8Array(10_000);
      await new Promise((done) => setTimeout(done, 150));
      yield new Uint8Array(10_000);
    },
    beforeTail: () => new Promise((done) => setTimeout(done, 150)),
  });
  expect((await api.upload(request)).file_id).toBe(7);
});

test('a receiver that stops reading is noticed after a slow file, too', async () => {
  const { api } = await serve((peer) => peer.socket.pause(), { limits: { stallMs: 60 } });
  const request = uploadOf(Buffer.alloc(50_000_000), {
    async *pieces() {
      yield new Uint8Array(1000);
      await new Promise((done) => setTimeout(done, 150));
      yield new Uint8Array(49_999_000);
    },
  });
  expect(await faultOf(api.upload(request))).toMatchObject({ code: 'interrupted', evidence: 'stalled' });
});

test('pieces that share one buffer arrive intact when the receiver pauses again and again', async () => {
  for (const [totalBytes, pieceBytes] of [
    [24_000_000, 1024 * 1024],
    [3_000_000, 3001],
  ] as const) {
    const hash = createHash('sha256');
    let hashedBytes = 0;
    let seen = Buffer.alloc(0);
    let headBytes = 0;
    const part = createPart('a.bin', totalBytes);
    const { api } = await serve((peer) => {
      peer.socket.removeAllListeners('data');
      let pauses = 0;
      peer.socket.on('data', (piece: Buffer) => {
        let rest = piece;
        if (headBytes === 0) {
          seen = Buffer.concat([seen, piece]);
          const lengths = lengthsOf(seen);
          if (lengths.headBytes === 0 || seen.length < lengths.headBytes + part.head.length) return;
          headBytes = lengths.headBytes;
          rest = seen.subarray(headBytes + part.head.length);
        }
        const ofFile = rest.subarray(0, totalBytes - hashedBytes);
        hash.update(ofFile);
        hashedBytes += ofFile.length;
        if (pauses < 8 && hashedBytes > (pauses * totalBytes) / 8) {
          pauses += 1;
          peer.socket.pause();
          setTimeout(() => peer.socket.resume(), 15);
        }
        if (hashedBytes === totalBytes) peer.send(json(200, receipt));
      });
    });
    const content = randomBytes(totalBytes);
    await api.upload(uploadOf(content, { pieceBytes }));
    expect(hash.digest('hex')).toBe(createHash('sha256').update(content).digest('hex'));
  }
});

/** Counts and answers, in its own process so that its buffers are not ours. */
const countingService = `
  const { createServer } = require('node:http');
  createServer((request, response) => {
    let bytes = 0;
    request.on('data', (piece) => (bytes += piece.length));
    request.on('end', () => response.end(JSON.stringify({ success: true, file_id: 1, public_link: 'x', size: bytes, filename: 'a' })));
  }).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;

test('memory does not grow with the size of the file', async () => {
  const child = spawn(process.execPath, ['-e', countingService], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise((done) =>
    child.stdout.once('data', (text: Buffer) => done(Number(String(text)))),
  );
  const api = apiFor(`http://127.0.0.1:${String(port)}`);
  closeAfter(api, { close: async () => void child.kill() });
  const shared = new Uint8Array(1024 * 1024);
  const ownBytes = () => process.memoryUsage().external + process.memoryUsage().arrayBuffers;
  const peakOf = async (sizeBytes: number) => {
    const before = ownBytes();
    let peakBytes = 0;
    const answer = await api.upload({
      ...uploadOf(new Uint8Array(0)),
      sizeBytes,
      async *pieces() {
        for (let at = 0; at < sizeBytes; at += shared.length) {
          yield shared;
          peakBytes = Math.max(peakBytes, ownBytes() - before);
        }
      },
    });
    expect(answer.size).toBeGreaterThan(sizeBytes);
    return peakBytes;
  };
  await peakOf(8 * 1024 * 1024);
  expect(await peakOf(128 * 1024 * 1024)).toBeLessThan(4 * 1024 * 1024);
});

test('a bandwidth cap spreads an upload over time', async () => {
  let nowMs = 0;
  const { api } = await serve(answerWhole, {
    settings: {
      bandwidth: createBandwidth(() => 100_000, {
        monoMs: () => nowMs,
        delay: async (waitMs) => {
          nowMs += waitMs;
        },
      }),
    },
  });
  await api.upload(uploadOf(Buffer.alloc(1_000_000)));
  expect(nowMs).toBeGreaterThan(9000);
  expect(nowMs).toBeLessThan(10_000);
});
