// Very unusual file names, from the folder and from the command line: they reach the service unchanged, and they do
// no harm on the way.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { jsonLines, type Ended, type Line } from '../support/flow/command.ts';
import { actsOnTerminals, hostileNames } from '../support/flow/hostile-names.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import { sum, type Place } from '../support/flow/place.ts';
import { storedAs, uploads } from '../support/flow/wire.ts';

const names = Object.entries(hostileNames);
/** Names that arguments can carry: text. The rest is found by watching. */
const typable = names.filter((entry): entry is [string, string] => typeof entry[1] === 'string');

const contentOf = (how: 'watched' | 'given', what: string): string => `${how}: ${what}`;

let watch: Ended;
let upload: Ended;

const write = async (place: Place, how: 'watched' | 'given', [what, name]: [string, string | Buffer]) => {
  const file = Buffer.concat([Buffer.from(`${place.folder}/`), Buffer.from(name)]);
  await writeFile(file, contentOf(how, what));
};

const service = await ownService();
const watched = await ownPlace(service, { settings: { includeHidden: true } });
const given = await ownPlace(service);
beforeAll(async () => {
  for (const each of names) await write(watched, 'watched', each);
  for (const each of typable) await write(given, 'given', each);
  [watch, upload] = await Promise.all([
    watched.run(['watch', watched.folder, '--once', '--existing', 'upload']),
    given.run(['upload', '--', ...typable.map(([, name]) => name)], { cwd: given.folder }),
  ]);
});

test('every file is uploaded, from the watched folder and by path, with one link each', async () => {
  expect({ code: watch.code, stderr: watch.code === 0 ? '' : watch.stderr }).toEqual({ code: 0, stderr: '' });
  expect({ code: upload.code, stderr: upload.stderr }).toEqual({ code: 0, stderr: '' });
  expect(new Set(watch.stdout.trimEnd().split('\n')).size).toBe(names.length);
  expect(upload.stdout.trimEnd().split('\n')).toEqual(
    typable.map(([what]) => storedAs(service, contentOf('given', what))[0]?.link),
  );
  const counts = await watched.counts();
  expect({ uploaded: counts.uploaded, sum: sum(counts) }).toEqual({
    uploaded: names.length,
    sum: names.length,
  });
});

describe.each([
  ['watched', names],
  ['given', typable],
] as const)('a %s file', (how, list) => {
  test.each(list.map(([what]) => what))('named with %s is whole, in one part with one head', (what) => {
    const stored = storedAs(service, contentOf(how, what));
    expect(stored).toHaveLength(1);
    const request = uploads(service).find((each) => each.fileId === stored[0]?.id);
    expect(request?.parts).toHaveLength(1);
    const [part] = request?.parts ?? [];
    expect(part?.headers.map(([name]) => name).toSorted()).toEqual(['content-disposition', 'content-type']);
    expect(part?.name).toBe('file');
    // The name has nothing that a server could unescape in its own way.
    expect(part?.headers.find(([name]) => name === 'content-disposition')?.[1]).toMatch(
      /^form-data; name="file"; filename="([^"\\\r\n%]|%(?![\da-f]{2}))+"$/i,
    );
    const sent = stored[0]?.sentName ?? '';
    expect(sent).toBe(sent.normalize('NFC'));
    expect(sent).not.toMatch(/[\p{Cc}/\\:*?"<>|\p{Bidi_Control}\u200b\u2060\ufeff]/u);
    expect(sent).not.toMatch(/^[ .]|[ .]$|^$/);
    expect(Buffer.byteLength(sent)).toBeLessThanOrEqual(200);
  });
});

test('extensions, letters and emoji are kept', () => {
  const sentName = (what: string) => storedAs(service, contentOf('watched', what))[0]?.sentName;
  expect(sentName('a double quote')).toBe('say _hello_.txt');
  expect(sentName('255 bytes')).toMatch(/^x+\.txt$/);
  expect(sentName('255 bytes of letters of three')).toMatch(/^語+\.txt$/);
  expect(sentName('decomposed letters (NFD)')).toBe('caf\u00e9.txt');
  expect(sentName('an emoji')).toMatch(/^party 🎉.*\.png$/u);
  expect(sentName('only dots')).toBe('_');
  expect(sentName('a byte that is not UTF-8')).toBe('latin_.txt');
});

test('nothing that a terminal would obey is printed, in text or in JSON', async () => {
  await write(watched, 'watched', ['a held one', 'new\u001b[31m\u202egnp.pem']);
  const odd = path.join(watched.folder, 'new\u001b[31m\u202egnp.pem');
  const [once, missing] = await Promise.all([
    watched.run(['--json', 'watch', '--once']),
    given.run(['upload', 'no\u001b[2Jsuch\u202efile\r\n.txt']),
  ]);
  const runs = [watch, upload, once, missing];
  for (const args of [
    ['held'],
    ['list', '--limit', '100'],
    ['why', odd],
    ['--json', 'held'],
    ['--json', 'list', '--limit', '100'],
  ]) {
    runs.push(await watched.run(args));
  }
  for (const { stdout, stderr } of runs) {
    expect(actsOnTerminals.exec(stdout)?.[0]).toBeUndefined();
    expect(actsOnTerminals.exec(stderr)?.[0]).toBeUndefined();
  }
  expect(once.code).toBe(8);
  expect(missing.code).toBe(8);
  // When the printed path is read back, it is the path on the disk.
  const held = jsonLines(runs.at(-2) as Ended).map((line: Line) => line.path);
  expect(held).toEqual([odd]);
});

test('"Bearer" is an ordinary word in a name, a path and a link, wherever they are put out', async () => {
  const linking = await ownService();
  const place = await ownPlace(linking);
  linking.change({ linkHost: new URL('/d/Bearer%20bond.pdf', linking.baseUrl).href });
  const file = await place.put('standard-bearer plan/Bearer bond.pdf', 'a bond');
  const uploaded = await place.run(['upload', file]);
  const link = storedAs(linking, 'a bond')[0]?.link ?? '';
  expect(link).toContain('/Bearer%20bond.pdf/');
  expect(uploaded.stdout).toBe(`${link}\n`);
  const listed = { filename: 'Bearer bond.pdf', public_link: link };
  expect((await place.json(['list'])).lines).toMatchObject([{ files: [listed] }]);
  expect((await place.json(['export'])).lines).toMatchObject([{ ...listed, path: file }]);
  for (const part of [listed.filename, file, link])
    expect((await place.run(['export', '--format', 'csv'])).stdout).toContain(part);
  expect((await place.run(['card', file, '--format', 'sha256sums'])).stdout).toMatch(
    /^[0-9a-f]{64} [ *]Bearer bond\.pdf\n$/,
  );
  expect((await place.run(['card', file, '--format', 'markdown'])).stdout).toContain(link);
  expect((await place.run(['list'])).stdout).toContain('Bearer bond.pdf');
  expect((await place.run(['why', file])).stdout).toContain(link);
  const missing = await place.run(['upload', path.join(place.folder, 'Bearer note.pdf')]);
  expect(missing.stderr).toContain('Bearer note.pdf');
});
