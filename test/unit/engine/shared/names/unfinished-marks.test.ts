// The table of marks by which programs identify unfinished files.
import { expect, test } from 'vitest';
import { createIgnoreRules } from '../../../../../src-main/adapters/ignore.ts';
import { createNameRules } from '../../../../../src-main/engine/shared/names/name-rules.ts';
import { systemFolders } from '../../../../../src-main/engine/shared/names/system-folders.ts';
import { marks, programs } from '../../../../../src-main/engine/shared/names/unfinished-marks.ts';
import { namedFile } from '../../../../../src-main/engine/shared/sent-name.ts';

test('each mark has a program and a source, appears once, and is a valid pattern', () => {
  const patterns = programs.flatMap(({ partial = [], temporary = [] }) => [...partial, ...temporary]);
  expect(patterns).toHaveLength(new Set(patterns).size);
  expect(marks.size).toBe(patterns.length);
  for (const { name, source, controls = [], partial = [], temporary = [] } of programs) {
    expect([name, source]).not.toContain('');
    expect(partial.length + temporary.length + controls.length).toBeGreaterThan(0);
  }
  expect(() => createIgnoreRules().compile(patterns)).not.toThrow();
});

test('files that are uploaded by themselves do not have merely the extension of a control file', () => {
  for (const { controls = [], partial = [] } of programs)
    for (const { end, isSize, of, ofEmpty } of controls)
      expect(
        isSize !== undefined || of !== undefined || ofEmpty === true || partial.includes(`*${end}`),
      ).toBe(true);
});

test('each pattern matches a name that it describes, alone and in a folder', () => {
  const settings = { ignore: [], includeHidden: true, holdSecrets: false };
  const rules = createNameRules(settings, createIgnoreRules());
  const patterns = [...marks].filter(([, { shape }]) => shape === undefined).map(([pattern]) => pattern);
  for (const pattern of [...patterns, ...systemFolders.keys()]) {
    const name = pattern
      .replace(/\[0-9\]/g, '7')
      .replace(/[*?]/g, 'x')
      .replace(/\\/g, '');
    const path = name.endsWith('/') ? `${name}a.txt` : name;
    for (const one of [path, `sub/${path}`, path.toUpperCase()])
      expect([one, rules.judge(namedFile(one)).kind]).toEqual([one, 'skip']);
  }
});

test.each([
  ['disk.iso.6eF0a9B1', true],
  ['disk.iso.3f2a9c1d', true],
  ['backup.20240131', false],
  ['report.markdown', false],
  ['cafe.deadbeef', false],
  ['letter.pdf.sb-d1efad04-kjcHzD', true],
  ['main.ts___jb_tmp___', true],
])('%s is unfinished or temporary: %s', (name, isMarked) => {
  const settings = { ignore: [], includeHidden: true, holdSecrets: false };
  const { kind } = createNameRules(settings, createIgnoreRules()).judge(namedFile(name));
  expect(kind === 'skip').toBe(isMarked);
});
