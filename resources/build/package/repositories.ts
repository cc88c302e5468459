// `repositories.ts PACKAGES FOLDER URL`: makes FOLDER/apt and FOLDER/dnf from the debs and rpms in PACKAGES, for a web
// server that serves them at URL to apt and dnf. The indices, which contain the sums of each package, are signed with
// the secret key of gpg's keyring. Each run makes everything again: keep older packages in PACKAGES for those who want
// one.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The configuration for apt and dnf on a machine, beside the packages: the key, and the address of the packages. */
const aptSource = (url: string): string => `Types: deb
URIs: ${url}/apt
Suites: ./
Signed-By: /etc/apt/keyrings/outtray.asc
`;
const dnfSource = (url: string): string => `[outtray]
name=Outtray
baseurl=${url}/dnf
enabled=1
# The signed index names each package by its SHA-256.
repo_gpgcheck=1
gpgcheck=0
gpgkey=${url}/dnf/outtray.asc
`;

/** `env`: its GNUPGHOME has one secret key. */
export const writeRepositories = (
  packages: string,
  folder: string,
  url: string,
  env: NodeJS.ProcessEnv = process.env,
): void => {
  const run = (cwd: string, program: string, ...args: string[]): string =>
    execFileSync(program, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const sign = (cwd: string, ...args: string[]): string =>
    run(cwd, 'gpg', '--batch', '--yes', '--armor', ...args);
  const begin = (name: string, ending: string): string => {
    const place = path.join(folder, name);
    mkdirSync(place, { recursive: true });
    for (const file of readdirSync(packages))
      if (file.endsWith(ending)) copyFileSync(path.join(packages, file), path.join(place, file));
    writeFileSync(path.join(place, 'outtray.asc'), sign(place, '--export'));
    return place;
  };
  const base = url.replace(/\/+$/, '');

  const apt = begin('apt', '.deb');
  const index = run(apt, 'apt-ftparchive', 'packages', '.');
  writeFileSync(path.join(apt, 'Packages'), index);
  const architectures = [...new Set([...index.matchAll(/^Architecture: (.+)$/gm)].map(([, one]) => one))];
  const fields = {
    Origin: 'Outtray',
    Label: 'Outtray',
    Suite: 'stable',
    Architectures: architectures.join(' '),
  };
  const options = Object.entries(fields).flatMap(([name, value]) => [
    '-o',
    `APT::FTPArchive::Release::${name}=${value}`,
  ]);
  writeFileSync(path.join(apt, 'Release'), run(apt, 'apt-ftparchive', ...options, 'release', '.'));
  sign(apt, '--clearsign', '--output', 'InRelease', 'Release');
  writeFileSync(path.join(apt, 'outtray.sources'), aptSource(base));

  const dnf = begin('dnf', '.rpm');
  run(dnf, 'createrepo_c', '--quiet', '--no-database', '.');
  sign(dnf, '--detach-sign', '--output', 'repodata/repomd.xml.asc', 'repodata/repomd.xml');
  writeFileSync(path.join(dnf, 'outtray.repo'), dnfSource(base));
};

if (import.meta.main) {
  const [, , packages = '', folder = '', url = ''] = process.argv;
  writeRepositories(path.resolve(packages), path.resolve(folder), url);
}
