// Long words and large numbers in the built window, from 480 px on (960 px at 200 %): nothing is cut, and nothing covers
// something else.
import { describe, expect, test } from 'vitest';
import { noCounts } from '../../src-main/contract/model.ts';
import { useWindow } from '../support/window/in-window.ts';
import { canOpenWindow } from '../support/window/open-window.ts';
import { manyRows, status } from '../support/window/seed.ts';

/** In the page: texts that are cut, buttons beyond their place, numbers that cover an icon, and buttons that wrapped alone. */
const faultsOf = (): string[] => {
  const textOf = (one: Element): string => one.textContent.trim().replaceAll(/\s+/g, ' ').slice(0, 60);
  const isSeen = (one: Element): boolean =>
    one.getBoundingClientRect().width > 2 && getComputedStyle(one).visibility === 'visible';
  // Names and hosts may be shortened, and the age of the list; text for screen readers is not seen.
  const mayBeCut = 'bdi, .host, .as-of, .unseen, .word, select, [aria-hidden=true]';
  const cut = [...document.querySelectorAll('body *')]
    .filter((one) => one.closest(mayBeCut) === null && isSeen(one))
    .filter((one) => getComputedStyle(one).overflowX !== 'visible' && one.scrollWidth > one.clientWidth + 1)
    .map((one) => `cut: ${one.className} ${textOf(one)}`);
  const beyond = [...document.querySelectorAll('main button, main select')]
    .filter((one) => isSeen(one) && one.closest('[role=row]') === null)
    .filter((one) => {
      const place = one.closest('aside, main')?.getBoundingClientRect();
      const { left, right } = one.getBoundingClientRect();
      return place !== undefined && (left < place.left - 1 || right > place.right + 1);
    })
    .map((one) => `beyond: ${textOf(one)}`);
  const covering = [...document.querySelectorAll('nav .badge')].filter(isSeen).flatMap((badge) => {
    const a = badge.getBoundingClientRect();
    const b = badge.parentElement?.querySelector('svg')?.getBoundingClientRect();
    return b !== undefined && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
      ? [`covering: ${textOf(badge)}`]
      : [];
  });
  const alone = [...document.querySelectorAll('.acts')].flatMap((group) => {
    const tops = [...group.querySelectorAll('button')].filter(isSeen).map((one) => {
      const { top, bottom, width } = one.getBoundingClientRect();
      return { middle: Math.round((top + bottom) / 2), isIcon: width < 40 };
    });
    return tops.some(({ middle, isIcon }) => isIcon && middle > (tops[0]?.middle ?? middle) + 10)
      ? [`alone: ${textOf(group)}`]
      : [];
  });
  const sideways = document.documentElement.scrollWidth > innerWidth ? ['sideways'] : [];
  return [...cut, ...beyond, ...covering, ...alone, ...sideways];
};

describe.skipIf(!canOpenWindow())('long words in the built window', () => {
  const inWindow = useWindow();

  test.each(['en-US', 'de-DE', 'es-ES', 'zh-CN'])(
    'no text is cut and no number covers an icon at any width: 100,000 files, 143 that need an answer, details open, %s',
    async (language) => {
      const seed = {
        languages: [language],
        rows: manyRows(100_000),
        status: status({ counts: { ...noCounts(), uploaded: 100_000, held: 143, waiting: 160 } }),
      };
      await inWindow(seed, async (page) => {
        await page.setViewportSize({ width: 960, height: 640 });
        await page.locator('.row').first().waitFor();
        const look = async (): Promise<void> => {
          for (const width of [480, 640, 699, 760, 900, 960]) {
            await page.setViewportSize({ width, height: 640 });
            await expect.poll(() => page.evaluate(faultsOf), { message: `${width} px wide` }).toEqual([]);
          }
        };
        await look();
        // Details stand beside the list from 900 px on.
        await page.locator('.row').nth(1).click();
        await page.getByRole('complementary').waitFor();
        await look();
        await page.keyboard.press('Control+A');
        await look();
        for (const at of [1, 2, 3]) {
          await page.locator('nav button').nth(at).click();
          await look();
        }
        for (const tab of await page.getByRole('tab').all()) {
          await tab.click();
          await look();
        }
      });
    },
  );

  test('file groups that do not fit are in a menu, which does the same', async () => {
    const [first, second, ...rest] = manyRows(100_000);
    const rows = [
      ...(first === undefined ? [] : [{ ...first, place: 'elsewhere' as const }]),
      ...(second === undefined ? [] : [{ ...second, place: 'gone-from-service' as const, publicLink: null }]),
      ...rest,
    ];
    await inWindow({ languages: ['de-DE'], rows }, async (page) => {
      await page.setViewportSize({ width: 560, height: 640 });
      const menu = page.getByRole('combobox', { name: 'Anzeigen', exact: true });
      await menu.waitFor();
      const chip = page.getByRole('group', { name: 'Anzeigen', exact: true }).getByRole('button');
      expect(await chip.count()).toBe(0);
      await menu.selectOption('gone');
      await expect.poll(() => page.locator('.row').count()).toBe(1);
      await page.setViewportSize({ width: 1280, height: 640 });
      await page.getByRole('searchbox').focus();
      await chip.filter({ hasText: 'Gelöscht' }).and(page.locator('[aria-pressed=true]')).waitFor();
      expect(await menu.count()).toBe(0);
    });
  });
});
