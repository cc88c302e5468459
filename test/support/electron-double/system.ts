// What Electron tells of the machine: theme, power, screen, shortcuts. Tests make its events happen with `emit`.
import { BrowserWindow } from './browser-window.ts';
import { loud, LoudEmitter } from './loud.ts';
import { hasMode } from './modes.ts';
import { WebContents } from './web-contents.ts';

type Theme = 'system' | 'light' | 'dark';

class NativeTheme extends LoudEmitter {
  static override emits = ['updated'];
  #source: Theme = 'system';
  readonly shouldUseHighContrastColors = false;
  readonly shouldUseInvertedColorScheme = false;
  readonly prefersReducedTransparency = false;

  get shouldUseDarkColors(): boolean {
    return this.#source === 'dark';
  }
  get shouldUseDarkColorsForSystemIntegratedUI(): boolean {
    return hasMode('dark-bars') || this.shouldUseDarkColors;
  }
  get themeSource(): Theme {
    return this.#source;
  }
  /** The pages see it as `prefers-color-scheme`. */
  set themeSource(source: Theme) {
    this.#source = source;
    const features = source === 'system' ? [] : [{ name: 'prefers-color-scheme', value: source }];
    for (const { webContents } of BrowserWindow.getAllWindows())
      WebContents.withPage(webContents, (page) => page.send('Emulation.setEmulatedMedia', { features }));
    this.emit('updated');
  }
}
export const nativeTheme = new NativeTheme();

class PowerMonitor extends LoudEmitter {
  static override emits = [
    'suspend', 'resume', 'on-ac', 'on-battery', 'shutdown', 'lock-screen', 'unlock-screen', 'user-did-become-active',
    'user-did-resign-active', 'thermal-state-change', 'speed-limit-change',
  ]; // prettier-ignore
  readonly onBatteryPower = false;
  isOnBatteryPower(): boolean {
    return this.onBatteryPower;
  }
  getSystemIdleTime(): number {
    return 0;
  }
  getSystemIdleState(_thresholdSeconds: number): string {
    return 'active';
  }
}
export const powerMonitor = new PowerMonitor();

const area = { x: 0, y: 0, width: 1280, height: 800 };
const display = {
  id: 1,
  label: 'stand-in',
  bounds: area,
  workArea: area,
  size: { width: area.width, height: area.height },
  workAreaSize: { width: area.width, height: area.height },
  scaleFactor: 1,
  rotation: 0,
  internal: true,
};

class Screen extends LoudEmitter {
  static override emits = ['display-added', 'display-removed', 'display-metrics-changed'];
  getPrimaryDisplay = (): typeof display => display;
  getAllDisplays = (): (typeof display)[] => [display];
  getDisplayMatching = (_area: object): typeof display => display;
  getDisplayNearestPoint = (_point: object): typeof display => display;
  getCursorScreenPoint = (): { x: number; y: number } => ({ x: 0, y: 0 });
}
export const screen = new Screen();

const shortcuts = new Map<string, () => void>();

export const globalShortcut = loud('globalShortcut', {
  register(accelerator: string, act: () => void): boolean {
    if (shortcuts.has(accelerator)) return false;
    shortcuts.set(accelerator, act);
    return true;
  },
  isRegistered: (accelerator: string): boolean => shortcuts.has(accelerator),
  unregister: (accelerator: string): void => void shortcuts.delete(accelerator),
  unregisterAll: (): void => shortcuts.clear(),
});

const blockers = new Set<number>();
let lastBlocker = 0;

export const powerSaveBlocker = loud('powerSaveBlocker', {
  start(_kind: string): number {
    blockers.add((lastBlocker += 1));
    return lastBlocker;
  },
  stop: (id: number): boolean => blockers.delete(id),
  isStarted: (id: number): boolean => blockers.has(id),
});
