// The formats bound to the language in force: what views and parts call.
import type { AppError, ErrorCode } from '../../src-main/contract/errors.ts';
import { isErrorCode } from '../../src-main/contract/errors.ts';
import type { WaitReason } from '../../src-main/contract/model.ts';
import * as format from './format.ts';
import { language, locale, say } from './say.svelte.ts';

export const size = (sizeBytes: number): string => format.formatSize(locale(), sizeBytes);
export const count = (value: number): string => format.formatCount(locale(), value);
export const percent = (share: number): string => format.formatPercent(locale(), share);
export const time = (atMs: number): string => format.formatTime(locale(), atMs);
export const exact = (atMs: number): string => format.formatExact(locale(), atMs);
export const when = (nowMs: number, atMs: number): string =>
  format.formatWhen(locale(), nowMs, atMs, say('time.now'));
export const until = (nowMs: number, atMs: number): string => format.formatUntil(locale(), nowMs, atMs);
export const day = (nowMs: number, atMs: number): string => format.formatDay(locale(), nowMs, atMs);
export const wait = (waitMs: number): string => format.formatWait(locale(), waitMs);

export const asOf = (nowMs: number, atMs: number | null): string =>
  atMs === null ? say('asOf.never') : say('asOf', { time: until(nowMs, atMs) });

export const waitReason = (reason: WaitReason): string => say(`wait.${reason}`);

/** The sentence for a problem. The engine's own words are more exact, but English. */
export const problem = (error: { code: string; message: string; remedy: string }): string =>
  language() === 'en' || !isErrorCode(error.code)
    ? [error.message, error.remedy].filter((text) => text !== '').join(' ')
    : problemByCode(error.code);

const problemByCode = (code: ErrorCode): string => say(`error.${code}`);

export type Problem = Pick<AppError, 'code' | 'message' | 'remedy'>;
