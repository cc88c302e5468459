// Settings in words, from the catalogue: what each one must be, an example, and how it is typed on a command line.
// Problems never quote the wrong value, which may be a proxy address with a password or a key pasted by mistake.
import { call, wording } from '../../contract/text/wording.ts';
import { resolve } from 'node:path';
import { itemChecks, textChecks } from '../../contract/catalogue/checks.ts';
import type { SettingRow } from '../../contract/catalogue/kinds.ts';
import { spanOf, spanText } from '../../contract/expiry.ts';
import { AppError } from '../../contract/errors.ts';
import { checkSetting, isSettingName, rowOf, type SettingName } from '../../contract/settings.ts';
import { nearestNames } from './misspelt.ts';
import { atHome } from './setting-paths.ts';

/** What a setting must be, as a sentence about it: `must be true or false`. */
export const mustBe = (name: SettingName): string => `must be ${wordsOf(rowOf(name))}`;

const wordsOf = (row: SettingRow): string => {
  switch (row.kind) {
    case 'flag':
      return 'true or false';
    case 'whole':
      return `a whole number${row.unit === undefined ? '' : ` of ${row.unit}`}${rangeOf(row)}`;
    case 'share':
      return row.mayBeZero ? 'a number from 0 to 1' : 'a number over 0 and at most 1';
    case 'choice':
      return `${row.of.slice(0, -1).join(', ')} or ${row.of.at(-1) ?? ''}`;
    case 'text':
    case 'path':
      return textChecks[row.check].words;
    case 'list':
      return `a list of at most ${row.most.toLocaleString('en')} ${itemChecks[row.of].words}`;
  }
};

const rangeOf = ({ min, max, zero }: Extract<SettingRow, { kind: 'whole' }>): string => {
  if (max !== null) return ` from ${min}${zero === undefined ? '' : ` (${zero})`} to ${max}`;
  return zero === undefined ? `, at least ${min}` : `, 0 for ${zero}`;
};

/** A value that the setting takes: that of its row, else that of its check, else its default. */
export const exampleOf = (name: SettingName): unknown => {
  const row = rowOf(name);
  if (row.kind === 'flag') return true;
  if (row.example !== undefined) return row.example;
  switch (row.kind) {
    case 'text':
    case 'path':
      return textChecks[row.check].example;
    case 'list':
      return itemChecks[row.of].example;
    case 'whole':
    case 'share':
    case 'choice':
      return row.default;
  }
};

/** As it is typed on a command line. */
const exampleText = (name: SettingName): string => {
  const example = exampleOf(name);
  return Array.isArray(example) ? example.join(',') : String(example);
};

/** `null` stands for "back to the default". Throws `bad-setting`. */
export const checkedValue = (name: SettingName, value: unknown, where = ''): unknown => {
  if (value === null) return null;
  // The schema reads undefined as the default; here it means that the text could not be read.
  const result = value === undefined ? null : checkSetting(name, value);
  if (result?.ok === true) return result.value;
  throw badSetting(name, where);
};

/** `where`: the place of the wrong value. */
const badSetting = (name: SettingName, where = ''): AppError => {
  return new AppError(
    'bad-setting',
    `${where === '' ? '' : `${where}: `}${name} ${mustBe(name)}.`,
    `For example: ${exampleText(name)}`,
  );
};

/** Throws `bad-setting` if there is no such setting. */
export const settingNamed = (name: string): SettingName => {
  if (isSettingName(name)) return name;
  throw new AppError(
    'bad-setting',
    'There is no such setting.',
    wording`The nearest are ${nearestNames(name).join(', ')}; ${call('settings', 'list')} shows all.`,
  );
};

const flags: Record<string, boolean> = {
  true: true,
  on: true,
  yes: true,
  false: false,
  off: false,
  no: false,
};

/**
 * What was typed for a setting, as the value to set: `default` gives null (back to the default); lists are separated
 * by commas or written as JSON; relative paths are taken from `cwd`, `~` is the home folder. Throws `bad-setting`.
 */
export const parseSettingText = (name: string, text: string, cwd = process.cwd()): unknown => {
  const setting = settingNamed(name);
  const typed = text.trim();
  if (typed === 'default') return null;
  return checkedValue(setting, valueTyped(rowOf(setting), typed, cwd));
};

const valueTyped = (row: SettingRow, text: string, cwd: string): unknown => {
  switch (row.kind) {
    case 'text':
      return row.check === 'span' ? spanTyped(text) : text;
    case 'choice':
      return text;
    case 'path':
      // A shell leaves a quoted `~` alone.
      return text === '' ? undefined : resolve(cwd, atHome(text));
    case 'whole':
    case 'share':
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
    case 'flag':
      return flags[text.toLowerCase()];
    case 'list':
      return listTyped(text);
  }
};

const spanTyped = (text: string): string => {
  // `expire` accepts it, too.
  if (text.toLowerCase() === 'never') return 'none';
  const spanMs = spanOf(text);
  return spanMs === null ? text : spanText(spanMs);
};

const listTyped = (text: string): unknown => {
  // A pattern may begin with a bracket (`[ab]*.log`), so only a bracket before a quote or its end means JSON.
  if (/^\[\s*["\]]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
};
