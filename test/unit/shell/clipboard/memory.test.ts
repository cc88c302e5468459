// What the app remembers of the text that it copied last, and whether the clipboard still has it.
import { beforeEach, expect, test, vi } from 'vitest';
import { withMemory } from '../../../../src-main/shell/clipboard/clipboard.ts';

vi.mock('electron', () => ({ clipboard: {}, ClipboardItem: {} }));

let content: string;
let reads: number;
let losses: number;
const memory = (platform: string) =>
  withMemory(
    async ({ text }) => {
      content = text;
      return { sure: true };
    },
    {
      async readText() {
        reads += 1;
        return content;
      },
      clear: () => (content = ''),
    },
    platform,
    () => (losses += 1),
  );
beforeEach(() => {
  content = 'of another program';
  reads = 0;
  losses = 0;
});

test('nothing on the clipboard is ours before the first copy', async () => {
  const { holds, isOurs } = memory('linux');
  expect([await holds(0, 'clear'), isOurs(''), content]).toEqual([false, false, 'of another program']);
});

test('the text of a copy counts as ours until another one replaces it, from us or from another program', async () => {
  const { holds, isOurs, last, write } = memory('linux');
  await write({ text: 'one' }, true);
  const { copy, text } = last();
  expect([text, isOurs('one'), await holds(copy, 'look')]).toEqual(['one', true, true]);
  content = 'two';
  expect(await holds(copy, 'look')).toBe(false);
  expect([await holds(copy, 'clear'), content]).toEqual([false, 'two']);
  await write({ text: 'one' }, true);
  expect([await holds(copy, 'clear'), content]).toEqual([false, 'one']);
  expect([await holds(last().copy, 'clear'), content]).toEqual([true, '']);
});

test('macOS reads the text only when it is to be cleared', async () => {
  const { holds, last, write } = memory('darwin');
  await write({ text: 'one' }, true);
  expect([await holds(last().copy, 'look'), reads]).toEqual([true, 0]);
  content = 'two';
  expect([await holds(last().copy, 'clear'), content, reads]).toEqual([false, 'two', 1]);
});

test('a text that is found to be gone, or is cleared, is reported', async () => {
  const { holds, last, write } = memory('linux');
  await holds(0, 'look');
  await write({ text: 'one' }, true);
  await holds(last().copy, 'look');
  expect(losses).toBe(0);
  content = 'two';
  await holds(last().copy, 'look');
  expect(losses).toBe(1);
  await write({ text: 'three' }, true);
  await holds(last().copy, 'clear');
  expect(losses).toBe(2);
});
