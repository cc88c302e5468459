// Goal 10 of performance: pages and searches of Files among 100,000 rows, and how they grow.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openLedger } from '../../src-main/adapters/ledger/ledger.ts';
import type { Ledger } from '../../src-main/engine/ports/ledger.ts';
import { nameOf, writeManyUploads } from '../support/window/many-uploads.ts';
import { judge, type Bench } from './frame.ts';
import { chart, quantile, rounded, showTable } from './show.ts';

const ROWS = 100_000;
const sizes = [ROWS / 10, ROWS, ROWS * 10];
const goals = { p95Ms: 16, maxMs: 150 };
const sorts = ['uploaded', 'name', 'size', 'downloads'] as const;
type Query = Parameters<Ledger['views']['page']>[0];

export const bench: Bench = {
  name: 'files-list',
  goal: `${ROWS} rows, every sort: a page, a search of 3 letters and of 1: p95 ≤ ${goals.p95Ms} ms, no query over ${goals.maxMs} ms`,
  run: () => {
    const measured = sizes.map((rows) => ({ rows, figures: measureIn(rows) }));
    const judgedAt = measured.find(({ rows }) => rows === ROWS)?.figures ?? [];
    const judged = judge([
      ...judgedAt.map(({ what, p95Ms }) => ({ what: `${what} p95, ms`, value: p95Ms, atMost: goals.p95Ms })),
      { what: 'slowest, ms', value: Math.max(...judgedAt.map(({ maxMs }) => maxMs)), atMost: goals.maxMs },
    ]);
    const growth = Object.fromEntries(
      judgedAt.map(({ what }) => [
        what,
        chart(
          `${what} p95, ms, by rows`,
          measured.map(({ rows, figures }) => ({
            label: String(rows),
            x: rows,
            value: figures.find((figure) => figure.what === what)?.p95Ms ?? Number.NaN,
          })),
        ),
      ]),
    );
    return Promise.resolve({ ...judged, growth, details: measured });
  },
};

/** Milliseconds of processor time: on a busy machine wall time means little for the ledger. */
type Figure = { what: string; p95Ms: number; maxMs: number };

const measureIn = (rows: number): Figure[] => {
  const folder = mkdtempSync(path.join(tmpdir(), 'outtray-bench-files-'));
  const file = path.join(folder, 'ledger.sqlite');
  try {
    writeManyUploads(file, rows);
    const ledger = openLedger({ file, nowMs: Date.now });
    const figures = measure(ledger, rows);
    ledger.close();
    showTable(
      [`${rows} rows, ${rounded(statSync(file).size / 2 ** 20)} MiB`, 'p95, ms', 'slowest, ms'],
      figures.map(({ what, p95Ms, maxMs }) => [what, rounded(p95Ms), rounded(maxMs)]),
    );
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const measure = (ledger: Ledger, rows: number): Figure[] => {
  const some = Array.from({ length: 30 }, () => nameOf(any(rows)));
  const piece = (name: string, length: number): string => {
    const at = any(name.length - length + 1);
    return name.slice(at, at + length);
  };
  const searches = (list: readonly string[]) => list.map((search) => ({ search }));
  return [
    figure(ledger, 'page', [{}, { place: 'ours' }]),
    figure(ledger, 'jump half-way', [{ offset: rows / 2 }]),
    figure(ledger, 'search of 1 letter', searches([...new Set(some.join(''))])),
    figure(ledger, 'search of 3 letters', searches(some.map((name) => piece(name, 3)))),
    figure(ledger, 'search of words', searches(some.flatMap((name) => [name, name.slice(0, 5)]))),
    figure(
      ledger,
      'search of several words',
      searches(some.map((name) => `${name.slice(-7)} ${name.slice(0, 4)} ${piece(name, 2)}`)),
    ),
    figure(ledger, 'search of no file', searches(['~', 'zq', 'zqx', 'render-zq', 'pdf zq', 'zq a'])),
  ];
};

/** Each query in every order, five times. */
const figure = (ledger: Ledger, what: string, queries: readonly Partial<Query>[]): Figure => {
  const times = queries.flatMap((query) =>
    sorts.flatMap((sort) =>
      [true, false].flatMap((descending) =>
        Array.from({ length: 5 }, () => {
          const before = process.cpuUsage();
          ledger.views.page({
            search: '',
            place: 'all',
            after: null,
            limit: 60,
            ...query,
            sort,
            descending,
          });
          const { user, system } = process.cpuUsage(before);
          return (user + system) / 1_000;
        }),
      ),
    ),
  );
  return { what, p95Ms: quantile(times, 0.95), maxMs: Math.max(...times) };
};

const any = (below: number): number => Math.floor(Math.random() * below);
