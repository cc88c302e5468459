// The queue of the built window alone: focus, the sum of all files, sentences that appear once, and the permanent line.
import { describe, expect, test } from 'vitest';
import { noCounts } from '../../src-main/contract/model.ts';
import { useWindow } from '../support/window/in-window.ts';
import { canOpenWindow } from '../support/window/open-window.ts';
import { secrets } from '../support/window/screen-seeds.ts';
import {
  burstStatus,
  burstUploads,
  busyStatus,
  busyUploads,
  NOW_MS,
  status,
  upload,
} from '../support/window/seed.ts';

describe.skipIf(!canOpenWindow())('the queue in the built window', () => {
  const inWindow = useWindow();

  test('the focus moves to the next row when a row disappears, and to the list after the last', async () => {
    const uploads = busyUploads().slice(2, 7);
    await inWindow({ uploads, status: busyStatus() }, async (page) => {
      await page.keyboard.press('Control+2');
      await page.getByRole('button', { name: 'Cancel: render-0002.png' }).focus();
      const focused = () =>
        page.evaluate(
          () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName,
        );
      for (const next of ['0003', '0004', '0005', '0001']) {
        await page.keyboard.press('Enter');
        await expect.poll(focused).toBe(`Cancel: render-${next}.png`);
      }
      await page.keyboard.press('Enter');
      await expect.poll(focused).toBe('Queue');
      await page.getByRole('button', { name: 'Undo' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Cancel: render-0001.png' }).waitFor();
      await expect.poll(() => page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
      // Its button disappeared with the notice: the focus is at the head of the queue, not lost.
      await expect.poll(focused).toBe('H1');
    });
  });

  test('the queue gives each reason once, and every number of its sum leads to its list', async () => {
    await inWindow({ uploads: burstUploads(), status: burstStatus() }, async (page) => {
      await page.keyboard.press('Control+2');
      await page.getByRole('button', { name: 'Upload 260' }).waitFor();
      const sum = page.getByRole('group', { name: 'Files by outcome' });
      expect((await sum.innerText()).replaceAll(/\s+/g, ' ')).toBe(
        '74 ready + 2 uploading + 9 waiting + 264 need you = 349',
      );
      for (const [part, heading] of [
        ['2 uploading', 'Uploading 2'],
        ['9 waiting', 'Waiting 9'],
        ['264 need you', '260 files came at once · 1.2 GB'],
      ] as const) {
        await sum.getByRole('button', { name: part }).click();
        const found = page.getByRole('heading', { level: 2, name: heading });
        await expect.poll(() => found.evaluate((it) => it === document.activeElement)).toBe(true);
      }
      await page.getByRole('button', { name: /^Show: 3 × / }).click();
      const texts = await page.getByRole('region', { name: 'Queue' }).locator('[data-row] p').allInnerTexts();
      const repeated = texts.filter((text, at) => text.trim() !== '' && text === texts[at - 1]);
      expect(repeated).toEqual([]);
      await sum.getByRole('button', { name: '74 ready' }).click();
      await page.getByRole('heading', { level: 1, name: 'Files' }).waitFor();
    });
  });

  test.each([
    ['secrets', secrets(), '5 need you', 'queue-secrets'],
    [
      'photos',
      {
        uploads: [
          upload(1, 'a.jpg', { kind: 'held', reason: 'location', removable: true }, { bucket: 'held' }),
        ],
        status: status({ counts: { ...noCounts(), held: 1 }, outside: noCounts() }),
      },
      '1 needs you',
      'queue-location',
    ],
  ])('the number of those that need you leads to the question about %s', async (_, seed, part, id) => {
    await inWindow(seed, async (page) => {
      await page.keyboard.press('Control+2');
      await page.getByRole('group', { name: 'Files by outcome' }).getByRole('button', { name: part }).click();
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe(id);
    });
  });

  test('a file over the limit shows its size, and is dismissed; another try is not offered', async () => {
    const tooLarge = busyUploads().filter(({ name }) => name === 'backup.img');
    const uploads = tooLarge.map((one) => ({ ...one, sizeBytes: 11_300_000_000 }));
    await inWindow({ uploads, status: busyStatus() }, async (page, transport) => {
      await page.keyboard.press('Control+2');
      const row = page.locator('[data-row]').filter({ hasText: 'backup' });
      await row.getByText('is over 10 GB · it is 11.3 GB. Split it or ask for a larger plan.').waitFor();
      expect(await row.getByRole('button').allInnerTexts()).toEqual(['Dismiss']);
      transport.seed.uploads = [...uploads, ...uploads.map((one) => ({ ...one, id: 150, name: 'disk.img' }))];
      transport.send({ kind: 'entries', entries: [] });
      const group = page.locator('[data-row]').filter({ hasText: '2 files are over 10 GB' });
      await expect.poll(() => group.getByRole('button').allInnerTexts()).toEqual(['Dismiss', 'Show']);
      await group.getByRole('button', { name: /^Show/ }).click();
      await row.getByText('11.3 GB').waitFor();
      expect(await row.getByRole('button').allInnerTexts()).toEqual(['Dismiss']);
    });
  });

  test('the requests unfold when they are what makes the queue wait, and no upload is expected before it continues', async () => {
    const untilMs = NOW_MS + 6 * 3_600_000;
    const waiting = { uploads: busyUploads().slice(2, 11) };
    const limit = { reason: 'budget' as const, untilMs };
    await inWindow({ ...waiting, status: { ...busyStatus(), sending: 0 } }, async (page, transport) => {
      await page.keyboard.press('Control+2');
      await page.getByText('about 14:03–14:11').waitFor();
      expect(await page.getByRole('meter').count()).toBe(0);
      transport.setStatus({ limit, nextSlotAtMs: untilMs, doneAtMs: untilMs + 60_000 });
      await page.getByRole('meter').first().waitFor();
      await expect
        .poll(() => page.locator('header p').innerText())
        .toBe('The day’s requests for uploads are used up · continues 20:02');
      // Once, not in a banner as well.
      await expect
        .poll(() =>
          page
            .locator('.window')
            .getByText(/day’s requests for uploads are used/)
            .count(),
        )
        .toBe(2);
      await page.keyboard.press('Control+1');
      await page
        .getByText(/requests for uploads are used up; .* Uploads continue at 20:02\./)
        .first()
        .waitFor();
    });
  });

  test('the current activity is described in words at every width, and leads to the queue', async () => {
    await inWindow({ uploads: busyUploads(), status: busyStatus() }, async (page, transport) => {
      const live = page.getByRole('region', { name: 'Status' }).getByRole('button');
      for (const width of [960, 640]) {
        await page.setViewportSize({ width, height: 480 });
        await page.keyboard.press('Control+1');
        await expect
          .poll(async () => (await live.innerText()).replaceAll(/\s+/g, ' '))
          .toBe('12 of 32 ready all done about 14:21');
        transport.setStatus({ doneNote: { why: 'files', count: 40 } });
        await expect
          .poll(async () => (await live.innerText()).replaceAll(/\s+/g, ' '))
          .toBe('12 of 32 ready all done about 14:21 · 40 more files');
        transport.setStatus({ doneNote: null });
        const box = await live.boundingBox();
        expect(box?.width).toBeGreaterThan(150);
        expect(box?.height).toBeGreaterThanOrEqual(28);
        await live.click();
        await page.getByRole('heading', { level: 1, name: 'Queue' }).waitFor();
      }
    });
  });
});
