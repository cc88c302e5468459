// Fields of lines: their values, and the line of a wrong ignore pattern.
import { expect, test, vi } from 'vitest';
import { linesOf, wrongPattern } from '../../../src-renderer/words/lines.ts';
import { speak } from '../../../src-renderer/words/say.svelte.ts';

test('the reported line number is that of the field, empty lines and comments included', async () => {
  vi.stubGlobal('document', { documentElement: {} });
  await speak('en', ['en-US']);
  vi.unstubAllGlobals();
  expect(wrongPattern('*.tmp\n\n# drafts\ndrafts/')).toBe('');
  expect(wrongPattern('*.tmp\n\n# drafts\n[drafts\n!')).toBe('line 4 has a [ that is never closed');
  expect(wrongPattern('!   ')).toBe('line 1 names nothing');
  expect(wrongPattern('a\nx\\')).toBe('line 2 ends in a lone backslash');
  expect(wrongPattern(`a\n${'b'.repeat(500)}\n${'c'.repeat(501)}`)).toBe(
    'line 3 has more than 500 characters',
  );
  expect(linesOf('*.tmp  \n\n drafts/')).toEqual(['*.tmp', ' drafts/']);
});
