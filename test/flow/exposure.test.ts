// `exposure`: every link that a content ever had here, in every form that was uploaded; `--recall` ends them, and proves it.
import { createHash } from 'node:crypto';
import { rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Service } from '../service/service.ts';
import { createPlace, openService, type Place } from '../support/flow/place.ts';
import { app, exif, jpegOf } from '../support/photos/photos.ts';

let service: Service;
let place: Place;
beforeEach(async () => {
  service = await openService();
  place = await createPlace(service, { rate: 10 });
});
afterEach(async () => {
  await place.remove();
  await service.close();
});

const shaOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
const upload = async (...args: string[]): Promise<void> => {
  expect(await place.run(['upload', ...args])).toMatchObject({ code: 0 });
};
const lives = async (link: unknown): Promise<boolean> => (await fetch(String(link))).ok;
const linksOf = async (given: string) => {
  const { code, lines } = await place.json(['exposure', given]);
  expect(code).toBe(0);
  return { links: lines.slice(0, -1), summary: lines.at(-1) };
};

test('content is found under other names, as a superseded version, in zips and recalled, without a request', async () => {
  const one = await place.put('one.txt', 'the content');
  expect((await place.run(['watch', place.folder, '--once', '--existing', 'upload'])).code).toBe(0);
  // The same file gets another content: its first link serves the old one.
  await writeFile(one, 'another content');
  expect((await place.run(['watch', '--once'])).code).toBe(0);
  const two = await place.put('../two.txt', 'the content');
  await upload('--again', two);
  await upload('--zip', '--name', 'both.zip', two, one);
  const three = await place.put('../three.txt', 'the content');
  await upload('--again', three);
  expect((await place.run(['recall', three])).code).toBe(0);
  await rm(three);
  const before = service.requests().length;

  const { links, summary } = await linksOf(two);
  expect(links.map(({ path: at, inside, alive, filename }) => [at, inside, alive, filename])).toEqual([
    [three, null, false, 'three.txt'],
    [two, 'both.zip', true, 'two.txt'],
    [two, null, true, 'two.txt'],
    [one, null, true, 'one.txt'],
  ]);
  expect(links[0]).toMatchObject({
    file_id: expect.any(Number) as number,
    path: three,
    filename: 'three.txt',
    sha256: shaOf('the content'),
    public_link: expect.stringMatching(/^http/) as string,
    inside: null,
    from: expect.stringMatching(/Z$/) as string,
    until: expect.stringMatching(/Z$/) as string,
    downloads: 0,
    alive: false,
  });
  expect(summary).toEqual({
    event: 'exposure',
    sha256: shaOf('the content'),
    links: 4,
    alive: 3,
    uncertain: 0,
    asOf: null,
  });
  // By its hash, and by a path where it no longer is.
  expect((await linksOf(shaOf('the content').toUpperCase())).links).toEqual(links);
  expect((await linksOf(three)).links).toEqual(links);
  expect(service.requests()).toHaveLength(before);

  const text = await place.run(['exposure', two]);
  expect(text.stdout.split('\n')).toHaveLength(5);
  expect(text.stderr).toContain('4 links, 3 not known to be dead, as known to this machine');

  const ended = await place.json(['exposure', two, '--recall', '--yes']);
  expect(ended.code).toBe(0);
  expect(ended.lines.filter(({ event }) => event === 'recalled')).toMatchObject(
    Array.from({ length: 3 }, () => ({ dead: true })),
  );
  expect(ended.lines.at(-1)).toMatchObject({ links: 4, alive: 0 });
  for (const { public_link: link } of links) expect(await lives(link)).toBe(false);
  // The other content of that zip stays where it has a link of its own.
  expect(service.files().map(({ filename }) => filename)).toEqual(['one.txt']);
});

