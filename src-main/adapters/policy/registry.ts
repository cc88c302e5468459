// What `reg query` prints, read; and its few types made into the ones of the settings. Pure.
import { checkSetting, isSettingName } from '../../contract/settings.ts';

/** Stands between the texts of a list; Windows allows it in no path. */
export const listSeparator = '|';

/**
 * The values directly below a key. A line is `    name    REG_TYPE    data`, four spaces apart; a name may hold single
 * spaces, data anything. Lines of other keys and empty ones are left out.
 */
export const parseRegistry = (printed: string): Record<string, unknown> => {
  const values: Record<string, unknown> = {};
  let isFirstKey = true;
  let keys = 0;
  for (const line of printed.split(/\r?\n/)) {
    if (/^HKEY_/i.test(line)) isFirstKey = ++keys === 1;
    const [, name, type, data] = /^ {4}(.+?) {4}(REG_[A-Z_]+)(?: {4}(.*))?$/.exec(line) ?? [];
    if (!isFirstKey || name === undefined || type === undefined) continue;
    values[name] = fitted(name, valueOf(type, data ?? ''));
  }
  return values;
};

const valueOf = (type: string, data: string): unknown => {
  switch (type) {
    case 'REG_DWORD':
    case 'REG_QWORD':
      // Printed in hexadecimal; beyond what a number holds exactly it is no value of ours.
      return /^0x[0-9a-f]+$/i.test(data) && Number(data) <= Number.MAX_SAFE_INTEGER ? Number(data) : data;
    case 'REG_MULTI_SZ':
      return data.split(listSeparator).filter((text) => text !== '');
    case 'REG_SZ':
      return data;
    default:
      // REG_EXPAND_SZ would be filled from variables the user sets. A wrong type, which the settings judge.
      return { type };
  }
};

/**
 * The registry has neither flags nor fractions: 0 and 1 stand for a flag, a text for a fraction. The first reading the
 * setting takes is meant; when it takes none, the value stays as it is and is wrong.
 */
const fitted = (name: string, value: unknown): unknown => {
  if (!isSettingName(name)) return value;
  const flags: Record<number, boolean> = { 0: false, 1: true };
  const readings = [
    value,
    ...(typeof value === 'number' && value in flags ? [flags[value]] : []),
    ...(typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? [Number(value)] : []),
  ];
  return readings.find((reading) => checkSetting(name, reading).ok) ?? value;
};
