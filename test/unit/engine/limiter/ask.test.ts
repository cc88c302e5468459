// One request to the service: first the permit, then the request, then its outcome for the limiter.
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import {
  askUnlessClosed,
  askWhile,
  createAsk,
  noteOutcome,
} from '../../../../src-main/engine/limiter/ask.ts';
import type { Limiter } from '../../../../src-main/engine/limiter/limiter.ts';
import type { AnswerMeaning } from '../../../../src-main/engine/limiter/policy.ts';
import type { Wait } from '../../../../src-main/engine/limiter/line.ts';
import type { Lane } from '../../../../src-main/contract/model.ts';
import type { Permit } from '../../../../src-main/engine/ports/ledger.ts';

const permit: Permit = { id: 1, lane: 'background', spentAtMs: 0, answeredAtMs: null, owner: 'me' };
const { signal } = new AbortController();

const begin = (
  before: () => Promise<void> = () => Promise.resolve(),
  waitFor: (lane: Lane) => Wait | null = () => null,
) => {
  const told: string[] = [];
  const outcomes: [Permit, AnswerMeaning][] = [];
  const leave = Promise.withResolvers<Permit>();
  const limiter: Pick<Limiter, 'take' | 'waitFor' | 'answered'> = {
    take: () => leave.promise,
    waitFor,
    answered(answered, outcome) {
      told.push(`answered ${outcome.kind}`);
      outcomes.push([answered, outcome]);
    },
  };
  const ask = createAsk(limiter, before);
  const request = async (): Promise<string> => {
    told.push('requested');
    return 'the answer';
  };
  const turns = (): Promise<void> => new Promise((next) => setImmediate(next));
  return { told, outcomes, leave, limiter, ask, request, turns };
};

test('no request leaves before it has its permit', async () => {
  const { told, leave, ask, request, turns } = begin();
  const asked = ask('background', signal, request);
  await turns();
  expect(told).toEqual([]);
  leave.resolve(permit);
  expect(await asked).toBe('the answer');
  expect(told).toEqual(['requested', 'answered ok']);
});

test('no permit is requested when the request itself is impossible', async () => {
  const missing = new AppError('key-missing', 'No API key is stored.');
  const { told, ask, request } = begin(() => Promise.reject(missing));
  await expect(ask('user', signal, request)).rejects.toBe(missing);
  expect(told).toEqual([]);
});

test('a delayed background request is sent only if it is still allowed; a person’s is sent in any case', async () => {
  const { told, leave, ask, request } = begin();
  let may = true;
  const guarded = askWhile(() => may, ask);
  const ours = guarded('background', signal, request);
  const theirs = guarded('user', signal, request);
  may = false;
  leave.resolve(permit);
  await expect(ours).rejects.toMatchObject({ code: 'aborted', message: 'Nothing may be asked just now.' });
  expect(await theirs).toBe('the answer');
  expect(told.filter((one) => one === 'requested')).toHaveLength(1);
});

test('a refusal is returned unchanged, even while the disk is full', async () => {
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
])(
  'a request is sent only if the gate did not close since it was requested: it closed %s',
  async (_, before, since, goes) => {
    const { told, leave, ask, request } = begin();
    let closedSinceMs = before;
    const asked = askUnlessClosed(() => closedSinceMs, ask)('background', signal, request);
    asked.catch(() => undefined);
    closedSinceMs = since;
    leave.resolve(permit);
    await asked.catch(() => undefined);
    expect(told.includes('requested')).toBe(goes);
  },
);

describe('a failed request', () => {
  const failed = (
    code: 'rate' | 'interrupted',
    more: { status?: number; retryAfterMs?: number } = {},
  ): AppError => new AppError(code, 'It failed.', '', more);

  test.each<[string, AppError, AnswerMeaning]>([
    [
      'slows the pace for as long as the service asks',
      failed('rate', { status: 429, retryAfterMs: 7_000 }),
      { kind: 'rate-limited', retryAfterMs: 7_000 },
    ],
    [
      'slows the pace when the service does not say for how long',
      failed('rate', { status: 429 }),
      { kind: 'rate-limited', retryAfterMs: null },
    ],
    ['counts as answered when there was an answer', failed('interrupted', { status: 502 }), { kind: 'ok' }],
    ['may have counted when there was none', failed('interrupted'), { kind: 'no-answer' }],
  ])('%s', async (_, error, outcome) => {
    const { outcomes, leave, limiter, ask } = begin();
    leave.resolve(permit);
    await expect(ask('background', signal, () => Promise.reject(error))).rejects.toBe(error);
    noteOutcome(limiter, permit, error);
    expect(outcomes).toEqual([
      [permit, outcome],
      [permit, outcome],
    ]);
  });

  test("ends its permit even when the caller's signal aborts it", async () => {
    const { outcomes, leave, ask } = begin();
    const stop = new AbortController();
    leave.resolve(permit);
    const asked = askWhile(() => true, ask)('background', stop.signal, (given) => {
      stop.abort();
      return Promise.reject(new AppError('aborted', given.aborted ? 'Stopped.' : 'Not stopped.'));
    });
    await expect(asked).rejects.toMatchObject({ code: 'aborted', message: 'Stopped.' });
    expect(outcomes).toEqual([[permit, { kind: 'no-answer' }]]);
  });
});

describe('a person', () => {
  const minuteMs = 60_000;
  const refused = async (wait: Wait, lane: Lane = 'user'): Promise<unknown> => {
    const { told, leave, ask, request } = begin(undefined, (asked) => (asked === 'user' ? wait : null));
    leave.resolve(permit);
    const answer = await ask(lane, signal, request).catch((error: unknown) => error);
    expect(told).toEqual(answer === 'the answer' ? ['requested', 'answered ok'] : []);
    return answer;
  };

  test('waits for a slot of the minute, but not for one of the day', async () => {
    expect(await refused({ waitMs: 65_000, why: 'minute' })).toBe('the answer');
    expect(await refused({ waitMs: 65_001, why: 'day' })).toMatchObject({
      code: 'budget',
      message: 'The request budget is used up; the next request is possible in 1 min 6 s.',
      remedy: 'Try again then, or raise requestsPerDay if your plan allows more.',
    });
  });

  test('gets an error when the service demanded a pause', async () => {
    expect(await refused({ waitMs: 5 * minuteMs, why: 'rate' })).toMatchObject({
      code: 'rate',
      message: 'The service asked Outtray to wait; the next request is possible in 5 min.',
      remedy: 'Outtray continues by itself; try again then.',
    });
  });

  test('is the only one who does not wait: background requests wait for hours', async () => {
    expect(await refused({ waitMs: 600 * minuteMs, why: 'day' }, 'background')).toBe('the answer');
  });
});
