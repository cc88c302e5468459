// The user's work with the mouse in the window, with a real service: order, doubt, a new key, every screen.
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canLaunch, type RunningApp } from '../support/app.ts';
import {
  call,
  eventually,
  leave,
  setStage,
  type Stage,
  startWatching,
  untilStatus,
  sayYes,
} from './stage.ts';

describe.skipIf(!canLaunch)('with the mouse', () => {
  let stage: Stage;
  let app: RunningApp;

  beforeEach(async () => {
    stage = await setStage();
    app = await startWatching(stage);
  });
  afterEach(() => leave(stage, app));

  const open = async (view: string): Promise<void> => {
    await app.window.getByRole('navigation').getByRole('button', { name: view }).click();
    await app.window.getByRole('heading', { level: 1, name: view }).waitFor();
  };
  const stored = (): string[] => stage.service.files().map(({ filename }) => filename);

  test('a waiting file that is dragged to the top is uploaded first', async () => {
    await call(app.window, 'queue.pause', { untilMs: null });
    await call(app.window, 'settings.set', { name: 'concurrentUploads', value: 1 });
    const names = ['one.txt', 'two.txt', 'three.txt'];
    for (const [at, name] of names.entries()) {
      await stage.put(name);
      await untilStatus(app.window, ({ counts }) => counts.waiting === at + 1);
    }
    await open('Queue');
    const waiting = app.window.getByRole('region', { name: 'Waiting' });
    const shown = (): Promise<(string | null)[]> =>
      waiting
        .locator('li bdi')
        .all()
        .then((all) => Promise.all(all.map((name) => name.getAttribute('title'))));
    await eventually(shown).toEqual(names);
    await eventually(() => waiting.locator('li[draggable=true]').count()).toBe(3);

    await waiting.locator('li').nth(2).dragTo(waiting.locator('li').first());
    await eventually(shown).toEqual(['three.txt', 'one.txt', 'two.txt']);
    await app.window.getByRole('button', { name: 'Resume' }).click();
    await eventually(stored, 60_000).toEqual(['three.txt', 'one.txt', 'two.txt']);
  });

  test('an upload whose answer was lost is compared with a file on the service, and matched', async () => {
    stage.service.faults.add(
      { match: { path: '/files/upload' }, fault: { kind: 'reset', at: 'done' } },
      // Nothing can be found out without the user: no link serves its content.
      { match: { path: '/download/*' }, times: null, fault: { kind: 'answer', status: 500 } },
    );
    await stage.put('doubt.txt', 'sent, but was it kept?');
    await untilStatus(app.window, ({ counts }) => counts.held === 1);
    await open('Queue');
    await app.window.getByRole('button', { name: /^Compare/ }).click();
    const dialog = app.window.getByRole('dialog');
    await dialog.getByText('same size').waitFor();
    await dialog.getByRole('button', { name: 'This is it' }).click();
    await untilStatus(app.window, ({ counts }) => counts.uploaded === 1 && counts.held === 0);
    await open('Files');
    await app.window.getByRole('button', { name: /^Copy link/ }).click();
    await eventually(() => app.clipboardText()).toBe(stage.service.files()[0]?.link);
    expect(stored()).toEqual(['doubt.txt']);
  });

  test('a revoked key is replaced from the banner, and the queue continues', async () => {
    stage.service.revokeKey();
    await stage.put('later.txt');
    await app.window.getByRole('button', { name: 'Replace key…' }).first().click();
    stage.service.setKey('another-key-0123456789');
    const dialog = app.window.getByRole('dialog');
    await dialog.getByLabel('API key').fill('another-key-0123456789');
    await sayYes(app);
    await dialog.getByRole('button', { name: 'Check key' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await eventually(stored).toEqual(['later.txt']);
    await eventually(() => app.window.getByText(/does not accept the API key/).count()).toBe(0);
  });

  test('details point out a copy that a proxy’s repeat made, once they are read again', async () => {
    await stage.put('repeated.txt', 'sent once, stored twice');
    await untilStatus(app.window, ({ counts }) => counts.uploaded === 1);
    await app.window.locator('.row').first().click();
    await app.window.keyboard.press('i');
    const details = app.window.getByRole('complementary', { name: 'Details' });
    await details.waitFor();
    // The list shows the copy, too, as a row of its own.
    const copy = await stage.service.addFile({
      filename: 'repeated.txt',
      content: 'sent once, stored twice',
    });
    await call(app.window, 'files.list', {});
    const text = details.getByText(`The account has another file of this name and size (id ${copy.id}).`);
    expect(await text.count()).toBe(0);
    await details.getByRole('button', { name: /^Read again/ }).click();
    await text.waitFor();
  });

  test('every screen, menu and dialog opens without an error or a warning', async () => {
    const { window } = app;
    await stage.put('seen.txt');
    await stage.put('id_rsa');
    await untilStatus(window, ({ counts }) => counts.uploaded === 1 && counts.held === 1);
    const row = window.locator('.row').first();
    // Narrow enough for details over the list.
    await window.setViewportSize({ width: 899, height: 640 });
    for (const key of ['i', ' ', 'Delete', '?']) {
      await row.click();
      await window.keyboard.press(key);
      await window.getByRole('dialog').waitFor();
      await window.keyboard.press('Escape');
      await window.getByRole('dialog').waitFor({ state: 'hidden' });
    }
    await row.getByRole('button', { name: /More actions/ }).click();
    await window.getByRole('menu').waitFor();
    await window.keyboard.press('Escape');

    await open('Queue');
    await window.getByText('1 file looks like a secret').waitFor();
    await open('Statistics');
    await window.getByRole('button', { name: /^Read / }).click();
    await window.getByText('downloads so far').waitFor();

    await open('Settings');
    for (const tab of ['Account', 'Folder', 'After upload', 'Network', 'General', 'Diagnostics']) {
      await window.getByRole('tab', { name: tab, exact: true }).click();
      await window.getByRole('tabpanel').first().waitFor();
    }
    await window.getByRole('button', { name: 'Run checks' }).click();
    await window.getByText(path.basename(stage.folder)).first().waitFor();
    for (const colorScheme of ['dark', 'light'] as const) await window.emulateMedia({ colorScheme });
    for (const width of [640, 1280]) await window.setViewportSize({ width, height: 600 });
  });
});
