// Keys in the list of files, in the built window alone: while its rows are still read, and while they change.
import { describe, expect, test } from 'vitest';
import { createFakeTransport } from '../support/window/fake-transport.ts';
import { callsOf, useWindow } from '../support/window/in-window.ts';
import { canOpenWindow, launchBrowser, openWindow, serveWindow } from '../support/window/open-window.ts';
import { givenGroup } from '../support/window/screen-seeds.ts';
import { manyRows, row } from '../support/window/seed.ts';

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

describe.skipIf(!canOpenWindow())('the cursor is a file', () => {
  const inWindow = useWindow();
  const some = [row(3, 'c.txt'), row(2, 'b.txt'), row(1, 'a.txt')];

  test('whatever arrives, leaves or is sorted: Ctrl+C copies the same link and says its name', async () => {
    await inWindow({ rows: some }, async (page, transport) => {
      await page.locator('.row', { hasText: 'a.txt' }).waitFor();
      await page.getByRole('grid').focus();
      // The cursor alone; nothing is selected.
      for (const key of ['Control+Home', 'Control+ArrowDown']) await page.keyboard.press(key);
      const isOnB = async (): Promise<void> => {
        await page.locator('.row.active', { hasText: 'b.txt' }).waitFor();
        const before = callsOf(transport, 'window.copyLinks').length;
        await page.keyboard.press('Control+c');
        await expect.poll(() => callsOf(transport, 'window.copyLinks').length).toBe(before + 1);
        expect(callsOf(transport, 'window.copyLinks').at(-1)).toMatchObject({ uploadIds: [2] });
        await page.getByText('Link copied: b.txt').first().waitFor({ state: 'attached' });
      };
      const becomes = async (rows: typeof some): Promise<void> => {
        transport.seed.rows = rows;
        transport.send({ kind: 'entries', entries: [] });
        await expect.poll(() => page.locator('.row').count()).toBe(rows.length);
      };
      await isOnB();
      await becomes([row(4, 'd.txt'), ...some]);
      await isOnB();
      await becomes(some.slice(1));
      await isOnB();
      await page.getByRole('combobox', { name: 'Order' }).selectOption({ index: 2 });
      await page.locator('.row').first().getByText('a.txt').waitFor();
      await page.getByRole('grid').focus();
      await isOnB();
      // The file itself leaves: no key means another one, until the next step.
      await becomes([row(1, 'a.txt'), row(4, 'd.txt')]);
      await expect.poll(() => page.locator('.row.active').count()).toBe(0);
      const copies = callsOf(transport, 'window.copyLinks').length;
      for (const key of ['Control+c', 'Enter', 'Delete', 'o', 'i', ' ', 'm']) await page.keyboard.press(key);
      await page.getByText('No file selected').waitFor({ state: 'attached' });
      expect(await page.locator('[role=dialog], [role=menu], aside').count()).toBe(0);
      expect(callsOf(transport, 'window.copyLinks')).toHaveLength(copies);
      expect(callsOf(transport, 'window.openLink')).toHaveLength(0);
      await page.keyboard.press('ArrowDown');
      await page.locator('.row.active', { hasText: 'd.txt' }).waitFor();
    });
  });

  test('the focus alone chooses nothing: by Tab, from a dialog, from the dock', async () => {
    await inWindow({ rows: some, given: givenGroup }, async (page) => {
      const ticket = page.getByRole('region', { name: 'Files you added' });
      await ticket.waitFor();
      const isNothing = async (): Promise<void> => {
        await expect
          .poll(() => page.evaluate(() => document.activeElement?.getAttribute('role')))
          .toBe('grid');
        expect(await page.locator('.row.active, .row[aria-selected=true]').count()).toBe(0);
        await page.keyboard.press('Delete');
        await page.keyboard.press('Enter');
        expect(await page.getByRole('dialog').count()).toBe(0);
      };
      await page.getByRole('searchbox').focus();
      while ((await page.evaluate(() => document.activeElement?.getAttribute('role'))) !== 'grid')
        await page.keyboard.press('Tab');
      await isNothing();
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await isNothing();
      await ticket.getByRole('button', { name: 'Dismiss' }).last().click();
      await ticket.waitFor({ state: 'detached' });
      await isNothing();
      await page.keyboard.press('F6');
      await page.keyboard.press('Shift+F6');
      await isNothing();
    });
  });
});
