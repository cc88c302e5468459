import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from 'node:fs';
import { mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBoundedFile } from '../../../src-main/adapters/log/bounded-file.ts';
import { openLog } from '../../../src-main/adapters/log/log.ts';
import { createRedactor } from '../../../src-main/adapters/log/redactor.ts';
import { parseSecret } from '../../../src-main/adapters/secret.ts';
import { AppError } from '../../../src-main/contract/errors.ts';
import { posixTest } from '../../support/posix.ts';

const onLinux = test.runIf(process.platform === 'linux');

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outtray-log-'));
  file = join(folder, 'log', 'outtray.log');
});
afterEach(() => rm(folder, { recursive: true }));

const key = 'canary-key-"0123456789"';
const open = (level: 'debug' | 'info' = 'info') =>
  openLog({ file, level, redactor: createRedactor([parseSecret(key)]) });
const lines = async (): Promise<Record<string, unknown>[]> =>
  (await readFile(file, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

posixTest('it has no modes')('nothing is opened before the first line, and the file is private', async () => {
  const log = open();
  log.debug('not at this level');
  expect(existsSync(join(folder, 'log'))).toBe(false);
  log.info('started', { files: 3 });
  log.close();
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder, 'log'))).mode & 0o777).toBe(0o700);
  expect(await lines()).toEqual([
    {
      level: 'info',
      at: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
      pid: process.pid,
      files: 3,
      event: 'started',
    },
  ]);
});

test('a line can be written after the log was closed', async () => {
  const log = open();
  log.info('one');
  log.close();
  log.close();
  log.info('two');
  log.close();
  expect(await lines()).toHaveLength(2);
});

test('no secret reaches the file, wherever it stands in an event, and every line stays JSON', async () => {
  const log = open('debug');
  const cause = new Error(`connect failed with ${key}`);
  log.error(`event ${key}`, {
    [key]: key,
    nested: { headers: [`authorization: Bearer ${key}`], body: JSON.stringify({ key }) },
    basic: Buffer.from(`user:${key}`).toString('base64'),
    error: new AppError('offline', `No answer for ${key}`, '', { cause, evidence: key }),
    secret: parseSecret(key),
    bytes: 12n,
  });
  log.close();
  const text = await readFile(file, 'utf8');
  expect(await lines()).toHaveLength(1);
  for (const trace of ['canary', '0123456789', Buffer.from('0123456789').toString('base64').slice(2, 10)]) {
    expect(text).not.toContain(trace);
  }
});

test('an error is written with its code, its evidence and its causes', async () => {
  const log = open();
  const cause = new Error('socket hang up', { cause: new Error('ECONNRESET') });
  log.warn('interrupted', {
    error: new AppError('interrupted', 'It broke.', '', { cause, status: 502, evidence: '<html>' }),
  });
  log.close();
  expect((await lines())[0]).toMatchObject({
    error: {
      code: 'interrupted',
      message: 'It broke.',
      status: 502,
      evidence: '<html>',
      cause: {
        message: 'socket hang up',
        stack: expect.any(String) as unknown,
        cause: { message: 'ECONNRESET' },
      },
    },
  });
});

test('text that could act on a terminal is escaped and still reads the same as JSON', async () => {
  const log = open();
  const name = 'a\u001b[2J\u009b\u202eb\n{"level":"error"}';
  log.info('queued', { name });
  log.close();
  expect(await readFile(file, 'utf8')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(await lines()).toEqual([expect.objectContaining({ name })]);
});

test('an endless payload becomes a short line that reports it', async () => {
  const log = open();
  log.info('answer', { body: 'x'.repeat(1_000_000) });
  log.close();
  expect((await stat(file)).size).toBeLessThan(4096);
  expect(await lines()).toEqual([expect.objectContaining({ event: 'log-line-cut' })]);
});

test('a value that cannot be written does not stop the program', () => {
  const log = open();
  const loop: Record<string, unknown> = {};
  loop['loop'] = loop;
  expect(() =>
    log.info('odd', {
      loop,
      throws: {
        toJSON: () => {
          throw new Error('no');
        },
      },
    }),
  ).not.toThrow();
  log.close();
});

test('a line makes no data folder that is gone again', () => {
  const place = join(folder, 'data');
  mkdirSync(place);
  const log = createBoundedFile(join(place, 'log', 'outtray.log'));
  log.write('one\n');
  rmSync(place, { recursive: true });
  log.close();
  log.write('two\n');
  expect(existsSync(place)).toBe(false);
  mkdirSync(place);
  log.write('three\n');
  expect(readFileSync(join(place, 'log', 'outtray.log'), 'utf8')).toBe('three\n');
  log.close();
});

onLinux(
  'a log whose file cannot be closed lets go of its number: it may be that of another file next',
  () => {
    const log = createBoundedFile(join(folder, 'outtray.log'));
    log.write('one\n');
    const isOfLog = (fd: string): boolean => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).endsWith('outtray.log');
      } catch {
        return false;
      }
    };
    const handle = Number(readdirSync('/proc/self/fd').find(isOfLog));
    closeSync(handle);
    expect(() => log.close()).toThrow('EBADF');
    const other = openSync(join(folder, 'other'), 'w');
    log.write('two\n');
    log.close();
    closeSync(other);
    expect(readFileSync(join(folder, 'other'), 'utf8')).toBe('');
    expect(readFileSync(join(folder, 'outtray.log'), 'utf8')).toBe('one\ntwo\n');
  },
);

