// Goal 9 of performance: a ledger of 1,000,000 uploads answers as if it were small, and a transition costs little
// more than the flush of the disk it cannot do without. The rows are made by SQL, since through the port their
// making would take longer than everything that is measured.
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openLedger } from '../../src-main/adapters/ledger/ledger.ts';
import type { Ledger } from '../../src-main/engine/ports.ts';
import { judge, type Bench } from './frame.ts';
import { chart } from './show.ts';

const ROWS = 1_000_000;
/** The ledger that is measured at the moment. */
let rows = ROWS;
const PER_FOLDER = 100;
const START_MS = 1_700_000_000_000;
const STEP_MS = 12_000;
const words = 'report invoice holiday draft meeting scan photo budget contract notes'.split(' ');

const goals = { lookupP95Us: 30, searchP95Ms: 5, pageP95Ms: 1, transitionRatio: 1.5 };

export const bench: Bench = {
  name: 'ledger',
  goal: `${ROWS} uploads: lookups p95 ≤ ${goals.lookupP95Us} µs, search of 50 rows p95 ≤ ${goals.searchP95Ms} ms, page ≤ ${goals.pageP95Ms} ms, transition ≤ ${goals.transitionRatio} × append + fdatasync`,
  run: () => {
    const small = [ROWS / 100, ROWS / 10].map((count) => ({ count, ...measureIn(count, false) }));
    const large = { count: ROWS, ...measureIn(ROWS, true) };
    const judged = judge([
      { what: 'lookup p95, µs', value: large.lookupP95Us, atMost: goals.lookupP95Us },
      { what: 'search p95, ms', value: large.searchP95Ms, atMost: goals.searchP95Ms },
      { what: 'search by name p95, ms', value: large.searchByNameP95Ms, atMost: goals.searchP95Ms },
      { what: 'page p95, ms', value: large.pageP95Ms, atMost: goals.pageP95Ms },
      { what: 'transition ÷ plain', value: large.transitionRatio, atMost: goals.transitionRatio },
    ]);
    const growing = (title: string, value: (one: Figures) => number) =>
      chart(
        title,
        [...small, large].map((one) => ({ label: String(one.count), x: one.count, value: value(one) })),
      );
    const growth = {
      lookupP95Us: growing('Lookup p95, µs, by rows', (one) => one.lookupP95Us),
      searchP95Ms: growing('Search with its count p95, ms, by rows', (one) => one.searchP95Ms),
      pageP95Ms: growing('Page p95, ms, by rows', (one) => one.pageP95Ms),
    };
    return Promise.resolve({ ...judged, growth, details: large.details });
  },
};

type Figures = { lookupP95Us: number; searchP95Ms: number; searchByNameP95Ms: number; pageP95Ms: number };

