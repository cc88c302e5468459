import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import { expect, test } from 'vitest';
import de from '../../../src-main/contract/locales/de.json' with { type: 'json' };
import es from '../../../src-main/contract/locales/es.json' with { type: 'json' };
import policyDe from '../../../src-main/contract/locales/policy.de.json' with { type: 'json' };
import policyEs from '../../../src-main/contract/locales/policy.es.json' with { type: 'json' };
import policyZh from '../../../src-main/contract/locales/policy.zh.json' with { type: 'json' };
import notes from '../../../src-main/contract/locales/notes.json' with { type: 'json' };
import zh from '../../../src-main/contract/locales/zh.json' with { type: 'json' };
import { languageName, languages } from '../../../src-main/contract/text/speech.ts';
import { settingNames } from '../../../src-main/contract/settings.ts';
import { formatMessage, type Values } from '../../../src-renderer/words/message.ts';
import { en, wordsOf, type WordKey, type Words } from '../../../src-main/contract/locales/words.ts';

const dictionaries: Record<string, Words> = { en, de, es, zh };
const keys = Object.keys(en) as WordKey[];

const textsIn = (words: object): string[] =>
  Object.values(words).flatMap((text: object | string) => (typeof text === 'string' ? text : textsIn(text)));
const policies: Record<string, string[]> = {
  de: textsIn(policyDe),
  es: textsIn(policyEs),
  zh: textsIn(policyZh),
};

type Ast = ReturnType<IntlMessageFormat['getAst']>;

/** The placeholders of a message, at any depth of its plurals. */
const argumentsIn = (ast: Ast): string[] =>
  ast.flatMap((element) => {
    if ('options' in element) {
      return [
        element.value,
        ...Object.values(element.options).flatMap((option) => argumentsIn(option.value)),
      ];
    }
    // Literals (0) and the sign for the plural's own number (7) ask for nothing.
    return [0, 7].includes(element.type) || !('value' in element) ? [] : [element.value];
  });

const argumentsOf = (text: string): string[] =>
  [
    ...new Set(argumentsIn(new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true }).getAst())),
  ].sort();

test.each(Object.keys(dictionaries))('%s has every key, no other, and no empty text', (tag) => {
  const words = dictionaries[tag] ?? en;
  expect(Object.keys(words).sort()).toEqual([...keys].sort());
  expect(keys.filter((key) => words[key].trim() === '')).toEqual([]);
});

test.each(['de', 'es', 'zh'])('%s uses the same placeholders as English', (tag) => {
  const words = dictionaries[tag] ?? en;
  // A language without a plural may write a count in words, but never use a placeholder that is not given.
  const strange = keys.filter((key) =>
    argumentsOf(words[key]).some((name) => !argumentsOf(en[key]).includes(name)),
  );
  expect(strange).toEqual([]);
  const forgotten = keys.filter((key) =>
    argumentsOf(en[key]).some((name) => !argumentsOf(words[key]).includes(name)),
  );
  expect(forgotten).toEqual([]);
});

// German writes the formal "you" with a capital inside a sentence; Spanish shows it in the verb.
test.each([
  ['de', /\p{Ll},? (?:Sie|Ihnen|Ihr(?:e[mnrs]?)?)\b/u],
  ['es', /\busted(?:es)?\b|\b(?:compruebe|consulte|elija|pida|pregunte)\b/iu],
])('%s addresses the reader in one way', (tag, formal) => {
  const words = dictionaries[tag] ?? en;
  expect(keys.filter((key) => formal.test(words[key]))).toEqual([]);
});

test('each language is named in its own words', () => {
  expect(languages.map(languageName)).toEqual(
    expect.arrayContaining(['English', 'Deutsch', 'Español', '中文']),
  );
});

test('a language that lacks a key falls back to English', () => {
  expect(wordsOf({ 'do.close': 'Fermer' })).toEqual({ ...en, 'do.close': 'Fermer' });
});

test('each note for translators refers to existing keys', () => {
  const about = Object.keys(notes).filter((name) => name !== '');
  expect(about.filter((name) => !keys.some((key) => key === name || key.startsWith(`${name}.`)))).toEqual([]);
});

