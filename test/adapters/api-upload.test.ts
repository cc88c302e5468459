// Uploads on the wire, byte by byte: what leaves when, and what a fault at each moment becomes.
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { AppError } from '../../src-main/contract/errors.ts';
import { createPart } from '../../src-main/adapters/api/multipart.ts';
import {
  apiFor,
  faultOf,
  json,
  lengthsOf,
  never,
  receipt,
  startWire,
  testKey,
  uploadOf,
  type Peer,
  type Wire,
} from './api-wire.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

const serve = async (
  act: (peer: Peer, index: number) => unknown,
  options: Parameters<typeof apiFor>[1] = {},
) => {
  const wire = await startWire(act);
  const api = apiFor(wire.baseUrl, options);
  open.push(wire, api);
  return { wire, api };
};

const first = (wire: Wire): Peer => {
  const [peer] = wire.peers;
  if (peer === undefined) throw new Error('Nobody connected.');
  return peer;
};

const answerWhole = async (peer: Peer) => {
  await peer.request();
  peer.send(json(200, receipt));
};

test('an upload is one POST with the key, an exact length and one part, over a connection that is closed after it', async () => {
  const { wire, api } = await serve(answerWhole);
  const content = Buffer.from('abc');
  expect(await api.upload(uploadOf(content, { sentName: 'Ünïcode 名.txt' }))).toEqual({
    file_id: 7,
    public_link: 'http://127.0.0.1/download/x',
    size: 3,
    filename: 'a',
  });
  const all = first(wire).bytes();
  const { headBytes, bodyBytes } = lengthsOf(all);
  const head = all.subarray(0, headBytes).toString();
  const boundary = /boundary=(\S+)\r\n/.exec(head)?.[1] ?? '?';
  expect(head).toMatch(/^POST \/api\/v1\/files\/upload HTTP\/1\.1\r\n/);
  expect(head).toContain(`host: 127.0.0.1:${wire.port}\r\n`);
  expect(head).toContain('connection: close\r\n');
  expect(head).toContain(`authorization: Bearer ${testKey}\r\n`);
  expect(head).toContain('accept-encoding: identity\r\n');
  expect(head).not.toMatch(/transfer-encoding|expect:/i);
  expect(boundary.length).toBeGreaterThan(40);
  expect(all.subarray(headBytes).toString()).toBe(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="Ünïcode 名.txt"\r\n` +
      `Content-Type: application/octet-stream\r\n\r\nabc\r\n--${boundary}--\r\n`,
  );
  expect(all.length).toBe(headBytes + bodyBytes);
  await first(wire).closed;
  expect(wire.peers).toHaveLength(1);
});

test.each([0, 1, 16_383, 16_384, 16_385, 100_000])(
  'the service has an incomplete request of a file of %d bytes until the tail is allowed',
  async (sizeBytes) => {
    const { wire, api } = await serve(answerWhole);
    const content = randomBytes(sizeBytes);
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const progress: number[] = [];
    const upload = api.upload(
      uploadOf(content, {
        pieceBytes: 10_000,
        beforeTail: async () => {
          reached.resolve();
          await gate.promise;
        },
        progress: (sentBytes) => progress.push(sentBytes),
      }),
    );
    await reached.promise;
    const before = await first(wire).settled();
    const { headBytes, bodyBytes } = lengthsOf(before);
    const part = createPart('a.bin', sizeBytes);
    const withheld = Math.min(sizeBytes, 16_384) + part.closing.length;
    expect(before.length).toBe(headBytes + bodyBytes - withheld);
    gate.resolve();
    await upload;
    const body = first(wire).bytes().subarray(headBytes);
    expect(body.subarray(part.head.length, part.head.length + sizeBytes).equals(content)).toBe(true);
    expect(progress.at(-1)).toBe(sizeBytes);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  },
);

test('a throw before the tail ends the connection with the request incomplete, and is what comes out', async () => {
  const { wire, api } = await serve(() => {});
  const error = await faultOf(
    api.upload(
      uploadOf(randomBytes(50_000), {
        beforeTail: () => Promise.reject(new AppError('changed', 'It changed.')),
      }),
    ),
  );
  expect(error.code).toBe('changed');
  await first(wire).closed;
  const all = first(wire).bytes();
  const { headBytes, bodyBytes } = lengthsOf(all);
  expect(all.length).toBeLessThan(headBytes + bodyBytes);
});

test.each([
  ['shorter', 49_999],
  ['longer', 50_001],
])('a file that turns out %s than announced is given up before the tail', async (_word, realBytes) => {
  let asked = false;
  const { wire, api } = await serve(() => {});
  const content = randomBytes(realBytes);
  const request = uploadOf(content, {
    sizeBytes: 50_000,
    beforeTail: async () => {
      asked = true;
    },
  });
  expect((await faultOf(api.upload(request))).code).toBe('changed');
  expect(asked).toBe(false);
  await first(wire).closed;
});

test('what the file reader throws comes out unchanged', async () => {
  const { api } = await serve(() => {});
  const broken = new AppError('gone', 'The file is gone.');
  const request = uploadOf(Buffer.alloc(100), {
    async *pieces() {
      yield new Uint8Array(10);
      throw broken;
    },
  });
  await expect(api.upload(request)).rejects.toBe(broken);
});

test('an unsafe name is refused before anything is sent', async () => {
  const { wire, api } = await serve(answerWhole);
  for (const sentName of ['', 'a"b', 'a\\b', 'a\r\nX: y', 'a\0', 'a\u0085b', '\ud800', 'x'.repeat(256)]) {
    expect((await faultOf(api.upload(uploadOf(Buffer.alloc(1), { sentName })))).code).toBe('bad-use');
  }
  expect(wire.peers).toHaveLength(0);
});

test.each([
  [401, 'key-refused'],
  [403, 'limit'],
  [413, 'too-large'],
  [429, 'rate'],
  [302, 'moved'],
  [503, 'unusable-answer'],
] as const)('an early %d stops the body at once and is reported as that status', async (status, code) => {
  for (const closing of [false, true]) {
    const { wire, api } = await serve(async (peer) => {
      await peer.until((bytes) => bytes.length > 200_000);
      peer.send(json(status, { message: 'no' }));
      if (closing) peer.socket.end();
    });
    let tail = false;
    let askedBytes = 0;
    const content = Buffer.alloc(50_000_000);
    const error = await faultOf(
      api.upload(
        uploadOf(content, {
          async *pieces() {
            for (; askedBytes < content.length; askedBytes += 65_536) {
              yield content.subarray(askedBytes, askedBytes + 65_536);
            }
          },
          beforeTail: async () => {
            tail = true;
          },
        }),
      ),
    );
    expect(error).toMatchObject({ code, status });
    expect(tail).toBe(false);
    // What fits into the buffers of two kernels, and no more.
    expect(askedBytes).toBeLessThan(20_000_000);
    expect(wire.peers).toHaveLength(1);
  }
});

test('an answer that comes while the tail is being decided about stops the tail', async () => {
  const decided = Promise.withResolvers<void>();
  const { wire, api } = await serve(async (peer) => {
    await peer.until((bytes) => bytes.includes('octet-stream\r\n\r\n'));
    peer.send(json(403, {}));
    await peer.closed;
  });
  const upload = api.upload(
    uploadOf(Buffer.from('withheld'), {
      beforeTail: async () => {
        await first(wire).settled();
        decided.resolve();
      },
    }),
  );
  expect(await faultOf(upload)).toMatchObject({ code: 'limit', status: 403 });
  await decided.promise;
  expect(first(wire).bytes().includes('withheld')).toBe(false);
});

test('success before the file was sent is no success', async () => {
  const { api } = await serve(async (peer) => {
    await peer.until((bytes) => bytes.length > 0);
    peer.send(json(200, receipt));
  });
  let tail = false;
  const error = await faultOf(
    api.upload(
      uploadOf(Buffer.alloc(30_000_000), {
        beforeTail: async () => {
          tail = true;
        },
      }),
    ),
  );
  expect(error).toMatchObject({ code: 'unusable-answer', status: 200 });
  expect(tail).toBe(false);
});

test('interim answers are not the answer', async () => {
  const { api } = await serve(async (peer) => {
    await peer.request();
    peer.send('HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n');
    peer.send(json(201, receipt));
  });
  expect((await api.upload(uploadOf(Buffer.from('abc')))).file_id).toBe(7);
});

test.each([
  ['before the head', 0],
  ['within the body', 300_000],
])('a reset %s is an interruption and the tail is not asked for', async (_word, afterBytes) => {
  let tail = false;
  const { wire, api } = await serve(async (peer) => {
    await peer.until((bytes) => bytes.length > afterBytes);
    peer.socket.resetAndDestroy();
  });
  const request = uploadOf(Buffer.alloc(50_000_000), {
    beforeTail: async () => {
      tail = true;
    },
  });
  const error = await faultOf(api.upload(request));
  expect(error.code).toBe('interrupted');
  expect(error.status).toBeUndefined();
  expect(tail).toBe(false);
  // Nobody sends the request again.
  expect(wire.peers).toHaveLength(1);
});

test('a connection that ends while the tail is being decided about gets no tail', async () => {
  const { wire, api } = await serve(async (peer) => {
    await peer.until((bytes) => bytes.includes('octet-stream\r\n\r\n'));
    peer.socket.resetAndDestroy();
  });
  const content = Buffer.from('abc');
  const error = await faultOf(
    api.upload(
      uploadOf(content, {
        beforeTail: async () => {
          await first(wire).closed;
          await new Promise((done) => setTimeout(done, 20));
        },
      }),
    ),
  );
  expect(error.code).toBe('interrupted');
  expect(wire.peers).toHaveLength(1);
});

test.each([
  ['a reset', 'interrupted', (peer: Peer) => peer.socket.resetAndDestroy()],
  ['a close', 'interrupted', (peer: Peer) => peer.socket.end()],
  ['a head cut short', 'interrupted', (peer: Peer) => peer.socket.end('HTTP/1.1 200 OK\r\ncontent-')],
  ['something that is not HTTP', 'unusable-answer', (peer: Peer) => peer.socket.end('220 smtp ready\r\n')],
  ['a body cut short', 'unusable-answer', (peer: Peer) => peer.socket.end(json(200, receipt).slice(0, -5))],
  [
    'more header than we read',
    'unusable-answer',
    (peer: Peer) => peer.send(json(200, receipt, { x: 'y'.repeat(40_000) })),
  ],
  [
    'more body than we read',
    'unusable-answer',
    (peer: Peer) => peer.send(json(200, { ...receipt, x: 'y'.repeat(70_000) })),
  ],
  ['silence', 'interrupted', () => {}],
  [
    'a body that stops',
    'unusable-answer',
    (peer: Peer) => peer.send('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{'),
  ],
] as const)('%s after the tail is %s', async (_word, code, end) => {
  const { wire, api } = await serve(
    async (peer) => {
      await peer.request();
      end(peer);
    },
    { limits: { headMs: 100, bodyMs: 100 } },
  );
  expect((await faultOf(api.upload(uploadOf(Buffer.from('abc'))))).code).toBe(code);
  expect(wire.peers).toHaveLength(1);
});

test('abort works at every moment and says aborted', async () => {
  const moments: Record<
    string,
    (stop: () => void, wire: () => Wire) => Partial<Parameters<typeof uploadOf>[1]>
  > = {
    'before the start': (stop) => {
      stop();
      return {};
    },
    'while connecting': (stop) => {
      queueMicrotask(stop);
      return {};
    },
    'while reading the file': (stop) => ({
      async *pieces(signal: AbortSignal) {
        yield new Uint8Array(1000);
        stop();
        await new Promise((_done, fail) => {
          if (signal.aborted) fail(new Error('stopped'));
          signal.addEventListener('abort', () => fail(new Error('stopped')));
        });
      },
    }),
    'before the tail': (stop) => ({
      beforeTail: async () => {
        stop();
      },
    }),
    'waiting for the answer': (stop) => ({
      progress: (sent: number) => {
        if (sent === 5000) setTimeout(stop, 10);
      },
    }),
  };
  for (const [moment, change] of Object.entries(moments)) {
    const { wire, api } = await serve(() => {});
    const controller = new AbortController();
    const request = uploadOf(Buffer.alloc(5000), {
      ...change(
        () => controller.abort(),
        () => wire,
      ),
      signal: controller.signal,
    });
    expect((await faultOf(api.upload(request))).code, moment).toBe('aborted');
    await Promise.all(wire.peers.map((peer) => peer.closed));
  }
});

test('abort works while the receiver does not read', async () => {
  const { api } = await serve((peer) => peer.socket.pause());
  const controller = new AbortController();
  let asked = 0;
  const upload = api.upload(
    uploadOf(Buffer.alloc(50_000_000), {
      progress: () => {
        asked += 1;
        if (asked === 5) setTimeout(() => controller.abort(), 30);
      },
      signal: controller.signal,
    }),
  );
  expect((await faultOf(upload)).code).toBe('aborted');
});

test('closing the Api stops what is in flight', async () => {
  const { api } = await serve(() => {});
  const upload = faultOf(api.upload(uploadOf(Buffer.alloc(5000))));
  const stats = faultOf(api.stats(never));
  await new Promise((done) => setTimeout(done, 30));
  await api.close();
  expect((await upload).code).toBe('aborted');
  expect((await stats).code).toBe('aborted');
  expect((await faultOf(api.stats(never))).code).toBe('aborted');
});

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

test('a slow file or a slow decision about the tail is no stall', async () => {
  const { api } = await serve(answerWhole, { limits: { stallMs: 30 } });
  const request = uploadOf(Buffer.alloc(20_000), {
    async *pieces() {
      yield new Uint8Array(10_000);
      await new Promise((done) => setTimeout(done, 80));
      yield new Uint8Array(10_000);
    },
    beforeTail: () => new Promise((done) => setTimeout(done, 80)),
  });
  expect((await api.upload(request)).file_id).toBe(7);
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

/** Counts and answers, in a process of its own so that its buffers are not ours. */
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
  open.push(api, { close: async () => void child.kill() });
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

test('a bandwidth cap spreads an upload over its time', async () => {
  const { api } = await serve(answerWhole, {
    settings: { bandwidthBytesPerSecond: 100_000 },
    pace: {
      monoMs: () => nowMs,
      delay: async (waitMs) => {
        nowMs += waitMs;
      },
    },
  });
  let nowMs = 0;
  await api.upload(uploadOf(Buffer.alloc(1_000_000)));
  expect(nowMs).toBeGreaterThan(9000);
  expect(nowMs).toBeLessThan(10_000);
});
