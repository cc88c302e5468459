// Admission: key, plan, rate, and the limits that can be checked by the headers (sections 5, 7 and 8).
import type { IncomingMessage } from 'node:http';
import type { Account } from './accounts.ts';
import { errorAnswer, retryAfter, type Answer } from './answers.ts';
import type { Context } from './context.ts';
import type { RequestRecord } from './request-log.ts';

export type Admission = { account: Account } | { refusal: Answer };

// A multipart body is a little longer than its file; a body longer than this over the limit is too large for sure.
const mostEnvelopeBytes = 4096;

export function admit(context: Context, request: IncomingMessage, record: RequestRecord): Admission {
  const { knobs, accounts, clock } = context;
  const refuse = (status: number, message: string, headers: Record<string, string> = {}): Admission => {
    const answer = errorAnswer(knobs.errorShape, status, message);
    return { refusal: { ...answer, headers: { ...answer.headers, ...headers } } };
  };

  const key = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
  const account = key === undefined ? undefined : accounts.byKey(key);
  if (!account) return refuse(401, 'API key is invalid or missing');
  record.account = account.name;
  if (account.plan === 'Free') return refuse(403, 'Your plan does not support the API');

  const isUpload = record.path.endsWith('/upload');
  if (knobs.counted !== 'uploads' || isUpload) {
    const nowMs = clock.now();
    const { minute, day } = account;
    if (!minute.hasRoom(nowMs) || !day.hasRoom(nowMs)) {
      const waitMs = Math.max(minute.waitMs(nowMs), day.waitMs(nowMs));
      minute.refuse(nowMs);
      day.refuse(nowMs);
      noteCounts(context, account, record);
      return refuse(429, 'Rate limit exceeded', retryAfter(knobs.retryAfter, waitMs, nowMs));
    }
    if (knobs.counted !== 'accepted') count(context, account, record);
  }

  if (isUpload) {
    if (!account.uploads.hasRoom(clock.now())) {
      return refuse(knobs.dailyUploadsStatus, 'Daily upload limit exceeded');
    }
    const announced = Number(request.headers['content-length'] ?? 0);
    const { maxFileSizeBytes } = account.limits;
    if (maxFileSizeBytes !== null && announced > maxFileSizeBytes + mostEnvelopeBytes) {
      return { refusal: tooLarge(context) };
    }
  }
  return { account };
}

export function tooLarge({ knobs }: Context): Answer {
  return errorAnswer(knobs.errorShape, knobs.tooLargeStatus, 'File exceeds the maximum size of your plan');
}

/** For `counted: 'accepted'`: the answer decides. */
export function countAnswered(
  context: Context,
  account: Account,
  record: RequestRecord,
  answer: Answer,
): void {
  if (context.knobs.counted === 'accepted' && answer.status < 400) count(context, account, record);
}

function count(context: Context, account: Account, record: RequestRecord): void {
  const nowMs = context.clock.now();
  account.minute.count(nowMs);
  account.day.count(nowMs);
  noteCounts(context, account, record);
}

function noteCounts({ clock }: Context, account: Account, record: RequestRecord): void {
  record.minuteCount = account.minute.level(clock.now());
  record.dayCount = account.day.level(clock.now());
}
