// Which versions `minimumVersion` shuts out, and from which day on.
import { expect, test } from 'vitest';
import { isOlderVersion, versionFloorOf } from '../../../src-main/contract/text/version-floor.ts';

test('versions are compared by their numbers; one with a suffix comes before the version itself', () => {
  const inOrder = [
    '0.9.9',
    '1.0.0-rc.2',
    '1.0.0',
    '1.0.10',
    '1.2.0',
    '1.10.0',
    '2.0.0-beta',
    '2.0.0',
    '10.0.0',
  ];
  const floors = inOrder.filter((version) => !version.includes('-'));
  for (const [at, version] of inOrder.entries())
    for (const floor of floors)
      expect(isOlderVersion(version, floor), `${version} under ${floor}`).toBe(at < inOrder.indexOf(floor));
  expect(isOlderVersion('1.2.0+build-5', '1.2.0')).toBe(false);
});

test('a day that is not in the calendar, and a text that is not a version, are refused', () => {
  for (const text of [
    '',
    '1',
    '1.2',
    'v1.2.3',
    '1.2.3-rc.1',
    '1.2.3 from 2027-02-30',
    '1.2.3 from 2027-13-01',
    '1.2.3 2027-01-01',
  ])
    expect(versionFloorOf(text), text).toBeNull();
  expect(versionFloorOf('1.2.3')).toEqual({ version: '1.2.3', day: null, fromMs: -Infinity });
});

test('a day is a local one, and begins at midnight', () => {
  expect(versionFloorOf('1.4.0 from 2027-03-01')).toEqual({
    version: '1.4.0',
    day: '2027-03-01',
    fromMs: new Date(2027, 2, 1).getTime(),
  });
});
