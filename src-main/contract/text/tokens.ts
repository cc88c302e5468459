// Text of exceptions and answers from outside may quote an unknown token. The token is removed where such a text
// becomes an error message or a line of the log. Names, paths and links keep every word: `Bearer bond.pdf` is a file.

export const redacted = '«redacted»';

const bearer = /\bBearer(?:\s|%20|\+)+(?:\\.|[^\s"'\\,;])+/gi;

/** The text without what follows "Bearer". */
export const withoutTokens = (text: string): string => text.replaceAll(bearer, `Bearer ${redacted}`);
