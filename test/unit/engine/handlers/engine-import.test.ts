// `files.import`: files of the account that another machine has exported.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ImportedFile } from '../../../../src-main/contract/report.ts';
import { begin, dayMs, hourMs, type Running, type World } from '../../../support/fake-world.ts';

type Stored = ReturnType<World['service']['addForeign']>;

const lineOf = (file: Stored, more: Partial<ImportedFile> = {}): ImportedFile => ({
  line: 1,
  fileId: file.fileId,
  publicLink: file.link,
  filename: file.name,
  sizeBytes: file.bytes.length,
  sha256: file.sha256,
  uploadedAtMs: file.atMs,
  expiresAtMs: null,
  size: null,
  uploadDate: null,
  ...more,
});
const bring = (run: Running, files: ImportedFile[], takeExpiry = false) =>
  run.call('files.import', { files, takeExpiry });
const found = async (run: Running, search: string) =>
  (await run.call('files.page', { search })).rows.map(({ name, place, size, sizeIsBytes, publicLink }) => ({
    ...{ name, place, size, sizeIsBytes, publicLink },
  }));
const uploads = ({ service }: World): number => service.count('upload');

test('imported files are found by name with their size in bytes, and an import again changes nothing and asks nothing', async () => {
  const { world, run } = await begin();
  const file = world.service.addForeign('report.pdf', 'the report');
  expect(await found(run, 'report')).toEqual([]);
  expect(await bring(run, [lineOf(file)])).toEqual({ files: 1, new: 1, ends: 0 });
  const known = [
    { name: 'report.pdf', place: 'elsewhere', size: 10, sizeIsBytes: true, publicLink: file.link },
  ];
  expect(await found(run, 'report')).toEqual(known);
  const before = world.service.requests.length;
  const seen = world.ledger.remote.byId(file.fileId);
  await world.clock.advance(hourMs);
  expect(await bring(run, [lineOf(file)])).toEqual({ files: 1, new: 0, ends: 0 });
  expect(world.ledger.remote.byId(file.fileId)).toEqual(seen);
  expect(await found(run, 'report')).toEqual(known);
  expect(world.service.requests.length).toBe(before);
});

test('a file of this machine with imported content gets the imported link once the link has served that content', async () => {
  const { world, run } = await begin();
  const file = world.service.addForeign('theirs.txt', 'the same content');
  await bring(run, [lineOf(file)]);
  expect(await world.put('ours.txt', 'the same content', 'uploaded')).toMatchObject({
    publicLink: file.link,
  });
  expect(uploads(world)).toBe(0);
  expect(run.entries().flatMap(({ body }) => (body.kind === 'uploaded' ? [body.wasThere] : []))).toEqual([
    true,
  ]);
});

test('what a file of another account served under an id says nothing of the file that has this id here', async () => {
  const { world, run } = await begin();
  const { service, keys } = world;
  service.account = () => (keys.stored?.startsWith('b') === true ? 'b' : 'a');
  service.ids = 'account';
  const wrong = service.addForeign('theirs.txt', 'something else');
  const text = 'the same bytes';
  const sha256 = createHash('sha256').update(text).digest('hex');
  await bring(run, [lineOf(wrong, { sha256 })]);
  await world.put('a.txt', text, 'uploaded');
  expect(uploads(world)).toBe(1);
  keys.stored = 'b-1';
  run.engine.nudge();
  await world.clock.advance(1000);
  await run.call('account.decide', { is: 'another' });
  const right = service.addForeign('theirs.txt', text);
  expect(right.fileId).toBe(wrong.fileId);
  await bring(run, [lineOf(right)]);
  expect(await world.put('b.txt', text, 'uploaded')).toMatchObject({ publicLink: right.link });
});

test('an export that names the wrong content under a link gives nobody that link', async () => {
  const { world, run } = await begin();
  const theirs = world.service.addForeign('theirs.txt', 'another text');
  const meant = world.service.addForeign('meant.txt', 'my own text!');
  await bring(run, [lineOf(theirs, { sha256: meant.sha256, sizeBytes: meant.bytes.length })]);
  const { publicLink } = await world.put('ours.txt', 'my own text!', 'uploaded');
  expect(publicLink).not.toBe(theirs.link);
  expect(uploads(world)).toBe(1);
});

test('a person who wants another link gets one', async () => {
  const { world, run } = await begin();
  world.disk.write('/else/ours.txt', 'the same content');
  await bring(run, [lineOf(world.service.addForeign('theirs.txt', 'the same content'))]);
  await run.call('files.upload', { paths: ['/else/ours.txt'], again: true });
  await world.until('ours.txt', 'uploaded');
  expect(uploads(world)).toBe(1);
});

test('files of another account are refused after three requests, and nothing changes', async () => {
  const { world, run } = await begin();
  const { service, keys } = world;
  service.account = () => (keys.stored?.startsWith('b') === true ? 'b' : 'a');
  keys.stored = 'b-1';
  const theirs = Array.from({ length: 9 }, (_, at) => service.addForeign(`${at}.txt`, `text ${at}`));
  keys.stored = 'key-1234';
  const lines = theirs.map((file, at) => lineOf(file, { line: at + 1 }));
  await expect(bring(run, lines)).rejects.toMatchObject({
    code: 'bad-use',
    message: expect.stringContaining('of another account') as string,
  });
  expect(service.count('info')).toBe(3);
  expect(await found(run, 'txt')).toEqual([]);
});

