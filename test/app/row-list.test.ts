// Scrolling in the list of files, in the built window alone. The list reuses its row elements for other rows.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createFakeTransport } from '../support/window/fake-transport.ts';
import { canOpenWindow, launchBrowser, openWindow, serveWindow } from '../support/window/open-window.ts';
import { manyRows, row } from '../support/window/seed.ts';

const inList = async (
  act: (page: Page, transport: ReturnType<typeof createFakeTransport>) => Promise<void>,
  rows = manyRows(2_000),
): Promise<void> => {
  const server = await serveWindow();
  const browser = await launchBrowser();
  const transport = createFakeTransport({ rows });
  const { page, complaints } = await openWindow(browser, server.origin, transport, { reducedMotion: true });
  try {
    await page.locator('.row').first().waitFor();
    // Without the headings of days: then a row is where its number puts it.
    if (rows.length > 10) await page.getByLabel('Order').selectOption('Largest first');
    await expect.poll(() => page.locator('.day').count()).toBe(rows.length > 10 ? 0 : 1);
    await act(page, transport);
    expect(complaints).toEqual([]);
  } finally {
    await browser.close();
    await server.close();
  }
};

const scrollTo = (page: Page, row: number): Promise<void> =>
  page.locator('.rows > *').evaluate((list, at) => {
    list.scrollTop = 52 * at;
  }, row);
const rowIndices = (page: Page): Promise<number[]> =>
  page
    .locator('.row')
    .evaluateAll((rows) => rows.map((one) => Number(one.getAttribute('aria-rowindex')) - 2));

test.skipIf(!canOpenWindow())(
  'however the list is scrolled, the rows around the visible ones are mounted, and are in order in the document',
  async () => {
    await inList(async (page) => {
      const count = (await rowIndices(page)).length;
      for (const row of [1, 17, 400, 385, 5, 1_990, 0]) {
        await scrollTo(page, row);
        const first = Math.min(Math.max(0, row - 4), 2_000 - count);
        await expect
          .poll(() => rowIndices(page))
          .toEqual(Array.from({ length: count }, (_, at) => first + at));
      }
    });
  },
);

test.skipIf(!canOpenWindow())(
  'while the list is scrolled no element is moved in the document, and its rows are the right ones',
  async () => {
    await inList(async (page) => {
      // Rows that have not been read yet are not shown.
      for (const first of [196, 0]) {
        await scrollTo(page, first);
        await expect.poll(async () => (await rowIndices(page))[0]).toBe(Math.max(0, first - 4));
      }
      const seen = await page.locator('.rows > *').evaluate(async (list) => {
        // The count covers what a scroll changes, not what happens once the list is at rest.
        let scrolling = false;
        let moves = 0;
        const observer = new MutationObserver((records) => {
          if (scrolling) moves += records.length;
        });
        for (const all of list.children) observer.observe(all, { childList: true });
        addEventListener(
          'scroll',
          () => {
            scrolling = true;
            setTimeout(() => (scrolling = false));
          },
          { capture: true },
        );
        const frame = (): Promise<unknown> => new Promise((next) => requestAnimationFrame(next));
        const wrong: number[] = [];
        for (let row = 10; row < 200; row += 16) {
          list.scrollTop = 52 * row;
          const isRight = (): boolean => {
            const { top } = list.getBoundingClientRect();
            const first = document.elementFromPoint(300, top + 26)?.closest('.row');
            return first?.getAttribute('aria-rowindex') === String(row + 2);
          };
          // On a busy machine the event of the scroll comes some frames later.
          for (let frames = 0; frames < 20 && !isRight(); frames += 1) await frame();
          if (!isRight()) wrong.push(row);
        }
        return { moves, wrong };
      });
      expect(seen).toEqual({ moves: 0, wrong: [] });
    });
  },
);

test.skipIf(!canOpenWindow())(
  'a button keeps the keyboard focus when its element is moved in the document',
  async () => {
    await inList(async (page) => {
      await scrollTo(page, 100);
      await expect.poll(async () => (await rowIndices(page))[0]).toBe(96);
      const count = (await rowIndices(page)).length;
      for (const far of [3, count - 6]) {
        const from = (await rowIndices(page))[0] ?? 0;
        const row = page.locator(`[aria-rowindex="${String(from + far + 4)}"]`);
        await row.getByRole('button').first().focus();
        await scrollTo(page, from + 4 + far);
        await expect.poll(async () => (await rowIndices(page))[0]).toBe(from + far);
        const kept = await row.evaluate((it) => it.contains(document.activeElement));
        expect({ far, kept }).toEqual({ far, kept: true });
      }
    });
  },
);

