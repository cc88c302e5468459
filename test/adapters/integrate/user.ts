// A user with a home folder, a search path and a program of their own, for the tests of entries in file managers.
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { createFileManagers } from '../../../src-main/adapters/integrate/file-managers.ts';
import { entryLabels } from '../../../src-main/adapters/integrate/labels.ts';
import type { Language } from '../../../src-main/contract/text/speech.ts';
import { onWindows } from '../../support/posix.ts';

export let root = '';
/** A stand-in that writes down its arguments, in a folder with a difficult name. */
export let program = '';
export let record = '';
/** The words of an entry that starts it. */
export const words = (): string[] => [program, 'upload', '--copy', '--'];
export const home = (): string => path.join(root, 'user');

/** Hooks for each test of the file that calls it. */
export const eachTestHasAUser = (): void => {
  beforeEach(async () => {
    root = await realpath(await mkdtemp(path.join(tmpdir(), 'outtray-integrate-')));
    const odd = path.join(
      root,
      onWindows ? "it's 100%F; $HOME `id` &b" : `it's 100%F; "my" $HOME \`id\` \\n&<b>`,
    );
    program = path.join(odd, 'outtray');
    record = path.join(root, 'record');
    await mkdir(odd);
    await mkdir(home());
    await mkdir(path.join(root, 'bin'));
    await writeFile(program, `#!/bin/sh\nprintf '%s\\0' "$@" > '${record}'\n`);
    await chmod(program, 0o755);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));
};

export const install = async (...names: string[]): Promise<void> => {
  for (const name of names) await symlink('/bin/true', path.join(root, 'bin', name));
};

export const linux = (more: { language?: Language; env?: NodeJS.ProcessEnv; words?: string[] } = {}) =>
  createFileManagers({
    platform: 'linux',
    home: home(),
    words: more.words ?? words(),
    language: more.language ?? 'en',
    env: {
      PATH: path.join(root, 'bin'),
      XDG_DATA_DIRS: path.join(root, 'system'),
      XDG_CONFIG_DIRS: path.join(root, 'xdg'),
      ...more.env,
    },
  });

/** The user's own folders of data and settings always stay. */
const lasting = ['.config', '.local', '.local/share', 'Library'];
export const leftBehind = async (): Promise<string[]> =>
  (await everything()).filter((name) => !lasting.includes(name));
export const everything = async (): Promise<string[]> =>
  (await readdir(home(), { recursive: true })).toSorted();
/** Each name below the home folder with its mode and its bytes. */
export const tree = async (): Promise<Record<string, string>> => {
  const lines = (await everything()).map(async (name): Promise<[string, string]> => {
    const { mode } = await lstat(path.join(home(), name));
    const bytes = await readFile(path.join(home(), name), 'latin1').catch(() => '');
    return [name, `${mode.toString(8)} ${bytes}`];
  });
  return Object.fromEntries(await Promise.all(lines));
};
export const states = async (managers: ReturnType<typeof linux>): Promise<Record<string, string>> =>
  Object.fromEntries((await managers.list()).map(({ name, state }) => [name, state]));

export const all = ['nautilus', 'nemo', 'thunar', 'dolphin'] as const;
export const files = {
  nautilus: (label = entryLabels.en) => path.join(home(), '.local/share/nautilus/scripts', label),
  nemo: () => path.join(home(), '.local/share/nemo/actions/outtray.nemo_action'),
  dolphin: () => path.join(home(), '.local/share/kio/servicemenus/outtray.desktop'),
  thunar: () => path.join(home(), '.config/Thunar/uca.xml'),
};
