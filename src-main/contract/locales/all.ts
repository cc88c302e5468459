// Every language's words, for the main process. The window loads one language alone.
import type { Language } from '../text/speech.ts';
import { en, wordsOf, type Words } from './words.ts';
import de from './de.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import zh from './zh.json' with { type: 'json' };

export const locales: Readonly<Record<Language, Words>> = {
  en,
  de: wordsOf(de),
  es: wordsOf(es),
  zh: wordsOf(zh),
};
