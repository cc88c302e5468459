// `npm start`: the app on real Electron. If its binary is missing and cannot be downloaded, it prints one sentence.
// `npm start -- --double` runs it on the stand-in, with chromium (ELECTRON_DOUBLE_HEADED=1 shows its window).
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import buildWhenStale, { hasApp } from './build.ts';
import { electronBinary } from './machine.ts';

const standIn = path.join(import.meta.dirname, 'electron-double/bin');
const root = path.resolve(import.meta.dirname, '../..');

function give(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

/** Lets Electron's own installer fetch the binary; it fails within a second where GitHub cannot be reached. */
function download(): void {
  const installer = path.join(root, 'node_modules/electron/install.js');
  if (!existsSync(installer)) return;
  spawnSync(process.execPath, [installer], { cwd: root, stdio: 'ignore', timeout: 300_000 });
}

if (!hasApp()) give('There is no desktop app in this checkout; `npm run demo` shows the command at work.');
const args = process.argv.slice(2).filter((argument) => argument !== '--double');
if (args.length < process.argv.length - 2) {
  process.env['ELECTRON_OVERRIDE_DIST_PATH'] = standIn;
  // The stand-in demands a display as Electron does, but its browser uses none by default.
  if (process.env['ELECTRON_DOUBLE_HEADED'] !== '1') process.env['DISPLAY'] ??= ':0';
}
if (electronBinary() === null && process.env['ELECTRON_OVERRIDE_DIST_PATH'] === undefined) download();
const binary = electronBinary();
if (binary === null)
  give(
    "Electron's binary is not in node_modules/electron and could not be downloaded from GitHub; `npm run demo` works without it.",
  );

await buildWhenStale();
// Chromium's sandbox cannot work for root on Linux. Only in a container does the app start as root.
const asRoot = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const child = spawn(binary, [...asRoot, root, ...args], { stdio: 'inherit' });
child.on('error', (cause) => give(`Electron could not be started: ${cause.message}`));
child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
