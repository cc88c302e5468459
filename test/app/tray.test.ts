// The tray: its popover on Windows and macOS, its menu on Linux, what both copy, and what they leave to the window.
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { canLaunch, onRealElectron, type RunningApp } from '../support/app.ts';
import {
  call,
  desktopPath,
  eventually,
  isPopoverOpen,
  onTray,
  openPopover,
  pressed,
  reload,
  reply,
  setStage,
  untilStatus,
  type Stage,
  watchFolder,
} from './stage.ts';

type Bounds = { x: number; y: number; width: number; height: number };
/** What support/probe.cjs keeps in main. */
declare const probe: {
  trays: {
    tray: { emit(event: string, ...given: unknown[]): void; getBounds(): Bounds };
    title: string;
    toolTip: string;
  }[];
  dragged: string[];
  progress: { value: number; mode: string }[];
};

const canImitate = canLaunch && !onRealElectron;

/** A start on this system whose desktop draws tray icons. */
const begin = async (stage: Stage, system: 'win32' | 'darwin' | 'linux', more = {}): Promise<RunningApp> => {
  const env = {
    PATH: await desktopPath(stage.home),
    ...(system === 'linux' ? {} : { ELECTRON_DOUBLE_MODES: `platform=${system}` }),
  };
  const app = await stage.start({ apiKey: stage.service.key, env, ...more });
  await watchFolder(app, stage.folder);
  await untilStatus(app.window, ({ watch }) => watch === 'live');
  await reload(app);
  return app;
};
const share = async (stage: Stage, app: RunningApp, ...names: string[]): Promise<void> => {
  for (const name of names) {
    await stage.put(name);
    await eventually(() => stage.service.files().map(({ filename }) => filename)).toContain(name);
  }
  await untilStatus(app.window, ({ counts }) => counts.uploaded === stage.service.files().length);
};
const end = async (app: RunningApp): Promise<void> => {
  await app.quit();
  expect(app.complaints).toEqual([]);
};
const linkOf = (stage: Stage, name: string): string =>
  stage.service.files().find(({ filename }) => filename === name)?.link ?? 'none';

