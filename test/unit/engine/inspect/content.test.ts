// Which content counts as text.
import { expect, test } from 'vitest';
import { kindOf } from '../../../../src-main/engine/inspect/content.ts';

test.each([
  ['letters', Buffer.from('a line\r\nand\tanother\n')],
  ['letters of any language', Buffer.from('Schlüssel 密钥 ключ')],
  ['UTF-16 with its mark', Buffer.from('\ufeffkey', 'utf16le')],
  ['UTF-16 of another order', Buffer.from('\ufeffkey', 'utf16le').swap16()],
  ['UTF-16 without a mark', Buffer.from('a key', 'utf16le')],
  ['a log that was cut', Buffer.concat([Buffer.alloc(4096), Buffer.from('2026-05-03 started')])],
  ['colours of a terminal', Buffer.from('\u001b[31mred\u001b[0m text of a log')],
])('%s are text', (_, bytes) => expect(kindOf(bytes)).toBe('text'));

test.each([
  ['nothing', Buffer.alloc(0)],
  ['NULs', Buffer.alloc(65_536)],
  ['a picture', Buffer.from('89504e470d0a1a0a0000000d4948445200000010000000100802', 'hex')],
  ['a program', Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 7) % 256))],
])('%s are not text', (_, bytes) => expect(kindOf(bytes)).toBeNull());
