// ICU messages, each parsed once.
import { IntlMessageFormat } from 'intl-messageformat';
import { hasFromRight } from './name.ts';

export type Values = Record<string, string | number>;

const parsed = new Map<string, IntlMessageFormat>();

export const formatMessage = (tag: string, text: string, values: Values | undefined): string => {
  const key = `${tag}\n${text}`;
  let message = parsed.get(key);
  if (message === undefined) {
    message = new IntlMessageFormat(text, tag, undefined, { ignoreTag: true });
    parsed.set(key, message);
  }
  return String(message.format(values === undefined ? values : isolated(values)));
};

/** A name written from right to left would reorder the words and numbers beside it, so it is isolated (UAX #9). */
const isolated = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && hasFromRight(value) ? `\u2068${value}\u2069` : value,
    ]),
  );
