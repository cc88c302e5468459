import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { typedText } from '../../../src-main/cli/output/typed.ts';
import { toAppError } from '../../../src-main/contract/errors.ts';
import { whileLocked } from '../../../src-main/adapters/settings/settings-lock.ts';
import { openSettings } from '../../../src-main/adapters/settings/settings.ts';
import { formerSettings } from '../../../src-main/contract/catalogue/settings.ts';
import { defaultSettings, settingNames } from '../../../src-main/contract/settings.ts';
import { posixTest } from '../../support/posix.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outtray-settings-'));
  file = join(folder, 'settings.json');
});
afterEach(() => rm(folder, { recursive: true }));

type Options = Parameters<typeof openSettings>[0];
const noPolicy: Options['policy'] = { values: {}, source: '' };
const policyOf = (values: Record<string, unknown>) => ({
  values,
  source: '/etc/outtray/policy.json',
  warnings: [],
});
const open = (options: Partial<Options> = {}) =>
  openSettings({ version: '0.1.0', file, policy: noPolicy, ...options });
/** A process that has the settings open, and sets these values one by one as soon as its input ends. */
const startWriter = async (values: object) => {
  const script = join(import.meta.dirname, 'settings-writer.ts');
  const child = spawn(process.execPath, [script, file, JSON.stringify(values)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
  return child;
};
const written = async (): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'));
const rowOf = (settings: ReturnType<typeof open>, name: string) =>
  settings.view().find((row) => row.name === name);
const badSetting = (words: string): unknown =>
  expect.objectContaining({ code: 'bad-setting', message: expect.stringContaining(words) as unknown });

test('without a file everything has its default, and no file is made', async () => {
  const settings = open();
  expect(settings.current()).toEqual(defaultSettings());
  expect(settings.view().map(({ name }) => name)).toEqual(settingNames);
  expect(settings.view().every(({ origin, lockedBy }) => origin === 'default' && lockedBy === null)).toBe(
    true,
  );
  expect(await readdir(folder)).toEqual([]);
});

test('settings that would be too long to be read again are not written', async () => {
  await writeFile(file, JSON.stringify({ ofLater: 'x'.repeat(3_999_900) }));
  const before = await readFile(file, 'utf8');
  await expect(
    open().set(
      'ignore',
      Array.from({ length: 100 }, (_, at) => `${at}.tmp`),
    ),
  ).rejects.toEqual(badSetting('too long'));
  expect((await readFile(file, 'utf8')) === before).toBe(true);
  expect(open().current().ignore).toEqual([]);
});

posixTest('it has no modes')(
  'a value that is set applies at once and in the next process, in a file only the user can read',
  async () => {
    await open().set('concurrentUploads', 7);
    expect(open().current().concurrentUploads).toBe(7);
    expect(rowOf(open(), 'concurrentUploads')).toMatchObject({ value: 7, origin: 'user' });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'settings.lock'))).mode & 0o777).toBe(0o600);
    expect((await readdir(folder)).sort()).toEqual(['settings.good.json', 'settings.json', 'settings.lock']);
  },
);

posixTest('it has no modes')(
  'a file with loose permissions becomes private with the next change',
  async () => {
    await writeFile(file, '{}', { mode: 0o644 });
    await open().set('notify', false);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  },
);

posixTest('a link needs a right there')(
  'the audit file is known by its real path, so that another one never shares it',
  async () => {
    const real = await realpath(folder);
    await symlink(real, join(folder, 'link'));
    await writeFile(file, JSON.stringify({ auditFile: join(folder, 'link', 'audit.jsonl') }));
    expect(open().current().auditFile).toBe(join(real, 'audit.jsonl'));
  },
);

posixTest('a link needs a right there')(
  'an audit file that cannot be looked at does not prevent that the settings are opened and mended',
  async () => {
    await symlink(join(folder, 'loop'), join(folder, 'loop'));
    for (const auditFile of [join(folder, 'loop', 'audit.jsonl'), join(folder, 'x'.repeat(300))]) {
      await writeFile(file, JSON.stringify({ auditFile }));
      const settings = open();
      expect(settings.current().auditFile).toBe(auditFile);
      await settings.set('auditFile', null);
      expect(settings.current().auditFile).toBeNull();
    }
  },
);