test.skipIf(!canOpenWindow())(
  'a button keeps the keyboard focus while its row is on screen, and leaves it to the list, not to another row',
  async () => {
    await inList(async (page) => {
      const focused = (): Promise<string> =>
        page.evaluate(() => {
          const it = document.activeElement;
          const name = it?.closest('.row')?.querySelector('bdi')?.title;
          return name ?? it?.getAttribute('role') ?? '';
        });
      await scrollTo(page, 100);
      await expect.poll(async () => (await rowIndices(page)).includes(108)).toBe(true);
      const row = page.locator('[aria-rowindex="110"]');
      const name = await row.locator('bdi').getAttribute('title');
      await row.getByRole('button').first().focus();
      await scrollTo(page, 103);
      await expect.poll(async () => (await rowIndices(page))[0]).toBe(99);
      expect(await focused()).toBe(name);
      await scrollTo(page, 115);
      await expect.poll(async () => (await rowIndices(page))[0]).toBe(111);
      expect(await focused()).toBe('grid');
    });
  },
);

test.skipIf(!canOpenWindow())(
  'rows are there after a jump, after a change meanwhile, and in a window that becomes taller',
  async () => {
    await inList(async (page, transport) => {
      const around = (row: number, more: number): Promise<boolean> =>
        expect
          .poll(async () => {
            const mounted = await rowIndices(page);
            return mounted.includes(row) && mounted.includes(row + more);
          })
          .toBe(true)
          .then(() => true);
      await scrollTo(page, 1_500);
      await around(1_500, 8);
      const before = transport.calls.length;
      transport.send({ kind: 'entries', entries: [] });
      // The list reads the top again, and then what is on screen.
      const readSince = (): number =>
        transport.calls.slice(before).filter(({ name }) => name === 'files.page').length;
      await expect.poll(readSince).toBeGreaterThan(1);
      await around(1_500, 8);
      await page.setViewportSize({ width: 960, height: 3_840 });
      await around(1_500, 75);
    });
  },
);

test.skipIf(!canOpenWindow())(
  'a key moves to the right row, although rows are read before the browser reports the scroll',
  async () => {
    await inList(async (page, transport) => {
      await page.getByRole('grid').focus();
      // A busy machine reports a scroll late.
      await page.evaluate(() => {
        const late = (event: Event): void => {
          if (event.isTrusted) event.stopImmediatePropagation();
        };
        addEventListener('scroll', late, { capture: true });
        setTimeout(() => {
          removeEventListener('scroll', late, { capture: true });
          document.querySelector('.rows > *')?.dispatchEvent(new Event('scroll'));
          document.body.dataset['told'] = 'yes';
        }, 1_000);
      });
      const before = transport.calls.length;
      await page.keyboard.press('End');
      const reads = (): number =>
        transport.calls.slice(before).filter(({ name }) => name === 'files.page').length;
      await expect.poll(reads).toBeGreaterThan(0);
      await page.locator('body[data-told]').waitFor();
      await expect.poll(async () => (await rowIndices(page)).at(-1)).toBe(1_999);
    });
  },
);

test.skipIf(!canOpenWindow())(
  'a row under the pointer shows its exact size and time; text that is too long for its column is cut off',
  async () => {
    const strange = row(2, 'strange.pdf', { sizeIsBytes: false, size: 9e15, downloads: 9e15 });
    await inList(
      async (page) => {
        const [first, second] = [page.locator('.row').first(), page.locator('.row').nth(1)];
        const titles = (): Promise<(string | null)[]> =>
          first
            .locator('[role=gridcell][title]')
            .evaluateAll((all) => all.map((cell) => cell.getAttribute('title')));
        expect(await titles()).toEqual([]);
        await first.hover();
        await expect.poll(titles).toEqual([expect.stringMatching(/bytes$/), expect.stringMatching(/20\d\d/)]);
        await second.hover();
        await expect.poll(titles).toEqual([]);
        const numbers = await second.locator('.number').allTextContents();
        expect(numbers).toEqual(['–', '2 min ago', '9,000,000…↓']);
      },
      [row(1, 'plain.pdf'), strange],
    );
  },
);
