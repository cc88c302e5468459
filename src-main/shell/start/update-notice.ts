// A small window with one sentence, while the ledger is migrated to this version. The main process can do nothing else
// meanwhile, so the sentence must be on the screen before, and must stay there without scripts or calls of the page.
import { setTimeout as sleep } from 'node:timers/promises';
import { app, BrowserWindow } from 'electron';
import type { Settings } from '../../contract/settings.ts';
import { createSpeech } from '../texts.ts';
import { ground, groundNow, webPreferences } from '../window/page.ts';
import { withinTime } from './lifecycle.ts';

/** A page that cannot be drawn does not keep the update waiting. */
const longestDrawingMs = 2_000;
/** Until the system has put the window on the screen. */
const untilSeenMs = 100;

/** Shows it. Once it is on the screen, returns a function that hides it. */
export const showUpdateNotice = async ({ language }: Pick<Settings, 'language'>): Promise<() => void> => {
  const speech = createSpeech(language, app.getPreferredSystemLanguages());
  const window = new BrowserWindow({
    width: 420,
    height: 140,
    useContentSize: true,
    center: true,
    resizable: false,
    closable: false,
    minimizable: false,
    maximizable: false,
    fullscreenable: false,
    show: false,
    title: app.name,
    autoHideMenuBar: true,
    backgroundColor: groundNow(),
    webPreferences: webPreferences(),
  });
  // Electron ends a program whose last window is closed; the app's own window comes afterwards.
  app.on('window-all-closed', () => undefined);
  const drawn = new Promise<void>((resolve) => window.once('ready-to-show', () => resolve()));
  void window.loadURL(pageOf(speech.locale, speech.say('app.updating'))).catch(() => undefined);
  await withinTime(longestDrawingMs, drawn);
  window.showInactive();
  await sleep(untilSeenMs);
  return () => window.destroy();
};

/** `text` is ours, without anything that HTML would read. */
const pageOf = (locale: string, text: string): string =>
  `data:text/html;charset=utf-8,${encodeURIComponent(
    `<!doctype html><html lang="${locale}"><meta name="color-scheme" content="light dark"><title>Outtray</title><style>
body { display: grid; place-items: center; height: 100vh; margin: 0; padding: 0 24px; box-sizing: border-box;
  font: 14px/1.5 system-ui, sans-serif; text-align: center; background: ${ground.light}; }
@media (prefers-color-scheme: dark) { body { background: ${ground.dark}; } }
</style><body><p role="status">${text}</p></body></html>`,
  )}`;
