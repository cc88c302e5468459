// The search for secrets, with the real rules in their real thread.
import { afterEach, expect, test } from 'vitest';
import { createInspect, type InspectLimits } from '../../src-main/adapters/inspect/inspect.ts';
import { measureCorpus } from '../support/corpus/measure.ts';

/** In parts, so that no scanner takes this file for a leak. */
const token = ['gh', 'p_wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('');

const github = (line: number) => [{ kind: 'secret', rule: 'github', line }];

const open: ReturnType<typeof createInspect>[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const started = (limits?: InspectLimits) => {
  const inspect = createInspect(limits);
  open.push(inspect);
  return {
    inspect,
    search: (text: string | Buffer) => inspect.findIn({ kind: 'text', bytes: Buffer.from(text) }),
  };
};

test('names the rule and the line of the first secret, and nothing of its text', async () => {
  const { search } = started();
  expect(await search(`a\r\nkey=${token}\nanother=${token}\n`)).toEqual(github(2));
  expect(await search('a\nb\n')).toEqual([]);
});

test.each([
  ['UTF-16', Buffer.from(`\ufeffa\nkey=${token}`, 'utf16le')],
  ['UTF-16 in the other order', Buffer.from(`\ufeffa\nkey=${token}`, 'utf16le').swap16()],
  ['UTF-16 without a mark', Buffer.from(`a\nkey=${token}`, 'utf16le')],
  ['Latin-1', Buffer.from(`ü\nkey=${token}`, 'latin1')],
  ['a log that begins with NULs', Buffer.concat([Buffer.alloc(5000), Buffer.from(`a\nkey=${token}`)])],
])('finds a secret in %s', async (_, bytes) => {
  expect(await started().search(bytes)).toEqual(github(2));
});

test('a comment in the text does not switch the search off', async () => {
  expect(await started().search(`/* secretlint-disable */\n${token}`)).toEqual(github(2));
});

/** 1 MiB takes longer than a check of the time. */
const long = '\n'.repeat(1024 * 1024);
const patient: InspectLimits = { mostCpuMs: 600_000, mostMs: 600_000, idleMs: 60_000, checkEveryMs: 5 };

test.each(['mostCpuMs', 'mostMs'] as const)(
  'a text that takes longer than %s counts as not looked at, and the next one is searched',
  async (limit) => {
    const limits = { ...patient, [limit]: 0 };
    const { search } = started(limits);
    expect(await search(long)).toEqual([{ kind: 'secret', rule: 'not-read', line: null }]);
    limits[limit] = 600_000;
    expect(await search(`a\n${token}`)).toEqual(github(2));
  },
);

test('the thread ends when it has nothing to do, and starts again', async () => {
  const { search } = started({ ...patient, idleMs: 1 });
  expect(await search(token)).toEqual(github(1));
  await new Promise((next) => setTimeout(next, 300));
  expect(await search(token)).toEqual(github(1));
});

test('tells the line of a secret far behind, and of a key that lies across two pieces', async () => {
  const { search } = started();
  const line = `${'word '.repeat(20)}\n`;
  const key = ['-----BEGIN', ` PRIVATE KEY-----\n${'MIIEvQIBADANBgkq'.repeat(90)}\n`].join('');
  for (const lines of [1290, 1297, 5000, 9000]) {
    expect(await search(`${line.repeat(lines)}${key}`)).toEqual([
      { kind: 'secret', rule: 'privatekey', line: lines + 1 },
    ]);
  }
  const oneLine = 'word '.repeat(100_000);
  expect(await search(`${oneLine} ${token}`)).toEqual(github(1));
});

test('thousands of secrets in one text do not take long', async () => {
  const { search } = started();
  const text = Array.from({ length: 25_000 }, () => token).join('\n');
  expect(await search(text)).toEqual(github(1));
});

test('what comes after the end counts as not looked at', async () => {
  const { inspect, search } = started();
  await inspect.close();
  expect(await search('a')).toEqual([{ kind: 'secret', rule: 'not-read', line: null }]);
});

test('of made-up secrets at least 95 % are found, of harmless files at most 0.5 % are held', async () => {
  const { inspect } = started();
  const { secrets, kinds, harmless, found, alarms } = await measureCorpus(inspect);
  expect(secrets).toBeGreaterThanOrEqual(200);
  expect(kinds).toBeGreaterThanOrEqual(40);
  expect(harmless).toBeGreaterThanOrEqual(2000);
  expect(found).toBeGreaterThanOrEqual(0.95);
  expect(alarms).toBeLessThanOrEqual(0.005);
});
