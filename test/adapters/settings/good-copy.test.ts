// A file of settings that says nothing is none: what was in force is named, and nothing is guessed.
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSettings } from '../../../src-main/adapters/settings/settings.ts';

test.each([
  ...['{"proxy": "none"', '[]', '"text"', 'null', '', ' ', '\n\n', '\ufeff', '\0\0\0', '{"ignore":["*.ps'],
])(
  'a file that is no object (%j) stops the start, stays as it is, and its good copy is named',
  async (text) => {
    const folder = await mkdtemp(join(tmpdir(), 'outtray-settings-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'settings.json');
    const copy = join(folder, 'settings.good.json');
    const open = () => openSettings({ version: '0.1.0', file, policy: { values: {}, source: '' } });
    const refused = (remedy: string): unknown =>
      expect.objectContaining({
        code: 'bad-setting',
        message: expect.stringContaining(file) as unknown,
        remedy: expect.stringContaining(remedy) as unknown,
      });
    await writeFile(file, text);
    expect(open).toThrow(refused('Correct the file'));
    expect(await readFile(file, 'utf8')).toBe(text);
    for (const by of ['hand', 'outtray'] as const) {
      await writeFile(file, '{ "notify": false }');
      const settings = open();
      if (by === 'outtray') await settings.set('ignore', ['*.psd']);
      const before = settings.current();
      await writeFile(file, text);
      expect(open).toThrow(refused(copy));
      expect(() => settings.reload()).toThrow(refused(copy));
      expect(settings.current()).toEqual(before);
      await rename(copy, file);
      expect(open().current()).toEqual(before);
    }
  },
);
