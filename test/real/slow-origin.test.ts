// An origin behind a real nginx that takes long to store a received file. The truth is read from the service.
import { describe, expect, test } from 'vitest';
import type { Service } from '../service/service.ts';
import type { Line } from '../support/flow/command.ts';
import type { Place } from '../support/flow/place.ts';
import { eventually } from '../support/flow/poll.ts';
import { startWatcher } from '../support/flow/watcher.ts';
import { within } from '../support/flow/within.ts';
import { storedAs, uploads } from '../support/flow/wire.ts';
import { putBehind } from './support/behind.ts';
import { lacks } from './support/parts.ts';
import { startNginx } from './support/nginx.ts';

const behindNginx = (
  slow: { storesAfterMs: number; readTimeout: string },
  act: (service: Service, place: Place) => Promise<void>,
): Promise<void> =>
  within({}, async (service, place) => {
    const nginx = await startNginx({
      origin: new URL(service.baseUrl).origin,
      server: `proxy_request_buffering on; proxy_read_timeout ${slow.readTimeout};`,
    });
    putBehind(nginx, service, place);
    service.faults.add({
      match: { method: 'POST' },
      times: null,
      fault: { kind: 'delay', at: 'read', ms: slow.storesAfterMs },
    });
    try {
      await act(service, place);
    } finally {
      await nginx.close();
    }
  });

/** Started once, sent once, stored once, and shown with its link. */
const isOnce = (service: Service, lines: readonly Line[], content: Uint8Array): void => {
  const told = (event: string) => lines.filter((line) => line.event === event);
  expect(told('uploading')).toHaveLength(1);
  expect(uploads(service)).toHaveLength(1);
  expect(service.files()).toHaveLength(1);
  expect(storedAs(service, content)).toHaveLength(1);
  expect(told('uploaded')).toMatchObject([{ public_link: service.files()[0]?.link }]);
};

describe.skipIf(lacks('nginx'))('an origin behind nginx that stores slowly', () => {
  test.concurrent('60 MB are stored three minutes after the last byte: sent once, stored once', async () => {
    await behindNginx({ storesAfterMs: 180_000, readTimeout: '600s' }, async (service, place) => {
      const content = Buffer.alloc(60_000_000, 'slowly stored ');
      const ended = await place.json(['upload', await place.put('../given.bin', content)]);
      expect(ended.code).toBe(0);
      isOnce(service, ended.lines, content);
    });
  });

  test.concurrent(
    'nginx answers 504 after 5 s and the origin stores at 15 s: the file is found and never sent again',
    async () => {
      await behindNginx({ storesAfterMs: 15_000, readTimeout: '5s' }, async (service, place) => {
        const watcher = await startWatcher(place, service);
        const content = Buffer.alloc(3_000_000, 'stored late ');
        await place.put('late.bin', content);
        await watcher.told('held', 'late.bin');
        expect(service.files()).toHaveLength(0);
        await eventually(
          'it is found',
          () => watcher.running.lines().some((line) => line.event === 'uploaded'),
          120_000,
        );
        isOnce(service, watcher.running.lines(), content);
        await watcher.stop();
      });
    },
  );
});
