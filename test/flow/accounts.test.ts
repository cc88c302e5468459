// Two accounts at one address, and a service that gives ids again: with the real adapter, against a service of each kind.
import { Client } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import type { Service } from '../service/service.ts';
import { transportTo } from '../support/flow/agent.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import { apiKey, type Place } from '../support/flow/place.ts';

const keyOf = { a: apiKey, b: 'flow-key-of-b' };
let service: Service;
let place: Place;

const begin = async (fileIds: 'global' | 'account' | 'again') => {
  service = await ownService({
    fileIds,
    accounts: [
      { name: 'a', key: keyOf.a },
      { name: 'b', key: keyOf.b },
    ].map((account) => ({ ...account, requestsPerMinute: null, requestsPerDay: null, dailyUploads: null })),
  });
  place = await ownPlace(service, { rate: 20 });
  const file = await place.put('ours.txt', 'ours');
  expect((await place.run(['upload', file])).code).toBe(0);
  const [ours] = service.files();
  if (ours === undefined) throw new Error('Nothing was uploaded');
  return { file, id: String(ours.id), link: ours.link };
};
const use = (key: keyof typeof keyOf): void => {
  place.env['OUTTRAY_API_KEY'] = keyOf[key];
};
/** Names of what an account has. */
const filesOf = (account: string): string[] =>
  service.files().flatMap((file) => (file.account === account ? [file.filename] : []));
/** What changes something, and what shows it. */
const changes = (): string[] =>
  service.requests().flatMap(({ method, path }) => (method === 'GET' ? [] : [`${method} ${path}`]));

type Words = (ours: { file: string; id: string; link: string }) => string[];
const commands: [string, Words][] = [
  ['recall by path', ({ file }) => ['recall', '--yes', file]],
  ['recall by id', ({ id }) => ['recall', '--yes', `id:${id}`]],
  ['recall by link', ({ link }) => ['recall', '--yes', link]],
  ['recall of all copies', ({ file }) => ['recall', '--all-copies', '--yes', file]],
  ['delete', ({ id }) => ['delete', '--yes', id]],
  ['expire, with the time that follows', ({ id }) => ['expire', id, '1s']],
  ['info', ({ id }) => ['info', id]],
  ['list', () => ['list', '--all']],
  ['follow', ({ id }) => ['follow', id]],
  ['verify', () => ['verify']],
  ['upload of the same file', ({ file }) => ['upload', file]],
  ['watch', () => ['watch', '--once']],
];

describe.each(['global', 'account', 'again'] as const)(
  'ids: %s. With the key of another account',
  (fileIds) => {
    const shared = async () => {
      const ours = await begin(fileIds);
      // With a counter of its own the other account has the id of our file, too.
      for (const name of ['one.txt', 'two.txt'])
        await service.addFile({ filename: name, content: name, account: 'b' });
      use('b');
      service.clearRequests();
      return ours;
    };

    test('an agent gets the link of a file that it names, and no id: there it is that of another file', async () => {
      const { file, link } = await shared();
      await place.run(['settings', 'set', 'agentRoots', place.folder]);
      expect((await place.run(['login', '--account=another'])).code).toBe(0);
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(transportTo(place, () => undefined));
      const files = [{ path: file }];
      for (const name of ['upload_files', 'get_links']) {
        const { structuredContent } = await client.callTool({ name, arguments: { files } });
        expect(structuredContent).toMatchObject({ files: [{ file_id: null, public_link: link }] });
      }
      await client.close();
    });

    test('no command changes anything before a person has said whose it is, and none deletes there afterwards', async () => {
      const ours = await shared();
      const said: string[] = [];
      for (const [, words] of commands) {
        const ended = await place.run(words(ours));
        said.push(`${words(ours)[0] ?? ''} ${ended.code ?? ''}`);
        expect(`${ended.stdout}${ended.stderr}`).not.toMatch(/the link is dead|deleted\./);
      }
      expect(said).toMatchInlineSnapshot(`
      [
        "recall 2",
        "recall 2",
        "recall 2",
        "recall 8",
        "delete 2",
        "expire 2",
        "info 2",
        "list 2",
        "follow 2",
        "verify 2",
        "upload 3",
        "watch 3",
      ]
    `);
      expect(changes()).toEqual([]);
      expect((await place.run(['login', '--account=another'])).code).toBe(0);
      for (const [, words] of commands) await place.run(words(ours));
      expect(changes().filter((change) => !change.startsWith('POST'))).toEqual([]);
      expect(filesOf('b')).toEqual(['one.txt', 'two.txt', 'ours.txt']);
      expect(filesOf('a')).toEqual(['ours.txt']);
      use('a');
      expect((await place.run(['watch', '--once'])).code).toBe(0);
      expect([filesOf('a'), filesOf('b')]).toEqual([[], ['one.txt', 'two.txt', 'ours.txt']]);
      expect((await fetch(ours.link)).status).toBe(404);
    });
  },
);

/** What happens to our file at the service, and then to its id. */
const losses: [string, () => Promise<void>][] = [
  ['the service was set up again', () => service.reset()],
  ['it was deleted there, and its id was given again', () => service.removeFile(service.files()[0]?.id ?? 0)],
];

describe.each(losses)('%s', (_, lose) => {
  test('no command touches the file that has the id now, and its own link names it', async () => {
    const ours = await begin('again');
    await lose();
    const theirs = await service.addFile({ filename: 'theirs.txt', content: 'theirs' });
    expect(String(theirs.id)).toBe(ours.id);
    service.clearRequests();
    const said: string[] = [];
    for (const [, words] of commands.filter(([name]) => !name.startsWith('upload'))) {
      const ended = await place.run(words(ours));
      said.push(`${words(ours)[0] ?? ''} ${ended.code ?? ''}`);
      expect(`${ended.stdout}${ended.stderr}`).not.toMatch(/\d deleted/);
    }
    expect(said).toMatchInlineSnapshot(`
      [
        "recall 0",
        "recall 5",
        "recall 0",
        "recall 0",
        "delete 2",
        "expire 5",
        "info 0",
        "list 0",
        "follow 5",
        "verify 2",
        "watch 0",
      ]
    `);
    expect(changes()).toEqual([]);
    expect(filesOf('a')).toEqual(['theirs.txt']);
    expect((await place.run(['delete', '--yes', theirs.link])).code).toBe(0);
    expect(filesOf('a')).toEqual([]);
  });
});
