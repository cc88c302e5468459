// How a connection is made: TLS, an own authority, proxies; and which error each failure becomes.
import { createServer as createHttp, type Server } from 'node:http';
import { connect, createServer as createTcp } from 'node:net';
import { rootCertificates } from 'node:tls';
import { expect, test, vi } from 'vitest';
import { typedText } from '../../src-main/cli/output/typed.ts';
import { createDial } from '../../src-main/adapters/api/connect.ts';
import { proxyFromEnvironment } from '../../src-main/adapters/api/proxy.ts';
import { authorityPem } from './api-tls.ts';
import {
  apiFor,
  closeAfter,
  faultOf,
  json,
  never,
  receipt,
  startWire,
  statsValue,
  testKey,
  uploadOf,
  type Peer,
} from './api-wire.ts';

const answerAll = async (peer: Peer) => {
  const { head } = await peer.request();
  peer.send(json(200, head.startsWith('POST') ? receipt : statsValue));
};

const serve = async (secure: boolean) => {
  const wire = await startWire(answerAll, { secure });
  closeAfter(wire);
  return wire;
};

const apiOf = (...parameters: Parameters<typeof apiFor>) => {
  const api = apiFor(...parameters);
  closeAfter(api);
  return api;
};

type ProxySeen = { authority: string | undefined; authorization: string | undefined; bytes: Buffer[] };

