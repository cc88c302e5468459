// The words of tray, menus, notifications and dialogs in the current language (from the same tables as the window's),
// and file names for these places, which show only plain text.
import { IntlMessageFormat } from 'intl-messageformat';
import { chooseLanguage, type Language, type Speech } from '../contract/text/speech.ts';
import { locales } from '../contract/locales/all.ts';
import type { WordKey } from '../contract/locales/words.ts';
import { platform } from './platform.ts';

/** `wanted`: the setting. `preferred`: the system's languages, best first, as BCP 47 tags. */
export const createSpeech = (wanted: 'system' | Language, preferred: readonly string[]): Speech => {
  const { language, locale } = chooseLanguage(wanted, preferred);
  const words = locales[language];
  const parsed = new Map<WordKey, IntlMessageFormat>();
  return {
    language,
    locale,
    platform,
    say(key, values) {
      const text = words[key];
      if (!text.includes('{')) return text;
      const message = parsed.get(key) ?? new IntlMessageFormat(text, locale, undefined, { ignoreTag: true });
      parsed.set(key, message);
      return String(message.format(values));
    },
  };
};

/** Controls, format characters (bidi, zero width), separators of lines, lone surrogates, fillers. */
const shapeless = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115f\u1160\u3164\uffa0]/gu;

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * Replaces characters without a visible shape, so that no name can pose as another, and shortens in the middle, so that
 * the extension stays visible. `max` counts graphemes, which a reader sees as one character each.
 */
export const plainName = (name: string, max = 48): string => {
  // All of the 255 characters of a name may form one grapheme, so the cut before the split is generous.
  const clean = name.slice(0, 1000).replaceAll(shapeless, '\ufffd');
  const parts = [...graphemes.segment(clean)].map(({ segment }) => segment);
  if (parts.length <= max) return clean;
  const tail = Math.min(12, Math.floor(max / 3));
  return `${parts.slice(0, max - tail - 1).join('')}…${parts.slice(-tail).join('')}`;
};
