// A program with its arguments, written as one text: words between spaces, quotes around a word that has spaces. No
// shell reads it: no variables, no pipes, and a backslash is itself, because paths of Windows are full of them.

/** The words, or null when a quote is not closed or no program is named. Pure. */
export const commandWords = (text: string): string[] | null => {
  const whole = /^\s*(?:(?:"[^"]*"|'[^']*'|[^\s"'])+(?:\s+|$))+$/;
  if (!whole.test(text) || text.includes('\0')) return null;
  const words = [...text.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replace(
      /"([^"]*)"|'([^']*)'/g,
      (_quoted, double?: string, single?: string) => double ?? single ?? '',
    ),
  );
  return words[0] === '' ? null : words;
};
