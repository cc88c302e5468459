// The built window alone, in chromium, under the app's content security policy, with the fake transport behind it.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createFakeTransport } from '../support/window/fake-transport.ts';
import { callsOf, useWindow } from '../support/window/in-window.ts';
import { builtWindow, canOpenWindow } from '../support/window/open-window.ts';
import { screens } from '../support/window/screens.ts';
import { busyStatus, busyUploads, manyRows, row } from '../support/window/seed.ts';

const rowNames = (page: Page): Promise<string[]> =>
  page.locator('.row bdi').evaluateAll((names) => names.map((name) => name.getAttribute('title') ?? ''));

describe.skipIf(!canOpenWindow())('the built window (needs chromium and out/window)', () => {
  const inWindow = useWindow();

  test('the initial script is at most 110 kB gzip', async () => {
    const html = await readFile(path.join(builtWindow, 'index.html'), 'utf8');
    expect(html).not.toMatch(/<script(?![^>]*src=)|<style|\sstyle=|\son[a-z]+=/);
    const scripts = [...html.matchAll(/(?:src|href)="\.\/([^"]+\.js)"/g)].map((match) => match[1] ?? '');
    let bytes = 0;
    for (const script of scripts) bytes += gzipSync(await readFile(path.join(builtWindow, script))).length;
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(110_000);
  });

  const axe = async (page: Page): Promise<string[]> => {
    const builder = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
    const { violations } = await builder.analyze();
    return violations.map(
      (one) =>
        `${one.id}: ${one.nodes.map((node) => `${node.html} ${node.failureSummary ?? ''}`).join(' | ')}`,
    );
  };

  /** A dialog makes all behind it inert. */
  const filled = (page: Page): Promise<(string | null)[]> =>
    page.evaluate(() =>
      [...(document.querySelector('[role=dialog]') ?? document).querySelectorAll('button.primary')]
        .filter((button) => button.checkVisibility())
        .map((button) => button.textContent),
    );

  test.each(screens)(
    'one filled button, and axe finds nothing, on $name, light and wide, dark and small',
    async (screen) => {
      await inWindow(screen.seed(), async (page) => {
        await page.locator('h1').first().waitFor({ state: 'attached' });
        await screen.steps?.(page);
        expect((await filled(page)).slice(1)).toEqual([]);
        for (const theme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme: theme });
          if (theme === 'dark') await page.setViewportSize({ width: 640, height: 480 });
          expect(await axe(page), theme).toEqual([]);
        }
      });
    },
  );

  /** One screen of each view, and the overlays. */
  const severe = [
    'welcome-4-existing',
    'files',
    'files-menu',
    'files-delete',
    'queue',
    'statistics',
    'settings-folder',
    'settings-folders',
    'settings-diagnostics',
  ];
  test.each(screens.filter(({ name }) => severe.includes(name)))(
    'axe finds nothing on $name with forced colours, and at 200 %',
    async (screen) => {
      await inWindow(screen.seed(), async (page) => {
        await page.locator('h1').first().waitFor({ state: 'attached' });
        await screen.steps?.(page);
        await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'active' });
        expect(await axe(page), 'forced colours').toEqual([]);
        await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
        // 960×640 at 200 %.
        await page.setViewportSize({ width: 480, height: 320 });
        expect(await axe(page), '200 %').toEqual([]);
      });
    },
  );

  test('statistics never show fewer files than the list, and call days unknown after one reading', async () => {
    await inWindow({ serviceFiles: 0, readings: 1 }, async (page) => {
      await page.getByRole('navigation').getByRole('button', { name: 'Statistics' }).click();
      await page.getByText('At least 61.8 GB shared').waitFor();
      await page.getByText('at least 14 links').waitFor();
      await page.getByRole('table', { name: 'Downloads per day' }).getByText('unknown').waitFor();
      // Our own uploads are known meanwhile.
      await page.getByRole('tab', { name: 'Uploads' }).click();
      await page.getByRole('table', { name: 'Uploads per day' }).waitFor();
      await page.getByText('288 uploads left today').waitFor();
      expect(await page.getByText(/^0 (files|links)/).count()).toBe(0);
    });
  });

  test.each([640, 760, 830, 900, 960])(
    'no label is cut in statistics and diagnostics, %i px wide',
    async (width) => {
      await inWindow({ languages: ['de-DE'] }, async (page) => {
        await page.setViewportSize({ width, height: 640 });
        const cut = () =>
          page.locator('main *').evaluateAll((all) =>
            all
              .filter(
                (one) =>
                  one.closest('bdi, .unseen') === null && getComputedStyle(one).overflowX !== 'visible',
              )
              .filter((one) => one.scrollWidth > one.clientWidth + 1)
              .map((one) => one.outerHTML.slice(0, 200)),
          );
        await page.getByRole('navigation').getByRole('button', { name: 'Statistik' }).click();
        await page.getByText('Noch 288 Uploads heute').waitFor();
        expect(await cut()).toEqual([]);
        // Nothing that only screen readers get makes the page scroll.
        const high = await page.evaluate(() => [document.documentElement.scrollHeight, innerHeight]);
        expect(high[0]).toBe(high[1]);
        await page.getByRole('navigation').getByRole('button', { name: 'Einstellungen' }).click();
        await page.getByRole('tab', { name: 'Diagnose' }).click();
        await page.getByText('Uploads heute').waitFor();
        expect(await cut()).toEqual([]);
      });
    },
  );

  test.each(['en-US', 'de-DE', 'es-ES', 'zh-CN'])(
    'no tab and no button of the rail is cut from 480 px on, %s',
    async (language) => {
      await inWindow({ languages: [language] }, async (page) => {
        for (const width of [480, 640, 760]) {
          await page.setViewportSize({ width, height: 640 });
          for (const button of await page.locator('nav button').all()) {
            await button.click();
            await page.locator('h1').first().waitFor({ state: 'attached' });
            const cut = (): Promise<string[]> =>
              page.locator('[role=tab], nav button').evaluateAll((all) =>
                all
                  .filter((one) => {
                    const { left, right, top, bottom, width: wide } = one.getBoundingClientRect();
                    const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
                    const isWhole =
                      left >= 0 && right <= innerWidth && one.scrollWidth <= one.clientWidth + 1;
                    return !isWhole || wide === 0 || !(one.contains(at) || at?.contains(one) === true);
                  })
                  .map((one) => one.outerHTML.slice(0, 200)),
              );
            await expect.poll(cut).toEqual([]);
          }
        }
      });
    },
  );

  test('the whole first run and a copy-link by keyboard alone', async () => {
    const first = screens.find((screen) => screen.name === 'welcome-1-start');
    await inWindow({ ...first?.seed(), rows: [row(1, 'a.pdf')] }, async (page, transport) => {
      const tabTo = async (wanted: Locator): Promise<void> => {
        for (let steps = 0; steps < 30; steps += 1) {
          if (await wanted.evaluate((it) => it === document.activeElement)) return;
          await page.keyboard.press('Tab');
        }
        throw new Error('The keyboard does not get there.');
      };
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.type('files.example.com');
      await page.keyboard.press('Tab');
      await page.getByText('https added').first().waitFor();
      await page.keyboard.type('wrong-key');
      await page.keyboard.press('Enter');
      await page.getByText('does not accept').waitFor();
      // The refused key is selected: the next input replaces it.
      await page.keyboard.type('good-key-4d06');
      await page.keyboard.press('Enter');
      await page.getByText('Pro · 300 files · up to 10 GB each').first().waitFor();
      await tabTo(page.getByRole('button', { name: 'can be uploaded (6)' }));
      await page.keyboard.press('Enter');
      await tabTo(page.getByLabel('report Q3.pdf'));
      await page.keyboard.press('Space');
      await tabTo(page.getByRole('button', { name: 'Start and upload 1' }));
      await page.keyboard.press('Enter');
      await page.locator('.row').first().waitFor();
      expect(callsOf(transport, 'folder.choose')).toEqual([
        { folder: '/home/mara/Outtray', existing: ['/home/mara/Outtray/report Q3.pdf'] },
      ]);
      expect(callsOf(transport, 'account.login')).toEqual([
        { baseUrl: 'https://files.example.com', key: 'wrong-key' },
        { baseUrl: 'https://files.example.com', key: 'good-key-4d06' },
      ]);
      await page.keyboard.press('Control+f');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await expect
        .poll(() => callsOf(transport, 'window.copyLinks'))
        .toEqual([{ uploadIds: [1], fileIds: [] }]);
      expect(await page.locator('.row button.copied').count()).toBe(1);
    });
  });

  test('a pasted key is checked at once, with one request; the list of the account is read after it', async () => {
    const first = screens.find((screen) => screen.name === 'welcome-1-start');
    await inWindow(first?.seed() ?? {}, async (page, transport) => {
      await page.getByLabel('Address').fill('files.example.com');
      await page.getByLabel('API key').focus();
      await page.evaluate(() => {
        const field = document.activeElement;
        if (!(field instanceof HTMLInputElement)) throw new Error('No field has the focus.');
        field.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true }));
        field.value = 'good-key-4d06';
        field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertFromPaste' }));
      });
      await page.getByText('Pro · 300 files · up to 10 GB each').first().waitFor();
      await page.getByText('The list of your files is read as well (3 requests).').waitFor();
      expect(callsOf(transport, 'account.login')).toHaveLength(1);
      expect(callsOf(transport, 'files.refresh')).toEqual([{}]);
    });
  });

  test.each([true, false])(
    'pasted files that are marked as private stay (%j)',
    async (isClipboardPrivate) => {
      await inWindow({ isClipboardPrivate }, async (page, transport) => {
        await page.getByRole('heading', { level: 1, name: 'Files' }).waitFor();
        await page.evaluate(() => {
          const clipboardData = new DataTransfer();
          clipboardData.items.add(new File(['hunter2'], 'passwords.txt'));
          document.body.dispatchEvent(
            new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
          );
        });
        await expect.poll(() => callsOf(transport, 'window.isClipboardPrivate')).toEqual([{}]);
        const uploads = isClipboardPrivate ? [] : [{ paths: ['/home/mara/Desktop/passwords.txt'] }];
        await expect.poll(() => callsOf(transport, 'files.upload')).toEqual(uploads);
      });
    },
  );

  test('the button of the first run shows how many files will be uploaded, and how many stay', async () => {
    const first = screens.find((screen) => screen.name === 'welcome-4-existing');
    await inWindow(first?.seed() ?? {}, async (page, transport) => {
      await first?.steps?.(page);
      await page.getByText('5 files stay on this computer.').waitFor();
      await page.getByText('held: may be a secret (2)').waitFor();
      await page.getByRole('button', { name: 'skipped (3)' }).click();
      await page.locator('.why', { hasText: 'empty' }).waitFor();
      await page.getByRole('button', { name: 'Start and upload 6' }).click();
      await expect
        .poll(() => callsOf(transport, 'folder.choose'))
        .toEqual([{ folder: '/home/mara/Outtray', existing: 'upload' }]);
    });
  });

  test('the proposed folder may be missing: it is new and empty, and made at the start only', async () => {
    const first = screens.find((screen) => screen.name === 'welcome-3-connected');
    const transport = createFakeTransport(first?.seed());
    const { call } = transport;
    transport.call = async (name, input) =>
      name === 'folder.inspect'
        ? {
            ok: false,
            error: { code: 'folder-unavailable', message: 'There is no folder.', remedy: 'Create it.' },
          }
        : await call(name, input);
    const opened = await inWindow.open(transport);
    await first?.steps?.(opened.page);
    await opened.page.getByText('(new, empty)').waitFor();
    await opened.page.getByRole('button', { name: 'Start', exact: true }).click();
    await expect
      .poll(() => callsOf(transport, 'folder.choose'))
      .toEqual([{ folder: '/home/mara/Outtray', existing: 'skip' }]);
    expect(opened.complaints).toEqual([]);
    await opened.close();
  });

  test('the key is in no call but the login and nowhere in the page afterwards', async () => {
    const first = screens.find((screen) => screen.name === 'welcome-3-connected');
    await inWindow(first?.seed() ?? {}, async (page, transport) => {
      await first?.steps?.(page);
      const others = transport.calls.filter((call) => call.name !== 'account.login');
      expect(JSON.stringify(others)).not.toContain('good-key');
      expect(await page.content()).not.toContain('good-key');
      const values = await page
        .locator('input')
        .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
      expect(values.join()).not.toContain('good-key');
    });
  });

  test('100,000 rows: few are mounted wherever the list is scrolled to, and search answers', async () => {
    await inWindow({ rows: manyRows(100_000) }, async (page) => {
      const mounted = page.locator('[role=row][aria-rowindex]');
      await page.locator('.row').first().waitFor();
      expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe('100001');
      expect(await mounted.count()).toBeLessThanOrEqual(60);
      await page.locator('.rows > div').evaluate((list) => {
        list.scrollTop = 2_000 * 52;
      });
      // The headings of days take the room of some rows.
      await page.locator('[role=row][aria-rowindex="2000"].row').waitFor();
      expect(await mounted.count()).toBeLessThanOrEqual(60);
      await page.getByRole('searchbox').fill('invoice-000002');
      await expect.poll(() => rowNames(page)).toEqual(['invoice-000002.docx']);
    });
  });

  test('copied is shown in place, without moving anything', async () => {
    await inWindow({}, async (page) => {
      const button = page.locator('.row').nth(1).getByRole('button', { name: 'Copy link' });
      const before = await button.boundingBox();
      await button.click();
      await page.locator('.row button.copied').waitFor();
      expect(await button.boundingBox()).toEqual(before);
      await expect.poll(() => page.locator('.row button.copied').count()).toBe(0);
    });
  });

  test('a new upload arrives in the list by itself, and a gap in the changes is repaired', async () => {
    await inWindow({}, async (page, transport) => {
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      await page.locator('.row').first().waitFor();
      await page.evaluate(() => {
        document.addEventListener('animationstart', ({ target }) => {
          const name = target instanceof Element ? target.querySelector('bdi')?.title : undefined;
          document.body.dataset['arrived'] = `${document.body.dataset['arrived'] ?? ''}${name ?? '?'};`;
        });
      });
      transport.seed.rows = [row(99, 'fresh.zip', { uploadedAtMs: Date.now() * 2 }), ...transport.seed.rows];
      transport.send({ kind: 'entries', entries: [] });
      await page.getByText('fresh').first().waitFor();
      // Only this row fades in.
      await expect.poll(() => page.locator('body').getAttribute('data-arrived')).toBe('fresh.zip;');
      transport.seed.status = { ...transport.seed.status, seq: transport.seed.status.seq + 5 };
      const before = callsOf(transport, 'app.status').length;
      transport.setStatus(busyStatus());
      await page.getByText('12 of 32 ready').waitFor();
      expect(callsOf(transport, 'app.status').length).toBe(before + 1);
    });
  });

  test('several files: selected with Shift, copied as one list, deleted after one question that names the consequence', async () => {
    await inWindow({}, async (page, transport) => {
      const chosen = page.getByRole('button', { name: '3 selected' });
      // The first click opens the pane, and the rows may move under the second one.
      await expect
        .poll(async () => {
          await page.locator('.row').nth(0).click();
          await page
            .locator('.row')
            .nth(2)
            .click({ modifiers: ['Shift'] });
          return await chosen.count();
        })
        .toBe(1);
      await chosen.click();
      await page.getByRole('menuitem', { name: 'Copy 3 links' }).click();
      await page.getByText('3 links copied').first().waitFor();
      await page.keyboard.press('Escape');
      await page.locator('.row').nth(0).click();
      await page
        .locator('.row')
        .nth(1)
        .click({ modifiers: ['Control'] });
      await page.keyboard.press('Delete');
      await page.getByText('2 requests; 3,096 are left').waitFor();
      await page.getByRole('button', { name: 'Recall 2 links' }).click();
      await page.getByText('2 links dead').first().waitFor();
      expect(callsOf(transport, 'files.delete')).toEqual([{ fileIds: [1, 2], byLink: [1, 2], accountId: 1 }]);
    });
  });

  test('a question about files of an account closes once the list is that of another one', async () => {
    await inWindow({}, async (page, transport) => {
      await page.locator('.row').nth(0).click();
      await page.keyboard.press('Delete');
      const question = page.getByRole('dialog');
      await question.waitFor();
      transport.seed.accountId = 2;
      transport.send({ kind: 'entries', entries: [] });
      await question.waitFor({ state: 'detached' });
      expect(callsOf(transport, 'files.delete')).toEqual([]);
    });
  });

  test('hostile names and links are text: nothing is executed, nothing is opened', async () => {
    const names = [
      '<img src=x onerror=alert(1)>.png',
      '{{7*7}}.txt',
      'a\u202Egnp.exe',
      '"><script>alert(1)</script>',
    ];
    const rows = names.map((name, index) => row(index + 1, name, { publicLink: 'javascript:alert(1)' }));
    await inWindow({ rows }, async (page, transport) => {
      page.on('dialog', () => {
        throw new Error('a dialog opened');
      });
      await page.locator('.row').first().waitFor();
      const shown = await rowNames(page);
      expect(shown).toContain('<img src=x onerror=alert(1)>.png');
      expect(shown).toContain('a⟨U+202E⟩gnp.exe');
      expect(await page.locator('.row img, .row script').count()).toBe(0);
      expect(await page.locator('a[href]').count()).toBe(0);
      await page.locator('.row').first().click();
      await page.keyboard.press('o');
      await expect.poll(() => callsOf(transport, 'window.openLink')).toEqual([{ file: { uploadId: 1 } }]);
    });
  });

  test('the queue: pause for an hour, resume, resolve an uncertain one, retry all alike', async () => {
    await inWindow({ uploads: busyUploads(), status: busyStatus() }, async (page, transport) => {
      await page.keyboard.press('Control+2');
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('menuitem', { name: 'For 1 hour' }).click();
      await page.getByRole('button', { name: 'Resume' }).click();
      await page.getByRole('button', { name: 'Pause' }).waitFor();
      expect(callsOf(transport, 'queue.resume')).toEqual([{}]);
      await page.getByRole('button', { name: 'Compare' }).first().click();
      await page.getByRole('button', { name: 'This is it' }).click();
      await page.getByRole('button', { name: /^Retry all: 3 × / }).click();
      await expect
        .poll(() => callsOf(transport, 'queue.retry'))
        .toMatchObject([{ alike: { kind: 'failed', fate: 'refused\nChange its type and try again.' } }]);
      expect(callsOf(transport, 'queue.resolve')).toEqual([{ id: 131, choice: 'this-is-it', fileId: 4411 }]);
    });
  });

  test.each([
    ['de-AT', 'Dateien', 'Link kopieren'],
    ['es-MX', 'Archivos', 'Copiar enlace'],
    ['zh-CN', '文件', '复制链接'],
  ])('speaks %s', async (language, title, copy) => {
    await inWindow({ languages: [language] }, async (page) => {
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await page.locator('.row').first().getByText(copy).waitFor();
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
    });
  });
});
