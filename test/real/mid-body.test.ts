// A service that fails during a body behind real proxies that pass it on at once. The truth is read from the service.
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/flow/poll.ts';
import { startWatcher } from '../support/flow/watcher.ts';
import { within } from '../support/flow/within.ts';
import { storedAs, uploads } from '../support/flow/wire.ts';
import { putBehind } from './support/behind.ts';
import { startHaproxy } from './support/haproxy.ts';
import { startNginx } from './support/nginx.ts';
import { lacks } from './support/parts.ts';
import { createWay } from './support/way.ts';

const proxies = [
  {
    name: 'nginx',
    start: (origin: string) => startNginx({ origin, server: 'proxy_request_buffering off;' }),
  },
  { name: 'haproxy', start: (origin: string) => startHaproxy({ origin }) },
];

describe.skipIf(lacks('nginx', 'haproxy'))('without request buffering', () => {
  test.concurrent.for(proxies)(
    'behind $name a file whose service disappears during its body is uploaded again within a minute, once',
    async ({ start }) => {
      await within({ settings: { bandwidthBytesPerSecond: 400_000 } }, async (service, place) => {
        const way = await createWay(new URL(service.baseUrl).origin);
        await way.up();
        const proxy = await start(way.origin);
        putBehind(proxy, service, place);
        try {
          const watcher = await startWatcher(place, service);
          const content = Buffer.alloc(2_000_000, 'broken off ');
          await place.put('broken.bin', content);
          await eventually('a part of it is there', () => (uploads(service)[0]?.bytes ?? 0) > 200_000);
          await way.down();
          const waiting = await watcher.running.until('waiting', (lines) =>
            lines.find((line) => line.event === 'waiting'),
          );
          expect(['network', 'service']).toContain(waiting['reason']);
          await new Promise((next) => setTimeout(next, 5000));
          expect(service.files()).toHaveLength(0);
          await way.up();
          const backAtMs = performance.now();
          await watcher.told('uploaded', 'broken.bin');
          expect(performance.now() - backAtMs).toBeLessThan(60_000);
          expect(watcher.running.lines().filter((line) => line.event === 'held')).toEqual([]);
          expect(service.files()).toHaveLength(1);
          expect(storedAs(service, content)).toHaveLength(1);
          await watcher.stop();
        } finally {
          await proxy.close();
          await way.down();
        }
      });
    },
  );
});