test('a file in UTF-16, as PowerShell writes it, is read', async () => {
  await writeFile(file, Buffer.from('\ufeff{"notify":false}', 'utf16le'));
  expect(open().current().notify).toBe(false);
});

test('null resets a value to the default and removes it from the file', async () => {
  const settings = open();
  await settings.set('notify', false);
  await settings.set('notify', null);
  expect(rowOf(settings, 'notify')).toMatchObject({ value: true, origin: 'default' });
  expect(await written()).toEqual({});
});

test('changes at the same moment and by two processes are all kept', async () => {
  const [app, command] = [open(), open()];
  await Promise.all([app.set('notify', false), app.set('recursive', false), app.set('burstFiles', 5)]);
  await command.set('ignore', ['*.log']);
  expect(await written()).toEqual({ notify: false, recursive: false, burstFiles: 5, ignore: ['*.log'] });
});

test('two stores that write at the same moment lose no change, a reset included', async () => {
  await open().set('notify', false);
  const [app, command] = [open(), open()];
  await Promise.all([
    app.set('requireLookInside', true),
    command.set('burstFiles', 9),
    app.set('language', 'de'),
    command.set('notify', null),
  ]);
  expect(await written()).toEqual({ requireLookInside: true, burstFiles: 9, language: 'de' });
});

test('two processes that write at the same moment lose no change', async () => {
  const guards = {
    requireLookInside: true,
    holdSecrets: true,
    forbiddenTypes: ['exe'],
    allowedTypes: ['pdf'],
  };
  const others = { burstFiles: 9, notify: false, language: 'de', recursive: false };
  const writers = await Promise.all([guards, others].map((values) => startWriter(values)));
  const ends = writers.map((writer) => once(writer, 'close'));
  for (const { stdin } of writers) stdin.end();
  expect(await Promise.all(ends)).toEqual([
    [0, null],
    [0, null],
  ]);
  expect(await written()).toEqual({ ...guards, ...others });
});

describe('while another process has the settings locked', () => {
  const lockIt = (): DatabaseSync => {
    const other = new DatabaseSync(join(folder, 'settings.lock'));
    other.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return other;
  };

  test('a change waits for it', async () => {
    const other = lockIt();
    const waits: string[] = [];
    await whileLocked(
      file,
      () => Promise.resolve(waits.push('written')),
      () => {
        waits.push('waits');
        if (waits.length === 3) other.close();
        return Promise.resolve();
      },
    );
    expect(waits).toEqual(['waits', 'waits', 'waits', 'written']);
  });

  test('a change is refused in the end, and nothing is written', async () => {
    const other = lockIt();
    const act = vi.fn(() => Promise.resolve());
    await expect(whileLocked(file, act, () => Promise.resolve())).rejects.toMatchObject({
      code: 'disk',
      message: expect.stringContaining('another Outtray') as unknown,
    });
    expect(act).not.toHaveBeenCalled();
    other.close();
    await whileLocked(file, act);
    expect(act).toHaveBeenCalledOnce();
  });

  test('the lock is free again after a change that failed', async () => {
    await expect(whileLocked(file, () => Promise.reject(new Error('full')))).rejects.toThrow('full');
    lockIt().close();
  });
});

test('where no lock can be had, a change is written all the same', async () => {
  await mkdir(join(folder, 'settings.lock'));
  await open().set('notify', false);
  expect(await written()).toEqual({ notify: false });
});

test('a change by another process is announced after a reload, and only when it differs', async () => {
  const settings = open();
  const hear = vi.fn();
  const undo = settings.onChange(hear);
  await open().set('language', 'de');
  expect(settings.current().language).toBe('system');
  settings.reload();
  settings.reload();
  expect(hear).toHaveBeenCalledOnce();
  expect(hear).toHaveBeenCalledWith(expect.objectContaining({ language: 'de' }));
  undo();
  await settings.set('language', 'es');
  expect(hear).toHaveBeenCalledOnce();
});

