// `outtray mcp` whose client is killed during an upload, and what must never leave it.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, expect, test } from 'vitest';
import type { Fault } from '../service/faults.ts';
import { commandWords } from '../support/flow/command.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import { eventually } from '../support/flow/poll.ts';
import { storedAs, uploads } from '../support/flow/wire.ts';

const clientScript = path.resolve(import.meta.dirname, '../support/flow/mcp-client.ts');

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const act of undo.splice(0).toReversed()) await act();
});

const runs = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const placeFor = async (key: string, settings: Record<string, unknown> = {}) => {
  const service = await ownService({ key });
  const place = await ownPlace(service, {
    processes: true,
    settings: { reconcileAfterMs: 1000, ...settings },
  });
  await place.run(['settings', 'set', 'agentRoots', place.folder]);
  return { service, place };
};

/** Stops within the body: more bytes than the buffers on the way hold, so the tail has not left. */
const inBody: Fault = { kind: 'stall', at: 'body', afterBytes: 100_000 };
/** Stored, and the answer comes later. */
const unanswered: Fault = { kind: 'delay', ms: 3000, at: 'done' };

test.each<[killed: string, when: string, fault: Fault, bytes: number, stored: number]>([
  ['client', 'within the body', inBody, 64_000_000, 0],
  ['client', 'before the answer', unanswered, 50_000, 1],
  ['client and server', 'within the body', inBody, 64_000_000, 0],
  ['client and server', 'before the answer', unanswered, 50_000, 1],
])(
  '%s killed %s of an upload: nothing is half done, and the next Outtray that runs completes it once',
  async (killed, _, fault, bytes, stored) => {
    const { service, place } = await placeFor('a-key-of-agents');
    const content = Buffer.alloc(bytes, 7);
    const file = await place.put('amid.bin', content);
    service.faults.add({ match: { path: '/files/upload' }, fault });
    const client: ChildProcess = spawn(process.execPath, [clientScript, file, ...commandWords], {
      env: { PATH: process.env['PATH'], ...place.env },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    undo.push(() => client.kill('SIGKILL'));
    if (client.stdout === null) throw new Error('no output');
    const [line] = (await once(createInterface({ input: client.stdout }), 'line')) as [string];
    const server = Number(line);
    const isAmid = fault.kind === 'stall' ? 100_000 : bytes;
    await eventually('it is amid the upload', () =>
      uploads(service).some((request) => request.bytes >= isAmid),
    );
    client.kill('SIGKILL');
    if (killed !== 'client') process.kill(server, 'SIGKILL');
    await eventually('the server has ended', () => !runs(server));
    await eventually('the service is done', () => storedAs(service, content).length === stored);

    // The next Outtray that runs sends the queued file, and finds the sent one.
    const watching = place.start(['watch', place.folder]);
    const link = await eventually('it has its link', async () => {
      const found = await place.run(['link', 'amid.bin']);
      return found.code === 0 ? found.stdout.trim() : undefined;
    });
    await watching.stop('SIGINT');
    expect(storedAs(service, content).map((one) => one.link)).toEqual([link]);
    expect((await place.run(['upload', file])).stdout).toContain(link);
    expect(storedAs(service, content)).toHaveLength(1);
  },
);

const canaries = {
  key: 'canary-key-9d1e4bA7-0042',
  held: 'canaryHELDcanaryHELDcanaryHELD',
  outside: 'canary-of-a-file-outside',
  shared: 'canary-of-a-shared-file',
};

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const inside = path.join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(inside) : entry.isFile() ? [inside] : [];
  });

test('no answer, standard error or data folder contains the key or the content of a file', async () => {
  const { service, place } = await placeFor(canaries.key);
  const block = (text: string): string =>
    `-----BEGIN RSA PRIVATE KEY-----\n${text.repeat(12)}\n-----END RSA PRIVATE KEY-----\n`;
  const held = await place.put('held.txt', block(canaries.held));
  const shared = await place.put('shared.txt', canaries.shared);
  const outside = path.join(place.root, 'outside.txt');
  await writeFile(outside, canaries.outside);
  await symlink(outside, path.join(place.folder, 'way.txt'));
  await mkdir(path.join(place.folder, 'sub'));

  const env = Object.fromEntries(
    Object.entries({ PATH: process.env['PATH'], ...place.env }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
  const transport = new StdioClientTransport({
    command: commandWords[0],
    args: [...commandWords.slice(1), '--verbose', 'mcp'],
    env,
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (part: Buffer) => (said += part.toString()));
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  undo.push(() => client.close());
  const call = async (name: string, given: Record<string, unknown>): Promise<void> => {
    const answer = await client.callTool({ name, arguments: given }).catch((error: unknown) => String(error));
    said += JSON.stringify(answer);
  };
  const way = path.join(place.folder, 'way.txt');
  const settings = path.join(place.home, 'settings.json');
  said += JSON.stringify(await client.listTools());
  for (const paths of [[shared], [held], [outside], [way], [settings], [canaries.key], [place.folder]]) {
    await call('upload_files', { files: paths.map((path) => ({ path })) });
    await call('bundle_files', { files: paths.map((path) => ({ path })) });
    for (const format of ['markdown', 'json'])
      await call('make_card', { files: [{ path: paths[0] }], format });
    await call('get_links', { files: [{ path: paths[0] }] });
  }
  await call('find_links', { query: '' });
  await call('get_status', {});
  // Whatever the service answers, and a key that it refuses.
  service.faults.add({
    match: { path: '/files/upload' },
    fault: { kind: 'answer', status: 500, body: { error: `not ${canaries.key}` } },
  });
  await call('upload_files', { files: [{ path: await place.put('again.txt', 'another') }] });
  service.revokeKey();
  await call('upload_files', {
    files: [{ path: await place.put('refused.txt', 'a third') }],
    wait_seconds: 20,
  });
  await call('recall_links', { files: [{ path: shared }] });
  await call('confirm', { id: 1, key: canaries.key });
  await call('get_status', { key: true });
  await client.close();

  expect(storedAs(service, canaries.shared)).toHaveLength(1);
  expect(said).toContain('secret-content');
  // A zip that is held waits in the spool for a person.
  const files = filesBelow(place.home).filter((file) => !file.includes('/spool/'));
  const written = files.map((file) => readFileSync(file, 'latin1'));
  for (const [name, canary] of Object.entries(canaries)) {
    const whole = name === 'key' ? said.replaceAll(`${place.root}/${canary}`, '') : said;
    expect([name, whole.includes(canary)]).toEqual([name, false]);
    expect([name, written.some((text) => text.includes(canary))]).toEqual([name, false]);
  }
});