test('one of three files that are asked for shows the account, and the others may have been deleted', async () => {
  const { world, run } = await begin();
  const files = ['a', 'b', 'c'].map((name) => world.service.addForeign(`${name}.txt`, name));
  for (const file of files.slice(1)) file.deleted = true;
  expect(
    await bring(
      run,
      files.map((file) => lineOf(file)),
    ),
  ).toMatchObject({ new: 3 });
});

test.each<[string, (file: Stored, other: Stored) => ImportedFile[], RegExp]>([
  [
    'an id that stands in it twice',
    (file, other) => [lineOf(file), lineOf(other, { line: 2, fileId: file.fileId })],
    /^Line 2: the id \d+ stands in the file twice\. Nothing was imported\./,
  ],
  [
    'the id of a file that has another link here',
    (file, other) => [lineOf(other), lineOf(file, { line: 2, publicLink: `${file.link}x` })],
    /^Line 2: the file \d+ has another link here/,
  ],
])('%s refuses all of it, by its line and without a request', async (_, files, message) => {
  const { world, run } = await begin();
  const [file, other] = [world.service.addForeign('a.txt', 'a'), world.service.addForeign('b.txt', 'b')];
  await run.call('files.list', {});
  const before = await run.call('files.page', {});
  const asked = world.service.requests.length;
  await expect(bring(run, files(file, other))).rejects.toMatchObject({
    code: 'bad-use',
    message: expect.stringMatching(message) as string,
  });
  expect(await run.call('files.page', {})).toEqual(before);
  expect(world.service.requests.length).toBe(asked);
});

test.each([
  ['without --take-expiry', false, false],
  ['with it', true, true],
])('an end stays with the machine that made the link, %s', async (_, takeExpiry, isEnded) => {
  const { world, run } = await begin();
  const file = world.service.addForeign('report.pdf', 'the report');
  const expiresAtMs = world.clock.wallMs() + dayMs;
  expect(await bring(run, [lineOf(file, { expiresAtMs })], takeExpiry)).toMatchObject({ new: 1, ends: 1 });
  expect(await bring(run, [lineOf(file, { expiresAtMs })], takeExpiry)).toMatchObject({ new: 0 });
  expect(await found(run, 'report')).toMatchObject([{ size: 10, publicLink: file.link }]);
  await world.clock.advance(dayMs - hourMs);
  expect(file.deleted).toBe(false);
  await world.clock.advance(2 * hourMs);
  expect(file.deleted).toBe(isEnded);
  expect(run.entries().filter(({ body }) => body.kind === 'uploaded')).toEqual([]);
});

test('the program hears without a path that such a link has ended: a name alone would be that of another file', async () => {
  const { world, run } = await begin({ settings: { afterUpload: 'hear it' } });
  const file = world.service.addForeign('report.pdf', 'the report');
  await bring(run, [lineOf(file, { expiresAtMs: world.clock.wallMs() + hourMs })], true);
  await world.clock.advance(2 * hourMs);
  expect(world.programs.runs.map(({ event }) => [event['event'], event['filename'], event['path']])).toEqual([
    ['expired', 'report.pdf', null],
  ]);
});

test('a link whose end was taken over is offered for no file: no row here has its content', async () => {
  const { world, run } = await begin();
  const file = world.service.addForeign('theirs.txt', 'the same content');
  await bring(run, [lineOf(file, { expiresAtMs: world.clock.wallMs() + dayMs })], true);
  expect((await world.put('ours.txt', 'the same content', 'uploaded')).publicLink).not.toBe(file.link);
});

test('a long export is taken in parts, so that other processes can write meanwhile', async () => {
  const { world, run } = await begin();
  const file = world.service.addForeign('0.txt', 'text');
  const lines = Array.from({ length: 2500 }, (_, at) =>
    lineOf(file, {
      ...{ line: at + 1, filename: `${at}.txt` },
      ...(at === 0 ? {} : { fileId: 1_000_000 + at, publicLink: `${file.link}${at}` }),
    }),
  );
  const known = async (): Promise<number> => (await run.call('files.page', {})).total;
  const importing = bring(run, lines);
  await world.clock.advance(0);
  expect(await known()).toBe(1000);
  await world.clock.advance(1000);
  expect(await importing).toEqual({ files: 2500, new: 2500, ends: 0 });
  expect(await known()).toBe(2500);
});

test('a file that is known to be gone stays gone', async () => {
  const { world, run } = await begin();
  const [file, other] = [world.service.addForeign('a.txt', 'a'), world.service.addForeign('b.txt', 'b')];
  await run.call('files.list', {});
  await run.call('files.delete', { fileIds: [file.fileId] });
  await bring(run, [lineOf(other), lineOf(file, { line: 2 })]);
  expect((await found(run, 'txt')).map(({ name }) => name)).toEqual(['b.txt']);
});
