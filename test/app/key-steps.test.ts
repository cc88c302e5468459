// Keys in the list of files while its rows are still read, in the built window alone.
import { expect, test } from 'vitest';
import { createFakeTransport } from '../support/window/fake-transport.ts';
import { canOpenWindow, launchBrowser, openWindow, serveWindow } from '../support/window/open-window.ts';
import { manyRows } from '../support/window/seed.ts';

const rows = 5_000;

test.skipIf(!canOpenWindow())(
  'each key moves on from the one before it, even while rows are read',
  async () => {
    const server = await serveWindow();
    const browser = await launchBrowser();
    const transport = createFakeTransport({ rows: manyRows(rows) });
    const isHeld = { pages: false, release: (): void => undefined };
    const released = new Promise<void>((resolve) => {
      isHeld.release = resolve;
    });
    const { call } = transport;
    transport.call = async (name, input) => {
      if (name === 'files.page' && isHeld.pages) await released;
      return await call(name, input);
    };
    const { page, complaints } = await openWindow(browser, server.origin, transport, { reducedMotion: true });
    try {
      await page.locator('.row').first().waitFor();
      await page.getByRole('grid').focus();
      isHeld.pages = true;
      await page.keyboard.press('End');
      for (const key of ['ArrowUp', 'ArrowUp', 'Shift+ArrowUp', 'Shift+ArrowUp'])
        await page.keyboard.press(key);
      isHeld.release();
      const active = page.locator('.row.active');
      // The first row of the grid is its header.
      await expect.poll(() => active.getAttribute('aria-rowindex')).toBe(String(rows + 1 - 4));
      expect(await page.locator('.row[aria-selected="true"]').count()).toBe(3);
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
      await server.close();
    }
  },
);
