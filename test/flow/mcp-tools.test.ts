// What `outtray mcp` offers: the list of its tools, the ways to name a file, and links that a client may show.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Service } from '../service/service.ts';
import { transportTo } from '../support/flow/agent.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import type { Place } from '../support/flow/place.ts';
import { eventually } from '../support/flow/poll.ts';
import { storedAs, uploads } from '../support/flow/wire.ts';

let service: Service;
let place: Place;
let client: Client;
beforeEach(async () => {
  service = await ownService();
  place = await ownPlace(service, { rate: 10 });
  await place.run(['settings', 'set', 'agentRoots', place.folder]);
  client = new Client({ name: 'test', version: '1' });
  await client.connect(transportTo(place, () => undefined));
});
afterEach(async () => {
  await client.close();
});

type Answer = { files?: { file_id: number; public_link: string; state?: string; reason?: string }[] };
const call = async (name: string, given: Record<string, unknown>): Promise<Answer> =>
  (await client.callTool({ name, arguments: given })).structuredContent as Answer;

test('the list of tools has at most 14,000 characters, and each takes files in one way', async () => {
  const { tools } = await client.listTools();
  expect(JSON.stringify(tools).length).toBeLessThanOrEqual(14_000);
  const taking = tools.filter(({ inputSchema }) => 'files' in (inputSchema.properties ?? {}));
  expect(taking.map(({ name }) => name)).toEqual([
    ...['upload_files', 'bundle_files', 'get_links', 'make_card', 'recall_links'],
  ]);
});

test('a file is named by its path, its id as number or text, or its link; a refusal is a sentence', async () => {
  const file = await place.put('a.txt', 'one');
  const { files } = await call('upload_files', { files: [{ path: file }], wait_seconds: 300 });
  const [{ file_id: id, public_link: link } = { file_id: 0, public_link: '' }] = files ?? [];
  for (const one of [{ path: file }, { file_id: id }, { file_id: String(id) }, { link }])
    for (const name of ['upload_files', 'get_links', 'make_card'])
      expect((await call(name, { files: [one] })).files?.[0]).toMatchObject({ public_link: link });
  const refusals: [object, string][] = [
    [{ paths: [file] }, '“files” is missing.'],
    [{ files: [{ path: 1 }] }, '“files.0.path” must be a text.'],
    [{ files: { path: file } }, '“files” must be a list.'],
    [{ files: [file] }, '“files.0” must be an object such as {"path": "/a/b.txt"}.'],
    [{ files: [{ path: file, name: 'x' }] }, '“files.0.name” is not known here.'],
    [{ files: [{}] }, 'Name each file by one of path, link and file_id.'],
  ];
  for (const [given, message] of refusals) {
    const answer = await client.callTool({ name: 'get_links', arguments: { ...given } });
    expect(JSON.stringify(answer.structuredContent)).toContain(JSON.stringify(message).slice(1, -1));
  }
});

test('a link of another host is text with the host; the text of an answer is one line', async () => {
  const own = await client.callTool({
    name: 'upload_files',
    arguments: { files: [{ path: await place.put('a', 'a') }], wait_seconds: 300 },
  });
  expect(own.content).toMatchObject([{ type: 'text' }, { type: 'resource_link' }]);
  service.change({ linkHost: 'https://elsewhere.example' });
  const other = await client.callTool({
    name: 'upload_files',
    arguments: { files: [{ path: await place.put('b', 'b') }], wait_seconds: 300 },
  });
  const content = other.content as { type: string; text: string }[];
  expect(content.map(({ type }) => type)).not.toContain('resource_link');
  for (const { text } of content) expect(text).not.toContain('\n');
});

test('a text becomes a link that the agent can find and take back; nothing of it stays', async () => {
  const given = { name: 'notes.md', content: '# Grüße', wait_seconds: 300 };
  const { files } = await call('share_text', given);
  const [file] = files ?? [];
  expect(file).toMatchObject({ state: 'uploaded', filename: 'notes.md', path: null });
  expect(storedAs(service, '# Grüße')).toHaveLength(1);
  expect((await call('share_text', given)).files?.[0]).toMatchObject({ public_link: file?.public_link });
  expect(storedAs(service, '# Grüße')).toHaveLength(1);
  const found = await call('find_links', { query: 'notes' });
  expect(found.files).toMatchObject([{ public_link: file?.public_link }]);
  await call('recall_links', { files: [{ link: file?.public_link }] });
  expect(storedAs(service, '# Grüße')).toHaveLength(0);
  await eventually('the spool is empty', () => readdirSync(path.join(place.home, 'spool')).length === 0);
});

