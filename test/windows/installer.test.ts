// What installer.nsh adds to Windows, and what it removes again. Debian's makensis makes the installer for 64 bits,
// because Debian's Wine runs no other.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { entryLabels } from '../../src-main/adapters/integrate/labels.ts';
import { lacks } from '../real/support/parts.ts';
import { eventually } from '../support/flow/poll.ts';
import { installerScript } from '../support/package/installer-script.ts';
import { windowsPath } from './support/computer.ts';
import { computer, inHome, put, run, tool } from './support/outtray.ts';
import { forgetRan, ran, replaceProgram } from './support/programs.ts';
import { standIn } from './support/stand-in.ts';

const inPlace = (name: string): string => path.join(computer.place, name);
const folder = path.join(computer.home, 'AppData/Local/Programs/Outtray');
const asWindows = inHome('AppData/Local/Programs/Outtray');
const startMenu = path.join(computer.home, 'AppData/Roaming/Microsoft/Windows/Start Menu/Programs');
// Wine uses its own programs for those of System32, unless it is configured otherwise.
const env = { WINEDLLOVERRIDES: `${computer.env['WINEDLLOVERRIDES']};powershell.exe=n,b` };
const undo: (() => void)[] = [];
// A message to all windows would take 11 s, because some of Wine's do not answer.
const settings = `
Target amd64-unicode
!undef HWND_BROADCAST
!define HWND_BROADCAST 0
`;

/** What starts PowerShell, which Wine does not have, writes its command line. */
const asked = (what: string): string =>
  `"C:\\windows\\system32\\WindowsPowerShell\\v1.0\\powershell.exe" -NoProfile -NonInteractive -ExecutionPolicy Bypass -File "${asWindows}\\bin\\path.ps1" ${what}`;

const install = async (...words: string[]): Promise<void> => {
  const traps = put('downloads', { 'powershell.exe': standIn(String.raw`echo trap>>C:\ran.txt`) });
  const cwd = path.join(computer.home, path.win32.basename(traps));
  expect(await run([inPlace('outtray-setup.exe'), '/S', ...words], { cwd, env })).toMatchObject({ code: 0 });
};
/** As an update starts the uninstaller: a copy of it, which waits. */
const update = (): Promise<unknown> => {
  cpSync(path.join(folder, 'Uninstall Outtray.exe'), inPlace('old-uninstaller.exe'));
  return run([inPlace('old-uninstaller.exe'), '/S', '--updated', `_?=${asWindows}`], { env });
};
/** As a person starts the uninstaller: it makes a copy, which continues alone, and also after the folder is gone. */
const uninstall = async (...words: string[]): Promise<void> => {
  await run([path.join(folder, 'Uninstall Outtray.exe'), '/S', ...words], { env });
  await eventually('the folder is gone', () => !existsSync(folder) || undefined);
  await eventually('the copy of the uninstaller has ended', () => !isUninstalling() || undefined);
};
const isUninstalling = (): boolean =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((id) => {
      try {
        return readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(String.raw`.tmp\Un.exe`);
      } catch {
        return false;
      }
    });

