// Each obstacle between Outtray and a service that cannot be reached over TLS, in one sentence.
import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { connect, createServer as createTcp, type Socket } from 'node:net';
import { createServer as createTls, type TlsOptions } from 'node:tls';
import { expect, test } from 'vitest';
import { typedText } from '../../src-main/cli/output/typed.ts';
import { faultOfConnect, faultOfStatus } from '../../src-main/adapters/api/http-errors.ts';
import { authorityPem, serverKeyPem, serverPem } from './api-tls.ts';
import { apiFor, closeAfter, faultOf, never, startWire, uploadOf } from './api-wire.ts';

type Listening = { port: number; close(): void };

const listenOn = async (server: ReturnType<typeof createTcp>): Promise<Listening> => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const listening = { port, close: () => void server.close() };
  closeAfter(listening);
  return listening;
};

const secureServer = (options: TlsOptions) => {
  const server = createTls({ cert: serverPem, key: serverKeyPem, ...options }, (socket) => {
    socket.on('error', () => {});
    socket.on('data', () => socket.destroy());
  });
  server.on('tlsClientError', () => {});
  return listenOn(server);
};

const requests = {
  stats: (api) => api.stats(never),
  list: (api) => api.list({}, never),
  upload: (api) => api.upload(uploadOf(Buffer.from('xyz'))),
  link: (api, baseUrl) => api.digestOfLink(`${baseUrl}/a.txt`, 3, never),
} satisfies Record<string, (api: ReturnType<typeof apiFor>, baseUrl: string) => Promise<unknown>>;
const everyRequest = Object.keys(requests) as (keyof typeof requests)[];

const faultAt = (baseUrl: string, request: keyof typeof requests = 'stats', proxy = 'none') => {
  const api = apiFor(baseUrl, { settings: { caPem: authorityPem, proxy } });
  closeAfter(api);
  return faultOf(requests[request](api, baseUrl));
};

/** A proxy that forwards everything. */
const proxyOn = async (): Promise<string> => {
  const server = createHttp().on('connect', ({ url = '' }, client: Socket) => {
    const ahead = connect(Number(url.split(':')[1]), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      ahead.pipe(client).pipe(ahead);
    });
    ahead.on('error', () => client.destroy());
    client.on('error', () => ahead.destroy());
  });
  return `http://127.0.0.1:${(await listenOn(server)).port}`;
};

test.each(
  (['TLSv1.3', 'TLSv1.2'] as const).flatMap((version) =>
    everyRequest.map((request) => ({ version, request })),
  ),
)('a required client certificate is named ($version, $request), also behind a proxy', async (given) => {
  const { version, request } = given;
  const { port } = await secureServer({
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: version,
    maxVersion: version,
  });
  for (const proxy of ['none', await proxyOn()]) {
    const error = await faultAt(`https://127.0.0.1:${port}/api/v1`, request, proxy);
    expect(error.message + typedText(error.remedy)).toContain('client certificate');
  }
});

test('a service that only supports an old version of TLS is named', async () => {
  const { port } = await secureServer({
    minVersion: 'TLSv1.1',
    maxVersion: 'TLSv1.1',
    ciphers: 'DEFAULT@SECLEVEL=0',
  });
  const error = await faultAt(`https://127.0.0.1:${port}/api/v1`);
  expect(error).toMatchObject({ code: 'offline' });
  expect(error.message).toContain('outdated version of TLS');
});

test('a host name that the server does not know is named', async () => {
  const { port } = await secureServer({
    SNICallback: (_name, done) => done(new Error('unknown')),
  });
  const error = await faultAt(`https://localhost:${port}/api/v1`);
  expect(error.code).toBe('offline');
  expect(error.message).toMatch(/host name|ends the connection|secure connection/);
});

