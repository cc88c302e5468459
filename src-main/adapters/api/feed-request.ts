// Requests to the feed of updates, over the same kind of connection as those to the service: through the proxy of the
// settings or the system's, and with the authorities that Outtray trusts. Electron's own network knows neither setting.
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { SettingsPort } from '../../engine/ports/ports.ts';
import type { Dial } from './connect.ts';
import { proxyFromEnvironment, type ResolveProxy } from './proxy.ts';
import { readCa, type CaTexts } from './service.ts';

/** Name look-up, proxy and TLS together. */
const connectMs = 30_000;

export type FeedRequestOptions = {
  protocol?: string | null;
  hostname?: string | null;
  port?: number | string | null;
  method?: string;
  path?: string | null;
  headers?: OutgoingHttpHeaders;
};

/** The caller ends the request. Every failure is its `error`; redirects are not followed. */
export type ProxiedRequest = (
  options: FeedRequestOptions,
  hear: (response: IncomingMessage) => void,
) => ClientRequest;

export const createFeedRequest = (given: {
  settings: SettingsPort;
  texts: CaTexts;
  resolveProxy?: ResolveProxy;
}): ProxiedRequest => {
  let made: { for: string; dial: Dial } | null = null;

  const dialNow = async (): Promise<Dial> => {
    const { proxy: setting, caFile } = given.settings.current();
    const wanted = JSON.stringify([setting, caFile]);
    if (made?.for !== wanted) {
      // This loads TLS, which a command without a request does not need.
      const { createDial } = await import('./connect.ts');
      const resolve = given.resolveProxy ?? proxyFromEnvironment(process.env);
      const dial = createDial({
        proxy: { setting, resolve },
        caPem: () => readCa(caFile, given.texts),
      });
      made = { for: wanted, dial };
      return dial;
    }
    return made.dial;
  };

  // Async, so that an exception of `dialNow` is a rejection, too.
  const connect = async (target: URL): Promise<Socket> =>
    await (
      await dialNow()
    )(target, AbortSignal.timeout(connectMs));

  return ({ protocol, hostname, port, method, path, headers }, hear) => {
    const target = new URL(`${protocol ?? 'https:'}//${hostname ?? ''}${port ? `:${port}` : ''}`);
    // An import would also load Node's fetch, for every command: a tenth of what a small upload costs.
    return process.getBuiltinModule('node:http').request(
      {
        method: method ?? 'GET',
        path: path ?? '/',
        headers: { ...headers, host: target.host },
        // TLS, where there is one, is part of the connection.
        createConnection(_options, connected) {
          connect(target).then(
            (socket) => connected(null, socket),
            (error: unknown) => connected(error as Error, undefined as never),
          );
          return undefined;
        },
      },
      hear,
    );
  };
};
