import { resolve } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  fromLatin1Name,
  fromSystemName,
  isWithin,
  toSystemPath,
} from '../../src-main/adapters/files/paths.ts';
import { AppError } from '../../src-main/contract/errors.ts';

const nameBytes = fc
  .uint8Array({ minLength: 1, maxLength: 255 })
  .map((bytes) => Buffer.from(bytes).map((byte) => (byte === 0 || byte === 0x2f ? 1 : byte)))
  .map((bytes) => Buffer.from(bytes));

test('any bytes of a name are restored from their string unchanged', () => {
  fc.assert(
    fc.property(nameBytes, (bytes) => Buffer.from(toSystemPath(fromSystemName(bytes))).equals(bytes)),
    { numRuns: 2000 },
  );
});

test('two names never share a string', () => {
  fc.assert(
    fc.property(nameBytes, nameBytes, (one, other) => {
      return one.equals(other) || fromSystemName(one) !== fromSystemName(other);
    }),
  );
});

test('a name read as latin1 gives the same string as its bytes', () => {
  fc.assert(
    fc.property(nameBytes, (bytes) => fromLatin1Name(bytes.toString('latin1')) === fromSystemName(bytes)),
  );
});

test.each(['plain.txt', 'ünï/😀.png', 'e\u0301 twice', 'line\nbreak', '\ufffd', '\ufeffbom'])(
  'valid UTF-8 is its own string: %j',
  (name) => {
    expect(fromSystemName(Buffer.from(name))).toBe(name);
    expect(toSystemPath(name)).toBe(name);
  },
);

test('bytes that are not UTF-8 are written as NUL and two hex digits', () => {
  expect(fromSystemName(Buffer.from([0x61, 0xff, 0xc3, 0xa4, 0xed, 0xa0, 0x80, 0xc3]))).toBe(
    ['a', 'ffä', 'ed', 'a0', '80', 'c3'].join('\0'),
  );
});

test('a NUL that is not such an escape is refused', () => {
  expect(() => toSystemPath('/tmp/a\0zz')).toThrow(AppError);
});

test('a folder whose name begins like another one is not inside it', () => {
  expect(isWithin(resolve('/tray'), resolve('/tray/a'))).toBe(true);
  expect(isWithin(resolve('/'), resolve('/tray'))).toBe(true);
  expect(isWithin(resolve('/tray'), resolve('/tray-of-another/a'))).toBe(false);
});
