// What the app does on other systems and on faulty desktops, as far as the stand-in can imitate them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { canLaunch, onRealElectron } from '../support/app.ts';
import {
  agreed,
  call,
  desktopPath,
  eventually,
  lookAway,
  reload,
  setStage,
  type Stage,
  watchFolder,
} from './stage.ts';

const canImitate = canLaunch && !onRealElectron;

/** The environment of a start in these modes; `tray`: a program of the desktop draws tray icons. */
const envOf = async (stage: Stage, modes: string, tray = true): Promise<Record<string, string>> => {
  return {
    PATH: await desktopPath(stage.home, tray),
    ELECTRON_DOUBLE_MODES: modes,
    ELECTRON_DOUBLE_RECORD: path.join(stage.home, 'record'),
  };
};
const recorded = (stage: Stage): unknown[] => {
  const file = path.join(stage.home, 'record');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line): unknown => JSON.parse(line));
};

test.skipIf(!canImitate)('Windows has the app’s id before the app is ready', async () => {
  await using stage = await setStage();
  const app = await stage.start({ env: await envOf(stage, 'platform=win32') });
  expect(recorded(stage)).toEqual([{ appUserModelId: 'app.outtray.desktop', ready: false }]);
  await app.quit();
});

test.skipIf(!canImitate)(
  'macOS: a start at login opens no window, and a start by the user does',
  async () => {
    await using stage = await setStage();
    const atLogin = await stage.start({
      env: await envOf(stage, 'platform=darwin,opened-at-login'),
      expectWindow: false,
    });
    await eventually(async () => (await atLogin.tray())?.items.length ?? 0).toBeGreaterThan(0);
    const windows = () =>
      atLogin.electron.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().map((window) => window.isVisible()),
      );
    expect(await windows()).toEqual([]);
    await atLogin.clickTray('Open Outtray');
    await eventually(windows).toEqual([true]);
    await atLogin.quit();

    const byHand = await stage.start({ env: await envOf(stage, 'platform=darwin') });
    expect(await (await byHand.frame()).evaluate((window) => window.isVisible())).toBe(true);
    await byHand.quit();
  },
);

