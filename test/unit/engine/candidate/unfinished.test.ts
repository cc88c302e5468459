// Which files are asked about before a file counts as finished.
import { expect, test } from 'vitest';
import { controlOf } from '../../../../src-main/engine/candidate/unfinished.ts';

test('beside a file of a share nothing above the share is asked about', async () => {
  const asked: string[] = [];
  const look = async (path: string): Promise<null> => {
    asked.push(path);
    return null;
  };
  const place = { path: '\\\\server\\share\\folder\\a.txt' };
  await controlOf({ look }, place as never, { type: 'file', stamp: null });
  expect(asked).toContain('\\\\server\\share\\folder.aria2');
  expect(asked.filter((path) => !path.startsWith('\\\\server\\share\\'))).toEqual([]);
});
