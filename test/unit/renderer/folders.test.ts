// The watched folders as the window shows them: their names, their rules in words, and how one is added.
import { expect, test } from 'vitest';
import type { FolderInspection } from '../../../src-main/contract/answers.ts';
import { defaultSettings, type FolderRules } from '../../../src-main/contract/settings.ts';
import {
  addFolder,
  chooseFolder,
  countOf,
  inspectFolder,
  shortNames,
  withFile,
} from '../../../src-renderer/state/folder.ts';
import { Session } from '../../../src-renderer/state/session.svelte.ts';
import {
  choicesOf,
  expiryChoices,
  newFileLine,
  newFileSteps,
  ownRules,
  ruleText,
  rulesLine,
} from '../../../src-renderer/words/folder-rules.ts';
import { createFakeTransport } from '../../support/window/fake-transport.ts';
import { inspection } from '../../support/window/seed.ts';

const rules: FolderRules = { ...defaultSettings(), paused: false };

test('folders are called by their last part, and by their path where two have the same', () => {
  expect(shortNames(['/home/a/Shared', 'C:\\Users\\a\\Releases\\', '/'])).toEqual([
    'Shared',
    'Releases',
    '/',
  ]);
  expect(shortNames(['/a/Out', '/b/Out', '/b/In'])).toEqual(['/a/Out', '/b/Out', 'In']);
});

test('of a folder with more files than are listed, one is left out, and taken in again', () => {
  const small: FolderInspection = {
    folder: '/in',
    ...inspection(
      [
        ['a', 1],
        ['b', 1],
      ],
      [],
      [],
    ),
  };
  const [a = '', b = ''] = small.goes.files.map(({ path }) => path);
  const large = { ...small, goes: { ...small.goes, totalFiles: 5000 } };
  const but = withFile(large, 'upload', a, false);
  expect(but).toEqual({ allBut: [a] });
  expect(countOf(large, but)).toBe(4999);
  expect(withFile(large, but, a, true)).toBe('upload');
  const one = withFile(large, 'skip', a, true);
  expect([one, countOf(large, one)]).toEqual([[a], 1]);
  expect(withFile(large, one, a, false)).toBe('skip');
  expect(withFile(small, [a], b, true)).toBe('upload');
  expect(withFile(small, { allBut: [a] }, b, false)).toBe('skip');
});

test('a line names the rules that a folder sets itself, without those that a policy decides', () => {
  const line = (view: Parameters<typeof ownRules>[0] & { rules: FolderRules }): string =>
    rulesLine(ownRules(view), view.rules);
  const own = { ...rules, recursive: false, expireAfter: '90d', graceSeconds: 1, ignore: ['a', 'b'] };
  expect(line({ rules: own, own: ['recursive', 'expireAfter', 'graceSeconds', 'ignore'], locked: [] })).toBe(
    'Include subfolders: no · Ignore patterns: 2 patterns · Wait before a new file is uploaded: 1 second · Links expire: after 90d',
  );
  expect(line({ rules: own, own: ['recursive', 'ignore'], locked: ['ignore'] })).toBe(
    'Include subfolders: no',
  );
  // A pause is the folder's state.
  expect(line({ rules: { ...own, paused: true }, own: ['paused'], locked: [] })).toBe('Rules as in Settings');
});

