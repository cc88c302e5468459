// One fresh connection: TCP, through a proxy's tunnel when there is one, TLS 1.2 or newer with the certificate always
// verified. Made here rather than by undici's agents, so that direct and proxied requests use the same kind of
// connection, and so that every step can be stopped and named when it fails.
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, type SecureContext } from 'node:tls';
import { toAppError } from '../../contract/errors.ts';
import { trustedAuthorities } from './authorities.ts';
import { aborted, faultOfConnect, faultOfProxy } from './http-errors.ts';
import { proxyFor, type Proxy, type ProxyChoice } from './proxy.ts';
import { toldOfTls } from './tls-errors.ts';
import { unlessAborted } from '../system/unless-aborted.ts';

/** Opens a connection to the origin of `target`. Throws `offline`, `bad-setting`, `aborted`. */
export type Dial = (target: URL, signal: AbortSignal) => Promise<Socket>;

export type DialOptions = {
  proxy: ProxyChoice;
  caPem: CaPem;
};

/** Certificates in PEM to trust beside the usual ones, or null. A function runs before the first TLS connection. */
export type CaPem = string | null | (() => Promise<string | null>);

/**
 * With 1, every write waits until the system has taken all its bytes. So the pieces of an upload can share a few
 * buffers: no buffer is filled again while its earlier bytes are unsent (engine/ports/files.ts, OpenFile).
 */
const highWaterMark = 1;

export const createDial = ({ proxy: choice, caPem }: DialOptions): Dial => {
  let context: SecureContext | null = null;
  const secure = async () => (context ??= createContext(typeof caPem === 'function' ? await caPem() : caPem));

  const open = async (to: URL, over: Socket | null, signal: AbortSignal): Promise<Socket> => {
    if (to.protocol !== 'https:') return over ?? ready(tcp(to), 'connect', to, signal);
    const host = bareHost(to);
    const options = {
      host,
      port: portOf(to),
      servername: isIP(host) === 0 ? host : '',
      secureContext: await secure(),
      // Explicit, because the environment can turn the default off.
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
      highWaterMark,
      ...(over !== null && { socket: over }),
    };
    return ready(connectTls(options), 'secureConnect', to, signal).catch((error: unknown) => {
      // The file of authorities may be replaced by now, as a company's authority is renewed.
      if (toldOfTls(toAppError(error).evidence ?? '', host) !== null) context = null;
      throw error;
    });
  };

  return async (target, signal) => {
    // A script of the system may never answer.
    const proxy = await unlessAborted(signal, proxyFor(target, choice));
    if (proxy === null) return open(target, null, signal);
    const toProxy = await open(proxy.url, null, signal);
    return open(target, await tunnel(toProxy, proxy, target, signal), signal);
  };
};

/** Made once per Api and only for `https:`: reading and loading some 250 authorities takes 100 ms. */
const createContext = (caPem: string | null): SecureContext =>
  createSecureContext({ minVersion: 'TLSv1.2', ca: trustedAuthorities(caPem) });

const tcp = (to: URL): Socket => {
  const options = { host: bareHost(to), port: portOf(to), noDelay: true, keepAlive: true, highWaterMark };
  return connectTcp(options);
};

/** Resolves with the socket once it is connected; destroys it when the signal comes first. */
const ready = (socket: Socket, event: string, to: URL, signal: AbortSignal): Promise<Socket> => {
  // Never removed: between two owners it is the only listener, and an error without a listener ends the process.
  socket.on('error', () => {});
  return closedIfAborted(socket, signal, (resolve, reject) => {
    const broke = (error: unknown): void => reject(faultOfConnect(error, to.hostname));
    const closed = (): void => broke(new Error('closed'));
    socket.once(event, () => {
      // From now on the owner reports why the connection ends. An error that no code reads costs time at every end.
      socket.off('error', broke);
      socket.off('close', closed);
      resolve(socket);
    });
    socket.once('error', broke);
    socket.once('close', closed);
  });
};

/** `CONNECT` (RFC 9110 §9.3.6), for `http:` targets too, so that no proxy ever sees the key. */
const tunnel = async (socket: Socket, proxy: Proxy, target: URL, signal: AbortSignal): Promise<Socket> => {
  // Importing it makes Node load its own fetch and WebSocket as well, a tenth of the command's start time.
  const { request } = await import('node:http');
  return closedIfAborted(socket, signal, (resolve, reject) => {
    const authority = `${target.hostname}:${portOf(target)}`;
    const connecting = request({
      createConnection: () => socket,
      method: 'CONNECT',
      path: authority,
      headers: {
        host: authority,
        ...(proxy.authorization !== null && { 'proxy-authorization': proxy.authorization }),
      },
    });
    connecting.once('error', (error) => reject(faultOfConnect(error, proxy.url.hostname)));
    connecting.once('connect', (response, _socket, rest: Buffer) => {
      const { statusCode: status = 0 } = response;
      if (status < 200 || status > 299) {
        socket.destroy();
        return reject(
          faultOfProxy(status, { host: proxy.url.hostname, sentLogin: proxy.authorization !== null }),
        );
      }
      if (rest.length > 0) socket.unshift(rest);
      resolve(socket);
    });
    connecting.end();
  });
};

const closedIfAborted = async (
  socket: Socket,
  signal: AbortSignal,
  start: (resolve: (socket: Socket) => void, reject: (error: unknown) => void) => void,
): Promise<Socket> => {
  const stop = () => socket.destroy();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await new Promise(start);
  } catch (error) {
    throw signal.aborted ? aborted(signal.reason) : error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
};

/** Without the brackets of an IPv6 address. */
const bareHost = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80));
