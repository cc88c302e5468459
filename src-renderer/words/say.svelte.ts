// The words of the window in the current language. English is in the first script; the others are loaded on demand.
// Messages are ICU (intl-messageformat) and are parsed once each.
import { chooseLanguage, type Language, type Speech } from '../../src-main/contract/text/speech.ts';
import type { Platform } from '../../src-main/contract/text/speech.ts';
import { en, wordsOf, type WordKey, type Words } from '../../src-main/contract/locales/words.ts';
import { formatMessage, type Values } from './message.ts';

const loaders = import.meta.glob<Partial<Words>>(
  ['../../src-main/contract/locales/*.json', '!**/en.json', '!**/notes.json', '!**/policy.*.json'],
  { import: 'default' },
);
const load = async (language: Language): Promise<Words> =>
  wordsOf((await loaders[`../../src-main/contract/locales/${language}.json`]?.()) ?? {});

let words = $state.raw<Words>(en);
let current = $state<Language>('en');
let tag = $state('en');

/** The sentence of a key, with its values filled in. */
export const say = (key: WordKey, values?: Values): string => {
  const text = words[key];
  return text.includes('{') ? formatMessage(tag, text, values) : text;
};

/** The tag for dates and numbers: the system's own (de-AT) if it is of the current language. */
export const locale = (): string => tag;

/** All of it, for texts that are the same outside the window. */
export const speech = (): Speech => ({ say, language: current, locale: tag, platform: platform() });

/** As main.ts has noted it before anything is shown. */
const platform = (): Platform => {
  // In tests there is no page.
  const noted = typeof document === 'undefined' ? null : document.documentElement.dataset['platform'];
  return noted === 'darwin' || noted === 'win32' ? noted : 'linux';
};

/** `wanted` is the setting; `preferred` are the system's languages, best first. */
export const speak = async (wanted: 'system' | Language, preferred: readonly string[]): Promise<void> => {
  const choice = chooseLanguage(wanted, preferred);
  const next = choice.language === 'en' ? en : await load(choice.language);
  words = next;
  current = choice.language;
  tag = choice.locale;
  document.documentElement.lang = choice.locale;
};
