// The app on the desktop: tray and window, clipboard, keychain, language, sleep, support, another engine.
import { spawn } from 'node:child_process';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { addressOf, missingForKeyring, startBus } from '../support/keyring.ts';
import { canLaunch, type RunningApp } from '../support/app.ts';
import {
  agreed,
  call,
  desktopPath,
  eventually,
  lookAway,
  pressed,
  reload,
  setStage,
  untilStatus,
  type Stage,
  watchFolder,
} from './stage.ts';

/** What support/probe.cjs keeps in main. */
declare const probe: {
  shortcuts: Record<string, () => void>;
  trays: { tray: { emit(event: string, ...given: unknown[]): void } }[];
};

const begin = async (stage: Stage, more: Parameters<Stage['start']>[0] = {}): Promise<RunningApp> => {
  const app = await stage.start({ apiKey: stage.service.key, ...more });
  await watchFolder(app, stage.folder);
  await untilStatus(app.window, ({ watch }) => watch === 'live');
  await reload(app);
  return app;
};
const end = async (app: RunningApp): Promise<void> => {
  await app.quit();
  expect(app.complaints).toEqual([]);
};

test.skipIf(!canLaunch || process.platform !== 'linux')(
  'settings have a switch for each installed file manager; it makes the entry and removes it',
  async () => {
    await using stage = await setStage();
    const bin = path.join(stage.home, 'bin');
    const data = path.join(stage.home, 'data');
    await mkdir(bin);
    for (const name of ['nautilus', 'nemo']) await writeFile(path.join(bin, name), '', { mode: 0o755 });
    // The package brings the entry of Nemo for all users.
    const system = path.join(stage.home, 'system');
    await mkdir(path.join(system, 'nemo/actions'), { recursive: true });
    await writeFile(path.join(system, 'nemo/actions/outtray.nemo_action'), '[Nemo Action]\n');
    const env = {
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      XDG_DATA_HOME: data,
      XDG_DATA_DIRS: system,
      XDG_CONFIG_DIRS: path.join(stage.home, 'none'),
    };
    const app = await begin(stage, { env });
    const entries = () => readdir(path.join(data, 'nautilus/scripts')).catch(() => []);
    await app.window.getByRole('navigation').getByRole('button', { name: 'Settings' }).click();
    await app.window.getByRole('tab', { name: 'General' }).click();
    const nautilus = app.window.getByRole('switch', { name: /Nautilus/ });
    await nautilus.check();
    await eventually(entries).toEqual(['Upload and copy link']);
    const nemo = app.window.getByRole('switch', { name: /Nemo/ });
    expect([await nemo.isChecked(), await nemo.isDisabled()]).toEqual([true, true]);
    expect(await app.window.getByRole('switch', { name: /Dolphin|Thunar/ }).count()).toBe(0);
    await nautilus.uncheck();
    await eventually(entries).toEqual([]);
    await end(app);
  },
);

test.skipIf(!canLaunch)(
  'closing the window hides it where a tray is drawn, and the tray shows it again',
  async () => {
    await using stage = await setStage();
    const app = await begin(stage, { env: { PATH: await desktopPath(stage.home) } });
    const frame = await app.frame();
    await frame.evaluate((window) => window.close());
    await eventually(() => frame.evaluate((window) => [window.isVisible(), window.isMinimized()])).toEqual([
      false,
      false,
    ]);

    await stage.put('unseen.txt');
    await eventually(() => stage.service.files().length).toBe(1);
    await app.clickTray('Open Outtray');
    await eventually(() => frame.evaluate((window) => window.isVisible())).toBe(true);
    await app.window.getByText('unseen').first().waitFor();
    await end(app);
  },
);

