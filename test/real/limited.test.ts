// nginx refuses requests that come too fast. The truth is read from the service.
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/flow/poll.ts';
import { startWatcher } from '../support/flow/watcher.ts';
import { within } from '../support/flow/within.ts';
import { storedAs, uploads } from '../support/flow/wire.ts';
import { putBehind } from './support/behind.ts';
import { startNginx } from './support/nginx.ts';
import { lacks } from './support/parts.ts';

describe.skipIf(lacks('nginx'))('an nginx with limit_req', () => {
  test.concurrent.for([503, 429])(
    'that answers %i slows Outtray down, and all of ten files are stored once',
    async (status) => {
      // One that is refused after its tail, on a busy machine, is looked for: after 1, 4 and 31 s.
      await within({ settings: { reconcileAfterMs: 30_000 } }, async (service, place) => {
        const nginx = await startNginx({
          origin: new URL(service.baseUrl).origin,
          http: 'limit_req_zone $binary_remote_addr zone=all:1m rate=1r/s;',
          server: `limit_req zone=all burst=4 nodelay; limit_req_status ${status};`,
        });
        putBehind(nginx, service, place);
        try {
          const watcher = await startWatcher(place, service);
          await place.put('before.txt', 'before');
          await watcher.told('uploaded', 'before.txt');
          const names = Array.from({ length: 10 }, (_, at) => `file ${at}.txt`);
          for (const name of names) await place.put(name, `content of ${name}`);
          await eventually('all are stored', () => service.files().length >= 11, 200_000);
          for (const name of names) {
            await watcher.told('uploaded', name);
            expect(storedAs(service, `content of ${name}`)).toHaveLength(1);
          }
          expect(uploads(service)).toHaveLength(11);
          const lines = watcher.running.lines();
          expect(lines.filter((line) => line.event === 'waiting').map((line) => line['reason'])).toContain(
            'rate',
          );
          const refused = (await nginx.errors()).split('limiting requests').length - 1;
          expect(refused).toBeGreaterThan(0);
          expect(refused).toBeLessThanOrEqual(10);
          await watcher.stop();
        } finally {
          await nginx.close();
        }
      });
    },
  );
});
