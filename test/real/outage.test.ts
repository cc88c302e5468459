// The service goes away behind a real nginx that buffers uploads. The truth is read from the service.
import { performance } from 'node:perf_hooks';
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/flow/poll.ts';
import { startWatcher } from '../support/flow/watcher.ts';
import { within } from '../support/flow/within.ts';
import { storedAs } from '../support/flow/wire.ts';
import { startNginx } from './support/nginx.ts';
import { lacks } from './support/parts.ts';
import { createWay } from './support/way.ts';

describe.skipIf(lacks('nginx'))('a service that is away for a minute behind nginx', () => {
  test(
    'at most six uploads are started, it is reported within three seconds, and all 40 are stored once within two minutes after it',
    { timeout: 300_000 },
    async () => {
      await within({}, async (service, place) => {
        const way = await createWay(new URL(service.baseUrl).origin);
        await way.up();
        const nginx = await startNginx({ origin: way.origin, server: 'proxy_request_buffering on;' });
        place.env['OUTTRAY_BASE_URL'] = nginx.baseUrl;
        try {
          const watcher = await startWatcher(place, service);
          await place.put('before.txt', 'before the outage');
          await watcher.told('uploaded', 'before.txt');
          await way.down();
          const names = Array.from({ length: 40 }, (_, at) => `file ${at}.txt`);
          for (const name of names) await place.put(name, `content of ${name}`);
          const begun = (): number =>
            watcher.running.lines().filter((line) => line.event === 'uploading').length - 1;
          await watcher.running.until(
            'an upload begins',
            (lines) => lines.filter((line) => line.event === 'uploading')[1],
          );
          const begunAtMs = performance.now();
          const waiting = await watcher.running.until('waiting', (lines) =>
            lines.find((line) => line.event === 'waiting' && line['reason'] === 'service'),
          );
          expect(performance.now() - begunAtMs).toBeLessThan(3000);
          expect(typeof waiting['until']).toBe('string');
          await new Promise((next) => setTimeout(next, 60_000));
          expect(begun()).toBeLessThanOrEqual(6);
          await way.up();
          const backAtMs = performance.now();
          await eventually('all are stored', () => service.files().length === 41, 150_000);
          expect(performance.now() - backAtMs).toBeLessThan(120_000);
          for (const name of names) expect(storedAs(service, `content of ${name}`)).toHaveLength(1);
          await watcher.stop();
        } finally {
          await nginx.close();
          await way.down();
        }
      });
    },
  );
});
