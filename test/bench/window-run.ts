// The built app over a ledger of many uploads, on the stand-in for Electron with chromium, measured from inside its
// page (test/support/window/in-page.mjs).
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { openDatabase } from '../../src-main/adapters/ledger/database.ts';
import { createPages } from '../../src-main/adapters/ledger/views/pages.ts';
import { toAppError, type AppError } from '../../src-main/contract/errors.ts';
import { launchApp, type RunningApp } from '../support/app.ts';
import { writeManyUploads } from '../support/window/many-uploads.ts';
import { makePlace } from './outtray.ts';

/** Wrapped in a function, so that its names do not become the page's. */
const inPage = (file: string): string =>
  `(() => {${readFileSync(path.join(import.meta.dirname, '../support/window', file), 'utf8')}})()`;

/** The limiter is open: other benchmarks measure its waits. */
const openLimits = { requestsPerMinute: 100_000, requestsPerDay: 100_000_000, notify: false };

export type WindowRun = {
  page: Page;
  launchedAtMs: number;
  app: RunningApp;
  /** The home of the app; nothing else uses it. */
  home: string;
  /** Puts `eachSecond` files a second into the watched folder, for `seconds`. */
  putFiles(eachSecond: number, seconds: number): Promise<void>;
  end(): Promise<void>;
};

/**
 * Starts the app in its usual state: with key, folder and `rows` uploads. To show only its list it needs no service:
 * the list comes from the ledger.
 */
export const startWindow = async (
  rows: number,
  service: { baseUrl: string; key: string } = { baseUrl: 'http://127.0.0.1:9/api/v1', key: 'k' },
): Promise<WindowRun> => {
  const place = makePlace();
  const data = path.join(place.folder, 'outtray');
  const folder = path.join(place.folder, 'Shared');
  mkdirSync(data, { mode: 0o700, recursive: true });
  mkdirSync(folder);
  if (rows > 0) writeManyUploads(path.join(data, 'ledger.sqlite'), rows, 1_000_000);
  writeFileSync(path.join(data, 'settings.json'), JSON.stringify({ folder, ...openLimits }));
  const launchedAtMs = Date.now();
  const app = await launchApp({ home: place.folder, serviceUrl: service.baseUrl, apiKey: service.key });
  await app.window.locator('h1').first().waitFor({ state: 'attached' });
  await app.window.evaluate(inPage('in-page.mjs'));
  return {
    page: app.window,
    app,
    home: place.folder,
    launchedAtMs,
    async putFiles(eachSecond, seconds) {
      for (let at = 0; at < eachSecond * seconds; at += 1) {
        writeFileSync(path.join(folder, `new ${String(at)}.txt`), `content ${String(at)}`);
        await sleep(1_000 / eachSecond);
      }
    },
    async end() {
      await app.quit();
      place.remove();
    },
  };
};

/** Milliseconds from the start of the program, and from that of the page alone, to the first picture with content. */
export const firstPaint = async (run: WindowRun): Promise<{ startMs: number; pageMs: number }> => {
  const seen = await run.page.evaluate<{ originMs: number; paintMs: number }>('bench.firstPaint()');
  return { startMs: seen.originMs + seen.paintMs - run.launchedAtMs, pageMs: seen.paintMs };
};

export const roundTrips = (page: Page, times: number): Promise<number[]> =>
  page.evaluate<number[]>(`bench.roundTrips(${times})`);

/** Milliseconds in which the page gets the whole list, and those of them that the ledger needs. */
export const listTimes = async (run: WindowRun): Promise<{ pagesMs: number; ledgerMs: number }> => {
  const pagesMs = await run.page.evaluate<number>('bench.allPages()');
  const explain = (error: unknown): AppError => toAppError(error);
  const database = openDatabase(path.join(run.home, 'outtray/ledger.sqlite'), explain, { readOnly: true });
  try {
    const { page } = createPages(database);
    const fromMs = performance.now();
    for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false)
      after = page({ search: '', place: 'all', sort: 'uploaded', descending: true, after, limit: 500 }).next;
    return { pagesMs, ledgerMs: performance.now() - fromMs };
  } finally {
    database.close();
  }
};

