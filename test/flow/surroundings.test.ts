// The unit and adapters tests on other machines: other users, shells, languages, folders. A checkout of the present files
// is made for them, in a folder with blanks and umlauts. Tests that only compute see nothing of a machine, and do not run
// here: those of the engine, of pictures, of what is found in a file, and of the tables in a ledger.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { placeInMemory } from '../support/machine.ts';

const root = path.resolve(import.meta.dirname, '../..');
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
/** In memory if possible: durable commits take a tenth of the time. */
const place = mkdtempSync(path.join(placeInMemory() ?? tmpdir(), 'outtray surroundings-'));
const checkout = path.join(place, 'Ablage für Jörg');
const home = path.join(place, 'Jörg Müller');
const temporary = path.join(place, 'temporary files');

type Surroundings = {
  env: Record<string, string>;
  umask?: string;
  before?: readonly string[];
};

/** Runs a program as the user `nobody`. That user must be able to read the packages of this checkout. */
const asNobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
const isNobodyHere = spawnSync(asNobody[0] ?? '', [...asNobody.slice(1), 'test', '-r', vitest]).status === 0;

/** The other user comes last: the checkout becomes theirs. */
const all: Record<string, Surroundings> = {
  'a shell in which everything is set': {
    env: {
      HOME: '/',
      TZ: 'America/St_Johns',
      CI: 'true',
      NO_COLOR: '1',
      NODE_OPTIONS: '--max-old-space-size=3000',
      OUTTRAY_HOME: path.join(place, 'nowhere'),
      OUTTRAY_API_KEY: 'a key of the shell',
      OUTTRAY_BASE_URL: 'https://files.invalid',
      http_proxy: 'http://127.0.0.1:9',
      HTTPS_PROXY: 'http://127.0.0.1:9',
      ALL_PROXY: 'socks5://127.0.0.1:9',
      XDG_CONFIG_HOME: path.join(place, 'nowhere'),
      XDG_DATA_HOME: path.join(place, 'nowhere'),
      XDG_RUNTIME_DIR: path.join(place, 'nowhere'),
      GIT_CONFIG_GLOBAL: path.join(place, 'nowhere'),
    },
    umask: '002',
  },
  'nothing set, one core, no browser': {
    env: { CHROMIUM: path.join(place, 'nowhere') },
    before: ['taskset', '--cpu-list', '0'],
  },
  'another user and language, umask 077, blanks and umlauts in every folder': {
    env: {
      HOME: home,
      TZ: 'Asia/Kathmandu',
      LANG: 'de_DE.UTF-8',
      LC_ALL: 'tr_TR.UTF-8',
      TMPDIR: temporary,
    },
    umask: '077',
    before: isNobodyHere ? asNobody : [],
  },
};

beforeAll(() => {
  for (const folder of [checkout, home, temporary, path.join(checkout, 'node_modules')])
    mkdirSync(folder, { recursive: true });
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  for (const file of git('ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0'))
    if (file !== '')
      cpSync(path.join(root, file), path.join(checkout, file), { recursive: true, force: true });
  // Vite writes into the folder itself, so each package is a link of its own.
  for (const name of readdirSync(path.join(root, 'node_modules')).filter((one) =>
    /^(\.bin|[^.].*)$/.test(one),
  ))
    symlinkSync(path.join(root, 'node_modules', name), path.join(checkout, 'node_modules', name));
  execFileSync('git', ['init', '--quiet'], { cwd: checkout });
  execFileSync('git', ['add', '--all'], { cwd: checkout });
});
afterAll(() => {
  rmSync(place, { recursive: true, force: true });
});

/** Tests that see something of a machine. */
const files = ['unit', 'adapters'].flatMap((kind) =>
  readdirSync(path.join(root, 'test', kind))
    .filter((name) => !/^(engine$|photo|secret|look|excerpt|ledger-(?!open|read|newer))/.test(name))
    .map((name) => `test/${kind}/${name}`),
);

test.runIf(process.platform === 'linux').each(Object.entries(all))(
  'the unit and adapters tests pass with %s',
  async (_name, { env, umask = '022', before = [] }) => {
    if (before === asNobody) execFileSync('chown', ['--recursive', '--no-dereference', '65534:65534', place]);
    const words = [...before, process.execPath, vitest, 'run', '--config', '.config/vitest.config.ts'];
    const child = spawn(
      '/bin/sh',
      ['-c', `umask ${umask}; exec "$@"`, 'sh', ...words, '--maxWorkers', '2', ...files],
      {
        // A group of its own, so that none of its processes is left when the time is up.
        detached: true,
        cwd: checkout,
        env: { PATH: process.env['PATH'], OUTTRAY_PATIENCE: '3', TMPDIR: path.dirname(place), ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    onTestFinished(() => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // All of them have ended.
      }
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const code = await new Promise((resolve) => child.once('close', resolve));
    const failures = stripVTControlCharacters(output)
      .split('\n')
      .filter((line) => /FAIL|^\S*Error:/.test(line));
    expect({ failures, code, end: code === 0 ? '' : output.slice(-2000) }).toEqual({
      failures: [],
      code: 0,
      end: '',
    });
  },
  900_000,
);
