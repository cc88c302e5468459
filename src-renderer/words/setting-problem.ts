// What is wrong with a setting's value, in the reader's language and in the unit the field shows. The schema's own
// sentence is the fallback. Pure: returns a key and a limit.
import type { WordKey } from '../../src-main/contract/locales/words.ts';

export type SettingProblem = { key: WordKey; values: Record<string, number> } | { text: string };

const fixed: readonly [RegExp, WordKey][] = [
  [/whole number/, 'settings.invalid.whole'],
  [/must be a number|NaN/, 'settings.invalid.number'],
  [/must be over 0/, 'settings.invalid.over'],
  [/must be system, none/, 'settings.invalid.proxy'],
  [/must be keys as/, 'settings.invalid.keys'],
  [/must be a host name/, 'settings.invalid.host'],
];

/** `per`: how many of the setting's own units one shown unit is. */
export const settingProblem = (text: string, per: number): SettingProblem => {
  const limit = /Expected (<=|>=)(\d+)/.exec(text);
  if (limit !== null) {
    return {
      key: limit[1] === '<=' ? 'settings.invalid.atMost' : 'settings.invalid.atLeast',
      values: { limit: Number(limit[2]) / per },
    };
  }
  const known = fixed.find(([pattern]) => pattern.test(text));
  return known === undefined ? { text } : { key: known[1], values: {} };
};
