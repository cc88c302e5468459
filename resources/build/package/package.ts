// `npm run package -- [electron-builder's options]`: licences, the program of the command, installers of this system for
// this processor, packages of the command alone, papers for administrators, sums and bill of materials. Reports beforehand what will not be signed.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtFolder, builtPapers, writePapers } from '../papers/papers.ts';
import { buildProgram } from '../program/build.ts';
import { writeNodeLicence } from '../program/licence.ts';
import { writeAdminZip } from './admin-zip.ts';
import { writeProgramLink } from './build-installers.ts';
import { writeCommandPackages } from './command-packages.ts';
import { writeLicences } from './licences.ts';
import { packForNpm } from './npm-package.ts';
import { writeFeedNotes } from './release-notes.ts';
import { signingOf } from './signing.ts';
import { writeSums } from './sums.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(path.join(tmpdir(), 'outtray-signing-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const run = (args: string[], env = process.env): void => {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
};

const { env, args, notices } = signingOf(process.env, process.platform, (text) => {
  const file = path.join(folder, 'AuthKey.p8');
  writeFileSync(file, `${text.trim()}\n`, { mode: 0o600 });
  return file;
});
for (const notice of notices) console.log(notice);

console.log(`Licences of ${writeLicences()} packages collected.`);
await writePapers(builtFolder, await builtPapers());
writeNodeLicence();
buildProgram();
writeProgramLink();
writeFeedNotes();
run(
  [
    fileURLToPath(import.meta.resolve('electron-builder/cli.js')),
    `--${process.arch}`,
    ...['--publish', 'never'],
    ...args,
    ...process.argv.slice(2),
  ],
  env,
);
const dist = path.join(root, 'dist');
console.log(`The command alone: ${(await writeCommandPackages(dist)).join(', ')}.`);
if (process.platform === 'linux') {
  await writeAdminZip(dist);
  const archive = packForNpm();
  copyFileSync(archive, path.join(dist, path.basename(archive)));
  copyFileSync(path.join(path.dirname(archive), 'server.json'), path.join(dist, 'server.json'));
}
await writeSums(dist);
