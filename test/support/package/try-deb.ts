// Installs the deb into an empty root with dpkg itself, checks it, and removes it again. try-installed.ts tests its use
// by a person.
import { execFileSync } from 'node:child_process';
import { existsSync, readlinkSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Finding } from './finding.ts';

export const tryDeb = async (deb: string, root: string): Promise<Finding[]> => {
  await mkdir(path.join(root, 'var/lib/dpkg/info'), { recursive: true });
  await mkdir(path.join(root, 'var/lib/dpkg/updates'), { recursive: true });
  for (const name of ['status', 'available']) await writeFile(path.join(root, 'var/lib/dpkg', name), '');
  const before = await everyFile(root);
  dpkg(root, '--install', deb);
  const app = path.join(root, 'opt/Outtray');
  const link = path.join(root, 'usr/bin/outtray');
  const home = path.join(root, '../home');
  const userFile = path.join(home, 'settings.json');
  const findings: Finding[] = [
    ['deb: dpkg installs it into an empty root', existsSync(app) ? [] : ['/opt/Outtray is not there']],
    [
      'deb: /usr/bin/outtray leads to the program of the command',
      readlinkSync(link) === '/opt/Outtray/program/outtray' ? [] : [`it leads to ${readlinkSync(link)}`],
    ],
    [
      'deb: the desktop entry names a program and no protocol',
      desktopProblems(await readFile(path.join(root, 'usr/share/applications/outtray.desktop'), 'utf8')),
    ],
  ];
  await mkdir(home, { recursive: true });
  await writeFile(userFile, '{}');
  dpkg(root, '--remove', 'outtray');
  dpkg(root, '--purge', 'outtray');
  const left = [...(await everyFile(root))].filter((file) => !before.has(file) && !/^var\//.test(file));
  findings.push([
    'deb: removal leaves nothing but the user’s data',
    [...left.map((file) => `/${file} is left`), ...(existsSync(userFile) ? [] : ['the user’s data is gone'])],
  ]);
  return findings;
};

/** Scripts run without chroot and honour DPKG_ROOT; dependencies are left to the real system. */
const dpkg = (root: string, ...args: string[]): void => {
  const forced = ['--force-depends', '--force-script-chrootless', '--force-not-root', '--force-bad-path'];
  const call = ['dpkg', `--root=${root}`, '--log=/dev/null', ...forced, ...args];
  const [program = '', ...rest] = process.getuid?.() === 0 ? call : ['fakeroot', ...call];
  execFileSync(program, rest, { stdio: ['ignore', 'ignore', 'pipe'] });
};

export const desktopProblems = (entry: string): string[] => {
  const problems: string[] = [];
  if (!/^Exec=.*\/opt\/Outtray\/outtray/m.test(entry))
    problems.push('Exec does not name /opt/Outtray/outtray');
  if (!/^Icon=outtray$/m.test(entry)) problems.push('Icon is not outtray');
  if (!/^Name=Outtray$/m.test(entry)) problems.push('Name is not Outtray');
  if (/^MimeType=/m.test(entry)) problems.push('it claims protocols or types of files');
  return problems;
};

const everyFile = async (root: string): Promise<Set<string>> => {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return new Set(
    entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name))),
  );
};
