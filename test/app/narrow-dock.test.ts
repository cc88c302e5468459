// The bar of a selection in a window, or beside details, that leaves it little room: everything it offers stays in reach.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useWindow } from '../support/window/in-window.ts';
import { canOpenWindow } from '../support/window/open-window.ts';
import { manyRows } from '../support/window/seed.ts';

const choose = async (page: Page, names: readonly string[]): Promise<void> => {
  for (const name of names) await page.locator('.row', { hasText: name }).click({ modifiers: ['Control'] });
  await page.getByRole('toolbar').waitFor();
};

/** Everything drawn of it lies within it. */
const isWhole = (page: Page): Promise<boolean> =>
  page.getByRole('toolbar').evaluate((bar) => {
    const { left, right } = bar.getBoundingClientRect();
    const parts = [...bar.querySelectorAll('button, strong')].map((part) => part.getBoundingClientRect());
    return parts.every((part) => part.width === 0 || (part.left >= left && part.right <= right));
  });

describe.skipIf(!canOpenWindow())('the bar of a selection', () => {
  const inWindow = useWindow();

  test('has a menu for the actions without room beside the details, by keyboard too', async () => {
    await inWindow({}, async (page, transport) => {
      await page.locator('.row', { hasText: 'minutes' }).click();
      await page.getByRole('complementary', { name: 'Details' }).waitFor();
      await choose(page, ['brand assets', 'dataset']);
      const bar = page.getByRole('toolbar');
      expect(await bar.getByRole('button', { name: 'Copy release card' }).isVisible()).toBe(false);
      await bar.getByRole('button', { name: 'More actions for 3 files' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Copy as Markdown' }).waitFor();
      await page.keyboard.press('Escape');
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
        .toBe('More actions for 3 files');
      await page.keyboard.press('Enter');
      const card = page.getByRole('menuitem', { name: 'Copy release card' });
      while (!(await card.evaluate((item) => item === document.activeElement)))
        await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowRight');
      await page.getByRole('menuitem', { name: 'JSON' }).waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await expect
        .poll(() => transport.calls.find(({ name }) => name === 'window.copyCard')?.input)
        .toMatchObject({ as: 'json', fileIds: [4, 7, 8] });
    });
  });

  test.each(['en-GB', 'de', 'es', 'zh-CN'])('is never cut, whatever its width: %s', async (language) => {
    await inWindow({ languages: [language], rows: manyRows(1_500) }, async (page) => {
      await page
        .locator('.row')
        .first()
        .click({ modifiers: ['Control'] });
      await page.keyboard.press('Control+a');
      await page.getByRole('toolbar', { name: /1.?500/ }).waitFor();
      for (const width of [480, 560, 640, 700, 760, 800, 860, 900, 960, 1000, 1080, 1160]) {
        await page.setViewportSize({ width, height: 640 });
        await expect.poll(() => isWhole(page), { message: `${width} px` }).toBe(true);
      }
    });
  });
});
