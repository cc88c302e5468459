// Lines for a terminal of a given width. Links are never cut or broken: one that does not fit beside the rest gets a
// line of its own. Pure.
import { printable } from '../../contract/text/printable.ts';
import { columnsOf } from './terminal-text.ts';
import type { OutStream } from '../io.ts';
import { bytesText, nameText, wordTable } from './words.ts';

/** Columns of a terminal; null: it is none. */
export const columnsOfStream = ({ isTTY, columns }: OutStream): number | null =>
  isTTY === true ? Math.max(20, columns || 80) : null;

const gap = 2;

/** A cell wider than this share, such as a path or a link, shifts no other row. `first`: the name of the row. */
const mostShare = { first: 2 / 3, other: 1 / 2 };

/**
 * A table that fits: a row wider than the terminal continues on an indented line from the first cell that does not fit.
 * `columns`: null where there is no terminal.
 */
export const tableLines = (
  rows: readonly (readonly string[])[],
  columns: number | null,
  rightAligned: readonly number[] = [],
): string[] => {
  const whole = wordTable(rows, rightAligned).map((line) => line.trimEnd());
  if (columns === null || whole.every((line) => columnsOf(line) <= columns)) return whole;
  const clean = rows.map((row) => row.map((cell) => printable(cell)));
  const widths: number[] = [];
  for (const row of clean)
    for (const [i, cell] of row.entries()) {
      const width = columnsOf(cell);
      const share = i === 0 ? mostShare.first : mostShare.other;
      if (width <= columns * share) widths[i] = Math.max(widths[i] ?? 0, width);
    }
  return clean.flatMap((row) => folded(row, columns, { widths, rightAligned }));
};

const folded = (
  row: readonly string[],
  columns: number,
  { widths, rightAligned }: { widths: readonly number[]; rightAligned: readonly number[] },
): string[] => {
  let first = '';
  let at = 0;
  for (const [i, cell] of row.entries()) {
    const padding = ' '.repeat(Math.max(0, (widths[i] ?? 0) - columnsOf(cell)));
    const next = `${first}${i === 0 ? '' : '  '}${rightAligned.includes(i) ? padding + cell : cell + padding}`;
    if (i > 0 && columnsOf(next.trimEnd()) > columns) break;
    first = next;
    at = i + 1;
  }
  const below: string[] = [];
  for (const cell of row.slice(at).filter((one) => one !== '')) {
    const beside = `${below.at(-1) ?? ''}  ${cell}`;
    if (below.length > 0 && columnsOf(beside) <= columns) below[below.length - 1] = beside;
    else below.push(ownLine(cell, columns));
  }
  return [first.trimEnd(), ...below].filter((line) => line !== '');
};

/** Indents a link unless that would break it. */
const ownLine = (link: string, columns: number): string =>
  columnsOf(printable(link)) + gap <= columns ? `  ${link}` : link;

const shortestName = 12;

export const widestName = (names: readonly string[]): number =>
  names.reduce((most, name) => Math.max(most, columnsOf(printable(name))), 0);

/** A link beside the name of its file, which is padded to the longest, or below it. */
export const linkLines = (
  file: { name: string; link: string },
  nameColumns: number,
  columns: number,
): string[] => {
  const room = columns - columnsOf(printable(file.link)) - gap;
  if (room < shortestName) return [nameText(file.name, columns), ownLine(file.link, columns)];
  const width = Math.min(room, nameColumns);
  return [`${padded(nameText(file.name, width), width)}  ${file.link}`];
};

const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - columnsOf(text)));

export type BarCells = {
  /** "3 of 20" where there are several files. */
  count?: string;
  /** The file that is being uploaded. */
  name: string;
  sentBytes: number;
  totalBytes: number;
  /** null: not known yet. */
  bytesPerSecond: number | null;
};

/** The percentage always shows; the rest as far as there is room: time left, speed, a bar, sizes. */
export const barLine = (cells: BarCells, columns: number): string => {
  const { sentBytes, totalBytes, bytesPerSecond } = cells;
  const share = totalBytes === 0 ? 0 : Math.min(1, sentBytes / totalBytes);
  const room = columns - 1;
  let used = 4;
  const fits = (width: number, nameColumns: number): boolean => {
    if (used + width + 2 + nameColumns > room) return false;
    used += width + 1;
    return true;
  };
  const left = fits(7, 10) ? leftText(cells) : null;
  const pace = fits(9, 10) ? (bytesPerSecond === null ? '' : `${bytesText(bytesPerSecond)}/s`) : null;
  const bar = fits(12, 16) ? Math.round(share * 12) : null;
  const sizes = fits(18, 16) ? `${bytesText(sentBytes)} of ${bytesText(totalBytes)}` : null;
  const nameColumns = Math.max(1, room - used - 1);
  return [
    padded(labelText(cells, nameColumns), nameColumns),
    bar === null ? null : '━'.repeat(bar) + '─'.repeat(12 - bar),
    `${Math.floor(share * 100)}%`.padStart(4),
    sizes?.padStart(18),
    pace?.padStart(9),
    left?.padStart(7),
  ]
    .filter((part) => part !== null && part !== undefined)
    .join(' ');
};

/** A name that would be cut to less than its ending is left out. */
const labelText = ({ count, name }: BarCells, columns: number): string => {
  if (count === undefined) return nameText(name, columns);
  const room = columns - count.length - 2;
  return room < 8 ? count : `${count}: ${nameText(name, room)}`;
};

/** Everything is sent, and the service has not answered yet. */
const storing = 'storing';

const leftText = ({ sentBytes, totalBytes, bytesPerSecond }: BarCells): string => {
  if (sentBytes >= totalBytes) return storing;
  if (bytesPerSecond === null || bytesPerSecond <= 0) return '';
  const seconds = Math.ceil((totalBytes - sentBytes) / bytesPerSecond);
  const two = (value: number): string => String(value).padStart(2, '0');
  if (seconds < 3600) return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
  return seconds < 360_000
    ? `${Math.floor(seconds / 3600)}h${two(Math.floor((seconds % 3600) / 60))}`
    : '>99h';
};

const paceWindowMs = 5000;

/** Bytes per second over the last seconds. */
export const createPace = () => {
  let samples: { atMs: number; bytes: number }[] = [];
  return {
    /** `bytes`: all so far. */
    at(atMs: number, bytes: number): number | null {
      samples = [...samples.filter((one) => atMs - one.atMs <= paceWindowMs), { atMs, bytes }];
      const [first] = samples;
      if (first === undefined || atMs - first.atMs < 300) return null;
      return Math.max(0, (1000 * (bytes - first.bytes)) / (atMs - first.atMs));
    },
  };
};
