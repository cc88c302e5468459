// A computer with Windows in small: an empty prefix of Wine with the Node of Windows, in a temporary folder. Also the
// global set-up of `npm run windows`, which makes one for all files of tests.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { has } from '../../real/support/parts.ts';
import { buildProgram, nodeOf } from '../../../resources/build/program/build.ts';
import { entropyLibrary } from './entropy-library.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    computer: Computer;
  }
}

export type Computer = {
  /** Everything lies in it. */
  place: string;
  /** The user's home: the folder as this system names it. */
  home: string;
  /** The Node of Windows. */
  node: string;
  /** The program of the packages: the same Node with our code inside. */
  program: string;
  env: Record<string, string>;
};

const root = path.resolve(import.meta.dirname, '../../..');

type Package = { name: string; version: string; integrity: string };

/** As the lock file names it. */
const locked = (name: string): Package => {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Omit<Package, 'name'>>;
  };
  const found = lock.packages[`node_modules/${name}`];
  if (found === undefined) throw new Error(`${name} is not in the lock file.`);
  return { ...found, name };
};

const load = (into: string, { name, version, integrity }: Package): void => {
  mkdirSync(into, { recursive: true });
  // What npm runs inherits its level of silence.
  const how = ['--loglevel=error', '--prefer-offline', '--fetch-retries=5'];
  execFileSync('npm', ['pack', ...how, '--pack-destination', into, `${name}@${version}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [archive = ''] = readdirSync(into);
  const file = path.join(into, archive);
  const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
  if (found !== integrity) throw new Error(`${name}@${version} has the integrity ${found}.`);
  execFileSync('tar', ['-xzf', file, '-C', into, '--strip-components=1']);
  rmSync(file);
};

/** Wine 8 has a `VirtualAlloc2` that ends V8; under a name that Wine does not have, Node does without. */
const withoutNewAllocation = (node: string): void => {
  const bytes = readFileSync(node);
  const name = Buffer.from('VirtualAlloc2\0');
  const at = bytes.indexOf(name);
  if (at < 0 || bytes.indexOf(name, at + 1) >= 0) throw new Error('This Node imports other names.');
  bytes.write('VirtualAlloc_', at, 'latin1');
  writeFileSync(node, bytes);
};

/** Runs a program of Wine; throws its output. Writes to a file, because the server that stays holds a pipe open. */
const runWine = ({ place, env }: Computer, ...words: string[]): void => {
  const log = path.join(place, 'said');
  const output = openSync(log, 'w');
  const { status, error } = spawnSync(words[0] ?? '', words.slice(1), {
    env,
    stdio: ['ignore', output, output],
    timeout: startLimitMs,
  });
  closeSync(output);
  if (status === 0) return;
  const why = error?.message ?? `it ended with ${status}`;
  throw new Error(`${words.join(' ')}: ${why}. ${readFileSync(log, 'utf8')}`);
};
/** A first start takes ten seconds, and far more beside other work on two cores. */
const startLimitMs = 300_000;

/**
 * Makes the computer; `npm` loads 40 MB the first time. `more`: native packages beside the keyring. Throws when a package
 * is not the one that was pinned.
 */
export const makeComputer = (more: readonly string[] = []): Computer => {
  const place = mkdtempSync(path.join(tmpdir(), 'outtray-windows-'));
  const prefix = path.join(place, 'prefix');
  const computer: Computer = {
    place,
    home: '',
    node: '',
    program: '',
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: place,
      // Debian's Wine makes its folder of the server there and never removes it.
      TMPDIR: place,
      USER: 'someone',
      LC_ALL: 'C.UTF-8',
      WINEPREFIX: prefix,
      WINEARCH: 'win64',
      WINEDEBUG: '-all',
      WINEDLLOVERRIDES: 'mscoree,mshtml,winemenubuilder.exe=',
      NODE_OPTIONS: '--import=file:///Z:' + path.join(place, 'shim.cjs'),
      NODE_PATH: windowsPath(path.join(place, 'modules')),
    },
  };
  try {
    computer.node = nodeOf('win32-x64', place);
    withoutNewAllocation(computer.node);
    for (const name of ['@napi-rs/keyring-win32-x64-msvc', ...more])
      load(path.join(place, 'modules', name), locked(name));
    cpSync(path.join(import.meta.dirname, 'shim.cjs'), path.join(place, 'shim.cjs'));
    computer.program = makeProgram(computer);
    mkdirSync(prefix);
    const wine = (...words: string[]): void => runWine(computer, ...words);
    // The programs of one test after the other find it running.
    wine('wineserver', '-p');
    wine('wineboot', '-i');
    wine('wine', 'winecfg', '-v', 'win10');
    writeFileSync(path.join(prefix, 'drive_c/windows/system32/bcryptprimitives.dll'), entropyLibrary());
    const users = path.join(prefix, 'drive_c/users');
    const user = readdirSync(users).find((name) => name !== 'Public');
    if (user === undefined) throw new Error(`Wine made no user in ${users}.`);
    computer.home = path.join(users, user);
    return computer;
  } catch (error) {
    removeComputer(computer);
    throw error;
  }
};

/** The program ignores NODE_OPTIONS, so the shim for Wine is inside it. */
const makeProgram = ({ place, node }: Computer): string => {
  const build = path.join(root, 'resources/build/program');
  cpSync(path.join(build, 'boot.cjs'), path.join(place, 'boot.cjs'));
  const first = path.join(place, 'first.cjs');
  writeFileSync(first, "require('./shim.cjs');\nrequire('./own-boot.cjs');\n");
  const assets = {
    'boot.cjs': first,
    'own-boot.cjs': path.join(place, 'boot.cjs'),
    'shim.cjs': path.join(place, 'shim.cjs'),
  };
  return buildProgram('win32-x64', { folder: path.join(place, 'program'), node, assets });
};

export const removeComputer = ({ place, env }: Computer): void => {
  // Fails where none runs, and must not hide why the computer was not made.
  for (const how of ['-k', '-w']) spawnSync('wineserver', [how], { env, stdio: 'ignore', timeout: 30_000 });
  endProcesses(`WINEPREFIX=${env['WINEPREFIX']}`);
  rmSync(place, { recursive: true, force: true, maxRetries: 10 });
};

/** Beside much other work the server outlives both. */
const endProcesses = (variable: string): void => {
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const variables = readFileSync(`/proc/${id}/environ`, 'latin1').split('\0');
      if (variables.includes(variable)) process.kill(Number(id), 'SIGKILL');
    } catch {
      // It has ended, or is another user's.
    }
  }
};

/** As programs of Windows name a file of this system. */
export const windowsPath = (file: string): string => `Z:${file.replaceAll('/', '\\')}`;

export default function setUp(project: TestProject): (() => void) | undefined {
  if (!has('wine')) return undefined;
  const computer = makeComputer();
  project.provide('computer', computer);
  return () => removeComputer(computer);
}