const measureIn = (count: number, withTransition: boolean) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'outtray-bench-ledger-'));
  rows = count;
  try {
    return measure(folder, withTransition);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const measure = (folder: string, withTransition: boolean) => {
  const file = path.join(folder, 'ledger.sqlite');
  openLedger({ file, nowMs: Date.now }).close();
  const fillS = timed(() => fill(file)) / 1_000;
  const opened = performance.now();
  const ledger = openLedger({ file, nowMs: Date.now });
  const openMs = performance.now() - opened;
  const lookups = measureLookups(ledger);
  const searches = measureSearches(ledger);
  const newWordMs = measureNewWords(file);
  const pages = measurePages(ledger);
  const folderOf100 = measureFolder(ledger);
  const transition = withTransition ? measureTransition(ledger, path.join(folder, 'plain')) : null;
  ledger.close();
  const lookupP95Us = worst(lookups) * 1_000;
  const searchP95Ms = Math.max(searches.uploaded.p95Ms, searches.size.p95Ms);
  const searchByNameP95Ms = searches.name.p95Ms;
  const pageP95Ms = worst(pages);
  const fileMiB = statSync(file).size / 2 ** 20;
  const details = {
    rows,
    fillS,
    openMs,
    fileMiB,
    lookups,
    searches,
    newWordMs,
    pages,
    folderOf100,
    transition,
  };
  return {
    lookupP95Us,
    searchP95Ms,
    searchByNameP95Ms,
    pageP95Ms,
    transitionRatio: transition?.ratio ?? null,
    details: rounded(details),
  };
};

// ---------------------------------------------------------------- the rows

const fill = (file: string): void => {
  const sqlite = new DatabaseSync(file);
  sqlite.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; PRAGMA cache_size = -262144');
  // Without its indices and triggers a table fills in a fifth of the time.
  const extras = sqlite
    .prepare(
      "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL",
    )
    .all();
  for (const { type, name } of extras) sqlite.exec(`DROP ${String(type)} ${String(name)}`);
  const pick = (seed: string) =>
    `CASE abs(${seed}) % ${words.length} ${words.map((word, at) => `WHEN ${at} THEN '${word}'`).join(' ')} END`;
  // A multiplicative hash: any row's values follow from its number.
  const mixed = (factor: number) => `((n * ${factor} + 12345) % 2147483647)`;
  const digest = `printf('%08x%08x%08x%08x%08x%08x%08x%08x', ${[48271, 69621, 40692, 39373, 16807, 30269, 30307, 30323].map(mixed).join(', ')})`;
  const name = `${pick(mixed(48271))} || '-' || ${pick(mixed(69621))} || '-' || (${mixed(16807)} % 1000000) || '.pdf'`;
  sqlite.exec(`
    INSERT INTO folders VALUES (1, '/home/me/tray', 'identity', ${START_MS}, 1);
    INSERT INTO dirs SELECT n, 1, '/home/me/tray/d' || n FROM (${series(rows / PER_FOLDER)});
  `);
  sqlite.exec(`
    INSERT INTO uploads (id, folder, dir_id, present, state, bucket, priority, name, name_key, stamp_key, size_bytes, mtime_ms,
        ctime_ms, inode, attempts, confirmed, created_at_ms, changed_at_ms, uploaded_at_ms, file_id, remote_size,
        sent_name, sha256, public_link)
      SELECT n, 1, 1 + (n - 1) / ${PER_FOLDER}, 1, 'uploaded', 'uploaded', 0,
        ${name}, ${name},
        n || ':1700000000000000000:1700000000000000000:64769:' || n, ${mixed(40692)} % 10000000, 1.5, 1.5,
        '64769:' || n, 1, 0, ${START_MS}, ${START_MS}, ${START_MS} + n * ${STEP_MS}, 5000000 + n, 1,
        NULL, ${digest}, 'https://files.example.com/download/' || substr(${digest}, 1, 12)
      FROM (${series(rows)});
    INSERT INTO files SELECT * FROM our_files;
    INSERT INTO files_text (rowid, body)
      SELECT id, name_key || char(10) || lower(link) || char(10) || file_id FROM files;
  `);
  for (const { sql } of extras) sqlite.exec(String(sql));
  sqlite.close();
};

const series = (count: number): string =>
  `WITH RECURSIVE series (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < ${count}) SELECT n FROM series`;

// ---------------------------------------------------------------- what is measured

const measureLookups = (ledger: Ledger) => {
  const some = Array.from({ length: 2_000 }, () => ledger.uploads.byId(any(rows) + 1)).filter(
    (one) => one !== null,
  );
  return {
    byId: spread(some, ({ id }) => ledger.uploads.byId(id)),
    presentAt: spread(some, ({ folderId, dir, name }) => ledger.uploads.presentAt(folderId, dir, name)),
    byFileId: spread(some, ({ fileId }) => ledger.uploads.byFileId(fileId ?? 0)),
    uploadedBySha: spread(some, ({ sha256 }) => ledger.uploads.uploadedBySha(sha256 ?? '')),
    knowsSize: spread(some, ({ stamp }) => ledger.uploads.knowsSize(stamp?.sizeBytes ?? 0)),
    counts: spread(some, () => ledger.uploads.counts(1)),
    backlog: spread(some, () => ledger.uploads.backlog()),
    newestReady: spread(some, () => ledger.uploads.inState('ready', 1, 'newest')),
  };
};

/** What a scan asks once per folder. */
const measureFolder = (ledger: Ledger): Spread =>
  spread(
    Array.from({ length: 500 }, () => `/home/me/tray/d${any(rows / PER_FOLDER) + 1}`),
    (dir) => ledger.uploads.stampsIn(1, dir, false),
  );

/** What people type: a word as it grows, two words, a number, a piece of a link, a whole link, an id, nonsense. */
const queries = (ledger: Ledger): string[] => {
  const some = Array.from({ length: 60 }, () => ledger.uploads.byId(any(rows) + 1)).filter(
    (one) => one !== null,
  );
  return some.flatMap(({ name, publicLink, fileId }) => [
    name.slice(0, 3),
    name.slice(0, 5),
    name.slice(0, -6),
    name,
    name.slice(-8),
    (publicLink ?? '').slice(-8),
    publicLink ?? '',
    String(fileId),
    `${name.slice(2, 6)}zq`,
  ]);
};

const first50 = (ledger: Ledger, sort: 'uploaded' | 'name' | 'size', search: string) =>
  ledger.uploads.page({ search, place: 'all', sort, descending: sort !== 'name', after: null, limit: 50 });

const measureSearches = (ledger: Ledger) => {
  const by = (sort: 'uploaded' | 'name' | 'size') =>
    spread(queries(ledger), (search) => first50(ledger, sort, search));
  return { uploaded: by('uploaded'), name: by('name'), size: by('size') };
};

/** The slowest word, of words that are searched for the first time, in the order that passes the most rows first. */
const measureNewWords = (file: string): number => {
  const ledger = openLedger({ file, nowMs: Date.now });
  const slowestMs = Math.max(...words.map((word) => timed(() => first50(ledger, 'name', word))));
  ledger.close();
  return slowestMs;
};

const measurePages = (ledger: Ledger) => {
  const by = (sort: 'uploaded' | 'name' | 'size' | 'downloads') => {
    let after: string | null = null;
    return spread(Array.from({ length: 500 }), () => {
      const page = ledger.uploads.page({
        search: '',
        place: 'all',
        sort,
        descending: true,
        after,
        limit: 100,
      });
      after = page.next;
    });
  };
  return { uploaded: by('uploaded'), name: by('name'), size: by('size'), downloads: by('downloads') };
};

/** In turn, so that both meet the same disk; the median of the per-round ratios. */
const measureTransition = (ledger: Ledger, plainFile: string) => {
  const uploads = Array.from({ length: 8 }, (_, at) =>
    ledger.uploads.insert(
      { folderId: 1, dir: '/home/me/tray', name: `new-${at}`, stamp: null, state: { kind: 'ready' } },
      START_MS,
    ),
  );
  const plain = openSync(plainFile, 'a');
  const line = Buffer.alloc(200, 'x');
  const EACH = 100;
  const rounds = Array.from({ length: 15 }, () => {
    const transitionMs = timed(() => {
      for (let turn = 0; turn < EACH; turn += 1) {
        const upload = uploads[turn % uploads.length];
        if (upload === undefined) continue;
        const state =
          turn % 16 < 8 ? ({ kind: 'sending', attemptId: turn } as const) : ({ kind: 'ready' } as const);
        ledger.atomically(() => {
          ledger.uploads.update(upload.id, { state }, START_MS + turn);
          ledger.entries.add(upload.id, '/home/me/tray/new', { kind: 'uploading' }, START_MS + turn);
        });
      }
    });
    const plainMs = timed(() => {
      for (let turn = 0; turn < EACH; turn += 1) {
        writeSync(plain, line);
        fdatasyncSync(plain);
      }
    });
    return { transitionMs: transitionMs / EACH, plainMs: plainMs / EACH };
  }).slice(1);
  closeSync(plain);
  return {
    ratio: median(rounds.map(({ transitionMs, plainMs }) => transitionMs / plainMs)),
    transitionMs: median(rounds.map((round) => round.transitionMs)),
    plainMs: median(rounds.map((round) => round.plainMs)),
  };
};

// ---------------------------------------------------------------- numbers

const any = (below: number): number => Math.floor(Math.random() * below);

const timed = (act: () => void): number => {
  const start = performance.now();
  act();
  return performance.now() - start;
};

/** `cpu` beside the wall: on a busy machine they differ, and then only `cpu` says something about the ledger. */
type Spread = { p95Ms: number; cpuP95Ms: number };

const spread = <T>(inputs: readonly T[], act: (input: T) => unknown): Spread => {
  for (const input of inputs.slice(0, 50)) act(input);
  const times = inputs.map((input) => {
    const before = process.cpuUsage();
    const wallMs = timed(() => void act(input));
    const { user, system } = process.cpuUsage(before);
    return { wallMs, cpuMs: (user + system) / 1_000 };
  });
  const at95 = (values: number[]) =>
    values.sort((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN;
  return { p95Ms: at95(times.map(({ wallMs }) => wallMs)), cpuP95Ms: at95(times.map(({ cpuMs }) => cpuMs)) };
};

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const worst = (times: Record<string, Spread>): number =>
  Math.max(...Object.values(times).map(({ p95Ms }) => p95Ms));
/** Three digits are exact enough. */
const rounded = (figures: unknown): unknown =>
  JSON.parse(
    JSON.stringify(figures, (_, value: unknown) =>
      typeof value === 'number' ? Number(value.toPrecision(3)) : value,
    ),
  );