test.each<[what: string, given: Record<string, unknown>, settings: string[], says: RegExp]>([
  ['token', { content: `token = ghp_${'aB3dE6gH'.repeat(4)}aB3d` }, [], /"held"/],
  ['name of a key', { name: 'id_rsa' }, [], /"held"/],
  ['name with a folder', { name: '../a.txt' }, [], /cannot contain a folder/],
  ['name that is too long', { name: 'ü'.repeat(200) }, [], /more than 255 bytes/],
  ['ignored name', { name: 'a.log' }, ['ignore', '*.log'], /"outside"|ignore/],
  ['text of over 1 MiB', { content: 'ü'.repeat(600_000) }, [], /larger than 1 MiB/],
  ['empty text', { content: '' }, [], /content/],
  ['half a character', { content: 'a\uD800' }, [], /not valid Unicode|invalid|content/i],
  ['forbidden type', { name: 'a.exe' }, ['forbiddenTypes', 'exe'], /not-allowed|forbidden|exe/],
  ['text where only folders are shared', {}, ['allowedRoots', '/srv'], /is in no folder/],
  ['text of agents without a share', {}, ['agentShare', '0'], /budget|agent/],
])('a %s does not become public', async (_, given, [name, value], says) => {
  if (name !== undefined && value !== undefined) await place.run(['settings', 'set', name, value]);
  const answer = await client.callTool({
    name: 'share_text',
    arguments: { name: 'a.txt', content: 'a text', wait_seconds: 300, ...given },
  });
  expect(JSON.stringify(answer)).toMatch(says);
  expect(JSON.stringify(answer)).not.toContain('spool');
  expect(service.files()).toEqual([]);
});

test('an agent gets no other file of the spool, whatever its folders are', async () => {
  await place.run(['settings', 'set', 'agentRoots', place.root]);
  const kept = path.join(place.home, 'spool', '1-0123456789abcdef', 'clipboard.txt');
  mkdirSync(path.dirname(kept), { recursive: true });
  writeFileSync(kept, 'what a person pasted');
  const answer = await call('upload_files', { files: [{ path: kept }], wait_seconds: 5 });
  expect(JSON.stringify(answer)).toContain('not-started');
  expect(service.files()).toEqual([]);
});

const why = async (file: string): Promise<string> => (await place.run(['why', file])).stdout;
/** A call whose client gives it up while its file waits: a program has it open for writing. */
const givenUp = async (file: string): Promise<FileHandle> => {
  const handle = await open(file, 'a');
  const stop = new AbortController();
  const asked = { name: 'upload_files', arguments: { files: [{ path: file }] } };
  const calling = client.callTool(asked, { signal: stop.signal });
  await eventually('it is queued', async () => (await why(file)).includes('Waiting'));
  stop.abort();
  await expect(calling).rejects.toThrow();
  await eventually('it is cancelled', async () => (await why(file)).includes('cancelled'));
  return handle;
};

test('a call that the client cancels leaves nothing queued, and the same call then uploads', async () => {
  const file = await place.put('cancelled.txt', 'not now');
  const handle = await givenUp(file);
  expect(uploads(service)).toEqual([]);
  await handle.close();
  const { files } = await call('upload_files', { files: [{ path: file }], wait_seconds: 300 });
  expect(files?.[0]?.state).toBe('uploaded');
});

test.each<[string, (file: string) => Promise<unknown>]>([
  ['the agent asked again', (file) => call('upload_files', { files: [{ path: file }], wait_seconds: 0 })],
  [
    'the person gave it',
    async (file) => {
      const giving = place.start(['upload', file]);
      await eventually('it waits', async () => (await why(file)).includes('Waiting'));
      await giving.stop('SIGINT');
    },
  ],
])('what a person cancels stays private, although a call was given up before and then %s', async (_, act) => {
  const file = await place.put('private.txt', 'a person says no');
  const handle = await givenUp(file);
  await act(file);
  expect((await place.run(['cancel', file])).stdout).toContain('1 file cancelled');
  await handle.close();
  const files = [{ path: file }];
  const { files: answers } = await call('upload_files', { files, wait_seconds: 300 });
  expect(answers).toMatchObject([{ state: 'skipped', reason: 'cancelled' }]);
  await call('bundle_files', { files });
  expect(uploads(service)).toEqual([]);
});

test.each([
  ['share_text', { name: 'n.txt', content: 'the words of an agent' }],
  ['bundle_files', { name: 'n.zip' }],
])(
  'what %s made stays private if a person cancels it, and not if its client gave it up',
  async (name, given) => {
    const input =
      name === 'share_text' ? given : { ...given, files: [{ path: await place.put('a.txt', 'in a zip') }] };
    // It settles for a long time, and the call waits.
    await place.run(['settings', 'set', 'settleMs', '600000']);
    const stop = new AbortController();
    const calling = client.callTool({ name, arguments: { ...input } }, { signal: stop.signal });
    await eventually('it is queued', async () => (await why('q1')).includes('Waiting'));
    stop.abort();
    await expect(calling).rejects.toThrow();
    await eventually('it is cancelled', async () => (await why('q1')).includes('cancelled'));
    await call(name, { ...input, wait_seconds: 0 });
    expect((await place.run(['cancel', 'q2'])).stdout).toContain('1 file cancelled');
    await place.run(['settings', 'unset', 'settleMs']);
    await call(name, { ...input, wait_seconds: 300 });
    expect(await why('q3')).toContain('cancelled');
    expect(uploads(service)).toEqual([]);
  },
);
