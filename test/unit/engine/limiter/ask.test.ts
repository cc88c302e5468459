// One question to the service: first leave to ask, then the request.
import { expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import { askUnlessClosed, askWhile, createAsk } from '../../../../src-main/engine/limiter/ask.ts';
import type { Limiter } from '../../../../src-main/engine/limiter/limiter.ts';
import type { Permit } from '../../../../src-main/engine/ports.ts';

const permit: Permit = { id: 1, lane: 'background', spentAtMs: 0, answeredAtMs: null, owner: 'me' };
const { signal } = new AbortController();

const begin = (before: () => Promise<void> = () => Promise.resolve()) => {
  const told: string[] = [];
  const leave = Promise.withResolvers<Permit>();
  const limiter: Pick<Limiter, 'take' | 'waitFor' | 'answered'> = {
    take: () => leave.promise,
    waitFor: () => null,
    answered: (_, { kind }) => told.push(`answered ${kind}`),
  };
  const ask = createAsk(limiter, before);
  const request = async (): Promise<string> => {
    told.push('requested');
    return 'the answer';
  };
  const turns = (): Promise<void> => new Promise((next) => setImmediate(next));
  return { told, leave, ask, request, turns };
};

test('no request leaves before its permit is there', async () => {
  const { told, leave, ask, request, turns } = begin();
  const asked = ask('background', signal, request);
  await turns();
  expect(told).toEqual([]);
  leave.resolve(permit);
  expect(await asked).toBe('the answer');
  expect(told).toEqual(['requested', 'answered ok']);
});

test('no permit is asked for, and no request made, where none could be made', async () => {
  const missing = new AppError('key-missing', 'No API key is stored.');
  const { told, ask, request } = begin(() => Promise.reject(missing));
  await expect(ask('user', signal, request)).rejects.toBe(missing);
  expect(told).toEqual([]);
});

test('a request of our own that waited goes only while it still may; a person’s goes in any case', async () => {
  const { told, leave, ask, request } = begin();
  let may = true;
  const guarded = askWhile(() => may, ask);
  const ours = guarded('background', signal, request);
  const theirs = guarded('user', signal, request);
  may = false;
  leave.resolve(permit);
  await expect(ours).rejects.toMatchObject({ code: 'aborted' });
  expect(await theirs).toBe('the answer');
  expect(told.filter((one) => one === 'requested')).toHaveLength(1);
});

test('a refusal is heard as it was given, also while the disk is full', async () => {
  const refusal = new AppError('key-refused', 'The service does not accept the API key.', '', {
    status: 401,
  });
  const limiter: Pick<Limiter, 'take' | 'waitFor' | 'answered'> = {
    take: () => Promise.resolve(permit),
    waitFor: () => null,
    answered() {
      throw new AppError('disk', 'The disk is full.');
    },
  };
  const ask = createAsk(limiter, () => Promise.resolve());
  await expect(ask('background', signal, () => Promise.reject(refusal))).rejects.toBe(refusal);
});

test.each<[string, number | null, number | null, boolean]>([
  ['since', 1, 2, false],
  ['since, for the first time', null, 2, false],
  ['before', 1, 1, true],
  ['before and is open by now', 1, null, true],
])('a question goes or not when what was asked first closed %s', async (_, before, since, goes) => {
  const { told, leave, ask, request } = begin();
  let closedSinceMs = before;
  const asked = askUnlessClosed(() => closedSinceMs, ask)('background', signal, request);
  asked.catch(() => undefined);
  closedSinceMs = since;
  leave.resolve(permit);
  await asked.catch(() => undefined);
  expect(told.includes('requested')).toBe(goes);
});
