// Uploads on the wire, byte by byte: what is sent when, and what prevents it.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createPart } from '../../src-main/adapters/api/multipart.ts';
import { AppError } from '../../src-main/contract/errors.ts';
import {
  faultOf,
  first,
  json,
  lengthsOf,
  never,
  receipt,
  serve,
  testKey,
  uploadOf,
  type Peer,
  type Wire,
} from './api-wire.ts';

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
  'the service holds an incomplete request of a file of %d bytes until the tail is allowed',
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

test('an exception before the tail ends the connection with the request incomplete, and is passed on', async () => {
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

test('an error of the file reader is passed on unchanged', async () => {
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

test('abort works at every moment and is reported as aborted', async () => {
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

test('abort works while the receiver is not reading', async () => {
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

test('closing the Api stops requests in flight', async () => {
  const { api } = await serve(() => {});
  const upload = faultOf(api.upload(uploadOf(Buffer.alloc(5000))));
  const stats = faultOf(api.stats(never));
  await new Promise((done) => setTimeout(done, 30));
  await api.close();
  expect((await upload).code).toBe('aborted');
  expect((await stats).code).toBe('aborted');
  expect((await faultOf(api.stats(never))).code).toBe('aborted');
});
