// Electron's `app`: start and end of the process, its paths and names, the single instance.
import { mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { dieWithoutDisplay } from './before-main.ts';
import { startChromium } from './chromium.ts';
import { CommandLine } from './command-line.ts';
import { emitPreventable, LoudEmitter } from './loud.ts';
import { hasMode, record } from './modes.ts';
import { createSingleInstance } from './single-instance.ts';
import { world } from './world.ts';

/** Switches that Node or the stand-in handles: Chromium does not get them. */
const nodesOwn = /^(inspect.*|require|user-data-dir)$/;

type LoginItem = { openAtLogin?: boolean; openAsHidden?: boolean; args?: string[]; path?: string };

class App extends LoudEmitter {
  static override emits = [
    'will-finish-launching', 'ready', 'window-all-closed', 'before-quit', 'will-quit', 'quit', 'activate',
    'second-instance', 'browser-window-created', 'browser-window-focus', 'browser-window-blur',
    'web-contents-created', 'render-process-gone', 'child-process-gone', 'open-file', 'open-url',
    'certificate-error', 'select-client-certificate', 'login', 'session-created',
    'accessibility-support-changed',
  ]; // prettier-ignore

  readonly commandLine = new CommandLine();
  /** macOS only. */
  readonly dock = undefined;
  name = 'Electron';

  #isPackaged = false;
  #folder = process.cwd();
  #version = '0.0.0';
  #paths = new Map<string, string>();
  #login: LoginItem = {};
  #ready = false;
  #starting = Promise.withResolvers<void>();
  #exitCode = 0;
  #instance = createSingleInstance(
    () => this.getPath('userData'),
    ({ argv, cwd, additionalData }) => this.emit('second-instance', {}, argv, cwd, additionalData),
  );

  /** Not Electron's, like all static members here. Takes the data of package.json before the app's main file runs. */
  static adopt(
    of: App,
    manifest: { folder: string; name: string; version: string; isPackaged: boolean },
  ): void {
    of.#isPackaged = manifest.isPackaged;
    of.#folder = manifest.folder;
    of.name = manifest.name;
    of.#version = manifest.version;
  }
  /** Electron becomes ready after the main file has run to its end, whether or not anything waits for it. */
  static mainHasRun(of: App): void {
    of.emit('will-finish-launching');
    of.#start().then(of.#starting.resolve, (cause: unknown) => {
      console.error(cause);
      process.exit(1);
    });
  }

  whenReady(): Promise<void> {
    return this.#starting.promise;
  }
  isReady(): boolean {
    return this.#ready;
  }
  async #start(): Promise<void> {
    dieWithoutDisplay(this.commandLine);
    const started = await startChromium([
      `--accept-lang=${this.getPreferredSystemLanguages().join(',')}`,
      ...CommandLine.argumentsOf(this.commandLine, (name) => !nodesOwn.test(name)),
    ]);
    world.browser = started;
    void started.cdp.ended.then(() => {
      if (world.quitting) return;
      console.error('Chromium ended by itself; the app ends with it.');
      process.exit(1);
    });
    this.#ready = true;
    this.emit('ready', {}, {});
  }

  quit(): void {
    if (world.quitting) return;
    if (emitPreventable(this, 'before-quit')) return;
    world.quitting = true; // windows that close now do not count as "all closed"
    for (const window of [...world.windows]) window.close();
    if (world.windows.length > 0) {
      world.quitting = false; // one of them refused
      return;
    }
    if (emitPreventable(this, 'will-quit')) {
      world.quitting = false;
      return;
    }
    this.exit(this.#exitCode);
  }
  exit(exitCode = 0): void {
    world.quitting = true;
    for (const window of [...world.windows]) window.destroy();
    this.emit('quit', {}, exitCode);
    this.#instance.release();
    void Promise.resolve(world.browser?.stop()).finally(() => process.exit(exitCode));
  }
  /** Only records the call; a test starts the next process. Electron's has the environment of this one (relauncher.h). */
  relaunch(options: { args?: string[]; execPath?: string } = {}): boolean {
    record({ relaunch: options, key: process.env['OUTTRAY_API_KEY'] ?? null });
    return true;
  }

  focus(): void {}
  hide(): void {}
  show(): void {}
  enableSandbox(): void {}

  get isPackaged(): boolean {
    return this.#isPackaged;
  }
  getAppPath(): string {
    return this.#folder;
  }
  getName(): string {
    return this.name;
  }
  setName(name: string): void {
    this.name = name;
  }
  getVersion(): string {
    return this.#version;
  }
  getSystemLocale(): string {
    const named = process.env['LC_ALL'] || process.env['LC_MESSAGES'] || process.env['LANG'] || '';
    const [, language, country] = /^([a-z]{2,3})(?:_([A-Z]{2}))?/.exec(named) ?? [];
    if (language === undefined) return 'en-US';
    return country === undefined ? language : `${language}-${country}`;
  }
  getPreferredSystemLanguages(): string[] {
    return [this.getSystemLocale()];
  }

  getPath(name: string): string {
    const set = this.#paths.get(name);
    if (set !== undefined) return set;
    const home = process.env['HOME'] ?? os.homedir();
    if (name === 'home') return home;
    if (name === 'appData') return process.env['XDG_CONFIG_HOME'] || path.join(home, '.config');
    if (name === 'userData') {
      const asked = this.commandLine.getSwitchValue('user-data-dir');
      const folder = asked === '' ? path.join(this.getPath('appData'), this.name) : path.resolve(asked);
      mkdirSync(folder, { recursive: true });
      return folder;
    }
    if (name === 'sessionData') return this.getPath('userData');
    if (name === 'logs') return path.join(this.getPath('userData'), 'logs');
    if (name === 'crashDumps') return path.join(this.getPath('userData'), 'Crashpad');
    if (name === 'temp') return os.tmpdir();
    if (name === 'exe') return process.execPath;
    const below = ['desktop', 'documents', 'downloads', 'music', 'pictures', 'videos'];
    if (below.includes(name)) return path.join(home, `${name[0]?.toUpperCase() ?? ''}${name.slice(1)}`);
    throw new Error(`Failed to get '${name}' path`);
  }
  setPath(name: string, folder: string): void {
    if (!path.isAbsolute(folder)) throw new Error('Path must be absolute');
    this.#paths.set(name, folder);
  }

  requestSingleInstanceLock(additionalData: unknown = null): boolean {
    return this.#instance.request({ argv: [...process.argv], cwd: process.cwd(), additionalData });
  }
  releaseSingleInstanceLock(): void {
    this.#instance.release();
  }

  setLoginItemSettings(settings: LoginItem): void {
    this.#login = { ...settings };
  }
  getLoginItemSettings(): LoginItem & {
    openAtLogin: boolean;
    executableWillLaunchAtLogin: boolean;
    wasOpenedAtLogin: boolean;
  } {
    const openAtLogin = this.#login.openAtLogin ?? false;
    // Electron knows this only once the app is ready.
    const wasOpenedAtLogin = this.#ready && hasMode('opened-at-login');
    return { ...this.#login, openAtLogin, executableWillLaunchAtLogin: openAtLogin, wasOpenedAtLogin };
  }
  /** Windows only: elsewhere Electron has no such method (shell/browser/api/electron_api_app.cc). */
  readonly setAppUserModelId = hasMode('platform=win32')
    ? (id: string): void => record({ appUserModelId: id, ready: this.#ready })
    : undefined;
}

export const app = new App();
export const { adopt, mainHasRun } = App;
