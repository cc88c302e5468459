// The architecture holds: every rule is run over the real tree, and over a sample that breaks it.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  bareStarts,
  barrels,
  circles,
  crowdedFolders,
  forbiddenWords,
  hardComments,
  importBreaches,
  longFiles,
  ownFileCalls,
  ownSpellings,
  processInCommand,
  sharedHooks,
  sharedNames,
  strayAtTop,
  writtenCommands,
} from '../support/architecture/rules.ts';
import { wideFactories } from '../support/architecture/factories.ts';
import { largeFunctions, longFunctions } from '../support/architecture/functions.ts';
import { bareGuards } from '../support/architecture/guards.ts';
import { readTree, treeOf, withoutComments } from '../support/architecture/source-tree.ts';
import { posixTest } from '../support/posix.ts';

const root = path.resolve(import.meta.dirname, '../..');
const folders = ['src-main', 'src-renderer', 'test', '.config', 'resources'];
const tree = readTree(
  root,
  folders.filter((folder) => existsSync(path.join(root, folder))),
);
const ours = new Map([...tree].filter(([file]) => file.startsWith('src-')));

/** Files with a single purpose that takes more than 500 lines, with the reason. */
const longWithReason: Record<string, string> = {
  'src-main/contract/commands.ts': 'every command of the engine with its input and answer, a table',
};

/** CONTRIBUTING, Limits. */
const mostOver400 = 8;

/** CONTRIBUTING, Limits. */
const mostLarge = 12;

/** At most five (CONTRIBUTING, Limits). */
const longFunctionsWithReason: Record<string, string> = {
  'src-main/engine/state/next.ts stepOf': 'the table of states and events',
  'src-main/compose.ts compose': 'joins engine and adapters',
};

/** Functions beside the guards that judge nothing. */
const noGuards: Record<string, string> = {
  Spelling: 'spells paths before anything judges them',
  writtenPlace: 'makes the place of a candidate',
  placeFor: 'makes the place of a candidate',
  controlled: 'names the files that a control file may belong to',
  programOf: 'names a program in a sentence',
};

/** Files that resolve real or absolute paths: a path from outside gets its one spelling in `adapters/files/spelling.ts`. */
const pathDoors: Record<string, string> = {
  'src-main/adapters/files/spelling.ts': 'decides',
  'src-main/adapters/files/open.ts': 'compares the open file with its root, at once',
  'src-main/adapters/watch/watch.ts': 'compares what the watcher tells with the folder',
  'src-main/adapters/settings/setting-paths.ts': 'settings are read before anything can wait',
  'src-main/adapters/settings/setting-text.ts': 'makes a typed path whole',
  'src-main/cli/output/words.ts': 'makes a typed path whole',
  'src-main/shell/start/given-files.ts': 'makes an argument whole',
  'src-main/adapters/system/home.ts': 'names the data folder',
  'src-main/adapters/system/own-program.ts': 'names this program',
  'src-main/shell/updates/this-installation.ts': 'names this program',
};

