// `export`: everything that the ledger knows about files, as a table that executes nothing and as JSON.
import { readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Service } from '../service/service.ts';
import { readCsv } from '../support/csv.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import type { Place } from '../support/flow/place.ts';

let service: Service;
let place: Place;
beforeEach(async () => {
  service = await ownService();
  place = await ownPlace(service);
});

const upload = async (...args: string[]): Promise<void> => {
  expect(await place.run(['upload', ...args])).toMatchObject({ code: 0 });
};
const header =
  'file_id,queueId,filename,path,public_link,sizeBytes,sha256,uploadedAt,expiresAt,downloads,recalledAt,state,reason,inside,size,upload_date';

/** Rows as objects, without the header. */
const rowsOf = (text: string): Record<string, string>[] => {
  const [names = [], ...rows] = readCsv(text);
  return rows.map((cells) =>
    Object.fromEntries(cells.map((cell, at): [string, string] => [names[at] ?? '', cell])),
  );
};

test('both formats contain uploads, files in zips, files from elsewhere, recalled links, and files without a link', async () => {
  const one = await place.put('../one.txt', 'one');
  const two = await place.put('../two.txt', 'two');
  await upload(one, '--expire', '7d');
  await upload(two);
  await upload('--zip', '--name', 'both.zip', one, two);
  expect((await place.run(['recall', two])).code).toBe(0);
  const key = await place.put('../id_rsa', 'looks like a key');
  expect((await place.run(['upload', key])).code).toBe(8);
  await service.addFile({ filename: 'elsewhere.bin', content: 'theirs' });
  expect((await place.run(['list', '--all'])).code).toBe(0);
  const before = service.requests().length;

  const csv = await place.run(['export', '--format', 'csv']);
  expect(csv).toMatchObject({ code: 0, stderr: '' });
  expect(csv.stdout.startsWith(`\ufeff"${header.replaceAll(',', '","')}"\r\n`)).toBe(true);
  const rows = rowsOf(csv.stdout);
  expect(rows.map(({ filename, state, reason, inside }) => [filename, state, reason, inside])).toEqual([
    ['one.txt', 'uploaded', '', ''],
    ['two.txt', 'recalled', '', ''],
    ['both.zip', 'uploaded', '', ''],
    ['id_rsa', 'held', 'secret-name', ''],
    ['one.txt', 'uploaded', '', 'both.zip'],
    ['two.txt', 'uploaded', '', 'both.zip'],
    ['elsewhere.bin', 'elsewhere', '', ''],
  ]);
  expect(rows[0]).toMatchObject({
    path: one,
    sizeBytes: '3',
    expiresAt: expect.stringMatching(/Z$/) as string,
    recalledAt: '',
  });
  expect(rows[1]?.['recalledAt']).toMatch(/Z$/);
  expect(rows[6]).toMatchObject({
    path: '',
    sizeBytes: '',
    size: '6',
    upload_date: expect.stringMatching(/^\d/) as string,
  });
  const json = await place.json(['export']);
  expect(json.lines.map((line) => Object.keys(line).join(','))).toEqual(rows.map(() => header));
  const asText = (value: unknown): string =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  expect(
    json.lines.map((line) => Object.fromEntries(Object.entries(line).map(([name, v]) => [name, asText(v)]))),
  ).toEqual(rows);
  expect((await place.run(['export', '--format', 'json'])).stdout).toContain('"filename":"one.txt"');
  expect(service.requests()).toHaveLength(before);
  // It contains neither the key nor held files.
  expect(csv.stdout).not.toContain(service.key);
  expect(csv.stdout).not.toContain('looks like a key');
});

