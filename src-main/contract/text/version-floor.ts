// `minimumVersion`: the oldest version that may upload, and from which day on. As "1.4.0", or "1.4.0 from 2027-03-01".

export type VersionFloor = {
  version: string;
  /** The day as it is written; null: at once. */
  day: string | null;
  /** When that day begins here; -Infinity: at once. */
  fromMs: number;
};

const shape = /^(\d{1,5}\.\d{1,5}\.\d{1,5})(?: from (\d{4})-(\d\d)-(\d\d))?$/;

/** Null for any other text, also with a day that no calendar has. */
export const versionFloorOf = (text: string): VersionFloor | null => {
  const [, version, year, month, date] = shape.exec(text) ?? [];
  if (version === undefined) return null;
  if (year === undefined) return { version, day: null, fromMs: -Infinity };
  const begins = new Date(Number(year), Number(month) - 1, Number(date));
  const isADay = begins.getMonth() === Number(month) - 1 && begins.getDate() === Number(date);
  return isADay ? { version, day: `${year}-${month}-${date}`, fromMs: begins.getTime() } : null;
};

/** Whether `version` comes before `floor`. One with a suffix (1.4.0-rc.1) comes before the version itself. */
export const isOlderVersion = (version: string, floor: string): boolean => {
  const order = numbersOf(version).localeCompare(numbersOf(floor), 'en', { numeric: true });
  return order === 0 ? /^[^+]*-/.test(version) : order < 0;
};

const numbersOf = (version: string): string => version.replace(/[-+].*$/s, '');
