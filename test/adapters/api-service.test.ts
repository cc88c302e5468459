// The adapter against our own implementation of the service: whole requests, its faults, and links as proofs.
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { TransferLimits } from '../../src-main/adapters/api/limits.ts';
import { parseSecret } from '../../src-main/adapters/secret.ts';
import type { Fault } from '../service/faults.ts';
import { startService, type Service } from '../service/service.ts';
import { apiFor, closeAfter, faultOf, http, never, startWire, testKey, uploadOf } from './api-wire.ts';

const serve = async (
  options: Parameters<typeof startService>[0] = {},
  limits: Partial<TransferLimits> = {},
) => {
  const service = await startService(options);
  const api = apiFor(service.baseUrl, {
    key: () => parseSecret(service.key),
    limits,
  });
  closeAfter(service, api);
  return { service, api };
};

const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');

const storedHashes = (service: Service) =>
  Promise.all(service.files().map(async ({ path }) => (path === null ? '' : sha256(await readFile(path)))));

test('a file is uploaded, listed, read, verified by its link, and deleted', async () => {
  const { service, api } = await serve();
  const content = randomBytes(1_234_567);
  const receipt = await api.upload(uploadOf(content, { sentName: 'Bericht 2026 – Ünïcode 名前.pdf' }));
  expect(receipt).toMatchObject({ filename: 'Bericht 2026 – Ünïcode 名前.pdf', size: content.length });
  expect(await storedHashes(service)).toEqual([sha256(content)]);
  expect(api.isSaneLink(receipt.public_link)).toBe(true);
  expect(await api.digestOfLink(receipt.public_link, content.length, never)).toBe(sha256(content));
  expect(await api.digestOfLink(receipt.public_link, content.length - 1, never)).toBeNull();
  expect(await api.digestOfLink(receipt.public_link, content.length + 1, never)).toBeNull();
  expect((await api.list({ page: 1, limit: 5 }, never)).files.map((file) => file.file_id)).toEqual([
    receipt.file_id,
  ]);
  expect((await api.info(receipt.file_id, never)).size).toBe(content.length);
  await api.remove(receipt.file_id, never);
  expect((await faultOf(api.info(receipt.file_id, never))).code).toBe('not-found');
  expect((await faultOf(api.digestOfLink(receipt.public_link, 1, never))).code).toBe('not-found');
});

test('an upload is one request, and an empty file is a file', async () => {
  const { service, api } = await serve();
  expect((await api.upload(uploadOf(new Uint8Array(0)))).size).toBe(0);
  expect(service.requests()).toHaveLength(1);
  expect(await storedHashes(service)).toEqual([sha256(new Uint8Array(0))]);
});

test.each<[string, Fault, string, { created: number; tail: boolean }]>([
  ['reset at the headers', { kind: 'reset', at: 'headers' }, 'interrupted', { created: 0, tail: false }],
  [
    'reset in the body',
    { kind: 'reset', at: 'body', afterBytes: 9e5 },
    'interrupted',
    { created: 0, tail: false },
  ],
  ['reset when all was read', { kind: 'reset', at: 'read' }, 'interrupted', { created: 0, tail: true }],
  ['reset when all was done', { kind: 'reset', at: 'done' }, 'interrupted', { created: 1, tail: true }],
  [
    'stall in the body',
    { kind: 'stall', at: 'body', afterBytes: 9e5 },
    'interrupted',
    { created: 0, tail: false },
  ],
  ['stall when all was done', { kind: 'stall', at: 'done' }, 'interrupted', { created: 1, tail: true }],
  ['truncated answer', { kind: 'truncate', atByte: 20 }, 'unusable-answer', { created: 1, tail: true }],
  ['malformed answer', { kind: 'malformed' }, 'intercepted', { created: 1, tail: true }],
  ['wrong types', { kind: 'wrong-types' }, 'unusable-answer', { created: 1, tail: true }],
  ['huge answer', { kind: 'huge', bytes: 1e6 }, 'unusable-answer', { created: 1, tail: true }],
  ['success false', { kind: 'success-false' }, 'unusable-answer', { created: 1, tail: true }],
  [
    '502 when all was done',
    { kind: 'answer', at: 'done', status: 502 },
    'unusable-answer',
    { created: 1, tail: true },
  ],
  [
    'redirect at the headers',
    { kind: 'redirect', at: 'headers', location: 'https://evil.example/' },
    'moved',
    { created: 0, tail: false },
  ],
])('%s: the resulting error, and whether the service has the file', async (_word, fault, code, expected) => {
  // Only a stall is waited for; everything else must come by itself, however slow the machine.
  const atStall = 'at' in fault && fault.at === 'done' ? { headMs: 1000 } : { stallMs: 200 };
  const limits = fault.kind === 'stall' ? atStall : {};
  const { service, api } = await serve({ refusal: 'early', store: 'hash-only' }, limits);
  service.faults.add({ match: { method: 'POST' }, fault });
  let tail = false;
  const upload = uploadOf(Buffer.alloc(16_000_000), {
    beforeTail: async () => {
      tail = true;
    },
  });
  const error = await faultOf(api.upload(upload));
  expect(error.code).toBe(code);
  expect({ created: service.files().length, tail }).toEqual(expected);
  expect(service.requests()).toHaveLength(1);
});

