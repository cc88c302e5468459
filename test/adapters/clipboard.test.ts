// The clipboard by the system's own programs: with real displays where this machine has them.
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textWriters } from '../../src-main/adapters/clipboard/tools.ts';
import { writeText } from '../../src-main/adapters/clipboard/write-text.ts';
import { startWayland, startX11, type DesktopSession } from '../support/desktop-session.ts';
import { hasWayland, hasX11 } from '../support/machine.ts';

const run = promisify(execFile);
const text = 'https://x/1\n\'$(touch /tmp/no)" — ünïcödé 🦊\n';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'outtray-clipboard-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A search path with these programs only, and what they run themselves. */
const pathWith = async (...programs: string[]): Promise<string> => {
  const bin = await mkdtemp(path.join(folder, 'bin-'));
  for (const program of [...programs, 'cat', 'rm'])
    await symlink(`/usr/bin/${program}`, path.join(bin, program));
  return bin;
};

describe.skipIf(!hasX11)('on X11', () => {
  let session: DesktopSession;
  beforeAll(async () => {
    session = await startX11();
  });
  afterAll(() => session.close());

  test.each(['xclip', 'xsel'])('text arrives by %s, byte for byte', async (program) => {
    const env = { ...session.env, HOME: folder, PATH: await pathWith(program) };
    await writeText(text + program, env);
    const { stdout } = await run('xclip', ['-selection', 'clipboard', '-out'], {
      env: { ...process.env, ...session.env },
    });
    expect(stdout).toBe(text + program);
  });

  test('without a program the packages are named', async () => {
    await expect(writeText(text, { ...session.env, PATH: folder })).rejects.toMatchObject({
      message: 'The clipboard cannot be reached: there is no xclip or xsel.',
      remedy: 'Install the package xclip or xsel.',
    });
  });
});

describe.skipIf(!hasWayland)('on Wayland', () => {
  let session: DesktopSession;
  beforeAll(async () => {
    session = await startWayland();
  });
  afterAll(() => session.close());

  test('text arrives, byte for byte', async () => {
    await writeText(text, { ...session.env, HOME: folder, PATH: await pathWith('wl-copy') });
    const { stdout } = await run('wl-paste', ['--no-newline'], { env: { ...process.env, ...session.env } });
    expect(stdout).toBe(text);
  });
});

test('a display that is gone, a session without one, and a program that fails are said', async () => {
  await expect(writeText(text, {})).rejects.toMatchObject({
    message: 'There is no clipboard here: neither WAYLAND_DISPLAY nor DISPLAY is set.',
  });
  const failing = path.join(folder, 'xclip');
  await writeFile(failing, '#!/bin/sh\nexit 1\n');
  await chmod(failing, 0o755);
  await expect(writeText(text, { DISPLAY: ':0', PATH: folder })).rejects.toMatchObject({
    message: 'The clipboard cannot be reached: xclip failed.',
    remedy: 'Run it in your desktop session.',
  });
});

test('each system has its programs; Wayland comes before X11, whose programs do where its own are missing', () => {
  const named = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string[] =>
    textWriters(platform, env).map(({ program }) => program);
  expect(named('darwin', {})).toEqual(['pbcopy']);
  expect(named('win32', {})).toEqual(['powershell.exe']);
  expect(named('linux', { WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' })).toEqual([
    'wl-copy',
    'xclip',
    'xsel',
  ]);
  expect(named('linux', { DISPLAY: ':0', WAYLAND_DISPLAY: '' })).toEqual(['xclip', 'xsel']);
});
