// The window's states with the running engine, each in the looks that people choose: no fault that axe finds, and no target
// that is too small for a hand.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canLaunch, type RunningApp } from '../support/app.ts';
import { app as segment, exif, jpegOf } from '../support/photos/photos.ts';
import { call, leave, sayYes, setStage, type Stage, startWatching, untilStatus } from './stage.ts';
import { filesOfFirstRun, walkFirstRun, walkViews } from './walks.ts';

type Look = {
  name: string;
  colorScheme: 'light' | 'dark';
  forcedColors: 'none' | 'active';
  size: { width: number; height: number };
};
const wide = { width: 960, height: 640 };
const looks: readonly Look[] = [
  { name: 'light', colorScheme: 'light', forcedColors: 'none', size: wide },
  { name: 'dark, small', colorScheme: 'dark', forcedColors: 'none', size: { width: 640, height: 480 } },
  { name: 'forced colours', colorScheme: 'dark', forcedColors: 'active', size: wide },
  { name: '200 %', colorScheme: 'light', forcedColors: 'none', size: { width: 480, height: 320 } },
];
/** Pixels, wide and high. */
const leastTarget = 28;

/** Text needs 4.5:1: axe's rule of contrast is one of these. */
const faults = async (page: Page): Promise<string[]> => {
  const builder = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await builder.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
  );
};

