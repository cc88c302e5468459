// The shortcut for the clipboard: registered, replaced, released; reported where it cannot work.
import { expect, test } from 'vitest';
import { checkSetting } from '../../../../src-main/contract/settings.ts';
import { createPasteShortcut } from '../../../../src-main/shell/clipboard/paste-shortcut.ts';

const keyboard = (taken: readonly string[] = []) => {
  const held = new Map<string, () => void>();
  return {
    held,
    register(accelerator: string, act: () => void): boolean {
      if (accelerator === 'throws') throw new TypeError('conversion failure');
      if (taken.includes(accelerator) || held.has(accelerator)) return false;
      held.set(accelerator, act);
      return true;
    },
    unregister: (accelerator: string) => void held.delete(accelerator),
  };
};

test('it follows the setting: one at a time, none when it is off or the app ends', () => {
  const keys = keyboard();
  let pressed = 0;
  const shortcut = createPasteShortcut(keys, false, () => (pressed += 1));
  expect(shortcut.state()).toBe('off');
  shortcut.follow('Ctrl+Shift+U');
  shortcut.follow('Ctrl+Shift+U');
  keys.held.get('Ctrl+Shift+U')?.();
  expect([pressed, shortcut.state(), [...keys.held.keys()]]).toEqual([1, 'set', ['Ctrl+Shift+U']]);
  shortcut.follow('Alt+P');
  expect([...keys.held.keys()]).toEqual(['Alt+P']);
  shortcut.follow(null);
  expect([shortcut.state(), keys.held.size]).toEqual(['off', 0]);
  shortcut.follow('Alt+P');
  shortcut.stop();
  expect(keys.held.size).toBe(0);
});

test('a shortcut that another program has, or that is not a key, is reported; it is tried again with the next change', () => {
  const taken = ['Alt+P'];
  const keys = keyboard(taken);
  const shortcut = createPasteShortcut(keys, false, () => undefined);
  shortcut.follow('Alt+P');
  expect(shortcut.state()).toBe('taken');
  taken.pop();
  shortcut.follow('Alt+P');
  expect(shortcut.state()).toBe('set');
  shortcut.follow('throws');
  expect([shortcut.state(), keys.held.size]).toEqual(['taken', 0]);
});

test('on Wayland nothing is registered, and that is reported', () => {
  const keys = keyboard();
  const shortcut = createPasteShortcut(keys, true, () => undefined);
  shortcut.follow('Alt+P');
  expect([shortcut.state(), keys.held.size]).toEqual(['wayland', 0]);
  shortcut.follow(null);
  expect(shortcut.state()).toBe('wayland');
});

test.each([
  ['CommandOrControl+Shift+U', true],
  ['Alt+F5', true],
  ['Super+PrintScreen', true],
  ['F9', true],
  ['PrintScreen', true],
  ['U', false],
  ['Shift+U', false],
  ['Ctrl+', false],
  ['Ctrl+Shift', false],
  ['Ctrl+U+V', false],
  ['', false],
])('the setting accepts %s: %s', (accelerator, isGood) => {
  expect(checkSetting('pasteShortcut', accelerator).ok).toBe(isGood);
});
