// Low rows in the list of files, in the built window alone.
import { expect, test } from 'vitest';
import { createFakeTransport } from '../support/window/fake-transport.ts';
import { canOpenWindow, launchBrowser, openWindow, serveWindow } from '../support/window/open-window.ts';
import { manyRows } from '../support/window/seed.ts';

test.skipIf(!canOpenWindow())(
  'rows become low by keyboard, keep the scroll position, and stay low after a restart',
  async () => {
    const server = await serveWindow();
    const browser = await launchBrowser();
    const transport = createFakeTransport({ rows: manyRows(2_000) });
    const { page, complaints } = await openWindow(browser, server.origin, transport, { reducedMotion: true });
    try {
      const heights = async (): Promise<number[]> => [
        ...new Set(
          await page
            .locator('.row')
            .evaluateAll((rows) => rows.map((one) => one.getBoundingClientRect().height)),
        ),
      ];
      const firstSeen = (): Promise<number> =>
        page.locator('.rows').evaluate((rows) => {
          const top = rows.getBoundingClientRect().top + 1;
          const seen = [...rows.querySelectorAll('.row')].find(
            (one) => one.getBoundingClientRect().bottom > top,
          );
          return Number(seen?.getAttribute('aria-rowindex'));
        });

      await page.locator('.row').first().waitFor();
      // Without the headings of days: then a row is where its number puts it.
      await page.getByLabel('Order').selectOption('Largest first');
      await expect.poll(() => page.locator('.day').count()).toBe(0);
      expect(await heights()).toEqual([52]);
      await expect
        .poll(async () => {
          await page.locator('.rows > *').evaluate((list) => {
            list.scrollTop = 52 * 500;
          });
          return await firstSeen();
        })
        .toBe(502);
      const toggle = page.getByRole('button', { name: 'Compact rows' });
      await toggle.focus();
      await page.keyboard.press('Enter');
      await expect.poll(heights).toEqual([36]);
      await expect.poll(firstSeen).toBe(502);
      expect(await toggle.getAttribute('aria-pressed')).toBe('true');

      await page.reload();
      await expect.poll(heights).toEqual([36]);
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
      await server.close();
    }
  },
);
