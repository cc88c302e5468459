// A policy that changes while the program runs: when it is noticed, what then applies, and what a broken one does.
import { writeFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fileMark } from '../../../src-main/adapters/policy/file-mark.ts';
import { linuxFiles, readLinuxPolicy } from '../../../src-main/adapters/policy/linux.ts';
import { macFiles } from '../../../src-main/adapters/policy/mac.ts';
import { watchPolicy } from '../../../src-main/adapters/policy/policy.ts';
import { openSettings } from '../../../src-main/adapters/settings/settings.ts';
import { version } from '../../../src-main/adapters/version.ts';

let root: string;
let folder: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'outtray-changed-'));
  folder = join(root, 'outtray');
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(root, { recursive: true });
});

test('it is read again within five seconds of a change, and not while nothing changes', async () => {
  vi.useFakeTimers();
  let mark: string | null = 'first';
  let isUnusable = false;
  const look = vi.fn();
  const failed = vi.fn();
  const stop = watchPolicy(
    look,
    () => isUnusable,
    failed,
    () => Promise.resolve(mark),
  );
  const within = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  await within(5000);
  expect(look).toHaveBeenCalledTimes(1);
  await within(60_000);
  expect(look).toHaveBeenCalledTimes(1);
  mark = 'second';
  await within(5000);
  expect(look).toHaveBeenCalledTimes(2);
  // No answer is no change.
  mark = null;
  await within(30_000);
  expect(look).toHaveBeenCalledTimes(2);
  // What cannot be taken over now is read again with the next check, and ends no program.
  look.mockImplementationOnce(() => {
    throw new Error('disk full');
  });
  mark = 'third';
  await within(9000);
  expect(failed).toHaveBeenCalledOnce();
  expect(look).toHaveBeenCalledTimes(4);
  look.mockClear();
  isUnusable = true;
  await within(9000);
  expect(look).toHaveBeenCalledTimes(3);
  stop();
  await within(60_000);
  expect(look).toHaveBeenCalledTimes(3);
});

describe.skipIf(process.platform === 'win32')('the mark of its files', () => {
  const marks = () => fileMark(linuxFiles(join(folder, 'policy.json')));
  const steps: [what: string, act: () => Promise<unknown>][] = [
    ['the folder is made', () => mkdir(folder, { mode: 0o755 })],
    ['the file is made', () => writeFile(join(folder, 'policy.json'), '{"notify":true}', { mode: 0o644 })],
    [
      'it is written in place, in as many letters',
      () => writeFile(join(folder, 'policy.json'), '{"notify":null}'),
    ],
    ['its rights change', () => chmod(join(folder, 'policy.json'), 0o666)],
    ['a folder of parts is made', () => mkdir(join(folder, 'policy.d'), { mode: 0o755 })],
    ['a part is made', () => writeFile(join(folder, 'policy.d/a.json'), '{}')],
    ['a part is written in place', () => writeFile(join(folder, 'policy.d/a.json'), '{ }')],
    [
      'a part gets another name',
      () => rename(join(folder, 'policy.d/a.json'), join(folder, 'policy.d/b.json')),
    ],
    ['it is demanded', () => writeFile(join(folder, 'policy.required'), '')],
    ['all is removed', () => rm(folder, { recursive: true })],
  ];

  test('differs after each change, and only then', async () => {
    for (const [what, act] of steps) {
      const before = marks();
      expect(marks(), what).toBe(before);
      await act();
      expect(marks(), what).not.toBe(before);
    }
  });

  test('covers the profiles of the machine and of the user on macOS', async () => {
    const files = macFiles(root, 'kim');
    const none = fileMark(files);
    await mkdir(join(root, 'kim'));
    expect(fileMark(files)).toBe(none);
    await writeFile(files[1], 'plist');
    const own = fileMark(files);
    await writeFile(files[0], 'plist');
    expect(new Set([none, own, fileMark(files)]).size).toBe(3);
  });
});

