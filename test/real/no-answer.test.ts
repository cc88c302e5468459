// Real proxies that buffer uploads and answer 502, 503 or 504 for a service that is away, hangs or fails. The truth
// is read from the service.
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/flow/poll.ts';
import { startWatcher } from '../support/flow/watcher.ts';
import { within } from '../support/flow/within.ts';
import { storedAs, uploads } from '../support/flow/wire.ts';
import { putBehind } from './support/behind.ts';
import { startHaproxy } from './support/haproxy.ts';
import { startNginx } from './support/nginx.ts';
import { lacks } from './support/parts.ts';
import { createWay, type Manner } from './support/way.ts';

const nginx = (origin: string) =>
  startNginx({ origin, server: 'proxy_request_buffering on; proxy_read_timeout 2s;' });
const haproxy = (origin: string) =>
  startHaproxy({ origin, directives: ['option http-buffer-request', 'timeout server 2s'] });

/** `manner` null: connections are refused. */
const cases: { name: string; start: typeof nginx | typeof haproxy; manner: Manner | null; status: number }[] =
  [
    { name: 'nginx', start: nginx, manner: null, status: 502 },
    { name: 'nginx', start: nginx, manner: 'silent', status: 504 },
    { name: 'haproxy', start: haproxy, manner: 'cuts', status: 502 },
    { name: 'haproxy', start: haproxy, manner: null, status: 503 },
    { name: 'haproxy', start: haproxy, manner: 'silent', status: 504 },
  ];

describe.skipIf(lacks('nginx', 'haproxy'))('while a proxy answers for the service', () => {
  test.concurrent.for(cases)(
    '$name with $status: one file is uncertain, no other is started, this is reported, and all are stored once',
    async ({ start, manner, status }) => {
      // Checks come after 2, 8 and 62 s instead of 30 s, 2 min and 15.5 min.
      await within({ settings: { reconcileAfterMs: 60_000 } }, async (service, place) => {
        const way = await createWay(new URL(service.baseUrl).origin);
        await way.up();
        const proxy = await start(way.origin);
        putBehind(proxy, service, place);
        try {
          const watcher = await startWatcher(place, service);
          await place.put('before.txt', 'before');
          await watcher.told('uploaded', 'before.txt');
          await way.down();
          if (manner !== null) await way.up(manner);
          await place.put('first.txt', 'content of first.txt');
          const held = await watcher.told('held', 'first.txt');
          expect(held).toMatchObject({ reason: 'uncertain' });
          expect(held['message']).toContain(`it answered ${status}`);
          const waiting = await watcher.running.until('waiting', (lines) =>
            lines.find((line) => line.event === 'waiting' && line['reason'] === 'service'),
          );
          // By that answer, and not by the first check.
          expect(String(waiting['at']) < String(held['until'])).toBe(true);
          const others = Array.from({ length: 5 }, (_, at) => `other ${at}.txt`);
          for (const name of others) await place.put(name, `content of ${name}`);
          const told = (event: string) =>
            watcher.running
              .lines()
              .filter((line) => line.event === event && !line.path?.endsWith('before.txt'));
          await new Promise((next) => setTimeout(next, 10_000));
          expect(told('uploading')).toHaveLength(1);
          expect(told('held')).toHaveLength(1);
          expect(uploads(service)).toHaveLength(1);

          if (manner !== null) await way.down();
          await way.up();
          await eventually('all are stored', () => service.files().length >= 7, 180_000);
          for (const name of ['first.txt', ...others]) {
            await watcher.told('uploaded', name);
            expect(storedAs(service, `content of ${name}`)).toHaveLength(1);
          }
          expect(uploads(service)).toHaveLength(7);
          await watcher.stop();
        } finally {
          await proxy.close();
          await way.down();
        }
      });
    },
  );
});
