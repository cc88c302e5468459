// What the tests of the whole app share: a separate home, the service, the running app, and the actions of a user.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Bridge, Reply } from '../../src-main/contract/client.ts';
import type { CommandAnswer, CommandInput, CommandName } from '../../src-main/contract/commands.ts';
import type { EngineStatus } from '../../src-main/contract/model.ts';
import type { Settings } from '../../src-main/contract/settings.ts';
import { startService, type Service } from '../service/service.ts';
import { electronBinary } from '../support/machine.ts';
import { cli } from '../support/flow/command.ts';
import { cleanEnvironment, launchApp, type LaunchOptions, type RunningApp } from '../support/app.ts';

/** The object that support/probe.cjs keeps in the main process. */
declare const probe: {
  asked: unknown[];
  trays: { tray: { emit(event: string, ...given: unknown[]): void; getBounds(): unknown } }[];
};

declare global {
  interface Window {
    outtray: Bridge;
  }
}

type RunOptions = { input?: string; apiKey?: string };
export type Ended = { code: number | null; stdout: string; stderr: string };

export type Stage = {
  service: Service;
  home: string;
  folder: string;
  start(options?: Partial<LaunchOptions>): Promise<RunningApp>;
  /** Starts the program as a terminal does, and waits for its end. */
  /** Starts the app again, with files. */
  run(args: string[], options?: RunOptions): Promise<Ended>;
  /** Runs the command beside it. */
  command(args: string[], options?: RunOptions): Promise<Ended>;
  /** Writes a file into the watched folder, or elsewhere with an absolute path. */
  put(name: string, content?: string): Promise<string>;
  [Symbol.asyncDispose](): Promise<void>;
};

const root = path.resolve(import.meta.dirname, '../..');

/** The full path of Windows' own program is an ordinary file name here. The script is its registry without policy. */
const windowsShell = String.raw`C:\Windows\System32\cmd.exe`;
const registryWithoutPolicy = String.raw`#!/bin/sh
case "$*" in *Outtray*) exit 1 ;; esac
printf '%s\r\n' 'HKEY_LOCAL_MACHINE\Software\Policies\Microsoft'
`;

/** PATH with the programs of a desktop that draws tray icons, or draws none; in `home`. */
export const desktopPath = async (home: string, drawsTray = true): Promise<string> => {
  const bin = path.join(home, 'bin');
  await mkdir(bin, { recursive: true });
  const programs = {
    'dbus-send': `#!/bin/sh\necho "   variant       boolean ${drawsTray}"\n`,
    [windowsShell]: registryWithoutPolicy,
  };
  for (const [name, text] of Object.entries(programs))
    await writeFile(path.join(bin, name), text, { mode: 0o755 });
  return `${bin}:${process.env['PATH'] ?? ''}`;
};

/** The executable of the stand-in, or of Electron itself: support/app.ts chooses. */
const executable = (): string => {
  const binary = electronBinary();
  if (binary === null) throw new Error('There is nothing to run the app with.');
  return binary;
};

/** No limits, so that tests of other things do not wait for permits. */
const openLimits = { requestsPerMinute: null, requestsPerDay: null };
const openSettings: Partial<Settings> = { requestsPerMinute: 100_000, requestsPerDay: 10_000_000 };

