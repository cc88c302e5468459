// The copy of a ledger before its update, on a disk that has no room for it.
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Database } from '../../src-main/adapters/ledger/database.ts';
import { keepCopy } from '../../src-main/adapters/ledger/kept-copy.ts';
import { temporaryFolder } from './ledger-fixtures.ts';

test('a copy that found no room leaves nothing beside the ledger: it would keep the disk full', () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'ledger.sqlite');
  writeFileSync(file, 'as it was');
  const reader = {
    run(_sql: string, draft: string) {
      writeFileSync(draft, 'half of it');
      writeFileSync(`${draft}-journal`, '');
      throw new Error('full');
    },
  };
  expect(() => keepCopy(reader as unknown as Database, file, 22)).toThrow('full');
  expect(readdirSync(folder)).toEqual(['ledger.sqlite']);
});
