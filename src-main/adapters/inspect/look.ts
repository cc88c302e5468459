// Searches contents. The answer is what was found: the first secret, with its rule and its line, never the text.
import type { Finding } from '../../contract/model.ts';
import { decode } from './decode.ts';
import { plainOf } from './secrets/plain.ts';
import { firstSecret } from './secrets/search.ts';

/** A text is searched in pieces, because the rules take long over many findings, and the first one is enough. */
const pieceLetters = 128 * 1024;
/** Longer than a private key, so that none is cut in every piece. */
const overlapLetters = 16 * 1024;

/** Searches the text as it is, and the text without its markup. */
const secretIn = (bytes: Uint8Array): Finding | null => {
  const text = decode(bytes);
  const found = secretInText(text);
  if (found !== null) return found;
  const plain = plainOf(text);
  return plain === null ? null : secretInText(plain);
};

const secretInText = (text: string): Finding | null => {
  let [from, linesBefore] = [0, 0];
  for (;;) {
    const end = from + pieceLetters;
    const found = firstSecret(text.slice(from, end));
    if (found !== null) return { kind: 'secret', ...found, line: linesBefore + found.line };
    if (end >= text.length) return null;
    const lineAt = text.indexOf('\n', end - overlapLetters) + 1;
    const next = lineAt > 0 && lineAt < end ? lineAt : end - overlapLetters;
    linesBefore += linesIn(text.slice(from, next));
    from = next;
  }
};

const linesIn = (text: string): number => text.split('\n').length - 1;

export const findingsIn = (bytes: Uint8Array): readonly Finding[] => {
  const secret = secretIn(bytes);
  return secret === null ? [] : [secret];
};