test('a plain-text answer on https: is named', async () => {
  const { port } = await listenOn(
    createTcp((socket) => {
      socket.on('error', () => {});
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    }),
  );
  const error = await faultAt(`https://127.0.0.1:${port}/api/v1`);
  expect(error).toMatchObject({ code: 'offline' });
  expect(error.message).toContain('without encryption');
});

test.each(everyRequest)(
  'http: to a port that speaks TLS is answered with the remedy https: (%s)',
  async (request) => {
    const server = createHttps({ cert: serverPem, key: serverKeyPem }, (_request, response) =>
      response.end(),
    );
    const { port } = await listenOn(server);
    const silent = await faultAt(`http://127.0.0.1:${port}/api/v1`, request);
    expect(silent.remedy).toContain('https://');
    const alert = await startWire((peer) => peer.socket.end(Buffer.from([0x15, 3, 3, 0, 2, 2, 70])));
    closeAfter(alert);
    const error = await faultAt(alert.baseUrl, request);
    expect(error).toMatchObject({ code: 'offline' });
    expect(error.message).toContain('speaks TLS');
  },
);

test.each([
  [
    'nginx',
    400,
    '<title>400 The plain HTTP request was sent to HTTPS port</title>',
    'wrong-address',
    'https://',
  ],
  ['Go', 400, 'Client sent an HTTP request to an HTTPS server.\n', 'wrong-address', 'https://'],
  ['Apache', 400, "You're speaking plain HTTP to an SSL-enabled server port.", 'wrong-address', 'https://'],
  ['nginx', 497, '', 'wrong-address', 'https://'],
  ['nginx', 400, '<title>400 No required SSL certificate was sent</title>', 'interrupted', 'cannot send one'],
  ['nginx', 400, '<title>400 The SSL certificate error</title>', 'interrupted', 'cannot send one'],
  ['nginx', 496, '', 'interrupted', 'cannot send one'],
] as const)('%s is recognised by status %d: %s', (_server, status, page, code, remedy) => {
  const error = faultOfStatus({ status, headers: {} }, Buffer.from(page), {
    endpoint: 'stats',
    secret: null,
    nowMs: 0,
  });
  expect(error.code).toBe(code);
  expect(error.remedy).toContain(remedy);
});

test('a proxy setting that leads to no proxy is named', async () => {
  const { port } = await listenOn(
    createTcp((socket) => {
      socket.on('error', () => {});
      socket.on('data', () => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    }),
  );
  const error = await faultAt('https://127.0.0.1:9/api/v1', 'stats', `http://127.0.0.1:${port}`);
  expect(error).toMatchObject({ code: 'offline' });
  expect(error.message).toContain('no proxy');
  const { port: closing } = await listenOn(createTcp((socket) => socket.destroy()));
  const closed = await faultAt('https://127.0.0.1:9/api/v1', 'stats', `http://127.0.0.1:${closing}`);
  expect(closed.remedy).toContain('proxy');
});

test.each([
  ['CERT_HAS_EXPIRED', /not valid at this time/, /clock/],
  ['CERT_NOT_YET_VALID', /not valid at this time/, /clock/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /not trusted/, /caFile/],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', /not trusted/, /caFile/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /another address/, /base address/],
  ['ERR_SSL_TLSV1_UNRECOGNIZED_NAME', /host name/, /host name/],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', /outdated version/, /update/],
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', /outdated version/, /update/],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', /requires a client certificate/, /cannot send one/],
  ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', /client certificate/, /client certificate/],
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', /client certificate/, /client certificate/],
  ['ERR_SSL_WRONG_VERSION_NUMBER', /without encryption/, /port/],
  ['ECONNRESET', /ends the connection/, /firewall/],
] as const)('%s has a sentence and a remedy', (code, message, remedy) => {
  const error = faultOfConnect(Object.assign(new Error(code), { code }), 'files.example.org');
  expect(error.code).toBe('offline');
  expect(error.message).toMatch(message);
  expect(error.message).toContain('files.example.org');
  expect(error.remedy).toMatch(remedy);
});
