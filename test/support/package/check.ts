// `npm run package:check`: builds the app folder, deb, rpm and tar.gz with a stand-in for Electron's distribution and
// Debian's own tools, and checks the result: the files, the fuses, the linters' findings, the installation, its use by
// a person (command, keyring, window), and the removal. One line per check; the last line is "N passed, N failed[, N
// skipped]", and the exit code is 0 only when nothing failed.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import manifest from '../../../package.json' with { type: 'json' };
import buildWhenStale from '../build.ts';
import { version } from '../../../src-main/adapters/version.ts';
import { buildInstallers, writeProgramLink } from '../../../resources/build/package/build-installers.ts';
import { writeCommandPackages } from '../../../resources/build/package/command-packages.ts';
import { packForNpm } from '../../../resources/build/package/npm-package.ts';
import { writeFeedNotes } from '../../../resources/build/package/release-notes.ts';
import { writeNodeLicence } from '../../../resources/build/program/licence.ts';
import { builtProgram } from '../program.ts';
import { makeDistribution } from './distribution.ts';
import { feedProblems } from './look-at-feed.ts';
import { lookAtApp } from './look-at-app.ts';
import { isThere, lint } from './lint.ts';
import { lineOf } from '../run-parts.ts';
import { writeLicences } from '../../../resources/build/package/licences.ts';
import { builtFolder, builtPapers, writePapers } from '../../../resources/build/papers/papers.ts';
import { tryCommand } from './try-command.ts';
import { tryDeb } from './try-deb.ts';
import { tryInstalled } from './try-installed.ts';
import { listArchive } from './list-archive.ts';
import { installedProblems } from './contents.ts';

const needed: Record<string, string> = {
  'dpkg-deb': 'dpkg',
  rpmbuild: 'rpm',
  rpm: 'rpm',
  xz: 'xz-utils',
  '7zz': '7zip',
  ...(process.getuid?.() === 0 ? {} : { fakeroot: 'fakeroot' }),
};

const missing = Object.keys(needed).filter((program) => !isThere(program));
if (missing.length > 0) {
  const packages = [...new Set(missing.map((program) => needed[program]))].join(' ');
  console.error(`Not here: ${missing.join(', ')}. On Debian: apt-get install -y ${packages}`);
  process.exit(2);
}

const count = { passed: 0, failed: 0, skipped: 0 };
const say = (what: string, found: readonly string[], skipped?: string): void => {
  if (found.length > 0) {
    count.failed += 1;
    console.log(`✗ ${what}`);
    for (const problem of found) console.log(`    ${problem.replaceAll('\n', '\n    ')}`);
  } else if (skipped === undefined) {
    count.passed += 1;
    console.log(`✓ ${what}`);
  } else {
    count.skipped += 1;
    console.log(`– ${what}: skipped, ${skipped}`);
  }
};

const folder = await mkdtemp(path.join(tmpdir(), 'outtray-package-'));
try {
  await buildWhenStale();
  await writePapers(builtFolder, await builtPapers());
  say(`licences of ${writeLicences()} bundled packages are collected and agreed to`, []);
  writeNodeLicence();
  await builtProgram();
  writeProgramLink();
  writeFeedNotes();
  const dist = path.join(folder, 'dist');
  const distribution = path.join(folder, 'electron');
  await makeDistribution(distribution, manifest.devDependencies.electron);
  await buildInstallers(distribution, dist);
  const files = await readdir(dist);
  const arch = { deb: 'amd64', rpm: 'x86_64' };
  const wanted = [
    `outtray-${version}-linux-${arch.deb}.deb`,
    `outtray-${version}-linux-${arch.rpm}.rpm`,
    `outtray-${version}-linux-x64.tar.gz`,
  ];
  say(
    `installers: ${wanted.join(', ')}`,
    wanted
      .filter((name) => !files.includes(name))
      .map((name) => `${name} was not built (${files.join(', ')})`),
  );
  for (const [what, found] of await lookAtApp(path.join(dist, 'linux-unpacked'))) say(what, found);
  const [deb = '', rpm = '', tar = ''] = wanted.map((name) => path.join(dist, name));
  for (const archive of [deb, rpm]) {
    const listed = listArchive(archive);
    say(`${path.extname(archive)}: ${listed.length} files, each where it belongs`, installedProblems(listed));
  }
  say(
    'feed file: version, sums and what changed',
    await feedProblems(
      dist,
      wanted.filter((name) => !name.endsWith('.tar.gz')),
    ),
  );
  say('.tar.gz: the same app', compare(listArchive(deb), listArchive(tar)));
  const system = path.join(folder, 'system');
  execFileSync('dpkg-deb', ['--extract', deb, system]);
  for (const found of await lint({ deb, rpm, system })) say(...found);
  for (const found of await tryDeb(deb, path.join(folder, 'root'))) say(...found);
  for (const found of await tryInstalled(deb, folder, system)) say(...found);
  const names = await writeCommandPackages(dist, { compression: 'fast' });
  for (const found of await tryCommand(dist, names, packForNpm(), deb, folder)) say(...found);
} catch (error) {
  say('every check came to its end', [
    error instanceof Error ? (error.stack ?? error.message) : String(error),
  ]);
} finally {
  if (process.env['OUTTRAY_KEEP'] === undefined) await rm(folder, { recursive: true, force: true });
  else console.log(`Kept: ${folder}`);
}
process.exitCode = count.failed === 0 ? 0 : 1;
console.log(lineOf(count));

/** The app's own files, without what only an installed package has. */
function compare(fromDeb: readonly string[], fromTar: readonly string[]): string[] {
  const apps = (files: readonly string[]) =>
    new Set(
      files
        .map((file) => file.replace(/^(opt\/Outtray|outtray-[^/]+)\//, ''))
        .filter((file) => !/^usr\/|resources\/(package-type|app-update\.yml|apparmor-profile)$/.test(file)),
    );
  const [deb, tar] = [apps(fromDeb), apps(fromTar)];
  return [
    ...[...deb].filter((file) => !tar.has(file)).map((file) => `${file} is in the deb only`),
    ...[...tar].filter((file) => !deb.has(file)).map((file) => `${file} is in the archive only`),
  ];
}
