// Real proxies that repeat a POST which the service has already carried out. The second copy is stored, which no client
// can prevent (resources/docs/design/upload-protocol.md); all else holds. The truth is read from the service.
import { describe, expect, test } from 'vitest';
import type { Fault } from '../service/faults.ts';
import { eventually } from '../support/flow/poll.ts';
import { startWatcher } from '../support/flow/watcher.ts';
import { within } from '../support/flow/within.ts';
import { storedAs, uploads } from '../support/flow/wire.ts';
import { putBehind } from './support/behind.ts';
import { startHaproxy } from './support/haproxy.ts';
import { startNginx } from './support/nginx.ts';
import { lacks } from './support/parts.ts';

/** The first server of the two is always asked first; a failure is not held against it. */
const nginx = (origin: string) => {
  const { host } = new URL(origin);
  return startNginx({
    origin: 'http://two',
    http: `upstream two { server ${host} max_fails=0; server ${host} backup; }`,
    server: 'proxy_next_upstream error timeout http_502 non_idempotent;',
  });
};
const haproxy = (origin: string) =>
  startHaproxy({
    origin,
    directives: ['option http-buffer-request', 'retries 1', 'retry-on all-retryable-errors'],
  });
const proxies = [
  { proxy: 'nginx', start: nginx },
  { proxy: 'haproxy', start: haproxy },
];

/** Of a service that has stored the file. */
const lost: Record<string, Fault> = {
  'answers 502': { kind: 'answer', at: 'done', status: 502, body: 'Bad gateway' },
  'cuts the connection': { kind: 'reset', at: 'done' },
};

const cases = proxies.flatMap((proxy) =>
  Object.entries(lost).flatMap(([happens, fault]) =>
    [1, 2].map((times) => ({ ...proxy, happens, fault, times, often: times === 1 ? 'once' : 'twice' })),
  ),
);

describe.skipIf(lacks('nginx', 'haproxy'))('behind a proxy that repeats a POST', () => {
  test.concurrent.for(cases)(
    '$proxy, and a service that stores the file and $happens $often: it is sent once and has one link, the right one',
    async ({ start, fault, times }) => {
      await within({ settings: { reconcileAfterMs: 30_000 } }, async (service, place) => {
        const proxy = await start(new URL(service.baseUrl).origin);
        putBehind(proxy, service, place);
        try {
          service.faults.add({ match: { method: 'POST', path: '/files/upload' }, times, fault });
          const watcher = await startWatcher(place, service);
          await place.put('repeated.txt', 'repeated');
          const uploaded = await watcher.told('uploaded', 'repeated.txt');
          // The proxy's repetition is there: without it this test tests nothing.
          await eventually('it is stored twice', () => storedAs(service, 'repeated').length === 2);
          const answer = await fetch(String(uploaded['public_link']));
          expect(await answer.text()).toBe('repeated');
          expect(storedAs(service, 'repeated').map(({ link }) => link)).toContain(uploaded['public_link']);
          // Time for the looks that might send it again: the last one comes 31 s after the answer was given up.
          if (times === 2) await new Promise((next) => setTimeout(next, 40_000));
          const told = (event: string) => watcher.running.lines().filter((line) => line.event === event);
          expect(told('uploading')).toHaveLength(1);
          expect(told('uploaded')).toHaveLength(1);
          expect(uploads(service)).toHaveLength(2);
          expect(service.files()).toHaveLength(2);
          expect(await place.counts()).toMatchObject({ uploaded: 1, waiting: 0, held: 0, failed: 0 });
          await watcher.stop();
        } finally {
          await proxy.close();
        }
      });
    },
  );
});
