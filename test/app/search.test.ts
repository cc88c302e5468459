// The search of Files, in the built window alone.
import { describe, expect, test } from 'vitest';
import { createFakeTransport } from '../support/window/fake-transport.ts';
import { useWindow } from '../support/window/in-window.ts';
import { canOpenWindow, launchBrowser, openWindow, serveWindow } from '../support/window/open-window.ts';
import { row } from '../support/window/seed.ts';

test.skipIf(!canOpenWindow())(
  'a search counts its matches, Enter copies the best and the window names it, Escape shows all again',
  async () => {
    const server = await serveWindow();
    const browser = await launchBrowser();
    const names = ['doc 21.pdf', 'my doc 2.pdf', 'doc 2.pdf', 'doc 20.pdf', 'notes.pdf', 'Ünïcödé.txt'];
    const transport = createFakeTransport({ rows: names.map((name, at) => row(at + 1, name)) });
    const { page, complaints } = await openWindow(browser, server.origin, transport, { reducedMotion: true });
    try {
      const search = page.getByRole('searchbox');
      const shown = (): Promise<(string | null)[]> => page.locator('.row bdi .unseen').allTextContents();
      await page.locator('.row').first().waitFor();
      const before = await shown();
      // Enter comes before the list has changed.
      await search.fill('doc 2');
      await search.press('Enter');
      await page.getByText('Link copied: doc 2.pdf').first().waitFor();
      await expect.poll(shown).toEqual(['doc 2.pdf', 'doc 20.pdf', 'doc 21.pdf', 'my doc 2.pdf']);
      await page.getByText('4 of 6').first().waitFor();
      await page.getByRole('button', { name: /^All\s*4$/ }).waitFor();
      await search.fill('unicode');
      await expect.poll(shown).toEqual(['Ünïcödé.txt']);
      // The button of a copied row announces it once.
      expect(await page.getByRole('button', { name: /^Copied/ }).count()).toBe(0);
      // All links share this.
      await search.fill('example');
      await page.getByText('Nothing matches “example”').first().waitFor();
      await page.getByRole('button', { name: 'Clear' }).last().click();
      await expect.poll(shown).toEqual(before);
      expect(await search.evaluate((field) => field === document.activeElement)).toBe(true);
      await search.fill('doc');
      await search.press('Escape');
      await expect.poll(shown).toEqual(before);
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
      await server.close();
    }
  },
);

describe.skipIf(!canOpenWindow())('a link that was copied by keyboard', () => {
  const inWindow = useWindow();

  test('is reported as copied once, in its own row, whatever is searched for afterwards', async () => {
    const names = ['alpha.pdf', 'beta.pdf', 'gamma.pdf'];
    await inWindow({ rows: names.map((name, at) => row(at + 1, name)) }, async (page) => {
      const told = await page.evaluateHandle(() => {
        const labels: string[] = [];
        new MutationObserver((changes) => {
          for (const { target } of changes) {
            const label = (target as Element).getAttribute('aria-label') ?? '';
            if (label.startsWith('Copied')) labels.push(label);
          }
        }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ['aria-label'] });
        return labels;
      });
      const copied = page.getByRole('button', { name: /^Copied/ });
      const first = (name: string) => page.locator('.row').first().filter({ hasText: name }).waitFor();
      const searchFor = async (search: string, name: string): Promise<void> => {
        await page.getByRole('searchbox').fill(search);
        await first(name);
      };
      await page
        .locator('.row')
        .first()
        .click({ modifiers: ['Control'] });
      await page.keyboard.press('Enter');
      await copied.waitFor();
      // The place of its row is another file's at once, then its own again.
      await searchFor('gamma', 'gamma');
      await searchFor('', 'alpha');
      await copied.waitFor({ state: 'detached' });
      expect(new Set(await told.jsonValue())).toEqual(new Set(['Copied: alpha.pdf']));
      await told.evaluate((labels) => (labels.length = 0));
      await searchFor('gamma', 'gamma');
      await searchFor('', 'alpha');
      expect(await told.jsonValue()).toEqual([]);
      expect(await copied.count()).toBe(0);
    });
  });
});
