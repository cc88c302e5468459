// The window over a real ledger of 100,000 uploads: the rows on screen are right and stay few, wherever the list is
// scrolled to. Its speed is measured by `npm run bench -- start`.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { canLaunch } from '../support/app.ts';
import { nameOf, writeManyUploads } from '../support/window/many-uploads.ts';
import { eventually, setStage } from './stage.ts';

const rows = 100_000;

test.skipIf(!canLaunch)(
  'among 100,000 uploads of the ledger searches and jumps show the right rows, and at most 60 are mounted',
  async () => {
    await using stage = await setStage();
    const data = path.join(stage.home, 'outtray');
    writeManyUploads(path.join(data, 'ledger.sqlite'), rows);
    await writeFile(path.join(data, 'settings.json'), JSON.stringify({ folder: stage.folder }));
    const app = await stage.start({ apiKey: stage.service.key });
    const { window } = app;
    const grid = window.getByRole('grid');
    const mounted = window.locator('.row');
    const names = window.locator('.row bdi');
    const shown = async (): Promise<(string | null)[]> =>
      (await names.evaluateAll((all) => all.map((name) => name.getAttribute('title')))).slice(0, 5);
    const firstFive = (first: number, step: number): string[] =>
      [0, 1, 2, 3, 4].map((at) => nameOf(first - at * step));

    await eventually(shown).toEqual(firstFive(rows - 1, 1));
    expect(await grid.getAttribute('aria-rowcount')).toBe(String(rows + 1));
    expect(await mounted.count()).toBeLessThanOrEqual(60);

    const search = window.getByRole('searchbox');
    for (const [typed, wanted, count] of [
      ['invoice-0500', firstFive(50_001, -4), 25],
      ['ph', firstFive(2, -4), rows / 4],
      ['render', firstFive(0, -4), rows / 4],
      ['000001.pdf', [nameOf(1)], 1],
      ['PDF 000001 Înv', [nameOf(1)], 1],
    ] as const) {
      await search.fill('');
      await eventually(shown).toEqual(firstFive(rows - 1, 1));
      await search.pressSequentially(typed);
      await eventually(shown).toEqual(wanted);
      await eventually(() => grid.getAttribute('aria-rowcount')).toBe(String(Math.min(count, 1_000) + 1));
      expect(await mounted.count()).toBeLessThanOrEqual(60);
    }

    // Only the first 1,000 are counted, and all the others can be reached.
    await search.fill('render');
    await eventually(shown).toEqual(firstFive(0, -4));
    await grid.focus();
    await window.keyboard.press('End');
    await eventually(async () => Number(await grid.getAttribute('aria-rowcount'))).toBeGreaterThan(1_001);
    await eventually(() => window.locator(`.row bdi[title="${nameOf(999 * 4)}"]`).count()).toBe(1);
    expect(await mounted.count()).toBeLessThanOrEqual(60);

    // The last one is reached by a jump, and from there steps lead back.
    await search.fill('');
    await eventually(shown).toEqual(firstFive(rows - 1, 1));
    await grid.focus();
    await window.keyboard.press('End');
    await eventually(() => window.locator('.row.active bdi').getAttribute('title')).toBe(nameOf(0));
    for (let page = 0; page < 3; page += 1) await window.keyboard.press('PageUp');
    await eventually(async () => Number((await shown())[0]?.slice(-10, -4))).toBeGreaterThan(20);
    expect(await grid.getAttribute('aria-rowcount')).toBe(String(rows + 1));
    expect(await mounted.count()).toBeLessThanOrEqual(60);
    expect(app.complaints).toEqual([]);
    await app.quit();
  },
);