test.each(Object.keys(dictionaries))('%s has forms for none, one and many', (tag) => {
  const words = dictionaries[tag] ?? en;
  for (const key of keys) {
    const names = argumentsOf(en[key]);
    const message = new IntlMessageFormat(words[key], tag, undefined, { ignoreTag: true });
    for (const count of names.length === 0 ? [0] : [0, 1, 2, 5, 1000]) {
      const said = String(message.format(Object.fromEntries(names.map((name) => [name, count]))));
      expect(said, `${tag} ${key}`).not.toMatch(/[{}]|undefined/);
    }
  }
});

test('a translation is not a copy of the English sentence', () => {
  for (const tag of ['de', 'es', 'zh']) {
    const words = dictionaries[tag] ?? en;
    const same = keys.filter(
      (key) => words[key] === en[key] && !en[key].includes('{') && en[key].split(' ').length > 2,
    );
    expect(same, tag).toEqual([]);
  }
});

test('every key is used', () => {
  const root = path.resolve(import.meta.dirname, '../../..');
  const source = globSync('{src-main,src-renderer}/**/*.{ts,svelte}', { cwd: root })
    .map((file) => readFileSync(path.join(root, file), 'utf8'))
    .join('\n');
  // The words of a setting are found by its name.
  const literals = new Set([...(source.match(/(?<=')[\w.-]+(?=')/g) ?? []), ...settingNames]);
  // Keys are also put together: `wait.${reason}`, `check.${name}${part}`, and `${stem}.title` of a stem in quotes.
  const heads = new Set(source.match(/(?<=`)[\w.-]+\.(?=(\$\{[^}]*\})+`)/g));
  const tails = new Set(source.match(/(?<=`\$\{\w+\})\.[\w.-]+(?=`)/g));
  const isPart = (part: string): boolean => literals.has(part) || literals.has(`.${part}`);
  const isUsed = (key: string): boolean =>
    literals.has(key) ||
    [...heads].some((head) => key.startsWith(head) && key.slice(head.length).split('.').every(isPart)) ||
    [...tails].some((tail) => key.endsWith(tail) && literals.has(key.slice(0, -tail.length)));
  expect(keys.filter((key) => !isUsed(key))).toEqual([]);
});

