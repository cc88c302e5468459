// The search for secrets, with the real rules in their real thread.
import { isDeep } from '../support/deep.ts';
import { once } from 'node:events';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { createFiles } from '../../src-main/adapters/files/files.ts';
import { createInspect, type InspectLimits } from '../../src-main/adapters/inspect/inspect.ts';
import { headBytes, kindOf } from '../../src-main/engine/inspect/content.ts';

/** In parts, so that no scanner takes this file for a leak. */
const token = ['gh', 'p_wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('');

const github = (line: number) => [{ kind: 'secret', rule: 'github', line }];

const unread = [{ kind: 'secret', rule: 'not-read', line: null }];

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
  const gitlab = ['gl', 'pat-8fKq2Lx9RmT4vB7nYc3W'].join('');
  expect(await search(`a\n${token}\n${gitlab}\n`)).toEqual(github(2));
  expect(await search(`${gitlab}\n${token}\n`)).toEqual([{ kind: 'secret', rule: 'gitlab', line: 1 }]);
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

test.each([
  ['vercel', ['vc', 'p_', '8fKq2Lx9RmT4vB7nYc3WdZ6h']],
  ['vercel', ['vc', 'k_', '8fKq2Lx9RmT4vB7nYc3WdZ6hJp5GsQ1tUe0AoXiNwMbVrEaHyDkL']],
  ['cloudflare', ['cf', 'ut_', '8fKq2Lx9RmT4vB7nYc3WdZ6hJp5GsQ1tUe0AoXiN', '0c1f29ab']],
  ['github', ['gh', 's_', '834512_ey', 'JhbGciOiJFUzI1NiJ9.8fKq2Lx9RmT4vB7n.Yc3WdZ6hJp5GsQ1tUe0AoXiNwMb']],
  ['address', ['postgres', '://shop:', 'sommerregen', '@db.lan/shop']],
  [
    'privatekey',
    [
      '-----BEGIN',
      ' RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,9F1A6B8EAD2C44E1B0D3A5C7E9F10213\n\n',
      'MIIEvQIBADANBgkq'.repeat(90),
      '\n-----END RSA PRIVATE KEY-----',
    ],
  ],
  [
    'webtoken',
    [
      `${Buffer.from('{"alg":"RS256","typ":"JWT"}').toString('base64url')}.`,
      `${Buffer.from(JSON.stringify({ groups: Array.from({ length: 120 }, (_, n) => `group-${n}-of-many`) })).toString('base64url')}.`,
      'kX3vQ9zR7pLm2WnT5yBc8HdJ4sFg6AeK'.repeat(8),
    ],
  ],
])('finds a secret of %s that stands alone', async (rule, parts) => {
  expect(await started().search(`for the site\n${parts.join('')}\n`)).toEqual([
    { kind: 'secret', rule, line: 2 },
  ]);
});

test.each([
  'postgres://postgres:postgres@db/x',
  'mysql://app:password@db/x',
  'mongodb://u:${PW}@db',
  'vcp_example',
])('does not take %s for a secret', async (text) => {
  expect(await started().search(text)).toEqual([]);
});

/** A text of this length is searched in a thread. */
const afterMuch = `${'\n'.repeat(20_000)}key=${token}`;
const inIt = github(20_001);
/** 1 MiB takes longer than a check of the time. */
const long = '\n'.repeat(1024 * 1024);
const patient: InspectLimits = {
  mostCpuMs: 600_000,
  mostMs: 600_000,
  idleMs: 60_000,
  checkEveryMs: 5,
};

test.each(['mostCpuMs', 'mostMs'] as const)(
  'a text that takes longer than %s counts as not searched, and the next one is searched',
  async (limit) => {
    const limits = { ...patient, [limit]: 0 };
    const { search } = started(limits);
    expect(await search(long)).toEqual(unread);
    limits[limit] = 600_000;
    expect(await search(afterMuch)).toEqual(inIt);
  },
);

test('each text has its own processor time, even while checks of it overlap', async () => {
  const limits = { ...patient, checkEveryMs: 1 };
  const { search } = started(limits);
  const startMs = performance.now();
  while (performance.now() - startMs < 1000) await search(long);
  limits.mostCpuMs = 900;
  expect(await search(long)).toEqual([]);
});

test.each([
  ['short', 1],
  ['long', 2 ** 20],
])(
  'a %s text that the rules stumble over counts as not searched, and the next one is searched',
  async (_, length) => {
    const { inspect, search } = started();
    const crashing = { kind: 'text' as const, bytes: new Uint8Array() };
    Object.assign(crashing, { bytes: { length } });
    expect(await inspect.findIn(crashing)).toEqual(unread);
    expect(await search(token)).toEqual(github(1));
    expect(await search(afterMuch)).toEqual(inIt);
  },
);

/** Of 1 MiB each: beginnings of a secret again and again, nested ones, a single line, text in no encoding. */
const begins = [
  ...[
    'a',
    '0123456789abcdef',
    '=',
    '/',
    ' ',
    '\t',
    '\r\n',
    '\0',
    '{"a":[',
    '[',
    '"',
    'PRIVATE KEY',
    '-----BEGIN ',
  ],
  ...[
    'AKIA',
    'AIza',
    '://',
    'http://a:',
    'https://user:pass@',
    'xoxb-1',
    'ghp_',
    'eyJ',
    'sk-',
    'SG.',
    'hvs.',
  ],
  ...[
    'ATATT3',
    'shpat_',
    'AccountKey=',
    '12345678:',
    'Mabcdefghijklmnopqrstuvwx.',
    'SECRET_KEY=',
    'mongodb://a:b',
  ],
  ...[
    '//registry.npmjs.org/:_authToken=',
    'https://hooks.slack.com/services/T',
    'AGE-SECRET-KEY-1',
    'password: ',
  ],
  ...['-----BEGIN PRIVATE KEY-----\nA: b\n', '-----BEGIN RSA PRIVATE KEY-----', 'aws_secret_access_key = "'],
];

test.runIf(isDeep)('hostile texts take bounded time, and each is answered', async () => {
  const { inspect, search } = started();
  const tookMs: number[] = [];
  for (const text of begins) {
    const startMs = performance.now();
    expect(await search(text.repeat(Math.ceil(2 ** 20 / text.length)).slice(0, 2 ** 20))).not.toEqual(unread);
    tookMs.push(performance.now() - startMs);
  }
  const noise = Uint8Array.from({ length: 2 ** 20 }, (_, at) => (at * at * 31 + (at >> 5)) % 256);
  expect(await inspect.findIn({ kind: 'text', bytes: noise })).toEqual([]);
  // A tenth of it on an idle machine.
  expect(Math.max(...tookMs)).toBeLessThan(4000);
  expect(await search(token)).toEqual(github(1));
});

test('a sparse file of 4 GB is read at its head, and an archive does not count as text', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'outtray-look-'));
  try {
    const file = path.join(folder, 'sparse');
    writeFileSync(file, '');
    truncateSync(file, 2 ** 32);
    const open = await createFiles().open(file, null);
    const head = await open.head(headBytes);
    await open.close();
    expect(head.length).toBe(headBytes);
    expect(kindOf(head)).toBeNull();
    expect(kindOf(gzipSync(`a\n${token}`))).toBeNull();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** The threads that start from now on. */
const threadsFromNow = (): Worker[] => {
  const begun: Worker[] = [];
  const note = (thread: Worker): void => void begun.push(thread);
  process.on('worker', note);
  onTestFinished(() => void process.off('worker', note));
  return begun;
};

test('a short text is searched without a thread', async () => {
  const begun = threadsFromNow();
  const { inspect, search } = started();
  inspect.expectText(100);
  expect(await search(`key=${token}`)).toEqual(github(1));
  await new Promise((next) => setImmediate(next));
  expect(begun).toEqual([]);
});

test('the thread starts when a long text is expected, searches that text, and ends when none comes', async () => {
  const begun = threadsFromNow();
  const { inspect, search } = started();
  inspect.expectText(afterMuch.length);
  inspect.expectText(afterMuch.length);
  expect(await search(afterMuch)).toEqual(inIt);
  expect(begun).toHaveLength(1);

  const { inspect: unused } = started({ ...patient, idleMs: 1 });
  const beginning = once(process, 'worker') as Promise<[Worker]>;
  unused.expectText(afterMuch.length);
  const [thread] = await beginning;
  if (thread.threadId !== -1) await once(thread, 'exit');
  await unused.close();
  unused.expectText(afterMuch.length);
  await new Promise((next) => setImmediate(next));
  expect(begun).toHaveLength(2);
});

test('the thread ends when it has nothing to do, and starts again', async () => {
  const { search } = started({ ...patient, idleMs: 1 });
  expect(await search(afterMuch)).toEqual(inIt);
  await new Promise((next) => setTimeout(next, 300));
  expect(await search(afterMuch)).toEqual(inIt);
});

test('reports the line of a secret far into the text, and of a key that crosses two pieces', async () => {
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

test('thousands of secrets in one text are found quickly', async () => {
  const { search } = started();
  const text = Array.from({ length: 25_000 }, () => token).join('\n');
  expect(await search(text)).toEqual(github(1));
});

test('a long text that is sent after the end counts as not searched', async () => {
  const { inspect, search } = started();
  await inspect.close();
  expect(await search(long)).toEqual(unread);
});
