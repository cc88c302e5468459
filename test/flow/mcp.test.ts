// `outtray mcp` as agents use it, by the client of the official SDK.
import { spawn } from 'node:child_process';
import { mkdir, open, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pathToFileURL } from 'node:url';
import type { Service } from '../service/service.ts';
import { isDeep } from '../support/deep.ts';
import { problemsOf } from '../support/flow/json-schema.ts';
import { transportTo } from '../support/flow/agent.ts';
import { commandWords } from '../support/flow/command.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import { apiKey, type Place } from '../support/flow/place.ts';
import { eventually } from '../support/flow/poll.ts';
import { startWatcher } from '../support/flow/watcher.ts';
import { storedAs, uploads } from '../support/flow/wire.ts';

const secret = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEowIBAAKCAQEAx'.repeat(20)}\n-----END RSA PRIVATE KEY-----\n`;

type File = { path: string; state: string; public_link: string | null; reason: string | null; id: number };
type Answer = {
  files?: File[];
  zip?: File;
  links?: { linkState?: string; public_link: string | null }[];
  held?: File[];
  failed?: { index: number; error: { code: string; remedy: string } }[];
  agentShare?: { day: { used: number; limit: number } };
  error?: { code: string; message: string; remedy: string; retryAfterSeconds?: number };
};

let service: Service;
let place: Place;
const undo: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  service = await ownService();
});
afterEach(async () => {
  for (const act of undo.splice(0).toReversed()) await act();
});

/** The protocol of 2025, and the one of 2026, whose clients send no `initialize` and get no request. */
const eras = ['2025', '2026'] as const;
type Era = (typeof eras)[number];

const agentOf = async (roots: string[] | null = null, era: Era = '2025') => {
  const client = new Client(
    { name: 'test', version: '1' },
    {
      ...(era === '2026' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {}),
      ...(roots === null ? {} : { capabilities: { roots: { listChanged: true } } }),
    },
  );
  if (roots !== null)
    client.setRequestHandler('roots/list', () => ({
      roots: roots.map((folder) => ({ uri: pathToFileURL(folder).href })),
    }));
  let said = '';
  const transport = transportTo(place, (text) => (said += text));
  await client.connect(transport);
  // The SDK's client drops a progress report that arrives in one piece with the answer: what counts is what the server sends.
  const wire: { method?: string; params?: { progress?: number } }[] = [];
  const hear = transport.onmessage;
  transport.onmessage = (message) => {
    wire.push(message as (typeof wire)[number]);
    hear?.(message);
  };
  undo.push(() => client.close());
  const call = async (name: string, given: Record<string, unknown> = {}): Promise<Answer> => {
    const answer = await client.callTool({ name, arguments: given });
    said += JSON.stringify(answer);
    expect(problemsOf(answer.structuredContent as Answer)).toBeNull();
    return answer.structuredContent as Answer;
  };
  return { client, call, transport, wire, said: () => said };
};

const withAgent = async (
  settings: Record<string, unknown> = {},
  roots: string[] | null = null,
  era: Era = '2025',
  rate = 10,
) => {
  place = await ownPlace(service, { settings, rate });
  await place.run(['settings', 'set', 'agentRoots', place.folder]);
  return await agentOf(roots, era);
};

test.each(eras)(
  'an agent of %s uploads, finds, bundles and recalls; the same call twice uploads nothing twice',
  async (era) => {
    const { client, call, wire, said } = await withAgent({}, null, era, 2);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'upload_files',
      'bundle_files',
      'share_text',
      'find_links',
      'get_links',
      'get_status',
      'make_card',
      'recall_links',
    ]);
    const file = await place.put('report.txt', 'what the agent shares');
    const first = await client.callTool(
      { name: 'upload_files', arguments: { files: [{ path: file }] } },
      {
        onprogress: () => undefined,
      },
    );
    const [uploaded] = (first.structuredContent as Answer).files ?? [];
    expect(uploaded).toMatchObject({ state: 'uploaded', path: file });
    expect(await (await fetch(uploaded?.public_link ?? '')).text()).toBe('what the agent shares');
    // The end of the upload, and then the answer.
    expect(wire.at(-2)).toMatchObject({ method: 'notifications/progress', params: { progress: 1 } });
    const again = await call('upload_files', { files: [{ path: file }, { path: file }] });
    expect(again.files?.map(({ public_link }) => public_link)).toEqual([
      uploaded?.public_link,
      uploaded?.public_link,
    ]);
    const twin = await place.put('copy.txt', 'what the agent shares');
    expect((await call('upload_files', { files: [{ path: twin }] })).files?.[0]).toMatchObject({
      state: 'uploaded',
      reason: 'already-shared',
      public_link: uploaded?.public_link,
    });
    expect(uploads(service)).toHaveLength(1);
    expect((await call('get_status')).agentShare?.day.used).toBe(1);

    expect((await call('find_links', { query: 'report' })).files).toMatchObject([
      { filename: 'report.txt', public_link: uploaded?.public_link, path: file },
    ]);
    expect((await call('get_links', { files: [{ path: file }] })).files).toHaveLength(1);
    const zip = await call('bundle_files', { files: [{ path: place.folder }], name: 'all' });
    expect(zip).toMatchObject({ zip: { state: 'uploaded', filename: 'all.zip', path: null }, files: 2 });
    expect(JSON.stringify(zip)).not.toContain('spool');
    const taken = await call('recall_links', { files: [{ path: file }] });
    expect(taken.links).toMatchObject([{ linkState: 'dead', public_link: uploaded?.public_link }]);
    expect((await fetch(uploaded?.public_link ?? '')).ok).toBe(false);
    // Only a person can upload it again.
    const reasked = await call('upload_files', { files: [{ path: file }] });
    expect(reasked.files?.[0]).toMatchObject({ public_link: null });
    expect(storedAs(service, 'what the agent shares')).toHaveLength(0);
    expect(said()).not.toContain(apiKey);
  },
);

