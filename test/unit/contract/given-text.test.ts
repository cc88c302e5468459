import { expect, test } from 'vitest';
import { givenText, inUtf8 } from '../../../src-main/contract/text/given-text.ts';

const text = 'C:\\Zoë\\合 😀.txt\r\n';
const marked = `\ufeff${text}`;

test.each([
  ['UTF-8', Buffer.from(text)],
  ['UTF-8 with its mark', Buffer.from(marked)],
  ['UTF-16', Buffer.from(marked, 'utf16le')],
  ['UTF-16 in the other order', Buffer.from(marked, 'utf16le').swap16()],
])('%s is read', (_what, bytes) => {
  expect(givenText(bytes)).toBe(text);
  expect(Buffer.from(inUtf8(bytes))).toEqual(Buffer.from(text));
});

test('bytes without a mark stay as they are, and only the first mark is removed', () => {
  const bytes = Buffer.from([0x61, 0xff, 0xfe, 0x0a]);
  expect(inUtf8(bytes)).toBe(bytes);
  expect(inUtf8(Buffer.from(`\ufeff${marked}`))).toEqual(Buffer.from(marked));
  expect(givenText(Buffer.of())).toBe('');
  expect(givenText(Buffer.of(0xff))).toBe('\ufffd');
});
