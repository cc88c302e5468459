// A display without a screen for one test, and what its programs need in their environment: Xvfb for X11, sway for
// Wayland (it lets programs without a window use the clipboard, as KDE and others do).
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from './flow/poll.ts';

export type DesktopSession = AsyncDisposable & { env: Record<string, string>; close(): Promise<void> };

/** The unprivileged user: sway refuses to start as root. */
const nobody = 65_534;

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });

const close = async (child: ChildProcess, folder: string): Promise<void> => {
  child.kill();
  await ended(child);
  await rm(folder, { recursive: true, force: true });
};

const session = (env: Record<string, string>, server: ChildProcess, folder: string): DesktopSession => ({
  env,
  close: () => close(server, folder),
  [Symbol.asyncDispose]: () => close(server, folder),
});

export const startX11 = async (): Promise<DesktopSession> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'outtray-x11-'));
  const server = spawn('Xvfb', ['-displayfd', '3', '-nolisten', 'tcp', '-screen', '0', '640x480x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  let number = '';
  server.stdio[3]?.on('data', (piece: Buffer) => (number += String(piece)));
  await eventually('the X server tells its number', () => number.endsWith('\n'));
  return session({ DISPLAY: `:${number.trim()}` }, server, folder);
};

export const startWayland = async (): Promise<DesktopSession> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'outtray-wayland-'));
  const config = path.join(folder, 'config');
  await writeFile(config, 'xwayland disable\n');
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(folder, nobody, nobody);
  const as = isRoot ? [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : [];
  const server = spawn('setpriv', [...as, 'sway', '-c', config], {
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      XDG_RUNTIME_DIR: folder,
      WLR_BACKENDS: 'headless',
      WLR_RENDERER: 'pixman',
      WLR_LIBINPUT_NO_DEVICES: '1',
    },
  });
  await eventually('the compositor listens', () => existsSync(path.join(folder, 'wayland-1')));
  return session({ WAYLAND_DISPLAY: 'wayland-1', XDG_RUNTIME_DIR: folder }, server, folder);
};
