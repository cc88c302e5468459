// The registry as reg.exe prints it (Windows 11, `reg query … /se "|"`); elsewhere a stand-in answers in its place.
import { describe, expect, test } from 'vitest';
import { parseRegistry } from '../../../src-main/adapters/policy/registry.ts';
import {
  powershellQuery,
  readWindowsPolicy,
  registryQuery,
  createWindowsMark,
} from '../../../src-main/adapters/policy/windows.ts';

const machineKey = 'HKLM\\Software\\Policies\\Outtray';
const path = 'Software\\Policies\\Outtray';
const userKey = 'HKCU\\Software\\Policies\\Outtray';
const printed = (key: string, ...lines: string[]): string =>
  `\r\n${key.replace('HKLM', 'HKEY_LOCAL_MACHINE').replace('HKCU', 'HKEY_CURRENT_USER')}\r\n${lines.map((line) => `    ${line}\r\n`).join('')}\r\n`;

describe('what reg.exe prints', () => {
  test.each([
    ['baseUrl    REG_SZ    https://files.example.com/api/v1', 'https://files.example.com/api/v1'],
    ['folder    REG_SZ    C:\\Users\\Zoë\\合同    x', 'C:\\Users\\Zoë\\合同    x'],
    ['holdSecrets    REG_DWORD    0x1', true],
    ['includeHidden    REG_DWORD    0x0', false],
    ['concurrentUploads    REG_DWORD    0x1', 1],
    ['maxFileBytes    REG_QWORD    0x77359400', 2_000_000_000],
    ['requestShare    REG_SZ    0.05', 0.05],
    ['requestShare    REG_DWORD    0x1', 1],
    ['forbiddenTypes    REG_MULTI_SZ    exe|msi', ['exe', 'msi']],
    ['allowedRoots    REG_MULTI_SZ    C:\\0|D:\\Shared', ['C:\\0', 'D:\\Shared']],
    ['linkHosts    REG_MULTI_SZ', []],
    ['proxy    REG_SZ    none', 'none'],
    ['folder    REG_EXPAND_SZ    %USERPROFILE%\\Outtray', '%USERPROFILE%\\Outtray'],
  ])('%s', (line, value) => {
    expect(Object.values(parseRegistry(printed(machineKey, line), path))).toEqual([value]);
  });

  test.each([
    ['holdSecrets    REG_DWORD    0x7', 7],
    ['holdSecrets    REG_SZ    true', 'true'],
    ['maxFileBytes    REG_QWORD    0xffffffffffffffff', '0xffffffffffffffff'],
    ['updateFeed    REG_BINARY    00FF', { type: 'REG_BINARY' }],
  ])('a wrong type stays wrong: %s', (line, value) => {
    expect(Object.values(parseRegistry(printed(machineKey, line), path))).toEqual([value]);
  });

  test('subkeys are left out', () => {
    const text = `${printed(machineKey, 'notify    REG_DWORD    0x0')}${printed(`${machineKey}\\Below`, 'proxy    REG_SZ    none')}`;
    expect(parseRegistry(text, path)).toEqual({ notify: false });
  });
});

