// What every page of the app has in common, in the window or in the popover of the tray: its safety settings, and its
// background.
import { app, nativeTheme, type BrowserWindow, type WebPreferences } from 'electron';

/** Constant, whatever the settings say (security.md, Electron). */
export const webPreferences = (preload?: string): WebPreferences => ({
  ...(preload === undefined ? {} : { preload }),
  sandbox: true,
  contextIsolation: true,
  webSecurity: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  devTools: !app.isPackaged,
  spellcheck: false,
});

/** The page's own background (src-renderer/tokens.css, --bg), so that nothing flashes before the page is drawn. */
export const ground = { light: '#fbfaf8', dark: '#1c1b1a' };

export const groundNow = (): string => (nativeTheme.shouldUseDarkColors ? ground.dark : ground.light);

/** The theme may change during the life of the window, and its background shows whenever the window grows. */
export const keepGround = (window: BrowserWindow): void => {
  const follow = (): void => window.setBackgroundColor(groundNow());
  nativeTheme.on('updated', follow);
  window.once('closed', () => nativeTheme.off('updated', follow));
};
