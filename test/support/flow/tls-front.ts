// The service behind TLS, as in a company: its certificate comes from an authority that the system's store may know.
import { connect } from 'node:net';
import { createServer } from 'node:tls';
import { serverKeyPem, serverPem } from '../../adapters/api-tls.ts';

export type TlsFront = { baseUrl: string; close(): Promise<void> };

export const startTlsFront = async (serviceUrl: string): Promise<TlsFront> => {
  const origin = new URL(serviceUrl);
  const server = createServer({ cert: serverPem, key: serverKeyPem }, (socket) => {
    const behind = connect(Number(origin.port), origin.hostname);
    socket.on('error', () => behind.destroy());
    behind.on('error', () => socket.destroy());
    socket.pipe(behind).pipe(socket);
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    baseUrl: `https://127.0.0.1:${port}${origin.pathname}`,
    close: () => new Promise((done) => server.close(() => done())),
  };
};
