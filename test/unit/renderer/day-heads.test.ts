import { expect, test } from 'vitest';
import { dayHeads } from '../../../src-renderer/state/list/day-heads.ts';
import { directionOf, linkParts } from '../../../src-renderer/words/name.ts';
import { row } from '../../support/window/seed.ts';

const at = (day: number, hour: number): number => new Date(2026, 10, day, hour).getTime();
const ours = (atMs: number) => row(1, 'a', { uploadedAtMs: atMs });
const theirs = (date: string) => row(2, 'b', { uploadedAtMs: null, uploadDate: date });

test('a heading precedes each new day, in either order, and unread rows have none', () => {
  const slots = [ours(at(20, 23)), ours(at(20, 0)), null, theirs('2026-11-19 01:00:00'), ours(at(18, 12))];
  const days = [20, 19, 18].map((day) => at(day, 0));
  expect(dayHeads(slots, true)).toEqual([0, 3, 4].map((index, which) => ({ at: index, dayMs: days[which] })));
  const upwards = [0, 1, 3].map((index, which) => ({ at: index, dayMs: days.toReversed()[which] }));
  expect(dayHeads(slots.toReversed(), false)).toEqual(upwards);
});

test('each day has one heading, even where dates of an unknown zone alternate around midnight', () => {
  const slots = [
    theirs('2026-11-20 00:10:00'),
    ours(at(19, 23)),
    theirs('2026-11-20 00:05:00'),
    ours(at(19, 22)),
    theirs('soon'),
  ];
  expect(dayHeads(slots, true).map(({ at: index }) => index)).toEqual([0, 1]);
});

test.each([
  ['budget 24.bin', 'ltr'],
  ['24 דוח.csv', 'rtl'],
  ['عرض.pptx', 'rtl'],
  ['合同.docx', 'ltr'],
  ['2026 — 11.pdf', 'ltr'],
  ['\u202Eabc', 'ltr'],
  ['', 'ltr'],
] as const)('the first letter of %j decides its direction: %s', (name, direction) => {
  expect(directionOf(name)).toBe(direction);
});

test.each([
  ['https://files.example.com/d/2l13', 'files.example.com/d/', '2l13'],
  ['http://localhost:80/x', 'localhost:80/', 'x'],
  ['javascript:alert(1)', '', 'javascript:alert(1)'],
  ['https://a.b/c\u202Ed', 'a.b/', 'c⟨U+202E⟩d'],
])('in the link %s the last part is emphasised', (link, host, id) => {
  expect(linkParts(link)).toEqual({ host, id });
});
