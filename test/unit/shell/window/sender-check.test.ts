import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../../../src-main/adapters/log/redactor.ts';
import { parseSecret } from '../../../../src-main/adapters/secret.ts';
import type { Reply } from '../../../../src-main/contract/client.ts';
import {
  createSenderCheck,
  isSmallPlain,
  withoutSecrets,
  type SenderFrame,
} from '../../../../src-main/shell/window/sender-check.ts';
import { isDeep } from '../../../support/deep.ts';

const ours = { name: 'our contents' };
const small = { name: 'a page that needs little' };
const top: SenderFrame = { origin: 'outtray://app', parent: null };
const load = {};

const checkWith = (answer: (name: string, input: unknown) => Promise<Reply>) =>
  createSenderCheck({
    origin: 'outtray://app',
    pages: [{ contents: () => ours }, { contents: () => small, isPopover: true }],
    answer,
    redact: (text) => text.replaceAll('the-key', '«redacted»'),
    isLeaving: () => isLeaving,
  });
let isLeaving = false;
const echo = checkWith((name, input) => Promise.resolve({ ok: true, answer: { name, input } }));

describe('the sender check', () => {
  test('accepts the top frame of our window at our origin', async () => {
    expect(await echo({ contents: ours, frame: top, load }, 'app.status', {})).toEqual({
      ok: true,
      answer: { name: 'app.status', input: {} },
    });
  });

  test.each([
    ['another window', { contents: {}, frame: top, load }],
    ['a frame that is gone', { contents: ours, frame: null, load }],
    ['a frame inside the page', { contents: ours, frame: { ...top, parent: {} }, load }],
    ['another origin', { contents: ours, frame: { ...top, origin: 'https://attacker.example' }, load }],
    [
      'an origin that only begins like ours',
      { contents: ours, frame: { ...top, origin: 'outtray://app.attacker' }, load },
    ],
    ['no origin', { contents: ours, frame: { ...top, origin: 'null' }, load }],
  ])('refuses %s', async (_who, sender) => {
    expect(await echo(sender, 'app.status', {})).toMatchObject({ ok: false, error: { code: 'bad-use' } });
  });

  test('refuses everyone while there is no window', async () => {
    const check = createSenderCheck({
      origin: 'outtray://app',
      pages: [{ contents: () => null }],
      answer: () => Promise.resolve({ ok: true, answer: 1 }),
      redact: (text) => text,
      isLeaving: () => false,
    });
    expect(await check({ contents: null, frame: top, load }, 'app.status', {})).toMatchObject({ ok: false });
  });

  test('accepts long lists of paths where paths are chosen, and nowhere else', async () => {
    const paths = Array.from({ length: 2_000 }, (_, at) => `/home/ada/a folder with a name/file-${at}.txt`);
    const ask = async (name: string, input: unknown): Promise<boolean> =>
      (await echo({ contents: ours, frame: top, load }, name, input)).ok;
    expect(await ask('files.upload', { paths })).toBe(true);
    expect(await ask('folder.choose', { folder: '/x', existing: paths })).toBe(true);
    expect(await ask('files.page', { paths })).toBe(false);
    expect(await ask('files.upload', { paths: [...paths, 'x'.repeat(2_000_000)] })).toBe(false);
  });

  test('reports for too many files that none was taken', async () => {
    const paths = Array.from({ length: 12_000 }, (_, at) => `/home/kim/${'a'.repeat(90)}/${at}`);
    const answer = await echo({ contents: ours, frame: top, load }, 'files.upload', { paths });
    expect(answer).toMatchObject({
      ok: false,
      error: { code: 'bad-use', message: 'Those are too many files for one time. None was taken.' },
    });
    const endless = await echo({ contents: ours, frame: top, load }, 'files.upload', {
      paths: new Array(2 ** 31),
    });
    expect(endless).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/too large/) as string },
    });
  });

  test('does nothing more while the program ends, whatever a page still counts down', async () => {
    const asked: string[] = [];
    const check = checkWith((name) => {
      asked.push(name);
      return Promise.resolve({ ok: true, answer: null });
    });
    isLeaving = true;
    const answer = await check({ contents: ours, frame: top, load }, 'queue.confirm', { ids: [1] });
    isLeaving = false;
    expect(answer).toMatchObject({ ok: false, error: { message: 'Outtray is closing.' } });
    expect(asked).toEqual([]);
  });

  test('returns an error value when the answer throws', async () => {
    const check = checkWith(() => Promise.reject(new Error('boom')));
    expect(await check({ contents: ours, frame: top, load }, 'x', {})).toMatchObject({
      ok: false,
      error: { code: 'internal' },
    });
  });

  test('removes the key from every answer', async () => {
    const check = checkWith(() =>
      Promise.resolve({ ok: false, error: { code: 'refused', message: 'no the-key', remedy: '' } }),
    );
    expect(await check({ contents: ours, frame: top, load }, 'x', {})).toEqual({
      ok: false,
      error: { code: 'refused', message: 'no «redacted»', remedy: '' },
    });
  });

  test('answers messages of any kind without throwing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.anything(),
        fc.anything({ withBigInt: true, withMap: true, withDate: true }),
        async (name, input) => {
          const reply = await checkWith(() => Promise.resolve({ ok: true, answer: null }))(
            { contents: ours, frame: top, load },
            name,
            input,
          );
          expect(typeof reply.ok).toBe('boolean');
        },
      ),
      { numRuns: isDeep ? 10_000 : 1000 },
    );
  });
});

