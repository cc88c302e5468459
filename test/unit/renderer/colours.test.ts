// The colours of the window: every ink is readable on every ground it stands on, light and dark.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const tokens = readFileSync(path.resolve(import.meta.dirname, '../../../src-renderer/tokens.css'), 'utf8');

type Theme = 'light' | 'dark';

const token = (name: string, theme: Theme): string => {
  const found = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(tokens);
  const color = found?.[theme === 'light' ? 1 : 2];
  if (color === undefined) throw new Error(`There is no colour ${name}.`);
  return color;
};

/** WCAG 2.2, relative luminance. */
const luminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

const pairs = (['light', 'dark'] as const).flatMap((theme) => [
  ...['text', 'soft', 'faint', 'accent', 'warn', 'bad'].flatMap((ink) =>
    ['bg', 'rail', 'field', 'hover', 'picked'].map((ground) => ({ theme, ink, ground })),
  ),
  { theme, ink: 'on-accent', ground: 'accent' },
  { theme, ink: 'warn', ground: 'warn-soft' },
  { theme, ink: 'bad', ground: 'bad-soft' },
]);

test.each(pairs)('$ink is readable on $ground, $theme', ({ theme, ink, ground }) => {
  expect(contrast(token(ink, theme), token(ground, theme))).toBeGreaterThanOrEqual(4.5);
});
