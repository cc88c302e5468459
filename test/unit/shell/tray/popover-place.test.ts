// Where the popover of the tray is put on which desktop.
import { expect, test } from 'vitest';
import { placeBeside } from '../../../../src-main/shell/tray/popover-place.ts';

const screen = { x: 0, y: 0, width: 1280, height: 800 };
const size = { width: 360, height: 400 };

test.each([
  [
    'a taskbar below',
    { x: 1100, y: 760, width: 24, height: 40 },
    { ...screen, height: 760 },
    { x: 912, y: 352 },
  ],
  ['a menu bar above', { x: 600, y: 0, width: 28, height: 24 }, { ...screen, y: 24, height: 776 }, { x: 434, y: 32 }],
  ['the right end of a menu bar', { x: 1250, y: 0, width: 28, height: 24 }, { ...screen, y: 24, height: 776 }, { x: 912, y: 32 }],
  ['a taskbar at the left', { x: 0, y: 740, width: 60, height: 40 }, { ...screen, x: 60, width: 1220 }, { x: 68, y: 392 }],
  ['a taskbar at the right', { x: 1220, y: 300, width: 60, height: 40 }, { ...screen, width: 1220 }, { x: 852, y: 120 }],
  ['an icon among the hidden ones, over the taskbar', { x: 1000, y: 640, width: 24, height: 24 }, { ...screen, height: 760 }, { x: 832, y: 232 }],
  ['a second screen to the left', { x: -200, y: 1040, width: 24, height: 40 }, { x: -1920, y: 0, width: 1920, height: 1040 }, { x: -368, y: 632 }],
])('%s', (_where, icon, area, place) => {
  expect(placeBeside(icon, area, size)).toEqual({ ...size, ...place });
}); // prettier-ignore

test('is never larger than the screen, nor outside it', () => {
  const area = { x: 0, y: 24, width: 340, height: 300 };
  const place = placeBeside({ x: 320, y: 0, width: 20, height: 24 }, area, size);
  expect(place).toEqual({ x: 8, y: 32, width: 324, height: 284 });
});