test.skipIf(!canLaunch)(
  'files are chosen from the tray, a picture and files are taken from the clipboard',
  async () => {
    await using stage = await setStage();
    const app = await begin(stage);
    const chosen = await stage.put(path.join(stage.home, 'chosen.txt'));
    await app.answer('showOpenDialog', { canceled: false, filePaths: [chosen] });
    await app.clickTray('Upload files…');
    // Chosen files: each link is copied to the clipboard by itself, and the next file is copied after that.
    const lastCopied = async (): Promise<string> => (await app.clipboardText()).split('\n').at(-1) ?? '';
    const newestLink = (): string => stage.service.files().at(-1)?.link ?? 'none';
    await eventually(() => stage.service.files().map(({ filename }) => filename)).toEqual(['chosen.txt']);
    await eventually(lastCopied).toBe(newestLink());

    await app.electron.evaluate(async ({ clipboard, ClipboardItem }) => {
      const picture = new Blob([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1, 2, 3])], { type: 'image/png' });
      await clipboard.write([new ClipboardItem({ 'image/png': picture })]);
    });
    await app.clickTray('Upload from clipboard');
    await eventually(() => stage.service.files().length).toBe(2);
    expect(stage.service.files()[1]?.filename).toMatch(/^Pasted \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.png$/);
    expect(stage.service.files()[1]?.sizeBytes).toBe(7);
    await eventually(lastCopied).toBe(newestLink());

    const copied = await stage.put(path.join(stage.home, 'with blank.txt'));
    await app.electron.evaluate(async ({ clipboard, ClipboardItem }, file) => {
      await clipboard.write([new ClipboardItem({ 'text/uri-list': `file://${encodeURI(file)}\r\n` })]);
    }, copied);
    await app.clickTray('Upload from clipboard');
    await eventually(() => stage.service.files().map(({ filename }) => filename)).toContain('with blank.txt');
    await eventually(lastCopied).toBe(newestLink());

    // The shortcut of the setting does the same from any program. The link that it copies is not a text to upload.
    await agreed(app, 'settings.set', { name: 'pasteShortcut', value: 'Ctrl+Shift+U' });
    expect(await call(app.window, 'window.pasteShortcut', {})).toEqual({ state: 'set' });
    await app.electron.evaluate(({ clipboard }) => clipboard.writeText('a text'));
    const press = () => app.electron.evaluate(() => probe.shortcuts['Ctrl+Shift+U']?.());
    await press();
    await eventually(() => stage.service.files().length).toBe(4);
    expect(stage.service.files()[3]).toMatchObject({
      filename: expect.stringMatching(/^Pasted .*\.txt$/) as string,
      sizeBytes: 6,
    });
    await eventually(lastCopied).toBe(newestLink());
    await press();
    const told = async () => (await app.notifications()).map(({ title }) => title);
    await eventually(told).toContain('There is no file and no image on the clipboard.');
    expect(stage.service.files()).toHaveLength(4);
    // Files in a network place are reported, and the text that names them is no text to upload.
    await app.answer('showMessageBox', { response: 0, checkboxChecked: false });
    await app.electron.evaluate(async ({ clipboard, ClipboardItem }) => {
      const address = 'sftp://anna@intranet.example/payroll.xlsx';
      await clipboard.write([
        new ClipboardItem({ 'text/uri-list': `${address}\r\n`, 'text/plain': address }),
      ]);
    });
    expect(await pressed(app, 'window.uploadClipboard', {})).toBeNull();
    expect(stage.service.files()).toHaveLength(4);
    // A text is in no folder, so it is not shared where only some folders are allowed.
    await agreed(app, 'settings.set', { name: 'allowedRoots', value: [stage.home] });
    await app.electron.evaluate(({ clipboard }) => clipboard.writeText('another text'));
    await expect(pressed(app, 'window.uploadClipboard', {})).rejects.toThrow(/not-allowed: .*allowedRoots/);
    expect(stage.service.files()).toHaveLength(4);
    await agreed(app, 'settings.set', { name: 'allowedRoots', value: null });
    await agreed(app, 'settings.set', { name: 'pasteShortcut', value: null });
    expect(await call(app.window, 'window.pasteShortcut', {})).toEqual({ state: 'off' });
    expect(await app.electron.evaluate(() => Object.keys(probe.shortcuts))).toEqual([]);
    await end(app);

    // The picture was kept only until it was uploaded.
    expect(await readdir(path.join(stage.home, 'outtray/pasted'))).toHaveLength(2);
    const again = await stage.start({ apiKey: stage.service.key });
    await eventually(() => readdir(path.join(stage.home, 'outtray/pasted'))).toEqual([]);
    await end(again);
  },
);

