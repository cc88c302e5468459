import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readChanges } from '../../../src-renderer/words/changes.ts';

test('changes are read by version and by section, points with continued lines as one', () => {
  const text =
    '# What changed\n\nAbout this.\n\n## 0.2.0\n\n- One\n  goes on.\n\n### Fixed\n- Two.\n\n## 0.1.0\r\n\r\nThe\r\nfirst.\r\n';
  expect(readChanges(text)).toEqual([
    {
      version: '0.2.0',
      parts: [
        { title: null, texts: [], points: ['One goes on.'] },
        { title: 'Fixed', texts: [], points: ['Two.'] },
      ],
    },
    { version: '0.1.0', parts: [{ title: null, texts: ['The first.'], points: [] }] },
  ]);
});

test('markup in them stays text', () => {
  expect(readChanges('## 1\n- <b onclick="x()">y</b>')[0]?.parts[0]?.points).toEqual([
    '<b onclick="x()">y</b>',
  ]);
});

test('the bundled changes begin with a version and are not empty', () => {
  const file = path.join(import.meta.dirname, '../../../resources/CHANGELOG.md');
  const [first] = readChanges(readFileSync(file, 'utf8'));
  expect(first?.version).toMatch(/^\d+\.\d+\.\d+/);
  expect(first?.parts.flatMap(({ points }) => points)).not.toEqual([]);
});
