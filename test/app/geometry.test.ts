// The geometry of the window with the running engine, in each state, size and language: nothing lies over another's text
// or button, one button at most is filled, words stand apart, and names and actions share their edges.
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canLaunch, onRealElectron, type RunningApp } from '../support/app.ts';
import { app as segment, exif, jpegOf } from '../support/photos/photos.ts';
import { useWindow } from '../support/window/in-window.ts';
import { canOpenWindow } from '../support/window/open-window.ts';
import { busyUploads, status } from '../support/window/seed.ts';
import { faultsIn, leftEdges, rightEdges, sizes } from './geometry.ts';
import {
  desktopPath,
  eventually,
  isPopoverOpen,
  leave,
  onTray,
  openPopover,
  reload,
  sayYes,
  setStage,
  startWatching,
  type Stage,
  untilStatus,
  watchFolder,
} from './stage.ts';
import { filesOfFirstRun, walkFirstRun, walkViews } from './walks.ts';

describe.skipIf(!canLaunch || onRealElectron)('in the running app', { timeout: 400_000 }, () => {
  let stage: Stage;
  let app: RunningApp;
  /** By state: of all states at once, so that one run names every fault. */
  let found: Record<string, Record<string, string[]>>;

  beforeEach(async () => {
    stage = await setStage({ notify: false, burstFiles: 6 });
    found = {};
  });
  afterEach(() => leave(stage, app));

  const look = async (state: string, reach?: () => Promise<void>): Promise<void> => {
    const faults = await faultsIn(app, state, app.window, reach);
    if (Object.keys(faults).length > 0) found[state] = faults;
  };
  const desk = (name: string, content?: string): Promise<string> =>
    stage.put(path.join(stage.home, 'Desktop', name), content);
  const ticket = () => app.window.getByRole('region', { name: 'Files you added' });
  const button = (name: string | RegExp) => app.window.getByRole('button', { name });
  const open = async (at: number): Promise<void> => {
    await app.window.locator('nav button').nth(at).click();
    await app.window.locator('.view:not([hidden]) h1').waitFor();
  };
  const photo = (name: string): Promise<void> =>
    writeFile(path.join(stage.folder, name), jpegOf([segment.exif(exif({ make: name }))]));
  /** Uploads begin and do not end. */
  const slowly = (bytesPerSecond = 200_000): void =>
    stage.service.faults.add({
      match: { method: 'POST' },
      times: null,
      fault: { kind: 'drip-read', bytesPerSecond },
    });
  const quickly = (): void => stage.service.faults.clear();
  const many = 'x'.repeat(3_000_000);

  test('the first run has its place for each text and button', async () => {
    for (const name of filesOfFirstRun) await stage.put(name);
    app = await stage.start();
    await walkFirstRun({ stage, app, look });
    expect(found).toEqual({});
  });

  test('a drop, its lines, its end, the clock, a recall and the details have their place for each text and button', async () => {
    app = await startWatching(stage);
    const { window } = app;
    await look('nothing yet');
    await app.dropFiles('main', [await desk('notes.txt', 'shared before')]);
    await ticket().getByText('Link copied').waitFor();
    await look('one link');
    await window.locator('.row', { hasText: 'notes.txt' }).click();
    await window.locator('.details').waitFor();
    await look('one link, details');

    slowly(60_000);
    await app.dropFiles('main', [
      await desk('keynote recording, Barcelona, full session with questions.mp4', many),
      await desk('Wanderung Höllental.jpg', `${many}2`),
      await desk('.env', 'A=1'),
      await desk('empty.txt', ''),
      await desk('notes.txt', 'shared before'),
    ]);
    await ticket().getByText('looks like a secret').waitFor();
    await ticket().getByText('empty', { exact: true }).last().waitFor();
    await look('a drop under way, details');
    await window.keyboard.press('Escape');
    await look('a drop under way, a selection');
    await open(1);
    await look('queue, a drop under way');
    await look('ten seconds', async () => {
      const undo = window.locator('section.dock button').last();
      if (await undo.isVisible()) await undo.click();
      await sayYes(app);
      await window.locator('.ask .answers button').nth(1).click();
      await window.locator('section.dock').waitFor();
    });
    await window.locator('section.dock button').last().click();
    await open(0);
    quickly();
    await app.dropFiles('main', [await desk('one.txt'), await desk('two.txt'), await desk('.netrc', 'B=2')]);
    await ticket().getByText('2 links copied').waitFor();
    await ticket().getByText('looks like a secret').waitFor();
    await look('two links, a question');

    await window.locator('.row', { hasText: 'one.txt' }).click({ button: 'right' });
    await window.getByRole('menu').waitFor();
    await look('menu');
    await window.getByRole('menuitem', { name: 'Recall…' }).click();
    await window.getByRole('dialog').waitFor();
    await look('recall?');
    stage.service.faults.add({
      match: { path: '/download/*' },
      times: null,
      fault: { kind: 'answer', status: 500 },
    });
    await window.getByRole('dialog').getByRole('button', { name: 'Recall', exact: true }).click();
    await window.getByRole('region', { name: 'Recall' }).waitFor();
    await eventually(() =>
      window.getByRole('region', { name: 'Recall' }).getByRole('button').count(),
    ).toBeGreaterThan(0);
    await look('recall without proof');
    quickly();
    await window.keyboard.press('Control+f');
    await window.keyboard.type('quarx');
    await window.getByText('Nothing matches “quarx”').waitFor();
    await look('no match');
    expect(found).toEqual({});
  });

  test('the other views have their place for each text and button', async () => {
    app = await startWatching(stage);
    const { window } = app;
    await walkViews({ stage, app, look });
    await window.keyboard.press('Escape');
    await open(3);
    await window.getByRole('tab', { name: 'Folder', exact: true }).click();
    await button(/^Rules of/)
      .first()
      .click();
    await window.getByRole('region', { name: /^Rules of/ }).waitFor();
    await look('rules of a folder');
    await window.keyboard.press('?');
    await window.getByRole('dialog').waitFor();
    await look('shortcuts');
    await window.keyboard.press('Escape');
    expect(found).toEqual({});
  });

  test('the popover has its place for each text and button', async () => {
    const env = { PATH: await desktopPath(stage.home), ELECTRON_DOUBLE_MODES: 'platform=win32' };
    app = await stage.start({ apiKey: stage.service.key, env });
    await watchFolder(app, stage.folder);
    await untilStatus(app.window, ({ watch }) => watch === 'live');
    await reload(app);
    await stage.put('quarterly report Q3 with annotations and all reviews, final.pdf');
    await untilStatus(app.window, ({ counts }) => counts.uploaded === 1);
    const popover = await openPopover(app);
    await popover.getByText('All uploaded').waitFor();
    /** It reads its language when it opens. */
    const again = async (): Promise<void> => {
      await popover.keyboard.press('Escape');
      await eventually(() => isPopoverOpen(app)).toBe(false);
      const isOpen = async (): Promise<boolean> => {
        if (!(await isPopoverOpen(app))) await onTray(app, 'click');
        return await isPopoverOpen(app);
      };
      await eventually(isOpen).toBe(true);
    };
    found['popover'] = await faultsIn(app, 'popover', popover, again);
    await stage.put('.env', 'TOKEN=1');
    await popover.getByRole('button', { name: 'Keep private: .env' }).waitFor();
    found['a secret'] = await faultsIn(app, 'a secret', popover, again);
    slowly();
    await stage.put('slow.bin', many);
    stage.service.refuseConnections();
    await untilStatus(app.window, ({ gate }) => gate.kind === 'closed');
    found['offline'] = await faultsIn(app, 'offline', popover, again);
    app.complaints.length = 0;
    expect(found).toEqual({ popover: {}, 'a secret': {}, offline: {} });
  });

  test('three photos and two secrets take two presses in a small window, whose buttons are seen without scrolling', async () => {
    app = await startWatching(stage);
    const { window } = app;
    for (const name of ['IMG_2041.jpg', 'Höllental.jpg', 'port.jpg']) await photo(name);
    await stage.put('.env', 'DB_PASSWORD=hunter2hunter2');
    await stage.put('deploy/id_rsa', 'a key');
    await untilStatus(window, ({ counts }) => counts.held === 5);
    // The test's own trouble: there is no keychain.
    await window.locator('.banner button').last().click();
    await open(1);
    await window.setViewportSize(sizes[1]);
    const keep = button('Keep 2 private');
    const upload = button('Upload 3 without the place');
    await upload.waitFor();
    for (const one of [keep, upload]) {
      await one.waitFor();
      const isOnTop = await one.evaluate((it) => {
        const { left, right, top, bottom } = it.getBoundingClientRect();
        return [top, (top + bottom) / 2, bottom].every((y) =>
          it.contains(document.elementFromPoint((left + right) / 2, Math.min(y, bottom - 1))),
        );
      });
      expect(isOnTop, await one.innerText()).toBe(true);
    }
    await look('photos and secrets');
    await keep.click();
    await upload.click();
    await untilStatus(window, ({ counts }) => counts.held === 0 && counts.uploaded === 3);
    expect(found).toEqual({});
  });

  test('names begin at one edge and actions end at one, in the list, in the dock and in the queue', async () => {
    app = await startWatching(stage);
    const { window } = app;
    for (const name of ['one.txt', 'two.txt']) await stage.put(name);
    await untilStatus(window, ({ counts }) => counts.uploaded === 2);
    slowly();
    await app.dropFiles('main', [
      await desk('slow.mp4', many),
      await desk('.env', 'A=1'),
      await desk('empty.txt', ''),
      await desk('one.txt', 'content of one.txt'),
    ]);
    await ticket().getByText('looks like a secret').waitFor();
    await stage.put('~$plan.docx', 'lock');
    await stage.put('id_rsa', 'a key');
    await untilStatus(window, ({ work }) => work.needYou === 2 && work.leftOut === 1);
    const edges = async (): Promise<{ names: number[]; ends: number[] }> => {
      await open(0);
      await ticket().locator('li').first().waitFor();
      const names = [
        ...(await leftEdges(window.locator('.row .name, .flight .name'))),
        ...(await leftEdges(window.locator('.docks .head > .text, .docks li .name'))),
      ];
      const ends = [
        ...(await rightEdges(window.locator('.row .actions, .flight .actions'))),
        ...(await rightEdges(window.locator('.docks .acts'))),
        ...(await rightEdges(window.locator('main header').first())),
      ];
      await open(1);
      await window.locator('[data-row]').first().waitFor();
      names.push(...(await leftEdges(window.locator('[data-row] .what'))));
      ends.push(...(await rightEdges(window.locator('[data-row] .actions, main header:visible'))));
      return { names, ends };
    };
    for (const size of sizes.slice(0, 2)) {
      await window.setViewportSize(size);
      // Where they come to rest: rows arrive meanwhile.
      await eventually(async () => {
        const { names, ends } = await edges();
        const isAligned = new Set(names).size === 1 && Math.max(...ends) - Math.min(...ends) <= 1;
        return isAligned ? 'aligned' : { ...size, names, ends };
      }).toBe('aligned');
    }
  });

  const render = (at: number): Promise<string> =>
    stage.put(`render ${String(at)}.png`, `${many}${String(at)}`);
  const troubles = {
    'a missing folder': async (): Promise<void> => {
      for (const at of [2, 3]) await render(at);
      await untilStatus(app.window, ({ work }) => work.total === 5);
      await rename(stage.folder, `${stage.folder} moved`);
      await untilStatus(app.window, ({ folderAvailable }) => !folderAvailable);
    },
    'no connection': async (): Promise<void> => {
      stage.service.refuseConnections();
      // Uploads that are under way keep their connections; these two get none.
      for (const at of [2, 3]) await render(at);
      await untilStatus(app.window, ({ gate }) => gate.kind === 'closed', 60_000);
    },
  };
  test.each(Object.entries(troubles))('%s leaves the run to the foot', async (_, begin) => {
    app = await startWatching(stage);
    const { window } = app;
    slowly(20_000);
    for (const at of [0, 1]) await render(at);
    await app.dropFiles('main', [await desk('slow.mp4', many)]);
    await untilStatus(window, ({ sending }) => sending > 0);
    await begin();
    await eventually(() => footOf(window).innerText()).toMatch(/0 of 5 ready/);
    await look('trouble');
    await expectRoom(window, async () => open(1));
    app.complaints.length = 0;
    expect(found).toEqual({});
  });
});

