// One object counts a run: the ticket, the foot, the badge, the heading and the sum of the queue, the tray, the popover,
// the taskbar and the command show the same, and none of them ever less than before.
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Work } from '../../src-main/contract/model.ts';
import { canLaunch, onRealElectron } from '../support/app.ts';
import {
  call,
  desktopPath,
  eventually,
  leave,
  openPopover,
  reload,
  setStage,
  untilStatus,
  watchFolder,
} from './stage.ts';

/** Seen at one moment in the window; '' where it is not visible. */
/** `edge`, `bar`: the shares of ticket and foot, in per cent. */
type Sample = Record<'ticket' | 'foot' | 'heading' | 'sum' | 'badge' | 'edge' | 'bar', string>;
type Seen = { told: Work[]; samples: Sample[] };
/** What support/probe.cjs keeps in main. */
declare const probe: {
  trayNow(): { toolTip: string } | undefined;
  progress: { value: number; mode: string }[];
};
declare global {
  var seen: Seen;
  var lines: string[];
}

const everyMs = 50;

/** Every count that the engine sends to the window, and what the window shows, every 50 ms. */
const watchWindow = (window: Page): Promise<void> =>
  window.evaluate((ms) => {
    const seen: Seen = { told: [], samples: [] };
    globalThis.seen = seen;
    globalThis.window.outtray.listen((change) => {
      if (change.kind === 'status') seen.told.push(change.status.work);
    });
    const textOf = (selector: string): string =>
      (document.querySelector<HTMLElement>(selector)?.innerText ?? '').replaceAll(/\s+/g, ' ').trim();
    setInterval(() => {
      seen.samples.push({
        ticket: textOf('.given .title'),
        foot: textOf('.live'),
        heading: textOf('header p'),
        sum: textOf('footer [role=group]'),
        badge: textOf('.badge.warn, .badge.bad'),
        edge: document.querySelector('.given [role=progressbar]')?.getAttribute('aria-valuenow') ?? '',
        bar: document.querySelector<HTMLElement>('.foot .moving i')?.style.width ?? '',
      });
    }, ms);
  }, everyMs);

/** "7 of 61 ready", anywhere in a line. */
const countIn = (line: string): { ready: number; total: number } | null => {
  const [, ready, total] = /(\d+) of (\d+) ready/.exec(line) ?? [];
  return ready === undefined ? null : { ready: Number(ready), total: Number(total) };
};
/** "61 files · 7 ready · about 3 s": the ticket's, during the upload. */
const countOfTicket = (line: string): { ready: number; total: number } | null => {
  const [, total, ready] = /^(\d+) files(?: · (\d+) ready)?/.exec(line) ?? [];
  return total === undefined ? null : { ready: Number(ready ?? 0), total: Number(total) };
};

const expectNeverLess = (surface: string, counts: readonly { ready: number; total: number }[]): void => {
  let before = { ready: 0, total: 0 };
  for (const now of counts) {
    expect(now.ready, surface).toBeGreaterThanOrEqual(before.ready);
    expect(now.total, surface).toBeGreaterThanOrEqual(before.total);
    before = now;
  }
};

