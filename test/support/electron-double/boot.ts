// `electron [flags] APP [arguments]`: finds the app's main file and runs it, as Electron's default app does. A packaged
// program (ELECTRON_DOUBLE_PROGRAM is its path) gets the app's folder and then the arguments, none of which is
// Electron's own.
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { adopt, app, mainHasRun } from './app.ts';
import { decideBeforeMain } from './before-main.ts';
import { CommandLine } from './command-line.ts';

const given = process.argv.slice(2);
const program = process.env['ELECTRON_DOUBLE_PROGRAM'];
delete process.env['ELECTRON_DOUBLE_PROGRAM'];
decideBeforeMain([process.execPath, ...given.slice(program === undefined ? 0 : 1)], process.env);
if (program === undefined && given.includes('--version')) {
  console.log(`v${process.versions['electron']}`);
  process.exit(0);
}

const preloads: string[] = [];
let at = 0;
for (; at < given.length && given[at]?.startsWith('-') === true; at += 1) {
  const flag = given[at] ?? '';
  if (flag === '-r' || flag === '--require') preloads.push(given[(at += 1)] ?? '');
  else CommandLine.take(app.commandLine, flag);
}

const target = path.resolve(given[at] ?? '.');
let main = target;
if (statSync(target).isDirectory()) {
  const manifest: unknown = JSON.parse(readFileSync(path.join(target, 'package.json'), 'utf8'));
  const known = manifest as { main?: string; productName?: string; name?: string; version?: string };
  main = path.join(target, known.main ?? 'index.js');
  adopt(app, {
    folder: target,
    name: known.productName ?? known.name ?? 'Electron',
    version: known.version ?? '0.0.0',
    isPackaged: program !== undefined,
  });
} else {
  adopt(app, {
    folder: path.dirname(target),
    name: 'Electron',
    version: process.versions['electron'],
    isPackaged: false,
  });
}

// Switches may follow the app as well; Electron reads them wherever they stand.
for (const argument of given.slice(at + 1))
  if (argument.startsWith('--')) CommandLine.take(app.commandLine, argument);
if (program === undefined) {
  process.argv = [process.execPath, ...given.slice(at)];
  Object.defineProperty(process, 'defaultApp', { value: true });
} else {
  process.argv = [process.execPath, ...given.slice(at + 1)];
  Object.defineProperty(process, 'resourcesPath', { value: path.join(path.dirname(program), 'resources') });
}

const require = createRequire(path.join(process.cwd(), 'noop.js'));
for (const preload of preloads) require(path.resolve(preload));
// Electron becomes ready only after the main file has run to its end: a top-level wait for that never ends.
const slow = setTimeout(
  () =>
    console.error(
      'The main file has not come to its end yet; does it await app.whenReady() at its top level?',
    ),
  15_000,
);
try {
  await import(pathToFileURL(main).href);
} catch (cause) {
  // Electron shows a dialog and keeps running. Here no user can close it, so the stand-in fails instead.
  console.error('The main process failed to start:', cause);
  process.exit(1);
}
clearTimeout(slow);
mainHasRun(app);
