// A service at the level of bytes: tests decide when it reads, what it writes and when it closes the connection.
import { createServer as createTcp, type Server, type Socket } from 'node:net';
import { createServer as createTls } from 'node:tls';
import { onTestFinished } from 'vitest';
import { createApi, type ApiOptions, type ServiceApi } from '../../src-main/adapters/api/api.ts';
import { parseSecret } from '../../src-main/adapters/secret.ts';
import { AppError } from '../../src-main/contract/errors.ts';
import type { UploadRequest } from '../../src-main/engine/ports/api.ts';
import { serverKeyPem, serverPem } from './api-tls.ts';

export const testKey = 'sk-outtray-0123456789-abcdef';

/** One connection, seen from the service. */
export type Peer = {
  socket: Socket;
  /** Everything that has arrived. */
  bytes(): Buffer;
  /** Resolves once what has arrived satisfies the test; rejects when the connection ends before. */
  until(test: (bytes: Buffer) => boolean): Promise<Buffer>;
  /** All that has arrived once nothing more has come for a moment. */
  settled(): Promise<Buffer>;
  /** The head and the whole body it announces. */
  request(): Promise<{ head: string; body: Buffer }>;
  send(text: string): void;
  closed: Promise<void>;
};

export type Wire = { port: number; baseUrl: string; peers: Peer[]; close(): Promise<void> };

export const startWire = async (
  act: (peer: Peer, index: number) => unknown,
  { secure = false } = {},
): Promise<Wire> => {
  const peers: Peer[] = [];
  const accept = (socket: Socket) => {
    const peer = createPeer(socket);
    peers.push(peer);
    // A test that ends the connection itself is not interested in what its other half still waited for.
    Promise.resolve(act(peer, peers.length - 1)).catch(() => {});
  };
  const server: Server = secure
    ? createTls({ cert: serverPem, key: serverKeyPem }, accept)
    : createTcp({ allowHalfOpen: true }, accept);
  server.on('tlsClientError', () => {});
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port,
    baseUrl: `${secure ? 'https' : 'http'}://127.0.0.1:${port}/api/v1`,
    peers,
    async close() {
      const closed = new Promise((done) => server.close(done));
      for (const { socket } of peers) socket.destroy();
      await closed;
    },
  };
};

const createPeer = (socket: Socket): Peer => {
  let received: Buffer[] = [];
  let receivedBytes = 0;
  let over = false;
  const hearers = new Set<() => void>();
  const tell = () => hearers.forEach((hear) => hear());
  socket.on('data', (piece: Buffer) => {
    received.push(piece);
    receivedBytes += piece.length;
    tell();
  });
  const end = () => {
    over = true;
    tell();
  };
  socket.on('error', end).on('end', end).on('close', end);
  const bytes = () => {
    if (received.length !== 1) received = [Buffer.concat(received)];
    return received[0] ?? Buffer.alloc(0);
  };
  const untilTrue = (test: () => boolean) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        const isTrue = test();
        if (!isTrue && !over) return;
        hearers.delete(look);
        if (isTrue) resolve();
        else reject(new Error('The connection ended first.'));
      };
      hearers.add(look);
      look();
    });
  const untilCount = (count: number) => untilTrue(() => receivedBytes >= count);
  const until = async (test: (bytes: Buffer) => boolean) => {
    await untilTrue(() => test(bytes()));
    return bytes();
  };
  return {
    socket,
    bytes,
    until,
    async settled() {
      // Three checks in a row: on a busy machine the sender may rest during one.
      for (let [before, same] = [-1, 0]; same < 3;) {
        same = before === receivedBytes ? same + 1 : 0;
        before = receivedBytes;
        await new Promise((done) => setTimeout(done, 30));
      }
      return bytes();
    },
    async request() {
      const opening = await until((now) => now.includes('\r\n\r\n'));
      const { headBytes, bodyBytes } = lengthsOf(opening);
      await untilCount(headBytes + bodyBytes);
      return { head: bytes().subarray(0, headBytes).toString('latin1'), body: bytes().subarray(headBytes) };
    },
    send: (text) => void socket.write(text),
    closed: new Promise((resolve) => {
      socket.once('end', resolve).once('close', resolve);
    }),
  };
};

