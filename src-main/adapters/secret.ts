// An API key in memory. It prints as «redacted» however it is printed; only `reveal()` gives the text, so that a
// search for that word finds every place the key can come out (security.md, Secrets).
import { inspect } from 'node:util';
import { AppError } from '../contract/errors.ts';
import { redacted } from '../contract/text/tokens.ts';

export type Secret = {
  reveal(): string;
  /** The only part that is ever shown; empty for keys so short that four characters would be half of it. */
  readonly lastFour: string;
};

/** Trimmed once, at most 512 printable ASCII characters. Throws `key-missing` or `bad-use`, never quoting the text. */
export const parseSecret = (text: string): Secret => {
  const key = text.trim();
  if (key === '')
    throw new AppError('key-missing', 'No API key was given.', 'Paste the key from your account.');
  if (!/^[\x21-\x7e]{1,512}$/.test(key)) {
    throw new AppError(
      'bad-use',
      'This cannot be an API key: a key has at most 512 printable characters and no spaces.',
      'Copy the key again from the account settings of the service, section API.',
    );
  }
  const secret = {
    reveal: () => key,
    lastFour: key.length < 8 ? '' : key.slice(-4),
    toString: () => redacted,
    toJSON: () => redacted,
    [inspect.custom]: () => redacted,
    [Symbol.toPrimitive]: () => redacted,
  };
  return Object.freeze(secret);
};