test.skipIf(!canLaunch)(
  'files dropped on the icon of tray or dock are uploaded; each drop is one copy and one notification',
  async () => {
    await using stage = await setStage();
    const app = await begin(stage);
    await lookAway(app);
    const put = (...names: string[]): Promise<string[]> =>
      Promise.all(names.map((name) => stage.put(path.join(stage.home, name))));
    const told: unknown[] = [];
    const isDone = async (names: readonly string[]): Promise<void> => {
      const links = (): string[] =>
        stage.service
          .files()
          .filter(({ filename }) => names.includes(filename))
          .map(({ link }) => link);
      await eventually(links).toHaveLength(names.length);
      await eventually(async () => (await app.clipboardText()).split('\n').toSorted()).toEqual(
        links().toSorted(),
      );
      told.push({ title: `${names.length} links ready`, body: 'The links are on the clipboard.' });
      await eventually(() => app.notifications()).toEqual(told);
    };
    await app.electron.evaluate(
      (_modules, files) => {
        probe.trays.at(-1)?.tray.emit('drop-files', {}, files);
      },
      await put('one.txt', 'two.txt'),
    );
    await isDone(['one.txt', 'two.txt']);
    // macOS opens the files of one selection one by one.
    await app.electron.evaluate(
      ({ app: electronApp }, files) => {
        for (const file of files) electronApp.emit('open-file', { preventDefault: () => undefined }, file);
      },
      await put('three.txt', 'four.txt', 'five.txt'),
    );
    await isDone(['three.txt', 'four.txt', 'five.txt']);

    // Of a drop without any link, the user hears without the window, and finds the reason in it.
    const isSeen = (): Promise<boolean> =>
      app.electron.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().some((one) => one.isVisible()),
      );
    await app.electron.evaluate(({ BrowserWindow }) => {
      for (const one of BrowserWindow.getAllWindows()) one.hide();
    });
    await app.electron.evaluate(
      (_modules, files) => {
        probe.trays.at(-1)?.tray.emit('drop-files', {}, files);
      },
      [path.join(stage.home, 'gone.txt')],
    );
    told.push({ title: '1 file has no link', body: 'gone.txt' });
    await eventually(() => app.notifications()).toEqual(told);
    expect(await isSeen()).toBe(false);
    await app.clickNotification();
    await eventually(isSeen).toBe(true);
    await app.window.getByRole('listitem').filter({ hasText: 'gone' }).locator('.reason').waitFor();
    await end(app);
  },
);

test.skipIf(!canLaunch)('the language of the settings applies to tray, menu and window at once', async () => {
  await using stage = await setStage();
  const app = await begin(stage);
  await call(app.window, 'settings.set', { name: 'language', value: 'de' });
  await eventually(async () => (await app.tray())?.items.at(-1)?.label).toBe('Beenden');
  const menu = await app.electron.evaluate(({ Menu }) =>
    (Menu.getApplicationMenu()?.items ?? []).map(({ label }) => label),
  );
  expect(menu).toContain('Bearbeiten');
  await eventually(() => app.window.evaluate(() => document.documentElement.lang)).toMatch(/^de/);
  await end(app);
});

test.skipIf(!canLaunch)('after sleep the folder is scanned again and due work continues', async () => {
  await using stage = await setStage();
  const app = await begin(stage);
  await app.electron.evaluate(({ powerMonitor }) => powerMonitor.emit('suspend'));
  await stage.put('while-asleep.txt');
  await app.electron.evaluate(({ powerMonitor }) => powerMonitor.emit('resume'));
  await eventually(() => stage.service.files().length).toBe(1);
  await end(app);
});

