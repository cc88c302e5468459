// Numbers, times and tables as the command prints them.
import type { Wording } from '../../contract/text/wording.ts';
import { troubleText } from './typed.ts';
import { fileIdFrom, type FileId } from '../../contract/text/file-id.ts';
import { queueIdText } from '../../contract/text/named-file.ts';
import { resolve } from 'node:path';
import { printable } from '../../contract/text/printable.ts';
import { columnsOf, middleEllipsis } from './terminal-text.ts';
import type { LinkState } from '../../contract/files/taken-back.ts';
import { AppError } from '../../contract/errors.ts';
import {
  readExpiry,
  readPause,
  type ExpireWish,
  type Read,
  type WhenProblem,
} from '../../contract/expiry.ts';
import type { Io } from '../io.ts';
import type { Counts, FolderStatus, WaitReason } from '../../contract/model.ts';
import { formatLasted, formatSize, formatWait, sharedDriveText } from '../../contract/text/formats.ts';

/** The command writes sizes and spans in English, as the window does there. */
export const bytesText = (bytes: number): string => formatSize('en', bytes);
/** How long something was so: "40 seconds". */
export const lastedText = (ms: number): string => formatLasted('en', ms);
/** How long something takes, rounded up: "1 h 20 min". */
export const waitText = (ms: number): string => formatWait('en', ms);

/** "3 uploaded (2 of them before), 1 held": counts of 0 are left out, except `uploaded`. */
export const countsText = (counts: Counts, before = 0): string =>
  Object.entries(counts)
    .filter(([name, count]) => name === 'uploaded' || count > 0)
    .map(([name, count]) => {
      const part = name === 'uploaded' && before > 0 ? ` (${before} of them before)` : '';
      return `${count} ${name}${part}`;
    })
    .join(', ');

/** The locale for times; undefined: the system's. Looked up only when a time is written: the lookup takes 10 ms. */
export type InLocale = { locale: () => string | undefined };

/** "20:23" today, "Nov 23, 2026, 8:00 AM" otherwise, as the user's locale has it. */
export const timeText = (atMs: number, nowMs: number, where: InLocale): string => {
  const isToday = new Date(nowMs).toDateString() === new Date(atMs).toDateString();
  if (!isToday) return formatted(atMs, where, { timeStyle: 'short' });
  return new Intl.DateTimeFormat(where.locale(), { timeStyle: 'short' }).format(atMs);
};

/** The service names no time zone, so its time is formatted but not converted. Text that is no time stays unchanged. */
export const givenTimeText = (text: string, where: InLocale): string => {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return text;
  const atMs = Date.parse(`${text.replace(' ', 'T')}Z`);
  return Number.isNaN(atMs) ? text : formatted(atMs, where, { timeStyle: 'short', timeZone: 'UTC' });
};

/** With the date, in medium style; in the C locale in short style, because medium would name the month in Swedish. */
const formatted = (atMs: number, where: InLocale, more: Intl.DateTimeFormatOptions): string => {
  const locale = where.locale();
  const dateStyle = locale === plainLocale ? 'short' : 'medium';
  return new Intl.DateTimeFormat(locale, { dateStyle, ...more }).format(atMs);
};

/** The age of what the ledger knows about the account. */
export const asOfText = (asOfMs: number | null, nowMs: number, where: InLocale): string =>
  asOfMs === null
    ? 'as known to this machine: the account’s list has not been read yet'
    : `as of ${timeText(asOfMs, nowMs, where)}`;

/** The C locale, which no library of dates knows, writes 2026-11-23 20:23; so does Swedish. */
const plainLocale = 'sv-SE';

/**
 * Which locale times are written in: LC_ALL, LC_TIME, LANG, the first that is set. None of them is the C locale, except
 * on Windows, which keeps it elsewhere (undefined: the system's).
 */
export const timeLocale = (env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | undefined => {
  const named = [env['LC_ALL'], env['LC_TIME'], env['LANG']].find((one) => one !== undefined && one !== '');
  if (named === undefined) return platform === 'win32' ? undefined : plainLocale;
  const tag = named.replace(/[.@].*$/, '').replaceAll('_', '-');
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag)[0] ?? plainLocale;
  } catch {
    return plainLocale;
  }
};