test('policy takes precedence over command line, environment, user and default', async () => {
  await writeFile(file, JSON.stringify({ baseUrl: 'https://user.example', notify: false }));
  const baseUrlWith = (options: Partial<Options>) => {
    const row = rowOf(open(options), 'baseUrl');
    return [row?.value, row?.origin];
  };
  const env = { OUTTRAY_BASE_URL: 'https://environment.example/' };
  const overrides = { baseUrl: 'https://command.example' };
  const policy = policyOf({ baseUrl: 'https://policy.example' });
  expect(baseUrlWith({})).toEqual(['https://user.example', 'user']);
  expect(baseUrlWith({ env })).toEqual(['https://environment.example', 'environment']);
  expect(baseUrlWith({ env, overrides })).toEqual(['https://command.example', 'command-line']);
  expect(baseUrlWith({ env, overrides, policy })).toEqual(['https://policy.example', 'policy']);
  expect(baseUrlWith({ env: { OUTTRAY_BASE_URL: '' } })).toEqual(['https://user.example', 'user']);
});

test('an address given for this run does not prevent another from being stored for the next', async () => {
  const settings = open({ overrides: { baseUrl: 'https://run.example' } });
  await settings.set('baseUrl', 'https://stored.example');
  expect(settings.current().baseUrl).toBe('https://run.example');
  expect(open().current().baseUrl).toBe('https://stored.example');
});

test('unknown names are kept in the file and named in a warning', async () => {
  await writeFile(file, JSON.stringify({ colour: 'green', __proto__x: 1, notify: false }));
  const settings = open();
  expect(settings.warnings()).toEqual([
    expect.stringContaining('"colour"'),
    expect.stringContaining('"__proto__x"'),
  ]);
  await settings.set('notify', true);
  expect(await written()).toEqual({ colour: 'green', __proto__x: 1, notify: true });
});

test.each(Object.entries(formerSettings))(
  'the former setting %s is reported, is no fault in a file or a policy, and leaves the file with its next change',
  async (name, instead) => {
    await writeFile(file, JSON.stringify({ [name]: true, notify: false }));
    const settings = open({ policy: policyOf({ [name]: 7 }) });
    expect(settings.former()).toEqual([
      `/etc/outtray/policy.json: Outtray no longer has the setting ${name}. ${instead}`,
      `${file}: Outtray no longer has the setting ${name}. ${instead}`,
    ]);
    expect(settings.warnings()).toEqual([]);
    await settings.set('notify', true);
    expect(await written()).toEqual({ notify: true });
    expect(settings.former()).toHaveLength(1);
  },
);

test('a wrong value falls back to the default with a warning that names it and the right form', async () => {
  await writeFile(file, JSON.stringify({ concurrentUploads: 'many', copyLink: 'sometimes', notify: false }));
  const settings = open();
  expect(settings.current()).toEqual({ ...defaultSettings(), notify: false });
  expect(settings.warnings()).toEqual([
    expect.stringContaining('concurrentUploads must be a whole number from 1 to 16'),
    expect.stringContaining('copyLink must be never, dropped or always'),
  ]);
});

