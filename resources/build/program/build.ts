// Makes the program `outtray`: Node with all of out/cli inside it, and beside it `lib` with the keyring's native module.
// nodejs.org/api/single-executable-applications.html; resources/docs/design/decisions.md.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import lock from '../../../package-lock.json' with { type: 'json' };
import { version } from '../../../src-main/adapters/version.ts';
import { nodes, nodeVersion, thisSystem, type System } from './nodes.ts';
import { fromNpm } from './npm.ts';
import { windowsProgram } from './windows.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const bundle = path.join(root, 'out/cli');
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** The folder with the program, of this system or of another one. */
export const programFolder = (system: System = thisSystem()): string =>
  path.join(root, 'out/program', system === thisSystem() ? '' : system, 'outtray');

export const programFile = (system: System = thisSystem()): string =>
  path.join(programFolder(system), system.startsWith('win32') ? 'outtray.exe' : 'outtray');

/** For a test's own program: where it goes, the Node in it, and assets (name → file) that replace ours. */
export type Variant = { folder: string; node: string; assets: Record<string, string> };

/** From out/cli, which must be built. Returns the program. */
export const buildProgram = (system: System = thisSystem(), variant?: Variant): string => {
  if (process.versions.node !== nodeVersion)
    throw new Error(
      `The program is built by Node ${nodeVersion}, which it contains; this is ${process.versions.node}.`,
    );
  const folder = variant?.folder ?? programFolder(system);
  const target = path.join(folder, path.basename(programFile(system)));
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'outtray-program-'));
  try {
    const assets = variant?.assets ?? {};
    const node = variant?.node ?? nodeOf(system, work);
    const put = (blob: string): void => {
      if (system.startsWith('win32'))
        fs.writeFileSync(target, windowsProgram(fs.readFileSync(node), fs.readFileSync(blob), fuse, version));
      else inject(node, target, blob, system);
    };
    fs.rmSync(folder, { recursive: true, force: true });
    fs.mkdirSync(path.join(folder, 'lib'), { recursive: true });
    fs.copyFileSync(keyringOf(system, work), path.join(folder, 'lib/keyring.node'));
    if (system === thisSystem()) {
      const code = path.join(work, 'code');
      fs.mkdirSync(code);
      put(makeBlob(work, assets, learningText(code)));
      run(process.execPath, [path.join(import.meta.dirname, 'learn.ts'), target]);
      for (const name of fs.readdirSync(code)) assets[`${name}.code`] = path.join(code, name);
      put(makeBlob(work, assets, '', true));
      demandThatItStarts(target);
    } else put(makeBlob(work, assets));
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
  return target;
};

/**
 * Writes the code that V8 compiled when the process ends. Such code is valid for the same Node and the same flags of V8,
 * so no flag is set meanwhile (src-main/cli/stay-lean.ts).
 */
const learningText = (folder: string): string => `
require('node:v8').setFlagsFromString = () => undefined;
process.on('exit', () => {
  for (const [name, script] of scripts)
    require('node:fs').writeFileSync(join(${JSON.stringify(folder)}, name), script.createCachedData());
});
`;

/**
 * Everything that the program loads, as assets: a foreign file beside a copy of the program is never run. Only with
 * compiled code inside (`isForThisSystem`) does Node look for none in the folder that NODE_COMPILE_CACHE names.
 */
const makeBlob = (
  work: string,
  more: Record<string, string>,
  first = '',
  isForThisSystem = false,
): string => {
  const here = (name: string): string => path.join(import.meta.dirname, name);
  const loader = `${fs.readFileSync(here('loader.cjs'), 'utf8')}${first}`;
  const write = (name: string, text: string, encoding: BufferEncoding = 'utf8'): string => {
    fs.writeFileSync(path.join(work, name), text, encoding);
    return path.join(work, name);
  };
  const main = write('main.cjs', `${loader}start('boot.cjs');\n`);
  const assets: Record<string, string> = { 'boot.cjs': here('boot.cjs') };
  for (const name of fs.readdirSync(bundle))
    if (name.endsWith('.cjs')) assets[name] = path.join(bundle, name);
  Object.assign(assets, more);
  for (const [name, file] of Object.entries(assets)) {
    if (name.endsWith('.cjs')) assets[name] = write(`wrapped-${name}`, wrapped(file), 'latin1');
  }
  assets['thread.cjs'] = write('thread.cjs', `${loader}start(process.argv[2]);\n`);
  const output = path.join(work, 'program.blob');
  const config = write(
    'sea.json',
    JSON.stringify({
      main,
      output,
      assets,
      useCodeCache: isForThisSystem,
      disableExperimentalSEAWarning: true,
      // SIGUSR1 would open a debugger, and options of the environment would run foreign code.
      execArgv: ['--disable-warning=ExperimentalWarning', '--disable-sigusr1'],
      execArgvExtension: 'none',
    }),
  );
  run(process.execPath, ['--experimental-sea-config', config]);
  return output;
};

