// How the packaged program starts where Electron is in the way: for root, without a display, with an address among the
// arguments on Windows, and with unknown words. On the stand-in for Electron, with the modes that imitate it.
import { spawn } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { makePackagedProgram } from '../support/packaged.ts';

type Ended = { code: number | null; stdout: string; stderr: string };

const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const act of undo.splice(0).toReversed()) await act();
});

/** The program starts as root, whichever user runs the tests: `id` reports it to the launcher, the mode to Electron. */
const install = async () => {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'outtray-starts-')));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const program = await makePackagedProgram(folder);
  const launcher = path.join(folder, 'outtray-launcher');
  await copyFile(path.resolve(import.meta.dirname, '../../resources/package/linux/launcher.sh'), launcher);
  const bin = path.join(folder, 'bin');
  await mkdir(bin);
  await writeFile(path.join(bin, 'id'), '#!/bin/sh\necho 0\n');
  await chmod(path.join(bin, 'id'), 0o755);
  const run = (file: string, args: string[], env: NodeJS.ProcessEnv): Promise<Ended> =>
    new Promise((resolve, reject) => {
      const child = spawn(file, args, {
        env: { PATH: process.env['PATH'], HOME: folder, OUTTRAY_HOME: path.join(folder, 'data'), ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const ended: Ended = { code: null, stdout: '', stderr: '' };
      child.stdout.on('data', (piece: Buffer) => (ended.stdout += String(piece)));
      child.stderr.on('data', (piece: Buffer) => (ended.stderr += String(piece)));
      child.on('error', reject);
      child.on('close', (code) => resolve({ ...ended, code }));
    });
  const asRoot = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, ELECTRON_DOUBLE_MODES: 'root=fatal' };
  return {
    program: (args: string[], env: NodeJS.ProcessEnv = {}) =>
      run(program, args, { ELECTRON_DISABLE_SANDBOX: '1', ...env }),
    programAsRoot: (args: string[]) => run(program, args, asRoot),
    launcherAsRoot: (args: string[], env: NodeJS.ProcessEnv = {}) =>
      run(launcher, args, { ...asRoot, ...env }),
  };
};

test('an unknown word is left to the command, and no window opens', async () => {
  const { program } = await install();
  const typo = await program(['uplaod', 'x']);
  expect(typo).toMatchObject({ code: 2, stdout: '' });
  expect(typo.stderr).toContain("unknown command 'uplaod'");
  expect((await program(['--jsno', 'list'])).stderr).toContain("unknown option '--jsno'");
});

test('the command works for root from the launcher, the window is refused, and the program itself ends as Electron does', async () => {
  const { programAsRoot, launcherAsRoot } = await install();
  expect((await programAsRoot(['status'])).stderr).toContain('Running as root without --no-sandbox');
  const status = await launcherAsRoot(['--json', 'status']);
  expect(status).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(status.stdout)).toMatchObject({ running: false });
  const window = await launcherAsRoot([], { DISPLAY: ':0' });
  expect(window).toMatchObject({ code: 2, stdout: '' });
  expect(window.stderr).toBe(
    'outtray: The window of Outtray does not open for root: start it as the user whose files it shares. Commands work, see `outtray --help`.\n',
  );
});

test('without a display commands work, and the app reports its absence in one sentence', async () => {
  const { launcherAsRoot } = await install();
  expect(await launcherAsRoot(['--json', 'status'])).toMatchObject({ code: 0 });
  const { code, stderr } = await launcherAsRoot(['--no-sandbox']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^outtray: There is no display for the window of Outtray: .*\n$/);
});

test('on Windows an address in one argument with its option reaches the command; in two it ends the program', async () => {
  const { program } = await install();
  const windows = { ELECTRON_DOUBLE_MODES: 'stdin=eof,argv-guard', OUTTRAY_API_KEY: 'a-key' };
  const address = 'http://127.0.0.1:9/api/v1';
  const two = await program(['--base-url', address, 'list'], windows);
  expect(two).toEqual({ code: 255, stdout: '', stderr: '' });
  const one = await program([`--base-url=${address}`, 'list'], windows);
  expect(one.code).toBe(7);
  const setting = await program(['settings', 'set', 'baseUrl', address], windows);
  expect(setting.code).toBe(0);
});
