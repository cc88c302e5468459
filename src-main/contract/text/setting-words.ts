// The words that the window uses for a setting, found by the setting's name. Pure.
import { rowOf, type SettingName } from '../settings.ts';
import { isWordKey } from '../locales/words.ts';
import type { Say } from './speech.ts';

/** Empty where the window has no such word. */
const word = (say: Say, name: SettingName, part: string): string => {
  const key = `settings.${name}${part}`;
  return isWordKey(key) ? say(key) : '';
};

/** What the window calls it; empty: it has no word for it. */
export const settingLabel = (say: Say, name: SettingName): string => word(say, name, '');

/** The hint below it; empty: there is none. */
export const settingHint = (say: Say, name: SettingName): string => word(say, name, '.hint');

/** A value of a setting; empty: the window has no word for it. Not for paths or lists: a file may be named `choose`. */
export const choiceWord = (say: Say, name: SettingName, choice: string): string => {
  const { kind } = rowOf(name);
  return kind === 'path' || kind === 'list' || choice === 'hint' ? '' : word(say, name, `.${choice}`);
};

/** The unit in which people count a number, and how many of the setting's own units it is. */
export const shownUnit = (say: Say, name: SettingName): { per: number; unit: string } => {
  const row = rowOf(name);
  if (row.kind === 'share') return { per: 0.01, unit: '%' };
  return { per: (row.kind === 'whole' ? row.per : undefined) ?? 1, unit: word(say, name, '.unit') };
};

/** In that unit. Rounded: 0.30000000000000004 is not a value that a user set. */
export const inUnit = (value: number, per: number): string => String(Number((value / per).toPrecision(12)));
