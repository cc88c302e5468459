import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readSystemText } from '../../src-main/adapters/files/mappings.ts';
import { temporaryFolder } from './files-folder.ts';

test('a text of the system is read whole, byte by byte', () => {
  const file = path.join(temporaryFolder(), 'text');
  writeFileSync(file, Buffer.from(Array.from({ length: 150_000 }, (_, at) => at % 251)));
  expect(readSystemText(file)).toBe(readFileSync(file, 'latin1'));
  writeFileSync(file, 'short');
  expect(readSystemText(file)).toBe('short');
  expect(() => readSystemText(`${file}.gone`)).toThrow('ENOENT');
});
