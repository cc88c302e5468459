// Reads what `reg query` prints, and converts its few types into those of the settings. Pure.
import { checkSetting, isSettingName } from '../../contract/settings.ts';

/** Separates the texts of a list; Windows allows it in no path. */
export const listSeparator = '|';

const valueLine = /^ {4}(.+?) {4}(REG_[A-Z_]+)(?: {4}(.*))?$/;

/** False for text in another encoding than UTF-8, and for a text that ends within a line. */
export const isReadable = (printed: string): boolean => !/[\0\uFFFD]|[^\n]$/.test(printed);

/** Whether the output is about the key that ends in `path`, and each line is a key or a value. Empty: no values. */
export const isWhole = (printed: string, path: string): boolean => {
  const lines = printed.split(/\r?\n/);
  const isKey = (line: string): boolean => /^HKEY_/i.test(line);
  return (
    isReadable(printed) &&
    lines.every((line) =>
      isKey(line)
        ? line.toLowerCase().includes(`\\${path.toLowerCase()}`)
        : line === '' || valueLine.test(line),
    ) &&
    (isKey(printed.trim()) || printed.trim() === '')
  );
};

/**
 * The values directly below the key that ends in `path`. A line is `    name    REG_TYPE    data`, four spaces apart; a
 * name may hold single spaces, data anything. Lines of other keys and empty ones are left out.
 */
export const parseRegistry = (printed: string, path: string): Record<string, unknown> => {
  const values: Record<string, unknown> = {};
  let isWanted = false;
  for (const line of printed.split(/\r?\n/)) {
    // The hive is printed by its long name: HKEY_LOCAL_MACHINE\…
    if (/^HKEY_/i.test(line))
      isWanted = line.slice(line.indexOf('\\') + 1).toLowerCase() === path.toLowerCase();
    const [, name, type, data] = valueLine.exec(line) ?? [];
    if (!isWanted || name === undefined || type === undefined) continue;
    values[name] = fitted(name, valueOf(type, data ?? ''));
  }
  return values;
};

const valueOf = (type: string, data: string): unknown => {
  switch (type) {
    case 'REG_DWORD':
    case 'REG_QWORD':
      // Printed in hexadecimal. A value above the largest exact integer is none of our settings; it stays text.
      return /^0x[0-9a-f]+$/i.test(data) && Number(data) <= Number.MAX_SAFE_INTEGER ? Number(data) : data;
    case 'REG_MULTI_SZ':
      return data.split(listSeparator).filter((text) => text !== '');
    case 'REG_SZ':
    case 'REG_EXPAND_SZ':
      // Printed as it was written: the settings know the variables of paths.
      return data;
    default:
      // A wrong type; the check of the settings rejects it.
      return { type };
  }
};

/**
 * The registry has neither flags nor fractions: 0 and 1 stand for a flag, a text for a fraction. The first reading that
 * the setting accepts counts; without one the value stays as it is, and the check of the settings rejects it.
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
