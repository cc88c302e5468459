// Other systems and faulty desktops that the stand-in imitates: ELECTRON_DOUBLE_MODES lists the modes, separated by
// commas. Each mode does what the cited source does, and nothing else changes. Two things need no mode, as in Electron
// on Linux: root needs --no-sandbox, and a window needs a display (before-main.ts).
import { appendFileSync } from 'node:fs';

export type Mode =
  /** Sets `process.platform`, and what Electron has only on that system. Files and paths stay those of this machine. */
  | 'platform=win32'
  | 'platform=darwin'
  /** The system started the app at login (shell/browser/mac/electron_application_delegate.mm). */
  | 'opened-at-login'
  /** `new Tray()` throws the error of its image or the system (shell/browser/api/electron_api_tray.cc, Tray::New). */
  | 'tray=fails'
  /** Squirrel.Mac has an update, or none (shell/browser/auto_updater_mac.mm, AutoUpdater::QuitAndInstall). */
  | 'squirrel=ready'
  | 'squirrel=empty'
  /** Another program has every shortcut (Electron's globalShortcut.register: "will silently fail"). */
  | 'shortcuts=taken'
  /** The user allows no notifications: `show` is answered by `failed` (Electron's Notification). */
  | 'notifications=refused'
  /** The system's clipboard takes nothing: the promises of a write reject (Electron's clipboard). */
  | 'clipboard=refused'
  /** The system's own bars are dark while apps are light (Electron: `nativeTheme`). */
  | 'dark-bars';

const asked = new Set((process.env['ELECTRON_DOUBLE_MODES'] ?? '').split(','));

export const hasMode = (mode: Mode): boolean => asked.has(mode);

/** Writes one JSON object a line into the file that the test named: the record outlives the process. */
export const record = (what: object): void => {
  const file = process.env['ELECTRON_DOUBLE_RECORD'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(what)}\n`);
};
