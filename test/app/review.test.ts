// What a person decides about many files or links at once: a burst with its plans, the review of links, and every link of
// one content.
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canLaunch, type RunningApp } from '../support/app.ts';
import { call, eventually, leave, setStage, type Stage, startWatching, untilStatus } from './stage.ts';

describe.skipIf(!canLaunch)('many at once', () => {
  let stage: Stage;
  let app: RunningApp;

  beforeEach(async () => {
    stage = await setStage({ burstFiles: 4 });
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

    test('goes as one zip by keyboard alone: one link, and no file by itself', async () => {
      await app.window.getByText('6 files came at once').waitFor();
      await plan(/^One link for each file/).focus();
      await app.window.keyboard.press('ArrowDown');
      await plan(/^One zip, one link scans 2019\.zip/)
        .and(app.window.locator(':checked'))
        .waitFor();
      await app.window.keyboard.press('Tab');
      await app.window.keyboard.press('Enter');
      await eventually(() => stage.service.files().length).toBe(1);
      await eventually(() => app.clipboardText()).toMatch(/^https?:/);
      const { counts } = await untilStatus(app.window, ({ sending }) => sending === 0);
      expect(counts).toMatchObject({ held: 0, skipped: 6, waiting: 0 });
      const { sentence } = await call(app.window, 'file.why', {
        path: path.join(stage.folder, 'scans 2019', 'scan 3.tif'),
      });
      expect(sentence).toContain('It was packed into scans 2019.zip (http');
    });

    test('is left to its newest file, and Undo asks about the others again', async () => {
      await plan(/^Only the newest file scan 6\.tif; the other 5 are skipped/).check();
      await button('Upload the newest').click();
      await untilStatus(app.window, ({ counts }) => counts.uploaded === 1 && counts.skipped === 5);
      expect(stage.service.files().map(({ filename }) => filename)).toEqual(['scan 6.tif']);
      await button('Undo').click();
      await untilStatus(app.window, ({ counts }) => counts.held === 5);
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
});