test.each(['late', 'early', 'early-close', 'early-cut'] as const)(
  'a refusal that comes %s is reported as what it is',
  async (refusal) => {
    const { api } = await serve({ refusal, dailyUploads: 0 });
    for (const sizeBytes of [100, 20_000, 5_000_000]) {
      expect((await faultOf(api.upload(uploadOf(Buffer.alloc(sizeBytes))))).code).toBe('limit');
    }
  },
);

test('a link is fetched without the key, and only on hosts that are allowed', async () => {
  const wire = await startWire(async (peer) => {
    await peer.request();
    peer.send(http(200, 'hello'));
  });
  const api = apiFor(wire.baseUrl);
  closeAfter(wire, api);
  const host = `http://127.0.0.1:${wire.port}`;
  expect(await api.digestOfLink(`${host}/download/x?y=1`, 5, never)).toBe(sha256(Buffer.from('hello')));
  const [peer] = wire.peers;
  expect(peer?.bytes().toString()).toMatch(/^GET \/download\/x\?y=1 HTTP\/1\.1\r\n/);
  expect(peer?.bytes().toString()).not.toMatch(/authorization/i);
  expect(peer?.bytes().includes(testKey)).toBe(false);
  expect((await faultOf(api.digestOfLink('https://elsewhere.example/download/x', 5, never))).code).toBe(
    'refused',
  );
  expect(wire.peers).toHaveLength(1);
});