describe('machine and user', () => {
  const parents = {
    'HKLM\\Software\\Policies': '\r\nHKEY_LOCAL_MACHINE\\Software\\Policies\\Microsoft\r\n',
    'HKCU\\Software\\Policies': '',
  };
  const registry = (keys: Record<string, string | null>) => (key: string) =>
    ({ ...parents, ...keys })[key] ?? null;

  test('no values mean no policy', () => {
    expect(readWindowsPolicy(registry({}))).toEqual({ values: {}, recommended: {}, source: '' });
  });

  test('the machine’s value wins, and both places are named', () => {
    const query = registry({
      [machineKey]:
        printed(machineKey, 'proxy    REG_SZ    none') +
        printed(`${machineKey}\\Recommended`, 'copyLink    REG_SZ    never'),
      [userKey]:
        printed(userKey, 'proxy    REG_SZ    system', 'notify    REG_DWORD    0x0') +
        printed(`${userKey}\\Recommended`, 'copyLink    REG_SZ    always', 'language    REG_SZ    de'),
    });
    expect(readWindowsPolicy(query)).toEqual({
      values: { proxy: 'none', notify: false },
      recommended: { copyLink: 'never', language: 'de' },
      source: `${machineKey} and ${userKey}`,
    });
  });

  test('a key that is there but cannot be read stops the start', () => {
    const query = registry({
      'HKLM\\Software\\Policies':
        '\r\nHKEY_LOCAL_MACHINE\\Software\\Policies\\Microsoft\r\nHKEY_LOCAL_MACHINE\\Software\\Policies\\Outtray\r\n',
    });
    expect(() => readWindowsPolicy(query)).toThrow(expect.objectContaining({ code: 'bad-setting' }));
  });

  const above = (...names: string[]): string =>
    `\r\n${names.map((name) => `HKEY_CURRENT_USER\\Software\\${name}\r\n`).join('')}`;
  const parent = 'HKCU\\Software\\Policies';

  test('a key without values locks nothing', () => {
    expect(readWindowsPolicy(registry({ [machineKey]: '\r\n' }))).toMatchObject({ values: {} });
  });

  test('a profile without any policies has none', () => {
    const query = registry({ [parent]: null, 'HKCU\\Software': above('Classes', 'Microsoft') });
    expect(readWindowsPolicy(query)).toMatchObject({ values: {}, source: '' });
  });

  test.each<[string, Record<string, string | null>]>([
    ['no query is answered', { [parent]: null }],
    ['the list of policies is refused', { [parent]: null, 'HKCU\\Software': above('Classes', 'POLICIES') }],
    ['the list above is empty', { [parent]: null, 'HKCU\\Software': '' }],
    ['the list above is in another encoding', { [parent]: null, 'HKCU\\Software': 'H\0K\0E\0Y\0' }],
    ['the list of policies is in another encoding', { [parent]: '\uFFFD\uFFFDH\0K\0\r\n' }],
    ['the list of policies breaks off', { [parent]: '\r\nHKEY_CURRENT_USER\\Software\\Policies\\Outt' }],
    ['the answer is of another key', { [userKey]: printed(parent, 'proxy    REG_SZ    none') }],
    ['the answer breaks off', { [userKey]: printed(userKey, 'proxy    REG_SZ    none').slice(0, -8) }],
    ['a value breaks off', { [userKey]: printed(userKey, 'holdSecrets    REG_') }],
    ['a value has a second line', { [userKey]: printed(userKey, 'folder    REG_SZ    C:\\a\r\nb') }],
    ['a value is in another encoding', { [userKey]: printed(userKey, 'folder    REG_SZ    C:\\Zo\uFFFD') }],
    ['the answer is in UTF-16', { [userKey]: printed(userKey).replaceAll(/./gs, '$&\0') }],
  ])('the start stops where %s', (_what, keys) => {
    expect(() => readWindowsPolicy(registry(keys))).toThrow(expect.objectContaining({ code: 'bad-setting' }));
  });
});

test('reg.exe of the system is called through cmd.exe, in UTF-8; its output is the policy', () => {
  const asked: string[] = [];
  const query = registryQuery({ SystemRoot: 'D:\\Windows' }, (program, args) => {
    asked.push([program, ...args].join(' '));
    if (asked.length === 1) return printed(machineKey, 'folder    REG_SZ    C:\\合同');
    if (asked.length === 3) return '';
    throw new Error('it ended with code 1');
  });
  expect(readWindowsPolicy(query)).toEqual({
    values: { folder: 'C:\\合同' },
    recommended: {},
    source: machineKey,
  });
  const system = 'D:\\Windows\\System32';
  const line = (key: string, below: string): string =>
    `${system}\\cmd.exe /d /s /c ""${system}\\chcp.com" 65001 >nul & "${system}\\reg.exe" query "${key}"${below}"`;
  expect(asked).toEqual([
    line(machineKey, ' /s /se "|"'),
    line(userKey, ' /s /se "|"'),
    line('HKCU\\Software\\Policies', ''),
  ]);
});

