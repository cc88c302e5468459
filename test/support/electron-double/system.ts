// Electron's information about the machine: theme, power, screen. Tests trigger its events with `emit`.
import { BrowserWindow } from './browser-window.ts';
import { LoudEmitter, loud } from './loud.ts';
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
/** What Electron calls an accelerator (Electron's manual, Keyboard Shortcuts). */
const modifier = /^(Command|Cmd|Control|Ctrl|CommandOrControl|CmdOrCtrl|Alt|Option|AltGr|Shift|Super|Meta)$/i;
const key =
  /^([\x21-\x2a\x2c-\x7e]|F([1-9]|1\d|2[0-4])|Plus|Space|Tab|Backspace|Delete|Insert|Return|Enter|Up|Down|Left|Right|Home|End|PageUp|PageDown|Escape|Esc|PrintScreen|num(\d|dec|add|sub|mult|div))$/i;
/** Where the text is none, Electron's converter throws (shell/common/gin_converters/accelerator_converter.cc). */
const demandAccelerator = (text: string): void => {
  const parts = text.split('+');
  if (key.test(parts.pop() ?? '') && parts.every((part) => modifier.test(part))) return;
  throw new TypeError(`Error processing argument at index 0, conversion failure from ${text}`);
};

/** Only tests press these keys, by `globalThis.probe.shortcuts`. */
const shortcuts = new Map<string, () => void>();
export const globalShortcut = loud('globalShortcut', {
  register(accelerator: string, act: () => void): boolean {
    demandAccelerator(accelerator);
    if (hasMode('shortcuts=taken') || shortcuts.has(accelerator)) return false;
    shortcuts.set(accelerator, act);
    return true;
  },
  unregister: (accelerator: string): void => void shortcuts.delete(accelerator),
  isRegistered: (accelerator: string): boolean => shortcuts.has(accelerator),
});

export const powerMonitor = new PowerMonitor();

type Area = { x: number; y: number; width: number; height: number };
const area: Area = { x: 0, y: 0, width: 1280, height: 800 };

/** Windows: a taskbar of 40 px at the bottom. macOS: a menu bar of 24 px at the top. The tray icon is at its right. */
const bars = {
  win32: { workArea: { ...area, height: 760 }, icon: { x: 1130, y: 760, width: 24, height: 40 } },
  darwin: { workArea: { ...area, y: 24, height: 776 }, icon: { x: 1010, y: 0, width: 28, height: 24 } },
  linux: { workArea: area, icon: { x: 0, y: 0, width: 0, height: 0 } },
};
const bar = hasMode('platform=win32') ? bars.win32 : hasMode('platform=darwin') ? bars.darwin : bars.linux;

/** What `Tray.getBounds()` returns. */
export const trayBounds: Area = bar.icon;

const display = {
  id: 1,
  label: 'stand-in',
  bounds: area,
  workArea: bar.workArea,
  size: { width: area.width, height: area.height },
  internal: true,
};

class Screen extends LoudEmitter {
  static override emits = ['display-added', 'display-removed', 'display-metrics-changed'];
  getAllDisplays = (): (typeof display)[] => [display];
  getDisplayMatching = (_area: Area): typeof display => display;
}
export const screen = new Screen();
