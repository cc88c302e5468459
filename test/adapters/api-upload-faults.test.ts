// Uploads and what can happen to them: early answers, resets, broken answers, abort, each at every moment.
import { expect, test } from 'vitest';
import { faultOf, first, json, receipt, serve, uploadOf, type Peer } from './api-wire.ts';

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
    // As much as the buffers of two kernels hold, and no more.
    expect(askedBytes).toBeLessThan(20_000_000);
    expect(wire.peers).toHaveLength(1);
  }
});

test('an answer that arrives while the tail is being decided about stops the tail', async () => {
  const asked = Promise.withResolvers<void>();
  const decided = Promise.withResolvers<void>();
  const { wire, api } = await serve(async (peer) => {
    await asked.promise;
    peer.send(json(403, {}));
    await peer.closed;
  });
  const upload = api.upload(
    uploadOf(Buffer.from('withheld'), {
      beforeTail: async () => {
        asked.resolve();
        await first(wire).settled();
        decided.resolve();
      },
    }),
  );
  expect(await faultOf(upload)).toMatchObject({ code: 'limit', status: 403 });
  await decided.promise;
  expect(first(wire).bytes().includes('withheld')).toBe(false);
});

test('a refusal of the head that takes a moment is read before the tail of a small file is sent', async () => {
  const refuse = async (peer: Peer): Promise<void> => {
    await peer.until((bytes) => bytes.includes('octet-stream\r\n\r\n'));
    peer.send(json(429, {}));
    await peer.closed;
  };
  // On a busy machine the service of this test needs longer than the usual time. The refusal ends the wait.
  const { wire, api } = await serve(refuse, { limits: { refusalMs: 30_000 } });
  const tail = { isAsked: false };
  const beforeTail = async (): Promise<void> => {
    tail.isAsked = true;
  };
  const error = await faultOf(api.upload(uploadOf(Buffer.from('withheld'), { beforeTail })));
  expect(error).toMatchObject({ code: 'rate', status: 429 });
  expect(first(wire).bytes().includes('withheld')).toBe(false);
  expect(tail.isAsked).toBe(false);
});

test('a refusal of the head that arrived while the process was busy is read before the tail is sent', async () => {
  const { wire, api } = await serve(async (peer) => {
    await peer.until((bytes) => bytes.includes('octet-stream\r\n\r\n'));
    peer.send(json(429, {}));
    const freeAtMs = performance.now() + 80;
    while (performance.now() < freeAtMs);
    await peer.closed;
  });
  expect(await faultOf(api.upload(uploadOf(Buffer.from('withheld'))))).toMatchObject({ status: 429 });
  expect(first(wire).bytes().includes('withheld')).toBe(false);
});

