// The running app without a pointer: each step is a key, and after each the keyboard is somewhere in the window.
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canLaunch, type RunningApp } from '../support/app.ts';
import { call, eventually, leave, sayYes, setStage, type Stage, startWatching } from './stage.ts';

describe.skipIf(!canLaunch)('by keyboard alone', () => {
  let stage: Stage;
  let app: RunningApp;

  beforeEach(async () => {
    stage = await setStage({ notify: false });
    app = await startWatching(stage);
    await press('F6');
  });
  afterEach(() => leave(stage, app));

  const ticket = () => app.window.getByRole('region', { name: 'Files you added' });
  const button = (name: string | RegExp): Locator => app.window.getByRole('button', { name }).first();
  const grid = (): Locator => app.window.getByRole('grid');
  const linkOf = (name: string): string =>
    stage.service.files().find(({ filename }) => filename === name)?.link ?? `no ${name}`;
  const names = (): string[] =>
    stage.service
      .files()
      .map(({ filename }) => filename)
      .toSorted();
  const uploads = (): number =>
    stage.service.requests().filter(({ path: asked }) => asked.endsWith('/files/upload')).length;
  const needYou = async (): Promise<number> => (await call(app.window, 'app.status', {})).work.needYou;

  const isSomewhere = (): Promise<boolean> =>
    app.window.evaluate(() => document.activeElement !== null && document.activeElement !== document.body);
  const has = (wanted: Locator): Promise<boolean> =>
    wanted.evaluate((it) => it === document.activeElement || it.contains(document.activeElement));
  /** One key after the other; after each the focus is where a person can continue. */
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) {
      await app.window.keyboard.press(key);
      await eventually(isSomewhere).toBe(true);
    }
  };
  const tabTo = async (wanted: Locator): Promise<void> => {
    await wanted.waitFor();
    for (let steps = 0; steps < 80; steps += 1) {
      if (await wanted.evaluate((it) => it === document.activeElement)) return;
      // After the last place the focus goes round by way of none.
      await app.window.keyboard.press('Tab');
    }
    throw new Error(`The keyboard does not get to ${wanted.toString()}.`);
  };
  const choose = async (...files: string[]): Promise<void> => {
    const filePaths = [];
    for (const name of files) filePaths.push(await stage.put(path.join(stage.home, 'Desktop', name)));
    await app.answer('showOpenDialog', { canceled: false, filePaths });
    await press('Control+o');
  };

  test('files are given, their links copied and searched, and the ticket folds and closes', async () => {
    const { window } = app;
    await choose('a.txt', 'b.txt', 'c.txt');
    await ticket().getByText('3 links copied').waitFor();
    await eventually(() => window.locator('.row').count()).toBe(3);

    // Rail, list and dock, and back.
    const zones = [window.getByRole('navigation'), grid(), ticket()];
    const at = async (): Promise<number> => {
      for (const [one, zone] of zones.entries()) if (await has(zone)) return one;
      return -1;
    };
    const seen = [await at()];
    for (const key of ['F6', 'F6', 'F6', 'Shift+F6', 'Shift+F6']) {
      await press(key);
      seen.push(await at());
    }
    expect(seen).toEqual([0, 1, 2, 0, 2, 1]);

    // The codes of the ticket, wherever in it the focus is.
    await ticket().getByText('1 of 3').waitFor();
    await press('F6', 'ArrowRight');
    await ticket().getByText('2 of 3').waitFor();
    await press('Shift+F6');

    const shown = await window
      .locator('.row bdi')
      .evaluateAll((all) => all.map((name) => name.getAttribute('title') ?? ''));
    await press('Home', 'ArrowDown', 'Enter');
    await eventually(() => app.clipboardText()).toBe(linkOf(shown[1] ?? ''));

    await press('Control+f');
    await window.keyboard.type('c.txt');
    await press('Enter');
    await eventually(() => app.clipboardText()).toBe(linkOf('c.txt'));
    await window.getByText('Link copied: c.txt').first().waitFor();
    await press('Escape');
    await eventually(() => window.locator('.row').count()).toBe(3);

    await press('ArrowDown', 'Escape');
    await window.getByRole('button', { name: '1 selected' }).waitFor({ state: 'detached' });
    await choose('d.txt', 'e.txt');
    await ticket().getByText('2 links copied').waitFor();
    await press('Escape');
    await ticket().getByRole('button', { name: 'Expand' }).waitFor();
    await press('Escape');
    await ticket().waitFor({ state: 'detached' });
    await eventually(isSomewhere).toBe(true);
  });

  test('a secret is kept private, put back, nearly made public, and kept after all', async () => {
    const { window } = app;
    await choose('.env', 'a.txt');
    await eventually(needYou).toBe(1);
    await eventually(names).toEqual(['a.txt']);
    await press('Control+2');
    await window.getByRole('heading', { level: 1, name: 'Queue' }).waitFor();
    await tabTo(button(/^Keep private/));
    await press('Enter');
    await eventually(needYou).toBe(0);
    await button('Undo').first().waitFor();
    await press('Control+z');
    await eventually(needYou).toBe(1);
    await eventually(isSomewhere).toBe(true);

    const before = uploads();
    await tabTo(button('Make public…'));
    await sayYes(app);
    await press('Enter');
    const soon = window.getByRole('region', { name: 'Becomes public' });
    await soon.waitFor();
    await press('Control+z');
    await soon.waitFor({ state: 'detached' });
    await eventually(isSomewhere).toBe(true);
    expect([await needYou(), uploads(), names()]).toEqual([1, before, ['a.txt']]);
  });

  test('several links are recalled, one of them is left out with Space', async () => {
    const { window } = app;
    await choose('a.txt', 'b.txt', 'c.txt');
    await ticket().getByText('3 links copied').waitFor();
    await eventually(() => window.locator('.row').count()).toBe(3);
    await press('F6');
    expect(await has(grid())).toBe(true);
    await press('Home', 'Control+a');
    await window.getByRole('button', { name: '3 selected' }).waitFor();
    await press('Delete');
    const dialog = window.getByRole('dialog', { name: 'Recall 3 links?' });
    await dialog.waitFor();
    await eventually(() => has(window.getByRole('button', { name: 'Cancel' }))).toBe(true);
    await tabTo(dialog.getByRole('checkbox', { name: 'b.txt', exact: true }));
    await press('Space');
    const question = window.getByRole('dialog', { name: 'Recall 2 links?' });
    await tabTo(question.getByRole('button', { name: 'Recall 2 links' }));
    await press('Enter');
    const recall = window.getByRole('region', { name: 'Recall' });
    await recall.getByText(/^2 links dead · were public for /).waitFor();
    await eventually(isSomewhere).toBe(true);
    expect(names()).toEqual(['b.txt']);
    await press('Escape');
    await recall.waitFor({ state: 'detached' });
    await eventually(isSomewhere).toBe(true);
  });

  test('a busy service is tried at once, the statistics are read and navigated, a folder is paused', async () => {
    const { window } = app;
    stage.service.faults.add({
      match: { path: '/files/upload' },
      fault: { kind: 'answer', status: 429, at: 'headers', headers: { 'retry-after': '600' } },
    });
    await call(window, 'settings.set', { name: 'bandwidthBytesPerSecond', value: 100_000 });
    const file = await stage.put(path.join(stage.home, 'Desktop', 'busy.txt'), 'x'.repeat(200_000));
    await app.answer('showOpenDialog', { canceled: false, filePaths: [file] });
    await press('Control+o', 'Control+2');
    await window.getByRole('heading', { level: 1, name: 'Queue' }).waitFor();
    await tabTo(button('Try now'));
    await call(window, 'settings.set', { name: 'bandwidthBytesPerSecond', value: 0 });
    await press('Enter');
    await eventually(names).toEqual(['busy.txt']);
    await eventually(isSomewhere).toBe(true);

    await press('Control+3');
    await window.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor();
    await tabTo(button(/^Read /));
    await press('Enter');
    await window.getByText('downloads so far').waitFor();
    await tabTo(window.getByRole('tab', { name: 'Downloads' }));
    await press('ArrowRight');
    const bars = window.getByRole('slider', { name: /Uploads per day/ });
    await tabTo(bars);
    const today = await bars.getAttribute('aria-valuetext');
    await press('ArrowLeft');
    expect(await bars.getAttribute('aria-valuetext')).not.toBe(today);
    await window.getByRole('table', { name: /Uploads per day/ }).waitFor();

    await press('Control+4');
    await window.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    const tab = window.getByRole('tab', { name: 'Folder', exact: true });
    await tabTo(window.getByRole('tab', { selected: true }));
    for (let steps = 0; steps < 8 && !(await has(tab)); steps += 1) await press('ArrowRight');
    await window.getByRole('tabpanel', { name: 'Folder', exact: true }).waitFor();
    const rules = button(/^Rules of/);
    await tabTo(rules);
    await press('Enter');
    const ownRule = button('Own rule…');
    await tabTo(ownRule);
    await press('Enter');
    const hidden = window.getByRole('menuitem', { name: 'Include hidden files' });
    for (let steps = 0; steps < 12 && !(await has(hidden)); steps += 1) await press('ArrowDown');
    // Nothing was added on the way.
    await press('Enter');
    const added = window.getByLabel('Include hidden files', { exact: true });
    await eventually(() => has(added)).toBe(true);
    expect(await button(/^Back to Settings: /).count()).toBe(1);
    await tabTo(button('Watched folders'));
    await press('Enter');
    await eventually(() => has(rules)).toBe(true);
    await tabTo(button(/^Pause /));
    await press('Enter');
    const resume = button(/^Resume /);
    await eventually(() => has(resume)).toBe(true);
    await press('Enter');
    await button(/^Pause /).waitFor();
    await eventually(isSomewhere).toBe(true);
  });
});
