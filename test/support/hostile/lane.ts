// One lane: a raw socket server that answers each connection with the case of the moment, and the real adapter before
// it. Lanes run side by side; within a lane one case follows the other, so that every connection has its case.
import { createServer, type Socket } from 'node:net';
import { createApi, type ServiceApi } from '../../../src-main/adapters/api/api.ts';
import { parseSecret } from '../../../src-main/adapters/secret.ts';
import type { Case } from './cases.ts';

export const key = 'hostile-KEY-0123456789-abcdef';

/** A client that takes this many bytes of an answer has no limit. */
const mostTakenBytes = 64 * 1024 * 1024;

export type Lane = {
  link: string;
  /** With the limits of the program. */
  api: ServiceApi;
  /** The same with short limits, for answers that never end. */
  hasty: ServiceApi;
  serve(one: Case): void;
  /** The early answer of the case has left. */
  answeredEarly(): Promise<void>;
  /** Requests since `serve`. */
  requests(): number;
  /** Bytes the client took of an endless answer, the most of all. */
  mostTakenBytes(): number;
  close(): Promise<void>;
};

export const openLane = async (): Promise<Lane> => {
  let current: Case | null = null;
  let requests = 0;
  let taken = 0;
  let early = Promise.withResolvers<void>();
  const sockets = new Set<Socket>();

  const write = (socket: Socket, piece: Buffer): Promise<void> =>
    new Promise((resolve) => {
      if (socket.destroyed) resolve();
      else socket.write(piece, () => setImmediate(resolve));
    });

  const answer = async (socket: Socket, one: Case, left: () => void): Promise<void> => {
    for (const piece of one.pieces) if (piece.length > 0) await write(socket, piece);
    // Three turns of the loop that both sides share: by then, what was written has been read.
    for (let turn = 0; turn < 3; turn += 1) await new Promise((next) => setImmediate(next));
    left();
    switch (one.ending) {
      case 'close':
        socket.end();
        return;
      case 'reset':
        socket.resetAndDestroy();
        return;
      case 'hold':
        return;
      case 'endless': {
        const more = Buffer.alloc(64 * 1024, 'x');
        let sent = 0;
        while (!socket.destroyed && sent < mostTakenBytes) {
          const { bytesWritten } = socket;
          await write(socket, more);
          sent += socket.bytesWritten - bytesWritten;
        }
        taken = Math.max(taken, sent);
        socket.end();
      }
    }
  };

  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    const one = current;
    const mine = early;
    let received = Buffer.alloc(0);
    let answered = false;
    let counted = false;
    const end = (): void => {
      sockets.delete(socket);
      mine.resolve();
      socket.destroy();
    };
    socket.on('error', end).on('close', end);
    socket.on('end', end);
    socket.on('data', (piece: Buffer) => {
      received = Buffer.concat([received, piece]);
      const headEnd = received.indexOf('\r\n\r\n');
      if (answered || one === null || headEnd < 0) return;
      if (!counted) requests += 1;
      counted = true;
      const length = /^content-length: (\d+)$/im.exec(received.toString('latin1', 0, headEnd));
      const isWhole = received.length >= headEnd + 4 + Number(length?.[1] ?? 0);
      if (!isWhole && !one.early) return;
      answered = true;
      void answer(socket, one, mine.resolve);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const make = (limits: Parameters<typeof createApi>[0]['limits']): ServiceApi =>
    createApi({
      baseUrl: `http://127.0.0.1:${port}/api/v1`,
      key: () => parseSecret(key),
      settings: { proxy: 'none', caPem: null, linkHosts: [] },
      ...(limits === undefined ? {} : { limits }),
    });
  const api = make(undefined);
  const hasty = make({ stallMs: 60, headMs: 60, bodyMs: 60, totalMs: 80 });

  return {
    link: `http://127.0.0.1:${port}/download/abc`,
    api,
    hasty,
    serve(one) {
      current = one;
      requests = 0;
      early = Promise.withResolvers<void>();
    },
    answeredEarly: () => early.promise,
    requests: () => requests,
    mostTakenBytes: () => taken,
    async close() {
      await Promise.all([api.close(), hasty.close()]);
      const closed = new Promise((done) => server.close(done));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
};
