// Ports of loopback.
import { createConnection, createServer } from 'node:net';

/**
 * A port on which nothing listens, for a server that is told its port. Nobody else gets it while this process lives,
 * whichever process asks: each port given is reserved by a listener at another address of loopback. The system gives
 * ports from 32768 on to any program, so none of those stays free.
 */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < 1000; tries += 1) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const reservation = await listenAt('127.0.0.2', port);
    if (reservation === null) continue;
    const probe = await listenAt('127.0.0.1', port);
    if (probe !== null) {
      await new Promise((closed) => probe.close(closed));
      return port;
    }
    reservation.close();
  }
  throw new Error('No port of 127.0.0.1 and 127.0.0.2 is free.');
};

const listenAt = (host: string, port: number) =>
  new Promise<ReturnType<typeof createServer> | null>((resolve) => {
    const server = createServer().unref();
    server.once('error', () => resolve(null));
    server.listen(port, host, () => resolve(server));
  });

/** True once a server accepts a connection there; undefined until then, for `eventually`. */
export const accepts = (port: number): Promise<true | undefined> =>
  new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(undefined));
  });
