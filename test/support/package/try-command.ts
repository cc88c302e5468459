// The packages of the command alone: what is in them, and their use where a server or a container has little: an empty
// root with only the libraries that the program names, an ordinary user, no user namespaces, no home, no network but
// the loopback. The package of npm is tried there with Node 24.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { version } from '../../../src-main/adapters/version.ts';
import { startService } from '../../service/service.ts';
import { commandProblems } from './contents.ts';
import { finding, type Finding } from './finding.ts';
import { listArchive } from './list-archive.ts';

/** Debian's user without rights. */
const ordinary = 65_534;
const limitMs = 60_000;

/** The libraries of glibc and GCC that Node 24 needs; a program that names another one needs another package. */
const libraries = /^(libdl|libstdc\+\+|libm|libgcc_s|libpthread|libc)\.so\.\d+$/;

/** `names`: in `dist`. `npm`: the archive. `app`: the app's deb. */
export const tryCommand = async (
  dist: string,
  names: readonly string[],
  npm: string,
  app: string,
  folder: string,
): Promise<Finding[]> => {
  const named = (ending: string): string =>
    path.join(dist, names.find((name) => name.endsWith(ending)) ?? ending);
  const place = (name: string): string => {
    const made = path.join(folder, 'command', name);
    mkdirSync(made, { recursive: true });
    return made;
  };
  const [deb, rpm, tar] = [named('.deb'), named('.rpm'), named('.tar.xz')];
  const fromDeb = place('deb');
  const fromTar = place('tar');
  const fromNpm = place('npm');
  execFileSync('dpkg-deb', ['--extract', deb, fromDeb]);
  execFileSync('tar', ['-xJf', tar, '-C', fromTar]);
  execFileSync('tar', ['-xzf', npm, '-C', fromNpm]);
  const program = path.join(fromTar, 'outtray/outtray');
  const own = (archive: string, before: string): string[] =>
    listArchive(archive).flatMap((file) => (file.startsWith(before) ? [file.slice(before.length)] : []));
  return [
    [`${path.basename(tar)}: the program and what belongs to it`, commandProblems(own(tar, 'outtray/'))],
    ...[deb, rpm].map((file): Finding => [
      `${path.basename(file)}: the program, papers and units`,
      [...commandProblems(own(file, 'usr/lib/outtray/')), ...lacksOf(listArchive(file))],
    ]),
    await finding('the program in the rpm is the built one: rpmbuild has not stripped it', () =>
      sumInRpm(rpm) === sumOf(program) ? [] : ['it has another sum'],
    ),
    await finding(
      'the program names the six libraries of glibc and GCC, and the deb depends on no more',
      () => [
        ...neededBy(program).flatMap(({ name }) => (libraries.test(name) ? [] : [`it needs ${name}`])),
        ...(fieldOf(deb, 'Depends') === 'libc6 (>= 2.28), libstdc++6, libgcc-s1'
          ? []
          : [fieldOf(deb, 'Depends')]),
        ...(fieldOf(deb, 'Conflicts') === 'outtray' && fieldOf(app, 'Conflicts') === 'outtray-cli'
          ? []
          : ['app and command do not exclude each other']),
      ],
    ),
    await finding('a copy of the program runs nothing of a foreign folder, variable or option', () =>
      hostile(program, place('hostile')),
    ),
    await finding('dpkg replaces the app by the command and the command by the app', () =>
      replaced(deb, app, place('dpkg')),
    ),
    ...(await inEmptyRoot('deb', fromDeb, ['/usr/lib/outtray/outtray'])),
    ...(await inEmptyRoot('tar', fromTar, ['/outtray/outtray'])),
    ...(await inEmptyRoot(
      'npm archive on Node 24',
      fromNpm,
      ['/node', '/package/outtray.cjs'],
      process.execPath,
    )),
  ];
};

const lacksOf = (files: readonly string[]): string[] =>
  [
    'usr/bin/outtray',
    'usr/share/man/man1/outtray.1',
    'usr/share/bash-completion/completions/outtray',
    'usr/lib/systemd/user/outtray.service',
    'usr/lib/systemd/system/outtray@.service',
    'usr/share/outtray/policy.schema.json',
  ].flatMap((file) => (files.includes(file) ? [] : [`/${file} is missing`]));

const sumOf = (file: string): string => execFileSync('sha256sum', [file], { encoding: 'utf8' }).slice(0, 64);

/** As the rpm records it. */
const sumInRpm = (rpm: string): string => {
  const listed = execFileSync('rpm', ['-qp', '--dump', rpm], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return (
    listed
      .split('\n')
      .find((line) => line.startsWith('/usr/lib/outtray/outtray '))
      ?.split(' ')[3] ?? ''
  );
};

const fieldOf = (deb: string, field: string): string =>
  execFileSync('dpkg-deb', ['--field', deb, field], { encoding: 'utf8' }).trim();

/** What the loader finds for a program (ldd(1)), with the loader itself. */
const neededBy = (program: string): { name: string; file: string }[] =>
  execFileSync('ldd', [program], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const [, name = '', file = ''] = /^\s*(\S+) => (\/\S+)/.exec(line) ?? [];
      return name === '' ? [] : [{ name, file }];
    });

