// The guides answer an administrator's questions, each with an example, and the examples are right. Every call of our
// own command runs as far as it can without the service, the settings accept every policy, and every script parses.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { policyIn } from '../../src-main/adapters/policy/given.ts';
import english from '../../src-main/contract/locales/en.json' with { type: 'json' };
import { openSettings } from '../../src-main/adapters/settings/settings.ts';
import { exitCodes } from '../../src-main/cli/exit-codes.ts';
import { run } from '../../src-main/cli/program.ts';
import { ioFor } from '../support/flow/in-process.ts';
import { callsOf, sectionsOf } from '../support/guide.ts';
import { resources } from '../../resources/build/papers/papers.ts';
import { programTable } from '../../src-main/cli/completion/command-table.ts';
import { hasProgram } from '../support/posix.ts';

const accountHome = userInfo().homedir;
/** Paths as the guides write them: below `~`, with `/`. */
const inWords = (value: unknown): unknown =>
  typeof value === 'string'
    ? value.startsWith(accountHome)
      ? `~${value.slice(accountHome.length).replaceAll(path.sep, '/')}`
      : value
    : Array.isArray(value)
      ? value.map(inWords)
      : value;
const read = (name: string): string => readFileSync(path.join(resources, name), 'utf8');
const admin = sectionsOf(read('docs/admin-guide.md'));
const user = [...sectionsOf(read('docs/user-guide.md')), ...sectionsOf(read('docs/command.md'))];
const readme = sectionsOf(read('../README.md'));

test.each([
  [
    'how do I install silently',
    'Install silently',
    /\/S \/allusers[\s\S]*\/qn[\s\S]*installer -pkg[\s\S]*apt-get install -y[\s\S]*dnf install -y/,
  ],
  ['lock the base address', 'Lock the base address', /"baseUrl"/],
  ['forbid a folder', 'Forbid folders, kinds of files and large files', /"forbiddenRoots"/],
  ['set the proxy and CA', 'Proxy and certificates', /"proxy"[\s\S]*"caFile"/],
  ['share one key among 20 machines', 'Share one key among machines', /"requestShare": 0\.05/],
  ['host the feed', 'Host the feed of updates', /"updateFeed"/],
  ['stop updates', 'Stop updates', /"updateMode": "off"/],
  ['collect diagnostics', 'Collect diagnostics', /outtray doctor/],
  ['remove everything', 'Remove everything', /purge -y[\s\S]*outtray logout/],
  ['change the certificate', 'Sign installers, and change the certificate', /publisherName/],
])('%s: the guide documents it under “%s”, with an example', (_question, heading, example) => {
  const section = admin.find((one) => one.heading === heading);
  expect(section?.text).toMatch(example);
});