test('a log that cannot be written is dropped without an error', () => {
  const log = openLog({ file: '/dev/null/outtray.log', redactor: createRedactor() });
  expect(() => {
    log.info('one');
    log.close();
  }).not.toThrow();
});

test('at most three files, none over the bound, and the newest lines are kept', async () => {
  const sink = createBoundedFile(file, { maxBytes: 1000, files: 3 });
  for (let turn = 0; turn < 200; turn += 1)
    sink.write(`line ${String(turn).padStart(4, '0')} ${'.'.repeat(30)}\n`);
  sink.close();
  const names = (await readdir(join(folder, 'log'))).sort();
  expect(names).toEqual(['outtray.log', 'outtray.log.1', 'outtray.log.2']);
  for (const name of names) expect((await stat(join(folder, 'log', name))).size).toBeLessThanOrEqual(1000);
  const kept = (
    await Promise.all(names.toReversed().map((name) => readFile(join(folder, 'log', name), 'utf8')))
  ).join('');
  const numbers = kept.match(/\d{4}/g)?.map(Number) ?? [];
  expect(numbers.at(-1)).toBe(199);
  expect(numbers).toEqual(numbers.map((_, at) => (numbers[0] ?? 0) + at));
});

test('a file that the other process has just rotated is not rotated again', async () => {
  const [app, command] = [1, 2].map(() => createBoundedFile(file, { maxBytes: 1000, files: 3 }));
  app?.write(`${'a'.repeat(900)}\n`);
  command?.write('b\n');
  app?.write(`${'c'.repeat(400)}\n`);
  command?.write(`${'d'.repeat(400)}\n`);
  app?.close();
  command?.close();
  expect(await readdir(join(folder, 'log'))).toEqual(['outtray.log', 'outtray.log.1']);
  expect((await readFile(file, 'utf8')).replaceAll(/(.)\1*/g, '$1')).toBe('c\nd\n');
});

test('a log that was deleted or moved away is made again by a line that is written seconds later', async () => {
  let nowMs = 0;
  const sink = createBoundedFile(file, { nowMs: () => nowMs });
  sink.write('a\n');
  await rm(file);
  nowMs += 5000;
  sink.write('b\n');
  expect(await readFile(file, 'utf8')).toBe('b\n');
  await rename(file, join(folder, 'kept'));
  nowMs += 5000;
  sink.write('c\n');
  nowMs += 5000;
  sink.write('d\n');
  sink.close();
  expect(await readFile(file, 'utf8')).toBe('c\nd\n');
  expect(await readFile(join(folder, 'kept'), 'utf8')).toBe('b\n');
});

test('two processes that write the same log keep it bounded and whole', async () => {
  const source = new URL('../../../src-main/adapters/log/bounded-file.ts', import.meta.url).href;
  const script = `
    const { createBoundedFile } = await import(${JSON.stringify(source)});
    const sink = createBoundedFile(${JSON.stringify(file)}, { maxBytes: 20000, files: 3 });
    for (let turn = 0; turn < 2000; turn += 1) sink.write('{"turn":' + turn + '}\\n');`;
  const run = async () => {
    const other = spawn(process.execPath, ['--input-type=module', '-e', script]);
    expect((await once(other, 'exit'))[0]).toBe(0);
  };
  await Promise.all([run(), run()]);
  const names = await readdir(join(folder, 'log'));
  expect(names.length).toBeLessThanOrEqual(3);
  for (const name of names) {
    const text = await readFile(join(folder, 'log', name), 'utf8');
    expect(text.length).toBeLessThanOrEqual(20_200);
    expect(text).toMatch(/^(\{"turn":\d+\}\n)*$/);
  }
});
