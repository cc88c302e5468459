// The key that a process keeps in memory: when it is read again.
import { expect, onTestFinished, test, vi } from 'vitest';
import type { FolderKeychain } from '../../../src-main/adapters/keychain/folder-keychain.ts';
import { createKeys, type KeyRing } from '../../../src-main/adapters/keychain/keys.ts';
import { parseSecret } from '../../../src-main/adapters/secret.ts';
import { AppError, type ErrorCode } from '../../../src-main/contract/errors.ts';
import { defaultSettings } from '../../../src-main/contract/settings.ts';

type Keys = Pick<KeyRing, 'remove' | 'store'>;

const begin = (own: Partial<FolderKeychain> = {}, world = { stored: 'first-key', changes: 0, reads: 0 }) => {
  const keychain: FolderKeychain = {
    id: () => 'x',
    async get() {
      world.reads += 1;
      return { kind: 'present', secret: parseSecret(world.stored) };
    },
    set: async (_url, secret) => void (world.stored = secret.reveal()),
    remove: async () => undefined,
    ...own,
  };
  const keys = createKeys({
    keychain,
    apiKey: '',
    env: {},
    settings: {
      current: () => ({ ...defaultSettings(), baseUrl: 'https://a.example/api' }),
      layers: () => ({}),
    },
    origins: {
      get: () => ({}),
      set: () => undefined,
      salt: () => '',
      changes: () => world.changes,
      changed: () => void (world.changes += 1),
    },
    hide: () => undefined,
    apiWith: () => {
      throw new Error('no request');
    },
  });
  const now = async () => (await keys.current()).secret.reveal();
  return { world, keys, now };
};

test('it is read again when its entry was changed, also by another process, and not at other news', async () => {
  const { world, keys, now } = begin();
  expect(await now()).toBe('first-key');
  for (let news = 0; news < 3; news += 1) keys.lookAgain();
  expect([await now(), world.reads]).toEqual(['first-key', 1]);
  world.stored = 'second-key';
  world.changes += 1;
  keys.lookAgain();
  expect([await now(), world.reads]).toEqual(['second-key', 2]);
  await keys.store('third-key', 'https://a.example/api');
  expect(world.changes).toBe(2);
  keys.lookAgain();
  expect(await now()).toBe('third-key');
});

test('a key that is refused is read again once, and the same one again after an hour', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { world, keys, now } = begin();
  await now();
  const before = await keys.current();
  for (let refusals = 0; refusals < 4; refusals += 1) {
    keys.refused(before);
    expect(await now()).toBe('first-key');
  }
  expect(world.reads).toBe(2);
  vi.advanceTimersByTime(3_600_000);
  world.stored = 'second-key';
  keys.refused(before);
  expect([await now(), world.reads]).toEqual(['second-key', 3]);
  // Requests that left with the earlier key.
  keys.refused(before);
  expect([await now(), world.reads]).toEqual(['second-key', 3]);
  world.stored = 'third-key';
  keys.refused(await keys.current());
  expect(await now()).toBe('third-key');
});

test('a key that is refused is read again when a person tries again', async () => {
  const { world, keys, now } = begin();
  keys.askAgain(false);
  await now();
  keys.refused(await keys.current());
  await now();
  keys.refused(await keys.current());
  world.stored = 'second-key';
  expect([await now(), world.reads]).toEqual(['first-key', 2]);
  keys.askAgain(false);
  expect([await now(), world.reads]).toEqual(['second-key', 3]);
  keys.askAgain(false);
  expect([await now(), world.reads]).toEqual(['second-key', 3]);
});

test('a key that is refused is read again when a person tries again in another process', async () => {
  const { world, keys, now } = begin();
  const person = begin({}, world).keys;
  for (let refusals = 0; refusals < 2; refusals += 1) {
    await now();
    keys.refused(await keys.current());
  }
  world.stored = 'second-key';
  person.askAgain(false);
  keys.lookAgain();
  expect(await now()).toBe('first-key');
  person.askAgain(true);
  keys.lookAgain();
  expect(await now()).toBe('second-key');
});

test('that it could not be read is tried again with the next news', async () => {
  const { world, keys } = begin();
  const { stored } = world;
  world.stored = '';
  expect(await keys.learn()).toBe(false);
  world.stored = stored;
  expect(await keys.learn()).toBe(false);
  keys.lookAgain();
  expect(await keys.learn()).toBe(true);
});

test.each([
  ['removed', ({ remove }: Keys) => remove()],
  ['replaced', ({ store }: Keys) => store('second-key', 'https://a.example/api')],
])('what a request reads while the key is being %s is not kept', async (_, act) => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const { world, keys, now } = begin({ set: () => answered, remove: () => answered });
  const changing = act(keys);
  expect(await now()).toBe('first-key');
  world.stored = 'second-key';
  answer();
  await changing;
  expect(await now()).toBe('second-key');
});

test('a key for this session is removed where there is no keychain; a locked one may hold another', async () => {
  const failing = (code: ErrorCode) => () => Promise.reject(new AppError(code, 'No answer.', ''));
  const none = failing('keychain-unavailable');
  const get = () => Promise.resolve({ kind: 'unavailable', message: '', remedy: '' } as const);
  const { keys } = begin({ get, set: none, remove: none });
  expect(await keys.store('first-key', 'https://a.example/api')).toMatchObject({ kind: 'session' });
  expect(await keys.remove()).toMatchObject({ kind: 'unavailable' });
  await expect(keys.remove()).rejects.toMatchObject({ code: 'keychain-unavailable' });
  const locked = begin({ set: none, remove: failing('keychain-locked') });
  await locked.keys.store('first-key', 'https://a.example/api');
  await expect(locked.keys.remove()).rejects.toMatchObject({ code: 'keychain-locked' });
});