/** Where the file system is called outside the ports that can abandon a hung drive, with the reason. */
const fileDoors: Record<string, string> = {
  'src-main/adapters/files': 'the port',
  'src-main/adapters/drives/pulse-worker.ts': 'the process of a drive',
  'src-main/adapters/drives/texts.ts': 'the port',
  'src-main/adapters/inspect/photo/photo-worker.ts': 'a file that is open already',
  'src-main/adapters/watch': 'the port',
  'src-main/adapters/ledger': 'the data folder',
  'src-main/adapters/log': 'the data folder',
  'src-main/adapters/spool': 'the data folder',
  'src-main/adapters/system': 'the data folder, programs and clocks of the system',
  'src-main/adapters/settings': 'the settings file, and the folder that a policy makes',
  'src-main/adapters/policy': 'files of the system',
  'src-main/adapters/audit': 'the file that a policy names',
  'src-main/adapters/clipboard/read.ts': 'what the system has written',
  'src-main/adapters/integrate': 'folders of the file managers',
  'src-main/shell/start/proposed-folder.ts': 'the proposed folder, at home',
  'src-main/shell/start/login-item.ts': 'the folder of the desktop',
  'src-main/shell/start/given-files.ts': 'the folder of the window',
  'src-main/shell/tray/tray.ts': 'this program',
  'src-main/shell/updates': 'this program, and its loaded update',
  'src-main/shell/window/bundle.ts': 'this program',
  'src-main/shell/window/window-handlers.ts': 'the list of changes of this program',
  'src-main/desktop/context.ts': 'the data folder',
  'src-main/main.ts': 'an argument, before anything is composed; one on a drive that may hang is not asked',
  'src-main/cli/own-process.ts': 'open descriptors of this process',
  'src-main/cli/completion/completion.ts': 'this program',
  'src-main/cli/commands/paste.ts': 'the data folder',
  'src-main/adapters/keychain/folder-id.ts': 'the data folder',
  'src-main/adapters/programs/compiled-code.ts': 'the folder for temporary files',
};

