// What the question before a deletion names, what it deletes, and what is told afterwards: the same rows.
import type { FileId } from '../../../src-main/contract/text/file-id.ts';
import { expect, test } from 'vitest';
import type { DeleteResult } from '../../../src-main/contract/commands.ts';
import type { GivenGroup } from '../../../src-main/contract/window-commands.ts';
import { deleteFiles } from '../../../src-renderer/state/actions.ts';
import { onService, rowsOfGroup } from '../../../src-renderer/state/deletion.ts';
import { Session } from '../../../src-renderer/state/session.svelte.ts';
import { createFakeTransport } from '../../support/window/fake-transport.ts';
import { givenGroup, givenRow } from '../../support/window/screen-seeds.ts';
import { row } from '../../support/window/seed.ts';

const group: GivenGroup = {
  ...givenGroup,
  total: 2,
  linked: 2,
  rows: [givenRow(10, 'old.txt', 5), { ...givenRow(20, 'new.txt'), sharedAtMs: 9 }],
};

test('each link of a group goes by its own name, and what was shared before stays unless it is ticked', () => {
  expect(rowsOfGroup(group)).toEqual([
    { fileId: 10, name: 'old.txt', place: 'this-machine', before: { sinceMs: 5 } },
    { fileId: 20, name: 'new.txt', place: 'this-machine' },
  ]);
});

test('a row that the service no longer has is not named, and one file is named once', () => {
  const gone = row(1, 'gone.txt', { place: 'gone-from-service' });
  const rows = [gone, row(2, 'b.txt'), row(2, 'b.txt'), row(3, 'c.txt', { fileId: null })];
  expect(onService(rows).map(({ name }) => name)).toEqual(['b.txt']);
});

const ok = (fileId: FileId): DeleteResult => ({
  fileId,
  deleted: true,
  message: '',
  error: null,
  dead: true,
  goesOn: false,
});
const error = { code: 'offline', message: 'The network is away.', remedy: '' } as const;
const refused = (fileId: FileId, goesOn: boolean): DeleteResult => ({
  ...ok(fileId),
  deleted: false,
  error,
  dead: null,
  goesOn,
});

const told = async (results: DeleteResult[]): Promise<string | undefined> => {
  const transport = createFakeTransport({});
  const session = new Session({
    listen: transport.listen,
    call: async (name, input) =>
      name === 'files.delete' ? { ok: true, answer: results } : await transport.call(name, input),
  });
  await session.start();
  await deleteFiles(session, onService([row(1, 'a.txt'), row(2, 'b.txt'), row(3, 'c.txt')]));
  return session.notice?.text;
};

test.each<[string, DeleteResult[], RegExp]>([
  ['all are dead', [ok(1), ok(2), ok(3)], /^Recalled: 3 links are dead$/],
  [
    'one was refused: it is named',
    [ok(1), refused(2, false), ok(3)],
    /^The link of “b\.txt” was not recalled: /,
  ],
  [
    'those that were not asked for any more are counted',
    [ok(1), refused(2, false)],
    /^2 links were not recalled/,
  ],
  [
    'one is taken back later, and the rest stays',
    [refused(1, true)],
    /^The link of “a\.txt” is taken back as soon as .*2 links were not recalled/,
  ],
])('of three files %s', async (_, results, text) => {
  expect(await told(results)).toMatch(text);
});
