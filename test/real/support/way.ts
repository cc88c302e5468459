// A way to the service that goes bad while a test runs: what a proxy sees of a service that is away or hangs.
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from './ports.ts';

/** What becomes of connections: on to the service · taken and never answered · taken and cut at the first bytes. */
export type Manner = 'passes' | 'silent' | 'cuts';

export type Way = {
  origin: string;
  up(manner?: Manner): Promise<void>;
  /** Connections are refused, and those that are open break. */
  down(): Promise<void>;
};

export const createWay = async (to: string): Promise<Way> => {
  const target = Number(new URL(to).port);
  const port = await freePort();
  const open = new Set<Socket>();
  const keep = (socket: Socket): void => {
    open.add(socket);
    socket.on('error', () => undefined).once('close', () => open.delete(socket));
  };
  const make = (manner: Manner) =>
    createServer((socket) => {
      keep(socket);
      if (manner === 'silent') socket.resume();
      else if (manner === 'cuts') socket.once('data', () => socket.destroy());
      else {
        const onward = connect(target, '127.0.0.1');
        keep(onward);
        socket.pipe(onward).pipe(socket);
      }
    });
  let server = make('passes');
  return {
    origin: `http://127.0.0.1:${port}`,
    up: (manner = 'passes') =>
      new Promise<void>((next) => {
        server = make(manner).listen(port, '127.0.0.1', next);
      }),
    down: () =>
      new Promise<void>((next) => {
        server.close(() => next());
        for (const socket of open) socket.destroy();
      }),
  };
};