describe('small and plain', () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  const sparse: unknown[] = [];
  sparse.length = 4_000_000_000;

  test.each([
    ['70,000 characters', 'x'.repeat(70_000)],
    ['22,000 characters of three bytes', '€'.repeat(22_000)],
    ['an array of four thousand million holes', sparse],
    ['a circle', circle],
    ['a map', new Map()],
    ['a date', new Date()],
    ['bytes', new Uint8Array(10)],
    ['a bigint', 1n],
    ['a symbol', Symbol('x')],
    ['a function', () => 1],
    ['not a number', NaN],
    ['deep nesting', JSON.parse(`${'['.repeat(50)}${']'.repeat(50)}`)],
  ])('%s is not', (_what, value) => expect(isSmallPlain(value)).toBe(false));

  test.each([
    ['nothing', undefined],
    ['an empty object', {}],
    [
      'five thousand ids',
      { uploadIds: Array.from({ length: 5_000 }, (_, at) => at + 1), fileIds: [], as: 'plain' },
    ],
    [
      'two thousand files and an end',
      {
        files: Array.from({ length: 2_000 }, () => ({ fileId: '9'.repeat(20) })),
        expire: { afterMs: 86_400_000 },
      },
    ],
    [
      'an object without a prototype',
      Object.assign(Object.create(null) as object, { a: [1, 'b', null, true] }),
    ],
  ])('%s is', (_what, value) => expect(isSmallPlain(value)).toBe(true));
});

test('a value without a secret is passed on as it is, without a copy', () => {
  const value = { rows: [1, 2, 3] };
  expect(withoutSecrets(value, (text) => text)).toBe(value);
});

test('names, paths and links may have any word; only the key is taken out', () => {
  const { redactKnown } = createRedactor([parseSecret('the-key-42')]);
  const file = {
    name: 'Bearer bond.pdf',
    path: '/home/ada/standard-bearer logo.svg',
    publicLink: 'https://files.example/d/9/Bearer%20bond.pdf',
  };
  expect(withoutSecrets(file, redactKnown)).toBe(file);
  expect(withoutSecrets({ ...file, name: 'Bearer the-key-42' }, redactKnown)).toEqual({
    ...file,
    name: 'Bearer «redacted»',
  });
});
