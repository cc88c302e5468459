// Which versions `minimumVersion` shuts out, and from when on.
import { expect, test } from 'vitest';
import { tooOld } from '../../../src-main/adapters/settings/too-old.ts';
import { isOlder, versionFloorOf } from '../../../src-main/contract/text/version-floor.ts';

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
      expect(isOlder(version, floor), `${version} under ${floor}`).toBe(at < inOrder.indexOf(floor));
  expect(isOlder('1.2.0+build-5', '1.2.0')).toBe(false);
});

test('a day that no calendar has, and a version that is none, are refused', () => {
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

test('before its day it asks for the update, from that day on nothing is uploaded', () => {
  const begins = new Date(2027, 2, 1).getTime();
  const at = (nowMs: number, version = '1.3.9') => tooOld('1.4.0 from 2027-03-01', { version, nowMs });
  expect(at(begins - 1)).toEqual({
    sentences: [
      'Outtray 1.4.0 or newer is demanded from 2027-03-01 on; this is 1.3.9, which uploads nothing then. Update it.',
    ],
    bars: null,
  });
  expect(at(begins)?.bars).toMatchObject({
    code: 'not-allowed',
    message: 'Outtray 1.4.0 or newer is demanded from 2027-03-01 on; this is 1.3.9, so nothing is uploaded.',
  });
  expect(at(begins, '1.4.0')).toBeNull();
  expect(tooOld(null, { version: '0.0.1', nowMs: begins })).toBeNull();
});