const footOf = (page: Page) => page.getByRole('region', { name: 'Status' });

/** The banner has two lines at most, and at 200 % the queue shows two rows under it. */
const expectRoom = async (page: Page, openQueue: () => Promise<unknown>): Promise<void> => {
  for (const size of sizes) {
    await page.setViewportSize(size);
    expect((await page.locator('.banner').boundingBox())?.height).toBeLessThanOrEqual(56);
  }
  await openQueue();
  const seen = (): Promise<number> =>
    page.locator('[data-row]').evaluateAll(
      (all) =>
        all.filter((one) => {
          const { left, top, bottom } = one.getBoundingClientRect();
          return [top + 2, bottom - 2].every((y) => one.contains(document.elementFromPoint(left + 70, y)));
        }).length,
    );
  await eventually(seen).toBeGreaterThanOrEqual(2);
};

describe.skipIf(!canOpenWindow())('in the window alone', () => {
  const inWindow = useWindow();

  test('records that cannot be written leave the run to the foot', async () => {
    const counts = { uploaded: 3, waiting: 8, held: 0, skipped: 0, failed: 0 };
    const seed = {
      uploads: busyUploads().filter(({ state }) => state.kind === 'waiting' || state.kind === 'ready'),
      status: status({
        counts,
        storage: 'full',
        gate: { kind: 'closed', reason: 'disk', untilMs: null, message: '', remedy: [] },
      }),
    };
    await inWindow(seed, async (page) => {
      await page.locator('.banner').waitFor();
      expect(await footOf(page).innerText()).toMatch(/3 of 11 ready/);
      await expectRoom(page, () => page.keyboard.press('Control+2'));
    });
  });
});