test('a file that lies outside, or is reached through a symbolic link, is refused, and nothing about it is revealed', async () => {
  const { call } = await withAgent();
  const outside = path.join(place.root, 'outside');
  await mkdir(outside);
  await writeFile(path.join(outside, 'private.txt'), 'not for agents');
  await symlink(outside, path.join(place.folder, 'way'));
  await symlink(path.join(outside, 'private.txt'), path.join(place.folder, 'link.txt'));
  const paths = [
    path.join(outside, 'private.txt'),
    path.join(outside, 'nothing.txt'),
    `${place.folder}/../outside/private.txt`,
    path.join(place.folder, 'way', 'private.txt'),
    path.join(place.folder, 'link.txt'),
    `${place.folder}x/private.txt`,
    path.join(place.home, 'settings.json'),
  ];
  const { files } = await call('upload_files', { files: paths.map((path) => ({ path })) });
  expect(files?.map(({ state, reason }) => [state, reason])).toEqual(
    paths.map(() => ['not-started', 'outside']),
  );
  for (const one of paths)
    expect((await call('bundle_files', { files: [{ path: one }] })).error?.code).toBe('outside');
  // Uploaded by a person, and still outside the agent's reach.
  expect((await place.run(['upload', path.join(outside, 'private.txt')])).code).toBe(0);
  const [stored] = storedAs(service, 'not for agents');
  expect((await call('find_links', { query: '' })).files).toEqual([]);
  expect((await call('get_links', { files: [{ file_id: stored?.id }] })).failed).toMatchObject([
    { error: { code: 'not-found' } },
  ]);
  for (const named of [{ file_id: stored?.id }, { link: stored?.link }])
    expect((await call('recall_links', { files: [named] })).failed).toMatchObject([
      { index: 0, error: { code: 'not-found' } },
    ]);
  expect((await fetch(stored?.link ?? '')).ok).toBe(true);
});

test('a copy of a shared file from outside reveals no path of it, and cannot recall its link', async () => {
  const { client, call } = await withAgent();
  const outside = path.join(place.root, 'private');
  await mkdir(outside);
  await writeFile(path.join(outside, 'original.txt'), 'in both places');
  expect((await place.run(['upload', path.join(outside, 'original.txt')])).code).toBe(0);
  const copy = await place.put('copy.txt', 'in both places');
  const { files } = await call('upload_files', { files: [{ path: copy }] });
  const link = files?.[0]?.public_link ?? '';
  expect(files?.[0]).toMatchObject({ reason: 'already-shared' });
  const told = await client.callTool({ name: 'get_links', arguments: { files: [{ path: copy }] } });
  expect(told.structuredContent).toMatchObject({ files: [{ public_link: link, path: copy }] });
  expect(JSON.stringify(told)).not.toContain(outside);
  expect((await call('recall_links', { files: [{ path: copy }] })).failed?.[0]?.error).toMatchObject({
    code: 'outside',
    remedy: expect.stringContaining('A person can take its link back') as string,
  });
  expect((await fetch(link)).ok).toBe(true);
  const card = await client.callTool({ name: 'make_card', arguments: { files: [{ path: copy }] } });
  expect(card.structuredContent).toMatchObject({ files: [], failed: [{ error: { code: 'outside' } }] });
  expect(JSON.stringify(card)).not.toContain('original.txt');
});

