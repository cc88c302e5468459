// The main moment: files are dropped, and their links are on the clipboard.
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canLaunch, type RunningApp } from '../support/app.ts';
import {
  call,
  eventually,
  leave,
  pressed,
  setStage,
  type Stage,
  startWatching,
  untilStatus,
} from './stage.ts';

describe.skipIf(!canLaunch)('the main moment', () => {
  let stage: Stage;
  let app: RunningApp;

  beforeEach(async () => {
    stage = await setStage();
    app = await startWatching(stage);
    await call(app.window, 'settings.set', { name: 'notify', value: false });
  });
  afterEach(() => leave(stage, app));

  const linkOf = (name: string): string =>
    stage.service.files().find(({ filename }) => filename === name)?.link ?? `no ${name}`;
  const card = () => app.window.getByRole('region', { name: 'Files you added' });
  const drop = async (...names: string[]): Promise<void> => {
    const files = [];
    for (const name of names) files.push(await stage.put(path.join(stage.home, 'Desktop', name)));
    await app.dropFiles('main', files);
  };
  const clipboard = (): Promise<string> => app.clipboardText();

  test('three dropped files are one card with their links, announced, without a notification; recalling them opens a question', async () => {
    const live = app.window.locator('[aria-live=polite]');
    await drop('one.txt', 'two.txt', 'three.txt');
    await card().getByText('3 links copied').waitFor();
    await eventually(() => live.allTextContents()).toContain('3 links copied');
    expect((await clipboard()).split('\n')).toEqual(['one.txt', 'two.txt', 'three.txt'].map(linkOf));
    await card()
      .getByText(/one\.txt, two\.txt and 1 more/)
      .waitFor();
    // Another copy is the next action: the card becomes its line.
    await app.window.getByRole('button', { name: 'Copy link: one.txt' }).click();
    await eventually(clipboard).toBe(linkOf('one.txt'));
    await card().getByRole('button', { name: 'Expand' }).waitFor();
    expect(await app.notifications()).toEqual([]);

    await drop('four.txt');
    await card().getByText('Link copied').waitFor();
    await card().getByRole('button', { name: 'Recall' }).click();
    const question = app.window.getByRole('dialog');
    await question.waitFor();
    await question.getByRole('button', { name: 'Recall', exact: true }).click();
    await eventually(() => stage.service.files().map(({ filename }) => filename)).not.toContain('four.txt');
    await question.waitFor({ state: 'detached' });
    await eventually(() => app.window.evaluate(() => document.activeElement?.getAttribute('role'))).toBe(
      'grid',
    );
  });

  test('a file that is already shared has its link copied again, and its row is shown', async () => {
    await drop('twice.txt');
    await card().getByText('Link copied').waitFor();
    await app.electron.evaluate(({ clipboard: board }) => board.writeText('something else'));
    await app.dropFiles('main', [path.join(stage.home, 'Desktop', 'twice.txt')]);
    await card().getByText('Already shared. Link copied.').waitFor();
    await eventually(clipboard).toBe(linkOf('twice.txt'));
    await app.window.locator('.row', { hasText: 'twice.txt' }).waitFor();

    const twice = path.join(stage.home, 'Desktop', 'twice.txt');
    const copy = await stage.put(path.join(stage.home, 'Desktop', 'copy.txt'), await readFile(twice, 'utf8'));
    await app.dropFiles('main', [copy]);
    await card().getByText('Already shared as twice.txt. Link copied.').waitFor();
    expect(stage.service.files()).toHaveLength(1);
  });

  test('links are copied in the form of the settings; a row’s menu has the others', async () => {
    await call(app.window, 'settings.set', { name: 'copyFormat', value: 'markdown' });
    await drop('one.txt', 'two.txt');
    await card().getByText('2 links copied').waitFor();
    const both = ['one.txt', 'two.txt'].map((name) => `[${name}](${linkOf(name)})`).join('\n');
    expect(await clipboard()).toBe(both);

    await app.window.getByRole('button', { name: 'More actions for one.txt' }).click();
    const items = await app.window.getByRole('menuitem').allTextContents();
    expect(items.map((item) => item.trim())).not.toContain('Copy as Markdown');
    await app.window.getByRole('menuitem', { name: 'Copy as BBCode' }).click();
    await eventually(clipboard).toBe(`[url=${linkOf('one.txt')}]one.txt[/url]`);
  });

  test('a file that was cancelled in the folder is copied when it is dropped', async () => {
    await call(app.window, 'queue.pause', { untilMs: null });
    const file = await stage.put('later.txt');
    await untilStatus(app.window, ({ counts }) => counts.waiting === 1);
    await eventually(async () => (await call(app.window, 'queue.get', {})).waiting[0]?.state.kind).toBe(
      'ready',
    );
    const { waiting } = await call(app.window, 'queue.get', {});
    await call(app.window, 'queue.cancel', { ids: waiting.map(({ id }) => id) });
    await untilStatus(app.window, ({ counts }) => counts.skipped === 1);
    await pressed(app, 'queue.resume', {});
    await app.dropFiles('main', [file]);
    await card().getByText('Link copied').waitFor();
    expect(await clipboard()).toBe(linkOf('later.txt'));
  });

  test('a folder triggers a question: one link for all, one for each file, or nothing; the answer is remembered', async () => {
    const folder = path.join(stage.home, 'Photos');
    await mkdir(folder);
    await stage.put(path.join(folder, 'one.txt'), 'first in it');
    await stage.put(path.join(folder, 'two.txt'), 'second in it');
    const file = await stage.put(path.join(stage.home, 'Desktop', 'beside.txt'));
    const names = () => stage.service.files().map(({ filename }) => filename);
    // Cancel: nothing is taken.
    await app.dropFiles('main', [file, folder]);
    await eventually(
      async () => (await app.asked()).filter(({ how }) => how === 'showMessageBox').length,
    ).toBe(1);
    const queue = await call(app.window, 'queue.get', {});
    expect([queue.failed, queue.waiting, queue.sending, names()]).toEqual([[], [], [], []]);
    await app.answer('showMessageBox', { response: 0, checkboxChecked: false });
    await app.dropFiles('main', [file, folder]);
    await card().getByText('Link copied').waitFor();
    expect([names(), await clipboard()]).toEqual([['files.zip'], linkOf('files.zip')]);
    await app.answer('showMessageBox', { response: 1, checkboxChecked: true });
    await app.dropFiles('main', [folder]);
    await eventually(() => names().toSorted()).toEqual(['files.zip', 'one.txt', 'two.txt']);
    const setting = (await call(app.window, 'settings.get', {})).find(({ name }) => name === 'givenFolders');
    expect(setting?.value).toBe('files');
  });

  test('while files are dragged over the window, the list stays and the hint counts them', async () => {
    const cdp = await app.window.context().newCDPSession(app.window);
    const data = {
      items: [],
      files: ['a.txt', 'b.txt'].map((name) => path.join(stage.home, name)),
      dragOperationsMask: 1,
    };
    await cdp.send('Input.dispatchDragEvent', { type: 'dragEnter', x: 400, y: 300, data });
    await app.window.getByText('Drop 2 files').waitFor();
    await app.window.getByText('Public links, copied when ready').waitFor();
    await cdp.send('Input.dispatchDragEvent', { type: 'dragCancel', x: 400, y: 300, data });
    await cdp.detach();
  });

  test('details stand beside a wide list: Space opens and closes them, the focus stays in the list', async () => {
    const { window } = app;
    await window.setViewportSize({ width: 1280, height: 800 });
    await drop('one.txt', 'two.txt');
    await card().getByText('2 links copied').waitFor();
    const pane = window.getByRole('complementary', { name: 'Details' });
    const focused = (): Promise<string | null | undefined> =>
      window.evaluate(() => document.activeElement?.getAttribute('role'));
    await eventually(() => window.locator('.row bdi').count()).toBe(2);
    // Both are uploaded at once, and either may be the newer one.
    const titles = await window
      .locator('.row bdi')
      .evaluateAll((all) => all.map((name) => name.getAttribute('title') ?? ''));
    const [first = '', second = ''] = titles;
    await window.getByRole('grid').focus();
    await window.keyboard.press('Home');
    await window.keyboard.press(' ');
    await pane.getByRole('heading', { name: first }).waitFor();
    await pane.getByRole('img', { name: `QR code of ${linkOf(first)}` }).waitFor();
    await pane.getByText('Uploaded', { exact: true }).last().waitFor();
    expect(await focused()).toBe('grid');
    await window.keyboard.press('ArrowDown');
    await pane.getByRole('heading', { name: second }).waitFor();
    await window.keyboard.press(' ');
    await pane.waitFor({ state: 'detached' });

    await window.keyboard.press('Control+Home');
    await window.keyboard.press('Shift+ ');
    await eventually(() => window.locator('.row[aria-selected=true]').count()).toBe(2);

    await window.locator('.row', { hasText: 'one.txt' }).click();
    await pane.getByRole('heading', { name: 'one.txt' }).waitFor();
    await pane.getByRole('button', { name: 'Close' }).click();
    await pane.waitFor({ state: 'detached' });
    expect(await focused()).toBe('grid');

    await window.setViewportSize({ width: 899, height: 640 });
    await window.keyboard.press(' ');
    await window.getByRole('dialog', { name: 'one.txt' }).waitFor();
    await window.keyboard.press('Escape');
    await window.getByRole('dialog').waitFor({ state: 'detached' });
    await eventually(focused).toBe('grid');
    await window.locator('.row', { hasText: 'two.txt' }).locator('.name').click();
    await window.getByRole('dialog', { name: 'two.txt' }).waitFor();
    await window.keyboard.press('Escape');
    await eventually(focused).toBe('grid');
  });

  test('by keyboard alone: files from the dialog, a copy, details, a deletion; the focus is in the list after each', async () => {
    const { window } = app;
    const press = (key: string): Promise<void> => window.keyboard.press(key);
    const focused = (): Promise<string | null | undefined> =>
      window.evaluate(() => document.activeElement?.getAttribute('role'));
    const chosen = [];
    for (const name of ['one.txt', 'two.txt'])
      chosen.push(await stage.put(path.join(stage.home, 'Desktop', name)));
    await app.answer('showOpenDialog', { canceled: false, filePaths: chosen });
    await press('Control+o');
    await card().getByText('2 links copied').waitFor();

    await press('Control+f');
    await window.keyboard.type('one');
    await eventually(() => window.locator('.row').count()).toBe(1);
    await window.locator('.row').getByRole('button', { name: 'Copy link' }).waitFor();
    await press('ArrowDown');
    await eventually(focused).toBe('grid');
    await press('Enter');
    await eventually(clipboard).toBe(linkOf('one.txt'));

    await press('i');
    await window.getByRole('complementary', { name: 'Details' }).waitFor();
    await press('Escape');
    await eventually(focused).toBe('grid');

    await press('Delete');
    const question = window.getByRole('dialog');
    const confirm = question.getByRole('button', { name: 'Recall', exact: true });
    await question.waitFor();
    for (let steps = 0; steps < 5; steps += 1) {
      if (await confirm.evaluate((it) => it === document.activeElement)) break;
      await press('Tab');
    }
    await press('Enter');
    await eventually(() => stage.service.files().map(({ filename }) => filename)).toEqual(['two.txt']);
    await question.waitFor({ state: 'detached' });
    await eventually(() => window.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
  });
});
