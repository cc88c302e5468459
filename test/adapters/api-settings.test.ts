// The service follows the settings: new requests take what is set now, running ones go on to their end.
import { expect, test } from 'vitest';
import { createApiService } from '../../src-main/adapters/api/service.ts';
import { parseSecret, type Secret } from '../../src-main/adapters/secret.ts';
import { defaultSettings, type Settings } from '../../src-main/contract/settings.ts';
import type { SettingsPort } from '../../src-main/engine/ports/ports.ts';
import { closeAfter, faultOf, json, never, receipt, serve, testKey, uploadOf } from './api-wire.ts';

const serviceAt = (
  baseUrl: string,
  refused: (key: { secret: Secret }) => void = () => undefined,
  keyNow: () => string = () => testKey,
) => {
  const now: Settings = { ...defaultSettings(), baseUrl, proxy: 'none' };
  const service = createApiService({
    settings: { current: () => now } as unknown as SettingsPort,
    texts: { read: () => Promise.resolve({ kind: 'missing' as const }) },
    keys: {
      current: () =>
        Promise.resolve({ origin: new URL(now.baseUrl ?? baseUrl).origin, secret: parseSecret(keyNow()) }),
      markOf: ({ secret }) => secret.reveal(),
      refused,
    },
    userAgent: 'test',
  });
  closeAfter(service);
  return { service, now };
};

/** The first request is answered when the test says so, the others at once. */
const slowFirst = async () => {
  const answer = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const { wire } = await serve(async (peer, index) => {
    await peer.request();
    if (index === 0) {
      arrived.resolve();
      await answer.promise;
    }
    peer.send(json(200, receipt));
  });
  return {
    ...serviceAt(`http://127.0.0.1:${wire.port}/api/v1`),
    answer: answer.resolve,
    arrived: arrived.promise,
  };
};

test.each([
  { change: { linkHosts: ['files.example'] } },
  { change: { proxy: 'system' } },
  { change: { caFile: '/etc/other.pem' } },
  { change: { baseUrl: 'http://127.0.0.1:1/api/v1' } },
])('an upload that runs goes on to its answer when the settings become $change', async ({ change }) => {
  const { service, now, answer, arrived } = await slowFirst();
  const upload = service.upload(uploadOf(Buffer.from('abc')));
  await arrived;
  Object.assign(now, change);
  // Another request takes the new settings; it may fail with them.
  await service.upload(uploadOf(Buffer.from('abc'))).catch(() => undefined);
  answer();
  expect(await upload).toEqual(stored);
});

const stored = { file_id: 7, public_link: 'http://127.0.0.1/download/x', size: 3, filename: 'a' };

test('a request leaves with the key that it demands, although another key is in use at once', async () => {
  const sent: string[] = [];
  const { wire } = await serve(async (peer) => {
    sent.push((await peer.request()).head);
    peer.send(json(200, { success: true, message: '' }));
  });
  const keys = ['key-of-one-account', 'key-of-the-other'];
  const { service } = serviceAt(`http://127.0.0.1:${wire.port}/api/v1`, undefined, () => keys.shift() ?? '');
  const removed = service.remove(7, never, 'key-of-one-account');
  const other = faultOf(service.stats(never));
  await removed;
  await other;
  expect(sent.find((head) => head.startsWith('DELETE'))).toContain('Bearer key-of-one-account');
});

test('closing ends requests of earlier settings, too', async () => {
  const { service, now, arrived } = await slowFirst();
  const upload = faultOf(service.upload(uploadOf(Buffer.from('abc'))));
  await arrived;
  now.linkHosts = ['files.example'];
  await service.upload(uploadOf(Buffer.from('abc')));
  await service.close();
  expect((await upload).code).toBe('aborted');
  expect((await faultOf(service.stats(never))).code).toBe('aborted');
});

test.each(['upload', 'list', 'info', 'remove', 'stats'] as const)(
  'a key that the service refuses is told: %s',
  async (name) => {
    const refused: string[] = [];
    const answers = [200, 500, 401];
    const { wire } = await serve(async (peer, index) => {
      await peer.request();
      peer.send(json(answers[index] ?? 200, receipt));
    });
    const { service } = serviceAt(`http://127.0.0.1:${wire.port}/api/v1`, ({ secret }) =>
      refused.push(secret.reveal()),
    );
    const ask = {
      upload: () => service.upload(uploadOf(Buffer.from('abc'))),
      list: () => service.list({ page: 1, limit: 1 }, never),
      info: () => service.info(7, never),
      remove: () => service.remove(7, never),
      stats: () => service.stats(never),
    };
    for (const _ of answers) {
      expect(refused).toEqual([]);
      await ask[name]().catch(() => undefined);
    }
    expect(refused).toEqual([testKey]);
  },
);
