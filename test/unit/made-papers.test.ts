// The papers agree with the program: generated ones are current, and hand-written ones answer the questions.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  checkSetting,
  settingChoices,
  rowOf,
  settingNames,
  type SettingName,
} from '../../src-main/contract/settings.ts';
import { budgetPage, capabilities } from '../../resources/build/papers/budget.ts';
import { builtPapers, committedPapers, resources, writePapers } from '../../resources/build/papers/papers.ts';
import { policyLanguages, recommendedNames } from '../../resources/build/papers/policy-words.ts';
import { policySchema, samplePolicy } from '../../resources/build/papers/policy-schema.ts';
import { packagedProgram } from '../../src-main/adapters/system/own-program.ts';
import { exitCodes } from '../../src-main/cli/exit-codes.ts';
import { hasProgram } from '../support/posix.ts';

const committed = await committedPapers();

test.each(Object.keys(committed))('%s is current (else: npm run papers)', (name) => {
  expect(readFileSync(path.join(resources, name), 'utf8')).toBe(committed[name]);
});

const built = await builtPapers();
const read = (name: string): string => built[name] ?? `no ${name}`;

/** Where programs find them. */
const folder = mkdtempSync(path.join(tmpdir(), 'outtray-papers-'));
await writePapers(folder, built);
afterAll(() => rmSync(folder, { recursive: true }));

const hasPython = spawnSync('python3', ['--version']).status === 0;

/** The settings of a configuration profile as a reader of property lists finds them. */
const profileOf = (text: string): Record<string, unknown> => {
  const script =
    'import json, plistlib, sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())["PayloadContent"][0]))';
  const read = JSON.parse(
    execFileSync('python3', ['-c', script], { input: text, encoding: 'utf8' }),
  ) as object;
  return Object.fromEntries(Object.entries(read).filter(([name]) => !name.startsWith('Payload')));
};

describe('the policy', () => {
  test('has no key among its names', () => {
    // The command that prints the key is not the key.
    const others = settingNames.filter((name) => name !== 'keyCommand');
    expect(others.filter((name) => /key|token|secret$|password/i.test(name))).toEqual([]);
  });

  const { recommended, ...locked } = samplePolicy;

  test.each(Object.entries({ ...locked, ...recommended }))(
    'sample %s is a value the settings accept',
    (name, value) => {
      expect(checkSetting(name as SettingName, value)).toMatchObject({ ok: true });
    },
  );

  const languages = Object.keys(policyLanguages);

  test.each(['de', 'es', 'zh'])('has all its words in %s, no other, and none empty', (language) => {
    const wordsIn = (of: string): [string, string][] => {
      const file = path.join(resources, `../src-main/contract/locales/policy.${of}.json`);
      const flat = (value: unknown, key: string): [string, string][] =>
        typeof value === 'string'
          ? [[key, value]]
          : Object.entries(Object(value) as object).flatMap(([below, one]) => flat(one, `${key}.${below}`));
      return flat(JSON.parse(readFileSync(file, 'utf8')), '');
    };
    const words = wordsIn(language);
    expect(words.map(([key]) => key).toSorted()).toEqual(
      wordsIn('en')
        .map(([key]) => key)
        .toSorted(),
    );
    expect(words.filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  test.runIf(hasPython)(
    'the profile sets what the sample sets, and has every other setting in a comment',
    () => {
      const written = read('policy/outtray.mobileconfig');
      const [before = '', comment = '', after = ''] = written.split(/<!-- The other[^<]*|-->(?=\s+<\/dict>)/);
      expect(Object.keys(profileOf(before + after))).toEqual(Object.keys(samplePolicy));
      const { recommended: _, ...all } = profileOf(before + comment + after);
      expect(Object.keys(all).toSorted()).toEqual(settingNames.toSorted());
      for (const name of settingNames)
        expect(checkSetting(name, all[name]), name).toMatchObject({ ok: true });
    },
  );

  test('recommends a value in the registry key that the reader knows, in a category of its own', () => {
    const template = read('policy/Outtray.admx');
    const policies = [...template.matchAll(/<policy name="(\w+)"[^>]* key="([^"]+)"/g)];
    const names = policies.map(([, name = '']) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const [, name = '', key] of policies) {
      const isRecommended = name.endsWith('_recommended');
      expect(key).toBe(`Software\\Policies\\Outtray${isRecommended ? '\\Recommended' : ''}`);
    }
    expect(names.filter((name) => name.endsWith('_recommended'))).toEqual(
      recommendedNames.filter((name) => rowOf(name).tuning !== true).map((name) => `${name}_recommended`),
    );
    expect(settingNames.filter((name) => !recommendedNames.includes(name))).toEqual([
      'allowPause',
      'allowCopy',
      'allowGivenFiles',
      'allowAccountChange',
    ]);
    expect(template).toMatch(
      /name="copyLink_recommended".*\s+<parentCategory ref="group_after_recommended" \/>/,
    );
    expect(template).toMatch(
      /<category name="group_after_recommended".*\s+<parentCategory ref="outtray_recommended" \/>/,
    );
  });

  test('a root in the schema may begin with a variable, but may not be relative', () => {
    const { properties } = policySchema() as { properties: Record<string, { items: { pattern: string } }> };
    const pattern = new RegExp(properties['allowedRoots']?.items.pattern ?? '');
    for (const root of ['$HOME/x', '%USERPROFILE%\\x', '~/x', '/srv', 'c:\\x']) expect(root).toMatch(pattern);
    expect('relative/x').not.toMatch(pattern);
  });

  test('the languages of the template are languages of Outtray, English first', () => {
    const choices = settingChoices('language');
    // Windows shows English where a language has no texts.
    expect(languages[0]).toBe('en-US');
    expect(choices).toEqual(expect.arrayContaining(languages.map((name) => name.slice(0, 2))));
  });

  test.each(languages)(
    'every text and control that the template needs is in %s, and no other',
    (language) => {
      const template = read('policy/Outtray.admx');
      const texts = read(`policy/${language}/Outtray.adml`);
      const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, id]) => id);
      for (const [asked, given] of [
        [/\$\(string\.([\w-]+)\)/g, /<string id="([\w-]+)">[^<]/g],
        [/\$\(presentation\.([\w-]+)\)/g, /<presentation id="([\w-]+)"/g],
      ] as const) {
        const ids = found(texts, given);
        expect(new Set(ids).size).toBe(ids.length);
        expect(new Set(ids)).toEqual(new Set(found(template, asked)));
      }
    },
  );

  test.runIf(hasProgram('/usr/bin/xmllint'))('template and texts are well-formed', () => {
    const files = ['Outtray.admx', ...languages.map((language) => `${language}/Outtray.adml`)];
    execFileSync('/usr/bin/xmllint', ['--noout', ...files.map((file) => path.join(folder, 'policy', file))]);
  });
});