/** Controls that are seen and smaller than that; a field in its label is as large as the label. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate((least) => {
    const controls = document.querySelectorAll<HTMLElement>(
      'button, select, input:not([type=hidden]), [role=tab], [role=menuitem], [role=slider]',
    );
    return [...controls].flatMap((one) => {
      const target = one.closest('label') ?? one;
      const { width, height } = target.getBoundingClientRect();
      const isSeen = one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && width > 1;
      return isSeen && (width < least - 0.5 || height < least - 0.5)
        ? [`${one.outerHTML.slice(0, 160)} ${String(width)}×${String(height)}`]
        : [];
    });
  }, leastTarget);

describe.skipIf(!canLaunch)('in the running app', { timeout: 400_000 }, () => {
  let stage: Stage;
  let app: RunningApp;

  beforeEach(async () => {
    stage = await setStage({ notify: false, burstFiles: 6 });
  });
  afterEach(() => leave(stage, app));

  /** `reach`: called before each look, for a state that lasts a few seconds only. It brings the window to that state. */
  const expectAccessible = async (state: string, reach?: () => Promise<void>): Promise<void> => {
    const { window } = app;
    const found: Record<string, string[]> = {};
    for (const { name, size, ...media } of looks) {
      await reach?.();
      await window.emulateMedia({ ...media, reducedMotion: 'reduce' });
      await window.setViewportSize(size);
      const seen = [...(await faults(window)), ...(await smallTargets(window))];
      if (seen.length > 0) found[name] = seen;
    }
    await window.setViewportSize(wide);
    expect(found, state).toEqual({});
  };
  const put = (name: string, content?: string): Promise<string> =>
    stage.put(path.join(stage.home, 'Desktop', name), content);
  const ticket = () => app.window.getByRole('region', { name: 'Files you added' });
  const button = (name: string | RegExp) => app.window.getByRole('button', { name });
  const open = async (view: string): Promise<void> => {
    await app.window.getByRole('navigation').getByRole('button', { name: view }).click();
    await app.window.getByRole('heading', { level: 1, name: view }).waitFor();
  };

  test('the first run has no fault and no small target', async () => {
    for (const name of filesOfFirstRun) await stage.put(name);
    app = await stage.start();
    await walkFirstRun({ stage, app, look: expectAccessible });
  });

  test('a drop, its end, a question and a recall have no fault and no small target', async () => {
    app = await startWatching(stage);
    const { window } = app;
    await expectAccessible('nothing yet');
    await call(window, 'settings.set', { name: 'bandwidthBytesPerSecond', value: 20_000 });
    await app.dropFiles('main', [
      await put('slow.txt', 'x'.repeat(3_000_000)),
      await put('.env', 'A=1'),
      await put('one.txt'),
    ]);
    await ticket().getByText('looks like a secret').waitFor();
    await expectAccessible('uploading, one secret');
    await open('Queue');
    await window.getByRole('heading', { name: 'Uploading' }).waitFor();
    await expectAccessible('queue');
    const undo = button('Undo').first();
    await expectAccessible('ten seconds', async () => {
      if (await undo.isVisible()) await undo.click();
      await sayYes(app);
      await button(/^Make public…/)
        .first()
        .click();
      await window
        .getByRole('region', { name: 'Becomes public' })
        .getByText(/becomes public in/)
        .waitFor();
    });
    await undo.click();
    await button('Cancel: slow.txt').click();
    await call(window, 'settings.set', { name: 'bandwidthBytesPerSecond', value: 0 });
    await untilStatus(window, ({ work }) => work.uploading + work.waiting === 0);
    await open('Files');
    await app.dropFiles('main', [await put('two.txt'), await put('three.txt')]);
    await ticket().getByText('2 links copied').waitFor();
    await expectAccessible('links copied');

    await window.locator('.row', { hasText: 'one.txt' }).click();
    await window.locator('.details').waitFor();
    await expectAccessible('details');
    await window.keyboard.press('Escape');
    await window.locator('.row', { hasText: 'one.txt' }).click({ button: 'right' });
    await window.getByRole('menu').waitFor();
    await expectAccessible('menu');
    await window.getByRole('menuitem', { name: 'Recall…' }).click();
    await window.getByRole('dialog').waitFor();
    await expectAccessible('question');
    await window.getByRole('dialog').getByRole('button', { name: 'Recall', exact: true }).click();
    await window.getByText('Link dead').first().waitFor();
    await expectAccessible('recalled');
    await window.keyboard.press('Control+f');
    await window.keyboard.type('quarx');
    await window.getByText('Nothing matches “quarx”').waitFor();
    await expectAccessible('no match');
  });

  test('a burst, statistics, every tab of the settings and the review have no fault and no small target', async () => {
    app = await startWatching(stage);
    await walkViews({ stage, app, look: expectAccessible });
  });

  test('photos, the rules of a folder, new files above the list and the shortcuts have no fault and no small target', async () => {
    app = await startWatching(stage);
    const { window } = app;
    for (const name of ['a', 'b'])
      await writeFile(path.join(stage.folder, `${name}.jpg`), jpegOf([segment.exif(exif({ make: name }))]));
    await untilStatus(window, ({ counts }) => counts.held === 2);
    await open('Queue');
    await button('Upload 2 without the place').waitFor();
    await expectAccessible('photos');
    await open('Settings');
    await window.getByRole('tab', { name: 'Folder', exact: true }).click();
    await button(/^Rules of/)
      .first()
      .click();
    await window.getByRole('region', { name: /^Rules of/ }).waitFor();
    await expectAccessible('rules of a folder');
    await window.keyboard.press('Control+1');
    for (let at = 0; at < 60; at += 1)
      await stage.service.addFile({ filename: `old ${String(at)}.txt`, content: String(at) });
    await call(window, 'files.refresh', {});
    const list = window.locator('.rows > *').first();
    await expect.poll(() => window.locator('.row').count()).toBeGreaterThan(3);
    await list.evaluate((it) => it.scrollTo(0, 52 * 30));
    await app.dropFiles('main', [await put('new.txt')]);
    await button('1 new').waitFor();
    await expectAccessible('new above');
    await window.keyboard.press('?');
    await window.getByRole('dialog').waitFor();
    await expectAccessible('shortcuts');
  });

  test('an unreachable service has no fault and no small target', async () => {
    app = await startWatching(stage);
    stage.service.refuseConnections();
    await stage.put('waits.txt');
    await untilStatus(app.window, ({ gate }) => gate.kind === 'closed');
    await app.window
      .getByText(/^The service cannot be reached/)
      .first()
      .waitFor();
    await expectAccessible('files, offline');
    await open('Queue');
    await button('Try now').first().waitFor();
    await expectAccessible('queue, offline');
    app.complaints.length = 0;
  });
});
