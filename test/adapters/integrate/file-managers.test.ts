// Entries in the file managers: their content and place, their validity where a validator exists, that their command gets
// every name unchanged, and that nothing stays behind.
import { spawnSync } from 'node:child_process';
import { appendFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFileManagers } from '../../../src-main/adapters/integrate/file-managers.ts';
import { finderScript } from '../../../src-main/adapters/integrate/finder.ts';
import {
  explorerQueryScript,
  explorerRemovalScript,
  explorerScript,
  verbKey,
  type StartProgram,
} from '../../../src-main/adapters/integrate/explorer.ts';
import { thunarSendTo } from '../../../src-main/adapters/integrate/linux.ts';
import { entryLabels } from '../../../src-main/adapters/integrate/labels.ts';
import type { Language } from '../../../src-main/contract/text/speech.ts';
import { desktopWords, keyOf, nautilusWords, nemoWords, thunarWords } from '../../support/entry-runner.ts';
import { posixTest } from '../../support/posix.ts';
import { hostileNames } from '../../support/flow/hostile-names.ts';
import {
  all,
  eachTestHasAUser,
  everything,
  files,
  home,
  install,
  leftBehind,
  linux,
  program,
  record,
  root,
  states,
  tree,
  words,
} from './user.ts';

eachTestHasAUser();

