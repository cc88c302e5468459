// What Electron tells of the machine: theme, power, screen. Tests make its events happen with `emit`.
import { BrowserWindow } from './browser-window.ts';
import { LoudEmitter } from './loud.ts';
import { hasMode } from './modes.ts';
import { WebContents } from './web-contents.ts';

type Theme = 'system' | 'light' | 'dark';

class NativeTheme extends LoudEmitter {
  static override emits = ['updated'];
  #source: Theme = 'system';

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
  static override emits = ['resume', 'shutdown', 'unlock-screen'];
}
export const powerMonitor = new PowerMonitor();

const area = { x: 0, y: 0, width: 1280, height: 800 };
const display = {
  id: 1,
  label: 'stand-in',
  bounds: area,
  workArea: area,
  size: { width: area.width, height: area.height },
  internal: true,
};

class Screen extends LoudEmitter {
  static override emits = ['display-added', 'display-removed', 'display-metrics-changed'];
  getAllDisplays = (): (typeof display)[] => [display];
}
export const screen = new Screen();