test('a call after which nothing is uploaded is an error, with a remedy that a tool can follow', async () => {
  const { client } = await withAgent();
  await mkdir(path.join(place.folder, 'whole'));
  const answer = await client.callTool({
    name: 'upload_files',
    arguments: { files: [{ path: path.join(place.folder, 'whole') }] },
  });
  expect(answer.isError).toBe(true);
  const [refused] = (answer.structuredContent as { files: { remedy: string }[] }).files;
  expect(refused?.remedy).toContain('bundle_files');
});

test('the card of a file is the command’s text, and is also given as fields', async () => {
  const { client, call } = await withAgent();
  const file = await place.put('setup-1.2 Bearer edition.exe', 'to be checked');
  await call('upload_files', { files: [{ path: file }] });
  for (const format of ['markdown', 'html', 'sha256sums', 'json']) {
    const answer = await client.callTool({
      name: 'make_card',
      arguments: { files: [{ path: file }], format },
    });
    const { card } = answer.structuredContent as { card: string };
    if (format !== 'json') expect(card).toBe((await place.run(['card', file, '--format', format])).stdout);
    expect(answer.structuredContent).toMatchObject({
      format,
      files: [{ filename: 'setup-1.2 Bearer edition.exe', sizeBytes: 13 }],
    });
  }
  const other = await place.put('not-shared.txt', 'no link');
  const codeOf = async (files: object[]) => (await call('make_card', { files })).failed?.[0]?.error.code;
  expect(await codeOf([{ path: other }])).toBe('not-found');
  expect(await codeOf([{ path: path.join(place.home, 'settings.json') }])).toBe('outside');
  expect(await codeOf([{ path: file, file_id: 1 }])).toBe('bad-use');
});

test.each(eras)('the roots of a client of %s narrow what the setting allows', async (era) => {
  place = await ownPlace(service, { rate: 10 });
  await place.run(['settings', 'set', 'agentRoots', place.folder]);
  await mkdir(path.join(place.folder, 'open'));
  const { call } = await agentOf([path.join(place.folder, 'open'), place.root + '/nowhere'], era);
  const inside = await place.put('open/in.txt', 'in');
  const beside = await place.put('beside.txt', 'beside');
  const { files } = await call('upload_files', { files: [{ path: inside }, { path: beside }] });
  expect(files?.map(({ state }) => state)).toEqual(['uploaded', 'not-started']);
  const folder = path.dirname(inside);
  const none = await call('upload_files', {
    files: [{ path: folder }, { path: path.join(folder, 'nothing.txt') }, { path: inside }],
  });
  expect(none.files?.map(({ state, reason, path: at }) => [at, state, reason])).toEqual([
    [folder, 'not-started', 'not-a-file'],
    [path.join(folder, 'nothing.txt'), 'not-started', 'gone'],
    [inside, 'uploaded', null],
  ]);
  expect((await place.json(['queue'])).lines).toMatchObject([{ event: 'queue', failed: 0 }]);
});

test('held files stay held for a person; there is no tool for them', async () => {
  const { client, call } = await withAgent();
  const file = await place.put('notes.txt', secret);
  const held = await call('upload_files', { files: [{ path: file }] });
  expect(held.files?.[0]).toMatchObject({ state: 'held', reason: 'secret-content', public_link: null });
  expect(JSON.stringify(held)).not.toMatch(/outtray [a-z]|--[a-z]/);
  expect((await call('upload_files', { files: [{ path: file }] })).files?.[0]).toMatchObject({
    state: 'held',
  });
  expect((await call('get_status')).held).toMatchObject([{ path: file, reason: 'secret-content' }]);
  expect(uploads(service)).toEqual([]);
  await expect(client.callTool({ name: 'confirm', arguments: { id: 1 } })).rejects.toThrow('no such tool');
  expect((await call('upload_files', { files: [{ path: file }], again: true })).error?.code).toBe('bad-use');
});

test('calls over the limit wait for their turn, and a cancelled one leaves it', async () => {
  const { client, call } = await withAgent();
  const cancelling = new AbortController();
  const cancelled = client.callTool({ name: 'get_status' }, { signal: cancelling.signal });
  const calls = Array.from({ length: 100 }, () => call('get_status'));
  cancelling.abort();
  await expect(cancelled).rejects.toThrow();
  for (const answer of await Promise.all(calls)) expect(answer).not.toHaveProperty('error');
});

test('beside a running watcher the watcher uploads what the agent asks for', async () => {
  place = await ownPlace(service, { rate: 10 });
  const elsewhere = path.join(place.root, 'work');
  await mkdir(elsewhere);
  await place.run(['settings', 'set', 'agentRoots', elsewhere]);
  const watcher = await startWatcher(place, service);
  const { call } = await agentOf();
  const file = path.join(elsewhere, 'beside.txt');
  await writeFile(file, 'sent by the other process');
  expect((await call('upload_files', { files: [{ path: file }] })).files?.[0]?.state).toBe('uploaded');
  expect(storedAs(service, 'sent by the other process')).toHaveLength(1);
  void watcher;
});