const commandIn = (xml: string): string =>
  (/<command>(.*)<\/command>/.exec(xml)?.[1] ?? '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

describe.runIf(process.platform === 'linux')('on Linux', () => {
  test('only installed file managers get an entry, and removing leaves no file and no folder', async () => {
    await install('nemo', 'Thunar');
    const managers = linux();
    expect(await states(managers)).toEqual({
      nautilus: 'missing',
      nemo: 'off',
      thunar: 'off',
      dolphin: 'missing',
    });
    for (const name of all) await managers.add(name);
    expect(await states(managers)).toEqual({
      nautilus: 'missing',
      nemo: 'on',
      thunar: 'on',
      dolphin: 'missing',
    });
    expect(
      (await everything()).filter((one) => /\.\w+$/.test(path.basename(one)) && one.includes('/')),
    ).toEqual(['.config/Thunar/uca.xml', '.local/share/nemo/actions/outtray.nemo_action']);
    // A file manager that was removed meanwhile: its entry can still be removed.
    await rm(path.join(root, 'bin/nemo'));
    for (const name of all) await managers.remove(name);
    expect(await leftBehind()).toEqual([]);
  });

  test('removed in any order, the entries leave no folder that is empty then', async () => {
    await install(...all);
    const managers = linux();
    for (const added of [all, all.toReversed()])
      for (const removed of [all, all.toReversed(), ['dolphin', 'nautilus', 'thunar', 'nemo'] as const]) {
        for (const name of added) await managers.add(name);
        // Replaced by one in another language, it still removes the folders.
        await linux({ language: 'de' }).add('nautilus');
        for (const name of removed) await managers.remove(name);
        expect(await leftBehind()).toEqual([]);
      }
  });

  test('a slash behind a folder of the user changes nothing', async () => {
    await install(...all);
    const managers = linux({
      env: {
        XDG_DATA_HOME: `${path.join(home(), '.local/share')}/`,
        XDG_CONFIG_HOME: `${path.join(home(), '.config')}/`,
      },
    });
    for (const name of all) await managers.add(name);
    for (const name of all) await managers.remove(name);
    expect(await leftBehind()).toEqual([]);
  });

  test('only the user writes into a new folder, also where the umask is 0', async () => {
    await install(...all);
    const before = process.umask(0);
    try {
      for (const name of all) await linux().add(name);
    } finally {
      process.umask(before);
    }
    const folders = Object.entries(await tree()).filter(([, mode]) => mode.startsWith('4'));
    expect(folders.length).toBeGreaterThan(5);
    const isOpen = ([, mode]: [string, string]): boolean => (Number.parseInt(mode, 8) & 0o022) !== 0;
    expect(folders.filter(isOpen)).toEqual([]);
  });

  test('existing files stay as they are', async () => {
    await install(...all);
    await mkdir(path.dirname(files.dolphin()), { recursive: true });
    await writeFile(path.join(path.dirname(files.dolphin()), 'mine.desktop'), 'x');
    await mkdir(path.dirname(files.nemo()), { recursive: true });
    await writeFile(path.join(path.dirname(files.nemo()), 'mine.nemo_action'), 'x');
    await mkdir(path.dirname(files.thunar()), { recursive: true });
    await writeFile(files.thunar(), '<actions>\n</actions>\n', { mode: 0o644 });
    const before = await tree();
    const managers = linux();
    for (const name of all) await managers.add(name);
    for (const name of all) await managers.remove(name);
    expect(await tree()).toEqual(before);
  });

  test('an entry that the user edited is reported as out of date, made again, and removed as a whole', async () => {
    await install(...all);
    const managers = linux();
    for (const name of all) await managers.add(name);
    const made = await tree();
    for (const file of [files.nautilus(), files.nemo(), files.dolphin()])
      await appendFile(file, '\n# a line of the user');
    const thunar = await readFile(files.thunar(), 'utf8');
    await writeFile(files.thunar(), thunar.replace(entryLabels.en, 'A name of the user'));
    expect(new Set(Object.values(await states(managers)))).toEqual(new Set(['old']));
    for (const name of all) await managers.add(name);
    expect(await tree()).toEqual(made);
    for (const file of [files.nautilus(), files.nemo(), files.dolphin()])
      await appendFile(file, '\n# a line of the user');
    for (const name of all) await managers.remove(name);
    expect(await leftBehind()).toEqual([]);
  });

  test('an entry of a version that counted folders is as good as a new one', async () => {
    await install('nemo');
    await linux().add('nemo');
    const text = await readFile(files.nemo(), 'utf8');
    await writeFile(files.nemo(), text.replace('app.outtray.entry', '$& folders-made=3'));
    expect((await states(linux()))['nemo']).toBe('on');
    await linux().remove('nemo');
    expect(await leftBehind()).toEqual([]);
  });

  test('the program is named in the syntax of each file manager', async () => {
    await install(...all);
    const managers = linux();
    for (const name of all) await managers.add(name);
    const nemo = await readFile(files.nemo(), 'utf8');
    // A list of GLib's key files: what a semicolon ends, and one that is escaped is part of the value.
    const listed = /^Dependencies=((?:\\.|[^;\\])*);$/m.exec(nemo)?.[1];
    expect(listed?.replaceAll(/\\(.)/g, '$1')).toBe(program);
    expect(keyOf(await readFile(files.dolphin(), 'utf8'), 'TryExec')).toBe(program);
  });

  test('a user’s own file in the same place is neither overwritten nor removed', async () => {
    await install('nautilus');
    await mkdir(path.dirname(files.nautilus()), { recursive: true });
    await writeFile(files.nautilus(), '#!/bin/sh\necho mine\n');
    const managers = linux();
    await expect(managers.add('nautilus')).rejects.toMatchObject({ code: 'bad-use' });
    await managers.remove('nautilus');
    expect(await readFile(files.nautilus(), 'utf8')).toContain('echo mine');
  });

  test('an entry of an earlier place or another language is out of date, and recreated in one place', async () => {
    await install(...all);
    const german = linux({ language: 'de', words: ['/old/outtray'] });
    for (const name of all) await german.add(name);
    const managers = linux();
    expect(new Set(Object.values(await states(managers)))).toEqual(new Set(['old']));
    for (const name of all) await managers.add(name);
    expect(new Set(Object.values(await states(managers)))).toEqual(new Set(['on']));
    expect(await readdir(path.dirname(files.nautilus()))).toEqual([entryLabels.en]);
    for (const name of [...all].toReversed()) await german.remove(name);
    expect(await leftBehind()).toEqual([]);
  });

  test('where a package installed the entry, none is added', async () => {
    await install(...all);
    const system = path.join(root, 'system');
    for (const file of [
      'nemo/actions/outtray.nemo_action',
      'kio/servicemenus/outtray.desktop',
      'Thunar/sendto/outtray.desktop',
    ]) {
      await mkdir(path.dirname(path.join(system, file)), { recursive: true });
      await writeFile(path.join(system, file), '');
    }
    const managers = linux();
    for (const name of all) await managers.add(name);
    expect(await states(managers)).toEqual({
      nautilus: 'on',
      nemo: 'system',
      thunar: 'system',
      dolphin: 'system',
    });
    expect(existsSync(files.nemo())).toBe(false);
  });

  test('a folder without write permission is reported with its name', async () => {
    await install('nemo');
    await mkdir(path.join(home(), '.local/share'), { recursive: true });
    await writeFile(path.join(home(), '.local/share/nemo'), 'a file where a folder belongs');
    await expect(linux().add('nemo')).rejects.toMatchObject({
      code: 'disk',
      message: expect.stringContaining(files.nemo()) as string,
    });
  });

  test.runIf(existsSync('/usr/bin/desktop-file-validate'))(
    'service menu and Send To are valid desktop entries in each language',
    async () => {
      await install('dolphin');
      const validate = async (text: string): Promise<string> => {
        const file = path.join(root, 'entry.desktop');
        await writeFile(file, text);
        const { stdout, stderr } = spawnSync('desktop-file-validate', [file], { encoding: 'utf8' });
        return stdout + stderr;
      };
      for (const language of ['en', 'de', 'es', 'zh'] as const) {
        await linux({ language }).add('dolphin');
        const menu = await readFile(files.dolphin(), 'utf8');
        // The validator knows applications only: the service's type is the one thing that is changed for it.
        expect(menu).toMatch(/^Type=Service$/m);
        expect(await validate(menu.replace('Type=Service', 'Type=Application\nName=x'))).toBe('');
      }
      expect(await validate(thunarSendTo(words(), 'x'))).toBe('');
    },
  );

  /** `bytes`: the command's arguments, however the names are written. */
  const recorded = async (): Promise<string[]> => (await readFile(record, 'latin1')).split('\0').slice(0, -1);
  /** Names of any bytes: each byte is one character. */
  const inBytes = (name: string | Buffer): string => Buffer.from(name).toString('latin1');
  const names = [
    ...Object.values(hostileNames).map(inBytes),
    inBytes('both \' and " and \\ \\" $HOME `id` %F %% %U'),
    inBytes(Buffer.from([0x6c, 0xe9, 0x2d, 0xff])),
    '\n',
    '-',
  ].filter((name) => !name.includes('/'));

  /** Runs with bytes: no program between may change a name. `words`: characters that are bytes. */
  const spawnBytes = (words: readonly string[], cwd = root): void => {
    const list = path.join(root, 'words');
    const bytes = Buffer.from(words.map((word) => `${word}\0`).join(''), 'latin1');
    const ended = spawnSync('sh', ['-c', `cat > "$1" && xargs -0 -a "$1" -x env`, 'sh', list], {
      input: bytes,
      cwd,
      encoding: 'utf8',
    });
    expect(ended).toMatchObject({ status: 0, stderr: '' });
  };

  test('each entry’s command receives every name unchanged', async () => {
    await install(...all);
    const managers = linux();
    for (const name of all) await managers.add(name);
    const folder = path.join(root, 'files');
    const paths = names.map((name) => `${folder}/${name}`);
    const expected = ['upload', '--copy', '--'];
    const read = (file: string): Promise<string> => readFile(file, 'latin1');

    const nautilus = (...some: string[]): void =>
      spawnBytes(nautilusWords(inBytes(files.nautilus()), folder, some));
    const ofOneLine = names.filter((name) => !name.includes('\n'));
    const ofMore = names.filter((name) => name.includes('\n') && !name.includes('%'));
    expect(Math.min(ofOneLine.length, ofMore.length)).toBeGreaterThan(1);
    nautilus(...ofOneLine);
    expect(await recorded()).toEqual([...expected, ...ofOneLine.map((name) => `${folder}/${name}`)]);
    // Then they are the arguments, relative to the folder it starts in.
    nautilus(...ofMore);
    expect(await recorded()).toEqual([...expected, ...ofMore]);
    // Here nothing distinguishes the names.
    nautilus('two\nlines.txt', '50% off.txt');
    expect(await recorded()).toEqual(expected);
    // Without Nautilus' variables, as from a terminal.
    spawnBytes([inBytes(files.nautilus()), ...names]);
    expect(await recorded()).toEqual([...expected, ...names]);
    spawnBytes(nemoWords(await read(files.nemo()), paths));
    expect(await recorded()).toEqual([...expected, ...paths]);
    spawnBytes(thunarWords(commandIn(await read(files.thunar())), paths));
    expect(await recorded()).toEqual([...expected, ...paths]);
    spawnBytes(desktopWords(await read(files.dolphin()), paths));
    expect(await recorded()).toEqual([...expected, ...paths]);
    spawnBytes(desktopWords(Buffer.from(thunarSendTo(words(), 'x')).toString('latin1'), paths));
    expect(await recorded()).toEqual([...expected, ...paths]);
    // Automator: `sh -c SCRIPT NAME FILE…`
    spawnBytes(['/bin/sh', '-c', Buffer.from(finderScript(words())).toString('latin1'), '-', ...paths]);
    expect(await recorded()).toEqual([...expected, ...paths]);
  });
});

posixTest('macOS alone has the Finder')(
  'the Finder’s workflow is two property lists, in the user’s language, and is removed as a whole',
  async () => {
    const managers = createFileManagers({
      platform: 'darwin',
      home: home(),
      words: words(),
      language: 'zh',
      env: {},
    });
    const view = await managers.add('finder');
    expect(view).toMatchObject({
      state: 'on',
      places: [path.join(home(), `Library/Services/${entryLabels.zh}.workflow`)],
    });
    const read = (name: string): unknown => {
      const file = path.join(view.places[0] ?? '', 'Contents', name);
      const script = 'import json,plistlib,sys; print(json.dumps(plistlib.load(open(sys.argv[1],"rb"))))';
      const { stdout, stderr, status } = spawnSync('python3', ['-c', script, file], { encoding: 'utf8' });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      return JSON.parse(stdout);
    };
    if (spawnSync('python3', ['--version']).status === 0) {
      expect(read('Info.plist')).toMatchObject({
        NSServices: [{ NSMenuItem: { default: entryLabels.zh }, NSMessage: 'runWorkflowAsService' }],
      });
      // A slash and the text before it are not shown (Services Properties, NSMenuItem).
      expect(Object.values(entryLabels).join('')).not.toContain('/');
      expect(read('document.wflow')).toMatchObject({
        actions: [
          { action: { ActionParameters: { COMMAND_STRING: finderScript(words()), inputMethod: 1 } } },
        ],
      });
    }
    await managers.remove('finder');
    expect(await leftBehind()).toEqual([]);
  },
);

test('Explorer gets a shortcut in Send to and a verb for one file, and both are removed', async () => {
  const appData = path.join(home(), 'Roaming');
  const sendTo = path.join(appData, 'Microsoft/Windows/SendTo');
  await mkdir(sendTo, { recursive: true });
  let hasVerb = false;
  let isForbidden = false;
  let regIsForbidden = false;
  const given: Record<string, string>[] = [];
  const run: StartProgram = async (file, args, env) => {
    if (file.endsWith('powershell.exe')) {
      if (isForbidden) return false;
      const script = Buffer.from(args.at(-1) ?? '', 'base64').toString('utf16le');
      if (script === explorerRemovalScript) {
        hasVerb = false;
        return true;
      }
      if (script === explorerQueryScript) {
        expect(regIsForbidden).toBe(true);
        return hasVerb;
      }
      expect(script).toBe(explorerScript);
      given.push(env);
      hasVerb = true;
      const text = `L\0${env['OUTTRAY_PROGRAM']} ${env['OUTTRAY_ARGUMENTS']}`;
      await writeFile(env['OUTTRAY_LINK'] ?? '', Buffer.from(text, 'utf16le'));
      return true;
    }
    if (regIsForbidden) return false;
    if (args[1] === 'HKCU\\Software') return true;
    expect(args[1]).toBe(verbKey);
    if (args[0] === 'query') return hasVerb;
    expect(args).toEqual(['delete', verbKey, '/f']);
    // Only where the script could not.
    expect(isForbidden).toBe(true);
    hasVerb = false;
    return true;
  };
  const managers = (language: Language, given: string[]) =>
    createFileManagers({
      platform: 'win32',
      home: home(),
      env: { APPDATA: appData },
      words: given,
      language,
      run,
    });
  const exe = 'C:\\Users\\名 & %TEMP%\\Outtray.exe';
  expect((await managers('de', [exe, '--share']).add('explorer')).state).toBe('on');
  expect(given[0]).toMatchObject({
    OUTTRAY_LABEL: entryLabels.de,
    OUTTRAY_ARGUMENTS: '--share',
    OUTTRAY_COMMAND: `"${exe}" --share "%1"`,
  });
  // In a checkout Node is the program, and the command is what it runs.
  const spanish = managers('es', ['C:\\node.exe', 'C:\\a "b"\\cli.ts', 'upload', '--copy', '--']);
  expect((await spanish.list())[0]?.state).toBe('old');
  await spanish.add('explorer');
  expect(given[1]).toMatchObject({ OUTTRAY_ARGUMENTS: '"C:\\a \\"b\\"\\cli.ts" upload --copy --' });
  await writeFile(path.join(sendTo, `${entryLabels.en}.lnk`), 'a shortcut of the user’s own');
  expect(await readdir(sendTo)).toEqual([`${entryLabels.es}.lnk`, `${entryLabels.en}.lnk`].toSorted());
  expect((await managers('en', [exe, '--share']).remove('explorer')).state).toBe('off');
  expect(await readdir(sendTo)).toEqual([`${entryLabels.en}.lnk`]);
  regIsForbidden = true;
  expect((await managers('de', [exe, '--share']).add('explorer')).state).toBe('on');
  expect((await managers('de', [exe, '--share']).list())[0]?.state).toBe('on');
  expect((await managers('de', [exe, '--share']).remove('explorer')).state).toBe('off');
  regIsForbidden = false;
  await managers('de', [exe, '--share']).add('explorer');
  // The remains when the making of the shortcut is interrupted.
  await writeFile(path.join(sendTo, 'outtray-new.lnk'), '');
  isForbidden = true;
  await expect(managers('en', [exe, '--share']).add('explorer')).rejects.toMatchObject({ code: 'disk' });
  expect(hasVerb).toBe(true);
  await managers('en', [exe, '--share']).remove('explorer');
  expect(hasVerb).toBe(false);
  expect(await readdir(sendTo)).toEqual([`${entryLabels.en}.lnk`]);
});

test('Explorer has no entry where PowerShell succeeds without doing anything, and that is reported', async () => {
  const run: StartProgram = (file) => Promise.resolve(file.endsWith('powershell.exe'));
  const managers = createFileManagers({
    platform: 'win32',
    home: home(),
    env: { APPDATA: path.join(home(), 'Roaming') },
    words: [String.raw`C:\Outtray\Outtray.exe`, '--share'],
    language: 'en',
    run,
  });
  await expect(managers.add('explorer')).rejects.toMatchObject({ code: 'disk' });
});
