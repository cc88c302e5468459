// Loaded first: `electron` resolves to the stand-in, and `process` looks as in Electron's main process.
import { registerHooks } from 'node:module';
import path from 'node:path';
import { hasMode } from './modes.ts';

const standIn = new URL('./electron.ts', import.meta.url).href;
const names = new Set(['electron', 'electron/main', 'electron/common']);

registerHooks({
  resolve: (specifier, context, next) =>
    names.has(specifier) ? { url: standIn, format: 'module', shortCircuit: true } : next(specifier, context),
});

for (const platform of ['win32', 'darwin'] as const)
  if (hasMode(`platform=${platform}`)) Object.defineProperty(process, 'platform', { value: platform });
// Not Node: a program that starts `process.execPath` with a file starts Electron.
process.execPath = process.env['ELECTRON_DOUBLE_PROGRAM'] ?? path.join(import.meta.dirname, 'bin/electron');
Object.defineProperty(process, 'type', { value: 'browser' });
Object.defineProperty(process, 'resourcesPath', { value: process.cwd(), writable: true });
Object.defineProperties(process.versions, {
  electron: { value: '45.3.4', enumerable: true },
  chrome: { value: '156.0.0.0', enumerable: true },
});
// Child processes of the app are plain Node: they inherit neither the inspector nor this file.
process.execArgv = [];
