// What is selected: a button of the header with a menu, in every width, which the dock does not displace.
import { describe, expect, test } from 'vitest';
import { useWindow } from '../support/window/in-window.ts';
import { canOpenWindow } from '../support/window/open-window.ts';
import { manyRows } from '../support/window/seed.ts';

describe.skipIf(!canOpenWindow())('a selection', () => {
  const inWindow = useWindow();

  test('has its actions in a menu, beside the details, by keyboard too', async () => {
    await inWindow({}, async (page, transport) => {
      await page.locator('.row', { hasText: 'minutes' }).click();
      await page.getByRole('complementary', { name: 'Details' }).waitFor();
      for (const name of ['brand assets', 'dataset'])
        await page.locator('.row', { hasText: name }).click({ modifiers: ['Control'] });
      await page.getByRole('button', { name: '3 selected' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Copy as Markdown' }).waitFor();
      await page.keyboard.press('Escape');
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.textContent))
        .toContain('3 selected');
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
      const selected = page.getByRole('button', { name: /1.?500/ }).last();
      await selected.waitFor();
      for (const width of [480, 560, 640, 700, 760, 800, 860, 900, 960, 1000, 1080, 1160]) {
        await page.setViewportSize({ width, height: 640 });
        const isWhole = (): Promise<boolean> =>
          selected.evaluate((button) => {
            const { left, right, top, height } = button.getBoundingClientRect();
            const seen = document.elementFromPoint((left + right) / 2, top + height / 2);
            return right <= innerWidth && button.contains(seen) && button.scrollWidth <= button.clientWidth;
          });
        await expect.poll(isWhole, { message: `${String(width)} px` }).toBe(true);
      }
    });
  });
});
