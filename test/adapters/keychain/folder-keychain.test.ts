// Which entry of the keychain a data folder reads, writes and removes. Other addresses, and data folders that share one
// keychain, stay apart.
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFolderKeychain } from '../../../src-main/adapters/keychain/folder-keychain.ts';
import type { Keychain } from '../../../src-main/adapters/keychain/keychain.ts';
import { parseSecret, type Secret } from '../../../src-main/adapters/secret.ts';
import { openMemoryLedger } from '../../support/memory-ledger.ts';

const address = 'https://files.example/api/v1';

const memoryKeychain = (entries: Map<string, Secret>): Keychain => ({
  get: async (name) => {
    const secret = entries.get(name);
    return secret === undefined ? { kind: 'absent' } : { kind: 'present', secret };
  },
  set: async (name, secret) => void entries.set(name, secret),
  remove: async (name) => entries.delete(name),
});

const begin = async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'outtray-keychain-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const entries = new Map<string, Secret>();
  /** A data folder as its next start sees it. `isUnproved`: its ledger is of an older version. */
  const open = async (
    name: string,
    { isDefault = false, isUnproved = false, facts = openMemoryLedger(() => 0).facts } = {},
  ) => {
    const folder = path.join(root, name);
    await mkdir(folder, { recursive: true });
    const home = { folder, folderId: path.join(folder, 'folder.json'), isDefault };
    return createFolderKeychain(memoryKeychain(entries), home, {
      accounts: { isUnproved: () => isUnproved },
      facts,
      nowMs: () => 0,
    });
  };
  const keyIn = async (name: string, given: Parameters<typeof open>[1] = {}, at = address) => {
    const found = await (await open(name, given)).get(at);
    return found.kind === 'present' ? found.secret.reveal() : found.kind;
  };
  return { root, entries, open, keyIn };
};

test('two data folders at one address each keep their key, also when one of them logs out', async () => {
  const { open, keyIn } = await begin();
  await (await open('work')).set(address, parseSecret('key-of-work'));
  await (await open('own', { isDefault: true })).set(address, parseSecret('key-of-own'));
  expect([await keyIn('work'), await keyIn('own', { isDefault: true })]).toEqual([
    'key-of-work',
    'key-of-own',
  ]);
  expect(await keyIn('work', {}, 'https://other.example/api/v1')).toBe('absent');
  await (await open('own', { isDefault: true })).remove(address);
  expect([await keyIn('work'), await keyIn('own', { isDefault: true })]).toEqual(['key-of-work', 'absent']);
});

test.each([
  ['the default data folder', { isDefault: true }, 'key-of-before', 'absent'],
  // Others may still need the entry: it stays, and this one takes it no more.
  [
    'one with files of an account that no key was shown for',
    { isUnproved: true },
    'key-of-before',
    'present',
  ],
  ['one without such files', {}, 'absent', 'present'],
])('the key of an older version is taken over, or not, by %s', async (_who, given, read, left) => {
  const { entries, open, keyIn } = await begin();
  entries.set(new URL(address).origin, parseSecret('key-of-before'));
  const { facts } = openMemoryLedger(() => 0);
  expect(await keyIn('home', { ...given, facts })).toBe(read);
  await (await open('home', { ...given, facts })).remove(address);
  expect(await keyIn('home', { ...given, facts })).toBe('absent');
  expect(entries.has(new URL(address).origin) ? 'present' : 'absent').toBe(left);
});

test('a data folder that cannot keep an id neither reads, replaces nor removes the key of another one', async () => {
  const { root, entries, open, keyIn } = await begin();
  const { origin } = new URL(address);
  entries.set(origin, parseSecret('key-of-another'));
  await mkdir(path.join(root, 'full/folder.json'), { recursive: true });
  expect(await keyIn('full')).toBe('absent');
  await expect((await open('full')).set(address, parseSecret('key-of-full'))).rejects.toMatchObject({
    code: 'keychain-unavailable',
  });
  await (await open('full')).remove(address);
  expect([...entries].map(([name, secret]) => [name, secret.reveal()])).toEqual([[origin, 'key-of-another']]);
});

test('a data folder that was moved keeps its key, a copy has none', async () => {
  const { root, open, keyIn } = await begin();
  await (await open('first')).set(address, parseSecret('key-of-first'));
  await rename(path.join(root, 'first'), path.join(root, 'moved'));
  expect(await keyIn('moved')).toBe('key-of-first');
  await cp(path.join(root, 'moved'), path.join(root, 'copy'), { recursive: true, preserveTimestamps: true });
  expect([await keyIn('copy'), await keyIn('moved')]).toEqual(['absent', 'key-of-first']);
});