describe('this tree', () => {
  test('imports only what its rooms allow', () => expect(importBreaches(tree)).toEqual([]));
  test('keeps the world out of engine and contract', () => expect(forbiddenWords(tree)).toEqual([]));
  test('reads nothing of the process in the command', () => expect(processInCommand(tree)).toEqual([]));
  test('names the command in one way', () => expect(writtenCommands(tree)).toEqual([]));
  test('starts programs by their whole paths', () => expect(bareStarts(tree)).toEqual([]));
  test('keeps its comments in plain words', () => expect(hardComments(tree).slice(15)).toEqual([]));
  test('spells paths in one place', () => expect(ownSpellings(tree, pathDoors)).toEqual([]));
  test('calls the file system only where a hung drive blocks nothing', () =>
    expect(ownFileCalls(tree, fileDoors)).toEqual([]));
  test('has no import circles', () => expect(circles(ours)).toEqual([]));
  test('has no barrels', () => expect(barrels(ours)).toEqual([]));
  test('has no long files without a reason', () => expect(longFiles(tree, longWithReason, 500)).toEqual([]));
  test('has no more than five functions over 120 lines', () => {
    expect(longFunctions(ours, longFunctionsWithReason, 120)).toEqual([]);
    expect(Object.keys(longFunctionsWithReason).length).toBeLessThanOrEqual(5);
  });
  test('has no factory over 250 lines, and no more over 120 than the measure allows', () => {
    expect(largeFunctions(ours, 250)).toEqual([]);
    const large = largeFunctions(ours, 120);
    expect(large.length, `take a thing out of one of these:\n${large.join('\n')}`).toBeLessThanOrEqual(
      mostLarge,
    );
  });
  test('has no more files over 400 lines than the measure allows', () => {
    const long = longFiles(ours, {}, 400);
    expect(long.length, `make one of these shorter:\n${long.join('\n')}`).toBeLessThanOrEqual(mostOver400);
  });
  test('exports no two things by one name', () => expect(sharedNames(ours)).toEqual([]));
  test('has hooks in test files only', () => expect(sharedHooks(tree)).toEqual([]));
  test('has no crowded folders', () => expect(crowdedFolders(ours)).toEqual([]));
  test('has no factory that takes more than seven things', () => expect(wideFactories(ours, 7)).toEqual([]));
  test('judges no file by a bare path or name', () => expect(bareGuards(ours, noGuards)).toEqual([]));
  test('changes a row of the ledger in one place only', () => {
    const places = [...ours]
      .filter(([, { text }]) => /uploads\.(insert|update)\(/.test(text))
      .map(([file]) => file);
    expect(places).toEqual(['src-main/engine/state/rows.ts']);
  });
  const filesWith = (pattern: RegExp): string[] =>
    [...ours].filter(([, { text }]) => pattern.test(withoutComments(text))).map(([file]) => file);
  test('deletes at the service, says that a link is dead, and holds a no, in one place each', () => {
    const inEngine = (pattern: RegExp): string[] =>
      filesWith(pattern).filter((file) => file.startsWith('src-main/engine/'));
    expect(inEngine(/\bapi\.remove\(/)).toEqual(['src-main/engine/account/copies/removal.ts']);
    expect(inEngine(/\bisLinkDead\(/)).toEqual(['src-main/engine/recall/rounds.ts']);
    expect(inEngine(/\bisUnwanted: true\b/)).toEqual(['src-main/engine/state/unwanted.ts']);
  });
  test('asks whether it runs in Electron only in the app and where it finds its own program', () => {
    const asking = filesWith(
      /\bversions(\.|\[')(electron|chrome)|'electron' in|\bdefaultApp\b|\bresourcesPath\b|ELECTRON_/,
    );
    expect(asking.filter((file) => !/^src-main\/(shell\/.*|main\.ts|preload\.ts)$/.test(file))).toEqual([
      'src-main/adapters/system/own-program.ts',
    ]);
  });
  // The program of the packages has its code inside, where a thread and a child of Node do not find it.
  test('starts threads and itself in one place each', () => {
    expect(filesWith(/\bnew Worker\(/)).toEqual(['src-main/adapters/system/thread.ts']);
    expect(filesWith(/\bfork\(|\bcluster\b/)).toEqual([]);
    expect(filesWith(/\bexecPath\b/).toSorted()).toEqual([
      'src-main/adapters/system/birth.ts',
      'src-main/adapters/system/own-program.ts',
      'src-main/shell/start/login-item.ts',
      'src-main/shell/updates/this-installation.ts',
    ]);
  });
  posixTest('git may be missing')('has nothing else at its top level', () => {
    const names = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
    })
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.replace(/^"?([^/"]+).*$/, '$1'));
    expect(strayAtTop([...new Set(names)])).toEqual([]);
  });
});

test('a sentence that spells out a call of the command breaks the rule', () => {
  const sample = treeOf({ 'src-main/engine/a.ts': "const a = 'See `outtray queue`.'; // `outtray why`" });
  expect(writtenCommands(sample)).toEqual(['src-main/engine/a.ts writes outtray queue']);
  const named = treeOf({
    'src-main/adapters/a.ts': "const a = 'Choose another with --home.'; // with --home",
  });
  expect(writtenCommands(named)).toEqual(['src-main/adapters/a.ts writes with --home']);
  const typed = treeOf({ 'src-main/adapters/a.ts': "call('list', '--all --page 2'); option('--home');" });
  expect(writtenCommands(typed)).toEqual([]);
});

test('a command that reads the process breaks the rule', () => {
  const sample = treeOf({ 'src-main/cli/a.ts': 'const a = process.env; // process.pid' });
  expect(processInCommand(sample)).toEqual(['src-main/cli/a.ts uses process.env']);
});

test('a name that two files export breaks the rule', () => {
  const sample = treeOf({
    'src-main/a.ts': 'export const read = 1;\nexport type Row = 1;',
    'src-main/b.ts': 'export type Row = 2;\nconst read = 2;',
    'src-renderer/c.ts': 'export type Row = 3;',
  });
  expect(sharedNames(sample)).toEqual(['Row: src-main/a.ts, src-main/b.ts']);
});

test('a hook at the top of a shared module of the tests is a breach', () => {
  const hook = 'afterEach(() => close());';
  const sample = treeOf({
    'test/a.test.ts': hook,
    'test/b.ts': hook,
    'test/c.ts': `const c = () => {\n  ${hook}\n};`,
  });
  expect(sharedHooks(sample)).toEqual(['test/b.ts']);
});

test.each([
  ["import { spawn } from 'node:child_process';\nspawn('reg.exe', []);", ['calls spawn without wholePath']],
  ["import { spawn } from 'node:child_process';\nspawn(\n  name, []);", ['calls spawn without wholePath']],
  [
    "import { execFile } from 'child_process';\nconst run = promisify(execFile);",
    ['calls execFile without wholePath'],
  ],
  [
    "import { exec } from 'node:child_process';\nexec(wholePath(a));",
    ['uses exec, which runs a shell or a module'],
  ],
  [
    "import * as child from 'node:child_process';",
    ['imports child_process in another way than by the names of its calls'],
  ],
  [
    "const { spawn } = await import('node:child_process');",
    ['imports child_process in another way than by the names of its calls'],
  ],
  [
    "import { spawn as start } from 'node:child_process';",
    ['imports child_process in another way than by the names of its calls'],
  ],
  [
    "import { spawn } from 'node:child_process';\nspawn(wholePath(a), [], { shell: true });",
    ['starts a program by a shell'],
  ],
  ["import { spawn } from 'node:child_process';\nspawn(\n  wholePath(a), []); /x/.exec(y);", []],
])('a program that is started by another name than its whole path breaks the rule: %j', (text, breaches) => {
  const sample = treeOf({ 'src-main/cli/a.ts': text });
  expect(bareStarts(sample)).toEqual(breaches.map((breach) => `src-main/cli/a.ts ${breach}`));
});

test.each([
  ["import { join, resolve } from 'node:path';", 'resolve'],
  ["import path from 'node:path';\npath.win32.resolve('a');", 'path.win32.resolve('],
  ["import { realpathSync } from 'node:fs';", 'realpathSync'],
  ["import { realpath } from 'node:fs/promises';", 'realpath'],
  ["import { join } from 'node:path';\nnew Promise((resolve) => resolve(1)); // realpath", null],
])('a file that spells paths by itself breaks the rule: %j', (text, found) => {
  const file = 'src-main/cli/a.ts';
  expect(ownSpellings(treeOf({ [file]: text }), {})).toEqual(
    found === null ? [] : [`${file} spells paths by itself: ${found}`],
  );
  expect(ownSpellings(treeOf({ [file]: text }), { [file]: 'why' })).toEqual([]);
});

test.each([
  ['export const judge = (path: string): boolean => path === "";', ['judge takes path']],
  ['export function judge(rules: Rules, name: string | null): boolean {}', ['judge takes name']],
  ['export const judge = (rules: Rules, names: readonly string[]) => 1;', ['judge takes names']],
  ['export const judge = ({ path }: { path: string; row: Upload }) => 1;', ['judge takes path']],
  ['export type Rules = { judge(below: string): Verdict };', ['judge takes below']],
  ['export type Rules = { judge: (below?: string) => Verdict };', ['judge takes below']],
  ['export interface Rules { judge(below: string): Verdict }', ['judge takes below']],
  ['export type Judge = (below: string) => Verdict;', ['Judge takes below']],
  ['export const judge: Judge = (candidate: Candidate, rules: Rules) => 1;', []],
  ['export const kept = (said: Said, sha256: string) => 1;', []],
  ['export const makes = (path: string) => 1;', []],
  ['const inside = (path: string) => 1;', []],
])('a guard that takes a bare path or name breaks the rule: %s', (text, breaches) => {
  const found = (file: string) => bareGuards(treeOf({ [file]: text }), { makes: 'makes a candidate' });
  for (const file of ['candidate/a.ts', 'discover/decide.ts', 'inspect/a.ts', 'shared/names/a.ts'])
    expect(found(`src-main/engine/${file}`)).toEqual(
      breaches.map((breach) => `src-main/engine/${file}: ${breach}`),
    );
  expect(found('src-main/engine/upload/a.ts')).toEqual([]);
});

test.each([
  ["import { statSync } from 'node:fs';", true],
  ["import { lstat } from 'node:fs/promises';", true],
  ["import fs from 'fs';", true],
  ["const fs = await import('node:fs');", true],
  ["const fs = require('fs/promises');", true],
  ["// import fs from 'node:fs';", false],
  ["import type { Files } from '../engine/ports/ports.ts';", false],
])('a file that calls the file system by itself breaks the rule: %j', (text, isBreach) => {
  const file = 'src-main/shell/a.ts';
  const found = (doors: Record<string, string>) => ownFileCalls(treeOf({ [file]: text }), doors);
  expect(found({})).toEqual(isBreach ? [`${file} calls the file system by itself`] : []);
  for (const door of [file, 'src-main/shell'])
    expect(found({ [door]: 'why' })).toEqual(
      isBreach ? [] : [`${door} calls no file system and needs no exception`],
    );
  if (isBreach) expect(found({ 'src-main/she': 'why' })).toHaveLength(2);
});

describe('the import rule', () => {
  const refused: [file: string, text: string][] = [
    ['src-main/contract/a.ts', "import { x } from '../engine/x.ts';"],
    ['src-main/contract/a.ts', "import type { X } from '../engine/x.ts';"],
    ['src-main/contract/a.ts', "import fs from 'node:fs';"],
    ['src-main/engine/a.ts', "import { x } from '../adapters/x.ts';"],
    ['src-main/engine/a.ts', "import path from 'node:path';"],
    ['src-main/engine/a.ts', "import * as v from 'valibot';"],
    ['src-main/engine/a.ts', "export * from '../adapters/x.ts';"],
    ['src-main/engine/a.ts', "const x = await import('undici');"],
    ['src-main/engine/a.ts', "import {\n  x,\n  y,\n} from '../shell/x.ts';"],
    ['src-main/engine/upload/a.ts', "import { x } from '../discover/b.ts';"],
    ['src-main/engine/reconcile/a.ts', "import { x } from '../upload/b.ts';"],
    ['src-main/engine/state/a.ts', "import { x } from '../account/b.ts';"],
    ['src-main/engine/shared/a.ts', "import { x } from '../engine.ts';"],
    ['src-main/adapters/api.ts', "import { x } from '../engine/queue.ts';"],
    ['src-main/adapters/api.ts', "import { x } from './ledger/open.ts';"],
    ['src-main/adapters/api.ts', "import { app } from 'electron';"],
    ['src-main/adapters/api.ts', "import _ from 'lodash';"],
    ['src-main/adapters/api.ts', "import { x } from '../../test/support/x.ts';"],
    ['src-main/adapters/api.ts', "new Worker(new URL('../cli.ts', import.meta.url))"],
    ['src-main/shell/a.ts', "import { x } from '../engine/engine.ts';"],
    ['src-main/shell/a.ts', "import { x } from '../compose.ts';"],
    ['src-main/shell/a.ts', "import { request } from 'undici';"],
    ['src-main/main.ts', "import { x } from '../src-renderer/x.ts';"],
    ['src-main/main.ts', "import { x } from 'undici';"],
    ['src-main/preload.ts', "import { x } from './contract/commands.ts';"],
    ['src-main/preload.ts', "import fs from 'node:fs';"],
    ['src-main/cli.ts', "import { x } from './shell/tray.ts';"],
    ['src-main/cli.ts', "import { app } from 'electron';"],
    ['src-main/cli/table.ts', "import { x } from '../shell/tray.ts';"],
    ['src-main/compose.ts', "import { x } from './cli.ts';"],
    ['src-main/compose.ts', "import { x } from './shell/tray.ts';"],
    ['src-renderer/App.svelte', "import { x } from '../src-main/engine/x.ts';"],
    ['src-renderer/App.svelte', "import fs from 'node:fs';"],
    ['src-renderer/parts/Row.svelte', "import { x } from '../state/files.svelte.ts';"],
    ['src-renderer/parts/Row.svelte', "import type { X } from '../state/files.svelte.ts';"],
    ['src-renderer/state/a.ts', "import { x } from '../../test/support/x.ts';"],
    ['resources/build/papers/a.ts', "import { x } from '../../../test/support/x.ts';"],
    ['src-main/else/a.ts', ''],
  ];
  test.each(refused)('refuses in %s: %s', (file, text) => {
    expect(importBreaches(treeOf({ [file]: text }))).toHaveLength(1);
  });

  const allowed: [file: string, text: string][] = [
    ['src-main/contract/a.ts', "import * as v from 'valibot';"],
    ['src-main/engine/a.ts', "import type { X } from '../contract/model.ts';"],
    ['src-main/engine/upload/a.ts', "import { x } from '../state/b.ts';"],
    ['src-main/engine/handlers/a.ts', "import { x } from '../upload/b.ts';"],
    ['src-main/engine/engine.ts', "import { x } from './upload/b.ts';"],
    ['src-main/engine/a.ts', "// import fs from 'node:fs';"],
    ['src-main/engine/a.ts', "/*\nimport fs from 'node:fs';\n*/"],
    [
      'src-main/adapters/ledger/a.ts',
      "import { x } from './b.ts';\nimport type { P } from '../../engine/ports/ports.ts';",
    ],
    ['src-main/adapters/ledger.ts', "import { x } from './ledger/b.ts';\nimport fs from 'node:fs';"],
    ['src-main/shell/tray.ts', "import { Tray } from 'electron';\nimport { x } from '../contract/model.ts';"],
    ['src-main/main.ts', "import { x } from './shell/tray.ts';\nimport { y } from './compose.ts';"],
    [
      'src-main/preload.ts',
      "import type { X } from './contract/commands.ts';\nimport { ipcRenderer } from 'electron';",
    ],
    ['src-main/cli.ts', "import { x } from './compose.ts';\nimport { Command } from 'commander';"],
    ['src-main/cli/table.ts', "import { x } from '../engine/names.ts';\nimport { y } from './words.ts';"],
    [
      'src-renderer/views/Files.svelte',
      "import { x } from '../state/files.svelte.ts';\nimport { Dialog } from 'bits-ui';",
    ],
    ['test/unit/a.ts', "import { x } from '../../src-main/engine/x.ts';\nimport 'vitest';"],
  ];
  test.each(allowed)('allows in %s: %s', (file, text) => {
    expect(importBreaches(treeOf({ [file]: text }))).toEqual([]);
  });
});

describe('the other rules', () => {
  test.each(['Date.now()', 'Math.random()', 'setTimeout(f)', 'process.env', 'await fetch(url)'])(
    'the word rule refuses %s in engine and contract, and only there',
    (word) => {
      expect(forbiddenWords(treeOf({ 'src-main/engine/a.ts': word }))).toHaveLength(1);
      expect(forbiddenWords(treeOf({ 'src-main/contract/a.ts': word }))).toHaveLength(1);
      expect(forbiddenWords(treeOf({ 'src-main/adapters/a.ts': word }))).toEqual([]);
    },
  );

  test('the rule of factories counts parameters and the fields of their options', () => {
    const two = 'export const createA = (options: { x: X; y: Y }) => 1;';
    const named = 'type O = { x: X; y: Y; z: Z };\nexport const createB = (core: Core, options: O) => 1;';
    const tree = treeOf({ 'src-main/a.ts': two, 'src-main/b.ts': named });
    expect(wideFactories(tree, 3)).toEqual(['src-main/b.ts: createB takes 4 things, over 3']);
  });

  test('the circle rule names the circle', () => {
    const circle = treeOf({
      'src-main/engine/a.ts': "import { b } from './b.ts';",
      'src-main/engine/b.ts': "export { c } from './c.ts';",
      'src-main/engine/c.ts': "import { a } from './a.ts';",
    });
    expect(circles(circle)).toEqual([
      'src-main/engine/a.ts → src-main/engine/b.ts → src-main/engine/c.ts → src-main/engine/a.ts',
    ]);
  });

  test('the circle rule counts type-only imports, too', () => {
    const types = treeOf({
      'src-main/engine/a.ts': "import type { B } from './b.ts';",
      'src-main/engine/b.ts': "import { a } from './a.ts';",
    });
    expect(circles(types)).toHaveLength(1);
  });

  test.each([
    ['src-main/engine/index.ts', 'export const one = 1;'],
    ['src-main/engine/all.ts', "export * from './a.ts';"],
    ['src-main/engine/some.ts', "export { a, b } from './a.ts';"],
    ['src-main/engine/types.ts', "export type { A } from './a.ts';"],
  ])('the barrel rule refuses %s: %s', (file, text) => {
    expect(barrels(treeOf({ [file]: text }))).toHaveLength(1);
  });

  test('the length rule names long files, and exceptions that are no longer needed', () => {
    const lengths = treeOf({
      'a.ts': 'x\n'.repeat(301),
      'b.ts': 'x\n'.repeat(301),
      'c.ts': 'x\n'.repeat(300),
    });
    expect(longFiles(lengths, { 'b.ts': 'a reason', 'c.ts': 'a reason' }, 300)).toEqual([
      'a.ts has 301 lines, over 300',
      'c.ts has only 300 lines and needs no exception',
    ]);
  });

  test('the rule of functions counts each without its nested ones', () => {
    const lines = (count: number) => '  step();\n'.repeat(count);
    const sample = treeOf({
      'a.ts': `const makePart = () => {\n${lines(5)}  const turn = () => {\n${lines(8)}  };\n};\n`,
      'b.ts': `function long() {\n${lines(10)}}\n`,
    });
    expect(longFunctions(sample, {}, 9)).toEqual([
      'a.ts turn has 10 lines of its own, over 9',
      'b.ts long has 12 lines of its own, over 9',
    ]);
    expect(longFunctions(sample, { 'a.ts turn': 'why', 'b.ts long': 'why', 'c.ts gone': 'why' }, 9)).toEqual([
      'c.ts gone needs no exception',
    ]);
  });

  test('the rule of factories counts the functions inside', () => {
    const inner = `  const turn = () => {\n${'  step();\n'.repeat(8)}  };\n`;
    const sample = treeOf({ 'a.ts': `const makePart = () => {\n${inner}};\n` });
    expect(largeFunctions(sample, 9)).toEqual(['a.ts makePart has 12 lines', 'a.ts turn has 10 lines']);
  });

  test('the folder rule names crowded folders, in the engine at a lower limit', () => {
    const folder = (name: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}/${at}.ts`, '']));
    const crowd = treeOf({
      ...folder('src-main/shell', 20),
      'src-main/shell/tray/a.ts': '',
      ...folder('src-main/cli', 20),
      ...folder('src-main/engine/upload', 13),
    });
    expect(crowdedFolders(crowd)).toEqual([
      'src-main/shell has 21 entries, over 20',
      'src-main/engine/upload has 13 entries, over 12',
    ]);
  });

  test('the rule of plain words names comment lines, and never code', () => {
    const hard = treeOf({
      'src-main/a.ts': "// So many files.\nconst x = 'so many';\n  // Plain.\n /** Somebody asks. */\n",
    });
    expect(hardComments(hard)).toEqual(['src-main/a.ts:1', 'src-main/a.ts:4']);
  });

  test('the top-level rule names stray entries, dotfiles excepted', () => {
    expect(strayAtTop(['package.json', 'src-main', '.config', 'vite.config.ts', 'docs'])).toEqual([
      'vite.config.ts does not belong to the top level',
      'docs does not belong to the top level',
    ]);
  });
});
