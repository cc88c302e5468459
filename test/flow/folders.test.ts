// `outtray folders add` and `settings set folders` refuse a folder that is watched already, lies in a watched one, or has
// one in it, however it is spelled; and a second mount of one.
import { spawnSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { commandWords } from '../support/flow/command.ts';
import { ownPlace } from '../support/flow/own.ts';

const at = (name: string): string => path.join(place.folder, name);

const place = await ownPlace(null);
beforeAll(async () => {
  for (const name of ['a/below', 'b']) await mkdir(at(name), { recursive: true });
  await symlink(at('a'), at('link'));
  await symlink(place.folder, at('b/up'));
  await place.json(['folders', 'add', at('a')]);
});

describe('a folder that is watched', () => {
  test('is not watched a second time, however it is spelled', async () => {
    const refused = { error: { code: 'folder-refused' } };
    for (const name of ['a//', 'b/../a', 'a/below', 'link/below', 'b/up']) {
      const { code, lines } = await place.json(['folders', 'add', `${place.folder}/${name}`]);
      expect([code, lines]).toMatchObject([2, [refused]]);
    }
    const { lines } = await place.json(['settings', 'set', 'folders', at('link')]);
    expect(lines).toMatchObject([refused]);
    expect((await place.json(['folders'])).lines.map((line) => line['folder'])).toEqual([at('a')]);
  });

  const canMount = spawnSync('unshare', ['-Urm', 'true']).status === 0;
  test.skipIf(!canMount)('is not watched a second time under another mount', () => {
    const script = 'mount --bind "$1" "$2" && shift 2 && exec "$@"';
    const add = (folder: string): string => {
      const ours = [...commandWords, 'folders', 'add', folder, '--json'];
      const args = ['-Urm', 'sh', '-c', script, 'sh', at('a'), at('b'), ...ours];
      const { stdout } = spawnSync('unshare', args, {
        env: { ...process.env, ...place.env },
        encoding: 'utf8',
      });
      return stdout;
    };
    expect(add(at('b'))).toContain('is watched already');
    expect(add(at('b/below'))).toContain('lies in');
  });
});