export const lengthsOf = (bytes: Buffer): { headBytes: number; bodyBytes: number } => {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return { headBytes: 0, bodyBytes: 0 };
  const head = bytes.subarray(0, end).toString('latin1');
  return { headBytes: end + 4, bodyBytes: Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0) };
};

export const http = (status: number, body: string, headers: Record<string, string> = {}): string => {
  const lines = Object.entries({ 'content-length': String(Buffer.byteLength(body)), ...headers });
  return `HTTP/1.1 ${status} X\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
};

export const json = (status: number, value: unknown, headers: Record<string, string> = {}): string =>
  http(status, JSON.stringify(value), { 'content-type': 'application/json', ...headers });

export const receipt = {
  success: true,
  file_id: 7,
  public_link: 'http://127.0.0.1/download/x',
  size: 3,
  filename: 'a',
};

export const statsValue = {
  success: true,
  stats: { total_files: 1, total_size: 2 },
  limits: { max_file_size: 3, daily_uploads: 4 },
  plan: 'Pro',
};

export const apiFor = (
  baseUrl: string,
  options: Partial<Omit<ApiOptions, 'settings'>> & { settings?: Partial<ApiOptions['settings']> } = {},
): ServiceApi =>
  createApi({
    baseUrl,
    key: () => parseSecret(testKey),
    ...options,
    settings: { proxy: 'none', caPem: null, linkHosts: [], ...options.settings },
  });

export const never = new AbortController().signal;

/** An upload of these bytes in pieces of one buffer that is used again for each, as the port allows. */
export const uploadOf = (
  content: Uint8Array,
  change: Partial<UploadRequest> & { pieceBytes?: number } = {},
): UploadRequest => {
  const { pieceBytes = 64 * 1024, ...rest } = change;
  return {
    sentName: 'a.bin',
    sizeBytes: content.length,
    async *pieces() {
      const shared = new Uint8Array(pieceBytes);
      for (let at = 0; at < content.length; at += pieceBytes) {
        const piece = content.subarray(at, at + pieceBytes);
        shared.set(piece);
        yield shared.subarray(0, piece.length);
        // A sender that still needs this piece now has other bytes.
        shared.fill(0xee);
      }
    },
    beforeTail: async () => {},
    progress: () => {},
    signal: never,
    ...rest,
  };
};

export const faultOf = async (promise: Promise<unknown>): Promise<AppError> => {
  try {
    await promise;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('It did not fail.');
};

/** They are closed after the test, the last first. */
export const closeAfter = (...things: { close(): unknown }[]): void => {
  for (const thing of things)
    onTestFinished(async () => {
      await thing.close();
    });
};

/** A service that does this with each connection, and an Api for it; both are closed after the test. */
export const serve = async (
  act: (peer: Peer, index: number) => unknown,
  options: Parameters<typeof apiFor>[1] = {},
): Promise<{ wire: Wire; api: ServiceApi }> => {
  const wire = await startWire(act);
  const api = apiFor(wire.baseUrl, options);
  closeAfter(wire, api);
  return { wire, api };
};

/** A service that answers every request alike. */
export const answering = (
  answer: string,
  options: Parameters<typeof apiFor>[1] = {},
): Promise<{ wire: Wire; api: ServiceApi }> =>
  serve(async (peer) => {
    await peer.request();
    peer.send(answer);
  }, options);

/** The first connection. */
export const first = (wire: Wire): Peer => {
  const [peer] = wire.peers;
  if (peer === undefined) throw new Error('Nobody connected.');
  return peer;
};
