// What the parts of the stand-in share: the browser, once it runs, and the windows that are open.
import type { EventEmitter } from 'node:events';
import type { Chromium } from './chromium.ts';

/** A window as the rest of the stand-in sees it; BrowserWindow fills it in. */
export type OpenWindow = EventEmitter & {
  readonly id: number;
  readonly webContents: EventEmitter & { readonly id: number };
  isDestroyed(): boolean;
  isFocused(): boolean;
  close(): void;
  destroy(): void;
};

export const world: {
  browser: Chromium | null;
  windows: OpenWindow[];
  quitting: boolean;
} = { browser: null, windows: [], quitting: false };

/** The browser; throws before the app is ready, as Electron does for everything that needs one. */
export function browser(): Chromium {
  if (world.browser === null) throw new Error('Cannot be used before the app is ready');
  return world.browser;
}
