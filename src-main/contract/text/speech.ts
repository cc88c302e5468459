// Makes sentences in the language in force: window, tray, menus and dialogs each have one of these.
import type { WordKey } from '../locales/words.ts';

export const platforms = ['darwin', 'win32', 'linux'] as const;
export type Platform = (typeof platforms)[number];

export const languages = ['en', 'de', 'es', 'zh'] as const;
export type Language = (typeof languages)[number];

/** A language's own name for itself: a user who does not read the present language finds their own. */
export const languageName = (language: Language): string => {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;
  return `${name.charAt(0).toLocaleUpperCase(language)}${name.slice(1)}`;
};

export type Say = (key: WordKey, values?: Record<string, string | number>) => string;

/** `locale` is the tag for dates and numbers: the system's own (de-AT) where it speaks the language. */
export type Speech = { say: Say; language: Language; locale: string; platform: Platform };

/** `wanted`: the setting. `preferred`: the system's languages, best first, as BCP 47 tags. */
export const chooseLanguage = (
  wanted: 'system' | Language,
  preferred: readonly string[],
): { language: Language; locale: string } => {
  const usable = preferred.filter(isTag);
  if (wanted !== 'system') {
    return { language: wanted, locale: usable.find((tag) => baseOf(tag) === wanted) ?? wanted };
  }
  for (const locale of usable) {
    const language = languages.find((known) => known === baseOf(locale));
    if (language !== undefined) return { language, locale };
  }
  return { language: 'en', locale: 'en' };
};

const baseOf = (tag: string): string => tag.split('-')[0]?.toLowerCase() ?? '';

const isTag = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
};
