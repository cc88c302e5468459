// The listening socket: HTTP or HTTPS on the loopback address, which can be closed and opened again on its port.
import { createServer as createHttpServer, type RequestListener, type ServerOptions } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

export type ServerSetup = {
  port: number;
  tls?: { key: string; cert: string } | undefined;
  onRequest: RequestListener;
  /** Handles requests with `Expect: 100-continue`; without a handler Node accepts every body. */
  onExpectant?: RequestListener;
};

export type RunningServer = {
  origin: string;
  port: number;
  /** Stops taking connections; running exchanges go on. */
  refuse(): void;
  listen(): Promise<void>;
  close(): void;
};

export async function startServer(setup: ServerSetup): Promise<RunningServer> {
  // Slow clients and large files are expected here: only a test's own limits end an exchange.
  const options: ServerOptions = {
    requestTimeout: 0,
    headersTimeout: 0,
    keepAliveTimeout: 60_000,
  };
  const { tls } = setup;
  const server = tls ? createHttpsServer({ ...options, ...tls }) : createHttpServer(options);
  server.timeout = 0;
  server.on('request', setup.onRequest);
  if (setup.onExpectant) server.on('checkContinue', setup.onExpectant);
  // Resets are normal here; the exchange on the socket notices them itself.
  server.on('connection', (socket: Socket) => socket.on('error', () => {}));
  server.on('tlsClientError', () => {});

  let { port } = setup;
  const listen = () =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        port = (server.address() as AddressInfo).port;
        resolve();
      });
    });
  const refuse = () => {
    if (!server.listening) return;
    server.close();
    server.closeIdleConnections();
  };
  await listen();

  return {
    origin: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    refuse,
    listen,
    close: () => {
      refuse();
      server.closeAllConnections();
    },
  };
}
