// Names in places that only know plain text (tray, notifications, dialogs): stripped of what has no shape of its own,
// so that no name can pose as another, and shortened in the middle, so that the extension is always seen. Pure.

/** Controls, format characters (bidi, zero width), separators of lines, lone surrogates, fillers. */
const shapeless = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115f\u1160\u3164\uffa0]/gu;

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** `most` counts what the reader sees as one character. */
export const plainName = (name: string, most = 48): string => {
  // Of the 255 characters of a name one may be drawn: the name is cut before each character is looked at.
  const clean = name.slice(0, 1000).replaceAll(shapeless, '\ufffd');
  const parts = [...graphemes.segment(clean)].map(({ segment }) => segment);
  if (parts.length <= most) return clean;
  const tail = Math.min(12, Math.floor(most / 3));
  return `${parts.slice(0, most - tail - 1).join('')}…${parts.slice(-tail).join('')}`;
};