export const setStage = async (settings: Partial<Settings> = {}): Promise<Stage> => {
  const service = await startService({ store: 'disk', ...openLimits });
  const home = await mkdtemp(path.join(tmpdir(), 'outtray-app-'));
  const folder = path.join(home, 'Shared');
  await mkdir(folder);
  const data = path.join(home, 'outtray');
  await mkdir(data, { mode: 0o700 });
  await writeFile(path.join(data, 'settings.json'), JSON.stringify({ ...openSettings, ...settings }));
  const running = new Set<RunningApp>();
  const ended = (file: string, args: string[], more: RunOptions): Promise<Ended> =>
    new Promise((resolve, reject) => {
      const env: NodeJS.ProcessEnv = {
        ...cleanEnvironment(home),
        OUTTRAY_HOME: path.join(home, 'outtray'),
        OUTTRAY_BASE_URL: service.baseUrl,
        ...(more.apiKey === undefined ? {} : { OUTTRAY_API_KEY: more.apiKey }),
      };
      const child = spawn(file, args, { env });
      const end: Ended = { code: null, stdout: '', stderr: '' };
      child.stdout.on('data', (piece: Buffer) => (end.stdout += String(piece)));
      child.stderr.on('data', (piece: Buffer) => (end.stderr += String(piece)));
      child.on('error', reject);
      child.on('close', (code) => resolve({ ...end, code }));
      child.stdin.end(more.input ?? '');
    });
  return {
    service,
    home,
    folder,
    async start(more = {}) {
      const app = await launchApp({ home, serviceUrl: service.baseUrl, ...more });
      running.add(app);
      if (more.expectWindow !== false) await app.window.locator('h1').first().waitFor({ state: 'attached' });
      void app.ended.then(() => running.delete(app));
      return app;
    },
    run: (args, more = {}) =>
      ended(
        executable(),
        [root, '--no-sandbox', `--user-data-dir=${path.join(home, 'electron')}`, ...args],
        more,
      ),
    command: (args, more = {}) => ended(process.execPath, [cli, ...args], more),
    async put(name, content = `content of ${name}`) {
      const file = path.resolve(folder, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, content);
      return file;
    },
    async [Symbol.asyncDispose]() {
      for (const app of running) await app.kill();
      await service.close();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};

/** Sends any call as the window's code does. Returns errors as they come. */
export const reply = (page: Page, name: string, input: unknown): Promise<Reply> =>
  page.evaluate(([wanted, given]) => window.outtray.call(wanted, given), [name, input] as const);

export const call = async <Name extends CommandName>(
  page: Page,
  name: Name,
  input: CommandInput<Name>,
): Promise<CommandAnswer<Name>> => {
  const answer = await reply(page, name, input);
  if (!answer.ok) throw new Error(`${name}: ${answer.error.code}: ${answer.error.message}`);
  return answer.answer as CommandAnswer<Name>;
};

/** The user agrees in the next dialog of the system. */
export const sayYes = (app: RunningApp): Promise<void> => app.answer('showMessageBox', { response: 0 });

/** The same if the app asks in a dialog of the system, and the user agrees. `asked()` does not list this dialog. */
export const agreed = async <Name extends CommandName>(
  app: RunningApp,
  name: Name,
  input: CommandInput<Name>,
): Promise<CommandAnswer<Name>> => {
  await sayYes(app);
  const answer = await call(app.window, name, input);
  await app.electron.evaluate(() => void probe.asked.pop());
  return answer;
};

/** The same just after the user has pressed a key, here one that does nothing. */
export const pressed = async <Name extends CommandName>(
  app: RunningApp,
  name: Name,
  input: CommandInput<Name>,
): Promise<CommandAnswer<Name>> => {
  await app.window.keyboard.press('Shift');
  return await call(app.window, name, input);
};

/** The tokens that the page gets when the user chooses these files in the system's dialog. */
export const chosen = async (app: RunningApp, ...filePaths: string[]): Promise<string[]> => {
  await app.answer('showOpenDialog', { canceled: false, filePaths });
  const { paths } = await call(app.window, 'window.chooseFiles', {});
  await app.electron.evaluate(() => void probe.asked.pop());
  return paths;
};

/** The user chooses this folder in the system's dialog and watches it, without the files that are in it. */
export const watchFolder = async (app: RunningApp, folder: string): Promise<void> => {
  await app.answer('showOpenDialog', { canceled: false, filePaths: [folder] });
  await call(app.window, 'window.chooseFolder', {});
  await app.electron.evaluate(() => void probe.asked.pop());
  await call(app.window, 'folder.choose', { folder, existing: 'skip' });
};

/** Waits until the status meets the condition. */
export const untilStatus = async (
  page: Page,
  wanted: (status: EngineStatus) => boolean,
  timeout = 20_000,
): Promise<EngineStatus> => {
  const seen: EngineStatus[] = [];
  const look = async (): Promise<boolean> => {
    const status = await call(page, 'app.status', {});
    seen.push(status);
    return wanted(status);
  };
  await expect
    .poll(look, { timeout, interval: 30 })
    .toBe(true)
    .catch((cause: unknown) => {
      throw new Error(`The status stayed ${JSON.stringify(seen.at(-1))}`, { cause });
    });
  const last = seen.at(-1);
  if (last === undefined) throw new Error('No status came.');
  return last;
};

/** How long one call of the page takes now: longer on a machine that is busy with other work. */
export const callMs = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const fromMs = performance.now();
    for (let at = 0; at < 5; at += 1) await globalThis.window.outtray.call('app.status', {});
    return (performance.now() - fromMs) / 5;
  });

export const eventually = <Value>(ask: () => Value | Promise<Value>, timeout = 60_000) =>
  expect.poll(ask, { timeout, interval: 30 });

/** As after a crash of the page: the app itself loads the page again. The first run is over by then. */
export const reload = async (app: RunningApp): Promise<void> => {
  await app.window.evaluate(() => document.documentElement.setAttribute('data-old', ''));
  await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.reload());
  await app.window.locator('html:not([data-old])').waitFor({ state: 'attached' });
  await app.window.getByRole('navigation').waitFor();
};

/** A user who has signed in and watches the stage's folder. The key is kept for the session: there is no keychain. */
export const startWatching = async (stage: Stage): Promise<RunningApp> => {
  const app = await stage.start();
  await pressed(app, 'account.login', { key: stage.service.key });
  await watchFolder(app, stage.folder);
  await untilStatus(app.window, ({ watch }) => watch === 'live');
  await reload(app);
  return app;
};

/** The user works in another program: the window loses the focus. */
export const lookAway = (app: RunningApp): Promise<void> =>
  app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getFocusedWindow()?.blur());

/** Sends the newest tray icon this event. */
export const onTray = (app: RunningApp, event: string): Promise<void> =>
  app.electron.evaluate((_modules, name) => {
    const tray = probe.trays.at(-1)?.tray;
    tray?.emit(name, {}, tray.getBounds());
  }, event);

/** Clicks the tray icon on Windows or macOS, and waits for the popover. */
export const openPopover = async (app: RunningApp): Promise<Page> => {
  const known = app.electron.windows().find((page) => page.url().includes('popover'));
  const [page] = await Promise.all([known ?? app.electron.waitForEvent('window'), onTray(app, 'click')]);
  await page.getByRole('button', { name: 'Quit' }).waitFor();
  // The app takes a click just after the popover closed for the click that closed it.
  while (!(await isPopoverOpen(app))) {
    await onTray(app, 'click');
    await sleep(100);
  }
  return page;
};

export const isPopoverOpen = (app: RunningApp): Promise<boolean> =>
  app.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().some(
      (window) => window.webContents.getURL().includes('popover') && window.isVisible(),
    ),
  );

/** Quits the app and removes the files of the stage. The app must not have reported any problem. */
export const leave = async (stage: Stage, app: RunningApp): Promise<void> => {
  const { complaints } = app;
  await app.quit();
  await stage[Symbol.asyncDispose]();
  expect(complaints).toEqual([]);
};
