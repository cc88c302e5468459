// Links that may be copied by themselves, those that need a yes first, and those that are never copied.
import { beforeEach, expect, test } from 'vitest';
import { createLinkFault } from '../../../../src-main/adapters/api/links.ts';
import { AppError } from '../../../../src-main/contract/errors.ts';
import { createCardOf } from '../../../../src-main/shell/clipboard/card-text.ts';
import { createCopyLinks } from '../../../../src-main/shell/clipboard/copy-links.ts';
import { begin, share } from '../../../support/fake-world.ts';

const links = {
  1: 'https://api.example/d/1',
  2: 'https://cdn.example.net/d/2',
  3: 'http://other.example/d/3',
  4: 'http://api.example/d/4',
  5: 'https://someone@api.example/d/5',
  6: 'https://api.example:8443/d/6',
} as const;
type Id = keyof typeof links;

let trusted: string[];
let asked: unknown[][];
let written: string[];
let isYes: boolean;
/** Taken back while the user is asked. */
let ended: Id[];
const copyLinks = createCopyLinks({
  links: (ids) =>
    ids
      .filter((id) => asked.length === 0 || !ended.includes(id as Id))
      .map((id) => ({
        name: `${id}.txt`,
        link: links[id as Id],
        sizeBytes: 1,
        sha256: null,
        uploadedAtMs: 1,
      })),
  fault: (link) => createLinkFault(new URL('https://api.example'), trusted)(link),
  async copy({ text }) {
    written.push(text);
    return { sure: true };
  },
  formOf: () => 'plain',
  textOf: (found) => ({ text: found.map(({ link }) => link).join(' ') }),
  hosts: { trusted: () => trusted, trust: async (hosts) => void (trusted = [...hosts]) },
  async ask(...about) {
    asked.push(about);
    if (!isYes) throw new AppError('aborted', 'No.');
  },
});
const pressed = (...uploadIds: Id[]) => copyLinks.pressed({ uploadIds, fileIds: [] });

beforeEach(() => {
  trusted = ['trusted.example'];
  asked = [];
  written = [];
  isYes = true;
  ended = [];
});

test.each<[Id[], unknown]>([
  [[1], 'done'],
  [[1, 2], { fault: 'new-host', address: links[2] }],
  [[4, 3], { fault: 'new-host', address: links[3] }],
  [[6], { fault: 'new-host', address: links[6] }],
  [[1, 4], { fault: 'not-encrypted', address: links[4] }],
  [[2, 5], { fault: 'unusable', address: links[5] }],
])('by themselves the links %j are %j', async (ids, copy) => {
  expect(await copyLinks.byItself(ids)).toEqual(copy);
  expect([asked, written.length]).toEqual([[], copy === 'done' ? 1 : 0]);
});

test('a press asks once for all new hosts and names them; after a no nothing is copied', async () => {
  isYes = false;
  await expect(pressed(1, 2, 3)).rejects.toMatchObject({ code: 'aborted' });
  const question = [['cdn.example.net', 'other.example'], links[2], 2];
  expect([asked, written, trusted]).toEqual([[question], [], ['trusted.example']]);
  isYes = true;
  await pressed(1, 2, 3);
  expect(written).toEqual([`${links[1]} ${links[2]} ${links[3]}`]);
  expect(trusted).toEqual(['trusted.example', 'cdn.example.net', 'other.example']);
  // A press is enough for a link that is not encrypted.
  await pressed(3, 4);
  expect([asked.length, written.length]).toEqual([2, 2]);
  expect(await copyLinks.byItself([2])).toBe('done');
});

test('a link that was taken back while the user was asked is not copied', async () => {
  ended = [1];
  expect(await pressed(1, 2)).toEqual({ count: 1, sure: true });
  expect(written).toEqual([links[2]]);
  ended = [1, 2];
  await expect(pressed(1, 2)).rejects.toMatchObject({ code: 'not-found' });
});

test('a card with a link that was taken back while the user was asked is not copied', async () => {
  const { world, run } = await begin();
  const fileId = await share(world, 'a.txt', 'content');
  const cardOf = createCardOf(
    run,
    async () => void (await run.call('files.recall', { files: [{ fileId }] })),
  );
  await expect(cardOf([fileId], 'json')).rejects.toMatchObject({ code: 'bad-use' });
});

test('a link that no program could follow is not copied by a press either', async () => {
  await expect(pressed(5)).rejects.toMatchObject({ code: 'unusable-answer' });
  await expect(copyLinks.pressed({ uploadIds: [], fileIds: [] })).rejects.toMatchObject({
    code: 'not-found',
  });
  expect([asked, written]).toEqual([[], []]);
});
