import { existsSync } from 'node:fs';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { option } from '../../src-main/contract/text/wording.ts';
import { dataPlace, openHome, profilesIn, withProfile } from '../../src-main/adapters/system/home.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outtray-home-'));
});
afterEach(() => rm(folder, { recursive: true }));

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

test('the folder named on the command line wins over the environment', () => {
  const home = openHome(join(folder, 'given'), { OUTTRAY_HOME: join(folder, 'environment') });
  expect(home.folder).toBe(join(folder, 'given'));
  expect(home.ledger).toBe(join(folder, 'given', 'ledger.sqlite'));
  expect(home.log).toBe(join(folder, 'given', 'log', 'outtray.log'));
  expect(openHome(undefined, { OUTTRAY_HOME: join(folder, 'environment') }).folder).toBe(
    join(folder, 'environment'),
  );
});

test.runIf(process.platform === 'linux')('without either, the platform’s usual place is used', () => {
  vi.stubEnv('XDG_DATA_HOME', folder);
  expect(openHome(undefined, { OUTTRAY_HOME: '' }).folder).toBe(join(folder, 'outtray'));
  vi.unstubAllEnvs();
});

describe('a profile', () => {
  const at = (profile: string) => ({ OUTTRAY_HOME: folder, OUTTRAY_PROFILE: profile });

  test('has a data folder of its own below the default one, the same in capitals', () => {
    const own = { root: folder, profile: 'work-2', folder: join(folder, 'profiles', 'work-2') };
    for (const name of ['work-2', 'Work-2']) {
      expect(openHome(undefined, at(name))).toMatchObject(own);
      expect(openHome(undefined, withProfile({ OUTTRAY_HOME: folder }, name))).toMatchObject(own);
    }
    for (const name of ['', 'default', 'DEFAULT'])
      expect(openHome(undefined, at(name))).toMatchObject({ root: folder, profile: null, folder });
    expect(dataPlace(join(folder, 'given'), at('work-2'))).toMatchObject({ profile: null });
  });

  test.each([
    ...[
      '..',
      '.',
      'a/b',
      'a\\b',
      'CON',
      'com1',
      'nul',
      'Büro',
      'a b',
      '-x',
      '_x',
      'x.',
      'x'.repeat(33),
      'a\0b',
      ' ',
    ],
  ])('cannot be called %j: nothing is made', async (name) => {
    const refused = expect.objectContaining({
      code: 'bad-use',
      remedy: expect.stringContaining('at most 32 letters') as unknown,
    }) as unknown;
    expect(() => openHome(undefined, at(name))).toThrow(refused);
    expect(() => withProfile({}, name)).toThrow(refused);
    expect(await readdir(folder)).toEqual([]);
  });

  test('cannot be named by an empty option', () =>
    expect(() => withProfile({}, '')).toThrow(/name of a profile/));

  test('is listed as soon as it has data; a folder of another program gets none', async () => {
    for (const name of ['work', 'home', 'empty']) {
      const { ledger } = openHome(undefined, at(name));
      if (name !== 'empty') await writeFile(ledger, '');
    }
    expect(profilesIn(folder).map(({ name }) => name)).toEqual(['home', 'work']);
    // What holds only profiles can become the data folder of the default one.
    await writeFile(openHome(undefined, at('')).ledger, '');
    expect(profilesIn(folder).map(({ name }) => name)).toEqual(['default', 'home', 'work']);
    const other = join(folder, 'documents');
    await mkdir(other);
    await writeFile(join(other, 'thesis.odt'), '');
    expect(() => openHome(undefined, { ...at('work'), OUTTRAY_HOME: other })).toThrow(/not Outtray's/);
    expect(await readdir(other)).toEqual(['thesis.odt']);
    expect(profilesIn(other)).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('privacy', () => {
  test('a new data folder is private, even when its parents have to be made', async () => {
    const home = openHome(join(folder, 'a', 'b'), {});
    expect(await modeOf(home.folder)).toBe('700');
  });

  test('loose permissions of an empty folder or of our own are repaired', async () => {
    for (const [name, mode] of [
      ['empty', 0o777],
      ['ours', 0o777],
      ['of the group', 0o750],
      ['of others', 0o701],
    ] as const) {
      const loose = join(folder, name);
      await mkdir(loose);
      if (name === 'ours') await writeFile(join(loose, 'settings.json'), '{}');
      await chmod(loose, mode);
      openHome(loose, {});
      expect(await modeOf(loose)).toBe('700');
    }
  });

  test('a folder that holds other files is refused and its permissions stay as they are', async () => {
    const documents = join(folder, 'documents');
    await mkdir(documents);
    await writeFile(join(documents, 'thesis.odt'), '');
    await chmod(documents, 0o755);
    expect(() => openHome(documents, {})).toThrow(expect.objectContaining({ code: 'bad-use' }));
    expect(await modeOf(documents)).toBe('755');
  });

  test('a folder of another program is refused, even with its own settings.json and private permissions', async () => {
    const other = join(folder, 'editor');
    await mkdir(other, { mode: 0o700 });
    await writeFile(join(other, 'settings.json'), '{"editor.tabSize":2}');
    await writeFile(join(other, 'keybindings.json'), '[]');
    expect(() => openHome(other, {})).toThrow(
      expect.objectContaining({
        code: 'bad-use',
        remedy: expect.arrayContaining([
          expect.stringContaining('empty folder'),
          option('--home'),
        ]) as unknown,
      }),
    );
    expect(await readdir(other)).toEqual(['keybindings.json', 'settings.json']);
    expect(() => openHome(undefined, { OUTTRAY_HOME: other })).toThrow(/not Outtray's/);
  });

  test.each(['folder.json.4711', 'settings.json.2871605', 'settings.good.json.new', 'engine.json.new'])(
    'a draft (%s) of another process that starts too is no foreign file; one of another program is',
    async (draft) => {
      const data = join(folder, 'starting');
      await mkdir(data, { mode: 0o700 });
      await writeFile(join(data, draft), '{');
      expect(openHome(data, {}).folder).toBe(data);
      await writeFile(join(data, 'notes.txt.12'), '');
      expect(() => openHome(data, {})).toThrow(/not Outtray's/);
    },
  );

  test.each(['ledger.sqlite', 'ledger.sqlite.damaged-1', 'ledger.witness', 'engine.lock'])(
    'a data folder with %s and foreign files stays in use',
    async (proof) => {
      const data = join(folder, 'data');
      await mkdir(data, { mode: 0o700 });
      await writeFile(join(data, proof), '');
      await writeFile(join(data, 'notes.txt'), '');
      expect(openHome(data, {}).folder).toBe(data);
    },
  );

  test.runIf(process.platform === 'linux')(
    'the platform’s own place is used whatever lies in it',
    async () => {
      vi.stubEnv('XDG_DATA_HOME', folder);
      await mkdir(join(folder, 'outtray'));
      await writeFile(join(folder, 'outtray', 'Cookies'), '');
      expect(openHome(undefined, {}).folder).toBe(join(folder, 'outtray'));
      vi.unstubAllEnvs();
    },
  );

  test.each(['/proc/outtray/below', '/dev/null/below', '/sys/outtray/below'])(
    'a place where no folder can be made is reported at once: %s',
    (place) => {
      if (!existsSync(join(place, '../..'))) return;
      expect(() => openHome(place, {})).toThrow(expect.objectContaining({ code: 'bad-use' }));
    },
  );

  test('a file in place of the folder is reported as wrong use', async () => {
    await writeFile(join(folder, 'file'), '');
    expect(() => openHome(join(folder, 'file'), {})).toThrow(expect.objectContaining({ code: 'bad-use' }));
    expect(() => openHome(join(folder, 'file', 'below'), {})).toThrow(
      expect.objectContaining({ code: 'bad-use' }),
    );
  });

  const isRoot = process.getuid?.() === 0;
  const ofAnother = expect.objectContaining({
    code: 'bad-use',
    message: expect.stringContaining('belongs to another user') as unknown,
    remedy: expect.arrayContaining([expect.stringContaining('sudo'), option('--home')]) as unknown,
  }) as unknown;

  test.runIf(isRoot)('root does not use the data folder of another user', async () => {
    const theirs = join(folder, 'theirs');
    await mkdir(theirs, { mode: 0o700 });
    await writeFile(join(theirs, 'settings.json'), '{}');
    await chown(theirs, 1234, 1234);
    expect(() => openHome(theirs, {})).toThrow(ofAnother);
    expect(() => openHome(undefined, { OUTTRAY_HOME: theirs })).toThrow(ofAnother);
    expect(await readdir(theirs)).toEqual(['settings.json']);
  });

  test.runIf(isRoot && process.platform === 'linux')(
    'root with the home of another user, as some `sudo` set it, makes no data folder there',
    async () => {
      await chown(folder, 1234, 1234);
      vi.stubEnv('XDG_DATA_HOME', join(folder, '.local', 'share'));
      expect(() => openHome(undefined, {})).toThrow(ofAnother);
      expect(await readdir(folder)).toEqual([]);
      vi.unstubAllEnvs();
    },
  );

  test.each([
    'ledger.sqlite',
    'ledger.sqlite-wal',
    'ledger.sqlite-shm',
    'ledger.witness',
    'settings.json',
    'engine.lock',
    'engine.json',
    'wake',
    'spool',
    'pasted',
    'log',
    'log/outtray.log',
    'log/outtray.log.1',
  ])('a symbolic link in place of %s is refused and not followed', async (name) => {
    const data = join(folder, 'data');
    const target = join(folder, 'precious');
    await mkdir(data, { mode: 0o700 });
    await writeFile(join(data, 'engine.lock.old'), '');
    if (name.includes('/')) await mkdir(join(data, 'log'));
    await writeFile(target, 'precious');
    await symlink(target, join(data, name));
    await writeFile(join(data, 'ledger.sqlite.damaged-1'), '');
    expect(() => openHome(data, {})).toThrow(
      expect.objectContaining({
        code: 'bad-use',
        message: expect.stringContaining(`${join(data, name)} is a link`) as unknown,
      }),
    );
    expect(await readFile(target, 'utf8')).toBe('precious');
  });

  const files = [
    'ledger.sqlite',
    'ledger.witness',
    'settings.json',
    'settings.lock',
    'engine.lock',
    'engine.json',
    'wake',
  ];
  const folders = ['spool', 'pasted', 'log'];
  const notEmpty = async (): Promise<string> => {
    const data = join(folder, 'data');
    await mkdir(data, { mode: 0o700 });
    await writeFile(join(data, 'ledger.sqlite.damaged-1'), '');
    return data;
  };

  test.each([...files, ...folders])(
    'another kind of file in place of %s is reported, and left',
    async (name) => {
      const place = join(await notEmpty(), name);
      if (files.includes(name)) await mkdir(place);
      else await writeFile(place, 'precious');
      expect(() => openHome(join(folder, 'data'), {})).toThrow(
        expect.objectContaining({
          code: 'ledger',
          message: expect.stringContaining(
            `${place} is not a ${files.includes(name) ? 'file' : 'folder'}`,
          ) as unknown,
          remedy: expect.stringContaining('Move it elsewhere') as unknown,
        }),
      );
      expect((await stat(place)).isDirectory()).toBe(files.includes(name));
    },
  );

  test.runIf(isRoot).each([...files, ...folders])(
    '%s of another user in a folder that was open to all is not used, and left',
    async (name) => {
      const data = await notEmpty();
      const place = join(data, name);
      if (files.includes(name)) await writeFile(place, '{"keyCommand":"/tmp/theirs"}');
      else await mkdir(place);
      await chown(place, 1234, 1234);
      await chmod(data, 0o777);
      expect(() => openHome(data, {})).toThrow(
        expect.objectContaining({
          code: 'bad-use',
          message: `${place} belongs to another user.`,
          remedy: expect.stringContaining('chown') as unknown,
        }),
      );
      expect((await stat(place)).uid).toBe(1234);
    },
  );

  test.each([...files, ...folders])('%s without rights for anyone can be read again', async (name) => {
    const place = join(await notEmpty(), name);
    if (files.includes(name)) await writeFile(place, '{}');
    else await mkdir(place);
    await chmod(place, 0);
    openHome(join(folder, 'data'), {});
    const given = name === 'settings.json' ? '400' : files.includes(name) ? '600' : '700';
    expect(await modeOf(place)).toBe(given);
  });

  test('the data folder itself may be a symbolic link, and is known by its real path', async () => {
    await mkdir(join(folder, 'real'), { mode: 0o700 });
    await symlink(join(folder, 'real'), join(folder, 'linked'));
    const { folder: real, spool } = openHome(join(folder, 'linked'), {});
    expect([real, spool]).toEqual([join(folder, 'real'), join(folder, 'real', 'spool')]);
  });
});