test.skipIf(!canLaunch || onRealElectron)(
  'a run of 60 files and a secret: seven surfaces and the command show one count, and none ever decreases',
  async () => {
    const stage = await setStage({ requestsPerMinute: 900, notify: false });
    const env = { PATH: await desktopPath(stage.home), ELECTRON_DOUBLE_MODES: 'platform=win32' };
    const app = await stage.start({ apiKey: stage.service.key, env });
    const { window } = app;
    await watchFolder(app, stage.folder);
    await untilStatus(window, ({ watch }) => watch === 'live');
    await reload(app);
    const popover = await openPopover(app);
    await watchWindow(window);
    await popover.evaluate((ms) => {
      const lines: string[] = [];
      globalThis.lines = lines;
      setInterval(() => lines.push(document.querySelector('h1')?.innerText ?? ''), ms);
    }, everyMs);
    await app.electron.evaluate((_electron, ms) => {
      const lines: string[] = [];
      globalThis.lines = lines;
      setInterval(() => lines.push(probe.trayNow()?.toolTip ?? ''), ms);
    }, everyMs);

    const names = Array.from({ length: 60 }, (_, at) => `frame ${String(at)}.txt`);
    const files = [];
    for (const name of [...names, '.env'])
      files.push(await stage.put(path.join(stage.home, 'Desktop', name)));
    await app.dropFiles('main', files);

    // The ticket is in Files, heading and sum are in the queue.
    const view = (name: string) =>
      window.getByRole('navigation').getByRole('button', { name: new RegExp(`^${name}`) });
    let looks = 0;
    while (stage.service.files().length < 55) {
      await view(looks % 2 === 0 ? 'Queue' : 'Files').click();
      const before = (await call(window, 'app.status', {})).work;
      const { stdout } = await stage.command(['status', '--json']);
      const { work } = JSON.parse(stdout) as { work: Work };
      const after = (await call(window, 'app.status', {})).work;
      expect(work.ready + work.uploading + work.waiting + work.needYou).toBe(61);
      expect(work.ready).toBeGreaterThanOrEqual(before.ready);
      expect(work.ready).toBeLessThanOrEqual(after.ready);
      looks += 1;
    }
    expect(looks).toBeGreaterThan(0);
    await eventually(() => stage.service.files().length, 90_000).toBe(60);
    const { work: end } = await untilStatus(
      window,
      ({ work }) => work.uploading + work.waiting === 0 && work.ready === 60,
    );
    expect(end).toMatchObject({ ready: 60, needYou: 1, total: 61 });
    await eventually(() => view('Queue').innerText()).toMatch(/Queue\s*1/);
    await eventually(() => app.electron.evaluate(() => probe.progress.at(-1))).toEqual({
      value: -1,
      mode: 'none',
    });

    const { told, samples } = await window.evaluate(() => globalThis.seen);
    const ofTicket = [];
    for (const { ticket, foot, heading, sum } of samples) {
      const count = countIn(foot);
      const inTicket = countOfTicket(ticket);
      if (inTicket !== null) ofTicket.push(inTicket);
      if (inTicket !== null && count !== null) expect(inTicket).toEqual(count);
      const parts = /^(\d+) ready \+ (\d+) uploading \+ (\d+) waiting \+ (\d+) needs? you = (\d+)$/.exec(sum);
      if (parts === null) continue;
      const [ready = 0, uploading = 0, waiting = 0, needYou = 0, total = 0] = parts.slice(1).map(Number);
      expect(ready + uploading + waiting + needYou, sum).toBe(total);
      if (count === null) continue;
      expect(count).toEqual({ ready, total });
      expect(countIn(heading)).toEqual(count);
    }
    const inPopover = await popover.evaluate(() => globalThis.lines);
    const inTray = await app.electron.evaluate(() => globalThis.lines);
    const counts = (lines: readonly string[]) => lines.map(countIn).filter((one) => one !== null);
    const surfaces = {
      ticket: ofTicket,
      foot: counts(samples.map(({ foot }) => foot)),
      heading: counts(samples.map(({ heading }) => heading)),
      popover: counts(inPopover),
      tray: counts(inTray),
    };
    const known = told.map(({ ready, total }) => ({ ready, total }));
    for (const [surface, its] of Object.entries(surfaces)) {
      expect(its.length, surface).toBeGreaterThan(1);
      expectNeverLess(surface, its);
      expect(
        its.filter(({ total }) => total !== 61),
        surface,
      ).toEqual([]);
      // Each is drawn in its own time, and only from the engine's counts. The tray asks the engine itself, now and then.
      if (surface !== 'tray') for (const one of its) expect(known, surface).toContainEqual(one);
    }
    // Whatever waits, the badge counts only what needs the user.
    const badges = new Set(samples.map(({ badge }) => badge.slice(0, 2).trim()));
    expect([...badges].filter((badge) => badge !== '' && badge !== '1')).toEqual([]);

    // Each bar counts files that are done, and the sent share of those on their way.
    const bars = (await app.electron.evaluate(() => probe.progress))
      .map(({ value }) => value)
      .filter((value) => value >= 0);
    const percents = {
      taskbar: bars.map((value) => 100 * value),
      edge: samples.flatMap(({ edge }) => (edge === '' ? [] : Number(edge))),
      foot: samples.flatMap(({ bar }) => (bar === '' ? [] : parseFloat(bar))),
    };
    for (const [bar, shown] of Object.entries(percents)) {
      expect(shown.length, bar).toBeGreaterThan(2);
      expect(shown, bar).toEqual([...shown].sort((a, b) => a - b));
      for (const value of shown)
        expect(
          told.some(({ ready, needYou, uploading, total }) => {
            const done = ready + needYou;
            return value + 1 > (100 * done) / total && value - 1 < (100 * (done + uploading)) / total;
          }),
          `${bar} at ${String(value)}`,
        ).toBe(true);
      expect(Math.max(...shown), bar).toBeLessThan(100);
    }
    await leave(stage, app);
  },
);
