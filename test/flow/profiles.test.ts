// Two profiles at one service: each has its own key, settings and records, and both run at the same time.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { beforeAll, expect, test } from 'vitest';
import { isDeep } from '../support/deep.ts';
import { transportTo } from '../support/flow/agent.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';

const names = ['work', 'own'] as const;
const free = { requestsPerMinute: null, requestsPerDay: null, dailyUploads: null };
const service = await ownService({
  accounts: names.map((name) => ({ name, key: `key-of-${name}`, ...free })),
});
const place = await ownPlace(null, { rate: 20 });
beforeAll(async () => {
  for (const name of names) {
    await mkdir(path.join(place.folder, name));
    for (const setting of [
      ['baseUrl', service.baseUrl],
      ['keyCommand', `printf key-of-${name}`],
      ['requestsPerMinute', '100000'],
    ])
      expect((await place.run(['--profile', name, 'settings', 'set', ...setting])).code).toBe(0);
  }
});

const filesOf = (name: string): string[] =>
  service
    .files()
    .flatMap(({ account, filename }) => (account === name ? [filename] : []))
    .toSorted();

test('files go to the account of their profile, by hand and from folders that both watch at once', async () => {
  const both = await place.put('../both.txt', 'the same in both');
  for (const name of names) expect((await place.run(['--profile', name, 'upload', both])).code).toBe(0);
  const watching = names.map((name) =>
    place.start(['--json', '--profile', name, 'watch', path.join(place.folder, name)]),
  );
  for (const one of watching) await one.until('idle', (lines) => lines.find(({ event }) => event === 'idle'));
  const count = isDeep ? 100 : 5;
  for (let at = 0; at < count; at += 1)
    for (const name of names) await place.put(`${name}/${name} ${at}.txt`, `${name} ${at}`);
  for (const one of watching)
    await one.until('all', (lines) =>
      lines.filter(({ event }) => event === 'uploaded').length >= count ? lines : undefined,
    );
  expect((await place.json(['profiles'])).lines).toEqual(
    names.toSorted().map((profile) => ({
      profile,
      folder: path.join(place.home, 'profiles', profile),
      baseUrl: service.baseUrl,
      running: true,
    })),
  );
  for (const one of watching) await one.stop();
  for (const name of names)
    expect(filesOf(name)).toEqual(
      ['both.txt', ...Array.from({ length: count }, (_, at) => `${name} ${at}.txt`)].toSorted(),
    );
});

test.each([
  ['the environment', [], { OUTTRAY_BASE_URL: 'https://other.example/api/v1' }],
  ['the command line', ['--base-url', 'https://other.example/api/v1'], {}],
])('an address from %s is listed with the profile in use only', async (_what, words, env) => {
  const addresses = async (...more: string[]) => {
    const { lines } = await place.json([...words, ...more, 'profiles'], { env });
    return lines.map((line) => [line['profile'], line['baseUrl']]);
  };
  const own = ['own', service.baseUrl];
  expect(await addresses()).toEqual([own, ['work', service.baseUrl]]);
  expect(await addresses('--profile', 'work')).toEqual([own, ['work', 'https://other.example/api/v1']]);
});

test('the entries in file managers belong to the default profile', async () => {
  for (const more of [[], ['--list'], ['--remove']])
    expect(await place.run(['--profile', names[0], 'integrate', ...more])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the account of the default profile') as unknown,
    });
});

test('what is recalled or removed in one stays in the other', async () => {
  const both = path.join(place.root, 'both.txt');
  expect((await place.run(['--profile', 'work', 'recall', '--yes', both])).code).toBe(0);
  expect([filesOf('work').includes('both.txt'), filesOf('own').includes('both.txt')]).toEqual([false, true]);
  expect((await place.run(['--profile', 'work', 'settings', 'unset', 'keyCommand'])).code).toBe(0);
  const codes = names.map(async (name) => (await place.run(['--profile', name, 'stats'])).code);
  expect(await Promise.all(codes)).toEqual([3, 0]);
});

test('no profile publishes the records of another', async () => {
  const before = service.files().length;
  for (const given of [
    place.home,
    path.join(place.home, 'profiles', 'work'),
    path.join(place.home, 'profiles', 'own'),
  ])
    await place.run(['--profile', 'own', 'upload', '-r', given]);
  expect(
    (await place.run(['--profile', 'own', 'watch', '--once', path.join(place.home, 'profiles')])).code,
  ).not.toBe(0);
  expect(service.files()).toHaveLength(before);
});

test.each([
  [['--profile', '..', 'status'], 'name of a profile'],
  [['--profile', 'a/b', 'status'], 'name of a profile'],
  [['--profile', '', 'status'], 'name of a profile'],
  [['--profile=CON', 'status'], 'name of a profile'],
  [['--profile', 'work', '--home', 'x', 'status'], 'cannot be used with'],
])('%j is refused', async (args, says) => {
  const ended = await place.run(args);
  expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(says) as string });
});

test('an agent is told which profile it has', async () => {
  place.env['OUTTRAY_PROFILE'] = 'own';
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transportTo(place, () => undefined));
  expect(client.getServerVersion()?.title).toBe('Outtray (own)');
  expect(client.getInstructions()).toContain('profile “own”');
  await client.close();
});