test('success while the tail is being decided about is no success', async () => {
  const { wire, api } = await serve(async (peer) => {
    await peer.until((bytes) => bytes.includes('octet-stream\r\n\r\n'));
    peer.send(json(200, receipt));
  });
  const upload = uploadOf(Buffer.from('withheld'), {
    beforeTail: async () => {
      await first(wire).settled();
    },
  });
  expect(await faultOf(api.upload(upload))).toMatchObject({ code: 'unusable-answer', status: 200 });
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

test('interim answers do not count as the answer, requested or not', async () => {
  const goOn = 'HTTP/1.1 100 Continue\r\n\r\n';
  const interims = [
    'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n',
    goOn,
    `${goOn}HTTP/1.1 100 Continue\r\nx: y\r\n\r\n`,
  ];
  for (const interim of interims) {
    for (const inPieces of [false, true]) {
      const { api } = await serve(async (peer) => {
        await peer.request();
        const all = interim + json(201, receipt);
        for (const piece of inPieces ? (all.match(/.{1,9}/gs) ?? []) : [all]) {
          peer.send(piece);
          await new Promise((done) => setImmediate(done));
        }
      });
      expect((await api.upload(uploadOf(Buffer.from('abc')))).file_id).toBe(7);
    }
  }
  // These bytes come before the body, and then nothing: that is no answer at all.
  const { api } = await serve(
    async (peer) => {
      peer.send(goOn);
      await peer.request();
      peer.send('HTTP/1.1 10');
    },
    { limits: { headMs: 50 } },
  );
  expect((await faultOf(api.upload(uploadOf(Buffer.alloc(300_000))))).code).toBe('interrupted');
});

test.each([
  ['before the head', 0],
  ['within the body', 300_000],
])('a reset %s is an interruption and the tail is not requested', async (_word, afterBytes) => {
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
  // The adapter does not send the request again.
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
    { limits: { headMs: 400, bodyMs: 400 } },
  );
  expect((await faultOf(api.upload(uploadOf(Buffer.from('abc'))))).code).toBe(code);
  expect(wire.peers).toHaveLength(1);
});

test('an endless refusal without a length, while the tail is being decided about, does not end the process', async () => {
  for (const answer of [
    'HTTP/1.1 413 X\r\n\r\nno',
    json(200, receipt).replace(/content-length: \d+\r\n/, ''),
  ]) {
    const { api } = await serve(
      async (peer) => {
        await peer.until((bytes) => bytes.includes('\r\n\r\n'));
        peer.send(answer);
      },
      { limits: { bodyMs: 40 } },
    );
    const beforeTail = () => new Promise<void>((done) => setTimeout(done, 20));
    const { status } = await faultOf(api.upload(uploadOf(Buffer.alloc(40_000), { beforeTail })));
    expect(status).toBe(answer.includes('413') ? 413 : 200);
    // A late error would be thrown when the socket closes, where no code catches it. It would end the run of the tests.
    await new Promise((done) => setTimeout(done, 20));
  }
});

const nginxPage = (status: string): string =>
  `HTTP/1.1 ${status}\r\nServer: nginx\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<html>\r\n<head><title>${status}</title></head>\r\n<body>\r\n<center><h1>${status}</h1></center>\r\n<hr><center>nginx/1.22.1</center>\r\n</body>\r\n</html>\r\n`;

test('a 503 in which nginx reports too many requests is a request to slow down', async () => {
  const { api } = await serve(async (peer) => {
    await peer.until((bytes) => bytes.length > 0);
    peer.send(nginxPage('503 Service Temporarily Unavailable'));
    peer.socket.end();
  });
  expect(await faultOf(api.upload(uploadOf(Buffer.from('x'))))).toMatchObject({ code: 'rate', status: 503 });
});

test('a 502 of nginx is a fault of the service', async () => {
  const { api } = await serve(async (peer) => {
    await peer.until((bytes) => bytes.length > 0);
    peer.send(nginxPage('502 Bad Gateway'));
    peer.socket.end();
  });
  expect(await faultOf(api.upload(uploadOf(Buffer.from('x'))))).toMatchObject({
    code: 'unusable-answer',
    status: 502,
  });
});

test('a 503 with a sane Retry-After is a request to slow down for that long', async () => {
  const { api } = await serve(async (peer) => {
    await peer.until((bytes) => bytes.length > 0);
    peer.send('HTTP/1.1 503 Away\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n');
  });
  const fault = await faultOf(api.upload(uploadOf(Buffer.from('x'))));
  expect(fault).toMatchObject({ code: 'rate', retryAfterMs: 7000 });
});

test('an answer is awaited for as long as the upload allows, not as long as for other requests', async () => {
  const { api } = await serve(
    async (peer) => {
      await peer.until((bytes) => bytes.includes('withheld'));
      await new Promise((next) => setTimeout(next, 400));
      peer.send(json(200, receipt));
    },
    { limits: { headMs: 50 } },
  );
  await expect(
    api.upload(uploadOf(Buffer.from('withheld'), { answerWaitMs: 20_000 })),
  ).resolves.toMatchObject({
    file_id: receipt.file_id,
  });
});