test('a link may redirect within its host, not to another, and not in circles', async () => {
  const other = await startWire(() => {});
  const wire = await startWire(async (peer) => {
    const { head } = await peer.request();
    if (head.startsWith('GET /download/far')) {
      peer.send(http(302, '', { location: `http://127.0.0.1:${other.port}/x` }));
    } else if (head.startsWith('GET /download/round')) {
      peer.send(http(302, '', { location: '/download/round' }));
    } else if (head.startsWith('GET /download/near')) peer.send(http(302, '', { location: '../raw/1' }));
    else peer.send(http(200, 'hello'));
  });
  const api = apiFor(wire.baseUrl, { settings: { linkHosts: [`127.0.0.1:${other.port}`] } });
  closeAfter(other, wire, api);
  const host = `http://127.0.0.1:${wire.port}/download`;
  expect(await api.digestOfLink(`${host}/near`, 5, never)).toBe(sha256(Buffer.from('hello')));
  expect((await faultOf(api.digestOfLink(`${host}/far`, 5, never))).code).toBe('moved');
  expect(other.peers).toHaveLength(0);
  const before = wire.peers.length;
  expect((await faultOf(api.digestOfLink(`${host}/round`, 5, never))).code).toBe('moved');
  expect(wire.peers.length - before).toBe(4);
  // Wherever a link redirects: the key is never sent to a public link.
  for (const peer of wire.peers) {
    expect(peer.bytes().toString()).toMatch(/^GET \//);
    expect(peer.bytes().toString()).not.toMatch(/authorization/i);
    expect(peer.bytes().includes(testKey)).toBe(false);
  }
});

test('reading a link that serves more than expected stops after the first surplus byte', async () => {
  let sentBytes = 0;
  const wire = await startWire(async (peer) => {
    await peer.request();
    peer.send('HTTP/1.1 200 OK\r\n\r\n');
    const piece = 'x'.repeat(65_536);
    while (!peer.socket.destroyed && sentBytes < 1e9) {
      sentBytes += piece.length;
      if (!peer.socket.write(piece)) {
        await Promise.race([new Promise((done) => peer.socket.once('drain', done)), peer.closed]);
      }
      if (peer.socket.readableEnded) break;
    }
  });
  const api = apiFor(wire.baseUrl);
  closeAfter(wire, api);
  expect(await api.digestOfLink(`http://127.0.0.1:${wire.port}/download/x`, 100_000, never)).toBeNull();
  expect(sentBytes).toBeLessThan(5e7);
});

test('a link that ends early, is encoded, stalls or fails is no proof', async () => {
  const answers = [
    'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhel',
    http(200, 'hello', { 'content-encoding': 'gzip' }),
    http(200, 'hi', { 'content-encoding': 'gzip' }),
    'HTTP/1.1 200 OK\r\n\r\nhel',
    http(500, 'hello'),
    http(401, ''),
    http(204, ''),
  ];
  const wire = await startWire(async (peer, index) => {
    await peer.request();
    const answer = answers[index];
    if (answer === undefined) peer.send('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhel');
    else peer.socket.end(answer);
  });
  const api = apiFor(wire.baseUrl, { limits: { stallMs: 80 } });
  closeAfter(wire, api);
  const codes: string[] = [];
  for (let index = 0; index <= answers.length; index += 1) {
    codes.push((await faultOf(api.digestOfLink(`http://127.0.0.1:${wire.port}/download/x`, 5, never))).code);
  }
  expect(codes).toEqual([
    'unusable-answer',
    'unusable-answer',
    'unusable-answer',
    'unusable-answer',
    'unusable-answer',
    'refused',
    'unusable-answer',
    'unusable-answer',
  ]);
});

test.each([
  ['that trickles is given up', 300, 50],
  ['that takes longer than other answers is read', 30_000, 4],
])('a link %s', async (_, bodyMs, size) => {
  const content = Buffer.alloc(size, 'slow');
  const wire = await startWire(async (peer) => {
    await peer.request();
    peer.send(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n`);
    for (const letter of content.toString()) {
      if (peer.socket.destroyed) return;
      peer.send(letter);
      await new Promise((next) => setTimeout(next, 20));
    }
  });
  const api = apiFor(wire.baseUrl, { limits: { bodyMs, totalMs: 60 } });
  closeAfter(wire, api);
  const reading = api.digestOfLink(`http://127.0.0.1:${wire.port}/download/x`, size, never);
  if (bodyMs < 1000) expect(await faultOf(reading)).toMatchObject({ evidence: 'incomplete' });
  else expect(await reading).toBe(sha256(content));
});

test.each(['identity', 'Identity'])('a link whose content has the encoding %s is read', async (encoding) => {
  const wire = await startWire(async (peer) => {
    await peer.request();
    peer.send(http(200, 'hello', { 'content-encoding': encoding }));
  });
  const api = apiFor(wire.baseUrl);
  closeAfter(wire, api);
  const link = `http://127.0.0.1:${wire.port}/download/x`;
  expect(await api.digestOfLink(link, 5, never)).toBe(sha256(Buffer.from('hello')));
});

test('networking code is not loaded before the first request', () => {
  const script = `
    import { createRequire } from 'node:module';
    import { createApi } from './src-main/adapters/api/api.ts';
    createApi({ baseUrl: 'https://a.example/api', key: () => null,
      settings: { proxy: 'none', caPem: null, linkHosts: [] } });
    const loaded = Object.keys(createRequire(import.meta.url).cache);
    console.log(loaded.filter((path) => path.includes('undici')).length);`;
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(run.stderr).toBe('');
  expect(run.stdout).toBe('0\n');
});