/** Puts foreign code wherever Node would look for some. */
const hostile = (program: string, folder: string): string[] => {
  const copy = path.join(folder, 'outtray');
  copyFileSync(program, copy);
  mkdirSync(path.join(folder, 'lib/node_modules/@napi-rs/keyring'), { recursive: true });
  const mark = path.join(folder, 'ran');
  const code = `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`;
  for (const name of ['boot.cjs', 'cli.cjs', 'keyring.cjs', 'keychain-child.cjs', 'thread.cjs', 'evil.node'])
    writeFileSync(path.join(folder, 'lib', name), code);
  writeFileSync(path.join(folder, 'boot.cjs'), code);
  writeFileSync(path.join(folder, 'lib/node_modules/@napi-rs/keyring/index.js'), code);
  const evil = path.join(folder, 'lib/boot.cjs');
  const tries: [string[], Record<string, string>][] = [
    [['--version'], {}],
    [['--version'], { NODE_OPTIONS: `--require ${evil}` }],
    [['--version'], { NODE_OPTIONS: '--inspect-brk=127.0.0.1:0' }],
    [['--keychain-child'], { NAPI_RS_NATIVE_LIBRARY_PATH: evil, NODE_PATH: path.join(folder, 'lib') }],
    [['--version'], { NODE_REPL_EXTERNAL_MODULE: evil, ELECTRON_RUN_AS_NODE: '1' }],
    [['-e', code], {}],
    [['-r', evil, '--version'], {}],
    [[`--import=${evil}`, '--version'], {}],
    [['--inspect-brk=127.0.0.1:0', '--version'], {}],
    [['lib/boot.cjs'], {}],
    [[evil], {}],
    [['--drive-child', evil], {}],
  ];
  return tries.flatMap(([args, env]) => {
    const { stdout, stderr } = spawnSync(copy, args, {
      cwd: folder,
      env,
      encoding: 'utf8',
      timeout: limitMs,
    });
    const said = `${stdout}${stderr}`;
    return existsSync(mark) || said.includes('Debugger')
      ? [`outtray ${args.join(' ')}: foreign code ran. ${said}`]
      : [];
  });
};

/** With a database of its own, in a root of its own; scripts run without chroot and honour DPKG_ROOT. */
const replaced = (command: string, app: string, root: string): string[] => {
  for (const name of ['info', 'updates', 'triggers'])
    mkdirSync(path.join(root, 'var/lib/dpkg', name), { recursive: true });
  for (const name of ['status', 'available']) writeFileSync(path.join(root, 'var/lib/dpkg', name), '');
  const forced = [
    '--force-depends',
    '--force-script-chrootless',
    '--force-not-root',
    '--force-bad-path',
    '--auto-deconfigure',
  ];
  const fakeroot = process.getuid?.() === 0 ? [] : ['fakeroot'];
  const dpkg = (...args: string[]): void => {
    const [first = '', ...rest] = [
      ...fakeroot,
      'dpkg',
      `--root=${root}`,
      '--log=/dev/null',
      ...forced,
      ...args,
    ];
    execFileSync(first, rest, { stdio: ['ignore', 'ignore', 'pipe'] });
  };
  const problems: string[] = [];
  const expectProgram = (target: string, who: string): void => {
    const found = readlinkSync(path.join(root, 'usr/bin/outtray'));
    if (found !== target || !existsSync(path.join(root, target)))
      problems.push(`${who}: /usr/bin/outtray leads to ${found}`);
    if (!existsSync(path.join(root, 'usr/share/bash-completion/completions/outtray')))
      problems.push(`${who}: the completions are gone`);
  };
  dpkg('--install', app);
  expectProgram('/opt/Outtray/program/outtray', 'the app');
  dpkg('--install', command);
  expectProgram('/usr/lib/outtray/outtray', 'the command over the app');
  if (existsSync(path.join(root, 'opt/Outtray'))) problems.push('/opt/Outtray is left');
  dpkg('--install', app);
  expectProgram('/opt/Outtray/program/outtray', 'the app over the command');
  if (existsSync(path.join(root, 'usr/lib/outtray'))) problems.push('/usr/lib/outtray is left');
  dpkg('--purge', 'outtray');
  if (existsSync(path.join(root, 'usr/bin/outtray'))) problems.push('/usr/bin/outtray is left');
  return problems;
};

/**
 * Runs in a user namespace of its own, in which no other one can be made, as on a hardened host; the host's own limit
 * stays. The shell waits until its users are mapped, and has its rights after the next `exec`.
 */
