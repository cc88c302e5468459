// What this machine has: tests that need more are skipped, and `npm test` reports that beforehand.
import { accessSync, constants, existsSync, readFileSync, statfsSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** Chromium without a browser's own window: the same engine, started with half the processor time. */
const headlessShell =
  process.env['ELECTRON_DOUBLE_HEADED'] === '1' ? [] : ['/usr/bin/chromium-headless-shell'];

const usual = [...headlessShell, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Chromium for the window's tests; null when there is none. `CHROMIUM` names the one to take. */
export const chromiumPath: string | null =
  (process.env['CHROMIUM'] === undefined ? usual : [process.env['CHROMIUM']]).find(isExecutable) ?? null;

/** A real keyring can be started: a session bus of its own and gnome-keyring. */
export const hasKeyring: boolean = onPath('dbus-run-session') && onPath('gnome-keyring-daemon');

/** A display of its own for a test, with the programs for its clipboard. */
export const hasX11: boolean = ['Xvfb', 'xclip', 'xsel'].every(onPath);
export const hasWayland: boolean = ['sway', 'wl-copy', 'setpriv'].every(onPath);

/** Electron's own binary as npm downloaded it (or where ELECTRON_OVERRIDE_DIST_PATH points); null when absent. */
export function electronBinary(): string | null {
  const folder = path.join(root, 'node_modules/electron');
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  const names: Partial<Record<NodeJS.Platform, string>> = {
    darwin: 'Electron.app/Contents/MacOS/Electron',
    win32: 'electron.exe',
  };
  const name = names[process.platform] ?? 'electron';
  if (override) {
    const binary = path.join(override, name);
    return existsSync(binary) ? binary : null;
  }
  const pathFile = path.join(folder, 'path.txt');
  if (!existsSync(pathFile)) return null;
  const binary = path.join(folder, 'dist', readFileSync(pathFile, 'utf8').trim());
  return existsSync(binary) ? binary : null;
}

/** A folder in memory with room for the tests' homes; null where the system has none. */
export function placeInMemory(): string | null {
  const place = '/dev/shm';
  try {
    accessSync(place, constants.W_OK);
    const { bavail, bsize } = statfsSync(place);
    return bavail * bsize > roomBytes ? place : null;
  } catch {
    return null;
  }
}

/** The homes of all tests together take less than a tenth of it. */
const roomBytes = 2 * 1024 ** 3;

/** One sentence per thing that is missing and what is skipped without it. */
export function missingHere(): string[] {
  const missing: string[] = [];
  if (chromiumPath === null)
    missing.push('No chromium (Debian: apt-get install chromium): the tests of the window are skipped.');
  if (!hasKeyring)
    missing.push(
      'No dbus-run-session with gnome-keyring-daemon (Debian: apt-get install dbus gnome-keyring): the tests of the real keychain are skipped.',
    );
  if (!hasX11)
    missing.push(
      'No Xvfb with xclip and xsel (Debian: apt-get install xvfb xclip xsel): the tests of the clipboard on X11 are skipped.',
    );
  if (!hasWayland)
    missing.push(
      'No sway with wl-clipboard (Debian: apt-get install sway wl-clipboard): the tests of the clipboard on Wayland are skipped.',
    );
  return missing;
}

function onPath(name: string): boolean {
  if (process.platform === 'win32') return false;
  return (process.env['PATH'] ?? '').split(':').some((folder) => isExecutable(path.join(folder, name)));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
