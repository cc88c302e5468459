// Ports of loopback.
import { createConnection, createServer } from 'node:net';

/**
 * A free port for a server of a test. While this process lives, no other call returns the same port, in any process: a
 * listener at another address of loopback reserves it. The system gives ports from 32768 on to any program, so none of
 * those stays free.
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
