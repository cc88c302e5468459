// The words of tray, menus, notifications and dialogs, in the language in force: the same tables as the window's.
import { IntlMessageFormat } from 'intl-messageformat';
import { de } from '../contract/words/de.ts';
import { en, type WordKey, type Words } from '../contract/words/en.ts';
import { es } from '../contract/words/es.ts';
import { zh } from '../contract/words/zh.ts';

export type Say = (key: WordKey, values?: Record<string, string | number>) => string;
/** `locale` is the tag for dates and numbers. */
export type Speech = { say: Say; locale: string };

const tables: Readonly<Record<string, Words>> = { en, de, es, zh };

/** `wanted`: the setting. `preferred`: the system's languages, best first, as BCP 47 tags. */
export const createSpeech = (wanted: string, preferred: readonly string[]): Speech => {
  const usable = preferred.filter(isTag);
  const chosen = wanted === 'system' ? usable.find((tag) => baseOf(tag) in tables) : wanted;
  const language = baseOf(chosen ?? 'en');
  const locale = usable.find((tag) => baseOf(tag) === language) ?? language;
  const words = tables[language] ?? en;
  const parsed = new Map<WordKey, IntlMessageFormat>();
  return {
    locale,
    say(key, values) {
      const text = words[key];
      if (!text.includes('{')) return text;
      const message = parsed.get(key) ?? new IntlMessageFormat(text, locale, undefined, { ignoreTag: true });
      parsed.set(key, message);
      return String(message.format(values));
    },
  };
};

const baseOf = (tag: string): string => tag.split('-')[0]?.toLowerCase() ?? '';

const isTag = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
};