const whenMapped = `until [ "$(id -u)" = 0 ]; do sleep 0.05; done; exec sh -c '
  echo 0 > /proc/sys/user/max_user_namespaces
  exec setpriv --no-new-privs chroot --userspec=${ordinary}:${ordinary} --groups= . "$@"' sh "$@"`;

const mapUsers = (pid: number): void => {
  const own = readlinkSync('/proc/self/ns/user');
  const look = setInterval(() => {
    try {
      if (readlinkSync(`/proc/${pid}/ns/user`) === own) return;
      for (const map of ['uid_map', 'gid_map']) writeFileSync(`/proc/${pid}/${map}`, '0 0 65536\n');
    } catch {
      // It has ended, and says why.
    }
    clearInterval(look);
  }, 10);
};

/** `root` becomes the root of the file system. `node`: is put there, too. */
const inEmptyRoot = async (
  what: string,
  root: string,
  command: readonly string[],
  node: string | null = null,
): Promise<Finding[]> => {
  const title = (act: string): string =>
    `${what}, in an empty root without user namespaces, as user ${ordinary}: ${act}`;
  if (process.getuid?.() !== 0) return [[title('upload, mcp, doctor'), [], 'only root can make one']];
  if (node !== null) copyFileSync(realpathSync(node), path.join(root, 'node'));
  const binary = path.join(root, command[0] ?? '');
  for (const { file } of [...neededBy(binary), { file: '/lib64/ld-linux-x86-64.so.2' }]) {
    mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
    copyFileSync(realpathSync(file), path.join(root, file));
  }
  const home = path.join(root, 'home');
  mkdirSync(path.join(root, 'tmp'), { recursive: true });
  mkdirSync(home);
  writeFileSync(path.join(home, 'a.txt'), `the bytes of the ${what}`);
  for (const place of [home, path.join(root, 'tmp')]) chownSync(place, ordinary, ordinary);
  chmodSync(path.join(root, 'tmp'), 0o1777);
  const service = await startService({ requestsPerMinute: null, requestsPerDay: null });
  const env = { HOME: '/home', OUTTRAY_BASE_URL: service.baseUrl, OUTTRAY_API_KEY: service.key };
  const run = (
    args: string[],
    input = '',
  ): Promise<{ code: number | null; stdout: string; stderr: string }> =>
    new Promise((resolve, reject) => {
      const child = spawn('unshare', ['--user', 'sh', '-c', whenMapped, 'sh', ...command, ...args], {
        cwd: root,
        env: { PATH: process.env['PATH'], ...env },
        stdio: 'pipe',
        timeout: limitMs,
      });
      mapUsers(child.pid ?? 0);
      const ended = { code: null as number | null, stdout: '', stderr: '' };
      child.stdout.on('data', (piece: Buffer) => (ended.stdout += String(piece)));
      child.stderr.on('data', (piece: Buffer) => (ended.stderr += String(piece)));
      child.stdin.on('error', () => undefined);
      child.stdin.end(input);
      child.on('error', reject);
      child.on('close', (code) => resolve({ ...ended, code }));
    });
  const wrong = (
    args: string,
    ended: { code: number | null; stdout: string; stderr: string },
    isRight: boolean,
  ) => (isRight ? [] : [`outtray ${args}: exit code ${String(ended.code)}\n${ended.stdout}${ended.stderr}`]);
  try {
    return [
      await finding(title('upload'), async () => {
        const ended = await run(['upload', '/home/a.txt']);
        const problems = wrong('upload', ended, ended.code === 0 && /^http\S+\n$/.test(ended.stdout));
        if (problems.length > 0) return problems;
        const bytes = await (await fetch(ended.stdout.trim())).text();
        return bytes === readFileSync(path.join(home, 'a.txt'), 'utf8') ? [] : ['the link has other bytes'];
      }),
      await finding(title('mcp'), async () => {
        const hello = {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 't', version: '1' },
        };
        const lines = [
          { jsonrpc: '2.0', id: 1, method: 'initialize', params: hello },
          { jsonrpc: '2.0', method: 'notifications/initialized' },
          { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} },
        ].map((line) => `${JSON.stringify(line)}\n`);
        const ended = await run(['mcp'], lines.join(''));
        return wrong(
          'mcp',
          ended,
          ended.code === 0 &&
            ended.stdout.includes(`"version":"${version}"`) &&
            ended.stdout.includes('upload_files'),
        );
      }),
      await finding(title('doctor'), async () => {
        const ended = await run(['doctor']);
        return wrong(
          'doctor',
          ended,
          (ended.code === 0 || ended.code === 8) &&
            /keychain/i.test(ended.stdout) &&
            !/sandbox/i.test(ended.stdout),
        );
      }),
    ];
  } finally {
    await service.close();
  }
};
