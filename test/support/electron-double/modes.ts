// What the stand-in imitates of other systems and of luckless desktops: ELECTRON_DOUBLE_MODES lists the modes, with
// commas. Each mode does what its source says, and nothing else changes. Two things need no mode, as in Electron here:
// root needs --no-sandbox, and a window needs a display (before-main.ts).
import { appendFileSync } from 'node:fs';

export type Mode =
  /** `process.platform` and what Electron has on that system only. Files and paths stay those of this machine. */
  | 'platform=win32'
  | 'platform=darwin'
  /** The system started the app at login (shell/browser/mac/electron_application_delegate.mm). */
  | 'opened-at-login'
  /** `new Tray()` throws what its image or the system threw (shell/browser/api/electron_api_tray.cc, Tray::New). */
  | 'tray=fails'
  /** Squirrel.Mac has an update, or none (shell/browser/auto_updater_mac.mm, AutoUpdater::QuitAndInstall). */
  | 'squirrel=ready'
  | 'squirrel=empty'
  /** The system's own bars are dark while apps are light (Electron: `nativeTheme`). */
  | 'dark-bars'
  /** Windows: standard input is at its end, and an empty line is printed at the start (before-main.ts). */
  | 'stdin=eof'
  /** Windows: nothing may follow an argument that looks like an address (before-main.ts). */
  | 'argv-guard'
  /** The user is root (before-main.ts). */
  | 'root=fatal';

const asked = new Set((process.env['ELECTRON_DOUBLE_MODES'] ?? '').split(','));

export const hasMode = (mode: Mode): boolean => asked.has(mode);

/** Writes what outlives the process into the file that a test named: one JSON object a line. */
export const record = (what: object): void => {
  const file = process.env['ELECTRON_DOUBLE_RECORD'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(what)}\n`);
};