/**
 * The file as the function that the loader calls. It is stored with one byte a character, and so V8 keeps it: with one
 * wider character all of it would take two. A tagged template keeps its characters.
 */
const wrapped = (file: string): string => {
  const text = fs.readFileSync(file, 'utf8');
  const wide = /[^\0-\xff].{0,40}/.exec(text);
  if (wide !== null) throw new Error(`${file} has a character outside Latin-1: ${wide[0]}`);
  return `(function (exports, require, module, __filename, __dirname) { ${text.replace(/^#!.*/, '')}\n});`;
};

const inject = (node: string, target: string, blob: string, system: System): void => {
  fs.copyFileSync(node, target);
  fs.chmodSync(target, 0o755);
  const isMac = system.startsWith('darwin');
  // Both before the injection: strip after it makes a program that crashes (nodejs/postject issue 90).
  if (isMac) run('codesign', ['--remove-signature', target]);
  else strip(target, system);
  const postject = path.join(path.dirname(fileURLToPath(import.meta.resolve('postject'))), 'cli.js');
  const segment = isMac ? ['--macho-segment-name', 'NODE_SEA'] : [];
  run(process.execPath, [postject, target, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse, ...segment]);
  // macOS kills what was changed and is not signed (issue 103). electron-builder signs it again.
  if (isMac) run('codesign', ['--sign', '-', target]);
};

/** A quarter of Node's file is symbols. Where there is no strip for that processor they stay. */
const strip = (file: string, system: System): void => {
  const own =
    system === thisSystem() ? 'strip' : `${system === 'linux-arm64' ? 'aarch64' : 'x86_64'}-linux-gnu-strip`;
  try {
    run(own, [file]);
  } catch {
    console.log(`Not stripped: there is no ${own}.`);
  }
};

/** The pinned executable; from npm it goes below `work`. */
export const nodeOf = (system: System, work: string): string => {
  const { npm, sha256 } = nodes[system];
  const isHere = system === thisSystem();
  if (!isHere && npm === null)
    throw new Error(`npm has no Node ${nodeVersion} for ${system}: build it there.`);
  const name = system.startsWith('win32') ? 'node.exe' : 'node';
  const file =
    isHere || npm === null
      ? fs.realpathSync(process.execPath)
      : path.join(fromNpm(npm, nodeVersion, work), 'bin', name);
  const sum = createHash('sha256').update(fs.readFileSync(file)).digest('hex');
  if (sha256 === null) console.log(`Node of ${system}, not recorded in nodes.ts: ${sum}`);
  else if (sum !== sha256)
    throw new Error(`${file} is not Node ${nodeVersion} of ${system}: its SHA-256 is ${sum}.`);
  return file;
};

const keyringOf = (system: System, work: string): string => {
  const { keyring } = nodes[system];
  const place = `node_modules/${keyring}` as const;
  const installed = path.join(root, place);
  const { version: wanted = '', integrity } =
    (lock.packages as Record<string, { version?: string; integrity?: string }>)[place] ?? {};
  const folder = fs.existsSync(installed) ? installed : fromNpm(keyring, wanted, work, integrity);
  const native = fs.readdirSync(folder).find((name) => name.endsWith('.node'));
  if (native === undefined) throw new Error(`${keyring} has no native module.`);
  return path.join(folder, native);
};

/** Its version, and its native module: a child that is asked for a key answers, if only that there is no keychain. */
const demandThatItStarts = (program: string): void => {
  const printed = run(program, ['--version']);
  if (printed !== `${version}\n`)
    throw new Error(`The program prints ${JSON.stringify(printed)} for --version.`);
  const asked = `
    const child = require('node:child_process').spawn(process.argv[1], ['--keychain-child'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    child.on('message', (said) => { console.log(JSON.stringify(said)); child.kill('SIGKILL'); });
    child.send({ act: 'get', account: 'build' });`;
  const answer = run(process.execPath, ['-e', asked, program]);
  if (!answer.includes('"kind"') || answer.includes('keyring.node'))
    throw new Error(`The keyring does not load: ${answer}`);
};

function run(file: string, args: readonly string[]): string {
  return execFileSync(file, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 120_000 });
}
