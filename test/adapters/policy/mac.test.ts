// Managed preferences in a folder of the test; plutil itself runs on macOS only, so JSON stands for property lists.
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readMacPolicy } from '../../../src-main/adapters/policy/mac.ts';

describe.skipIf(process.platform === 'win32')('managed preferences', () => {
  let folder: string;
  let machine: string;
  let own: string;
  const read = () =>
    readMacPolicy({
      folder,
      user: 'zoe',
      ownerUid: process.getuid?.() ?? 0,
      toJson: (plist) => plist.toString(),
    });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'outtray-managed-'));
    await chmod(folder, 0o755);
    await mkdir(join(folder, 'zoe'), { mode: 0o755 });
    machine = join(folder, 'app.outtray.desktop.plist');
    own = join(folder, 'zoe/app.outtray.desktop.plist');
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('no file means no policy', () => expect(read()).toEqual({ values: {}, recommended: {}, source: '' }));

  test('the machine’s value wins, both places are named, the profile’s own keys are left out', async () => {
    await writeFile(machine, '{"proxy":"none","PayloadUUID":"x","recommended":{"copyLink":"never"}}', {
      mode: 0o644,
    });
    const recommended = '{"copyLink":"always","language":"de"}';
    await writeFile(own, `{"proxy":"system","notify":false,"recommended":${recommended}}`, { mode: 0o644 });
    expect(read()).toEqual({
      values: { proxy: 'none', notify: false },
      recommended: { copyLink: 'never', language: 'de' },
      source: `${machine} and ${own}`,
    });
  });

  test('a file that a user could have written stops the start', async () => {
    await writeFile(machine, '{"proxy":"none"}');
    await chmod(machine, 0o666);
    expect(read).toThrow(/can be written by others than root/);
    await rm(machine);
    await writeFile(join(folder, 'real'), '{"notify":false}', { mode: 0o644 });
    await symlink(join(folder, 'real'), own);
    expect(read).toThrow(/is a symbolic link/);
  });

  test('trusted but unreadable stops the start', async () => {
    await writeFile(machine, 'bplist00', { mode: 0o644 });
    expect(read).toThrow(expect.objectContaining({ code: 'bad-setting' }));
    const broken = () => {
      throw new Error('not a property list');
    };
    expect(() =>
      readMacPolicy({ folder, user: 'zoe', ownerUid: process.getuid?.() ?? 0, toJson: broken }),
    ).toThrow(
      expect.objectContaining({ code: 'bad-setting', message: expect.stringContaining(machine) as unknown }),
    );
  });
});
