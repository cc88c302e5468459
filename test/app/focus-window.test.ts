// The keyboard focus after an action whose own control disappears: it is never lost.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useWindow } from '../support/window/in-window.ts';
import { canOpenWindow } from '../support/window/open-window.ts';
import { givenGroup, secrets } from '../support/window/screen-seeds.ts';
import { screens } from '../support/window/screens.ts';
import { busyStatus, busyUploads, row } from '../support/window/seed.ts';

/** Presses the button by keyboard, waits until it has disappeared, and returns where the focus is. */
const press = async (page: Page, name: string | RegExp): Promise<void> => {
  const button = page.getByRole('button', { name, exact: true });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => button.count()).toBe(0);
};
const isSomewhere = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.activeElement !== document.body && document.activeElement !== null);

describe.skipIf(!canOpenWindow())('the focus', () => {
  const inWindow = useWindow();

  test('is in the window after Cancel of a file over the list, and after its Undo', async () => {
    const uploads = busyUploads().slice(0, 3);
    await inWindow({ uploads, status: busyStatus(), rows: [row(1, 'a.txt')] }, async (page) => {
      await press(page, /^Cancel: talk/);
      await expect.poll(() => isSomewhere(page)).toBe(true);
      await press(page, 'Undo');
      await expect.poll(() => isSomewhere(page)).toBe(true);
    });
  });

  test('is in the window after an action of the ticket, and after the ticket itself disappears', async () => {
    const seed = secrets();
    const needYou = (seed.uploads ?? []).map(({ id }) => id);
    await inWindow({ ...seed, given: { ...givenGroup, needYou } }, async (page) => {
      const ticket = page.getByRole('region', { name: 'Files you added' });
      await ticket.getByRole('listitem').first().waitFor();
      await press(page, /^Keep 4 private/);
      await expect.poll(() => isSomewhere(page)).toBe(true);
      // The last question disappears, too, and the ticket stays.
      await press(page, /^Keep private/);
      await expect.poll(() => ticket.getByRole('button', { name: /^Keep/ }).count()).toBe(0);
      await expect.poll(() => isSomewhere(page)).toBe(true);
      await ticket.getByRole('button', { name: 'Dismiss' }).last().focus();
      await page.keyboard.press('Enter');
      await ticket.waitFor({ state: 'detached' });
      await expect.poll(() => isSomewhere(page)).toBe(true);
    });
  });

  test('is in the window after a selection is cleared', async () => {
    await inWindow({}, async (page) => {
      await page.locator('.row', { hasText: 'minutes' }).click({ modifiers: ['Control'] });
      await page.getByRole('button', { name: '1 selected' }).click();
      await page.getByRole('menuitem', { name: 'Clear selection' }).click();
      await expect.poll(() => isSomewhere(page)).toBe(true);
    });
  });

  test('is in the window after a view with it is left, a banner disappears, and a button becomes another one', async () => {
    const screen = screens.find(({ name }) => name === 'files-no-keychain');
    await inWindow({ ...screen?.seed(), rows: [row(1, 'a.txt')] }, async (page) => {
      await press(page, 'Dismiss');
      await expect.poll(() => isSomewhere(page)).toBe(true);
      await page.getByRole('grid').focus();
      await page.keyboard.press('Control+2');
      await expect.poll(() => isSomewhere(page)).toBe(true);
      await page.keyboard.press('Control+4');
      await page.getByRole('tab', { name: 'Folder', exact: true }).click();
      await press(page, /^Pause /);
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
      await expect.poll(focused).toMatch(/^Resume /);
    });
  });
});
