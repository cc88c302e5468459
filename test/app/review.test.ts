// What a person decides about many files or links at once: a burst with its plans, the review of links, and every link of
// one content.
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canLaunch, type RunningApp } from '../support/app.ts';
import {
  agreed,
  call,
  chosen,
  eventually,
  leave,
  pressed,
  sayYes,
  setStage,
  type Stage,
  startWatching,
  untilStatus,
} from './stage.ts';

declare global {
  var told: { title: string; asks: boolean }[];
}

describe.skipIf(!canLaunch)('many at once', () => {
  let stage: Stage;
  let app: RunningApp;

  beforeEach(async () => {
    stage = await setStage({ burstFiles: 4, reconcileAfterMs: 1000 });
    app = await startWatching(stage);
  });
  afterEach(() => leave(stage, app));

  const open = async (view: string): Promise<void> => {
    await app.window.getByRole('navigation').getByRole('button', { name: view }).click();
    await app.window.getByRole('heading', { level: 1, name: view }).waitFor();
  };
  const button = (name: string | RegExp) => app.window.getByRole('button', { name, exact: true });

  describe('a burst', () => {
    beforeEach(async () => {
      const folder = path.join(stage.folder, 'scans 2019');
      await mkdir(folder);
      for (let at = 1; at <= 6; at += 1) {
        const file = path.join(folder, `scan ${String(at)}.tif`);
        await writeFile(file, `scan ${String(at)}`);
        await utimes(file, 1_700_000_000 + at, 1_700_000_000 + at);
      }
      await untilStatus(app.window, ({ counts }) => counts.held === 6);
      await open('Queue');
    });
    const plan = (name: RegExp) => app.window.getByRole('radio', { name });

    test('is uploaded as one zip by keyboard alone: one link, and no file by itself', async () => {
      await app.window.getByText('6 files came at once').waitFor();
      await plan(/^One link for each file/).focus();
      await app.window.keyboard.press('ArrowDown');
      await plan(/^One zip, one link scans 2019\.zip/)
        .and(app.window.locator(':checked'))
        .waitFor();
      await sayYes(app);
      await app.window.keyboard.press('Tab');
      await app.window.keyboard.press('Enter');
      await eventually(() => stage.service.files().length).toBe(1);
      await eventually(() => app.clipboardText()).toMatch(/^https?:/);
      const { counts } = await untilStatus(app.window, ({ sending }) => sending === 0);
      expect(counts).toMatchObject({ held: 0, skipped: 6, waiting: 0 });
      const { stdout } = await stage.command(['why', path.join(stage.folder, 'scans 2019', 'scan 3.tif')]);
      expect(stdout).toContain('It was packed into scans 2019.zip (http');
    });

    test('is reduced to its newest file; the others are skipped, and Undo asks about them again', async () => {
      await plan(/^Only the newest file scan 6\.tif; the other 5 are skipped/).check();
      await sayYes(app);
      await button('Upload the newest').click();
      await app.window.getByText('5 files skipped').first().waitFor();
      await button('Undo').click();
      await untilStatus(app.window, ({ counts }) => counts.uploaded === 1 && counts.held === 5);
      expect(stage.service.files().map(({ filename }) => filename)).toEqual(['scan 6.tif']);
      await app.window.getByText('5 files came at once').waitFor();
    });

    test('fits the smallest window, where no answer is cut', async () => {
      await app.window.setViewportSize({ width: 640, height: 480 });
      await button('Upload 6').waitFor();
      const overflow = await app.window.evaluate(() => {
        const ask = document.querySelector('.ask');
        return ask === null ? -1 : ask.scrollWidth - ask.clientWidth;
      });
      expect(overflow).toBe(0);
    });
  });

  describe('links that need a look', () => {
    const dialog = () => app.window.getByRole('dialog');
    const dock = () => app.window.getByRole('region', { name: 'Recall', exact: true });
    /** Each title of the dock, and whether a question was open beside it. */
    const watchDock = (): Promise<void> =>
      app.window.evaluate(() => {
        const told: typeof globalThis.told = [];
        globalThis.told = told;
        new MutationObserver(() => {
          const title = document.querySelector('.recall .title')?.textContent ?? '';
          if (title !== '' && told.at(-1)?.title !== title)
            told.push({ title, asks: document.querySelector('[role=dialog]') !== null });
        }).observe(document.body, { subtree: true, childList: true, characterData: true });
      });
    const section = (name: string) => app.window.getByRole('region', { name });
    const openReview = async (): Promise<void> => {
      await button('Review links').click();
      await app.window.getByRole('heading', { level: 1, name: 'Review' }).waitFor();
    };

    test('are absent at first; the review is opened and left by keyboard, with the focus where it was', async () => {
      await button('Review links').focus();
      await app.window.keyboard.press('Enter');
      await app.window.getByText('No link needs attention').waitFor();
      await app.window.keyboard.press('Escape');
      await button('Review links').and(app.window.locator(':focus')).waitFor();
    });

    test('are grouped, and a link that ends soon gets a later end there', async () => {
      await stage.put('soon.txt');
      await untilStatus(app.window, ({ counts }) => counts.uploaded === 1);
      const fileId = stage.service.files()[0]?.id ?? 0;
      await pressed(app, 'files.expire', { files: [{ fileId }], expire: { afterMs: 86_400_000 } });
      await openReview();
      await section('Expires within 7 days 1').getByRole('button', { name: 'Set expiry… soon.txt' }).click();
      await dialog().getByRole('combobox').selectOption('31d');
      await dialog().getByRole('button', { name: 'Set' }).click();
      await app.window.getByText('No link needs attention').waitFor();
    });

    test('leave the list when the service lost their files; the files on disk stay', async () => {
      const file = await stage.put('lost.txt');
      await untilStatus(app.window, ({ counts }) => counts.uploaded === 1);
      await stage.service.removeFile(stage.service.files()[0]?.id ?? 0);
      await openReview();
      await app.window.getByText('No link needs attention').waitFor();
      const remove = section('Dead, still answers, or not proven 1').getByRole('button', {
        name: 'Remove from list lost.txt',
      });
      // A file may be missing in a list that was read soon after its upload.
      await eventually(async () => {
        await button('Refresh').click();
        return remove.count();
      }).toBe(1);
      await remove.click();
      await app.window.getByText('No link needs attention').waitFor();
      await app.window.keyboard.press('Escape');
      await app.window.getByRole('heading', { level: 1, name: 'Files' }).waitFor();
      await eventually(() => app.window.locator('.row', { hasText: 'lost.txt' }).count()).toBe(0);
      expect(await readFile(file, 'utf8')).toBe('content of lost.txt');
    });

    test('are recalled when no list ever showed a download', async () => {
      await stage.put('unused.txt');
      await untilStatus(app.window, ({ counts }) => counts.uploaded === 1);
      // As if it had been uploaded eight days ago.
      const ledger = new DatabaseSync(path.join(stage.home, 'outtray', 'ledger.sqlite'), { timeout: 5000 });
      ledger.exec('UPDATE uploads SET uploaded_at_ms = uploaded_at_ms - 8 * 86400000');
      ledger.close();
      await openReview();
      await app.window.getByText('No link needs attention').waitFor();
      await button('Refresh').click();
      await section('Never downloaded 1').getByRole('button', { name: 'Recall… unused.txt' }).click();
      await dialog().getByRole('button', { name: 'Recall' }).click();
      await eventually(() => stage.service.files()).toEqual([]);
      await app.window.getByText('No link needs attention').waitFor();
    });

    test('to one content are compared and recalled together: the question closes at once, the dock counts', async () => {
      const file = await stage.put('twice.txt', 'one content');
      await untilStatus(app.window, ({ counts }) => counts.uploaded === 1);
      await agreed(app, 'files.upload', { paths: await chosen(app, file), again: true });
      await eventually(() => stage.service.files().length).toBe(2);
      await call(app.window, 'files.bundle', { paths: await chosen(app, file), name: 'bundle' });
      await eventually(() => stage.service.files().length).toBe(3);
      await openReview();
      await section('Same content, more than one link 1')
        .getByRole('button', { name: 'Compare links… twice.txt' })
        .click();
      const details = app.window.locator('.details');
      await details.getByText('in bundle.zip').waitFor();
      expect(await details.getByText('alive', { exact: true }).count()).toBe(3);
      await details.getByRole('button', { name: 'Recall all…' }).click();
      await dialog().getByText('bundle.zip').waitFor();
      await watchDock();
      await dialog().getByRole('button', { name: 'Recall 3 links' }).click();
      await eventually(() => dock().innerText()).toMatch(/^3 links dead/);
      expect(stage.service.files()).toEqual([]);
      const told = await app.window.evaluate(() => globalThis.told);
      expect(told.find(({ title }) => title.startsWith('Recalling'))).toMatchObject({ asks: false });
      expect(told.at(-1)?.title).toMatch(/^3 links dead/);
      await openReview();
      await app.window.getByText('No link needs attention').waitFor();
    });

    test('to one content are listed in the details of its file', async () => {
      const file = await stage.put('twice.txt', 'one content');
      await untilStatus(app.window, ({ counts }) => counts.uploaded === 1);
      const details = app.window.locator('.details');
      await app.window.locator('.row', { hasText: 'twice.txt' }).click();
      await app.window.keyboard.press('i');
      await details.getByText('This is its only link.').waitFor();
      await agreed(app, 'files.upload', { paths: await chosen(app, file), again: true });
      await details.getByText('alive', { exact: true }).nth(1).waitFor();
      await details.getByRole('button', { name: 'Recall all…' }).click();
      await dialog().getByRole('button', { name: 'Recall 2 links' }).click();
      await dialog().waitFor({ state: 'detached' });
      await dock().getByText('2 links dead').waitFor();
      expect(stage.service.files()).toEqual([]);
    });
  });
});
