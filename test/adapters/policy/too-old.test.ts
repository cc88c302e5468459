// What `minimumVersion` requests before its day, and bars from that day on.
import { expect, test } from 'vitest';
import { tooOld } from '../../../src-main/adapters/settings/too-old.ts';

test('before its day it asks for the update, from that day on nothing is uploaded', () => {
  const begins = new Date(2027, 2, 1).getTime();
  const at = (nowMs: number, version = '1.3.9') => tooOld('1.4.0 from 2027-03-01', { version, nowMs });
  expect(at(begins - 1)).toEqual({
    sentences: [
      'Outtray 1.4.0 or newer is required from 2027-03-01; this is 1.3.9, which will then upload nothing. Update it.',
    ],
    bars: null,
  });
  expect(at(begins)?.bars).toMatchObject({
    code: 'not-allowed',
    message: 'Outtray 1.4.0 or newer is required from 2027-03-01; this is 1.3.9, so nothing is uploaded.',
  });
  expect(at(begins, '1.4.0')).toBeNull();
  expect(tooOld(null, { version: '0.0.1', nowMs: begins })).toBeNull();
});
