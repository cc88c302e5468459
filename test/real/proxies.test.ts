// Uploads through a real nginx. The truth is read from the service behind it.
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { within } from '../support/flow/within.ts';
import { lacks } from './support/parts.ts';
import { startNginx } from './support/nginx.ts';

describe.skipIf(lacks('nginx'))('behind nginx', () => {
  test.for(['on', 'off'])('an upload is stored once, with request buffering %s', async (buffering) => {
    await within({}, async (service, place) => {
      const nginx = await startNginx({
        origin: new URL(service.baseUrl).origin,
        server: `proxy_request_buffering ${buffering};`,
      });
      try {
        await place.put('../given.bin', Buffer.alloc(3_000_000, 'outtray '));
        const ended = await place.json(['upload', path.join(place.root, 'given.bin')], {
          env: { OUTTRAY_BASE_URL: nginx.baseUrl },
        });
        expect(ended.code).toBe(0);
        expect(service.files()).toHaveLength(1);
      } finally {
        await nginx.close();
      }
    });
  });
});
