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
  const ignored = (reason: string) => ({
    values: {},
    source: '',
    warnings: [`The policy ${file} is ignored: ${reason}.`],
  });

  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'outtray-policy-')), 'outtray');
    await mkdir(folder, { mode: 0o755 });
    file = join(folder, 'policy.json');
  });
  afterEach(() => rm(join(folder, '..'), { recursive: true }));

  test('no file or no folder is no policy, without a word', async () => {
    expect(read()).toEqual({ values: {}, source: '', warnings: [] });
    await rm(folder, { recursive: true });
    expect(read()).toEqual({ values: {}, source: '', warnings: [] });
  });

  test('an editor’s $schema is no setting', async () => {
    await writeFile(file, '{"$schema":"x.json","notify":false}', { mode: 0o644 });
    expect(read().values).toEqual({ notify: false });
  });

  test('a file of the administrator counts, and says where it stands', async () => {
    await writeFile(file, '{"proxy":"none"}', { mode: 0o644 });
    expect(read()).toEqual({ values: { proxy: 'none' }, source: file, warnings: [] });
  });

  test('a file of somebody else is ignored', async () => {
    await writeFile(file, '{"proxy":"none"}', { mode: 0o644 });
    const { values, warnings } = readLinuxPolicy({ file, ownerUid: ownerUid + 1 });
    expect(values).toEqual({});
    expect(warnings).toEqual([expect.stringContaining('does not belong to root')]);
  });

  test.each([0o664, 0o646])('a file with mode %o is ignored', async (mode) => {
    await writeFile(file, '{"proxy":"none"}');
    await chmod(file, mode);
    expect(read()).toEqual(ignored('it can be written by others than root'));
  });

  test('a good file in a folder that others can write is ignored', async () => {
    await writeFile(file, '{"proxy":"none"}', { mode: 0o644 });
    await chmod(folder, 0o777);
    expect(read()).toEqual(ignored('its folder can be written by others than root'));
  });

  test('a link is ignored, as file and as folder', async () => {
    await writeFile(join(folder, 'real.json'), '{"proxy":"none"}', { mode: 0o644 });
    await symlink('real.json', file);
    expect(read()).toEqual(ignored('it is a symbolic link'));
    await symlink(folder, join(folder, 'linked'));
    file = join(folder, 'linked', 'real.json');
    expect(read()).toEqual(ignored('its folder is a symbolic link'));
  });

  test('a pipe or a folder in its place is ignored and does not hang the start', async () => {
    execFileSync('mkfifo', ['-m', '644', file]);
    expect(read()).toEqual(ignored('it is not a regular file'));
    await rm(file);
    await mkdir(file, { mode: 0o755 });
    expect(read()).toEqual(ignored('it is not a regular file'));
  });

  test.each(['{"proxy":', '[]', 'null', ''])('trusted but unreadable (%s) stops the start', async (text) => {
    await writeFile(file, text, { mode: 0o644 });
    expect(read).toThrow(
      expect.objectContaining({ code: 'bad-setting', message: expect.stringContaining(file) as unknown }),
    );
  });
});

test('a platform without a reader has no policy', () => {
  expect(readPolicy('aix')).toEqual({ values: {}, source: '', warnings: [] });
});
