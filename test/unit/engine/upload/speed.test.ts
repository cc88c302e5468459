import { expect, test } from 'vitest';
import { createSpeed } from '../../../../src-main/engine/upload/speed.ts';

test('the speed of the connection is unknown before the first large upload', () => {
  const speed = createSpeed();
  speed.sent(99_999, 1000, 1);
  speed.sent(1_000_000, 0, 1);
  expect(speed.bytesPerSecond()).toBeNull();
});

test('the first large upload determines it, and later ones correct it gradually', () => {
  const speed = createSpeed();
  speed.sent(1_000_000, 500, 1);
  expect(speed.bytesPerSecond()).toBe(2_000_000);
  speed.sent(1_000_000, 1000, 1);
  expect(speed.bytesPerSecond()).toBe(1_900_000);
});

test('concurrent uploads share the connection', () => {
  const speed = createSpeed();
  speed.sent(1_000_000, 1000, 4);
  expect(speed.bytesPerSecond()).toBe(4_000_000);
  const alone = createSpeed();
  alone.sent(1_000_000, 1000, 0);
  expect(alone.bytesPerSecond()).toBe(1_000_000);
});