test('names that a spreadsheet would execute or split are text in the table and exact in JSON', async () => {
  if (process.platform === 'win32') return;
  const names = [
    '=1+2.txt',
    '@SUM(1).txt',
    '-2+3.txt',
    ' =1.txt',
    '"=1.txt',
    '\uff1d1.txt',
    '\t=1.txt',
    'a\n=1.txt',
    'a;=1.txt',
    'quote".txt',
    'rtl\u202egpj.txt',
    'a,b.txt',
  ];
  for (const name of names) await place.put(`../x/${name}`, name);
  await upload('--recursive', 'x');
  const rows = rowsOf((await place.run(['export'])).stdout);
  const byContent = new Map(rows.map((row) => [row['sha256'], row['filename']]));
  expect(rows).toHaveLength(names.length);
  expect([...byContent.values()].toSorted()).toEqual(
    [
      "'=1+2.txt",
      "'@SUM(1).txt",
      "'-2+3.txt",
      "' =1.txt",
      '\'"=1.txt',
      "'\uff1d1.txt",
      "'\t'=1.txt",
      "a\n'=1.txt",
      "a;'=1.txt",
      'quote".txt',
      'rtl\u202egpj.txt',
      'a,b.txt',
    ].toSorted(),
  );
  const { lines } = await place.json(['export']);
  expect(lines.map((line) => line['filename']).toSorted()).toEqual(names.toSorted());
});

test('a file is written whole, readable by its owner only, and never overwrites another one unasked', async () => {
  await upload(await place.put('../one.txt', 'one'));
  const file = path.join(place.root, 'links.csv');
  const written = await place.run(['export', '--output', 'links.csv']);
  expect(written).toMatchObject({ code: 0, stdout: '' });
  expect(written.stderr).toContain(`1 files written to ${file}.`);
  const first = await readFile(file, 'utf8');
  expect(rowsOf(first)).toHaveLength(1);
  if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
  await upload(await place.put('../two.txt', 'two'));
  const again = await place.json(['export', '--output', 'links.csv']);
  expect(again).toMatchObject({ code: 2, lines: [{ error: { code: 'bad-use' } }] });
  expect(await readFile(file, 'utf8')).toBe(first);
  expect(await place.json(['export', '--output', 'links.csv', '--force', '--format', 'csv'])).toEqual({
    code: 0,
    lines: [{ output: file, files: 2 }],
  });
  expect(rowsOf(await readFile(file, 'utf8'))).toHaveLength(2);
});

test('wrong use, and places where the file would become public, are refused', async () => {
  await place.put('a.txt', 'a');
  await place.run(['watch', place.folder, '--once']);
  await symlink(place.folder, path.join(place.root, 'tray'));
  await writeFile(path.join(place.root, 'plain'), '');
  for (const [args, code] of [
    [['--format', 'xlsx'], 2],
    [['--output', 'folder/links.csv'], 2],
    [['--output', 'tray/links.csv'], 2],
    [['--output', 'nowhere/links.csv'], 2],
    [['--output', 'plain/links.csv'], 2],
    [['--output', '.', '--force'], 2],
    [['--format', 'csv', '--json'], 2],
  ] as const)
    expect([args, (await place.run(['export', ...args])).code]).toEqual([args, code]);
});

test('doctor --bundle writes what the window shows, without the key, into a new file that only the user can read', async () => {
  await upload(await place.put('../one.txt', 'one'));
  const file = path.join(place.root, 'bundle.txt');
  const before = service.requests().length;
  const ended = await place.run(['doctor', '--bundle', file]);
  expect(ended).toMatchObject({ code: 0, stdout: '' });
  expect(ended.stderr).toContain(`Written to ${file}.`);
  expect(service.requests()).toHaveLength(before);
  const text = await readFile(file, 'utf8');
  const titles = ['Outtray', 'System', 'Key', 'Status', 'Settings', 'Warnings', 'What happened last', 'Log'];
  expect(text.match(/^== .*/gm)).toEqual(titles.map((title) => `== ${title}`));
  expect(text).toContain('"kind":"uploaded"');
  expect(text).toMatch(/^burstFiles = 100000 \(user\)$/m);
  expect(text).not.toContain('Electron');
  expect(text).not.toContain(service.key);
  expect((await stat(file)).mode & 0o077).toBe(0);

  const again = await place.run(['doctor', '--bundle', file]);
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('is there already') as unknown });
  const shared = await place.run(['doctor', '--bundle', path.join(place.folder, 'b.txt')]);
  expect(shared.code).toBe(0);
  expect((await place.run(['settings', 'set', 'folder', place.folder])).code).toBe(0);
  const refused = await place.run(['doctor', '--bundle', path.join(place.folder, 'c.txt')]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('become public') as unknown });
});
