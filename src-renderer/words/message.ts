// ICU messages, each parsed once.
import { IntlMessageFormat } from 'intl-messageformat';

export type Values = Record<string, string | number>;

const parsed = new Map<string, IntlMessageFormat>();

export const formatMessage = (tag: string, text: string, values: Values | undefined): string => {
  const key = `${tag}\n${text}`;
  let message = parsed.get(key);
  if (message === undefined) {
    message = new IntlMessageFormat(text, tag, undefined, { ignoreTag: true });
    parsed.set(key, message);
  }
  return String(message.format(values));
};
