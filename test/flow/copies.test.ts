// Every link of one content: `info` shows them, `recall --all-copies` ends them in every form that was uploaded, and proves it.
import { createHash } from 'node:crypto';
import { rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Service } from '../service/service.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import type { Place } from '../support/flow/place.ts';

let service: Service;
let place: Place;
beforeEach(async () => {
  service = await ownService();
  place = await ownPlace(service, { rate: 10 });
});

const shaOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
const upload = async (...args: string[]): Promise<void> => {
  expect(await place.run(['upload', ...args])).toMatchObject({ code: 0 });
};
const lives = async (link: unknown): Promise<boolean> => (await fetch(String(link))).ok;
const recallAll = async (given: string) => {
  const { code, lines } = await place.json(['recall', '--all-copies', given]);
  return { code, links: lines.slice(0, -1), summary: lines.at(-1) };
};

test('content is found under other names, as a superseded version and in zips; info shows it, and all of it ends', async () => {
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

  const {
    lines: [shown],
  } = await place.json(['info', two]);
  const links = (shown?.['links'] ?? []) as Record<string, unknown>[];
  expect(links.map(({ path: at, inside, alive, filename }) => [at, inside, alive, filename])).toEqual([
    [two, 'both.zip', true, 'two.txt'],
    [one, null, true, 'one.txt'],
  ]);
  expect(links[1]).toMatchObject({
    file_id: expect.any(Number) as number,
    sha256: shaOf('the content'),
    public_link: expect.stringMatching(/^http/) as string,
    from: expect.stringMatching(/Z$/) as string,
    until: null,
  });
  expect((await place.run(['info', two])).stdout).toMatch(
    /Other links of the same content:\n {2}alive .*two\.txt in both\.zip/,
  );

  const ended = await recallAll(two);
  expect(ended).toMatchObject({ code: 0, summary: { event: 'copies', links: 3, dead: true, uncertain: 0 } });
  expect(ended.links).toMatchObject(Array.from({ length: 3 }, () => ({ event: 'recalled', dead: true })));
  for (const { public_link: link } of [...links, ...ended.links]) expect(await lives(link)).toBe(false);
  // The other content of that zip stays where it has a link of its own.
  expect(service.files().map(({ filename }) => filename)).toEqual(['one.txt']);
  // By its hash, and by a path where it no longer is: nothing is left to do, and no request is needed to report so.
  const before = service.requests().length;
  for (const given of [shaOf('the content').toUpperCase(), three])
    expect(await recallAll(given)).toEqual({
      code: 0,
      links: [],
      summary: { event: 'copies', links: 0, dead: true, uncertain: 0 },
    });
  expect(service.requests()).toHaveLength(before);
});

test('a link that could not be proven dead is reported, with exit code 8, until it is', async () => {
  const file = await place.put('../a.txt', 'stays public');
  await upload(file);
  const nextDelete = (answer: { status: number; body?: { success: boolean; message: string } }): void =>
    service.faults.add({ match: { method: 'DELETE' }, fault: { kind: 'answer', ...answer } });
  const undone = { code: 8, summary: { links: 1, dead: false } };
  nextDelete({ status: 409 });
  expect(await recallAll(file)).toMatchObject({ ...undone, links: [{ error: { code: 'refused' } }] });
  // It says that the file is deleted, and the link serves it all the same.
  nextDelete({ status: 200, body: { success: true, message: 'File deleted' } });
  expect(await recallAll(file)).toMatchObject({ ...undone, links: [{ event: 'recalled', dead: false }] });
  nextDelete({ status: 503 });
  expect(await recallAll(file)).toMatchObject(undone);
  expect(service.files()).toHaveLength(1);
  // One that does not find the file is followed by another one at once, because the service still shows it.
  nextDelete({ status: 404 });
  expect(await recallAll(file)).toMatchObject({ code: 0, summary: { links: 1, dead: true } });
  expect(service.files()).toEqual([]);
});

test('an upload whose answer was lost is to be taken back, too: it may be public', async () => {
  const file = await place.put('../a.txt', 'perhaps public');
  service.faults.add({ match: { path: '/files/upload' }, fault: { kind: 'reset', at: 'done' } });
  await place.run(['upload', file, '--no-wait']);
  expect(await recallAll(file)).toMatchObject({
    code: 8,
    links: [{ error: { code: 'uncertain' } }],
    summary: { links: 0, uncertain: 1 },
  });
});

test('an unknown path, or one that is no file, gets a clear error and sends no request', async () => {
  const file = await place.put('../new.txt', 'never uploaded');
  const before = service.requests().length;
  await symlink(file, path.join(place.root, 'linked'));
  for (const [given, code] of [
    [file, 5],
    ['nowhere.txt', 5],
    [shaOf('nothing'), 5],
    [place.folder, 2],
    ['', 2],
    ['linked', 2],
  ] as const)
    expect([given, (await recallAll(given)).code]).toEqual([given, code]);
  for (const unclear of [[], ['--older-than', '30d'], ['--older-than', '30d', file]])
    expect((await place.run(['recall', '--all-copies', '--yes', ...unclear])).code).toBe(2);
  expect(service.requests()).toHaveLength(before);
  // A file whose name looks like a hash is named by its path.
  const named = path.join(place.root, shaOf('never uploaded'));
  await rename(file, named);
  await upload(named);
  expect(await recallAll(`./${shaOf('never uploaded')}`)).toMatchObject({ code: 0, summary: { links: 1 } });
});
