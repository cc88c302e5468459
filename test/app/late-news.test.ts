// What reaches the window before its views are there, after its account has changed, or not at all.
import { describe, expect, test } from 'vitest';
import { AppError, toWire } from '../../src-main/contract/errors.ts';
import type { Copies } from '../../src-main/contract/report.ts';
import { createFakeTransport } from '../support/window/fake-transport.ts';
import { callsOf, useWindow } from '../support/window/in-window.ts';
import { canOpenWindow } from '../support/window/open-window.ts';
import { busyStatus, busyUploads, row } from '../support/window/seed.ts';

const link = (fileId: number): Copies['links'][number] => ({
  uploadId: fileId,
  fileId,
  path: `/home/mara/${String(fileId)}.txt`,
  filename: 'twice.txt',
  sha256: 'a'.repeat(64),
  publicLink: `https://files.example.com/f/${String(fileId)}`,
  inside: null,
  fromMs: 1,
  untilMs: null,
  downloads: null,
  alive: true,
  linkState: null,
});

describe.skipIf(!canOpenWindow())('in the built window', () => {
  const inWindow = useWindow({ width: 1280, height: 800 });

  test.each(['recall', 'details'] as const)(
    'a file that tray or notification want shown before the window has read its account is shown: %s',
    async (act) => {
      const transport = createFakeTransport({ rows: [row(1, 'first.txt'), row(2, 'second.txt')] });
      const { call } = transport;
      const account = Promise.withResolvers<null>();
      transport.call = async (name, input) => {
        if (name === 'account.get') await account.promise;
        return await call(name, input);
      };
      const { page, close } = await inWindow.open(transport);
      transport.tell({ kind: 'cue', cue: 'show-file', uploadId: 2, act });
      await page.evaluate('new Promise((next) => setTimeout(next))');
      account.resolve(null);
      const shown =
        act === 'recall'
          ? page.getByRole('dialog', { name: 'second.txt' })
          : page.getByRole('heading', { name: 'second.txt' });
      await shown.waitFor();
      await close();
    },
  );

  test('what was read in one account is not offered in another one, whose files may have the same ids', async () => {
    await inWindow({ rows: [row(1, 'twice.txt'), row(2, 'twice.txt')] }, async (page, transport) => {
      const { call } = transport;
      let isOther = false;
      transport.call = async (name, input) => {
        if (name !== 'report.copies') return await call(name, input);
        if (isOther) return await new Promise(() => undefined);
        const copies: Copies = {
          sha256: 'a'.repeat(64),
          links: [link(1), link(2)],
          uncertain: [],
          asOfMs: 1,
        };
        return { ok: true, answer: copies };
      };
      await page.locator('.row').first().click();
      await page.keyboard.press('i');
      const all = page.getByRole('button', { name: 'Recall all…' });
      await all.waitFor();
      isOther = true;
      transport.seed.accountId = 2;
      transport.send({ kind: 'entries', entries: [] });
      await all.waitFor({ state: 'detached' });
      expect(await page.locator('.row[aria-selected=true]').count()).toBe(0);
    });
  });

  test('the links of a shown file are not read again for each of many uploads', async () => {
    await inWindow({ rows: [row(1, 'shown.txt')] }, async (page, transport) => {
      await page.locator('.row').first().click();
      await page.keyboard.press('i');
      const reads = (): number => callsOf(transport, 'report.copies').length;
      await expect.poll(reads).toBeGreaterThan(0);
      const before = reads();
      for (let at = 0; at < 50; at += 1) transport.send({ kind: 'entries', entries: [] });
      // The page has heard them all.
      await page.evaluate('0');
      await expect.poll(reads).toBeGreaterThan(before);
      expect(reads() - before).toBeLessThan(10);
    });
  });

  test('where the list cannot be read, no lost upload is said to be missing at the service', async () => {
    await inWindow({ uploads: busyUploads(), status: busyStatus() }, async (page, transport) => {
      const { call } = transport;
      const error = toWire(new AppError('offline', 'The service cannot be reached.'));
      transport.call = async (name, input) =>
        name === 'queue.candidates' ? { ok: false, error } : await call(name, input);
      await page.keyboard.press('Control+2');
      await page.getByRole('button', { name: 'Compare' }).first().click();
      await page.getByText('The service cannot be reached.').first().waitFor();
      expect(await page.getByText('No file on the service looks like it.').count()).toBe(0);
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    });
  });

  test.each(['c', 'x'])('a text that Ctrl+%s takes from a field replaces a copied link', async (key) => {
    await inWindow({}, async (page, transport) => {
      await page.getByRole('searchbox').fill('report');
      await page.keyboard.press('Control+a');
      await page.keyboard.press(`Control+${key}`);
      await expect.poll(() => callsOf(transport, 'window.clipboard')).toEqual([{ copy: 0, act: 'lost' }]);
    });
  });
});