test.skipIf(!canLaunch)(
  'the bundle of diagnostics is saved exactly as it was shown, and the window provides the changelog',
  async () => {
    await using stage = await setStage();
    const app = await begin(stage);
    const place = path.join(stage.home, 'bundle.txt');
    await app.answer('showSaveDialog', { canceled: false, filePath: place });
    const { text } = await call(app.window, 'window.diagnostics', {});
    await stage.put('later.txt');
    expect(await call(app.window, 'window.saveDiagnostics', {})).toEqual({ path: place });
    expect(await readFile(place, 'utf8')).toBe(text);
    expect(text).not.toContain(stage.service.key);
    expect(text).not.toContain(stage.home);
    expect(text).toContain('folder = "~/Shared" (user)');
    const { text: changes } = await call(app.window, 'window.changes', {});
    expect(changes).toBe(
      await readFile(path.resolve(import.meta.dirname, '../../resources/CHANGELOG.md'), 'utf8'),
    );
    await end(app);
  },
);

test.skipIf(!canLaunch)(
  'forgetting everything leaves only the lock in the data folder, and no link is lost',
  async () => {
    await using stage = await setStage();
    const app = await begin(stage);
    await stage.put('kept.txt');
    await untilStatus(app.window, ({ counts }) => counts.uploaded === 1);
    // The answer may not arrive any more: the app ends.
    void agreed(app, 'window.reset', { what: 'everything' }).catch(() => undefined);
    expect((await app.ended).code).toBe(0);
    expect(stage.service.files()).toHaveLength(1);
    expect(await readdir(path.join(stage.home, 'outtray'))).toEqual(['engine.lock']);

    const again = await stage.start({ apiKey: stage.service.key });
    const status = await call(again.window, 'app.status', {});
    expect(status).toMatchObject({ folder: null, counts: { uploaded: 0 } });
    await end(again);
  },
);

test.skipIf(!canLaunch)('beside `outtray watch` the window shows what that process does', async () => {
  await using stage = await setStage();
  const env = {
    PATH: process.env['PATH'],
    HOME: stage.home,
    OUTTRAY_HOME: path.join(stage.home, 'outtray'),
    OUTTRAY_API_KEY: stage.service.key,
    OUTTRAY_BASE_URL: stage.service.baseUrl,
  };
  const cli = path.resolve(import.meta.dirname, '../../src-main/cli.ts');
  const watching = spawn(process.execPath, [cli, 'watch', stage.folder], { env });
  try {
    await new Promise((ready) => watching.stderr.once('data', ready));
    const app = await stage.start({ apiKey: stage.service.key });
    expect(await call(app.window, 'app.status', {})).toMatchObject({ running: false, folder: stage.folder });
    await stage.put('by-the-command.txt');
    await untilStatus(app.window, ({ counts }) => counts.uploaded === 1);
    await app.window.getByText('by-the-command').first().waitFor();
    await end(app);
  } finally {
    watching.kill('SIGINT');
    await new Promise((ended) => watching.once('exit', ended));
  }
});

test.skipIf(!canLaunch || missingForKeyring() !== null)(
  'the key is stored in the system’s keychain and is there after a restart',
  async () => {
    await using stage = await setStage();
    await using bus = await startBus({ keyring: 'unlocked' });
    const env = addressOf(bus);
    const first = await stage.start({ env });
    await first.window.getByText('Kept in the system’s keychain.').waitFor();
    const { key } = await pressed(first, 'account.login', { key: stage.service.key });
    expect(key).toEqual({ kind: 'stored', lastFour: stage.service.key.slice(-4) });
    await first.quit();

    const second = await stage.start({ env });
    expect((await call(second.window, 'account.get', {})).key.kind).toBe('stored');
    await agreed(second, 'account.logout', {});
    expect((await call(second.window, 'account.get', {})).key.kind).toBe('absent');
    await second.quit();
  },
);
