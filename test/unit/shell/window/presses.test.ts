import { expect, test } from 'vitest';
import { createPresses } from '../../../../src-main/shell/window/presses.ts';

const load = {};

test.each(['mouseUp', 'rawKeyDown', 'keyDown', 'gestureTap'])('%s is one press', (type) => {
  const presses = createPresses(() => 0);
  presses.note(load, { type });
  expect([presses.take(load), presses.take(load)]).toEqual([true, false]);
});

test.each(['mouseMove', 'mouseWheel', 'mouseDown', 'keyUp', 'char', 'touchEnd', 'contextMenu'])(
  '%s is no press',
  (type) => {
    const presses = createPresses(() => 0);
    presses.note(load, { type });
    expect(presses.take(load)).toBe(false);
  },
);

test('a key that is held down is one press', () => {
  const presses = createPresses(() => 0);
  presses.note(load, { type: 'rawKeyDown', modifiers: ['control'] });
  expect(presses.take(load)).toBe(true);
  presses.note(load, { type: 'rawKeyDown', modifiers: ['control', 'isautorepeat'] });
  expect(presses.take(load)).toBe(false);
});

test('a press counts for five seconds, and presses do not accumulate', () => {
  const now = { ms: 0 };
  const presses = createPresses(() => now.ms);
  presses.note(load, { type: 'mouseUp' });
  now.ms = 5_001;
  expect(presses.take(load)).toBe(false);
  presses.note(load, { type: 'mouseUp' });
  presses.note(load, { type: 'mouseUp' });
  now.ms = 10_001;
  expect([presses.take(load), presses.take(load)]).toEqual([true, false]);
});

test('a press in one load of a page does not count in another', () => {
  const presses = createPresses(() => 0);
  presses.note(load, { type: 'mouseUp' });
  expect(presses.take({})).toBe(false);
});
