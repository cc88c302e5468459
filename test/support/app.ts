// Runs the built app for a test, through Playwright's own `_electron`: on the stand-in, or with ELECTRON=real on
// Electron itself. The same calls work on both, because probe.cjs records what reaches the desktop in either.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserWindow } from 'electron';
import { _electron, type ElectronApplication, type JSHandle, type Page } from 'playwright-core';
import { chromiumPath, electronBinary } from './machine.ts';

const root = path.resolve(import.meta.dirname, '../..');
const standIn = path.join(import.meta.dirname, 'electron-double/bin');

/** For a condition of the window. */
const mostWaitMs = 90_000;

export const onRealElectron = process.env['ELECTRON'] === 'real';

/** Whether the app can run here at all; for `test.skipIf(!canLaunch)`. */
export const canLaunch = onRealElectron ? electronBinary() !== null : chromiumPath !== null;

// Playwright asks the electron package for the executable when it is first needed.
if (!onRealElectron) process.env['ELECTRON_OVERRIDE_DIST_PATH'] = standIn;

export type LaunchOptions = {
  /** A temporary folder: everything the app keeps lies below it, and it sees no other home. */
  home: string;
  /** Address of the service; the app's base address. */
  serviceUrl?: string;
  /** Used instead of the keychain. */
  apiKey?: string;
  /** Further variables, e.g. those of a keyring. */
  env?: Record<string, string>;
  /** Arguments after the app. */
  args?: string[];
  /** The folder with the app's package.json; this project's by default. */
  folder?: string;
  /** A packaged program to start instead of Electron with an app; there `probe.cjs` records nothing. */
  program?: string;
  /** False: the app is expected to end without a window (a second start, a command). */
  expectWindow?: boolean;
};

type Entry = { how: string };
export type MenuView = { label: string; type: string; enabled: boolean; checked: boolean; items: MenuView[] };
export type TrayView = { toolTip: string; items: MenuView[] };

export type RunningApp = {
  electron: ElectronApplication;
  /** The first window; throws when there is none. */
  window: Page;
  /** Electron's own object for that window, to `evaluate` with. */
  frame(): Promise<JSHandle<BrowserWindow>>;
  /** Errors and warnings of the window's console, and whatever main wrote to stderr. */
  complaints: string[];
  /** What main wrote to stdout. */
  output: string[];
  tray(): Promise<TrayView | null>;
  /** Clicks the entry of the tray's menu at this path of labels; throws when there is none or it is disabled. */
  clickTray(...labels: string[]): Promise<void>;
  notifications(): Promise<{ title: string; body: string }[]>;
  /** Clicks the last notification, or the one at `index`. */
  clickNotification(index?: number): Promise<void>;
  clipboardText(): Promise<string>;
  /** What was given to the desktop to open, show or bin. */
  opened(): Promise<{ how: string; target: string }[]>;
  /** Dialogs shown so far. */
  asked(): Promise<(Entry & { options: Record<string, unknown> })[]>;
  /** The next dialog of this kind gets this answer; without one it is cancelled. */
  answer(dialog: 'showOpenDialog' | 'showSaveDialog' | 'showMessageBox', answer: object): Promise<void>;
  /** Drops files of the disk onto an element, as the desktop would. */
  dropFiles(selector: string, files: string[]): Promise<void>;
  /** Quits as a user would and waits for the end. */
  quit(): Promise<void>;
  /** Ends it without any warning. */
  kill(): Promise<void>;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
};

const argumentsOf = ({ program, folder, home, args }: LaunchOptions): string[] => [
  ...(program === undefined ? ['-r', path.join(import.meta.dirname, 'probe.cjs'), folder ?? root] : []),
  `--user-data-dir=${path.join(home, 'electron')}`,
  ...(args ?? []),
];

