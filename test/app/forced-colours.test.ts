// The window with forced colours, as Windows' contrast themes set them: information that a background or a shadow conveys
// elsewhere is still visible.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFakeTransport } from '../support/window/fake-transport.ts';
import {
  canOpenWindow,
  launchBrowser,
  openWindow,
  serveWindow,
  type WindowServer,
} from '../support/window/open-window.ts';
import { busyStatus, busyUploads, row } from '../support/window/seed.ts';

let browser: Awaited<ReturnType<typeof launchBrowser>>;
let server: WindowServer;

const ground = (element: Locator): Promise<string> =>
  element.evaluate((one) => getComputedStyle(one).backgroundColor);

describe.skipIf(!canOpenWindow())('with forced colours', () => {
  beforeAll(async () => {
    server = await serveWindow();
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  test.each(['light', 'dark'] as const)(
    'bars, status, current view and the edge of a dialog are visible, %s',
    async (theme) => {
      const transport = createFakeTransport({
        uploads: busyUploads(),
        status: busyStatus(),
        rows: [row(1, 'a.pdf'), row(2, 'b.png')],
      });
      const { page, complaints, close } = await openWindow(browser, server.origin, transport, {
        theme,
        reducedMotion: true,
      });
      await page.emulateMedia({ forcedColors: 'active' });
      await page.getByRole('navigation').getByRole('button', { name: 'Queue' }).click();
      const canvas = await ground(page.locator('body'));

      const bar = page.getByRole('progressbar').first();
      await bar.waitFor();
      expect(await ground(bar.locator('i'))).not.toBe(canvas);
      expect(await ground(bar.locator('i'))).not.toBe(await ground(bar));
      expect(await ground(page.locator('.foot .dot'))).not.toBe(canvas);
      const current = page.locator('nav [aria-current]');
      const other = page.locator('nav button:not([aria-current])').first();
      expect(await ground(current)).not.toBe(await ground(other));

      // An area filled with a system colour shows its own text on it.
      const filled = page.locator('button.primary:enabled').first();
      await page.keyboard.press('Control+1');
      await page.keyboard.press('?');
      await filled.waitFor();
      expect(await filled.evaluate((one) => getComputedStyle(one).forcedColorAdjust)).toBe('none');
      await page.keyboard.press('Escape');
      await filled.waitFor({ state: 'detached' });

      // The tick of a selected row differs in colour from its box, and the box from the row.
      await page.locator('.row').first().click();
      const box = page.locator('.row .ticked .box').first();
      await box.waitFor();
      const drawn = await box.evaluate((one) => ({
        tick: getComputedStyle(one.querySelector('svg') ?? one).color,
        box: getComputedStyle(one).backgroundColor,
        row: getComputedStyle(one.closest('.row') ?? one).backgroundColor,
      }));
      expect(drawn.tick).not.toBe(drawn.box);
      expect(drawn.box).not.toBe(drawn.row);
      await page.keyboard.press('Escape');

      await page.keyboard.press('?');
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      const edge = await dialog.evaluate((one) => {
        const { borderTopWidth, borderTopStyle, borderTopColor } = getComputedStyle(one);
        return { width: parseFloat(borderTopWidth), style: borderTopStyle, color: borderTopColor };
      });
      expect(edge).toMatchObject({ style: 'solid' });
      expect(edge.width).toBeGreaterThan(0);
      expect(edge.color).not.toBe(canvas);
      expect(complaints).toEqual([]);
      await close();
    },
  );
});