test.skipIf(!canImitate)(
  'Windows: a click opens the popover over the taskbar; it copies, reports it and closes',
  async () => {
    await using stage = await setStage();
    const app = await begin(stage, 'win32');
    await share(stage, app, 'one.txt', 'two.txt', 'three.txt', 'R&D plan.pdf');
    const page = await openPopover(app);
    await eventually(() => page.getByRole('listitem').count()).toBe(4);
    const bounds = await app.electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getFocusedWindow()?.getBounds(),
    );
    expect((bounds?.y ?? 0) + (bounds?.height ?? 0)).toBe(752);
    expect(bounds?.width).toBe(360);
    expect((bounds?.x ?? 0) + 360).toBeLessThanOrEqual(1272);
    // As high as what it shows.
    expect(bounds?.height).toBe(
      await page.locator('main').evaluate((main) => Math.ceil(main.getBoundingClientRect().height)),
    );
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
    for (const media of [
      { colorScheme: 'light', forcedColors: 'none' },
      { colorScheme: 'dark', forcedColors: 'none' },
      { colorScheme: 'dark', forcedColors: 'active' },
    ] as const) {
      await page.emulateMedia(media);
      expect((await axe.analyze()).violations, JSON.stringify(media)).toEqual([]);
    }

    await Promise.all([
      page.getByText('Copied', { exact: true }).waitFor(),
      page.getByRole('button', { name: 'Copy link to R&D plan.pdf', exact: true }).click(),
    ]);
    expect(await page.getByRole('status').textContent()).toBe('Link copied');
    expect(await app.clipboardText()).toBe(linkOf(stage, 'R&D plan.pdf'));
    await eventually(() => isPopoverOpen(app)).toBe(false);

    await openPopover(app);
    await page.getByRole('button', { name: 'Copy link to two.txt' }).focus();
    await page.keyboard.press('Enter');
    await eventually(() => isPopoverOpen(app)).toBe(false);
    expect(await app.clipboardText()).toBe(linkOf(stage, 'two.txt'));

    await openPopover(app);
    await page.getByRole('button', { name: 'Copy newest 3' }).click();
    await eventually(() => isPopoverOpen(app)).toBe(false);
    const newest = ['two.txt', 'three.txt', 'R&D plan.pdf'].map((name) => linkOf(stage, name));
    expect((await app.clipboardText()).split('\n')).toEqual(newest);

    // How many is a choice beside it; Escape closes only the menu, and all of it is in sight.
    await openPopover(app);
    const menu = page.getByRole('menu', { name: 'Copy newest links' });
    const choose = page.getByRole('button', { name: 'Copy newest links' });
    await choose.focus();
    await page.keyboard.press('Enter');
    await menu.waitFor();
    expect((await page.getByRole('menuitem').allTextContents()).map((text) => text.trim())).toEqual([
      'Copy newest 3',
      'Copy newest 4',
    ]);
    const area = await menu.evaluate((element) => {
      const { top, bottom, left, right } = element.getBoundingClientRect();
      return top >= 0 && left >= 0 && right <= innerWidth && bottom <= innerHeight;
    });
    expect(area).toBe(true);
    expect((await axe.analyze()).violations).toEqual([]);
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    expect(await isPopoverOpen(app)).toBe(true);
    await choose.click();
    await page.getByRole('menuitem', { name: 'Copy newest 4' }).click();
    await eventually(() => isPopoverOpen(app)).toBe(false);
    expect((await app.clipboardText()).split('\n')).toEqual([linkOf(stage, 'one.txt'), ...newest]);

    await openPopover(app);
    const [row, place] = [page.getByRole('listitem').filter({ hasText: 'one.txt' }), { x: 60, y: 20 }];
    await row.dblclick({ position: place });
    await eventually(() => app.opened()).toEqual([{ how: 'openExternal', target: linkOf(stage, 'one.txt') }]);
    await end(app);
  },
);

test.skipIf(!canImitate)(
  'the popover is fully usable by keyboard, and closes with Escape and when it loses the focus',
  async () => {
    await using stage = await setStage();
    const app = await begin(stage, 'win32');
    await share(stage, app, 'older.txt', 'newer.txt');
    const page = await openPopover(app);
    const focused = () =>
      page.evaluate(
        () =>
          document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent.trim(),
      );
    const seen: (string | undefined)[] = [];
    for (let at = 0; at < 16; at += 1) {
      await page.keyboard.press('Tab');
      seen.push(await focused());
    }
    expect(seen).toEqual(
      expect.arrayContaining([
        'Pause',
        'Settings',
        'Copy link to newer.txt',
        'Search all links',
        'Copy newest 2',
        'Upload',
        'Clipboard',
        'Folder',
        'Open',
        'Quit',
      ]),
    );
    await page.getByRole('button', { name: 'Copy link to newer.txt', exact: true }).focus();
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('Copy link to older.txt');
    await page.keyboard.press('Enter');
    await eventually(() => app.clipboardText()).toBe(linkOf(stage, 'older.txt'));
    await eventually(() => isPopoverOpen(app)).toBe(false);

    await openPopover(app);
    await page.keyboard.press('Escape');
    await eventually(() => isPopoverOpen(app)).toBe(false);

    await openPopover(app);
    await (await app.frame()).evaluate((window) => window.focus());
    await eventually(() => isPopoverOpen(app)).toBe(false);
    // That click on the icon which took the focus away does not open it again.
    await openPopover(app);
    await (
      await app.frame()
    ).evaluate((window) => {
      window.focus();
      const { tray } = probe.trays.at(-1) ?? {};
      tray?.emit('click', {}, tray.getBounds());
    });
    expect(await isPopoverOpen(app)).toBe(false);
    await end(app);
  },
);

