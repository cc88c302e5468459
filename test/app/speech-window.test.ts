// Announcements to screen readers in the built window: one live region, in which each thing is spoken once.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useWindow } from '../support/window/in-window.ts';
import { canOpenWindow } from '../support/window/open-window.ts';
import { givenGroup, secrets } from '../support/window/screen-seeds.ts';
import { busyStatus, row } from '../support/window/seed.ts';

/** Each text that the live region has from now on. */
const listen = async (page: Page): Promise<() => Promise<string[]>> => {
  const heard = await page.evaluateHandle(() => {
    const texts: string[] = [];
    const region = document.querySelector('body [aria-live=polite]');
    if (region === null) throw new Error('There is no live region.');
    new MutationObserver(() => texts.push(region.textContent.trim())).observe(region, {
      subtree: true,
      childList: true,
      characterData: true,
    });
    return texts;
  });
  return () => heard.jsonValue();
};
/** After this no pending announcement is left. */
const passTenSeconds = async (page: Page): Promise<void> => {
  for (let times = 0; times < 3; times += 1) await page.clock.fastForward(10_000);
};

describe.skipIf(!canOpenWindow())('announcements in the built window', () => {
  const inWindow = useWindow();

  test('a drop: how many files were added, and which need the user for what', async () => {
    const seed = secrets();
    await inWindow({ ...seed, rows: [row(1, 'a.txt')] }, async (page, transport) => {
      await page.getByRole('searchbox').waitFor();
      const heard = await listen(page);
      const group = { ...givenGroup, total: 12, linked: 0, going: 10, rows: [], first: null };
      transport.tell({ kind: 'given', group: { ...group, needYou: [1, 2, 5] } });
      const secret = 'looks like a secret · not public';
      await expect
        .poll(heard)
        .toEqual([`12 files added. 3 need you: 2 × .env, id_rsa ${secret}; deploy notes.txt ${secret}`]);
      // The ticket shows each uploaded file; the region does not announce it.
      for (let linked = 1; linked <= 5; linked += 1)
        transport.tell({
          kind: 'given',
          group: { ...group, linked, going: 10 - linked, needYou: [1, 2, 5] },
        });
      await passTenSeconds(page);
      expect(await heard()).toHaveLength(1);
      expect(await page.locator('[aria-live], [role=status], [role=log]').count()).toBe(1);
    });
  });

  test('a reason to wait once, whatever view is open, and its end once', async () => {
    const gate = { kind: 'closed', reason: 'network', untilMs: null, message: '', remedy: '' } as const;
    await inWindow({ status: busyStatus() }, async (page, transport) => {
      await page.getByRole('searchbox').waitFor();
      await page.keyboard.press('Control+2');
      await page.getByRole('heading', { level: 1, name: 'Queue' }).waitFor();
      const heard = await listen(page);
      transport.setStatus({ gate });
      const away = 'The service cannot be reached. Uploads wait and continue by themselves.';
      await expect.poll(heard).toEqual([away]);
      for (const view of ['1', '2', '3']) await page.keyboard.press(`Control+${view}`);
      transport.setStatus({ gate, sending: 0 });
      await passTenSeconds(page);
      expect(await heard()).toEqual([away]);
      transport.setStatus({ gate: { kind: 'open' } });
      await expect.poll(heard).toEqual([away, 'Uploads continue.']);
      await passTenSeconds(page);
      expect(await heard()).toHaveLength(2);
    });
  });

  test('a copy by Enter in the search once, with the name', async () => {
    await inWindow({ rows: [row(1, 'doc 2.pdf'), row(2, 'other.pdf')] }, async (page) => {
      await page.locator('.row').first().waitFor();
      const heard = await listen(page);
      await page.getByRole('searchbox').fill('doc');
      await page.getByRole('searchbox').press('Enter');
      await page.getByText('Link copied: doc 2.pdf').first().waitFor();
      await expect
        .poll(async () => (await heard()).filter((text) => text.startsWith('Link')))
        .toEqual(['Link copied: doc 2.pdf']);
    });
  });
});
