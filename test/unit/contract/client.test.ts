import { describe, expect, test } from 'vitest';
import { answerCall, answerCalls, createClient, type Transport } from '../../../src-main/contract/client.ts';
import { isCommandName, type CommandName, type Handlers } from '../../../src-main/contract/commands.ts';
import { AppError } from '../../../src-main/contract/errors.ts';

const signal = new AbortController().signal;
/** Handlers that answer with the input they got; the rest is never called. */
const echo = new Proxy({} as Handlers, {
  get: (_, name) => (name === 'queue.resume' ? fail : (input: unknown) => input),
});
const fail = (): never => {
  throw new AppError('bad-use', 'Not now.', 'Later.');
};

describe('a call', () => {
  test('reaches its handler with the input parsed and its defaults filled in', async () => {
    expect(await answerCall(echo, 'files.page', { search: 'x' }, signal)).toEqual({
      ok: true,
      answer: {
        search: 'x',
        place: 'all',
        sort: 'uploaded',
        descending: true,
        after: null,
        limit: 100,
        folder: null,
      },
    });
  });

  test.each([
    ['an unknown name', 'no.such', {}, 'There is no such command.'],
    ['a name of the object itself', 'toString', {}, 'There is no such command.'],
    ['a wrong field', 'files.info', { fileId: 'x' }, 'files.info: fileId:'],
    ['a key with a blank inside', 'account.login', { key: 'a b' }, 'printable'],
    ['an empty list', 'queue.confirm', { ids: [] }, 'queue.confirm: ids:'],
    ['a word as input', 'files.page', 'x', 'files.page: Invalid type'],
  ])('with %s returns an error value', async (_, name, input, message) => {
    const reply = await answerCall(echo, name, input, signal);
    expect(reply.ok).toBe(false);
    if (!reply.ok) {
      expect(reply.error.code).toBe('bad-use');
      expect(reply.error.message).toContain(message);
    }
  });

  const tooMany = 'These are more than 100,000 files. Name fewer at once.';
  test.each([
    ['account.login', { key: 'a b' }, 'An API key is up to 512 printable characters without spaces.'],
    [
      'files.recall',
      { files: Array(10_001).fill({ path: '/a' }) },
      'These are more than 10,000 files. Name fewer at once.',
    ],
    ['files.upload', { paths: Array(100_001).fill('/a') }, tooMany],
    ['queue.cancel', { ids: Array(100_001).fill(1) }, tooMany],
    ['files.page', { search: 'x'.repeat(501) }, 'A search has at most 500 characters.'],
    ['files.bundle', { paths: ['/a'], name: '' }, 'The name of a zip is not empty.'],
    ['files.plan', { paths: ['/'.repeat(40_000)] }, 'A path or a name has at most 32,768 characters.'],
  ])('a person can mistype, %s, and the answer is the sentence alone', async (name, input, message) => {
    expect(await answerCall(echo, name, input, signal)).toEqual({
      ok: false,
      error: { code: 'bad-use', message, remedy: 'Correct it and try again.' },
    });
  });

  test('that the handler refuses returns an error value', async () => {
    const error = { code: 'bad-use', message: 'Not now.', remedy: 'Later.' };
    expect(await answerCall(echo, 'queue.resume', {}, signal)).toEqual({ ok: false, error });
  });

  test('to the window is answered by the same table, and the engine alone has no such call', async () => {
    const row = { uploadId: 7 };
    const copySha256 = { 'window.copySha256': () => ({ count: 1, sure: true }) };
    const ask = (input: unknown, handlers: object) =>
      answerCall(handlers, 'window.copySha256', input, signal);
    expect(await ask(row, copySha256)).toEqual({ ok: true, answer: { count: 1, sure: true } });
    const refused = { ok: false, error: { code: 'bad-use', message: 'There is no such command.' } };
    expect(await ask(row, {})).toMatchObject(refused);
    const more = 'window.copySha256: more: Invalid key';
    expect(JSON.stringify(await ask({ ...row, more: true }, copySha256))).toContain(more);
  });

  test('knows its commands', () => {
    expect(isCommandName('files.page')).toBe(true);
    expect(isCommandName('constructor')).toBe(false);
  });
});

test('closing the server aborts pending calls, and waits for their answers', async () => {
  const told: string[] = [];
  const slow = (_: unknown, stop: AbortSignal): Promise<string> =>
    new Promise((done) => {
      stop.addEventListener('abort', () => {
        told.push('aborted');
        setImmediate(() => {
          told.push('answered');
          done('late');
        });
      });
    });
  const answers = answerCalls(new Proxy({} as Handlers, { get: () => slow }));
  const answer = answers.call('files.page', {});
  await answers.end();
  expect(told).toEqual(['aborted', 'answered']);
  expect(await answer).toEqual({ ok: true, answer: 'late' });
});

describe('the client', () => {
  const transport: Transport = {
    call: (name, input) => answerCall(echo, name, input, signal),
    listen: (hear) => {
      hear({ seq: 1, kind: 'settings' });
      return () => undefined;
    },
  };

  test('returns the answer', async () => {
    expect(await createClient(transport).call('files.info', { fileId: 7 })).toEqual({ fileId: 7 });
  });

  test('passes null on, which is an answer', async () => {
    const done = createClient<CommandName>({ ...transport, call: async () => ({ ok: true, answer: null }) });
    expect(await done.call('window.compactRows', { on: true })).toBeNull();
  });

  test('throws the returned error as the error of the program', async () => {
    const call = createClient(transport).call('queue.resume', {});
    await expect(call).rejects.toMatchObject({ code: 'bad-use', message: 'Not now.', remedy: 'Later.' });
    await expect(call).rejects.toBeInstanceOf(AppError);
  });

  test('listens through the same transport', () => {
    const heard: string[] = [];
    createClient(transport).listen((change) => heard.push(change.kind));
    expect(heard).toEqual(['settings']);
  });
});