describe('the command’s papers', () => {
  test.each([
    ['/bin/bash', 'completions/outtray.bash'],
    ['/usr/bin/zsh', 'completions/_outtray'],
    ['/usr/bin/fish', 'completions/outtray.fish'],
  ])('%s reads its completion', (shell, file) => {
    if (!hasProgram(shell)) return;
    execFileSync(shell, ['-n', path.join(folder, file)], { stdio: 'pipe' });
  });

  test.each([
    ['outtray.service', 'outtray.service'],
    ['outtray@.service', 'outtray@alice.service'],
  ])('systemd accepts %s, and starts it again for as long as the app has the data folder', (file, name) => {
    const unit = readFileSync(path.join(resources, 'headless', file), 'utf8');
    expect(unit).toMatch(/^StartLimitIntervalSec=0$/m);
    expect(/^RestartPreventExitStatus=(.*)$/m.exec(unit)?.[1]?.split(' ').map(Number)).toEqual([
      exitCodes.wrongUse,
      exitCodes.key,
      exitCodes.plan,
    ]);
    if (!hasProgram('/usr/bin/systemd-analyze')) return;
    const units = mkdtempSync(path.join(tmpdir(), 'outtray-unit-'));
    const asInstalled = unit.replace('/usr/bin/outtray', '/bin/true').replace(/^Documentation=.*$/m, '');
    writeFileSync(path.join(units, name), asInstalled);
    const said = spawnSync('/usr/bin/systemd-analyze', ['verify', '--man=no', path.join(units, name)], {
      encoding: 'utf8',
    });
    rmSync(units, { recursive: true });
    expect(said.stderr.split('\n').filter((line) => line.includes(name))).toEqual([]);
  });

  test('launchd starts the command of the installed app', () => {
    const plist = readFileSync(path.join(resources, 'headless/app.outtray.watch.plist'), 'utf8');
    const [, program] = /<key>ProgramArguments<\/key>\s*<array>\s*<string>(.*)<\/string>/.exec(plist) ?? [];
    const app = '/Applications/Outtray.app/Contents';
    const running = {
      platform: 'darwin',
      execPath: `${app}/MacOS/Outtray`,
      resourcesPath: `${app}/Resources`,
    } as const;
    const versions = { ...process.versions, electron: '1' };
    expect(program).toBe(packagedProgram({ ...running, versions, argv: [], env: {} }, false));
  });

  test.runIf(hasProgram('/usr/bin/man'))('man reports no fault', () => {
    const file = path.join(folder, 'outtray.1');
    const { MANWARNINGS: _none, ...env } = process.env;
    const said = execFileSync('/bin/sh', ['-c', `man --warnings -l "$0" 2>&1 >/dev/null`, file], {
      env: { ...env, LC_ALL: 'C.UTF-8', MANROFFSEQ: '' },
      encoding: 'utf8',
    });
    expect(said).toBe('');
  });
});

test('the budget has a row for each capability, and counts each setting and command once', () => {
  const all = capabilities.flatMap(({ settings, commands }) => [
    ...(settings ?? []),
    ...(commands ?? []).map((name) => `outtray ${name}`),
  ]);
  expect(new Set(all).size).toBe(all.length);
  const rows = [...budgetPage().matchAll(/^\| ([^|]+) \| (\d+) \|/gm)];
  expect(rows.map(([, name]) => name)).toEqual([...capabilities.map(({ name }) => name), '**All**']);
  for (const [, name, lines] of rows.slice(0, -1))
    if (name !== 'Tests of whole days, crashes and speed') expect(Number(lines), name).toBeGreaterThan(0);
});