test('a photo is found by its uploaded copy without location, alone and in a zip', async () => {
  const photo = jpegOf([app.exif(exif()), app.profile()]);
  const file = await place.put('../photo.jpg', photo);
  await place.run(['settings', 'set', 'photoLocation', 'remove']);
  await upload(file);
  await upload('--zip', '--name', 'photos.zip', file);
  const { links, summary } = await linksOf(file);
  expect(links.map(({ inside }) => inside)).toEqual(['photos.zip', null]);
  expect(summary).toMatchObject({ sha256: shaOf(photo) });
  const [sent] = new Set(links.map(({ sha256 }) => String(sha256)));
  expect(sent).not.toBe(shaOf(photo));
  expect((await linksOf(shaOf(photo))).links).toEqual(links);
  // Someone who has only the copy finds it, too.
  const copy = Buffer.from(await (await fetch(String(links[1]?.['public_link']))).arrayBuffer());
  expect(shaOf(copy)).toBe(sent);
  expect((await linksOf(String(sent))).links).toEqual(links);
  // When it is only in a zip it is found by reading the photo itself.
  const other = await createPlace(service, { rate: 10 });
  try {
    await other.run(['settings', 'set', 'photoLocation', 'remove']);
    expect((await other.run(['upload', '--zip', '--name', 'photos.zip', file])).code).toBe(0);
    const found = await other.json(['exposure', file]);
    expect(found.lines).toMatchObject([{ inside: 'photos.zip' }, { links: 1 }]);
  } finally {
    await other.remove();
  }
});

test('a link that could not be proven dead is reported, with exit code 8', async () => {
  const file = await place.put('../a.txt', 'stays public');
  await upload(file);
  service.faults.add({ match: { method: 'DELETE' }, fault: { kind: 'answer', status: 404 } });
  const ended = await place.json(['exposure', file, '--recall']);
  expect(ended.code).toBe(8);
  expect(ended.lines).toMatchObject([{ alive: true }, { event: 'recalled', dead: false }, { alive: 1 }]);
  expect((await linksOf(file)).links).toMatchObject([{ alive: null, until: null }]);
  service.faults.add({ match: { method: 'DELETE' }, fault: { kind: 'answer', status: 503 } });
  expect((await place.json(['exposure', file, '--recall'])).code).toBe(8);
  const again = await place.json(['exposure', file, '--recall']);
  expect(again.lines.at(-1)).toMatchObject({ alive: 0 });
  expect(again.code).toBe(0);
  // Nothing is left to do, and no request is needed to report so.
  const before = service.requests().length;
  expect((await place.json(['exposure', file, '--recall'])).code).toBe(0);
  expect(service.requests()).toHaveLength(before);
});

test('a link that the list no longer shows counts as dead since that list, and is checked when it is recalled', async () => {
  const file = await place.put('../a.txt', 'deleted elsewhere');
  await upload(file);
  const [stored] = service.files();
  await fetch(`${service.baseUrl}/files/${stored?.id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${service.key}` },
  });
  expect((await linksOf(file)).links).toMatchObject([{ alive: true }]);
  const ended = await place.json(['exposure', file, '--recall']);
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.lines[1]).toMatchObject({ event: 'recalled', dead: true });
});

test('an upload whose answer was lost is reported, because it may be public', async () => {
  const file = await place.put('../a.txt', 'perhaps public');
  service.faults.add({ match: { path: '/files/upload' }, fault: { kind: 'reset', at: 'done' } });
  await place.run(['upload', file, '--no-wait']);
  const { code, lines } = await place.json(['exposure', file]);
  expect({ code, lines }).toMatchObject({ code: 0, lines: [{ links: 0, uncertain: 1 }] });
  expect((await place.json(['exposure', file, '--recall'])).code).toBe(8);
});

test('an unknown path, or one that is no file, gets a clear error and sends no request', async () => {
  const file = await place.put('../new.txt', 'never uploaded');
  expect(await place.json(['exposure', file])).toMatchObject({
    code: 5,
    lines: [{ error: { code: 'not-found' } }],
  });
  for (const [given, code] of [
    ['nowhere.txt', 5],
    [shaOf('nothing'), 5],
    [place.folder, 2],
    ['', 2],
  ] as const)
    expect([given, (await place.json(['exposure', given])).code]).toEqual([given, code]);
  expect((await place.run(['exposure'])).code).toBe(2);
  await symlink(file, path.join(place.root, 'linked'));
  expect((await place.json(['exposure', 'linked'])).code).toBe(2);
  // A file whose name looks like a hash is named by its path.
  const named = path.join(place.root, shaOf('never uploaded'));
  await rename(file, named);
  await upload(named);
  expect((await linksOf(`./${shaOf('never uploaded')}`)).links).toHaveLength(1);
});
