// Admission: key, plan, rate, and the limits that can be checked by the headers (sections 5, 7 and 8).
import type { IncomingMessage } from 'node:http';
import type { Account } from './accounts.ts';
import { errorAnswer, type Answer } from './answers.ts';
import type { Context } from './context.ts';
import type { RequestRecord } from './request-log.ts';

export type Admission = { account: Account } | { refusal: Answer };

// A multipart body is a little longer than its file; a body longer than this over the limit is too large for sure.
const mostEnvelopeBytes = 4096;

export function admit(context: Context, request: IncomingMessage, record: RequestRecord): Admission {
  const { knobs, accounts, clock } = context;
  const refuse = (status: number, message: string): Admission => ({ refusal: errorAnswer(status, message) });

  const key = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
  const account = key === undefined ? undefined : accounts.byKey(key);
  if (!account) return refuse(401, 'API key is invalid or missing');
  record.account = account.name;
  if (account.plan === 'Free') return refuse(403, 'Your plan does not support the API');

  const isUpload = record.path.endsWith('/upload');
  const nowMs = clock.now();
  const { minute, day } = account;
  const hasRoom = minute.hasRoom(nowMs) && day.hasRoom(nowMs);
  if (hasRoom) for (const window of [minute, day]) window.count(nowMs);
  record.minuteCount = minute.level(nowMs);
  record.dayCount = day.level(nowMs);
  if (!hasRoom) {
    const headers: Record<string, string> =
      knobs.retryAfter === null ? {} : { 'retry-after': knobs.retryAfter };
    return { refusal: { ...errorAnswer(429, 'Rate limit exceeded'), headers } };
  }

  if (isUpload) {
    if (!account.uploads.hasRoom(clock.now())) {
      return refuse(403, 'Daily upload limit exceeded');
    }
    const announced = Number(request.headers['content-length'] ?? 0);
    const { maxFileSizeBytes } = account.limits;
    if (maxFileSizeBytes !== null && announced > maxFileSizeBytes + mostEnvelopeBytes) {
      return { refusal: tooLarge };
    }
  }
  return { account };
}

export const tooLarge = errorAnswer(403, 'File exceeds the maximum size of your plan');
