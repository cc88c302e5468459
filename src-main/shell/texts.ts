// The words of tray, menus, notifications and dialogs, in the language in force: the same tables as the window's.
import { IntlMessageFormat } from 'intl-messageformat';
import { chooseLanguage, type Language, type Speech } from '../contract/speech.ts';
import { de } from '../contract/words/de.ts';
import { en, type WordKey, type Words } from '../contract/words/en.ts';
import { es } from '../contract/words/es.ts';
import { zh } from '../contract/words/zh.ts';

const tables: Readonly<Record<Language, Words>> = { en, de, es, zh };

/** `wanted`: the setting. `preferred`: the system's languages, best first, as BCP 47 tags. */
export const createSpeech = (wanted: 'system' | Language, preferred: readonly string[]): Speech => {
  const { language, locale } = chooseLanguage(wanted, preferred);
  const words = tables[language];
  const parsed = new Map<WordKey, IntlMessageFormat>();
  return {
    language,
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
