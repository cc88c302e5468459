// Tests with apt and dnf themselves the folders that a release makes for them, each in an empty root of its own:
// install an older build, upgrade to this one over a ledger that an earlier version wrote, remove; and whether they
// refuse an index that was changed. The older build is this one under a lower version.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { version } from '../../../src-main/adapters/version.ts';
import { writeRepositories } from '../../../resources/build/package/repositories.ts';
import { finding, type Finding } from './finding.ts';
import { isThere } from './lint.ts';

type Manager = {
  name: 'apt' | 'dnf';
  /** The root that packages are installed into. */
  root: string;
  /** The index that is signed. */
  index: string;
  refresh(): void;
  install(): void;
  upgrade(): void;
  remove(): void;
  /** The version that it believes to be installed. */
  installed(): string;
};

const needed: Record<string, string> = {
  'apt-get': 'apt',
  'apt-ftparchive': 'apt-utils',
  gpg: 'gpg',
  createrepo_c: 'createrepo-c',
  dnf: 'dnf',
};

/** `packages`: of this version, and `older`: of an older build. */
export const tryRepositories = async (
  packages: string,
  older: string,
  folder: string,
): Promise<Finding[]> => {
  const what = 'apt-get and dnf install, upgrade and remove';
  if (process.getuid?.() !== 0) return [[what, [], 'only root can']];
  const missing = Object.keys(needed).filter((program) => !isThere(program));
  if (missing.length > 0)
    return [[what, [], `not here (apt-get install -y ${missing.map((one) => needed[one]).join(' ')})`]];
  const gnupg = path.join(folder, 'gnupg');
  mkdirSync(gnupg, { recursive: true, mode: 0o700 });
  const env = { ...process.env, GNUPGHOME: gnupg };
  const findings: Finding[] = [];
  try {
    const who = 'Key of the check <check@outtray.invalid>';
    const key = ['--quick-generate-key', who, 'rsa3072', 'sign', 'never'];
    run('gpg', ['--batch', '--quiet', '--passphrase', '', ...key], env);
    const served = path.join(folder, 'served');
    const pool = path.join(folder, 'pool');
    const publish = (from: string): void => {
      mkdirSync(pool, { recursive: true });
      for (const file of readdirSync(from))
        if (/\.(deb|rpm)$/.test(file)) copyFileSync(path.join(from, file), path.join(pool, file));
      writeRepositories(pool, served, `file://${served}`, env);
    };
    publish(older);
    const managers = [
      useApt(served, path.join(folder, 'apt-root')),
      useDnf(served, path.join(folder, 'dnf-root')),
    ];
    for (const manager of managers) findings.push(await installs(manager));
    publish(packages);
    for (const manager of managers) {
      findings.push(await upgrades(manager, path.join(folder, `${manager.name}-home`)));
      findings.push(await removes(manager, path.join(folder, `${manager.name}-home`)));
    }
    for (const manager of managers) findings.push(await refusesChanged(manager));
  } finally {
    spawnSync('gpgconf', ['--kill', 'all'], { env });
  }
  return findings;
};

const installs = (manager: Manager): Promise<Finding> =>
  finding(`${manager.name}: an older build is installed from the folder of a release`, () => {
    manager.refresh();
    manager.install();
    const found = manager.installed();
    return [
      ...(found !== '' && found !== version ? [] : [`it believes that “${found}” is installed`]),
      ...(existsSync(path.join(manager.root, 'opt/Outtray/outtray-launcher'))
        ? []
        : ['/opt/Outtray is not there']),
    ];
  });

const upgrades = (manager: Manager, home: string): Promise<Finding> =>
  finding(`${manager.name}: the upgrade keeps the links of a ledger that an earlier version wrote`, () => {
    const kept = writeEarlierHome(home);
    manager.refresh();
    manager.upgrade();
    const found = manager.installed();
    const lost = Object.entries(kept).flatMap(([name, link]) => {
      const { stdout, stderr } = spawnSync(
        path.join(manager.root, 'opt/Outtray/outtray-launcher'),
        ['link', name],
        { encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: home, OUTTRAY_HOME: home } },
      );
      return stdout.trim() === link ? [] : [`link ${name}: ${stdout}${stderr}, not ${link}`];
    });
    return [...(found === version ? [] : [`it believes that “${found}” is installed`]), ...lost];
  });

