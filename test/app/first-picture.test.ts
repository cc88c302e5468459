// The first picture of the window does not wait for the list, however long that is.
import { expect, test } from 'vitest';
import { createFakeTransport } from '../support/window/fake-transport.ts';
import { canOpenWindow, launchBrowser, openWindow, serveWindow } from '../support/window/open-window.ts';
import { firstRun } from '../support/window/screen-seeds.ts';

test.skipIf(!canOpenWindow())(
  'the window is painted while the ledger still searches for the rows',
  async () => {
    const server = await serveWindow();
    const browser = await launchBrowser();
    const transport = createFakeTransport();
    const rows = Promise.withResolvers<undefined>();
    const slow = {
      ...transport,
      async call(name: string, input: unknown) {
        if (name === 'files.page') await rows.promise;
        return await transport.call(name, input);
      },
    };
    const { page, complaints } = await openWindow(browser, server.origin, slow, { fixedTime: false });
    try {
      await page.getByRole('searchbox').waitFor();
      const paints = (): Promise<number> =>
        page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length);
      await expect.poll(paints).toBe(1);
      expect(await page.locator('.row').count()).toBe(0);
      rows.resolve(undefined);
      await page.locator('.row').first().waitFor();
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
      await server.close();
    }
  },
);

test.skipIf(!canOpenWindow())(
  'in a small window the way on is visible, with all files unfolded',
  async () => {
    const server = await serveWindow();
    const browser = await launchBrowser();
    const transport = createFakeTransport(firstRun());
    const { page } = await openWindow(browser, server.origin, transport, { width: 640, height: 480 });
    try {
      const start = page.getByRole('button', { name: /^Start/ });
      const isInSight = (): Promise<boolean> =>
        start.evaluate((button) => {
          const { left, top, bottom } = button.getBoundingClientRect();
          return bottom <= innerHeight && document.elementFromPoint(left + 8, top + 8) === button;
        });
      await expect.poll(isInSight).toBe(true);
      const folded = page.locator('main [aria-expanded=false]');
      while ((await folded.count()) > 0) await folded.first().click();
      await expect.poll(isInSight).toBe(true);
      // At the end of the page it covers nothing.
      await page.locator('main').evaluate((main) => {
        main.scrollTop = main.scrollHeight;
      });
      const drop = await page.getByRole('group', { name: 'Try it' }).boundingBox();
      const footer = await page.locator('footer').boundingBox();
      expect((drop?.y ?? 0) + (drop?.height ?? 0)).toBeLessThanOrEqual(footer?.y ?? 0);
      if (process.env['PIC'] !== undefined) await page.screenshot({ path: process.env['PIC'] });
    } finally {
      await browser.close();
      await server.close();
    }
  },
);