/** Milliseconds from the event that `act` causes in the page until something that it changed is painted. */
export const reactionOf = async (
  page: Page,
  event: 'click' | 'keydown',
  act: () => Promise<void>,
): Promise<number> => {
  await page.evaluate(`bench.watchReaction('${event}')`);
  await act();
  return page.evaluate<number>('bench.seen()');
};

/** Milliseconds from the `event` that `act` causes in the page until what `selector` finds is there and painted. */
export const untilSeen = async (
  page: Page,
  event: 'drop' | 'keydown',
  selector: string,
  act: () => Promise<void>,
): Promise<number> => {
  await page.evaluate(`bench.watchUntil('${event}', ${JSON.stringify(selector)})`);
  await act();
  return page.evaluate<number>('bench.seen()');
};

/** The heap of the page's script, in bytes: with garbage, and without. */
export const heapOf = async (page: Page): Promise<{ taken: number; used: number }> => {
  const cdp = await page.context().newCDPSession(page);
  const { usedSize: taken } = await cdp.send('Runtime.getHeapUsage');
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize: used } = await cdp.send('Runtime.getHeapUsage');
  await cdp.detach();
  return { taken, used };
};

export type KeyTimes = { rowsMs: number; answeredMs: number };

/**
 * Types `text` key by key and waits each time for the answer: `rowsMs` until the first rows on screen are right and
 * painted, `answeredMs` until the count is as well. Keys that change nothing on screen are left out.
 */
export const typeSearch = async (page: Page, text: string): Promise<KeyTimes[]> => {
  const times: KeyTimes[] = [];
  for (let typed = 1; typed <= text.length; typed += 1) {
    const search = text.slice(0, typed);
    await page.evaluate(`bench.watchKey(${JSON.stringify(search)})`);
    await page.keyboard.press(search.slice(-1));
    const seen = await page.evaluate<{ [Name in keyof KeyTimes]: number | null } & { wasRight: boolean }>(
      'bench.keySeen()',
    );
    const { rowsMs, answeredMs, wasRight } = seen;
    if (rowsMs === null || answeredMs === null) throw new Error(`"${search}" was not answered in 10 s.`);
    if (!wasRight) times.push({ rowsMs, answeredMs });
  }
  return times;
};

/** Scrolls on by the wheel: what each frame took of the page's own thread, and the most rows mounted. */
export const scrollList = async (
  page: Page,
  wheels: number,
): Promise<{ framesMs: number[]; mounted: number }> => {
  await page.evaluate('bench.watchFrames()');
  const box = await page.getByRole('grid').boundingBox();
  await page.mouse.move((box?.x ?? 0) + 100, (box?.y ?? 0) + 200);
  // Steps, and now and then a long way at once.
  for (let at = 0; at < wheels; at += 1) await page.mouse.wheel(0, at % 10 === 9 ? 20_000 : 700);
  return page.evaluate('bench.framesSeen()');
};

/** Processor time of the page's thread and its parts; the rest is painting and the browser's own work. */
type ThreadMs = { allMs: number; scriptMs: number; styleMs: number; layoutMs: number };

/** Counts that time: what `work` took of it. Others who use the machine meanwhile are not in it. */
export const createThreadClock = async (
  page: Page,
): Promise<(work: () => Promise<void>) => Promise<ThreadMs>> => {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const look = async (): Promise<ThreadMs> => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    const ms = (name: string): number =>
      (metrics.find((one) => one.name === name)?.value ?? Number.NaN) * 1_000;
    return {
      allMs: ms('TaskDuration'),
      scriptMs: ms('ScriptDuration'),
      styleMs: ms('RecalcStyleDuration'),
      layoutMs: ms('LayoutDuration'),
    };
  };
  return async (work) => {
    const before = await look();
    await work();
    const after = await look();
    return {
      allMs: after.allMs - before.allMs,
      scriptMs: after.scriptMs - before.scriptMs,
      styleMs: after.styleMs - before.styleMs,
      layoutMs: after.layoutMs - before.layoutMs,
    };
  };
};

/** A list of `rows` of the same rows in plain DOM, to be shown in place of the list of files. */
export const addBareList = async (page: Page, rows: number): Promise<(isShown: boolean) => Promise<void>> => {
  await page.evaluate(inPage('bare-list.mjs'));
  await page.evaluate(`bench.showBare = bench.bareList(${rows})`);
  return (isShown) => page.evaluate(`bench.showBare(${isShown})`);
};