/** Runs a start that ends by itself and returns its exit code. Without Playwright, which would wait for its output. */
export async function startAndEnd(options: LaunchOptions): Promise<number | null> {
  const program = options.program ?? electronBinary();
  if (program === null) throw new Error('There is no Electron to start.');
  const child = spawn(program, ['--no-sandbox', ...argumentsOf(options)], {
    cwd: options.folder ?? root,
    env: environment(options),
    stdio: 'ignore',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

export async function launchApp(options: LaunchOptions): Promise<RunningApp> {
  await mkdir(options.home, { recursive: true });
  const electron = await _electron.launch({
    ...(options.program === undefined ? {} : { executablePath: options.program }),
    args: argumentsOf(options),
    cwd: options.folder ?? root,
    env: environment(options),
    timeout: 90_000,
  });
  const child = electron.process();
  const complaints: string[] = [];
  const output: string[] = [];
  child.stdout?.on('data', (piece: Buffer) => output.push(String(piece)));
  child.stderr?.on('data', (piece: Buffer) => complaints.push(...worthHearing(String(piece))));
  electron.on('window', (page) => listenTo(page, complaints));
  for (const page of electron.windows()) listenTo(page, complaints);
  const ended: RunningApp['ended'] =
    child.exitCode !== null
      ? Promise.resolve({ code: child.exitCode, signal: child.signalCode })
      : new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  const first =
    options.expectWindow === false
      ? null
      : await electron.firstWindow().catch((error: unknown) => {
          throw new Error(`No window. ${complaints.join('\n')}`, { cause: error });
        });
  const window = (): Page => {
    if (first === null) throw new Error('This app was launched without a window.');
    return first;
  };

  return {
    electron,
    complaints,
    output,
    ended,
    get window() {
      return window();
    },
    frame: () => electron.browserWindow(window()),
    ...desktopOf(electron),
    dropFiles: (selector, files) => dropOnto(window(), selector, files),
    async quit() {
      await electron.close();
      await ended;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const kept = [
  'PATH',
  'DISPLAY',
  'XAUTHORITY',
  'WAYLAND_DISPLAY',
  'CHROMIUM',
  'TMPDIR',
  'NODE_V8_COVERAGE',
  'NODE_COMPILE_CACHE',
  // Windows starts no program without some of these.
  ...[
    'SYSTEMROOT',
    'SYSTEMDRIVE',
    'WINDIR',
    'COMSPEC',
    'PATHEXT',
    'PROGRAMDATA',
    'PROGRAMFILES',
    'TEMP',
    'TMP',
  ],
];

/** What each program gets: where this machine's programs are, another home, and a display. */
export const cleanEnvironment = (home: string): Record<string, string> => ({
  // A window needs one; the stand-in's browser draws on none.
  ...(onRealElectron ? {} : { DISPLAY: ':0' }),
  ...Object.fromEntries(
    kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  ),
  HOME: home,
  USERPROFILE: home,
  APPDATA: path.join(home, 'AppData/Roaming'),
  LOCALAPPDATA: path.join(home, 'AppData/Local'),
});

/** Nothing else of this machine: no session bus, one language and zone. */
const environment = ({ home, serviceUrl, apiKey, env }: LaunchOptions): Record<string, string> => ({
  ...cleanEnvironment(home),
  XDG_CONFIG_HOME: path.join(home, '.config'),
  XDG_DATA_HOME: path.join(home, '.local/share'),
  XDG_STATE_HOME: path.join(home, '.local/state'),
  XDG_CACHE_HOME: path.join(home, '.cache'),
  XDG_RUNTIME_DIR: home,
  OUTTRAY_HOME: path.join(home, 'outtray'),
  LANG: 'en_US.UTF-8',
  TZ: 'UTC',
  ...(serviceUrl === undefined ? {} : { OUTTRAY_BASE_URL: serviceUrl }),
  ...(apiKey === undefined ? {} : { OUTTRAY_API_KEY: apiKey }),
  ...env,
});

/** The inspector's own lines, written because Playwright attached it, are no complaints. */
function worthHearing(text: string): string[] {
  return text
    .split('\n')
    .filter(
      (line) =>
        line.trim() !== '' &&
        !/^(Debugger |For help, see|DevTools listening|Waiting for the debugger)/.test(line),
    );
}

function listenTo(page: Page, complaints: string[]): void {
  // On a busy machine the window takes longer.
  page.setDefaultTimeout(mostWaitMs);
  page.on('pageerror', (error) => complaints.push(`page: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(`console: ${message.text()}`);
  });
}

/** A page that can answer has had its drop long before. */
const lostAfterMs = 5000;

/** Asks again and again: a function that waits in the page is refused by its Content Security Policy. */
async function isDropped(page: Page): Promise<boolean> {
  const untilMs = performance.now() + lostAfterMs;
  while (performance.now() < untilMs) {
    if (await page.evaluate<boolean>('globalThis.isDropped')) return true;
    await sleep(20);
  }
  return false;
}

async function dropOnto(page: Page, selector: string, files: string[]): Promise<void> {
  const box = await page.locator(selector).boundingBox();
  if (box === null) throw new Error(`${selector} is not to be seen, nothing can be dropped there.`);
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const cdp = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  await page.evaluate("addEventListener('drop', () => { globalThis.isDropped = true; }, true)");
  // On a busy machine Chromium loses one drop in some hundreds: it comes before the answer to the move.
  for (let tries = 0; tries < 3; tries += 1) {
    await page.evaluate('globalThis.isDropped = false');
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await cdp.send('Input.dispatchDragEvent', { type, ...at, data });
    if (await isDropped(page)) break;
  }
  await cdp.detach();
}

/** The parts of probe.cjs's records in main that are read here. */
type Item = {
  label: string;
  type: string;
  enabled: boolean;
  checked: boolean;
  submenu: { items: Item[] } | null | undefined;
  click(): void;
};
type Probe = {
  /** The current tray with its menu. On macOS the menu is known only once a right click has opened it. */
  trayNow(): { menu: { items: Item[] } | null; toolTip: string } | undefined;
  notifications: { title: string; body: string; emit(event: string, fields: object): void }[];
  opened: { how: string; target: string }[];
  asked: { how: string; options: Record<string, unknown> }[];
  answers: Record<string, object[]>;
};
declare const probe: Probe;

type Desktop = Pick<
  RunningApp,
  | 'tray'
  | 'clickTray'
  | 'notifications'
  | 'clickNotification'
  | 'clipboardText'
  | 'opened'
  | 'asked'
  | 'answer'
>;

/** Functions given to `evaluate` run in main and can refer to `probe` there. */
function desktopOf(electron: ElectronApplication): Desktop {
  return {
    tray: () =>
      electron.evaluate(() => {
        const view = (item: Item): MenuView => ({
          label: item.label,
          type: item.type,
          enabled: item.enabled,
          checked: item.checked,
          items: (item.submenu?.items ?? []).map(view),
        });
        const tray = probe.trayNow();
        return tray ? { toolTip: tray.toolTip, items: (tray.menu?.items ?? []).map(view) } : null;
      }),
    clickTray: (...labels) =>
      electron.evaluate((_modules, wanted) => {
        let items = probe.trayNow()?.menu?.items ?? [];
        let found: Item | undefined;
        for (const label of wanted) {
          found = items.find((item) => item.label === label);
          if (!found?.enabled)
            throw new Error(`No '${label}' in [${items.map((item) => item.label).join(', ')}]`);
          items = found.submenu?.items ?? [];
        }
        found?.click();
      }, labels),
    notifications: () =>
      electron.evaluate(() => probe.notifications.map(({ title, body }) => ({ title, body }))),
    clickNotification: (index = -1) =>
      electron.evaluate((_modules, at) => {
        const notification = probe.notifications.at(at);
        if (!notification) throw new Error('No such notification');
        notification.emit('click', {});
      }, index),
    clipboardText: () => electron.evaluate(({ clipboard }) => clipboard.readText()),
    opened: () => electron.evaluate(() => probe.opened),
    asked: () => electron.evaluate(() => probe.asked),
    answer: (dialog, answer) =>
      electron.evaluate((_modules, [name, given]) => void (probe.answers[name] ??= []).push(given), [
        dialog,
        answer,
      ] as const),
  };
}
