// The name of the entry in each language. Not beside the names of the file managers: the window needs those, and one language.
import type { Language } from '../../contract/text/speech.ts';
import { de } from '../../contract/words/de.ts';
import { en } from '../../contract/words/en.ts';
import { es } from '../../contract/words/es.ts';
import { zh } from '../../contract/words/zh.ts';

/** What the entry is called. All of them are known, so that an entry made in another language is found. */
export const entryLabels: Readonly<Record<Language, string>> = {
  en: en['integrate.entry'],
  de: de['integrate.entry'],
  es: es['integrate.entry'],
  zh: zh['integrate.entry'],
};