test.each<[string, RegExp]>([
  [
    'en',
    /this machine|next slot|namesake|until you act|goes on|\blinks? (of \{|of “|ends?\b)|tells? where|: delete\b/i,
  ],
  [
    'de',
    /anhalten|angehalten|auslassen|beobacht|abruf|zurück(ge)?les|dieses computers|geh(t|en) [\p{L} ]*hoch\b|\bplatte|\bnetz\b|gestört|bittet zu|noch erreichbar|ausgelassen|unfertig|\blinks? (von|dieses inhalts)\b|\bsie\b (können|müssen|haben)/iu,
  ],
  [
    'es',
    /tocayo|vigil|muert[oa]|aún (funciona|accesible)|hasta que salgas|patrones ignorados|otros bytes|dónde se hi(zo|cieron)|borra(r|do|da)s?\b|petici|usted|\b[óo]rden(es)?\b (para|del)|administración/i,
  ],
  // Chinese has one plural form: `one` is never chosen. An agent is no proxy (代理).
  [
    'zh',
    /监视|您|更新版本|个请求|届时.*届时|答复|仍可访问|服务上|点按|编号|回读|共享|代理（outtray|此计算机|\bone \{/,
  ],
])('%s has one word for one thing, also in the policies', (tag, other) => {
  const words = dictionaries[tag] ?? en;
  const said = [...keys.map((key) => `${key}: ${words[key]}`), ...(policies[tag] ?? [])];
  expect(said.filter((text) => other.test(text))).toEqual([]);
});

test.each([
  ['de', 'notify.grace', 'a.txt wird gleich hochgeladen'],
  ['es', 'queue.takes', 'aprox. 1 h 5 min'],
  ['es', 'files.refreshCost', 'Lee la lista de la cuenta: aprox. 1 solicitud.'],
  ['es', 'when.today', 'hoy, 1:05'],
  ['zh', 'queue.sum.uploaded', '1 个已上传'],
] as const)('%s has %s also for one', (tag, key, text) => {
  const one = { count: 1, name: 'a.txt', wait: '1 h 5 min', time: '1:05' };
  expect(formatMessage(tag, dictionaries[tag]?.[key] ?? '', one)).toBe(text);
});

test('all texts about one thing use the same words, in each language', () => {
  const of = (language: string, key: WordKey, values: Values): string =>
    formatMessage(language, dictionaries[language]?.[key] ?? '', values);
  const one = { count: 1, hours: 6, requests: 1, size: '1 MB', files: 1, total: 1, percent: '50 %' };
  expect(of('en', 'zip.far', one)).toBe('1 of 1 file · 50 %');
  expect(
    (['uploaded', 'held', 'skipped', 'failed'] as const).map((term) => of('es', `queue.sum.${term}`, one)),
  ).toEqual(['1 subido', '1 retenido', '1 omitido', '1 fallido']);
});

// English reads a list, a folder and a link. A German program does with each what its users know from other programs.
test('German loads lists and statistics, takes in a folder, and checks a link', () => {
  const said = (of: RegExp, read = /\b(re-?)?read(s|ing|ings)?\b/i): string[] =>
    keys.filter((key) => of.test(key) && read.test(en[key])).map((key) => `${key}: ${de[key]}`);
  const expectEach = (texts: readonly string[], word: RegExp, least: number): void => {
    expect(texts.length).toBeGreaterThanOrEqual(least);
    expect(texts.filter((text) => !word.test(text))).toEqual([]);
  };
  expectEach(
    said(/^(asOf\.|files\.(read|refresh|unread)|welcome\.list|details\.refresh|stats\.(read|refresh)$)/),
    /\b(ge)?laden\b|\blädt\b|\baktualisieren\b/i,
    9,
  );
  // One reading of the statistics is a snapshot.
  expectEach(said(/^stats\.(firstBar|neverText)$/), /\bStand\b/, 2);
  expectEach(
    said(/^(live\.scanning|welcome\.reading|banner\.degraded|settings\.folder|check\.watcher)/),
    /\b(neu )?ein(lesen|gelesen|\.)/,
    5,
  );
  expectEach(said(/^(verify|story\.verified|settings\.verify)/), /\b(ge)?prüf(en|t)\b|\berreichbar\b/, 4);
  const other = /(?<!aus|ein|über|vor)lesung|ablesen|abgelesen|lesevorgang|liste (wird )?(ge|ein)?lesen/i;
  expect(keys.filter((key) => other.test(de[key]))).toEqual([]);
});

test('no sentence combines that nothing is sent with the time of the next try', () => {
  const nothing = /nothing is sent|nichts gesendet|no se envía nada|不会发送任何内容/i;
  for (const [tag, words] of Object.entries(dictionaries))
    expect(
      keys.filter((key) => nothing.test(words[key]) && /\{(when|time|wait)\}/.test(words[key])),
      tag,
    ).toEqual([]);
});

test('files that a refused burst left out are not described as cancelled by the person', () => {
  expect(Object.values(dictionaries).map((words) => words['skip.cancelled'])).toEqual([
    'cancelled',
    'abgebrochen',
    'cancelado',
    '已取消',
  ]);
});

test('a value that is written from right to left is isolated from the words beside it', () => {
  const told = (name: string): string => formatMessage('en', en['files.firstCopied'], { name });
  expect(told('תקציב 2026.pdf')).toBe('Link copied: \u2068תקציב 2026.pdf\u2069');
  expect(told('report ב 2.pdf')).toBe('Link copied: \u2068report ב 2.pdf\u2069');
  for (const name of ['budget 2026.pdf', '合同草案.docx', 'Ünï 😀.png'])
    expect(told(name)).toBe(`Link copied: ${name}`);
  expect(formatMessage('en', en['files.selected'], { count: 2 })).toBe('2 selected');
});