describe('examples', () => {
  let home: string;
  /** Stands in for the reader's own folder, even where an example contains `~`. */
  let cwd: string;
  /** Stands in for the guide's /srv/outtray. */
  let folder: string;
  beforeAll(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'outtray-guide-'));
    folder = await mkdtemp(path.join(tmpdir(), 'outtray-guide-folder-'));
    cwd = await mkdtemp(path.join(tmpdir(), 'outtray-guide-cwd-'));
    for (const name of ['Releases', 'pictures']) await mkdir(path.join(cwd, name));
  });
  afterAll(async () => {
    await rm(home, { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
    await rm(cwd, { recursive: true, force: true });
  });
  beforeEach(() => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  });

  const calls = [...callsOf(admin), ...callsOf(user), ...callsOf(readme)];
  /** How an example begins that is not run here, and why. `flow/guides.test.ts` runs every one. */
  const notRun: Record<string, string> = {
    login: 'asks the service about the key',
    upload: 'sends files to the service',
    paste: 'reads the clipboard of the desktop',
    watch: 'runs until it is ended',
    integrate: 'writes into the menus of the desktop',
    doctor: 'asks the service and the keychain',
    logout: 'removes a key from the keychain',
    verify: 'reads links at the service',
    'folders add screenshots': 'needs the folder that only some systems have',
  };
  const notRunFor = (words: string[]): string | undefined =>
    Object.keys(notRun).find((begin) =>
      `${words.filter((word) => !word.startsWith('-')).join(' ')} `.startsWith(`${begin} `),
    );
  /** These name a file that was never uploaded here, so it is not found. */
  const asksAboutFile = ['why', 'link', 'info', 'recall', 'expire', 'follow', 'card'];
  const commandOf = (words: string[]): string => words.find((word) => !word.startsWith('-')) ?? '';

  test('there are some of each kind', () => {
    expect(calls.length).toBeGreaterThan(10);
    expect(new Set(calls.map(commandOf)).size).toBeGreaterThan(8);
  });

  test('each example that is not run is in a guide', () => {
    expect([...new Set(calls.map(notRunFor))].filter((one) => one !== undefined).sort()).toEqual(
      Object.keys(notRun).sort(),
    );
  });

  test.each(calls.map((words) => [words.join(' '), words] as const))('outtray %s exists', (_line, words) => {
    const command = programTable.commands.find(({ name }) => name === commandOf(words));
    expect(command).toBeDefined();
    const below = command?.commands.filter(({ name }) => words.includes(name)) ?? [];
    const options = [programTable, command, ...below].flatMap(
      (one) => one?.options.map(({ long }) => long) ?? [],
    );
    for (const word of words.filter((one) => one.startsWith('--')))
      expect(options).toContain(word.replace(/=.*/, ''));
  });

  test.each(
    calls.filter((words) => notRunFor(words) === undefined).map((words) => [words.join(' '), words] as const),
  )('outtray %s runs', async (_line, words) => {
    const code = await run(
      words.map((word) => word.replace('/srv/outtray', folder).replace(/^~\//, `${cwd}/`)),
      ioFor({ env: { OUTTRAY_HOME: home, PATH: process.env['PATH'] }, cwd, write: () => undefined }),
    );
    expect(code).toBe(asksAboutFile.includes(commandOf(words)) ? exitCodes.notFound : exitCodes.done);
  });

  test.each(
    admin
      .flatMap(({ examples }) => examples.filter(({ language }) => language === 'json'))
      .map(({ lines }) => lines.join('\n')),
  )('the policy %s is accepted unchanged', (text) => {
    const { values, recommended } = policyIn('guide', text);
    const settings = openSettings({
      version: '0.1.0',
      file: path.join(home, 'none.json'),
      policy: { values, recommended, source: 'guide' },
    });
    expect(settings.warnings()).toEqual([]);
    for (const [origin, given] of [
      ['policy', values],
      ['recommended', recommended],
    ] as const) {
      const shown = settings.view().filter((view) => view.origin === origin);
      expect(shown.map(({ name }) => name).sort()).toEqual(Object.keys(given).sort());
      for (const { name, value } of shown) expect(inWords(value)).toEqual(given[name]);
    }
  });

  test.runIf(hasProgram('/bin/sh'))('every shell example parses', () => {
    for (const { examples } of [...admin, ...user])
      for (const { language, lines } of examples)
        if (language === 'sh') execFileSync('/bin/sh', ['-n'], { input: `${lines.join('\n')}\n` });
  });
});

/** Without blocks of code, on one line. */
const proseOf = (name: string): string =>
  read(name)
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/\s+/g, ' ');
const papers = [
  '../README.md',
  'docs/user-guide.md',
  'docs/command.md',
  'docs/admin-guide.md',
  'docs/settings.md',
  'CHANGELOG.md',
];

/** Labels of other programs, and states. */
const notOurs = new Set([
  ...['missing', 'Scripts', 'Send To', 'Show more options', 'Send to', 'Quick Actions'],
  ...['Settings → Keyboard → Custom Shortcuts', 'System Settings → Shortcuts'],
  ...['Settings → Developer → Edit Config', 'MCP: Open User Configuration'],
  ...['Administrative Templates → Outtray', 'Outtray – defaults that users may change'],
]);