describe('security settings fail closed', () => {
  test.each([
    ['baseUrl', 'http://files.example.com'],
    ['proxy', 'http://user:hunter2@proxy.example'],
    ['caFile', 5],
    ['linkHosts', 'files.example.com'],
  ])('a wrong %s stops the start, wherever it stands, and is not quoted', async (name, value) => {
    expect(() => open({ policy: policyOf({ [name]: value }) })).toThrow(
      badSetting(`policy.json: ${name} must be`),
    );
    expect(() => open({ overrides: { [name]: value } })).toThrow(badSetting(`Command line: ${name} must be`));
    await writeFile(file, JSON.stringify({ [name]: value }));
    expect(() => open()).toThrow(badSetting(`settings.json: ${name} must be`));
    expect(() => open()).not.toThrow(
      expect.objectContaining({ message: expect.stringContaining('hunter2') as unknown }),
    );
  });

  test('a wrong value that something stronger overrides is only a warning', async () => {
    await writeFile(file, JSON.stringify({ baseUrl: 'ftp://files.example.com' }));
    const settings = open({ env: { OUTTRAY_BASE_URL: 'https://files.example.com' } });
    expect(settings.warnings()).toHaveLength(1);
  });

  test('a file that becomes wrong while Outtray runs changes nothing, neither in force nor on the disk', async () => {
    const settings = open();
    await settings.set('proxy', 'none');
    await writeFile(file, '{');
    expect(() => settings.reload()).toThrow(badSetting(file));
    await expect(settings.set('notify', false)).rejects.toEqual(badSetting(file));
    expect(settings.current()).toEqual({ ...defaultSettings(), proxy: 'none' });
    expect(await readFile(file, 'utf8')).toBe('{');
  });
});

test('a wrong environment or command line is reported, never ignored', () => {
  expect(() => open({ env: { OUTTRAY_BASE_URL: 'files.example.com' } })).toThrow(
    badSetting('Environment: baseUrl'),
  );
  expect(() => open({ overrides: { concurrentUploads: 99 } })).toThrow(badSetting('Command line'));
});

test('other wrong and unknown values of a policy are ignored with a warning and lock nothing', () => {
  const settings = open({ policy: policyOf({ burstFiles: -1, apiKey: 'k-123456', language: 'de' }) });
  expect(settings.current().language).toBe('de');
  expect(rowOf(settings, 'burstFiles')).toMatchObject({ value: 200, lockedBy: null });
  expect(settings.warnings()).toHaveLength(2);
  expect(settings.warnings().join()).not.toContain('k-123456');
});

test('null in a policy locks the default', async () => {
  await writeFile(file, JSON.stringify({ caFile: '/tmp/ca.pem', notify: false }));
  const settings = open({ policy: policyOf({ caFile: null, notify: null }) });
  expect(settings.current()).toEqual(defaultSettings());
  expect(rowOf(settings, 'notify')).toMatchObject({ origin: 'policy' });
});

test('setting a wrong value reports the right form and an example; an unknown name gets the three nearest', async () => {
  const settings = open();
  await expect(settings.set('requestShare', 2)).rejects.toMatchObject({
    code: 'bad-setting',
    message: 'requestShare must be a number over 0 and at most 1.',
    remedy: 'For example: 0.5',
  });
  for (const [name, remedy] of [
    [
      'concurentUploads',
      /^The nearest are concurrentUploads, \w+, \w+; `outtray settings list` shows all\.$/,
    ],
    ['EXPIRE_AFTER', /^The nearest are expireAfter, /],
    ['bandwidth', /^The nearest are bandwidthBytesPerSecond, /],
    ['', /^The nearest are \w+, \w+, \w+;/],
  ] as const) {
    const refused = await settings.set(name, 1).then(() => null, toAppError);
    expect(refused?.code).toBe('bad-setting');
    expect(typedText(refused?.remedy ?? '')).toMatch(remedy);
  }
});

test('a folder that cannot be written to is a fault of the disk', async () => {
  const settings = open({ file: join(folder, 'missing', 'settings.json') });
  await expect(settings.set('notify', false)).rejects.toMatchObject({ code: 'disk' });
  expect(settings.current().notify).toBe(true);
});

test('requireLookInside turns lookInside on and locks it, and names the one who set it', async () => {
  await writeFile(file, JSON.stringify({ lookInside: false }));
  const locked = open({ policy: policyOf({ requireLookInside: true }) });
  expect(locked.current().lookInside).toBe(true);
  expect(rowOf(locked, 'lookInside')?.lockedBy).toContain('Set by your administrator');
  await expect(locked.set('lookInside', false)).rejects.toMatchObject({ code: 'bad-setting' });
  await writeFile(file, JSON.stringify({ lookInside: false, requireLookInside: true }));
  expect(rowOf(open(), 'lookInside')).toMatchObject({
    value: true,
    lockedBy: 'The setting requireLookInside is on.',
  });
});