/** While a program has the file open for writing, it is queued and stays there. The answer closes it. */
const writing = async (file: string): Promise<() => Promise<void>> => {
  const handle = await open(file, 'a');
  return () => handle.close();
};

const begin = (): ReturnType<typeof spawn> => {
  const [program, ...before] = commandWords;
  const child = spawn(program, [...before, 'mcp'], {
    env: { PATH: process.env['PATH'], ...place.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  undo.push(() => Promise.resolve(child.kill('SIGKILL')));
  return child;
};
const hello = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
})}\n${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`;

test('a client that dies in the middle of a line ends the server with 0; what was queued is uploaded later, once', async () => {
  place = await ownPlace(service, { rate: 10 });
  await place.run(['settings', 'set', 'agentRoots', place.folder]);
  const file = await place.put('later.txt', 'goes up later');
  const finish = await writing(file);
  const child = begin();
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const call = { name: 'upload_files', arguments: { files: [{ path: file }] } };
  child.stdin?.write(hello);
  child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })}\n`);
  await eventually('it is queued', async () => {
    const why = await place.run(['why', file]);
    return why.stdout.includes('Waiting');
  });
  child.stdin?.end('{"jsonrpc":"2.0","id":2,"meth');
  expect(await ended).toBe(0);
  expect(uploads(service)).toEqual([]);
  await finish();
  expect((await place.run(['upload', file])).code).toBe(0);
  expect(storedAs(service, 'goes up later')).toHaveLength(1);
});

test('a line without an end stops the server with a sentence and exit code 2', async () => {
  place = await ownPlace(service, { rate: 10 });
  const child = begin();
  let said = '';
  child.stderr?.on('data', (part: Buffer) => (said += part.toString()));
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.stdin?.on('error', () => undefined);
  child.stdin?.write(hello);
  for (let piece = 0; piece < 9; piece += 1) child.stdin?.write('x'.repeat(1024 ** 2));
  expect(await ended).toBe(2);
  expect(said).toContain('outtray mcp: A message is longer than 8 MiB. The server ends.');
});

/** OUTTRAY_MCP_FUZZ: another number. */
const runs = Number(process.env['OUTTRAY_MCP_FUZZ'] ?? (isDeep ? 10_000 : 1000));

test(`${runs} wrong messages and calls leave the server running, and nothing is uploaded`, async () => {
  place = await ownPlace(service, { rate: 10 });
  await place.run(['settings', 'set', 'agentRoots', place.folder]);
  const child = begin();
  child.stderr?.resume();
  let out = '';
  child.stdout?.on('data', (part: Buffer) => (out += part.toString()));
  child.stdin?.write(hello);
  const names = [
    'upload_files',
    'bundle_files',
    'find_links',
    'get_links',
    'get_status',
    'make_card',
    'recall_links',
    'confirm',
    '__proto__',
  ];
  const argument = fc.dictionary(
    fc.constantFrom(
      'paths',
      'path',
      'file_id',
      'files',
      'query',
      'limit',
      'cursor',
      'name',
      '__proto__',
      'again',
    ),
    fc.oneof(fc.jsonValue(), fc.array(fc.string(), { maxLength: 3 }), fc.constant('/etc/passwd')),
  );
  const message = fc.oneof(
    fc
      .tuple(fc.constantFrom(...names), argument)
      .map(([name, given]) =>
        JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }),
      ),
    fc.json(),
    fc.string().map((text) => text.replaceAll('\n', ' ')),
    fc
      .tuple(fc.string(), fc.jsonValue())
      .map(([method, params]) => JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })),
  );
  const waitFor = (id: string): Promise<unknown> =>
    eventually(`answer ${id}`, () => out.includes(`"id":"${id}"`));
  const lines = fc.sample(message, { numRuns: runs, seed: 4 });
  for (let at = 0; at < lines.length; at += 100) {
    for (const line of lines.slice(at, at + 100)) child.stdin?.write(`${line}\n`);
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: `ping-${at}`, method: 'ping' })}\n`);
    await waitFor(`ping-${at}`);
  }
  for (const line of out.trimEnd().split('\n')) JSON.parse(line);
  expect(child.exitCode).toBeNull();
  expect(uploads(service)).toEqual([]);
  expect(out).not.toContain(apiKey);
  await rm(path.join(place.folder, 'none'), { force: true });
}, 240_000);
