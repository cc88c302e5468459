// Every row of the catalogue of settings, on every surface that is generated from it.
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { mobileconfig } from '../../resources/build/papers/mobileconfig.ts';
import { builtPapers } from '../../resources/build/papers/papers.ts';
import { policySchema, settingsPage } from '../../resources/build/papers/policy-schema.ts';
import { policyLanguages } from '../../resources/build/papers/policy-words.ts';
import { exampleOf, mustBe, parseSettingText } from '../../src-main/adapters/settings/setting-text.ts';
import type { SettingRow } from '../../src-main/contract/catalogue/kinds.ts';
import {
  checkSetting,
  defaultSettings,
  isFolderRule,
  rowOf,
  settingChoices,
  settingNames,
  withRule,
} from '../../src-main/contract/settings.ts';
import { choiceWord, settingLabel } from '../../src-main/contract/text/setting-words.ts';
import { en } from '../../src-main/contract/locales/words.ts';
import { settingValues } from '../support/setting-values.ts';

const built = await builtPapers();
const read = (name: string): string => built[name] ?? `no ${name}`;
const windowSources = globSync('src-renderer/**/*.{svelte,ts}').map((file) => readFileSync(file, 'utf8'));
const typed = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value));

/** Input that is not a value of the setting. */
const wrongTexts = (row: SettingRow): string[] => {
  switch (row.kind) {
    case 'flag':
      return ['', 'maybe', '1'];
    case 'whole':
      return [
        '',
        'four',
        '1e3',
        '1.5',
        String(row.min - 1),
        String((row.max ?? Number.MAX_SAFE_INTEGER) + 1),
      ];
    case 'share':
      return ['', 'half', '1.01', row.mayBeZero ? '-0.01' : '0'];
    case 'choice':
      return ['', 'another', row.of.join(',')];
    case 'text':
      return ['', 'a "quote', 'Not A Name'];
    case 'path':
      return [''];
    case 'list':
      return ['["a"', typed(Array.from({ length: row.most + 1 }, () => exampleItem(row)))];
  }
};
const exampleItem = (row: Extract<SettingRow, { kind: 'list' }>): string =>
  ({ pattern: '*.a', folder: '/srv', host: 'a.example', ending: 'pdf' })[row.of];

/** One value of every JSON type. */
const kinds: [kind: string, value: unknown][] = [
  ['boolean', true],
  ['number', 1],
  ['string', ''],
  ['array', [1]],
  ['object', { wrong: true }],
];
const kindOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

