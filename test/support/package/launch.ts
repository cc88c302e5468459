// What the stand-in for Electron's binary runs: Node cannot read an archive, so app.asar is unpacked once into a folder
// of its own, and started from there on the stand-in of Electron.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unpackApp } from './asar.ts';

const [, , archive = '', ...args] = process.argv;
const folder = mkdtempSync(path.join(tmpdir(), 'outtray-packed-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
if (!existsSync(archive)) throw new Error(`There is no ${archive}.`);
unpackApp(archive, folder);

const double = path.join(import.meta.dirname, '../electron-double/bin/electron');
// The stand-in answers `--version` itself, as Electron does without an app; the short form gets through to ours.
const given = args.map((argument) => (argument === '--version' ? '-V' : argument));
const child = spawn(double, [folder, ...given], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
