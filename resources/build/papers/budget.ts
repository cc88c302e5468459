// The budget: how many lines, tests, settings and commands each capability costs. A capability comes when one goes.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { programRows } from '../../../src-main/contract/catalogue/program.ts';
import { settingNames, type SettingName } from '../../../src-main/contract/settings.ts';

type Command = keyof typeof programRows;
type Capability = {
  name: string;
  /** Of the paths of its source and its tests. A file belongs to the first capability that matches. */
  paths: RegExp;
  settings?: readonly SettingName[];
  commands?: readonly Command[];
};

export const capabilities: readonly Capability[] = [
  { name: 'Agents', paths: /mcp|agent/, settings: ['agentRoots', 'agentShare'], commands: ['mcp'] },
  { name: 'Audit file', paths: /audit/, settings: ['auditFile'] },
  { name: 'Places in photos', paths: /photo|place-text/, settings: ['photoLocation'] },
  {
    name: 'Secrets in names and texts',
    paths: /inspect|secret|corpus/,
    settings: ['holdSecrets', 'lookInside', 'requireLookInside'],
  },
  { name: 'Zips', paths: /zip|bundle|spool/ },
  {
    name: 'Recall, and links that end',
    paths: /recall|expir|copies|ended-links/,
    settings: ['expireAfter', 'maxExpireAfter'],
    commands: ['recall', 'expire', 'delete'],
  },
  {
    name: 'Downloads, and what links serve',
    paths: /follow|proof|verify|prove|watched/,
    settings: ['followEveryMinutes', 'verifyAfterUpload'],
    commands: ['follow', 'verify'],
  },
  { name: 'Release cards', paths: /card/, commands: ['card'] },
  {
    name: 'Lists, search, review, export',
    paths: /report|review|export|import(s)?\.ts|search|ledger\/views|account-list/i,
    commands: ['list', 'search', 'link', 'info', 'review', 'export', 'import', 'stats'],
  },
  {
    name: 'Lost answers',
    paths: /reconcile|uncertain/,
    settings: ['onAmbiguous', 'reconcileAfterMs', 'answerTimeoutMs'],
    commands: ['resolve'],
  },
  {
    name: 'Limits of the service',
    paths: /limiter|limit|budget|spare/,
    settings: ['requestShare', 'requestsPerMinute', 'requestsPerDay', 'bandwidthBytesPerSecond'],
  },
  { name: 'Clipboard', paths: /clipboard|paste/i, settings: ['pasteShortcut'], commands: ['paste'] },
  { name: 'File managers', paths: /integrat|file-?manager/i, commands: ['integrate'] },
  {
    name: 'Updates',
    paths: /\/updates?[/.-]/,
    settings: ['updateMode', 'updateFeed', 'updateChannel', 'minimumVersion'],
  },
  { name: 'Completion, help', paths: /completion|help/, commands: ['completion', 'help'] },
  {
    name: 'Account and key',
    paths: /account|keychain|key-|login|secret/,
    settings: ['baseUrl', 'linkHosts', 'keyCommand', 'proxy', 'caFile'],
    commands: ['login', 'logout', 'profiles'],
  },
  {
    name: 'Watched folders',
    paths: /discover|watch|drive|folder|ignore|plan\b|disk|consent/i,
    settings: ['folder', 'folders', 'recursive', 'ignore', 'includeHidden', 'includeEmpty', 'settleMs'],
    commands: ['watch', 'folders', 'plan', 'why'],
  },
  {
    name: 'Uploads and the queue',
    paths: /upload|queue|given|held|burst/i,
    settings: ['concurrentUploads', 'burstFiles', 'burstBytes', 'graceSeconds', 'maxFileBytes'],
    commands: ['upload', 'queue', 'held', 'confirm', 'cancel', 'retry', 'pause', 'resume', 'status'],
  },
  { name: 'Settings and policies', paths: /setting|policy|polic|reset/i, commands: ['settings'] },
  { name: 'Languages', paths: /locales|speech/, settings: ['language'] },
  { name: 'Ledger', paths: /ledger|engine\/state/ },
  { name: 'Tests of whole days, crashes and speed', paths: /simulation|soak|bench|mutat|lossy/ },
  { name: 'The rest of the window', paths: /src-renderer|src-main\/shell|test\/app|renderer|window/ },
  { name: 'The rest of the command', paths: /src-main\/cli|test\/flow|unit\/cli/, commands: ['doctor'] },
  { name: 'What all of it stands on', paths: /./ },
];

const root = path.resolve(import.meta.dirname, '../../..');

/** Paths with `/`, and how many lines each has. */
const linesIn = (folder: string): [path: string, lines: number][] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|svelte|css|mjs)$/.test(name))
    .map((name) => [
      `${folder}/${name.replaceAll('\\', '/')}`,
      readFileSync(path.join(root, folder, name), 'utf8').split('\n').length - 1,
    ]);

/** Markdown of resources/docs/design/budget.md. */
export const budgetPage = (): string => {
  const lines = { source: new Map<Capability, number>(), test: new Map<Capability, number>() };
  const add = (kind: 'source' | 'test', [file, count]: [string, number]): void => {
    const owner = capabilities.find(({ paths }) => paths.test(file));
    if (owner !== undefined) lines[kind].set(owner, (lines[kind].get(owner) ?? 0) + count);
  };
  for (const one of [...linesIn('src-main'), ...linesIn('src-renderer')]) add('source', one);
  for (const one of linesIn('test')) add('test', one);
  const sum = (kind: 'source' | 'test'): number => [...lines[kind].values()].reduce((a, b) => a + b, 0);
  const listed = (of: (one: Capability) => readonly string[] | undefined): number =>
    capabilities.reduce((count, one) => count + (of(one)?.length ?? 0), 0);
  const others = settingNames.length - listed(({ settings }) => settings);
  const last = capabilities.at(-1);
  const rows = capabilities.map((one) => [
    one.name,
    lines.source.get(one) ?? 0,
    lines.test.get(one) ?? 0,
    one === last ? others : (one.settings?.length ?? 0),
    one.commands?.length ?? 0,
  ]);
  const total = ['**All**', sum('source'), sum('test'), settingNames.length, Object.keys(programRows).length];
  return [
    '# The budget',
    '',
    'What each capability costs: lines of source and of tests, settings, commands. A capability comes when one goes. A file',
    'belongs to the first row whose pattern its path matches (`resources/build/papers/budget.ts`); `npm run papers` counts.',
    '',
    '| capability | source | tests | settings | commands |',
    '| --- | --: | --: | --: | --: |',
    ...[...rows, total].map((cells) => `| ${cells.join(' | ')} |`),
    '',
  ].join('\n');
};