test.skipIf(!canImitate)(
  'the popover shows the current activity, accepts drops, and opens the window where it is needed',
  async () => {
    await using stage = await setStage();
    const app = await begin(stage, 'win32');
    const page = await openPopover(app);
    await page.getByText('No links yet').waitFor();

    const dropped = await stage.put(path.join(stage.home, 'dropped.txt'));
    await dropOn(page, [dropped]);
    await page.getByRole('button', { name: 'Copy link to dropped.txt', exact: true }).waitFor();

    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('heading', { name: /^Paused/ }).waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();

    // Held: a name that looks like a secret.
    await stage.put('id_rsa');
    await page.getByRole('heading', { name: '1 file needs you' }).waitFor();
    await page.locator('.needs', { hasText: 'looks like a secret' }).waitFor();
    await page.getByRole('button', { name: 'Review' }).click();
    await app.window.getByRole('heading', { name: 'Queue' }).waitFor();
    await eventually(() => isPopoverOpen(app)).toBe(false);

    await openPopover(app);
    await page.getByRole('button', { name: 'Search all links' }).click();
    await eventually(() => app.window.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
    await end(app);
  },
);

const dropOn = async (page: Page, files: string[]): Promise<void> => {
  const cdp = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await cdp.send('Input.dispatchDragEvent', { type, x: 100, y: 60, data });
  await cdp.detach();
};

test.skipIf(!canImitate)(
  'the popover is as restricted as the window, and calls only what it needs',
  async () => {
    await using stage = await setStage();
    const app = await begin(stage, 'win32');
    const page = await openPopover(app);
    for (const name of ['settings.set', 'account.login', 'files.delete', 'window.reset', 'folder.choose'])
      expect(await reply(page, name, {})).toMatchObject({
        ok: false,
        error: { message: 'This page may not ask for that.' },
      });
    expect(await reply(page, 'app.status', {})).toMatchObject({ ok: true });
    const before = page.url();
    const refused = await page.evaluate(async () => {
      const script = document.createElement('script');
      script.textContent = 'window.__ran = true';
      document.body.append(script);
      window.open('https://attacker.example/');
      window.location.href = 'https://attacker.example/';
      const fetched = await fetch('https://attacker.example/').then(
        () => 'fetched',
        () => 'refused',
      );
      return [fetched, '__ran' in window];
    });
    expect(refused).toEqual(['refused', false]);
    expect(page.url()).toBe(before);
    expect(app.electron.windows()).toHaveLength(2);
    await app.quit();
  },
);

test.skipIf(!canImitate)(
  'macOS: the popover hangs below the menu bar; a right click opens the menu',
  async () => {
    await using stage = await setStage();
    const app = await begin(stage, 'darwin');
    await share(stage, app, 'one.txt');
    await openPopover(app);
    const y = await app.electron.evaluate(
      ({ BrowserWindow }) => BrowserWindow.getFocusedWindow()?.getBounds().y,
    );
    expect(y).toBe(32);
    await onTray(app, 'right-click');
    expect(await isPopoverOpen(app)).toBe(false);
    await eventually(async () => JSON.stringify(await app.tray())).toContain('one.txt');
    const entry = (await app.tray())?.items.find(({ label }) => label.startsWith('one.txt'))?.label ?? '';
    await app.clickTray(entry, 'Copy link');
    await eventually(() => app.clipboardText()).toBe(linkOf(stage, 'one.txt'));
    // Beside the icon, where the user looks.
    const title = () => app.electron.evaluate(() => probe.trays.at(-1)?.title);
    await eventually(title).toBe('Link copied');
    await eventually(title).toBe('');
    await end(app);
  },
);

test.skipIf(!canImitate)(
  'Linux: each link of the menu is copied with a confirmation, opened, and shown in the window',
  async () => {
    await using stage = await setStage();
    const app = await begin(stage, 'linux');
    await share(stage, app, 'R&D plan.pdf');
    await eventually(async () => (await app.tray())?.items.map(({ label }) => label).join('|')).toContain(
      'plan.pdf',
    );
    const items = (await app.tray())?.items ?? [];
    const label = items.find((item) => item.label.includes('plan.pdf'))?.label ?? '';
    expect(label).toMatch(/^R&&D plan\.pdf {3}(just now|1 min ago)$/);

    await app.clickTray(label, 'Copy link');
    await eventually(() => app.clipboardText()).toBe(linkOf(stage, 'R&D plan.pdf'));
    await eventually(async () => (await app.notifications()).at(-1)).toEqual({
      title: 'Link copied',
      body: 'R&D plan.pdf',
    });
    // Without notifications the tray reports it itself.
    await call(app.window, 'settings.set', { name: 'notify', value: false });
    const told = (await app.notifications()).length;
    await app.clickTray(label, 'Copy link');
    await eventually(async () => (await app.tray())?.toolTip).toBe('Outtray: Link copied');
    expect((await app.notifications()).length).toBe(told);

    await app.clickTray(label, 'Open link');
    await eventually(() => app.opened()).toEqual([
      { how: 'openExternal', target: linkOf(stage, 'R&D plan.pdf') },
    ]);

    const frame = await app.frame();
    await frame.evaluate((window) => window.hide());
    await app.clickTray(label, 'QR code');
    await eventually(() => frame.evaluate((window) => window.isVisible())).toBe(true);
    await app.window
      .getByRole('img', { name: new RegExp(linkOf(stage, 'R&D plan.pdf').replace(/.*\//, '')) })
      .first()
      .waitFor();
    await app.window.keyboard.press('Escape');
    await app.clickTray(label, 'Recall…');
    await app.window
      .getByRole('alertdialog')
      .or(app.window.getByRole('dialog'))
      .getByRole('button', { name: 'Cancel' })
      .click();

    // Its first line opens the window.
    await frame.evaluate((window) => window.hide());
    await app.clickTray((await app.tray())?.items[0]?.label ?? '');
    await eventually(() => frame.evaluate((window) => window.isVisible())).toBe(true);
    await end(app);
  },
);

test.skipIf(!canImitate)(
  'the first closing explains once that Outtray stays in the tray; its switch ends the app',
  async () => {
    await using stage = await setStage();
    const app = await begin(stage, 'linux');
    const frame = await app.frame();
    const isVisible = () => frame.evaluate((window) => window.isVisible());
    await frame.evaluate((window) => window.close());
    await eventually(isVisible).toBe(false);
    expect(await app.asked()).toMatchObject([
      {
        how: 'showMessageBox',
        options: { message: 'Outtray stays in the tray', checkboxLabel: 'Quit when the window is closed' },
      },
    ]);
    await app.clickTray('Open Outtray');
    await eventually(isVisible).toBe(true);
    await frame.evaluate((window) => window.close());
    await eventually(isVisible).toBe(false);
    expect(await app.asked()).toHaveLength(1);

    await app.clickTray('Open Outtray');
    await call(app.window, 'settings.set', { name: 'quitOnClose', value: true });
    await frame.evaluate((window) => window.close());
    expect((await app.ended).code).toBe(0);
    expect(app.complaints).toEqual([]);
  },
);

test.skipIf(!canImitate)('the switch of the first closing is the setting', async () => {
  await using stage = await setStage();
  const app = await begin(stage, 'linux');
  await app.answer('showMessageBox', { response: 0, checkboxChecked: true });
  await (await app.frame()).evaluate((window) => window.close());
  expect((await app.ended).code).toBe(0);
  const again = await begin(stage, 'linux');
  const setting = (await call(again.window, 'settings.get', {})).find(({ name }) => name === 'quitOnClose');
  expect(setting?.value).toBe(true);
  await again.quit();
});

test.skipIf(!canImitate)(
  'Dock and taskbar show the progress of uploads, and nothing afterwards',
  async () => {
    await using stage = await setStage();
    const app = await begin(stage, 'win32');
    const shown = () => app.electron.evaluate(() => probe.progress);
    await call(app.window, 'queue.pause', { untilMs: null });
    await stage.put('one.txt');
    await eventually(async () => (await shown()).at(-1)).toEqual({ value: 0, mode: 'paused' });
    await pressed(app, 'queue.resume', {});
    await eventually(async () => (await shown()).at(-1)).toEqual({ value: -1, mode: 'none' });
    expect((await shown()).map(({ mode }) => mode)).toContain('normal');
    await end(app);
  },
);

test.skipIf(!canImitate)(
  'a file is dragged out by its upload, never by a path, and only while it is there',
  async () => {
    await using stage = await setStage();
    const app = await begin(stage, 'linux');
    await share(stage, app, 'out.txt');
    const [link] = await call(app.window, 'window.newestLinks', { limit: 1 });
    const uploadId = link?.uploadId ?? 0;
    await call(app.window, 'window.startDrag', { uploadId });
    const dragged = () => app.electron.evaluate(() => probe.dragged);
    let rich = '';
    const dragFrom = async (selector: string): Promise<string> => {
      const data = await app.window.evaluateHandle(() => new DataTransfer());
      await app.window.locator(selector).first().dispatchEvent('dragstart', { dataTransfer: data });
      rich = await data.evaluate((transfer) => transfer.getData('text/html'));
      return await data.evaluate((transfer) => transfer.getData('text/uri-list'));
    };
    // The link of a row is dragged as an address, the row as its file.
    expect(await dragFrom('[role=row] .address')).toBe(linkOf(stage, 'out.txt'));
    expect(rich).toBe(`<a href="${linkOf(stage, 'out.txt')}">out.txt</a>`);
    expect(await dragged()).toHaveLength(1);
    expect(await dragFrom('[role=row] .name')).toBe('');
    await eventually(async () => (await dragged()).length).toBe(2);
    expect(new Set(await dragged()).size).toBe(1);
    expect((await dragged()).at(-1)).toBe(path.join(stage.folder, 'out.txt'));
    expect(await reply(app.window, 'window.startDrag', { path: '/etc/passwd' })).toMatchObject({ ok: false });
    await expect(call(app.window, 'window.startDrag', { uploadId: 999 })).rejects.toThrow('not-found');

    await rm(path.join(stage.folder, 'out.txt'));
    await expect(call(app.window, 'window.startDrag', { uploadId })).rejects.toThrow('not-found');
    expect(await dragged()).toHaveLength(2);
    await app.quit();
  },
);

test.skipIf(!canImitate)('the files of a second start are uploaded, and its window is shown', async () => {
  await using stage = await setStage();
  const app = await begin(stage, 'linux');
  const frame = await app.frame();
  await frame.evaluate((window) => window.hide());
  const file = await stage.put(path.join(stage.home, 'given to a second start.txt'));
  expect((await stage.run([file])).code).toBe(0);
  await eventually(() => stage.service.files().map(({ filename }) => filename)).toEqual([
    'given to a second start.txt',
  ]);
  await eventually(() => frame.evaluate((window) => window.isVisible())).toBe(true);
  await end(app);
});

test.skipIf(!canImitate)('the background of each window matches its page, light and dark', async () => {
  await using stage = await setStage();
  const app = await begin(stage, 'win32');
  const popover = await openPopover(app);
  const grounds = () =>
    app.electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((window) => window.getBackgroundColor().toLowerCase()),
    );
  const pageGround = (page: Page) =>
    page.evaluate(() => {
      const parts = getComputedStyle(document.body).backgroundColor.match(/\d+/g) ?? [];
      return `#${parts
        .slice(0, 3)
        .map((part) => Number(part).toString(16).padStart(2, '0'))
        .join('')}`;
    });
  for (const theme of ['light', 'dark'] as const) {
    await app.electron.evaluate(({ nativeTheme }, wanted) => (nativeTheme.themeSource = wanted), theme);
    await eventually(() =>
      popover.evaluate(
        (dark) => matchMedia('(prefers-color-scheme: dark)').matches === dark,
        theme === 'dark',
      ),
    ).toBe(true);
    await eventually(() =>
      app.window.evaluate(
        (dark) => matchMedia('(prefers-color-scheme: dark)').matches === dark,
        theme === 'dark',
      ),
    ).toBe(true);
    expect(await grounds()).toEqual([await pageGround(app.window), await pageGround(popover)]);
  }
  await end(app);
});
