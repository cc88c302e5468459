// Loading modules is most of the cost of a small command: none loads what it does not need.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { cli, commandEnv } from '../support/flow/command.ts';
import { isDeep } from '../support/deep.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';

const service = await ownService();
const place = await ownPlace(service);

/** Writes down the addresses of all modules that are loaded, Node's own by their names, and threads. */
const preload = `import { registerHooks } from 'node:module';
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
const loaded = [];
process.on('worker', () => loaded.push('a thread'));
registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
if (isMainThread) process.on('exit', () =>
  writeFileSync(process.env.LOADED_INTO, JSON.stringify([...loaded, ...process.moduleLoadList])));
`;

const loadedBy = async (...args: string[]): Promise<string[]> => {
  const [hook, into] = ['hook.mjs', 'loaded.json'].map((name) => path.join(place.root, name));
  writeFileSync(hook ?? '', preload);
  // From source: in what ships, parts of several modules share a file.
  const words = [`--import=${hook}`, path.join(import.meta.dirname, '../../src-main/cli.ts'), ...args];
  const env = commandEnv({ ...place.env, LOADED_INTO: into });
  await promisify(execFile)(process.execPath, words, { env, cwd: place.root });
  return JSON.parse(readFileSync(into ?? '', 'utf8')) as string[];
};

const parts = {
  commander: /node_modules\/commander\//,
  prompts: /node_modules\/@clack\//,
  'zip writer': /node_modules\/yazl\//,
  ledger: /NativeModule sqlite|adapters\/ledger\//,
  engine: /src-main\/engine\/engine\.ts/,
  'requests to the service': /node_modules\/undici\//,
  connections: /NativeModule tls|adapters\/api\/connect\.ts/,
  'what it has besides': /node_modules\/undici\/(index|lib\/(api|cache|handler|mock|interceptor))/,
  'Node’s own fetch': /internal\/deps\/undici/,
  'search for secrets': /token-shapes|a thread/,
  'agents’ server': /node_modules\/@modelcontextprotocol\/|cli\/mcp\//,
  'file watcher': /node_modules\/chokidar\//,
} as const;
type Part = keyof typeof parts;
const all = Object.keys(parts) as Part[];

const inDeepRing: [string, string[], Part[]][] = [
  ['help', ['help', 'upload'], ['commander']],
  ['queue', ['queue'], ['commander', 'ledger', 'engine']],
  ['settings', ['settings'], ['commander', 'ledger', 'engine']],
  ['list', ['list'], ['commander', 'ledger', 'engine', 'requests to the service', 'connections']],
  [
    'upload',
    ['upload', 'small.bin'],
    ['commander', 'ledger', 'engine', 'requests to the service', 'connections'],
  ],
];
test.each<[string, string[], Part[]]>([
  ...(isDeep ? inDeepRing : []),
  ['--version', ['--version'], []],
  ['status', ['status'], ['commander', 'ledger', 'engine']],
  [
    'upload of a text',
    ['upload', 'small.txt'],
    ['commander', 'ledger', 'engine', 'requests to the service', 'connections', 'search for secrets'],
  ],
])('%s loads only what it needs', async (_, args, needed) => {
  await place.put('../small.txt', 'a small text');
  await place.put('../small.bin', Buffer.alloc(100, 1));
  const loaded = await loadedBy(...args);
  const found = all.filter((part) => loaded.some((one) => parts[part].test(one)));
  expect(found).toEqual(all.filter((part) => needed.includes(part)));
});

test('the shipped code builds nothing at load time that takes 10 ms: HTTP/2, the parts of letters', async () => {
  await place.put('../other.bin', Buffer.alloc(100, 2));
  const preload = path.join(place.root, 'count.mjs');
  writeFileSync(
    preload,
    `import { writeFileSync } from 'node:fs';
const { Segmenter } = Intl;
let made = 0;
Intl.Segmenter = class extends Segmenter { constructor(...given) { super(...given); made += 1; } };
process.on('exit', () => writeFileSync(process.env.LOADED_INTO, JSON.stringify({ made, http2: process.moduleLoadList.includes('NativeModule http2') })));
`,
  );
  const into = path.join(place.root, 'made.json');
  const env = commandEnv({ ...place.env, LOADED_INTO: into });
  const words = [`--import=${preload}`, cli, 'upload', 'other.bin'];
  await promisify(execFile)(process.execPath, words, { env, cwd: place.root });
  expect(JSON.parse(readFileSync(into, 'utf8'))).toEqual({ made: 0, http2: false });
});