describe.each(settingNames)('%s', (name) => {
  const row = rowOf(name);
  const fallback: unknown = defaultSettings()[name];
  const values = [exampleOf(name), ...settingValues[name]];

  test('accepts its default, its example and the values of the tests', () => {
    expect(fallback).toEqual(row.default);
    for (const value of [...(fallback === null ? [] : [fallback]), ...values])
      expect(checkSetting(name, value), JSON.stringify(value)).toEqual({ ok: true, value });
    expect(checkSetting(name, null).ok).toBe(fallback === null);
    expect(settingValues[name][0]).not.toEqual(settingValues[name][1]);
    expect(settingValues[name][0]).not.toEqual(fallback);
  });

  test('accepts no value of another kind', () => {
    for (const [kind, value] of kinds)
      if (kind !== kindOf(values[0])) expect(checkSetting(name, value).ok, kind).toBe(false);
  });

  test('is read by the command as it is written, and its default as nothing', () => {
    for (const value of settingValues[name]) expect(parseSettingText(name, typed(value), '/')).toEqual(value);
    expect(parseSettingText(name, 'default', '/')).toBeNull();
    expect(() => parseSettingText(name, typed(exampleOf(name)))).not.toThrow();
  });

  test('is refused by the command with its requirement and an example', () => {
    for (const text of wrongTexts(row)) {
      if (row.kind === 'text' && checkSetting(name, text).ok) continue;
      expect(() => parseSettingText(name, text, '/'), text).toThrow(
        expect.objectContaining({
          code: 'bad-setting',
          message: `${name} ${mustBe(name)}.`,
          remedy: `For example: ${typed(exampleOf(name))}`,
        }),
      );
    }
    for (const choice of row.kind === 'choice' ? row.of : []) expect(mustBe(name)).toContain(choice);
    if (row.kind === 'whole' && row.max !== null) expect(mustBe(name)).toMatch(new RegExp(`to ${row.max}$`));
  });

  test('is a rule of a folder where its row defines it as one', () => {
    expect(isFolderRule(name)).toBe(row.byFolder === true);
    if (!isFolderRule(name)) return;
    for (const value of settingValues[name])
      expect(withRule({ paused: true }, name, value)).toEqual({
        ok: true,
        own: { paused: true, [name]: value },
      });
    expect(withRule({ paused: true, [name]: values[0] }, name, null)).toEqual({
      ok: true,
      own: { paused: true },
    });
    expect(withRule({}, name, { wrong: true })).toMatchObject({ ok: false });
  });

  test('can be set by a page alone only to cautious values, and not at all if it is a guard or account', () => {
    for (const value of typeof row.page === 'object' ? row.page : [])
      expect(checkSetting(name, value)).toEqual({ ok: true, value });
    if (row.guards === true || row.account === true) expect(['any', 'hand']).not.toContain(row.page);
    if (row.guards === true && typeof row.page === 'object') expect(row.page).toContain(row.default);
  });

  test('has a word for each of its choices where the window shows it by name', () => {
    // Each language is named in its own words.
    if (settingLabel((key) => en[key], name) === '' || name === 'language') return;
    for (const choice of row.kind === 'choice' ? row.of : [])
      expect(
        choiceWord((key) => en[key], name, choice),
        choice,
      ).not.toBe('');
  });

  test('is shown by the window where it has a label', () => {
    if (settingLabel((key) => en[key], name) === '') return;
    expect(windowSources.some((text) => text.includes(`name="${name}"`) || text.includes(`'${name}'`))).toBe(
      true,
    );
  });

  test('is in the template, its texts, the schema, the profile and the guide', () => {
    const layers = row.tuning === true ? [] : row.group === 'rights' ? [''] : ['', '_recommended'];
    const template = read('policy/Outtray.admx');
    const named = [...template.matchAll(/<policy name="(\w+)" class="Both"/g)].map(([, found]) => found);
    expect(named.filter((one) => one?.replace('_recommended', '') === name)).toEqual(
      layers.map((layer) => `${name}${layer}`),
    );
    for (const language of Object.keys(policyLanguages)) {
      const texts = read(`policy/${language}/Outtray.adml`);
      expect(texts.includes(`<string id="${name}">`)).toBe(layers.length > 0);
      if (layers.length === 0) continue;
      for (const id of [name, `${name}_text`, ...layers.slice(1).map((layer) => `${name}${layer}_text`)])
        expect(texts).toMatch(new RegExp(`<string id="${id}">[^<]`));
      if (row.kind !== 'flag') expect(texts).toContain(`<presentation id="${name}">`);
      for (const choice of row.kind === 'choice' ? row.of : [])
        expect(texts).toContain(`<string id="${name}_${choice}">`);
    }
    const schema = policySchema()['properties'] as Record<string, { default?: unknown; properties?: object }>;
    expect(schema[name]?.default).toEqual(fallback);
    expect(name in (schema['recommended']?.properties ?? {})).toBe(row.group !== 'rights');
    expect(mobileconfig()).toContain(`<key>${name}</key>`);
    expect(settingsPage()).toContain(`\n| \`${name}\` |`);
  });

  test('has the choices that completion offers', () => {
    expect(settingChoices(name)).toEqual(
      row.kind === 'flag' ? ['true', 'false'] : row.kind === 'choice' ? row.of : [],
    );
  });
});
