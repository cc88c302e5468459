import { describe, expect, test } from 'vitest';
import { createKnown, rowsOf } from '../../../../src-main/engine/discover/roll.ts';

describe('a roll', () => {
  test('tells each name with its key, what is no regular file, and what is to be judged again', () => {
    const roll = 'a\nb/1:2:3:4:5/link/-/new//\0fe/6:7:8:9:10/';
    expect([...rowsOf(roll)]).toEqual([
      ['a\nb', '1:2:3:4:5'],
      ['link', null],
      ['new', ''],
      ['\0fe', '6:7:8:9:10'],
    ]);
  });

  test('of nothing tells nothing', () => {
    expect(rowsOf('').size).toBe(0);
  });
});

describe('what is known of a folder', () => {
  test('is met part by part, and nothing is left over', () => {
    const known = createKnown('a/1:2:3:7:5/b/1:2:3:7:6/c/1:2:3:7:8/');
    expect(known.isNext('a/1:2:3:7:5/b/1:2:3:7:6/')).toBe(true);
    expect(known.isNext('')).toBe(true);
    expect(known.isNext('c/1:2:3:7:8/')).toBe(true);
    expect(known.isNext('d/1:2:3:7:9/')).toBe(false);
    expect(known.rows().size).toBe(0);
  });

  test('is asked for file by file from the first part on that is another', () => {
    const known = createKnown('a/1:2:3:7:5/b/1:2:3:7:6/c/1:2:3:7:8/');
    expect(known.isNext('a/1:2:3:7:5/')).toBe(true);
    expect(known.isNext('c/1:2:3:7:8/')).toBe(false);
    expect(known.has('c', '1:2:3:7:8')).toBe(true);
    expect(known.isNext('b/1:2:3:7:6/')).toBe(false);
    expect([...known.rows()]).toEqual([['b', '1:2:3:7:6']]);
  });

  test('is left over where it was not met as it was, whatever the number of the device', () => {
    const known = createKnown('same/1:2:3:7:5/changed/1:2:3:7:6/gone/1:2:3:7:8/');
    expect(known.has('same', '1:2:3:8:5')).toBe(true);
    expect(known.has('changed', '2:2:3:7:6')).toBe(false);
    expect(known.has('came', '1:2:3:7:9')).toBe(false);
    expect([...known.rows().keys()]).toEqual(['changed', 'gone']);
  });
});
