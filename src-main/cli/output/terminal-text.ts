// How wide a printable text is on a terminal, and how it becomes shorter.

/** East Asian wide and full-width blocks (Unicode 17, UAX 11) and what is drawn as an emoji. */
const wide =
  /[\u{1100}-\u{115f}\u{2e80}-\u{303e}\u{3041}-\u{a4cf}\u{a960}-\u{a97f}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff01}-\u{ff60}\u{ffe0}-\u{ffe6}\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}\p{Regional_Indicator}\u{fe0f}]/v;

/** Made when first needed: at the start of a command that prints no table it would take longer than anything else. */
let segmenter: Intl.Segmenter | null = null;

type Grapheme = { text: string; columns: number };

const graphemesOf = (text: string): Grapheme[] =>
  /^[ -~]*$/.test(text)
    ? Array.from(text, (letter) => ({ text: letter, columns: 1 }))
    : Array.from(
        (segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })).segment(text),
        ({ segment }) => ({
          text: segment,
          columns: wide.test(segment) ? 2 : 1,
        }),
      );

const sum = (graphemes: readonly Grapheme[]) => graphemes.reduce((columns, one) => columns + one.columns, 0);

/** Columns a printable text takes on a terminal. */
export const columnsOf = (text: string): number => sum(graphemesOf(text));

/**
 * At most `columns` wide, shortened in the middle so that the extension stays: `a long na…(final).pdf`. Pass it
 * printable text.
 */
export const middleEllipsis = (name: string, columns: number): string => {
  const graphemes = graphemesOf(name);
  if (sum(graphemes) <= columns) return name;
  if (columns < 1) return '';
  const room = columns - 1;
  const extension = columnsOf(/[^.](\.[^.\s]{1,12})$/v.exec(name)?.[1] ?? '');
  // The end gets the extension and two fifths of the name's room: that is where versions and dates are.
  const forEnd = extension < room ? extension + Math.floor((room - extension) * 0.4) : Math.floor(room / 2);
  const end = takeWhileFits(graphemes.toReversed(), forEnd).reverse();
  const start = takeWhileFits(graphemes, room - sum(end));
  const text = (part: readonly Grapheme[]) => part.map((one) => one.text).join('');
  return `${text(start)}…${text(end)}`;
};

const takeWhileFits = (graphemes: readonly Grapheme[], columns: number): Grapheme[] => {
  const taken: Grapheme[] = [];
  let left = columns;
  for (const one of graphemes) {
    left -= one.columns;
    if (left < 0) break;
    taken.push(one);
  }
  return taken;
};
