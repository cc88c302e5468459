// `npm run package -- [electron-builder's options]`: licences, installers of this system for this processor, sums and
// bill of materials. Says beforehand what will not be signed.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeLicences } from './licences.ts';

const root = path.resolve(import.meta.dirname, '../../..');

const run = (args: string[]): void => {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};

const isSet = (...names: string[]): boolean => names.some((name) => (process.env[name] ?? '') !== '');

if (process.platform === 'win32' && !isSet('CSC_LINK', 'WIN_CSC_LINK'))
  console.log('Not signed: WIN_CSC_LINK is not set. Windows will warn whoever installs this.');
if (process.platform === 'darwin') {
  if (!isSet('CSC_LINK', 'CSC_NAME'))
    console.log('Not signed: CSC_LINK is not set. macOS will refuse it on other machines.');
  else if (!isSet('APPLE_API_KEY', 'APPLE_ID', 'APPLE_KEYCHAIN_PROFILE'))
    console.log('Not notarised: APPLE_API_KEY is not set.');
}

console.log(`Licences of ${writeLicences()} packages collected.`);
run([
  fileURLToPath(import.meta.resolve('electron-builder/cli.js')),
  `--${process.arch}`,
  '--publish',
  'never',
  ...process.argv.slice(2),
]);
run([path.join('test', 'support', 'package', 'sums.ts')]);