/** Why everything waits, and when it is tried again. */
export const closedText = (
  body: { reason: WaitReason; untilMs: number | null; message: string; remedy: Wording },
  nowMs: number,
  where: InLocale,
): string => {
  const until = body.untilMs === null ? null : timeText(body.untilMs, nowMs, where);
  if (body.reason === 'service' && until !== null)
    return printable(`The service has problems; next try ${until}. ${body.message}`);
  return `Waiting${until === null ? '' : ` until ${until}`}: ${printable(troubleText(body))}`;
};

/** What became of an upload without a usable answer, and what Outtray does next. */
export const unansweredText = (
  detail: { message?: string; untilMs?: number },
  nowMs: number,
  where: InLocale,
): string =>
  [
    'sent, but it is not known whether it arrived.',
    printable(detail.message ?? ''),
    `Outtray checks the list of files${detail.untilMs === undefined ? '' : ` at ${timeText(detail.untilMs, nowMs, where)}`} before sending it again.`,
  ]
    .filter((part) => part !== '')
    .join(' ');

/** For a file that arrived in the folder and waits before it becomes public. */
export const graceText = (wait: { untilMs: number | null; id: number; nowMs: number }): string => {
  const seconds = Math.max(1, Math.ceil(((wait.untilMs ?? wait.nowMs) - wait.nowMs) / 1000));
  return `is uploaded in ${seconds} s; \`outtray cancel ${queueIdText(wait.id)}\` stops it.`;
};

/** The folder, and what a person should know about its drive. */
export const folderText = ({ folder, scanMinutes }: Pick<FolderStatus, 'folder' | 'scanMinutes'>): string =>
  printable(folder) + (scanMinutes === undefined ? '' : ` (${sharedDriveText(scanMinutes)})`);

/** Left-aligned columns, right-aligned where asked; the last column is not padded. */
export const wordTable = (
  rows: readonly (readonly string[])[],
  rightAligned: readonly number[] = [],
): string[] => {
  const widths: number[] = [];
  const clean = rows.map((row) => row.map((cell) => printable(cell)));
  for (const row of clean) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, columnsOf(cell));
  }
  return clean.map((row) =>
    row
      .map((cell, i) => {
        const padding = ' '.repeat(Math.max(0, (widths[i] ?? 0) - columnsOf(cell)));
        if (rightAligned.includes(i)) return padding + cell;
        return i === row.length - 1 ? cell : cell + padding;
      })
      .join('  '),
  );
};

export const nameText = (name: string, columns = 48): string => middleEllipsis(printable(name), columns);

/** When a pause ends; null: it lasts until resumed. Throws `bad-use`. */
export const pauseEnd = (text: string, nowMs: number): number | null =>
  read(readPause(text, nowMs), `${whens}, or nothing: until resumed.`);

/** When a link ends. Throws `bad-use`. */
export const expiryFrom = (text: string, nowMs: number): ExpireWish =>
  read(readExpiry(text, nowMs), `${whens}, or never.`);

const whens = 'Give 15m, 1h, 7d, 2w, tomorrow, a date such as 2026-12-31';

const read = <Wish>(answer: Read<Wish>, remedy: string): Wish => {
  if (answer.ok) return answer.wish;
  throw new AppError('bad-use', whenProblems[answer.problem], remedy);
};

const whenProblems: Record<WhenProblem, string> = {
  unreadable: 'This is neither a time span nor a date.',
  past: 'That time has already passed.',
  'too-far': 'This is more than ten years from now.',
};

/** Throws `bad-use`. */
export const fileIdsFrom = (texts: readonly string[]): FileId[] =>
  texts.map((text) => {
    const fileId = fileIdFrom(text.replace(/^0+/, ''));
    if (fileId !== null) return fileId;
    throw new AppError('bad-use', 'An id is a whole number, 1 or higher.', 'See `outtray list`.');
  });

/**
 * The absolute path. Throws `bad-use` for an empty text, as from a shell variable that is not set: it would mean the
 * current folder with everything in it.
 */
export const pathFrom = (text: string, { cwd }: Pick<Io, 'cwd'>): string => {
  if (text === '')
    throw new AppError('bad-use', 'The path is empty.', 'Name the file or folder; `.` is the current one.');
  return resolve(cwd, text);
};

/** A whole number from 1 up. `what` begins the sentence about one that is not. Throws `bad-use`. */
export const wholeFrom = (text: string, what: string, remedy: string): number => {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= 1) return value;
  throw new AppError('bad-use', `${what} is a whole number, 1 or higher.`, remedy);
};

export const linkStateWords: Record<LinkState, string> = {
  dead: 'dead',
  answers: 'still answers',
  'not-proven': 'not proven',
};
