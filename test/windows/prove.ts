// Proves on a computer with Windows what Wine cannot show: in a checkout, `node test/windows/prove.ts`. It takes a minute,
// needs no account, and prints one line per fact. It puts a text on the clipboard, and removes everything else it makes.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { writeText } from '../../src-main/adapters/clipboard/write-text.ts';
import { createFiles } from '../../src-main/adapters/files/files.ts';
import { spell } from '../../src-main/adapters/files/spelling.ts';
import { createKeychain } from '../../src-main/adapters/keychain/keychain.ts';
import { registryQuery } from '../../src-main/adapters/policy/windows.ts';
import { parseRegistry } from '../../src-main/adapters/policy/registry.ts';
import { parseSecret } from '../../src-main/adapters/secret.ts';
import { windowsProgram } from '../../src-main/adapters/system/programs.ts';
import { createWatch } from '../../src-main/adapters/watch/watch.ts';

const { env } = process;
const pathScript = path.join(import.meta.dirname, '../../resources/package/windows/bin/path.ps1');
const text = `Outtray Zürich 合 ${process.pid}`;
const folder = mkdtempSync(path.join(realpathSync.native(tmpdir()), 'outtray-proof-'));
const at = (...names: string[]): string => path.join(folder, ...names);
const ran = (program: Parameters<typeof windowsProgram>[0], ...args: string[]): string =>
  execFileSync(windowsProgram(program, env), args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
const tool = (name: string, ...args: string[]): string =>
  execFileSync(path.join(path.dirname(windowsProgram('cmd.exe', env)), name), args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
const spelled = async (file: string): Promise<string> => (await spell([file]))[0]?.path ?? '';
const same = (found: unknown, wanted: unknown): string | null =>
  found === wanted ? null : `${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`;
/** The user's PATH without empty entries, nothing in it expanded; null where there is none. */
const userPath = (): string[] | null => {
  const values = parseRegistry(
    registryQuery(env)(String.raw`HKCU\Environment`, { below: true }) ?? '',
    'Environment',
  );
  const found = Object.entries(values).find(([name]) => name.toLowerCase() === 'path')?.[1];
  return typeof found === 'string' ? found.split(';').filter((one) => one !== '') : null;
};
const isNotThere = (found: boolean): string | null => (found ? null : 'the system tells another thing');

/** Each returns null if it holds, else what it found. What it throws is printed, too. */
const facts: Record<string, () => Promise<string | null> | string | null> = {
  async 'a text goes to the clipboard by PowerShell and comes back'() {
    await writeText(text, env, 'win32');
    const script = '[Console]::OutputEncoding = [Text.UTF8Encoding]::new($false); Get-Clipboard -Raw';
    return same(ran('powershell.exe', '-NoProfile', '-NonInteractive', '-Command', script).trim(), text);
  },
  'reg.exe knows /se and prints UTF-8'() {
    const key = String.raw`HKCU\Software\Outtray-proof`;
    try {
      ran('reg.exe', 'add', key, '/v', 'list', '/t', 'REG_MULTI_SZ', '/s', '|', '/d', `one|${text}`, '/f');
      const values = parseRegistry(registryQuery(env)(key, { below: true }) ?? '', key.slice(5));
      return same(JSON.stringify(values['list']), JSON.stringify(['one', text]));
    } finally {
      ran('reg.exe', 'delete', key, '/f');
    }
  },
  'PATH gets the folder of the command and loses it again, and keeps all else'() {
    mkdirSync(at('bin'));
    copyFileSync(pathScript, at('bin', 'path.ps1'));
    const edit = (what: string): string[] | null => {
      const words = ['-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass'];
      ran('powershell.exe', ...words, '-File', at('bin', 'path.ps1'), what, 'User');
      return userPath();
    };
    const before = userPath();
    return (
      same(JSON.stringify(edit('add')), JSON.stringify([...(before ?? []), at('bin')])) ??
      same(JSON.stringify(edit('remove')), JSON.stringify(before))
    );
  },
  async 'the Credential Manager keeps a key'() {
    const keychain = createKeychain();
    const address = 'https://outtray-proof.invalid';
    await keychain.set(address, parseSecret('proof-key'));
    const kept = await keychain.get(address);
    await keychain.remove(address);
    return same(kept.kind, 'present');
  },
  async 'a path in other capitals has the spelling of the disk'() {
    const file = at('Long file name.txt');
    writeFileSync(file, text);
    return same(await spelled(file.toUpperCase()), file);
  },
  async 'a short name has the spelling of the disk'() {
    const file = at('Another long name.txt');
    writeFileSync(file, text);
    const line = ['/d', '/c', `for %f in ("${file}") do @echo %~sf`];
    const short = execFileSync(windowsProgram('cmd.exe', env), line, {
      encoding: 'utf8',
      ...({ windowsVerbatimArguments: true } as object),
    }).trim();
    return short.toLowerCase() === file.toLowerCase()
      ? 'this drive makes no short names'
      : same(await spelled(short), file);
  },
  async 'a path of more than 260 characters has the spelling of the disk'() {
    const deep = at(...Array.from({ length: 8 }, (_, level) => `Level ${level} ${'x'.repeat(40)}`));
    mkdirSync(deep, { recursive: true });
    writeFileSync(path.join(deep, 'File.txt'), text);
    return same(await spelled(path.join(deep, 'FILE.TXT').toLowerCase()), path.join(deep, 'File.txt'));
  },
  async 'a junction above a file is followed, and is a link in its place'() {
    mkdirSync(at('Real'));
    writeFileSync(at('Real', 'a.txt'), text);
    symlinkSync(at('Real'), at('Link'), 'junction');
    const type = (await createFiles().look(at('Link')))?.type;
    return same(await spelled(at('LINK', 'A.TXT')), at('Real', 'a.txt')) ?? same(type, 'link');
  },
  async 'a birth time is not the last change'() {
    const file = at('born.txt');
    writeFileSync(file, text);
    await new Promise((next) => setTimeout(next, 100));
    writeFileSync(file, `${text} again`);
    const { birthtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return isNotThere(birthtimeNs > 0n && birthtimeNs < ctimeNs);
  },
  async 'changes in a subfolder are told while thousands of files arrive'() {
    const folders = ['tray', 'tray/sub', 'tray/sub/deep'].map((name) => at(...name.split('/')));
    for (const one of folders) mkdirSync(one);
    // A folder alone means all that is in it: some changes were lost, and the engine looks.
    const told = new Set<string>();
    const { stop } = await createWatch().start({
      root: at('tray'),
      recursive: true,
      sighted: (batch) => {
        for (const one of batch) told.add(path.join(one.folder, one.everything ? '*' : (one.name ?? '')));
      },
      health: () => undefined,
      signal: new AbortController().signal,
    });
    const files = Array.from({ length: 3000 }, (_, number) =>
      path.join(folders[number % folders.length] ?? '', `${number}.txt`),
    );
    for (const file of files) writeFileSync(file, text);
    await new Promise((next) => setTimeout(next, 5000));
    await stop();
    const missed = files.filter((file) => !told.has(file) && !told.has(path.dirname(file)));
    return told.has(at('tray', '*')) ? null : same(missed.length, 0);
  },
  async 'a folder that may not be listed is told as such'() {
    mkdirSync(at('closed'));
    const { username } = userInfo();
    tool('icacls.exe', at('closed'), '/deny', `${username}:(RD)`);
    try {
      const listing = await createFiles().list(at('closed'));
      return isNotThere(!listing.ok && !listing.gone);
    } finally {
      tool('icacls.exe', at('closed'), '/remove:d', username);
    }
  },
};

let failed = 0;
try {
  for (const [fact, prove] of Object.entries(facts)) {
    let seen: string | null;
    try {
      seen = await prove();
    } catch (error) {
      seen = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    }
    if (seen !== null) failed += 1;
    console.log(`${seen === null ? 'holds' : 'DOES NOT HOLD'}  ${fact}${seen === null ? '' : `: ${seen}`}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
console.log(`${Object.keys(facts).length - failed} of ${Object.keys(facts).length} facts hold.`);
process.exitCode = failed === 0 ? 0 : 1;
