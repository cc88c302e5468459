// A policy in several files: /etc/outtray/policy.json first, then those of policy.d by name.
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mergedOf, type Policy } from '../../../src-main/adapters/policy/given.ts';
import { readLinuxPolicy } from '../../../src-main/adapters/policy/linux.ts';
import { openSettings } from '../../../src-main/adapters/settings/settings.ts';
import { settingNames } from '../../../src-main/contract/settings.ts';

describe.skipIf(process.platform === 'win32')('/etc/outtray/policy.d', () => {
  let folder: string;
  const ownerUid = process.getuid?.() ?? 0;
  const read = () => readLinuxPolicy({ file: join(folder, 'policy.json'), ownerUid });
  const put = (name: string, text: string) => writeFile(join(folder, name), text, { mode: 0o644 });

  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'outtray-parts-')), 'outtray');
    await mkdir(join(folder, 'policy.d'), { recursive: true, mode: 0o755 });
  });
  afterEach(() => rm(join(folder, '..'), { recursive: true }));

  test('its files are applied after policy.json, in the order of their names, and only those that end with .json', async () => {
    await put('policy.d/20-team.json', '{"proxy":"http://team.example:1","recommended":{"notify":false}}');
    await put('policy.d/100-site.json', '{"proxy":"none","recommended":{"notify":true,"language":"de"}}');
    await put('policy.d/30-off.json.bak', '{"holdSecrets":false}');
    await put('policy.d/.40-editor.json', '{"holdSecrets":false}');
    expect(read()).toMatchObject({ values: { proxy: 'http://team.example:1' } });
    await put('policy.json', '{"proxy":"system","holdSecrets":true}');
    expect(read()).toMatchObject({
      values: { proxy: 'http://team.example:1', holdSecrets: true },
      recommended: { notify: false, language: 'de' },
    });
  });

  test('each lock names the file that made it', async () => {
    await put('policy.json', '{"proxy":"none","holdSecrets":true}');
    await put('policy.d/20-team.json', '{"proxy":"system"}');
    const settings = openSettings({ version: '0.1.0', file: join(folder, 'settings.json'), policy: read() });
    const lock = (name: string) => settings.view().find((view) => view.name === name)?.lockedBy;
    expect(lock('proxy')).toBe(`Set by your administrator in ${join(folder, 'policy.d/20-team.json')}.`);
    expect(lock('holdSecrets')).toBe(`Set by your administrator in ${join(folder, 'policy.json')}.`);
    await put('policy.d/30-wrong.json', '{"holdSecrets":"yes"}');
    expect(() =>
      openSettings({ version: '0.1.0', file: join(folder, 'settings.json'), policy: read() }),
    ).toThrow(join(folder, 'policy.d/30-wrong.json'));
  });

  test.each([
    ['broken', () => put('policy.d/50.json', '{"proxy":'), /50\.json is not valid JSON/],
    ['a list', () => put('policy.d/50.json', '[]'), /50\.json is not a JSON object/],
    [
      'writable by others',
      () => put('policy.d/50.json', '{}').then(() => chmod(join(folder, 'policy.d/50.json'), 0o666)),
      /50\.json cannot be trusted: it can be written by others/,
    ],
    ['a link', () => symlink('../policy.json', join(folder, 'policy.d/50.json')), /is a symbolic link/],
    ['a folder', () => mkdir(join(folder, 'policy.d/50.json')), /is not a regular file/],
  ])('a file that is %s stops the start, whatever the others contain', async (_what, make, reason) => {
    await put('policy.json', '{"proxy":"none"}');
    await make();
    expect(read).toThrow(
      expect.objectContaining({ code: 'bad-setting', message: expect.stringMatching(reason) as unknown }),
    );
  });

  test('so does a file of another user, and a folder that others can write, even an empty one', async () => {
    await put('policy.d/50.json', '{}');
    expect(() => readLinuxPolicy({ file: join(folder, 'policy.json'), ownerUid: ownerUid + 1 })).toThrow(
      /does not belong to root/,
    );
    await rm(join(folder, 'policy.d/50.json'));
    await chmod(join(folder, 'policy.d'), 0o777);
    expect(read).toThrow(/policy\.d cannot be trusted: it can be written by others/);
    await rm(join(folder, 'policy.d'), { recursive: true });
    await symlink('elsewhere', join(folder, 'policy.d'));
    expect(read).toThrow(/policy\.d cannot be trusted: it is a symbolic link/);
  });

  test('one file of the folder satisfies a required policy', async () => {
    await put('policy.required', '');
    expect(read).toThrow(/policy\.required requires one/);
    await put('policy.d/10.json', '{"proxy":"none"}');
    expect(read()).toMatchObject({ values: { proxy: 'none' } });
  });
});

test('among files merged in order the last one that names a setting wins, and every lock of any of them stays', () => {
  const part = fc.dictionary(fc.constantFrom(...settingNames, '__proto__', 'unknown'), fc.jsonValue(), {
    maxKeys: 6,
  });
  const parts = fc
    .array(fc.record({ values: part, recommended: part }), { maxLength: 6 })
    .map((all) => all.map((one, at): Policy => ({ ...one, source: `/etc/outtray/policy.d/${at}.json` })));
  fc.assert(
    fc.property(parts, (files) => {
      const merged = mergedOf(files);
      for (const layer of ['values', 'recommended'] as const) {
        const named = new Set(files.flatMap((file) => Object.keys(file[layer])));
        expect(new Set(Object.keys(merged[layer]))).toEqual(named);
        for (const name of named) {
          const last = files.findLast((file) => Object.hasOwn(file[layer], name));
          expect(merged[layer][name]).toEqual(last?.[layer][name]);
          if (layer === 'values' && files.length > 1) expect(merged.sources?.[name]).toBe(last?.source);
        }
      }
      // Another file removes no lock.
      const fewer = mergedOf(files.slice(0, -1));
      expect(Object.keys(merged.values)).toEqual(expect.arrayContaining(Object.keys(fewer.values)));
    }),
  );
});
