// The label of the entry in each language. It is not beside the names of the file managers: the window needs those, but
// only one language.
import type { Language } from '../../contract/text/speech.ts';
import { locales } from '../../contract/locales/all.ts';

/** All labels are known, so that an entry made in another language is found. */
export const entryLabels = Object.fromEntries(
  Object.entries(locales).map(([language, words]) => [language, words['integrate.entry']]),
) as Readonly<Record<Language, string>>;