/** A proxy that knows CONNECT and nothing else. */
const startProxy = async (status = 200) => {
  const seen: ProxySeen[] = [];
  const server: Server = createHttp((_request, response) => response.writeHead(405).end());
  server.on('connect', (request, socket, rest: Buffer) => {
    const bytes = [rest];
    seen.push({ authority: request.url, authorization: request.headers['proxy-authorization'], bytes });
    socket.on('error', () => {});
    if (status > 299) return socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    const [host, port] = (request.url ?? '').split(':');
    const there = connect({ port: Number(port), host, noDelay: true }, () => {
      socket.write(`HTTP/1.1 ${status} Connection established\r\n\r\n`);
      socket.on('data', (piece: Buffer) => bytes.push(piece));
      socket.pipe(there).pipe(socket);
    });
    there.on('error', () => socket.destroy());
    socket.on('close', () => there.destroy());
    return undefined;
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  closeAfter({ close: () => (server.closeAllConnections(), server.close()) });
  return { url: `http://127.0.0.1:${port}`, seen };
};

test('a certificate of an unknown authority ends the connection before the key is sent', async () => {
  const wire = await serve(true);
  const error = await faultOf(apiOf(wire.baseUrl).stats(never));
  expect(error.code).toBe('offline');
  expect(error.message).toContain('certificate');
  expect(error.remedy).toContain('caFile');
  expect(wire.peers.every((peer) => peer.bytes().length === 0)).toBe(true);
});

test('the environment cannot turn verification off', async () => {
  const wire = await serve(true);
  const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  try {
    expect((await faultOf(apiOf(wire.baseUrl).stats(never))).code).toBe('offline');
  } finally {
    if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
  }
});

test('an authority named in the settings is trusted beside the usual ones', async () => {
  const wire = await serve(true);
  const api = apiOf(wire.baseUrl, { settings: { caPem: authorityPem } });
  expect((await api.stats(never)).plan).toBe('Pro');
  expect((await api.upload(uploadOf(Buffer.alloc(300_000)))).file_id).toBe(7);
});

test('a file of authorities is read again after a certificate for which none of them vouches: it may be renewed', async () => {
  const wire = await serve(true);
  const file = { pem: rootCertificates[0] ?? '', reads: 0 };
  const caPem = () => {
    file.reads += 1;
    return Promise.resolve(file.pem);
  };
  const api = apiOf(wire.baseUrl, { settings: { caPem } });
  expect((await faultOf(api.stats(never))).code).toBe('offline');
  file.pem = authorityPem;
  for (const _ of [1, 2]) expect((await api.stats(never)).plan).toBe('Pro');
  expect(file.reads).toBe(2);
});

test('a certificate for another address is refused', async () => {
  const wire = await serve(true);
  const api = apiOf(wire.baseUrl.replace('127.0.0.1', 'localhost'), { settings: { caPem: authorityPem } });
  const error = await faultOf(api.stats(never));
  expect(error).toMatchObject({ code: 'offline', evidence: 'ERR_TLS_CERT_ALTNAME_INVALID' });
});

test('a file that is not a certificate is a bad setting', async () => {
  const api = apiOf('https://127.0.0.1:1/api', {
    settings: { caPem: '-----BEGIN CERTIFICATE-----\nno\n-----END CERTIFICATE-----' },
  });
  expect((await faultOf(api.stats(never))).code).toBe('bad-setting');
  const other = apiOf('https://127.0.0.1:1/api', { settings: { caPem: 'hello' } });
  expect((await faultOf(other.stats(never))).code).toBe('bad-setting');
});

test('over TLS the tail is withheld too, and a receiver that pauses receives everything', async () => {
  const content = Buffer.alloc(2_000_000, 'tls');
  let pauses = 0;
  const wire = await startWire(
    async (peer) => {
      peer.socket.on('data', () => {
        if (pauses >= 5) return;
        pauses += 1;
        peer.socket.pause();
        setTimeout(() => peer.socket.resume(), 10);
      });
      await answerAll(peer);
    },
    { secure: true },
  );
  closeAfter(wire);
  let before = 0;
  const api = apiOf(wire.baseUrl, { settings: { caPem: authorityPem } });
  await api.upload(
    uploadOf(content, {
      pieceBytes: 3000,
      beforeTail: async () => {
        const received = () => wire.peers[0]?.bytes().length ?? 0;
        // A busy receiver may rest before all has arrived.
        await vi.waitFor(() => expect(received()).toBeGreaterThan(content.length - 17_000), 30_000);
        before = (await wire.peers[0]?.settled())?.length ?? 0;
      },
    }),
  );
  const all = wire.peers[0]?.bytes() ?? Buffer.alloc(0);
  expect(all.length - before).toBeGreaterThan(16_384);
  expect(all.length - before).toBeLessThan(17_000);
  expect(all.includes(content)).toBe(true);
});

test('over TLS a receiver that stops reading is noticed', async () => {
  const stuck = await startWire((peer) => peer.socket.pause(), { secure: true });
  closeAfter(stuck);
  const api = apiOf(stuck.baseUrl, { limits: { stallMs: 100 }, settings: { caPem: authorityPem } });
  const error = await faultOf(api.upload(uploadOf(Buffer.alloc(24_000_000))));
  expect(error).toMatchObject({ code: 'interrupted', evidence: 'stalled' });
});

test.each([true, false])(
  'a proxy carries requests and uploads through a tunnel (TLS: %s)',
  async (secure) => {
    const wire = await serve(secure);
    const proxy = await startProxy();
    const api = apiOf(wire.baseUrl, {
      settings: { proxy: proxy.url.replace('://', '://user:pass@'), caPem: authorityPem },
    });
    expect((await api.stats(never)).plan).toBe('Pro');
    let before = 0;
    const upload = uploadOf(Buffer.alloc(500_000, 'x'), {
      beforeTail: async () => {
        before = (await wire.peers[1]?.settled())?.length ?? 0;
      },
    });
    expect((await api.upload(upload)).file_id).toBe(7);
    expect((wire.peers[1]?.bytes().length ?? 0) - before).toBeGreaterThan(16_384);
    expect(before).toBeGreaterThan(480_000);
    expect(proxy.seen.map((each) => each.authority)).toEqual(Array(2).fill(`127.0.0.1:${wire.port}`));
    expect(proxy.seen[0]?.authorization).toBe(`Basic ${Buffer.from('user:pass').toString('base64')}`);
    if (secure) expect(Buffer.concat(proxy.seen.flatMap((each) => each.bytes)).includes(testKey)).toBe(false);
  },
);

test.each([201, 204, 299])('a proxy opens its tunnel with any status of success (%d)', async (status) => {
  const wire = await serve(true);
  const proxy = await startProxy(status);
  const api = apiOf(wire.baseUrl, { settings: { proxy: proxy.url, caPem: authorityPem } });
  expect((await api.stats(never)).plan).toBe('Pro');
  expect(proxy.seen).toHaveLength(1);
});

test.each([
  [302, 'does not let Outtray through'],
  [407, 'user name and a password'],
  [502, 'does not let Outtray through'],
])('a proxy that answers %d is named', async (status, words) => {
  const wire = await serve(false);
  const proxy = await startProxy(status);
  const error = await faultOf(apiOf(wire.baseUrl, { settings: { proxy: proxy.url } }).stats(never));
  expect(error.code).toBe('offline');
  expect(error.message).toContain(words);
  expect(wire.peers).toHaveLength(0);
});

test('a proxy that refuses a name and password is distinguished from one that asks for them', async () => {
  const wire = await serve(false);
  const proxy = await startProxy(407);
  const dial = createDial({
    proxy: {
      setting: proxy.url.replace('://', '://zoe:wrong@'),
      resolve: () => Promise.resolve(null),
    },
    caPem: null,
  });
  const error = await faultOf(dial(new URL(wire.baseUrl), never));
  expect(error).toMatchObject({
    code: 'offline',
    message: expect.stringContaining('rejects the user name or the password') as unknown,
    remedy: expect.stringContaining('HTTPS_PROXY') as unknown,
  });
  expect(error.message).not.toContain('wrong');
});

test('a proxy that is missing, or closes, counts as no connection', async () => {
  const closing = createTcp((socket) => socket.destroy());
  await new Promise<void>((done) => closing.listen(0, '127.0.0.1', done));
  const address = closing.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  closeAfter(closing);
  for (const url of ['http://127.0.0.1:1', `http://127.0.0.1:${port}`]) {
    const error = await faultOf(apiOf('https://example.test/api', { settings: { proxy: url } }).stats(never));
    expect(error.code).toBe('offline');
  }
});

test("the system's proxy is looked up by address, and never used for this machine", async () => {
  const asked: string[] = [];
  const proxy = await startProxy(502);
  const resolveProxy = async (url: string) => {
    asked.push(url);
    return proxy.url;
  };
  const settings = { proxy: 'system' };
  const wire = await serve(false);
  await apiOf(wire.baseUrl, { settings, resolveProxy }).stats(never);
  expect(asked).toEqual([]);
  await faultOf(apiOf('https://example.test/api', { settings, resolveProxy }).stats(never));
  expect(asked).toEqual(['https://example.test/api/stats']);
  expect(proxy.seen[0]?.authority).toBe('example.test:443');
});

test('the environment names proxies and exceptions as it does for curl', async () => {
  const find = (url: string, environment: Record<string, string>) => proxyFromEnvironment(environment)(url);
  const both = { HTTPS_PROXY: 'http://s:1', http_proxy: 'http://p:2' };
  expect(await find('https://a.example/x', both)).toBe('http://s:1');
  expect(await find('http://a.example/x', both)).toBe('http://p:2');
  expect(await find('https://a.example', { https_proxy: 'http://low', HTTPS_PROXY: 'http://up' })).toBe(
    'http://low',
  );
  expect(await find('https://a.example', { ALL_PROXY: 'http://all' })).toBe('http://all');
  expect(await find('https://a.example', {})).toBeNull();
  expect(await find('https://a.example', { HTTPS_PROXY: '' })).toBeNull();
  for (const NO_PROXY of ['*', 'a.example', 'b, example', '.example', '*.example', 'A.EXAMPLE:443']) {
    expect(await find('https://a.example/', { ...both, NO_PROXY }), NO_PROXY).toBeNull();
  }
  for (const NO_PROXY of ['', 'ample', 'b.example', 'a.example:80', 'x.a.example']) {
    expect(await find('https://a.example/', { ...both, NO_PROXY }), NO_PROXY).toBe('http://s:1');
  }
});

test.each([
  [
    '10.1.2.3',
    ['10.1.2.3', '10.0.0.0/8', '10.1.2.3/32', '0.0.0.0/0', '10.1.2.3:443', '::ffff:10.1.2.3', '*'],
  ],
  ['10.1.2.3', ['b,10.0.0.0/8', ' b 10.1.2.3 ', '::ffff:10.0.0.0/104', '10.0.0.0/8:443', '*:443']],
  [
    '[fd00::1]',
    ['fd00::1', '[fd00::1]', 'FD00::1', 'fd00:0::0:1', '[fd00::1]:443', 'fd00::/8', '[fd00::]/8'],
  ],
  ['[fd00::443]', ['fd00::443', '::1,fd00::443']],
  ['[::FFFF:10.1.2.3]', ['10.1.2.3', '10.0.0.0/8', '::ffff:10.1.2.3', '::ffff:a01:203']],
  ['[2001:db8::1]', ['2001:db8::1', '2001:DB8::/32']],
  ['a.example', ['a.example.', '.example.', '*.example.', 'A.Example.:443', 'b, ,a.example']],
  ['a.example.', ['a.example', 'a.example.', 'example', '.example', '*.example']],
])('%s is excepted from the proxy by each of %j', async (host, entries) => {
  for (const NO_PROXY of entries)
    expect(
      await proxyFromEnvironment({ HTTPS_PROXY: 'http://s:1', NO_PROXY })(`https://${host}/x`),
      NO_PROXY,
    ).toBeNull();
});

test.each([
  ['10.1.2.3', ['10.1.2.4', '11.0.0.0/8', '10.1.2.3:8443', '10.0.0.5:8443', '10.0.0.0/8:8443', '3', '.2.3']],
  ['10.1.2.3', ['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/x', '10.0.0/8', '10.0.0.0/8/8', '/8', '10.0.0.0/-1']],
  ['[fd00::1]', ['fd00::2', '[fd00::1]:8080', 'fd00::', 'fe80::/10', 'fd00::/129', '::1', '1']],
  ['in.example', ['10.0.0.0/8', '0.0.0.0/0', '::/0', '[fd00::1]', '.', '*.', ':443', ',', 'in.example/8']],
])('%s is excepted from the proxy by none of %j', async (host, entries) => {
  for (const NO_PROXY of entries)
    expect(
      await proxyFromEnvironment({ HTTPS_PROXY: 'http://s:1', NO_PROXY })(`https://${host}/x`),
      NO_PROXY,
    ).toBe('http://s:1');
});

test('a kind of proxy that is not supported is a bad setting, and its password is not shown', async () => {
  const api = apiOf('https://example.test/api', {
    settings: { proxy: 'system' },
    resolveProxy: async () => 'socks5://me:hunter2@proxy:1080',
  });
  const error = await faultOf(api.stats(never));
  expect(error.code).toBe('bad-setting');
  expect(error.message + typedText(error.remedy)).not.toContain('hunter2');
});

test('a service that refuses, cannot be found or never answers is offline', async () => {
  const refused = await faultOf(apiOf('http://127.0.0.1:1/api').stats(never));
  expect(refused).toMatchObject({ code: 'offline', evidence: 'ECONNREFUSED' });
  const unknown = await faultOf(
    apiOf('https://nowhere.invalid/api', { limits: { connectMs: 2000 } }).stats(never),
  );
  expect(unknown.code).toBe('offline');
  // TCP is there, TLS never comes.
  const mute = createTcp(() => {});
  await new Promise<void>((done) => mute.listen(0, '127.0.0.1', done));
  const address = mute.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  closeAfter(mute);
  const api = apiOf(`https://127.0.0.1:${port}/api`, { limits: { connectMs: 50 } });
  const upload = await faultOf(api.upload(uploadOf(Buffer.alloc(10))));
  expect(upload.code).toBe('offline');
  expect(upload.message).toContain('does not answer');
});

test('an address that is not allowed creates no Api', async () => {
  for (const address of ['http://example.com/api', 'ftp://x/', 'https://me@x/', 'no', 'https://x/?a=1']) {
    expect(() => apiFor(address)).toThrow(expect.objectContaining({ code: 'bad-setting' }));
  }
});

test('a connection attempt that is stopped leaves no connection', async () => {
  const wire = await serve(false);
  const dial = createDial({
    proxy: { setting: 'none', resolve: async () => null },
    caPem: null,
  });
  const controller = new AbortController();
  const dialling = dial(new URL(wire.baseUrl), controller.signal);
  controller.abort();
  await expect(dialling).rejects.toMatchObject({ code: 'aborted' });
  await Promise.all(wire.peers.map((peer) => peer.closed));
});

test('a system that never says which proxy to use does not outlast the signal', async () => {
  const dial = createDial({
    proxy: { setting: 'system', resolve: () => new Promise(() => undefined) },
    caPem: null,
  });
  const controller = new AbortController();
  const dialling = dial(new URL('https://example.test/api'), controller.signal);
  controller.abort();
  await expect(dialling).rejects.toMatchObject({ code: 'aborted' });
});
