// The packages of the command alone: `outtray-cli` as deb, rpm and tar.xz for Linux, as zip for Windows and macOS. From
// the same program, papers and licences as the app's packages.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import manifest from '../../../package.json' with { type: 'json' };
import { version } from '../../../src-main/adapters/version.ts';
import { builtFolder } from '../papers/papers.ts';
import { programFile, programFolder } from '../program/build.ts';
import { nodeLicence } from '../program/licence.ts';
import { thisSystem, type System } from '../program/nodes.ts';
import { makeLinuxPackage, type LinuxPackage } from './linux-package.ts';
import { makeSbom } from './sbom.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** As in the names of the app's installers. */
const names: Record<string, string> = { linux: 'linux', win32: 'win', darwin: 'mac' };
const architectures = {
  x64: { deb: 'amd64', rpm: 'x86_64' },
  arm64: { deb: 'arm64', rpm: 'aarch64' },
} as const;

/** Writes the packages of one system into `dist` and returns their names. `small`: as they are handed out. */
export const writeCommandPackages = async (
  dist: string,
  {
    system = thisSystem(),
    compression = 'small',
  }: { system?: System; compression?: LinuxPackage['compression'] } = {},
): Promise<string[]> => {
  const [platform = '', arch = ''] = system.split('-');
  const base = `outtray-cli-${version}-${names[platform] ?? platform}-${arch}`;
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'outtray-command-'));
  try {
    fs.mkdirSync(dist, { recursive: true });
    const folder = path.join(work, 'outtray');
    layOut(folder, system);
    if (platform !== 'linux') {
      await zip(work, path.join(dist, `${base}.zip`));
      return [`${base}.zip`];
    }
    const tar = [
      '--sort=name',
      '--owner=0',
      '--group=0',
      '-C',
      work,
      '-cf',
      path.join(dist, `${base}.tar.xz`),
    ];
    const level = compression === 'small' ? '-6' : '-0';
    execFileSync('tar', [...tar, `--use-compress-program=xz -T0 ${level}`, 'outtray']);
    const made = (['deb', 'rpm'] as const).map((type) => {
      const architecture = architectures[arch as keyof typeof architectures][type];
      const name = `outtray-cli-${version}-linux-${architecture}.${type}`;
      makeLinuxPackage({
        ...linuxPackage(type, folder, work),
        architecture,
        output: path.join(dist, name),
        compression,
      });
      return name;
    });
    return [`${base}.tar.xz`, ...made];
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
};

/** The folder that every package has: the program, what it loads, licences, bill of materials. */
const layOut = (folder: string, system: System): void => {
  fs.cpSync(programFolder(system), folder, { recursive: true });
  fs.chmodSync(path.join(folder, path.basename(programFile(system))), 0o755);
  const licences = path.join(folder, 'licences');
  fs.mkdirSync(licences);
  fs.copyFileSync(path.join(root, 'LICENSE'), path.join(licences, 'LICENSE.txt'));
  fs.copyFileSync(path.join(root, 'out/licences.txt'), path.join(licences, 'packages.txt'));
  fs.copyFileSync(nodeLicence, path.join(licences, 'node.txt'));
  const sbom = `${JSON.stringify(makeSbom(root, 'command'), null, 2)}\n`;
  fs.writeFileSync(path.join(folder, `outtray-cli-${version}.cdx.json`), sbom);
};

const linuxPackage = (type: 'deb' | 'rpm', folder: string, work: string) => {
  const link = path.join(work, 'usr-bin-outtray');
  fs.rmSync(link, { force: true });
  fs.symlinkSync('/usr/lib/outtray/outtray', link);
  const papers = (name: string): string => path.join(builtFolder, name);
  const headless = (name: string): string => path.join(root, 'resources/headless', name);
  const isDeb = type === 'deb';
  return {
    type,
    name: 'outtray-cli',
    version,
    maintainer: manifest.author,
    description: 'put a file in the tray, get its link (the command alone)',
    license: manifest.license,
    url: manifest.homepage,
    category: isDeb ? 'net' : 'Applications/Internet',
    depends: isDeb
      ? ['libc6 (>= 2.28)', 'libstdc++6', 'libgcc-s1']
      : ['glibc >= 2.28', 'libstdc++', 'libgcc'],
    recommends: isDeb ? ['ca-certificates'] : [],
    provides: [],
    conflicts: ['outtray'],
    replaces: ['outtray'],
    afterInstall: null,
    afterRemove: null,
    mappings: [
      [`${folder}/`, 'usr/lib/outtray'],
      [link, 'usr/bin/outtray'],
      [
        path.join(root, 'LICENSE'),
        isDeb ? 'usr/share/doc/outtray-cli/copyright' : 'usr/share/licenses/outtray-cli/LICENSE',
      ],
      [papers('outtray.1'), 'usr/share/man/man1/outtray.1'],
      [papers('completions/outtray.bash'), 'usr/share/bash-completion/completions/outtray'],
      [
        papers('completions/_outtray'),
        `usr/share/zsh/${isDeb ? 'vendor-completions' : 'site-functions'}/_outtray`,
      ],
      [papers('completions/outtray.fish'), 'usr/share/fish/vendor_completions.d/outtray.fish'],
      [papers('policy/policy.schema.json'), 'usr/share/outtray/policy.schema.json'],
      [papers('policy/policy.sample.json'), 'usr/share/outtray/policy.sample.json'],
      [headless('outtray.service'), 'usr/lib/systemd/user/outtray.service'],
      [headless('outtray@.service'), 'usr/lib/systemd/system/outtray@.service'],
    ].map(([from = '', to = '']) => ({ from, to })),
  } satisfies Omit<LinuxPackage, 'architecture' | 'output' | 'compression'>;
};

const zip = async (work: string, target: string): Promise<void> => {
  const made = new ZipFile();
  const entries = fs.readdirSync(work, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile())) {
    const file = path.join(entry.parentPath, entry.name);
    const isProgram = entry.name.startsWith('outtray') && !entry.name.endsWith('.json');
    made.addFile(file, path.relative(work, file).split(path.sep).join('/'), {
      mode: isProgram ? 0o100755 : 0o100644,
    });
  }
  made.end();
  await pipeline(made.outputStream, fs.createWriteStream(target));
};
