// openapi.yaml, held against the test service, which answers as it says, and against the adapter, which reads every
// answer that it allows.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import {
  fileAnswer,
  listAnswer,
  readAnswer,
  receiptAnswer,
  removalAnswer,
  statsAnswer,
} from '../../src-main/adapters/api/answers.ts';
import type { ServiceOptions } from '../service/options.ts';
import { startService, type Service } from '../service/service.ts';

let service: Service;
const start = async (options: ServiceOptions = {}): Promise<void> => {
  const made = await startService({ key: 'the-key', ...options });
  service = made;
  onTestFinished(() => made.close());
};
const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(service.baseUrl + path, { headers: { authorization: `Bearer ${service.key}` }, ...init });
const upload = (filename: string, content: string): Promise<Response> => {
  const body = new FormData();
  body.set('file', new Blob([content]), filename);
  return ask('/files/upload', { method: 'POST', body });
};

type Node = { [name: string]: Node };
const text = readFileSync(new URL('../../resources/docs/design/openapi.yaml', import.meta.url), 'utf8');
const contract = parse(text) as Node;
const ajv = new Ajv2020({ strict: false });
ajv.addSchema(contract, 'contract');

const at = (pointer: string): Node | undefined =>
  pointer
    .split('/')
    .slice(1)
    .reduce<Node | undefined>((node, key) => node?.[key.replaceAll('~1', '/')], contract);

const schemaOf = (path: string, method: string): string =>
  `/paths/${path.replaceAll('/', '~1')}/${method}/responses/200/content/application~1json/schema`;

const endpoints = [
  { path: '/files/upload', method: 'post', send: () => upload('a.txt', 'hello') },
  { path: '/files', method: 'get', send: () => ask('/files?page=1&limit=2') },
  { path: '/files/{file_id}', method: 'get', send: () => ask('/files/1001') },
  { path: '/files/{file_id}', method: 'delete', send: () => ask('/files/1001', { method: 'DELETE' }) },
  { path: '/stats', method: 'get', send: () => ask('/stats') },
];
const stated = Object.entries(contract['paths'] ?? {}).flatMap(([path, methods]) =>
  ['get', 'post', 'put', 'patch', 'delete']
    .filter((name) => name in methods)
    .map((name) => `${name} ${path}`),
);

it('has the five endpoints, and each of them is tried here', () => {
  expect(stated.toSorted()).toEqual(endpoints.map(({ method, path }) => `${method} ${path}`).toSorted());
});

describe('the test service', () => {
  beforeEach(() => start());

  it.each(endpoints)('answers $method $path as the contract says', async ({ path, method, send }) => {
    await upload('first.txt', 'x');
    const answer = await send();
    const validate = ajv.getSchema(`contract#${schemaOf(path, method)}`);
    const body: unknown = await answer.json();
    expect(validate?.(body), JSON.stringify(validate?.errors)).toBe(true);
    expect(answer.status).toBe(200);
  });

  it.each([
    { status: 400, endpoint: 'post /files/upload', send: () => ask('/files/upload', { method: 'POST' }) },
    {
      status: 401,
      endpoint: 'get /stats',
      send: () => ask('/stats', { headers: { authorization: 'Bearer x' } }),
    },
    { status: 404, endpoint: 'get /files/{file_id}', send: () => ask('/files/7') },
    { status: 404, endpoint: 'delete /files/{file_id}', send: () => ask('/files/7', { method: 'DELETE' }) },
  ])('answers $status where the contract has it for $endpoint', async ({ status, endpoint, send }) => {
    const [method = '', path = ''] = endpoint.split(' ');
    expect((await send()).status).toBe(status);
    expect(at(`/paths/${path.replaceAll('/', '~1')}/${method}/responses/${status}`)).toBeDefined();
  });

  it.each([
    { status: 403, options: { plan: 'Free' as const } },
    { status: 429, options: { requestsPerMinute: 0 } },
  ])('answers $status for every endpoint, as the contract says', async ({ status, options }) => {
    await start(options);
    for (const { path, method, send } of endpoints) {
      expect((await send()).status, `${method} ${path}`).toBe(status);
      expect(at(`/paths/${path.replaceAll('/', '~1')}/${method}/responses/${status}`)).toBeDefined();
    }
  });
});

describe('the adapter', () => {
  const whole = fc.integer({ min: 0, max: 2 ** 40 });
  const file = {
    // Outtray takes no id below 1 (service.md §2).
    file_id: fc.integer({ min: 1, max: 2 ** 40 }),
    filename: fc.string(),
    size: whole,
    upload_date: fc.constantFrom('2026-01-31 23:59:00', '1999-12-31 00:00:00'),
    download_count: whole,
    public_link: fc.string().map((token) => `https://files.example.com/download/${token}`),
  };
  const success = fc.constant(true);
  const pagination = fc.record({ page: whole, limit: whole, total: whole, pages: whole });
  const limits = fc.record({ max_file_size: fc.integer(), daily_uploads: fc.integer() });
  const { filename, file_id, public_link, size } = file;

  it.each([
    {
      path: '/files/upload',
      method: 'post',
      schema: receiptAnswer,
      answers: fc.record({ success, file_id, public_link, size, filename }),
    },
    {
      path: '/files',
      method: 'get',
      schema: listAnswer,
      answers: fc.record({ success, files: fc.array(fc.record(file, { requiredKeys: [] })), pagination }),
    },
    {
      path: '/files/{file_id}',
      method: 'get',
      schema: fileAnswer,
      answers: fc.record({ success, file: fc.record(file) }),
    },
    {
      path: '/files/{file_id}',
      method: 'delete',
      schema: removalAnswer,
      answers: fc.record({ success, message: fc.string() }),
    },
    {
      path: '/stats',
      method: 'get',
      schema: statsAnswer,
      answers: fc.record({
        success,
        stats: fc.record({ total_files: whole, total_size: whole }),
        limits,
        plan: fc.string(),
      }),
    },
  ])(
    'reads whatever the contract allows for $method $path, and nothing less',
    ({ path, method, schema, answers }) => {
      const validate = ajv.getSchema(`contract#${schemaOf(path, method)}`);
      const reads = (value: unknown) => readAnswer(schema, Buffer.from(JSON.stringify(value))).ok;
      fc.assert(
        fc.property(answers, fc.nat(), (answer, index) => {
          expect(validate?.(answer), JSON.stringify(validate?.errors)).toBe(true);
          expect(reads(answer)).toBe(true);
          // One field of the answer is missing: no answer for the contract, and none for the adapter.
          const keys = Object.keys(answer);
          const lacking = Object.fromEntries(
            Object.entries(answer).filter(([key]) => key !== keys[index % keys.length]),
          );
          expect(validate?.(lacking)).toBe(false);
          expect(reads(lacking)).toBe(false);
        }),
        { numRuns: 50 },
      );
    },
  );
});