test.each(papers)('each label that %s names is one of the window', (paper) => {
  const bare = (label: string): string => label.replace(/[.…]$/, '');
  const labels = new Set(Object.values(english).map(bare));
  // Some end with their cost, "Read again (1 request)", or have another form for several.
  const isLabel = (label: string): boolean =>
    labels.has(bare(label)) ||
    [...labels].some((one) => [`${label} (`, `{${label}}`].some((form) => one.includes(form)));
  const named = [
    ...proseOf(paper)
      .replaceAll(/`[^`]*`/g, '')
      .matchAll(/(?<![\w*])_([^_]+)_(?!\w)/g),
  ];
  const unknown = named
    .map(([, label = '']) => label)
    .filter((label) => !notOurs.has(label) && !label.split(' → ').every(isLabel));
  expect(unknown).toEqual([]);
});

/** Calls of a command that Outtray does not have, or with an option that its command does not have. */
const wrongCalls = (text: string): string[] =>
  [...text.matchAll(/`outtray ([^`$\\]+)\\?`/g)].flatMap(([, call = '']) => {
    const words = call.split(/[ =]/);
    const [name = ''] = words.filter((word) => !word.startsWith('-'));
    const command = programTable.commands.find((one) => one.name === name);
    // "outtray -" does not count; "outtray --json status" begins with an option of every command.
    if (command === undefined) return /^[a-z]/.test(name) ? [call] : [];
    const below = command.commands.filter((one) => words.includes(one.name));
    const options = [programTable, command, ...below].flatMap((one) => one.options.map(({ long }) => long));
    return words.filter((word) => word.startsWith('--') && !options.includes(word)).map(() => call);
  });

test.each(papers)('each call in the sentences of %s is one of the command', (paper) => {
  expect(wrongCalls(proseOf(paper))).toEqual([]);
});

test('each call and each option in the texts of the program is one of the command', () => {
  const source = path.join(resources, '../src-main');
  const all = [
    programTable,
    ...programTable.commands,
    ...programTable.commands.flatMap(({ commands }) => commands),
  ];
  const known = new Set(all.flatMap(({ options }) => options.map(({ long }) => long)));
  const wrong = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|json)$/.test(name))
    .flatMap((name) => {
      const text = readFileSync(path.join(source, name), 'utf8');
      const named = [...text.matchAll(/\boption\('(--[\w-]+)'/g)].map(([, long = '']) => long);
      return [...wrongCalls(text), ...named.filter((long) => !known.has(long))].map(
        (one) => `${name}: ${one}`,
      );
    });
  expect(wrong).toEqual([]);
});

test('each link of an installed guide leads to an installed file', () => {
  const docs = path.join(resources, 'docs');
  // electron-builder.yml: without the design papers.
  const isInstalled = (target: string): boolean =>
    /^(pictures\/)?[\w.-]+\.(md|png|json)$/.test(target) && existsSync(path.join(docs, target));
  const dead = readdirSync(docs)
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) =>
      [...readFileSync(path.join(docs, name), 'utf8').matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !/^https?:/.test(target) && !isInstalled(target))
        .map((target) => `${name}: ${target}`),
    );
  expect(dead).toEqual([]);
});

test('the skill for agents has the form that they read, says first that links are public, and names real commands', () => {
  const skill = read('headless/skills/outtray/SKILL.md');
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n\n([\s\S]*)$/.exec(skill) ?? [];
  // agentskills.io/specification: the name is that of the folder; a description has at most 1,024 characters.
  expect(head).toMatch(/^name: outtray\ndescription: [^\n]{1,1024}$/);
  expect(body).toMatch(/^Links are public: everybody who has a link can read the file/);
  expect(wrongCalls(skill)).toEqual([]);
  const known = new Set(programTable.commands.map(({ name }) => name));
  expect(callsOf(sectionsOf(body)).filter(([name = '']) => !known.has(name))).toEqual([]);
});

test('the container file of the guide is the one of the repository', () => {
  expect(read('docs/admin-guide.md')).toContain(`\`\`\`dockerfile\n${read('headless/Containerfile')}\`\`\``);
});