describe.skipIf(lacks('wine', 'makensis'))('the installer on Windows', () => {
  beforeAll(() => {
    writeFileSync(inPlace('app.exe'), standIn(String.raw`echo %s>>C:\ran.txt & exit 7`));
    const [output, program] = [inPlace('outtray-setup.exe'), inPlace('app.exe')];
    writeFileSync(inPlace('setup.nsi'), installerScript({ output, program, settings }));
    execFileSync('makensis', ['-V2', '-WX', '-INPUTCHARSET', 'UTF8', inPlace('setup.nsi')]);
    undo.push(
      replaceProgram(
        'WindowsPowerShell/v1.0/powershell.exe',
        // It ends no program: it takes away the folder that stands for one that runs.
        standIn(String.raw`echo %s>>C:\ran.txt & rmdir "%%OUTTRAY_APP%%" 2>nul`),
      ),
    );
  });
  afterEach(forgetRan);
  afterAll(() => {
    for (const one of undo.splice(0)) one();
  });

  test('adds the folder of the command to PATH', async () => {
    await install();
    expect(ran()).toEqual([asked('add User')]);
    forgetRan();
  });

  test('ends the app that runs, also in a folder with an apostrophe', async () => {
    const odd = path.join(computer.home, "O'Brien");
    // It can no more be opened for writing than a program that runs.
    mkdirSync(path.join(odd, 'Outtray.exe'), { recursive: true });
    await install(`/D=${windowsPath(odd)}`);
    expect(statSync(path.join(odd, 'Outtray.exe')).isFile()).toBe(true);
    expect(ran().join()).toContain('Stop-Process');
    expect(ran().filter((line) => line.includes("'"))).toEqual([
      asked('add User').replace(asWindows, windowsPath(odd)),
    ]);
    rmSync(odd, { recursive: true });
  });

  test('keeps the app’s entries in an update and removes them at uninstallation, and touches nothing of another program', async () => {
    await install();
    const program = `${asWindows}\\Outtray.exe`.replaceAll('\\', '\\\\');
    const current = String.raw`HKEY_CURRENT_USER\Software`;
    const explorer = String.raw`Microsoft\Windows\CurrentVersion\Explorer`;
    const server = (name: string, what: string): string =>
      `[${current}\\Classes\\CLSID\\${name}\\LocalServer32]\r\n@="${what}"\r\n`;
    writeFileSync(
      inPlace('as-the-app.reg'),
      `Windows Registry Editor Version 5.00\r\n
[${current}\\Microsoft\\Windows\\CurrentVersion\\Run]
"app.outtray.desktop"="${program} --hidden"
"app.outtray.desktop.work"="${program} --hidden --profile=work"
"of.another"="C:\\\\other.exe"
[${current}\\${explorer}\\StartupApproved\\Run]
"app.outtray.desktop"=hex:02,00
"app.outtray.desktop.work"=hex:02,00
"of.another"=hex:02,00
[${current}\\Classes\\AppUserModelId\\app.outtray.desktop]
"DisplayName"="Outtray"
[${current}\\Classes\\AppUserModelId\\of.another]
"DisplayName"="Another"
${server('{1}', program)}${server('{2}', program)}${server('{3}', String.raw`C:\\other\\Outtray.exe`)}${server('{4}', program.toUpperCase())}`,
    );
    await tool('regedit', '/S', windowsPath(inPlace('as-the-app.reg')));
    mkdirSync(startMenu, { recursive: true });
    for (const name of ['Outtray.lnk', 'Other.lnk']) writeFileSync(path.join(startMenu, name), '');
    put('AppData/Local/outtray/Data', { 'kept.txt': 'kept' });
    const registered = async (): Promise<string[]> => {
      const all = await tool('reg', 'query', String.raw`HKCU\Software`, '/s');
      return ['app.outtray.desktop', 'of.another', '{1}', '{2}', '{3}', '{4}'].flatMap((name) =>
        Array.from({ length: all.split(name).length - 1 }, () => name),
      );
    };
    const before = await registered();
    expect(new Set(before).size).toBe(6);

    await update();
    expect(ran()).toEqual([asked('add User')]);
    expect(await registered()).toEqual(before);
    expect(existsSync(path.join(startMenu, 'Outtray.lnk'))).toBe(true);

    await install();
    forgetRan();
    await uninstall();
    expect(ran()).toEqual([asked('remove User')]);
    expect(await registered()).toEqual(before.filter((name) => ['of.another', '{3}'].includes(name)));
    expect(existsSync(path.join(startMenu, 'Outtray.lnk'))).toBe(false);
    expect(existsSync(path.join(startMenu, 'Other.lnk'))).toBe(true);
    // The ledger and the settings are the user's.
    expect(existsSync(path.join(computer.home, 'AppData/Local/outtray/Data/kept.txt'))).toBe(true);
  });

  const verbs = String.raw`HKEY_CURRENT_USER\Software\Classes\*\shell`;
  const sendTo = path.join(computer.home, 'AppData/Roaming/Microsoft/Windows/SendTo');
  const ours = Object.values(entryLabels).map((label) => `${label}.lnk`);
  /** As `outtray integrate` of this copy of the app writes them. */
  const integrate = async (copy: string, more = ''): Promise<void> => {
    const command = String.raw`\"${copy.replaceAll('\\', '\\\\')}\\Outtray.exe\" --share \"%1\"`;
    const file = inPlace('explorer.reg');
    writeFileSync(
      file,
      `Windows Registry Editor Version 5.00\r\n
[${verbs}\\Outtray]
@="Upload and copy link"
[${verbs}\\Outtray\\command]
@="${command}"
${more}`,
    );
    await tool('regedit', '/S', windowsPath(file));
    mkdirSync(sendTo, { recursive: true });
    for (const name of [...ours, 'Other.lnk']) writeFileSync(path.join(sendTo, name), '');
  };
  const keysOf = async (): Promise<string[]> =>
    (await tool('reg', 'query', String.raw`HKCU\Software\Classes`, '/s'))
      .split(/\r?\n/)
      .filter((line) => line.startsWith('HKEY_CURRENT_USER\\Software\\Classes\\*'));

  test.for([
    ['alone', '', []],
    [
      'beside a verb of another program',
      `[${verbs}\\Other]\r\n`,
      [path.win32.dirname(verbs), verbs, `${verbs}\\Other`],
    ],
    [
      'beside a value of another program',
      `[${path.win32.dirname(verbs)}]\r\n"other"="1"\r\n`,
      [path.win32.dirname(verbs)],
    ],
  ] as const)('removes the entries of Explorer, %s', async ([, more, left]) => {
    await install();
    await integrate(asWindows, more);
    await update();
    expect((await keysOf()).at(-1)).toContain('shell');
    await install();
    await uninstall();
    expect(await keysOf()).toEqual(left);
    expect(readdirSync(sendTo)).toEqual(['Other.lnk']);
    await tool('reg', 'add', String.raw`HKCU\Software\Classes\*`, '/f');
    await tool('reg', 'delete', String.raw`HKCU\Software\Classes\*`, '/f');
  });

  test('keeps the entries of Explorer that start another copy of the app', async () => {
    await install();
    await integrate(String.raw`C:\other`);
    await uninstall();
    expect(await keysOf()).toContain(`${verbs}\\Outtray\\command`);
    expect(readdirSync(sendTo).toSorted()).toEqual([...ours, 'Other.lnk'].toSorted());
    await tool('reg', 'delete', String.raw`HKCU\Software\Classes\*`, '/f');
  });

  test('for all users uses the PATH of the machine', async () => {
    await install('/allusers');
    await uninstall('/allusers');
    expect(ran()).toEqual([asked('add Machine'), asked('remove Machine')]);
  });
});
