// Outtray's own key and the password of its proxy are held in every form and through every door, whatever their shape.
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { beforeEach, describe, expect, test } from 'vitest';
import { lookAgain, withOwnSecrets } from '../../src-main/adapters/inspect/own-secrets.ts';
import type { Inspect } from '../../src-main/engine/ports/files.ts';
import type { FactTable } from '../../src-main/engine/ports/ledger.ts';
import type { Service } from '../service/service.ts';
import { transportTo } from '../support/flow/agent.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import type { Place } from '../support/flow/place.ts';

/** No rule knows these as secrets: a plain word is one. */
const key = 'meadow-lantern%42';
const password = 'orchard+bicycle';

let service: Service;
let place: Place;
beforeEach(async () => {
  service = await ownService({ key });
  place = await ownPlace(service, { rate: 10 });
  place.env['HTTPS_PROXY'] = `http://user:${encodeURIComponent(password)}@127.0.0.1:9`;
});

const forms: Record<string, (secret: string) => string | Uint8Array> = {
  'as it is': (secret) => secret,
  'in a sentence': (secret) => `The word of today is ${secret}, says the sea.`,
  'in JSON': (secret) => JSON.stringify({ word: `${secret}"` }),
  'URL-encoded': (secret) => `https://example.com/?q=${encodeURIComponent(secret)}`,
  'in hex': (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
  'in base64, behind other bytes': (secret) => Buffer.from(`ab${secret}`).toString('base64'),
  'in UTF-16': (secret) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(`a\n${secret}`, 'utf16le')]),
  'behind half a megabyte': (secret) => `${'sea and sand\n'.repeat(40_000)}${secret}`,
};

describe.each([
  ['the key', key],
  ['the password of the proxy', password],
])('%s', (_what, secret) => {
  test('is held in every form', async () => {
    const files = await Promise.all(
      Object.values(forms).map((write, at) => place.put(`${at}.txt`, write(secret))),
    );
    const { lines } = await place.json(['upload', ...files]);
    const held = lines.filter(({ event }) => event === 'held');
    expect(held.map((line) => [line['path'], line['rule']]).toSorted()).toEqual(
      files.map((file) => [file, 'own-secret']).toSorted(),
    );
    expect(service.files()).toEqual([]);
  });
});

const giveToAgent = async (file: string): Promise<void> => {
  await place.run(['settings', 'set', 'agentRoots', place.folder]);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transportTo(place, () => undefined));
  await client.callTool({ name: 'upload_files', arguments: { files: [{ path: file }] } });
  await client.close();
};

describe.each<[string, (file: string) => Promise<unknown>]>([
  ['a path', (file) => place.run(['upload', file])],
  ['a folder', (file) => place.run(['upload', '--recursive', path.dirname(file)])],
  ['a watched folder', (file) => place.run(['watch', path.dirname(file), '--once', '--existing', 'upload'])],
  ['a zip', (file) => place.run(['upload', '--zip', '--name', 'all.zip', file])],
  ['standard input', () => place.run(['upload', '-', '--name', 'a.txt'], { stdin: `word: ${key}\n` })],
  ['an agent', (file) => giveToAgent(file)],
  ['a detached upload', (file) => place.run(['upload', '--detach', file], { process: true })],
])('through %s', (_door, open) => {
  test('nothing of it becomes public, and another text does', async () => {
    await open(await place.put('deep/a.txt', `word: ${key}\n`));
    await expect.poll(async () => (await place.json(['held'])).lines.length, { timeout: 20_000 }).toBe(1);
    expect(service.files()).toEqual([]);
    await place.put('deep/a.txt', 'word: other\n');
    expect(await place.run(['upload', await place.put('b.txt', 'word: other\n')])).toMatchObject({ code: 0 });
  });
});

test('a key from the keychain or a command is known as well, and plan says so', async () => {
  const commanded = await ownPlace(service, {
    key: null,
    settings: { keyCommand: `printf ${key.replace('%', '%%')}` },
  });
  const file = await commanded.put('a.txt', `${key}\n`);
  expect((await commanded.run(['plan', file])).stdout).toMatch(/held|secret/i);
  expect((await commanded.run(['upload', file])).code).toBe(8);
  expect(service.files()).toEqual([]);
});

test('what was searched while the key was not known is searched again once it is', async () => {
  const kept = new Map<string, unknown>();
  const facts = {
    get: (name: string) => (kept.has(name) ? { value: kept.get(name), atMs: 0 } : null),
    set: (name: string, value: unknown) => void kept.set(name, value),
    remove: (name: string) => void kept.delete(name),
  } as unknown as FactTable;
  const clock = { wallMs: () => 0 };
  const known: string[] = [];
  const own = {
    find: (text: string) => text.indexOf(known[0] ?? key),
    learn: async () => known.length > 0,
    facts,
    clock,
  };
  const content = { kind: 'text' as const, bytes: Buffer.from('nothing in it') };
  const look = (isEngine: boolean) =>
    withOwnSecrets({ findIn: async () => [] } as unknown as Inspect, { ...own, isEngine }).findIn(content);

  const learned = (mark: string, isEngine = true) => lookAgain({ ...own, isEngine }, mark);

  expect(learned('first')).toBe(true);
  expect(learned('first')).toBe(false);
  await look(false);
  expect(learned('first')).toBe(false);
  await look(true);
  known.push(key);
  expect(learned('first')).toBe(true);
  expect(kept).toEqual(
    new Map<string, unknown>([
      ['looked-with', ['first']],
      ['looks-inside', ''],
    ]),
  );
  await look(true);
  expect(learned('first')).toBe(false);
  // The engine does not know yet what a guest has learned.
  const byGuest = [learned('second', false), learned('second', false)];
  expect(byGuest).toEqual([true, false]);
  expect([learned('second'), learned('second'), learned('second', false)]).toEqual([true, false, false]);
});

test('a new key in a file that waits for it is held', async () => {
  place.env['OUTTRAY_API_KEY'] = 'revoked-key';
  await place.put('new.txt', `word: ${key}\n`);
  expect((await place.run(['watch', place.folder, '--once', '--existing', 'upload'])).code).toBe(3);
  place.env['OUTTRAY_API_KEY'] = key;
  await place.run(['watch', place.folder, '--once']);
  expect((await place.json(['held'])).lines).toMatchObject([{ rule: 'own-secret' }]);
  expect(service.files()).toEqual([]);
});
