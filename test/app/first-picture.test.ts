// What the window shows first does not wait for the list, however long that is.
import { expect, test } from 'vitest';
import { createFakeTransport } from '../support/window/fake-transport.ts';
import { canOpenWindow, launchBrowser, openWindow, serveWindow } from '../support/window/open-window.ts';

test.skipIf(!canOpenWindow())('the window is painted while the ledger still looks for the rows', async () => {
  const server = await serveWindow();
  const browser = await launchBrowser();
  const transport = createFakeTransport();
  const rows = Promise.withResolvers<undefined>();
  const slow = {
    ...transport,
    async call(name: string, input: unknown) {
      if (name === 'files.page') await rows.promise;
      return await transport.call(name, input);
    },
  };
  const { page, complaints } = await openWindow(browser, server.origin, slow, { fixedTime: false });
  try {
    await page.getByRole('searchbox').waitFor();
    const paints = (): Promise<number> =>
      page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length);
    await expect.poll(paints).toBe(1);
    expect(await page.locator('.row').count()).toBe(0);
    rows.resolve(undefined);
    await page.locator('.row').first().waitFor();
    expect(complaints).toEqual([]);
  } finally {
    await browser.close();
    await server.close();
  }
});
