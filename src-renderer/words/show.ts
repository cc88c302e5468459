// The formats bound to the current language: what views and parts call.
import type { Check, FollowPrice, KeyState } from '../../src-main/contract/answers.ts';
import * as format from '../../src-main/contract/text/formats.ts';
import { isErrorCode } from '../../src-main/contract/errors.ts';
import type { WaitReason } from '../../src-main/contract/model.ts';
import {
  checkText,
  keyRemedy as rawKeyRemedy,
  problemText,
  remedyText,
  type CheckText,
  type Problem,
} from '../../src-main/contract/text/problem-text.ts';
import { locale, say, speech } from './say.svelte.ts';

export const size = (sizeBytes: number): string => format.formatSize(locale(), sizeBytes);
export const count = (value: number): string => format.formatCount(locale(), value);
/** NaN for what is no number. */
/** As a person types it into a field. */
export const typed = (value: string): string => format.typedNumber(locale(), value);
export const numberIn = (text: string): number => format.readNumber(locale(), text);
export const percent = (share: number): string => format.formatPercent(locale(), share);
export const time = (atMs: number): string => format.formatTime(locale(), atMs);
export const exact = (atMs: number): string => format.formatExact(locale(), atMs);
export const when = (nowMs: number, atMs: number): string =>
  format.formatWhen(locale(), nowMs, atMs, say('time.now'));
export const until = (nowMs: number, atMs: number): string => format.formatUntil(locale(), nowMs, atMs);
export const span = (nowMs: number, fromMs: number, toMs: number): string =>
  format.formatSpan(locale(), nowMs, fromMs, toMs);
/** Within a sentence: "at 14:21", "tomorrow at 09:00", "on 24 Nov at 09:00". */
export const at = (nowMs: number, atMs: number): string => {
  const days = format.daysBetween(nowMs, atMs);
  const key = days === 0 ? 'when.today' : days === -1 ? 'when.tomorrow' : 'when.day';
  return say(key, { time: time(atMs), day: day(nowMs, atMs) });
};
/** "in 3 days". */
export const within = (nowMs: number, atMs: number): string => format.formatWithin(locale(), atMs - nowMs);
export const day = (nowMs: number, atMs: number): string => format.formatDay(locale(), nowMs, atMs);
export const dayHeading = (nowMs: number, atMs: number): string =>
  format.formatDayHeading(locale(), nowMs, atMs);
export const lasted = (ms: number): string => format.formatLasted(locale(), ms);
export const wait = (waitMs: number): string => format.formatWait(locale(), waitMs);

/** What the checks of all followed links cost. */
export const followPrice = ({ links, requestsPerDay, dayLimit, everyMs }: FollowPrice): string =>
  say('follow.price', { links, requests: requestsPerDay, limit: dayLimit, every: wait(everyMs) });

export const asOf = (nowMs: number, atMs: number | null): string =>
  atMs === null ? say('asOf.never') : say('asOf', { time: until(nowMs, atMs) });

export const waitReason = (reason: WaitReason): string => say(`wait.${reason}`);

/** What went wrong and what can be done. */
export const problem = (error: Problem): string => problemText(speech(), error);
/** What went wrong; `exact`: with the sizes and names of this one file. */
export const failure = ({ code, message }: Problem, exact: boolean): string => {
  const common = isErrorCode(code) ? say(`error.${code}`) : message;
  return exact && speech().language === 'en' ? message : common;
};
export const remedy = (error: Problem): string => remedyText(speech(), error);
export const keyRemedy = (key: KeyState): string => rawKeyRemedy(speech(), key);
export const check = (of: Check): CheckText => checkText(speech(), of);