describe('where reg.exe or cmd.exe is forbidden', () => {
  const forbidden = () => null;
  const other = (keys: Record<string, string | null>) => (key: string) => keys[key] ?? null;

  test.each<[string, Record<string, string | null>, object]>([
    ['there is no policy', { [machineKey]: '', [userKey]: '' }, { values: {}, source: '' }],
    [
      'there is one',
      { [machineKey]: printed(machineKey, 'proxy    REG_SZ    none').trim() + '\r\n', [userKey]: '' },
      { values: { proxy: 'none' }, source: machineKey },
    ],
  ])('another program says that %s', (_what, keys, policy) =>
    expect(readWindowsPolicy(forbidden, other(keys))).toMatchObject(policy),
  );

  test.each<[string, Record<string, string | null>]>([
    ['neither answers', {}],
    ['one of two keys is not answered', { [machineKey]: '' }],
    [
      'its answer breaks off',
      { [machineKey]: 'HKEY_LOCAL_MACHINE\\Software\\Policies\\Outt', [userKey]: '' },
    ],
  ])('the start stops where %s', (_what, keys) => {
    expect(() => readWindowsPolicy(forbidden, other(keys))).toThrow(
      expect.objectContaining({ code: 'bad-setting' }),
    );
  });

  test('it is PowerShell of the system, asked only where the registry gave no answer', () => {
    const asked: string[] = [];
    const ask = powershellQuery({ SystemRoot: 'D:\\Windows' }, (program, args) => {
      asked.push(program);
      expect(Buffer.from(args.at(-1) ?? '', 'base64').toString('utf16le')).toContain(`OpenSubKey('${path}')`);
      return 'all of the policy was read\r\n';
    });
    const isMachine = (key: string) => (key === machineKey ? printed(machineKey) : null);
    expect(readWindowsPolicy(isMachine, ask)).toMatchObject({ values: {} });
    const silent = powershellQuery({ SystemRoot: 'D:\\Windows' }, () => '');
    expect(() => readWindowsPolicy(isMachine, silent)).toThrow(
      expect.objectContaining({ code: 'bad-setting' }),
    );
    expect(asked).toEqual(['D:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe']);
  });
});

test.runIf(process.platform === 'win32')('the registry of this machine can be read', () => {
  expect(readWindowsPolicy().values).toBeDefined();
});

test('both hives are queried at once for a change of the policy, in UTF-8', async () => {
  const asked: (readonly string[])[] = [];
  const mark = createWindowsMark({ SystemRoot: 'D:\\Windows' }, (program, args) => {
    asked.push([program, ...args]);
    return Promise.resolve(printed('HKLM\\SOFTWARE', 'CurrentVersion    REG_SZ    6.3'));
  });
  expect(await mark()).toContain('6.3');
  const [at, query] = ['D:\\Windows\\System32', '"D:\\Windows\\System32\\reg.exe" query'];
  expect(asked).toEqual([
    [
      `${at}\\cmd.exe`,
      '/d',
      '/s',
      '/c',
      `""${at}\\chcp.com" 65001 >nul & ${query} "HKLM\\Software\\Policies\\Outtray" /s & ${query} "HKCU\\Software\\Policies\\Outtray" /s & ${query} "HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion" /v CurrentVersion"`,
    ],
  ]);
});

test('where reg.exe is forbidden PowerShell is asked for a change of the policy, each quarter of an hour', async () => {
  const asked: string[] = [];
  let nowMs = 0;
  let policy: string | null = 'HKEY_LOCAL_MACHINE\\Software\\Policies\\Outtray\r\n';
  const mark = createWindowsMark(
    {},
    (program, args) => {
      const name = program.slice(program.lastIndexOf('\\') + 1);
      asked.push(name);
      if (name === 'cmd.exe') return Promise.resolve('');
      const script = Buffer.from(args.at(-1) ?? '', 'base64').toString('utf16le');
      expect(script).toMatch(/LocalMachine[^]*CurrentUser/);
      return Promise.resolve(policy === null ? 'it broke off' : `${policy}all of the policy was read\r\n`);
    },
    () => nowMs,
  );
  expect(await mark()).toBe(policy);
  for (nowMs = 3000; nowMs < 15 * 60_000; nowMs += 3000) expect(await mark()).toBeNull();
  expect(asked.filter((name) => name === 'powershell.exe')).toHaveLength(1);
  policy = `${policy}    holdSecrets    REG_DWORD    0x1\r\n`;
  expect(await mark()).toBe(policy);
  nowMs *= 2;
  policy = null;
  expect(await mark()).toBeNull();
});