describe('a policy with an unknown setting', () => {
  test.each([
    ['holdSecrts', 'holdSecrets'],
    ['holdsecrets', 'holdSecrets'],
    ['hold-secrets', 'holdSecrets'],
    ['lookInsde', 'lookInside'],
    ['forbidenRoots', 'forbiddenRoots'],
    ['forbiddenFolders', 'forbiddenRoots'],
    ['allowedType', 'allowedTypes'],
    ['Proxy', 'proxy'],
    ['alowAccountChange', 'allowAccountChange'],
    ['photoLocations', 'photoLocation'],
    ['allowedFolders', 'allowedRoots'],
    ['ForbiddenExtensions', 'forbiddenRoots'],
    ['AUDIT_LOG', 'auditFile'],
    ['proxy-server', 'proxy'],
    ['ｈoldSecrets\u200b', 'holdSecrets'],
    ['Outtray.holdSecrets', 'holdSecrets'],
    ['Software\\Policies\\Outtray\\forbiddenTypes', 'forbiddenTypes'],
  ])('%s looks like the guard %s and stops everything', (name, guard) => {
    for (const policy of [policyOf({ [name]: true }), { ...policyOf({}), recommended: { [name]: true } }])
      expect(() => open({ policy })).toThrow(badSetting(guard));
  });

  test('a guard inside an object of another name stops everything, too', () => {
    expect(() => open({ policy: policyOf({ security: { holdSecrets: true } }) })).toThrow(
      badSetting('holdSecrets'),
    );
  });

  test.each([
    'theme',
    'notfy',
    'languages',
    'colour',
    'telemetry',
    'updateWindow',
    'maxThreads',
    '$schema',
    'a.b/c',
    'x',
    '',
  ])('%j is reported and ignored: a newer program may know it', (name) => {
    const settings = open({ policy: policyOf({ [name]: true, notify: false }) });
    expect(settings.current().notify).toBe(false);
    expect(settings.warnings()).toEqual([
      `/etc/outtray/policy.json: there is no setting of the name ${JSON.stringify(name)}; ignored.`,
    ]);
  });

  test('in the user’s own file the same names are a warning', async () => {
    await writeFile(file, '{"holdSecrts":true}');
    expect(open().warnings()).toHaveLength(1);
  });
});

describe('the paths of a policy', () => {
  test.each(['~/Private', '$HOME/Private', '${HOME}/Private', '%USERPROFILE%/Private'])(
    '%s is below the home of the account, wherever HOME points',
    (written) => {
      vi.stubEnv('HOME', '/elsewhere');
      const policy = policyOf({ forbiddenRoots: [written], auditFile: written });
      const settings = open({ policy, env: { HOME: '/elsewhere' } }).current();
      expect(settings.forbiddenRoots).toEqual([join(userInfo().homedir, 'Private')]);
      expect(settings.auditFile).toBe(join(userInfo().homedir, 'Private'));
      vi.unstubAllEnvs();
    },
  );

  test('an account without a home stops a policy that uses it, and no other', () => {
    const home = () => {
      throw new Error('no such account');
    };
    expect(() => open({ policy: policyOf({ forbiddenRoots: ['~/Private'] }), home })).toThrow(
      badSetting('has none'),
    );
    expect(open({ policy: policyOf({ forbiddenRoots: ['/srv'] }), home }).current().forbiddenRoots).toEqual([
      '/srv',
    ]);
  });
});

posixTest('a link needs a right there')('settings.json is not written through a symbolic link', async () => {
  const settings = open();
  const target = join(folder, 'precious');
  await writeFile(target, 'precious');
  await symlink(target, file);
  await expect(settings.set('notify', false)).rejects.toMatchObject({ code: 'bad-setting' });
  expect(await readFile(target, 'utf8')).toBe('precious');
});
