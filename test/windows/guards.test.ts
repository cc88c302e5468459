// What must not happen on Windows: a program in the current folder is run, an unreadable policy counts as none, a
// file has a second row because its path is spelled differently.
import { copyFileSync, cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { lacks } from '../real/support/parts.ts';
import type { Service } from '../service/service.ts';
import { apiKey, openService } from '../support/flow/place.ts';
import { windowsPath } from './support/computer.ts';
import { computer, inHome, outtray, put, run, tool } from './support/outtray.ts';
import { drive, forgetRan, ran, replaceProgram, system32 } from './support/programs.ts';
import { standIn } from './support/stand-in.ts';

let service: Service;
const undo: (() => void)[] = [];
const replace = (name: string, content: Buffer | null): void => void undo.push(replaceProgram(name, content));
const key: { env: Record<string, string> } = { env: { OUTTRAY_API_KEY: apiKey } };

describe.skipIf(lacks('wine'))('on Windows', () => {
  beforeAll(async () => {
    service = await openService();
    key.env['OUTTRAY_BASE_URL'] = service.baseUrl;
    // Wine uses its own programs for those of System32, unless it is configured otherwise.
    key.env['WINEDLLOVERRIDES'] = `${computer.env['WINEDLLOVERRIDES']};reg.exe,rundll32.exe=n,b`;
    rmSync(path.join(computer.home, 'AppData/Local/outtray'), { recursive: true, force: true });
  });
  afterEach(() => {
    for (const one of undo.splice(0)) one();
    forgetRan();
  });
  afterAll(() => service.close());

  test('no program in the current folder is run', async () => {
    const names = [
      'powershell.exe',
      'rundll32.exe',
      'clip.exe',
      'cmd.exe',
      'chcp.com',
      'reg.exe',
      'explorer.exe',
    ];
    put('traps', {
      ...Object.fromEntries(names.map((name) => [name, standIn(`echo ${name}>>C:\\ran.txt`)])),
      'shared.txt': 'shared',
    });
    const cwd = path.join(computer.home, 'traps');
    // The trap works.
    await run([path.join(cwd, 'powershell.exe')], { cwd });
    expect(ran()).toEqual(['powershell.exe']);
    forgetRan();
    replace('rundll32.exe', standIn(String.raw`echo the system's>>C:\ran.txt`));
    const where = { cwd, ...key };
    expect(await outtray(['upload', '--copy', 'shared.txt'], where)).toMatchObject({ code: 0 });
    expect(await outtray(['link', '--open', 'shared.txt'], where)).toMatchObject({ code: 0 });
    await outtray(['paste'], where);
    await outtray(['integrate'], where);
    // Wine does not start every replaced program of System32; only the traps matter.
    expect(ran().filter((name) => names.includes(name))).toEqual([]);
  });

  describe('a policy in the registry', () => {
    const lm = String.raw`HKLM\Software\Policies\Outtray`;
    const cu = String.raw`HKCU\Software\Policies\Outtray`;
    const add = (at: string, name: string, type: string, value: string) =>
      tool('reg', 'add', at, '/v', name, '/t', type, '/d', value, '/f');
    const values = async (...names: string[]) => {
      const { code, stdout, stderr } = await outtray(['--json', 'settings'], key);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const rows = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { name: string });
      return names.map((one) => rows.find(({ name }) => name === one));
    };
    /** Wine's reg.exe does not know `/se`. */
    const asOnWindows = (): void => {
      copyFileSync(system32('reg.exe'), system32('reg-of-wine.exe'));
      cpSync(path.join(import.meta.dirname, 'support/registry.mjs'), drive('registry.mjs'));
      replace('reg.exe', standIn(`${windowsPath(computer.node)} C:\\registry.mjs %s`));
    };
    afterEach(async () => {
      await run(['reg', 'delete', lm, '/f']);
      await run(['reg', 'delete', cu, '/f']);
    });

    test('of the machine overrides that of the user, and a recommended value may be changed', async () => {
      await add(lm, 'concurrentUploads', 'REG_DWORD', '3');
      await add(lm, 'forbiddenTypes', 'REG_MULTI_SZ', String.raw`exe\0msi`);
      await add(cu, 'concurrentUploads', 'REG_DWORD', '5');
      await add(cu, 'forbiddenRoots', 'REG_MULTI_SZ', String.raw`%USERPROFILE%\private`);
      await add(`${cu}\\Recommended`, 'notify', 'REG_DWORD', '0');
      asOnWindows();
      expect(await values('concurrentUploads', 'forbiddenRoots', 'forbiddenTypes', 'notify')).toMatchObject([
        { name: 'concurrentUploads', value: 3, origin: 'policy' },
        { name: 'forbiddenRoots', value: [inHome('private')], origin: 'policy' },
        { name: 'forbiddenTypes', value: ['exe', 'msi'], origin: 'policy' },
        { name: 'notify', value: false, origin: 'recommended' },
      ]);
    });

    test('that cannot be queried stops every command, and reports where it is', async () => {
      put('.', { 'kept.txt': 'kept' });
      replace('reg.exe', null);
      for (const args of [['upload', 'kept.txt'], ['status'], ['watch', 'kept']]) {
        const { code, stderr } = await outtray(args, key);
        expect(code).not.toBe(0);
        expect(stderr).toContain(String.raw`HKLM\Software\Policies\Outtray`);
      }
      expect(service.files().map(({ filename }) => filename)).not.toContain('kept.txt');
    });

    test('that exists and cannot be read stops every command, too', async () => {
      await add(lm, 'notify', 'REG_DWORD', '0');
      // It does not know `/se`, and so it fails for a key that is there.
      const { code, stderr } = await outtray(['status'], key);
      expect(code).not.toBe(0);
      expect(stderr).toContain(lm);
    });
  });

  test('the script for checks that Wine cannot show runs to its end', async () => {
    const { stdout } = await run([computer.node, windowsPath(path.join(import.meta.dirname, 'prove.ts'))]);
    expect(stdout).toContain('holds  the Credential Manager keeps a key');
    expect(stdout).toContain('holds  a path in other capitals has the spelling of the disk');
    expect(stdout).toContain('DOES NOT HOLD  reg.exe knows /se and prints UTF-8');
    expect(stdout).toMatch(/\d of 11 facts hold\.\n$/);
  });

  test('a file has one row and one link, however its path is spelled', async () => {
    const folder = put('Spelled Folder', { 'Long file name.txt': 'spelled' });
    const file = `${folder}\\Long file name.txt`;
    const [first] = (await outtray(['upload', file], key)).stdout.trim().split('\n');
    expect(first).toMatch(/^http/);
    const short = (
      await run(['cmd', '/c', 'for', '%f', 'in', `("${file}")`, 'do', '@echo', '%~sf'])
    ).stdout.trim();
    const others = [
      file.toUpperCase(),
      file.replace('C:', 'c:'),
      file.replaceAll('\\', '/'),
      `\\\\?\\${file}`,
      ...(short === file || short === '' ? [] : [short]),
    ];
    const again = await outtray(['--json', 'upload', ...others], key);
    const told = again.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    // Another row would be reported as one of the same content.
    expect(told.slice(0, -1)).toMatchObject(
      others.map(() => ({ event: 'uploaded', path: file, public_link: first })),
    );
    expect(service.files().filter(({ filename }) => filename === 'Long file name.txt')).toHaveLength(1);
    const why = await outtray(['--json', 'why', file.toUpperCase()], key);
    expect(JSON.parse(why.stdout)).toMatchObject({ path: file, state: 'uploaded' });
    expect(await outtray(['recall', file.toLowerCase()], key)).toMatchObject({ code: 0 });
    expect(service.files().map(({ filename }) => filename)).not.toContain('Long file name.txt');
  });
});