test('a sentence explains what happens to a new file, and each rule in force changes it', () => {
  const plain: FolderRules = {
    ...rules,
    recursive: false,
    includeHidden: false,
    ignore: [],
    graceSeconds: 0,
    expireAfter: 'none',
    copyLink: 'never',
    copyFormat: 'plain',
    notify: false,
  };
  expect(newFileLine(plain)).toBe('New file › is uploaded');
  expect(
    newFileLine({
      ...plain,
      graceSeconds: 10,
      copyLink: 'always',
      copyFormat: 'markdown',
      expireAfter: '7d',
    }),
  ).toBe('New file › waits 10 s › is uploaded › link is copied (Markdown) › link expires after 7 days');
  // Its own values stand out in it.
  expect(newFileSteps({ ...plain, copyLink: 'always', expireAfter: '7d' }).map(({ by }) => by)).toEqual([
    ['recursive'],
    [],
    ['copyLink', 'copyFormat'],
    ['expireAfter'],
  ]);
  const changes: Partial<FolderRules>[] = [
    { recursive: true },
    { includeHidden: true },
    { ignore: ['*.bak'] },
    { ignore: ['*.bak', '*.old'] },
    { paused: true },
    { copyLink: 'dropped' },
    { copyLink: 'always' },
    { notify: true },
  ];
  expect(changes.map((change) => newFileLine({ ...plain, ...change }))).toEqual([
    'New file, also in a subfolder › is uploaded',
    'New file › hidden ones too › is uploaded',
    'New file › unless 1 pattern matches › is uploaded',
    'New file › unless one of 2 patterns matches › is uploaded',
    'New file › waits while the folder is paused › is uploaded',
    'New file › is uploaded › link is copied if you dropped or pasted the file',
    'New file › is uploaded › link is copied',
    'New file › is uploaded › a notification appears',
  ]);
});

test('each rule offers its values in words, including the one in force', () => {
  const offered = (name: Parameters<typeof choicesOf>[0], change: Partial<FolderRules> = {}): string[] =>
    choicesOf(name, { ...rules, ...change }).map((one) => ruleText(name, one));
  expect(offered('notify')).toEqual(['yes', 'no']);
  expect(offered('includeHidden', { includeHidden: true })).toEqual(['yes', 'no']);
  expect(offered('graceSeconds')).toEqual([
    'not at all',
    '10 seconds',
    '30 seconds',
    '60 seconds',
    '300 seconds',
  ]);
  expect(offered('graceSeconds', { graceSeconds: 45 }).at(-1)).toBe('45 seconds');
  expect(offered('expireAfter', { expireAfter: '2w' }).at(-1)).toBe('after 2w');
  expect(offered('copyLink')).toEqual(['Never', 'When I dropped or pasted it', 'Always']);
  expect(offered('copyFormat')).toContain('Markdown');
  expect(expiryChoices('2w').map(({ value }) => value)).toEqual(['1h', '1d', '7d', '31d', 'none', '2w']);
  expect(expiryChoices('7d').map(({ value }) => value)).toEqual(['1h', '1d', '7d', '31d', 'none']);
});

const opened = (screenshots: string | null = null) => {
  const transport = createFakeTransport({ screenshots });
  const session = new Session({ call: transport.call, listen: transport.listen });
  const last = () => transport.calls.findLast(({ name }) => name.startsWith('folder'));
  return { session, transport, last };
};

test('a folder is inspected as one beside the others, and added with the chosen files', async () => {
  const { session, transport, last } = opened('/home/mara/Pictures/Screenshots');
  const chosen = await chooseFolder(session, true);
  expect(last()).toEqual({ name: 'folder.inspect', input: { folder: '/home/mara/Outtray', beside: true } });
  expect(chosen?.isNew).toBe(false);
  expect(await inspectFolder(session, '/b', false)).toMatchObject({ folder: '/b' });
  expect(last()?.input).toEqual({ folder: '/b', beside: false });

  const found: FolderInspection = { folder: '/b', ...inspection([['a.txt', 1]], [], []) };
  const views = await addFolder(session, found, ['/b/a.txt'], null);
  expect(views?.map(({ folder }) => folder)).toEqual(['/home/mara/Outtray', '/b']);
  expect(last()).toEqual({ name: 'folders.add', input: { folder: { path: '/b' }, existing: ['/b/a.txt'] } });
  // In a known folder no file counts as older.
  await addFolder(session, { ...found, known: true }, 'upload', 'screenshots');
  expect(last()?.input).toEqual({ folder: { preset: 'screenshots' }, existing: 'skip' });
  expect(transport.seed.ownRules['/home/mara/Pictures/Screenshots']).toEqual({ copyLink: 'always' });
});
