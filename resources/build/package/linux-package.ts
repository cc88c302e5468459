// Makes a deb or an rpm with Debian's own dpkg-deb and rpmbuild.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { FpmCall } from './fpm-call.ts';

/** `small`: as it is handed out. `fast`: for a check. */
export type LinuxPackage = FpmCall & { compression: 'small' | 'fast' };

export const makeLinuxPackage = (call: LinuxPackage): void => {
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'outtray-linux-'));
  try {
    const root = path.join(work, 'root');
    fs.mkdirSync(root);
    for (const { from, to } of call.mappings) place(from, path.join(root, to));
    run('chmod', ['-R', 'u+rwX,go+rX,go-w', root]);
    if (call.type === 'deb') makeDeb(call, root);
    else makeRpm(call, root, path.join(work, 'rpm'));
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
};

/** As fpm translates them: dnf installs no package of `amd64`. */
const rpmArchitectures: Record<string, string> = { amd64: 'x86_64', arm64: 'aarch64' };
function run(program: string, args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

/** A folder with a slash at its end stands for its content. */
function place(from: string, to: string): void {
  if (from.endsWith('/')) {
    fs.mkdirSync(to, { recursive: true });
    run('cp', ['-a', `${from}.`, to]);
    return;
  }
  fs.mkdirSync(path.dirname(to), { recursive: true });
  if (fs.lstatSync(from).isSymbolicLink()) {
    fs.symlinkSync(fs.readlinkSync(from), to);
    return;
  }
  fs.copyFileSync(from, to);
  fs.chmodSync(to, 0o644);
}

function makeDeb(call: LinuxPackage, root: string): void {
  const control = path.join(root, 'DEBIAN');
  const sizeKib = run('du', ['-sk', root]).split('\t')[0] ?? '0';
  fs.mkdirSync(control, { mode: 0o755 });
  const fields: [string, string][] = [
    ['Package', call.name],
    ['Version', call.version],
    ['Architecture', call.architecture],
    ['Maintainer', call.maintainer],
    ['Installed-Size', sizeKib],
    ['Depends', call.depends.join(', ')],
    ['Recommends', call.recommends.join(', ')],
    ['Provides', call.provides.join(', ')],
    ['Conflicts', call.conflicts.join(', ')],
    ['Replaces', call.replaces.join(', ')],
    ['Section', call.category],
    ['Priority', 'optional'],
    ['Homepage', call.url],
    ['Description', debDescription(call.description)],
  ];
  const text = fields.filter(([, value]) => value !== '').map(([name, value]) => `${name}: ${value}\n`);
  fs.writeFileSync(path.join(control, 'control'), text.join(''));
  for (const [name, file] of [
    ['postinst', call.afterInstall],
    ['postrm', call.afterRemove],
  ] as const) {
    if (file === null) continue;
    fs.copyFileSync(file, path.join(control, name));
    fs.chmodSync(path.join(control, name), 0o755);
  }
  run('dpkg-deb', [
    '--root-owner-group',
    ...(call.compression === 'small' ? ['-Zxz'] : ['-Zgzip', '-z1']),
    '--build',
    root,
    call.output,
  ]);
}

/** Lines after the first are indented; an empty one is a dot (Debian Policy 5.6.13). */
function debDescription(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line, at) => (at === 0 ? line.trim() : ` ${line.trim() || '.'}`))
    .join('\n');
}

function makeRpm(call: LinuxPackage, root: string, top: string): void {
  fs.mkdirSync(top);
  const files = run('find', [root, '(', '-type', 'f', '-o', '-type', 'l', ')', '-printf', '"/%P"\n']);
  const script = (section: string, file: string | null): string =>
    file === null ? '' : `%${section}\n${fs.readFileSync(file, 'utf8')}\n`;
  const spec = path.join(top, 'outtray.spec');
  fs.writeFileSync(
    spec,
    `%define _build_id_links none
%define __os_install_post %{nil}
%define _binary_payload ${call.compression === 'small' ? 'w6.xzdio' : 'w1.gzdio'}
AutoReqProv: no
Name: ${call.name}
Version: ${call.version}
Release: 1
Summary: ${call.description.trim().split('\n')[0] ?? ''}
License: ${call.license}
URL: ${call.url}
${[
  ...call.depends.map((name) => `Requires: ${name}`),
  ...call.provides.map((name) => `Provides: ${name}`),
  ...call.conflicts.map((name) => `Conflicts: ${name}`),
].join('\n')}
%description
${call.description}
${script('post', call.afterInstall)}${script('postun', call.afterRemove)}%files
${files}`,
  );
  run('rpmbuild', [
    '-bb',
    '--quiet',
    '--buildroot',
    root,
    '--target',
    rpmArchitectures[call.architecture] ?? call.architecture,
    '--define',
    `_topdir ${top}`,
    spec,
  ]);
  const made = run('find', [path.join(top, 'RPMS'), '-name', '*.rpm']).trim();
  fs.copyFileSync(made, call.output);
}