const removes = (manager: Manager, home: string): Promise<Finding> =>
  finding(`${manager.name}: the removal leaves the ledger and nothing of the program`, () => {
    manager.remove();
    const left = [
      'opt/Outtray',
      'usr/share/outtray',
      'usr/bin/outtray',
      'usr/share/applications/outtray.desktop',
    ];
    return [
      ...left
        .filter((place) => existsSync(path.join(manager.root, place)))
        .map((place) => `/${place} is left`),
      ...(existsSync(path.join(home, 'ledger.sqlite')) ? [] : ['the ledger is gone']),
    ];
  });

const refusesChanged = (manager: Manager): Promise<Finding> =>
  finding(`${manager.name}: an index that somebody changed is refused`, () => {
    appendFileSync(manager.index, '\n');
    try {
      manager.refresh();
      manager.install();
    } catch {
      return [];
    }
    return ['it was taken'];
  });

/** A home that version 22 of the ledger wrote; returns its links by the names of their files. */
const writeEarlierHome = (home: string): Record<string, string> => {
  const file = path.join(import.meta.dirname, '../ledgers/home-22.json.gz');
  const { ledger, answers } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as {
    ledger: string;
    answers: Record<string, { lines: { public_link?: string }[] }>;
  };
  mkdirSync(home, { recursive: true });
  writeFileSync(path.join(home, 'ledger.sqlite'), Buffer.from(ledger, 'base64'), { mode: 0o600 });
  return Object.fromEntries(
    ['plain.txt', 'ends.txt', 'both.zip'].map((name) => {
      const link = answers[`link ${name}`]?.lines[0]?.public_link;
      if (link === undefined) throw new Error(`The fixture has no link of ${name}.`);
      return [name, link];
    }),
  );
};

