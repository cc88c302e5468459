// Nothing in the watched folder is ever written (invariant I7): the engine has no call for it, and the adapters
// that see the folder import no function that writes.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createFiles } from '../../src-main/adapters/files/files.ts';
import type { Files, OpenFile } from '../../src-main/engine/ports/files.ts';

/** A new way to the folder has to be judged here before it compiles. */
const ways: Record<keyof Files, 'reads'> = {
  identify: 'reads',
  disk: 'reads',
  mounts: 'reads',
  list: 'reads',
  look: 'reads',
  spell: 'reads',
  place: 'reads',
  open: 'reads',
  seesWriters: 'reads',
  openForWriting: 'reads',
};
const waysOfOpenFile: Record<keyof OpenFile, 'reads'> = {
  stamp: 'reads',
  place: 'reads',
  pieces: 'reads',
  head: 'reads',
  descriptor: 'reads',
  cut: 'reads',
  unchanged: 'reads',
  sha256: 'reads',
  close: 'reads',
};

const adapters = path.join(import.meta.dirname, '../../src-main/adapters');
const sources = ['files', 'watch'].flatMap((folder) =>
  readdirSync(path.join(adapters, folder)).map((name) => ({
    name: `${folder}/${name}`,
    text: readFileSync(path.join(adapters, folder, name), 'utf8'),
  })),
);

const reading = new Set([
  'closeSync',
  'existsSync',
  'constants',
  'fstatSync',
  'lstat',
  'lstatSync',
  'openSync',
  'opendirSync',
  'read',
  'readFileSync',
  'readSync',
  'readdir',
  'readdirSync',
  'readlinkSync',
  'realpath',
  'realpathSync',
  'stat',
  'statSync',
  'statfsSync',
  'watch',
]);

/** Names of values that a source imports from node:fs; `*` for an import that does not name them. */
const importedFromFs = (text: string): string[] => {
  const lists = [
    ...text.matchAll(/import (type )?\{([^}]*)\} from 'node:fs(\/promises)?'/g),
    ...text.matchAll(/const ()?\{([^}]*)\} = require\('node:fs(\/promises)?'\)/g),
  ];
  const named = lists
    .filter(([, isType]) => isType !== 'type ')
    .flatMap(([, , list = '']) => list.split(','))
    .map((one) => one.trim())
    .filter((one) => one !== '' && !one.startsWith('type '))
    .map((one) => one.split(' as ')[0] ?? one);
  const mentions = text.match(/'(node:)?fs(\/promises)?'/g)?.length ?? 0;
  return mentions === lists.length ? named : [...named, '*'];
};

test('the engine cannot write into the folder', () => {
  expect(Object.keys(createFiles()).toSorted()).toEqual(Object.keys(ways).toSorted());
  expect(Object.keys(waysOfOpenFile)).toHaveLength(9);
});

test('the adapters that see the folder import only functions that read', () => {
  const writing = sources.flatMap(({ name, text }) =>
    importedFromFs(text)
      .filter((one) => !reading.has(one))
      .map((one) => `${name}: ${one}`),
  );
  expect(writing).toEqual([]);
  expect(sources.flatMap(({ text }) => importedFromFs(text))).toContain('openSync');
});

test('they open every file for reading only', () => {
  const modes = sources.flatMap(({ text }) =>
    [...text.matchAll(/openSync\([^;]*?, ([^,;()]+)\)/g)].map(([, mode]) => mode),
  );
  expect(new Set(modes)).toEqual(new Set(['flags', 'exclusive', "'r'"]));
  const flags = sources.flatMap(({ text }) => text.match(/\bO_\w+/g) ?? []);
  expect(flags.filter((flag) => /O_(WRONLY|RDWR|CREAT|TRUNC|APPEND)/.test(flag))).toEqual([]);
});

test.each([
  ["import { writeFileSync } from 'node:fs';", ['writeFileSync']],
  ["import { rm as gone } from 'node:fs/promises';", ['rm']],
  ["import * as fs from 'node:fs';", ['*']],
  ["const { readSync, rmSync } = require('node:fs');", ['readSync', 'rmSync']],
  ["const fs = require('node:fs');", ['*']],
  ["import type { Stats } from 'node:fs';", []],
])('the search in "%s" finds %j', (text, found) => {
  expect(importedFromFs(text)).toEqual(found);
});
