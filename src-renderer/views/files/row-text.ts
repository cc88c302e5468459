// The texts of a row's cells, and their tooltips.
import type { FileRow } from '../../../src-main/contract/model.ts';
import { say } from '../../words/say.svelte.ts';
import * as show from '../../words/show.ts';

/** The words that are the same in every row, looked up once. */
export const wordsOfRows = (mainKey: string) => ({
  copyLink: say('do.copyLink'),
  copied: say('do.copied'),
  linkHint: say('files.linkHint', { key: mainKey }),
  linkGone: say('files.linkGone'),
  noLink: say('files.noLink'),
  followed: say('files.followed'),
  remove: say('files.remove'),
  moreActions: say('do.moreActions', { name: '' }).trim(),
});

/** Wider than any real size or number of downloads: the service can send anything, and the column is narrow. */
const WIDEST = 10;
const fitting = (text: string): string => (text.length > WIDEST ? `${text.slice(0, WIDEST - 1)}…` : text);

export const countOf = (count: number | null): string => (count === null ? '–' : fitting(show.count(count)));

/** A number with an unknown unit is not shown as a size. */
export const sizeOf = (row: FileRow): string =>
  row.size !== null && row.sizeIsBytes ? fitting(show.size(row.size)) : '–';

export const exactSizeOf = (row: FileRow): string => {
  if (row.size === null) return say('unknown');
  return row.sizeIsBytes ? say('details.bytes', { count: row.size }) : say('size.unknownUnit');
};

export const uploadedOf = (row: FileRow, nowMs: number): { text: string; iso: string | null } => {
  if (row.uploadedAtMs !== null) {
    return { text: show.when(nowMs, row.uploadedAtMs), iso: new Date(row.uploadedAtMs).toISOString() };
  }
  if (row.uploadDate === null) return { text: '–', iso: null };
  const day = dayOf(row.uploadDate);
  return { text: day === null ? fitting(row.uploadDate) : show.day(nowMs, day), iso: null };
};

/** The service names no time zone: the day that it names, at noon. */
const dayOf = (date: string): number | null => {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)(?!\d)/.exec(date) ?? [];
  const atMs = new Date(Number(year), Number(month) - 1, Number(day), 12).getTime();
  return Number.isNaN(atMs) ? null : atMs;
};

export const exactUploadedOf = (row: FileRow): string => {
  if (row.uploadedAtMs !== null) return show.exact(row.uploadedAtMs);
  return row.uploadDate === null ? say('unknown') : say('details.asGiven', { text: row.uploadDate });
};

export const tagOf = (row: FileRow, nowMs: number): string => {
  // Nothing of it ends before a key of its account is back.
  if (row.place === 'other-account') return say('files.tag.other-account');
  // It was taken back, so nothing else about its link matters.
  if (row.linkState === 'answers' || row.linkState === 'not-proven') return say(`files.tag.${row.linkState}`);
  const tag = row.superseded
    ? say('files.tag.superseded')
    : row.place === 'gone-from-disk'
      ? say('files.tag.gone-from-disk')
      : '';
  return [tag, proofOf(row), endOf(row, nowMs)].filter((part) => part !== '').join(' · ');
};

/** What the last read of its link found. */
const proofOf = ({ wrong }: FileRow): string => (wrong === null ? '' : say(`files.tag.${wrong}`));

/** When its link ends; empty: never, or it has none. */
const endOf = ({ publicLink, expiresAtMs }: FileRow, nowMs: number): string => {
  if (publicLink === null || expiresAtMs === null) return '';
  return expiresAtMs <= nowMs
    ? say('files.tag.expired')
    : say('files.tag.expires', { when: show.within(nowMs, expiresAtMs) });
};
