// The roll of a folder as the disk has it, against the same from the ledger: two adapters that write one text.
import { renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { createFiles } from '../../src-main/adapters/files/files.ts';
import { toSystemPath } from '../../src-main/adapters/files/paths.ts';
import { createKnown } from '../../src-main/engine/discover/roll.ts';
import { temporaryFolder } from './files-folder.ts';
import { add, memoryLedger, watched } from './ledger-fixtures.ts';

const files = createFiles();

/** What the ledger would know after a scan of this folder. */
const scanned = async (folder: string) => {
  const ledger = memoryLedger();
  const folderId = watched(ledger);
  const listing = await files.list(folder);
  for (const { name, stamp } of listing.ok ? listing.found : []) {
    add(ledger, { folderId, dir: folder, name, stamp, state: { kind: 'uploaded' } });
  }
  return () => createKnown(ledger.uploads.rollOf(folderId, folder, false));
};

const write = (folder: string, names: readonly string[]): void => {
  for (const name of names) writeFileSync(toSystemPath(`${folder}/${name}`), name);
};

test('a folder that has not changed has the roll that the ledger has, whatever its names are in', async () => {
  const folder = temporaryFolder();
  // In another order by UTF-16 than by bytes: a private character, and one beyond the first 65,536.
  write(folder, [
    'b',
    'a b',
    'B',
    '10',
    '9',
    'caf\u00e9',
    'cafe\u0301',
    '\ue000',
    '\u{1f4e5}',
    'line\nbreak',
    '-',
    ':',
  ]);
  const known = (await scanned(folder))();
  const has = vi.fn(() => false);
  expect(await files.list(folder, { isNext: known.isNext, has })).toMatchObject({ ok: true, found: [] });
  expect(has).not.toHaveBeenCalled();
  expect(known.rows().size).toBe(0);
});

test.runIf(process.platform === 'linux')('names that are not UTF-8 are known, too', async () => {
  const folder = temporaryFolder();
  write(folder, ['caf\0e9', 'caf\0e8', 'caf', 'd', '\0ff']);
  const known = await scanned(folder);
  expect(await files.list(folder, known())).toMatchObject({ ok: true, found: [] });
});

test('files of a folder with more names than are put in order are known one by one', async () => {
  const folder = temporaryFolder();
  write(
    folder,
    Array.from({ length: 4_200 }, (_, at) => String(at)),
  );
  const known = await scanned(folder);
  expect(await files.list(folder, known())).toMatchObject({ ok: true, found: [] });
});

test('one file that changed, one that came and one that left are told, and no other', async () => {
  const folder = temporaryFolder();
  write(folder, ['changed', 'left', 'same']);
  symlinkSync('same', `${folder}/link`);
  const known = (await scanned(folder))();
  write(folder, ['changed', 'came']);
  writeFileSync(`${folder}/changed`, 'longer than before');
  rmSync(`${folder}/left`);
  const listing = await files.list(folder, known);
  expect(listing.ok && listing.found.map(({ name }) => name).sort()).toEqual(['came', 'changed', 'link']);
  expect([...known.rows().keys()].sort()).toEqual(['changed', 'left', 'link']);
});

/** What the files of a folder come to. */
const printOf = async (folder: string): Promise<string> => {
  const listing = await files.list(folder, 'print');
  if (!listing.ok || listing.print === undefined) throw new Error('There is no print.');
  return listing.print;
};

test('a print is of every regular file, its name and its stamp, and of nothing else', async () => {
  const folder = temporaryFolder();
  write(folder, ['a', 'b']);
  const before = await printOf(folder);
  symlinkSync('a', `${folder}/link`);
  const listing = await files.list(folder, 'print');
  expect(listing.ok && listing.found.map(({ name }) => name)).toEqual(['link']);
  expect(await printOf(folder)).toBe(before);
  const seen = new Set([before]);
  const changes = [
    () => {
      write(folder, ['c']);
    },
    () => {
      renameSync(`${folder}/c`, `${folder}/d`);
    },
    () => {
      writeFileSync(`${folder}/d`, 'longer than before');
    },
    () => {
      utimesSync(`${folder}/d`, 1, 1);
    },
  ];
  for (const [at, change] of changes.entries()) {
    change();
    expect(seen.add(await printOf(folder)).size).toBe(at + 2);
  }
  rmSync(`${folder}/d`);
  expect(await printOf(folder)).toBe(before);
});

test('a print is the same whether the roll is told as well', async () => {
  const folder = temporaryFolder();
  write(folder, ['a', 'caf\u00e9', 'b']);
  const known = await scanned(folder);
  expect(await files.list(folder, known())).toEqual({ ok: true, found: [], print: await printOf(folder) });
});

test('of more names than are put in order there is no print', async () => {
  const folder = temporaryFolder();
  write(
    folder,
    Array.from({ length: 4_097 }, (_, at) => String(at)),
  );
  expect(await files.list(folder, 'print')).toEqual({ ok: true, found: [] });
});