const run = (program: string, args: readonly string[], env: NodeJS.ProcessEnv): string => {
  const { stdout, stderr, status, error } = spawnSync(program, args, {
    encoding: 'utf8',
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (status !== 0)
    throw new Error(`${program} ended with ${String(status)}: ${String(error ?? '')}${stdout}${stderr}`);
  return stdout;
};

/** The dependencies of the deb count as installed: the database lists them. */
const useApt = (served: string, root: string): Manager => {
  for (const place of [
    'etc/apt/sources.list.d',
    'etc/apt/keyrings',
    'etc/apt/preferences.d',
    'var/lib/apt/lists/partial',
  ])
    mkdirSync(path.join(root, place), { recursive: true });
  for (const place of ['info', 'updates', 'triggers'])
    mkdirSync(path.join(root, 'var/lib/dpkg', place), { recursive: true });
  mkdirSync(path.join(root, 'var/cache/apt/archives/partial'), { recursive: true });
  mkdirSync(path.join(root, 'var/log/apt'), { recursive: true });
  const from = path.join(served, 'apt');
  const depends = /^Depends: (.+)$/m.exec(readFileSync(path.join(from, 'Packages'), 'utf8'))?.[1] ?? '';
  const field = (name: string): string =>
    execFileSync('dpkg', [`--print-${name}`], { encoding: 'utf8' }).trim();
  const stanza = (name: string): string =>
    `Package: ${name}\nStatus: install ok installed\nArchitecture: ${field('architecture')}\nVersion: 9\nMaintainer: none\nDescription: none\n`;
  const names = depends.split(',').map((one) => one.split('|')[0]?.trim() ?? '');
  writeFileSync(path.join(root, 'var/lib/dpkg/status'), names.map(stanza).join('\n'));
  writeFileSync(path.join(root, 'var/lib/dpkg/available'), '');
  for (const name of names) writeFileSync(path.join(root, 'var/lib/dpkg/info', `${name}.list`), '');
  const key = path.join(root, 'etc/apt/keyrings/outtray.asc');
  copyFileSync(path.join(from, 'outtray.asc'), key);
  const source = readFileSync(path.join(from, 'outtray.sources'), 'utf8');
  writeFileSync(
    path.join(root, 'etc/apt/sources.list.d/outtray.sources'),
    source.replace('/etc/apt/keyrings/outtray.asc', key),
  );
  const config = path.join(root, 'etc/apt/apt.conf');
  const forDpkg = [`--root=${root}`, '--force-script-chrootless', '--log=/dev/null'];
  writeFileSync(
    config,
    `Dir "${root}";
Dir::State::status "${root}/var/lib/dpkg/status";
APT::Sandbox::User "root";
APT::Install-Recommends "false";
${forDpkg.map((option) => `Dpkg::Options:: "${option}";\n`).join('')}`,
  );
  const apt = (...args: string[]): void =>
    void run('apt-get', ['--quiet', '--yes', ...args], {
      ...process.env,
      APT_CONFIG: config,
      DEBIAN_FRONTEND: 'noninteractive',
    });
  return {
    name: 'apt',
    root,
    index: path.join(from, 'InRelease'),
    refresh: () => apt('--error-on=any', 'update'),
    install: () => apt('install', 'outtray'),
    upgrade: () => apt('upgrade'),
    remove: () => apt('purge', 'outtray'),
    installed: () =>
      spawnSync('dpkg-query', [`--admindir=${root}/var/lib/dpkg`, '-W', '-f', '${Version}', 'outtray'], {
        encoding: 'utf8',
      }).stdout,
  };
};

/** Scripts of an rpm run in its root. */
const programsOfScripts = ['sh', 'mkdir', 'ln', 'rm', 'rmdir', 'find', 'chmod', 'readlink', 'unshare', 'cp'];

/** The dependencies of the rpm count as installed: a package without files provides them. */
const useDnf = (served: string, root: string): Manager => {
  const from = path.join(served, 'dnf');
  const beside = `${root}-state`;
  const [log, repos, system] = ['log', 'repos', 'system'].map((name) => path.join(beside, name)) as [
    string,
    string,
    string,
  ];
  for (const place of [path.join(root, 'dev'), log, repos, system]) mkdirSync(place, { recursive: true });
  for (const name of programsOfScripts) {
    const program = execFileSync('which', [name], { encoding: 'utf8' }).trim();
    const libraries = execFileSync('ldd', [program], { encoding: 'utf8' }).match(/\/\S+\.so\S*/g) ?? [];
    for (const file of [program, ...libraries]) {
      mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
      copyFileSync(file, path.join(root, file));
    }
  }
  for (const place of ['bin/sh', 'usr/bin/sh']) {
    mkdirSync(path.join(root, path.dirname(place)), { recursive: true });
    copyFileSync('/bin/sh', path.join(root, place));
  }
  const [rpm = ''] = readdirSync(from).filter((name) => name.endsWith('.rpm'));
  const requires = run('rpm', ['--query', '--package', '--requires', path.join(from, rpm)], process.env)
    .split('\n')
    .map((line) => /^\(?([^\s()]+)/.exec(line)?.[1] ?? '')
    .filter((name) => name !== '' && !name.startsWith('rpmlib'));
  const spec = path.join(beside, 'system.spec');
  writeFileSync(
    spec,
    `Name: stands-in-for-the-system\nVersion: 1\nRelease: 1\nSummary: none\nLicense: none\nBuildArch: noarch
${[...new Set(requires)].map((name) => `Provides: ${name}`).join('\n')}\n%description\nnone\n%files\n`,
  );
  run(
    'rpmbuild',
    ['-bb', '--quiet', '--define', `_topdir ${beside}/rpm`, '--define', `_rpmdir ${system}`, spec],
    process.env,
  );
  run('createrepo_c', ['--quiet', '--no-database', system], process.env);
  copyFileSync(path.join(from, 'outtray.repo'), path.join(repos, 'outtray.repo'));
  writeFileSync(
    path.join(repos, 'system.repo'),
    `[system]\nname=system\nbaseurl=file://${system}\ngpgcheck=0\n`,
  );
  const settings = {
    reposdir: repos,
    logdir: log,
    cachedir: path.join(beside, 'cache'),
    persistdir: path.join(beside, 'persist'),
    metadata_expire: '0',
  };
  const options = Object.entries(settings).map(([name, value]) => `--setopt=${name}=${value}`);
  const dnf = (...args: string[]): void =>
    void run(
      'dnf',
      ['--assumeyes', '--quiet', `--installroot=${root}`, '--releasever=1', ...options, ...args],
      process.env,
    );
  return {
    name: 'dnf',
    root,
    index: path.join(from, 'repodata/repomd.xml'),
    refresh: () => dnf('makecache', '--refresh'),
    install: () => dnf('install', 'outtray'),
    upgrade: () => dnf('upgrade', 'outtray'),
    remove: () => dnf('remove', 'outtray'),
    installed: () =>
      spawnSync('rpm', ['--root', root, '--query', '--queryformat', '%{VERSION}', 'outtray'], {
        encoding: 'utf8',
      }).stdout,
  };
};
