// The ticket of a drop in the built window alone: its text about files without a link, and its visible part in small windows.
import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useWindow } from '../support/window/in-window.ts';
import { canOpenWindow } from '../support/window/open-window.ts';
import { givenGroup, givenRow, lost } from '../support/window/screen-seeds.ts';
import { account, manyRows, upload } from '../support/window/seed.ts';

const tooLarge = (id: number, name: string, sizeBytes: number) =>
  upload(
    id,
    name,
    {
      kind: 'failed',
      code: 'too-large',
      message: `The file has ${sizeBytes} bytes; the service refused one of 10700000001.`,
      remedy: 'Split the file, or ask the service for a larger plan.',
    },
    { bucket: 'failed', sizeBytes },
  );

describe.skipIf(!canOpenWindow())('the ticket in the built window', () => {
  const inWindow = useWindow();

  test('names the limit and the size of a file that is too large, several in one line, and offers only to dismiss them', async () => {
    const one = tooLarge(40, 'server image.qcow2', 11_300_000_000);
    const seed = {
      account: account({ maxFileBytes: 10_700_000_000 }),
      uploads: [one],
      given: { ...givenGroup, total: 16, needYou: [40] },
    };
    const line = 'listitem';
    await inWindow(seed, async (page) => {
      const ticket = page.getByRole('region', { name: 'Files you added' });
      const row = ticket.getByRole(line).filter({ hasText: 'server' });
      await row.getByText('is over 10.7 GB · it is 11.3 GB').waitFor();
      expect(await row.getByRole('button').allInnerTexts()).toEqual(['Dismiss']);
      expect(await ticket.getByText(/bytes|Retry/).count()).toBe(0);
    });
    const uploads = [one, tooLarge(41, 'disk.img', 10_900_000_000), tooLarge(42, 'tape.tar', 20_000_000_000)];
    await inWindow({ ...seed, uploads, given: { ...givenGroup, needYou: [40, 41, 42] } }, async (page) => {
      const row = page.getByRole('region', { name: 'Files you added' }).getByRole(line);
      await row.getByText('are over 10.7 GB').waitFor();
      expect(await row.count()).toBe(1);
      const names = row.getByRole('button', { name: '3 × server image.qcow2, disk.img, tape.tar' });
      await names.click();
      expect(await names.getAttribute('aria-expanded')).toBe('true');
      expect(await row.locator('.acts').getByRole('button').allInnerTexts()).toEqual(['Dismiss']);
    });
  });

  /** It can be scrolled to, and nothing lies over it. */
  const isReached = async (part: Locator, message: string): Promise<void> => {
    await part.scrollIntoViewIfNeeded();
    const isSeen = (): Promise<boolean> =>
      part.evaluate((it) => {
        const { left, top, width, height } = it.getBoundingClientRect();
        return it.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      });
    await expect.poll(isSeen, { message }).toBe(true);
  };

  test('is one line at 200 %, and unfolded all its lines and actions can be reached, as can the sum of the queue', async () => {
    const given = {
      ...givenGroup,
      lost: [
        lost('link', ['/home/mara/latest'], 1, 'talk/slides.pdf'),
        lost('gone', ['/home/mara/notes.tmp']),
      ],
    };
    await inWindow({ given }, async (page) => {
      await page.setViewportSize({ width: 480, height: 320 });
      const dock = page.locator('[data-dock]');
      await expect.poll(async () => (await dock.boundingBox())?.height).toBeLessThanOrEqual(41.5);
      await dock.getByRole('button', { name: 'Expand' }).click();
      for (const name of ['Copy all', 'Show', 'Recall…', /^Upload that file/, /^Choose again…/]) {
        await isReached(dock.getByRole('button', { name }).first(), String(name));
      }
      await page.keyboard.press('Control+2');
      await isReached(page.locator('main footer'), 'the sum');
    });
  });

  test('a drop shows at once, whatever card is open: one that is on its way has a line below it, and unfolds', async () => {
    const large = { ...givenGroup, total: 18, linked: 0, going: 18, goingIds: [1], rows: [], first: null };
    await inWindow({ given: { ...large, copy: 'later' } }, async (page, transport) => {
      const ticket = page.getByRole('region', { name: 'Files you added' });
      const older = page.getByRole('region', { name: '18 files' });
      await ticket.getByText('18 files').waitFor();
      expect(await older.count()).toBe(0);
      transport.tell({ kind: 'given', group: { ...givenGroup, id: 2 } });
      await ticket.getByText('15 links copied').waitFor();
      await older.waitFor();
      transport.tell({ kind: 'given', group: { ...large, id: 3, total: 4, copy: 'later' } });
      await ticket.getByText('4 files').waitFor();
      expect(await page.locator('[data-dock] section').count()).toBe(2);
      await older.getByRole('button', { name: 'Expand' }).click();
      await ticket.getByText('18 files').waitFor();
      await page.getByRole('region', { name: '4 files' }).waitFor();
    });
  });

  test('a recall is one line at 200 %, and unfolded its links and its actions can be reached', async () => {
    await inWindow({ rows: manyRows(12), alive: [3, 5] }, async (page) => {
      await page.locator('.row').first().click();
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Recall/ })
        .click();
      const recall = page.getByRole('region', { name: 'Recall' });
      await recall.getByRole('button', { name: 'Dismiss' }).waitFor();
      await page.setViewportSize({ width: 480, height: 320 });
      await expect.poll(async () => (await recall.boundingBox())?.height).toBeLessThanOrEqual(41.5);
      await recall.getByRole('button', { name: 'Expand' }).click();
      for (const part of [
        recall.getByRole('listitem').last(),
        recall.getByRole('button', { name: 'Check' }),
        recall.getByRole('button', { name: 'Dismiss' }),
      ])
        await isReached(part, String(part));
    });
  });

  test('a long notice at 200 % is whole, with its buttons', async () => {
    const name = `${'holiday '.repeat(25)}.jpg`;
    await inWindow({ uploads: [upload(1, name, { kind: 'ready' }, { bucket: 'waiting' })] }, async (page) => {
      await page.keyboard.press('Control+2');
      await page.getByRole('button', { name: `Cancel: ${name}` }).click();
      await page.setViewportSize({ width: 480, height: 320 });
      const notice = page.locator('[data-dock] section').filter({ hasText: 'holiday' });
      await isReached(notice.getByRole('button', { name: 'Undo' }), 'Undo');
      await isReached(notice.getByRole('button', { name: 'Dismiss' }), 'Dismiss');
      expect(await notice.evaluate((it) => it.scrollHeight - it.clientHeight)).toBeLessThanOrEqual(0);
    });
  });

  test('gives a folder, a text and a mail what each of them takes when its picture is dragged there', async () => {
    const rows = [givenRow(1, 'logo "new" & old.png'), givenRow(2, 'notes.txt')];
    const [logo = '', notes = ''] = rows.map(({ link }) => link);
    const dragged = async (given: object): Promise<Record<string, string> | null> => {
      let offered: Record<string, string> | null = null;
      await inWindow({ given: { ...givenGroup, total: 2, linked: 2, rows, ...given } }, async (page) => {
        const sign = page.getByRole('region', { name: 'Files you added' }).locator('.lead');
        await sign.waitFor();
        if ((await sign.getAttribute('draggable')) !== 'true') return;
        const data = await page.evaluateHandle(() => new DataTransfer());
        await sign.dispatchEvent('dragstart', { dataTransfer: data });
        offered = await data.evaluate((it) =>
          Object.fromEntries(it.types.map((type) => [type, it.getData(type)])),
        );
      });
      return offered;
    };
    expect(await dragged({})).toEqual({
      'text/uri-list': `${logo}\r\n${notes}`,
      'text/plain': `${logo}\n${notes}`,
      'text/html': [
        `<a href="${logo}"><img src="${logo}" alt="logo &quot;new&quot; &amp; old.png"></a>`,
        `<a href="${notes}">notes.txt</a>`,
      ].join('<br>\n'),
    });
    expect(await dragged({ going: 1, goingIds: [3] })).toBeNull();
    expect(await dragged({ copy: { fault: 'new-host', address: logo } })).toBeNull();
  });

  test('shows the name under which a file is already shared, and that its link is copied, in every width', async () => {
    const name = `${'a very long name of a data set '.repeat(4)}2026.parquet`;
    const given = {
      ...givenGroup,
      total: 1,
      linked: 1,
      faces: [{ uploadId: 1, name }],
      rows: [givenRow(1, name, null)],
      first: { ...givenGroup.first, name, isOther: true },
    };
    for (const languages of [['en-GB'], ['de']])
      await inWindow({ given, languages }, async (page) => {
        for (const width of [640, 759, 760, 960]) {
          await page.setViewportSize({ width, height: 480 });
          const card = page.locator('section.given');
          const isSeen = (): Promise<boolean> =>
            card.evaluate((it) => {
              const parts = [...it.querySelectorAll('.title, .more, button')];
              const { left, right, top, bottom } = it.getBoundingClientRect();
              return parts.every((part) => {
                const box = part.getBoundingClientRect();
                const isWithin =
                  box.left >= left && box.right <= right && box.top >= top && box.bottom <= bottom + 1;
                return isWithin && part.scrollWidth <= part.clientWidth + 1;
              });
            });
          await expect.poll(isSeen, { message: `${languages.join()} ${width} px` }).toBe(true);
          const title = await card.locator('.title').innerText();
          expect(title).toMatch(
            /(?:Already shared as|Schon geteilt als) .*….*2026\.parquet\. (?:Link copied|Link kopiert)\./,
          );
        }
      });
  });

  test('names in the dock begin where the names of the list do, and its actions end where Upload ends', async () => {
    const uploads = [tooLarge(40, 'server image.iso', 11_300_000_000)];
    await inWindow({ uploads, given: { ...givenGroup, total: 16, needYou: [40] } }, async (page) => {
      await page.locator('.given li').first().waitFor();
      for (const width of [960, 760]) {
        await page.setViewportSize({ width, height: 640 });
        const edges = await page.evaluate(() => {
          const leftOf = (name: string): number[] =>
            [...document.querySelectorAll(name)].map((one) => one.getBoundingClientRect().left);
          const rightOf = (name: string): number => {
            const button = [...document.querySelectorAll(name)].at(-1);
            const style = button === undefined ? null : getComputedStyle(button);
            return (button?.getBoundingClientRect().right ?? 0) - parseFloat(style?.paddingRight ?? '0');
          };
          return {
            names: [...new Set([...leftOf('.row .name'), ...leftOf('.given li .name')])],
            apart: rightOf('.given li button') - (rightOf('header button') + 12),
          };
        });
        expect(edges.names, String(width)).toHaveLength(1);
        expect(Math.abs(edges.apart), String(width)).toBeLessThanOrEqual(1);
      }
    });
  });

  test('in a narrow list all file groups stay visible, even beside the details', async () => {
    await inWindow({}, async (page) => {
      const isSeen = (): Promise<boolean> =>
        page.locator('.chips').evaluate((chips) => chips.scrollWidth <= chips.clientWidth);
      for (const width of [640, 759, 760, 900]) {
        await page.setViewportSize({ width, height: 640 });
        await expect.poll(isSeen, { message: `${width} px` }).toBe(true);
      }
      await page.setViewportSize({ width: 960, height: 640 });
      await page.locator('.row', { hasText: 'minutes' }).click();
      await page.getByRole('complementary', { name: 'Details' }).waitFor();
      await expect.poll(isSeen).toBe(true);
    });
  });

  test('leads to all its links: all are selected, and as many visible as there is room for', async () => {
    // The group is the first of the account, far below what a list reads at first; a search hides most of it.
    const rows = manyRows(700);
    const linked = rows.slice(600, 640);
    const given = {
      ...givenGroup,
      total: linked.length,
      linked: linked.length,
      rows: linked.map(({ uploadId, name }) => givenRow(uploadId ?? 0, name)),
    };
    await inWindow({ rows, given }, async (page) => {
      const ticket = page.getByRole('region', { name: 'Files you added' });
      await ticket.getByText('40 links copied').waitFor();
      await page.getByRole('searchbox').fill('render-000601');
      await page.locator('.row', { hasText: 'render-000601' }).waitFor();
      await ticket.getByRole('button', { name: 'Show' }).click();
      await page.getByRole('button', { name: '40 selected' }).waitFor();
      expect(await page.getByRole('searchbox').inputValue()).toBe('');
      const inSight = (): Promise<string[]> =>
        page.locator('.row').evaluateAll((all) => {
          const list = all[0]?.closest('.rows')?.getBoundingClientRect();
          return all
            .filter((row) => {
              const { top, bottom } = row.getBoundingClientRect();
              return list !== undefined && top >= list.top - 1 && bottom <= list.bottom + 1;
            })
            .filter((row) => row.getAttribute('aria-selected') === 'true')
            .map((row) => /-0006\d\d/.exec(row.textContent)?.[0] ?? '');
        });
      await expect.poll(inSight).toContain('-000601');
      await expect.poll(async () => (await inSight()).length).toBeGreaterThanOrEqual(6);
    });
  });
});
