import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readLinuxPolicy } from '../../../src-main/adapters/policy/linux.ts';
import { readPolicy } from '../../../src-main/adapters/policy/policy.ts';

describe.skipIf(process.platform === 'win32')('/etc/outtray/policy.json', () => {
  let folder: string;
  let file: string;
  const ownerUid = process.getuid?.() ?? 0;
  const read = () => readLinuxPolicy({ file, ownerUid });
  const none = { values: {}, recommended: {}, source: '' };
  /** Its message and remedy. */
  const stops = (reason: string, remedy: string) =>
    expect(read).toThrow(
      expect.objectContaining({
        code: 'bad-setting',
        message: expect.stringContaining(`cannot be trusted: it ${reason}.`) as unknown,
        remedy: expect.stringContaining(remedy) as unknown,
      }),
    );

  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'outtray-policy-')), 'outtray');
    await mkdir(folder, { mode: 0o755 });
    file = join(folder, 'policy.json');
  });
  afterEach(() => rm(join(folder, '..'), { recursive: true }));

  test('no file or no folder means no policy, without a warning', async () => {
    expect(read()).toEqual(none);
    await rm(folder, { recursive: true });
    expect(read()).toEqual(none);
  });

  test('an editor’s $schema is no setting', async () => {
    await writeFile(file, '{"$schema":"x.json","notify":false}', { mode: 0o644 });
    expect(read().values).toEqual({ notify: false });
  });

  test('a file of the administrator applies, and reports its path', async () => {
    await writeFile(file, '{"proxy":"none"}', { mode: 0o644 });
    expect(read()).toEqual({ values: { proxy: 'none' }, recommended: {}, source: file });
  });

  test.each([
    ['UTF-8', Buffer.from('\ufeff{"proxy":"none"}')],
    ['UTF-16', Buffer.from('\ufeff{"proxy":"none"}', 'utf16le')],
  ])('a file with the mark of %s is read', async (_what, content) => {
    await writeFile(file, content, { mode: 0o644 });
    expect(read().values).toEqual({ proxy: 'none' });
  });

  test('recommended values are kept apart from locks', async () => {
    await writeFile(file, '{"proxy":"none","recommended":{"notify":false}}', { mode: 0o644 });
    expect(read()).toMatchObject({ values: { proxy: 'none' }, recommended: { notify: false } });
    await writeFile(file, '{"recommended":["notify"]}', { mode: 0o644 });
    expect(read).toThrow(/“recommended” that is not an object/);
  });

  test('a file of another user stops the start', async () => {
    await writeFile(file, '{"proxy":"none"}', { mode: 0o644 });
    expect(() => readLinuxPolicy({ file, ownerUid: ownerUid + 1 })).toThrow(/does not belong to root/);
  });

  test.each([0o664, 0o646])('a file with mode %o stops the start', async (mode) => {
    await writeFile(file, '{"proxy":"none"}');
    await chmod(file, mode);
    stops('can be written by others than root', `chmod go-w "${file}"`);
  });

  test('a folder that others can write stops the start, with or without a file in it', async () => {
    await chmod(folder, 0o777);
    stops('can be written by others than root', `chmod go-w "${folder}"`);
    await writeFile(file, '{"proxy":"none"}', { mode: 0o644 });
    stops('can be written by others than root', `chmod go-w "${folder}"`);
  });

  test('a link stops the start, as file and as folder', async () => {
    await writeFile(join(folder, 'real.json'), '{"proxy":"none"}', { mode: 0o644 });
    await symlink('real.json', file);
    stops('is a symbolic link', 'Put the policy itself there');
    await symlink(folder, join(folder, 'linked'));
    file = join(folder, 'linked', 'real.json');
    stops('is a symbolic link', 'Put a folder of root there');
  });

  test('a pipe or a folder in its place stops the start without hanging', async () => {
    execFileSync('mkfifo', ['-m', '644', file]);
    stops('is not a regular file', 'Put the policy itself there');
    await rm(file);
    await mkdir(file, { mode: 0o755 });
    stops('is not a regular file', 'Put the policy itself there');
  });

  test('a file in the place of its folder stops the start', async () => {
    await rm(folder, { recursive: true });
    await writeFile(folder, '', { mode: 0o644 });
    expect(read).toThrow(/cannot be read/);
  });

  test('a required policy that is missing stops the start', async () => {
    const mark = join(folder, 'policy.required');
    await writeFile(mark, '');
    expect(read).toThrow(
      expect.objectContaining({ code: 'bad-setting', message: expect.stringContaining(mark) as unknown }),
    );
    await rm(mark);
    await symlink('nowhere', mark);
    expect(read).toThrow(mark);
    await writeFile(file, '{}', { mode: 0o644 });
    expect(read()).toEqual({ values: {}, recommended: {}, source: file });
  });

  test.each(['{"proxy":', '[]', 'null', ''])('trusted but unreadable (%s) stops the start', async (text) => {
    await writeFile(file, text, { mode: 0o644 });
    expect(read).toThrow(
      expect.objectContaining({ code: 'bad-setting', message: expect.stringContaining(file) as unknown }),
    );
  });
});

test('a platform without a reader has no policy', () => {
  expect(readPolicy('aix')).toEqual({ values: {}, recommended: {}, source: '' });
});