test.skipIf(!canImitate)('the start after an automatic update opens no window, once', async () => {
  await using stage = await setStage();
  const env = await envOf(stage, '');
  await (await stage.start({ env })).quit();
  const ledger = new DatabaseSync(path.join(stage.home, 'outtray/ledger.sqlite'));
  const note = JSON.stringify({ tried: '0.2.0', isFresh: true });
  ledger.prepare("INSERT INTO facts (name, value, at_ms) VALUES ('quietUpdate', ?, 0)").run(note);
  ledger.close();

  const after = await stage.start({ env, expectWindow: false });
  await eventually(async () => (await after.tray())?.items.length ?? 0).toBeGreaterThan(0);
  expect(await after.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(0);
  await after.quit();
  const later = await stage.start({ env });
  expect(await (await later.frame()).evaluate((window) => window.isVisible())).toBe(true);
  await later.quit();
});

test.skipIf(!canImitate)(
  'without a tray the app works, and closing its window never hides it for good',
  async () => {
    await using stage = await setStage();
    // The desktop promises to draw icons, and making one fails all the same.
    const app = await stage.start({ args: ['--hidden'], env: await envOf(stage, 'tray=fails') });
    const frame = await app.frame();
    const seen = () => frame.evaluate((window) => [window.isVisible(), window.isMinimized()]);
    await eventually(seen).toEqual([true, false]);
    await frame.evaluate((window) => window.close());
    await eventually(seen).toEqual([false, true]);
    expect(await app.tray()).toBeNull();
    await app.quit();
    expect(app.complaints).toEqual([]);
  },
);

test.skipIf(!canImitate)('a start at login waits for a desktop that draws its icons late', async () => {
  await using stage = await setStage();
  const env = await envOf(stage, '', false);
  const app = await stage.start({ args: ['--hidden'], env, expectWindow: false });
  await eventually(async () => (await app.tray())?.items.length ?? 0).toBeGreaterThan(0);
  await envOf(stage, '', true);
  await app.electron.evaluate(() => new Promise((resolve) => setTimeout(resolve, 3_000)));
  expect(await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(0);
  await app.quit();
});

declare const probe: { trays: { menu: { emit(event: string): void; items: { label: string }[] } }[] };

test.skipIf(!canImitate)('the menu of the tray stays as it is while it is open', async () => {
  await using stage = await setStage();
  const app = await stage.start({ apiKey: stage.service.key, env: await envOf(stage, '') });
  const lastLabel = () => app.electron.evaluate(() => probe.trays.at(-1)?.menu.items.at(-1)?.label);
  await app.electron.evaluate(() => probe.trays.at(-1)?.menu.emit('menu-will-show'));
  await call(app.window, 'settings.set', { name: 'language', value: 'de' });
  await eventually(() => app.window.evaluate(() => document.documentElement.lang)).toMatch(/^de/);
  // Longer than the tray waits to gather changes.
  await app.electron.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
  expect(await lastLabel()).toBe('Quit');
  await app.electron.evaluate(() => probe.trays.at(-1)?.menu.emit('menu-will-close'));
  await eventually(lastLabel).toBe('Beenden');
  await app.quit();
  expect(app.complaints).toEqual([]);
});

test.skipIf(!canImitate)(
  'Windows: the icon follows the theme of the taskbar, not that of the windows',
  async () => {
    await using stage = await setStage();
    const app = await stage.start({ env: await envOf(stage, 'platform=win32,dark-bars') });
    const dark = await app.electron.evaluate(({ nativeTheme }) => [
      nativeTheme.shouldUseDarkColors,
      nativeTheme.shouldUseDarkColorsForSystemIntegratedUI,
    ]);
    expect(dark).toEqual([false, true]);
    const shown = await app.electron.evaluate(() => {
      const { images } = probe.trays.at(-1) as unknown as { images: { toPNG(): Buffer }[] };
      return images.at(-1)?.toPNG().toString('base64');
    });
    const folder = path.resolve(import.meta.dirname, '../../resources/tray');
    const icon = readdirSync(folder).find(
      (name) => readFileSync(path.join(folder, name)).toString('base64') === shown,
    );
    expect(icon).toMatch(/-dark\.ico$/);
    await app.quit();
  },
);

test.skipIf(!canImitate)(
  'Windows provides the path of one copied file only: that one is uploaded, and the user is informed of the others',
  async () => {
    await using stage = await setStage();
    const env = await envOf(stage, 'platform=win32');
    const app = await stage.start({ apiKey: stage.service.key, env });
    const first = await stage.put(path.join(stage.home, 'first.txt'));
    const paste = async (count: number) => {
      await app.electron.evaluate(
        async ({ clipboard, ClipboardItem }, given) => {
          const format = (name: string) => `electron application/osclipboard;format="${name}"`;
          const item = new ClipboardItem({
            [format('FileNameW')]: new Blob([Buffer.from(`${given.first}\0`, 'utf16le')]),
            [format('Shell IDList Array')]: new Blob([new Uint32Array([given.count])]),
          });
          await clipboard.write([item]);
        },
        { first, count },
      );
      await app.clickTray('Upload from clipboard');
    };
    await paste(1);
    await eventually(() => stage.service.files().map(({ filename }) => filename)).toEqual(['first.txt']);
    expect(await app.asked()).toEqual([]);
    // The link of the first file goes to the clipboard. What is pasted next must not be replaced by it.
    await eventually(() => app.electron.evaluate(({ clipboard }) => clipboard.readText())).toContain('http');
    await paste(3);
    await eventually(async () => (await app.asked()).length).toBe(1);
    expect(JSON.stringify(await app.asked())).toContain(
      'Only the first copied file could be read and is uploaded. Drop the other 2 files on the window, or press Ctrl+V in it.',
    );
    await app.quit();
  },
);

test.skipIf(!canImitate)(
  'a desktop that refuses notifications, the clipboard and the shortcut stops no upload, and settings name the keys',
  async () => {
    await using stage = await setStage();
    const modes = 'platform=win32,notifications=refused,clipboard=refused,shortcuts=taken';
    const app = await stage.start({ apiKey: stage.service.key, env: await envOf(stage, modes) });
    await watchFolder(app, stage.folder);
    await reload(app);
    await lookAway(app);
    await stage.put('watched.txt');
    await eventually(async () => (await app.notifications()).length).toBe(1);
    await app.dropFiles('main', [await stage.put(path.join(stage.home, 'dropped.txt'))]);
    await eventually(() => stage.service.files().map(({ filename }) => filename)).toEqual([
      'watched.txt',
      'dropped.txt',
    ]);
    const [link] = await call(app.window, 'window.newestLinks', { limit: 1 });
    const copying = call(app.window, 'window.copyLinks', { uploadIds: [link?.uploadId ?? 0], fileIds: [] });
    await expect(copying).rejects.toThrow('does not take the text for its clipboard');
    await agreed(app, 'settings.set', { name: 'pasteShortcut', value: 'Ctrl+Shift+U' });
    expect(await call(app.window, 'window.pasteShortcut', {})).toEqual({ state: 'taken' });
    expect(await call(app.window, 'app.status', {})).toMatchObject({
      running: true,
      counts: { uploaded: 1 },
    });
    await app.quit();
    expect(app.complaints).toEqual([]);
  },
);
