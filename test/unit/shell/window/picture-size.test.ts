import { expect, test } from 'vitest';
import { pixelsOf } from '../../../../src-main/shell/window/picture-size.ts';

const png = Buffer.alloc(24);
png.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
png.writeUInt32BE(4_000, 16);
png.writeUInt32BE(3_000, 20);

const segment = (marker: number, content: number[]): number[] => [
  0xff,
  marker,
  0,
  content.length + 2,
  ...content,
];
const size = [8, 0x0b, 0xb8, 0x0f, 0xa0];
const jpeg = (frame: number): Buffer =>
  Buffer.from([
    0xff,
    0xd8,
    ...segment(0xe0, [1, 2, 3]),
    ...segment(0xc4, [9, 9]),
    ...segment(frame, [...size, 3]),
  ]);

test('a PNG and a JPEG, plain or progressive, have their size in their first bytes', () => {
  expect(pixelsOf(png)).toBe(12_000_000);
  expect(pixelsOf(jpeg(0xc0))).toBe(12_000_000);
  expect(pixelsOf(jpeg(0xc2))).toBe(12_000_000);
});

test('any other picture, or a cut-off or damaged one, has none', () => {
  const damaged = Buffer.from([0xff, 0xd8, 0, 0xe0, 0, 16, 0, 0, 0, 0, 0, 0]);
  const endless = Buffer.from([0xff, 0xd8, ...segment(0xe0, []), 0xff, 0xe1, 0xff, 0xff, 0, 0, 0, 0, 0, 0]);
  for (const head of [
    Buffer.alloc(0),
    Buffer.from('GIF89a, and more'),
    png.subarray(0, 20),
    damaged,
    endless,
    Buffer.from([0xff, 0xd8]),
  ])
    expect(pixelsOf(head)).toBeNull();
});
