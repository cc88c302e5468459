// What `outtray mcp` offers: the list of its tools, the ways to name a file, and links that a client may show.
import { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Service } from '../service/service.ts';
import { transportTo } from '../support/flow/agent.ts';
import { createPlace, openService, type Place } from '../support/flow/place.ts';

let service: Service;
let place: Place;
let client: Client;
beforeEach(async () => {
  service = await openService();
  place = await createPlace(service, { rate: 10 });
  await place.run(['settings', 'set', 'agentRoots', place.folder]);
  client = new Client({ name: 'test', version: '1' });
  await client.connect(transportTo(place, () => undefined));
});
afterEach(async () => {
  await client.close();
  await place.remove();
  await service.close();
});

type Answer = { files?: { file_id: number; public_link: string }[] };
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