describe.skipIf(process.platform === 'win32')('settings under a policy that changes', () => {
  const policy = (name = 'policy.json') => join(folder, name);
  const ownerUid = process.getuid?.() ?? 0;
  const read = () => readLinuxPolicy({ file: policy(), ownerUid });
  const put = (text: string) => writeFile(policy(), text, { mode: 0o644 });
  const open = () => {
    const settings = openSettings({ version, file: join(root, 'settings.json'), policy: read() });
    const heard = vi.fn();
    settings.onChange(heard);
    return { settings, heard, change: () => settings.adoptPolicy(read) };
  };
  beforeEach(() => mkdir(folder, { mode: 0o755 }));

  test('a new lock takes effect and is announced, a removed one restores the user’s own value', async () => {
    const { settings, heard, change } = open();
    await settings.set('graceSeconds', 20);
    heard.mockClear();
    await put('{"graceSeconds":60,"notify":true}');
    expect(change()).toBe(true);
    expect(settings.current().graceSeconds).toBe(60);
    expect(settings.isLocked('graceSeconds')).toBe(true);
    await expect(settings.set('graceSeconds', 5)).rejects.toThrow('graceSeconds is locked');
    expect(heard).toHaveBeenCalledTimes(1);
    await put('{"notify":true}');
    expect(change()).toBe(true);
    expect(settings.current().graceSeconds).toBe(20);
    expect(settings.isLocked('graceSeconds')).toBe(false);
    expect(heard).toHaveBeenCalledTimes(2);
    expect(change()).toBe(false);
    expect(heard).toHaveBeenCalledTimes(2);
    // A lock on the value already in force is announced as well: the window shows it locked.
    await put('{"notify":true,"graceSeconds":20}');
    expect(change()).toBe(true);
    expect(heard).toHaveBeenCalledTimes(3);
  });

  test('a lock that arrives while a setting is being written stays in force', async () => {
    const { settings, change } = open();
    const written = settings.set('burstFiles', 7);
    for (let turn = 0; turn < 3; turn += 1) await Promise.resolve();
    // Not `put`: the write would be over.
    writeFileSync(policy(), '{"requireLookInside":true}', { mode: 0o644 });
    expect(change()).toBe(true);
    await written;
    expect(settings.current()).toMatchObject({ burstFiles: 7, requireLookInside: true, lookInside: true });
    expect(settings.view().find(({ name }) => name === 'requireLookInside')?.origin).toBe('policy');
  });

  test('one that demands a newer version stops uploads, and names that version, until it is lifted', async () => {
    await put('{"minimumVersion":"0.0.1"}');
    const { settings, heard, change } = open();
    expect(settings.barred()).toBeNull();
    await put('{"minimumVersion":"99.0.0"}');
    expect(change()).toBe(true);
    const sentence = `Outtray 99.0.0 or newer is required; this is ${version}, so nothing is uploaded.`;
    expect(settings.barred()).toMatchObject({
      code: 'not-allowed',
      message: sentence,
      remedy: expect.stringContaining('Update Outtray') as unknown,
    });
    expect(settings.warnings()).toEqual([sentence]);
    expect(heard).toHaveBeenCalledTimes(1);
    await put('{}');
    expect(change()).toBe(true);
    expect(settings.barred()).toBeNull();
    expect(settings.warnings()).toEqual([]);
  });

  test.each([
    ['broken', () => put('{"forbiddenTypes":'), /not valid JSON/],
    ['wrong', () => put('{"forbiddenTypes":"exe"}'), /forbiddenTypes must be/],
    ['misspelt', () => put('{"forbidenTypes":["exe"]}'), /no setting of the name/],
    ['writable by others', () => put('{}').then(() => chmod(policy(), 0o666)), /cannot be trusted/],
    [
      'gone though demanded',
      () => rm(policy()).then(() => writeFile(policy('policy.required'), '')),
      /requires one/,
    ],
  ])('one that is %s lifts no lock and stops uploads until it is mended', async (_what, harm, reason) => {
    await put('{"forbiddenTypes":["exe"]}');
    const { settings, heard, change } = open();
    expect(settings.barred()).toBeNull();
    await harm();
    expect(change()).toBe(true);
    expect(settings.barred()).toMatchObject({
      code: 'bad-setting',
      message: expect.stringMatching(reason) as unknown,
    });
    expect(settings.warnings()[0]).toMatch(reason);
    expect(settings.current().forbiddenTypes).toEqual(['exe']);
    expect(settings.isLocked('forbiddenTypes')).toBe(true);
    expect(heard).toHaveBeenCalledTimes(1);
    expect(change()).toBe(false);
    await rm(policy(), { force: true });
    await put('{"forbiddenTypes":["msi"]}');
    expect(change()).toBe(true);
    expect(settings.barred()).toBeNull();
    expect(settings.current().forbiddenTypes).toEqual(['msi']);
    expect(heard).toHaveBeenCalledTimes(2);
  });
});
