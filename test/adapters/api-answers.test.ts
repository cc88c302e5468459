// Short requests and what their answers become: fields, statuses, broken and hostile answers.
import { expect, test } from 'vitest';
import type { apiFor } from './api-wire.ts';
import {
  answering,
  closeAfter,
  faultOf,
  http,
  json,
  receipt,
  never,
  serve,
  startWire,
  statsValue,
  testKey,
  uploadOf,
} from './api-wire.ts';

const file = {
  file_id: 5,
  filename: 'a.txt',
  size: 3,
  upload_date: '2026-01-02 03:04:05',
  download_count: 0,
  public_link: 'https://x/download/1',
};

test('stats is one GET with the key and returns the known fields', async () => {
  const { wire, api } = await answering(
    json(200, { ...statsValue, extra: 1, stats: { ...statsValue.stats, more: [] } }),
  );
  const { success: _, ...known } = statsValue;
  expect(await api.stats(never)).toEqual(known);
  const head = wire.peers[0]?.bytes().toString() ?? '';
  expect(head).toMatch(/^GET \/api\/v1\/stats HTTP\/1\.1\r\n/);
  expect(head).toContain(`authorization: Bearer ${testKey}\r\n`);
  expect(head).toContain('connection: close\r\n');
  expect(head).not.toContain('content-length');
});

test('a list requests the page it is asked for and keeps the known fields of each entry', async () => {
  const pagination = { page: 2, limit: 3, total: 4, pages: 2 };
  const files = [file, {}, { file_id: 6, filename: null, unknown: true }];
  const { wire, api } = await answering(json(200, { success: true, files, pagination }));
  expect(await api.list({ page: 2, limit: 3 }, never)).toEqual({
    files: [file, {}, { file_id: 6 }],
    pagination,
  });
  await api.list({}, never);
  expect(wire.peers.map((peer) => peer.bytes().toString().split(' ')[1])).toEqual([
    '/api/v1/files?page=2&limit=3',
    '/api/v1/files',
  ]);
});

test.each([
  '0',
  '-7',
  '1.5',
  '1e30',
  '"a7"',
  '""',
  '"007"',
  '9007199254740993.0',
  '9223372036854775808',
  '18446744073709551616',
  '1e17',
  'true',
  '[7]',
  '{}',
])('an entry of the list with the id %s leaves its page readable and has no id', async (id) => {
  const body = JSON.stringify({
    success: true,
    files: [{ ...file, file_id: 'ID' }, file],
    pagination: { page: 1, limit: 2, total: 2, pages: 1 },
  }).replace('"ID"', id);
  const { api } = await answering(http(200, body));
  const { file_id: _, ...rest } = file;
  expect((await api.list({}, never)).files).toEqual([rest, file]);
});

test('one file is read and deleted by its id', async () => {
  const { wire, api } = await serve(async (peer, index) => {
    await peer.request();
    peer.send(
      index === 0 ? json(200, { success: true, file }) : json(200, { success: true, message: 'gone' }),
    );
  });
  expect(await api.info(5, never)).toEqual(file);
  expect(await api.remove(5, never)).toEqual({ message: 'gone' });
  expect(wire.peers.map((peer) => peer.bytes().toString().split(' HTTP')[0])).toEqual([
    'GET /api/v1/files/5',
    'DELETE /api/v1/files/5',
  ]);
  for (const id of [0, -1, 1.5, NaN, 2 ** 53, '7', '9223372036854775808', '../1']) {
    expect((await faultOf(api.info(id, never))).code).toBe('bad-use');
    expect((await faultOf(api.remove(id, never))).code).toBe('bad-use');
  }
  expect(wire.peers).toHaveLength(2);
});

test.each(['9007199254740993', '9223372036854775807'])('the id %s keeps its digits', async (id) => {
  const large = { ...file, filename: `"file_id":${id},`, file_id: id };
  const body = (value: unknown) => JSON.stringify(value).replace(`"file_id":"${id}"`, `"file_id" : ${id}`);
  const answers = [
    body({ ...receipt, file_id: id }),
    body({ success: true, files: [large], pagination: { page: 1, limit: 20, total: 1, pages: 1 } }),
    body({ success: true, file: large }),
    JSON.stringify({ success: true, message: 'gone' }),
  ];
  const { wire, api } = await serve(async (peer, index) => {
    await peer.request();
    peer.send(http(index === 0 ? 201 : 200, answers[index] ?? ''));
  });
  expect((await api.upload(uploadOf(Buffer.from('xyz')))).file_id).toBe(id);
  expect((await api.list({}, never)).files).toEqual([large]);
  expect(await api.info(id, never)).toEqual(large);
  expect(await api.remove(id, never)).toEqual({ message: 'gone' });
  expect(wire.peers.slice(2).map((peer) => peer.bytes().toString().split(' HTTP')[0])).toEqual([
    `GET /api/v1/files/${id}`,
    `DELETE /api/v1/files/${id}`,
  ]);
});

test("another file's answer is refused", async () => {
  const { api } = await answering(json(200, { success: true, file }));
  expect((await faultOf(api.info(6, never))).code).toBe('unusable-answer');
});

type Asked = 'upload' | 'list' | 'info' | 'remove' | 'stats';
const ask = (api: ReturnType<typeof apiFor>, asked: Asked): Promise<unknown> => {
  switch (asked) {
    case 'upload':
      return api.upload(uploadOf(Buffer.from('xyz')));
    case 'list':
      return api.list({}, never);
    case 'info':
      return api.info(5, never);
    case 'remove':
      return api.remove(5, never);
    case 'stats':
      return api.stats(never);
  }
};

test.each([
  [301, 'moved', 'moved', 'moved'],
  [307, 'moved', 'moved', 'moved'],
  [400, 'refused', 'refused', 'refused'],
  [401, 'key-refused', 'key-refused', 'key-refused'],
  [403, 'limit', 'limit', 'limit'],
  [404, 'wrong-address', 'not-found', 'wrong-address'],
  [405, 'wrong-address', 'wrong-address', 'wrong-address'],
  [408, 'interrupted', 'interrupted', 'interrupted'],
  [410, 'refused', 'not-found', 'refused'],
  [413, 'too-large', 'too-large', 'too-large'],
  [415, 'refused', 'refused', 'refused'],
  [417, 'interrupted', 'interrupted', 'interrupted'],
  [421, 'interrupted', 'interrupted', 'interrupted'],
  [422, 'refused', 'refused', 'refused'],
  [425, 'interrupted', 'interrupted', 'interrupted'],
  [429, 'rate', 'rate', 'rate'],
  [500, 'unusable-answer', 'unusable-answer', 'unusable-answer'],
  [503, 'unusable-answer', 'unusable-answer', 'unusable-answer'],
] as const)(
  'status %d is %s for an upload, %s for one file, %s for the list',
  async (status, upload, info, list) => {
    const { api } = await answering(http(status, ''));
    expect(await faultOf(ask(api, 'upload'))).toMatchObject({ code: upload, status });
    expect(await faultOf(ask(api, 'info'))).toMatchObject({ code: info, status });
    expect(await faultOf(ask(api, 'list'))).toMatchObject({ code: list, status });
    expect(await faultOf(ask(api, 'stats'))).toMatchObject({ code: list, status });
  },
);

test.each([
  ['success false', json(200, { ...statsValue, success: false })],
  ['success as text', json(200, { ...statsValue, success: 'true' })],
  ['a number as text', json(200, { ...statsValue, stats: { total_files: '1', total_size: 2 } })],
  ['an unsafe integer', json(200, { ...statsValue, stats: { total_files: 2 ** 53, total_size: 2 } })],
  ['a fraction', json(200, { ...statsValue, stats: { total_files: 1.5, total_size: 2 } })],
  ['too many bytes', json(200, { ...statsValue, x: 'y'.repeat(70_000) })],
])('%s is an unusable answer with its status', async (_word, answer) => {
  const { api } = await answering(answer);
  const error = await faultOf(api.stats(never));
  expect(error).toMatchObject({ code: 'unusable-answer', status: 200 });
  expect(error.evidence).toMatch(/./);
});

const foreign: [string, string][] = [
  ['HTML', http(200, '<html>hi</html>', { 'content-type': 'text/html' })],
  ['HTML that says it is JSON', http(200, '<!doctype html>', { 'content-type': 'application/json' })],
  ['nothing', http(200, '')],
  ['no content', 'HTTP/1.1 204 No Content\r\n\r\n'],
  ['bytes that are not UTF-8', http(200, '').replace('length: 0', 'length: 2') + '\xff\xfe'],
  ['an array', json(200, [])],
  ['JSON of another API', json(200, { status: 'ok', version: 3 })],
  ['no success', json(200, { ...statsValue, success: undefined })],
  ['null', http(200, 'null', { 'content-type': 'application/json' })],
  ['a text in JSON', http(200, '"login"', { 'content-type': 'application/json' })],
  ['deep nesting', http(200, '['.repeat(60_000))],
  ['an encoding we did not ask for', json(200, statsValue).replace('{', '\x1f\x8b')],
  ['511', http(511, '<html>log in</html>', { 'content-type': 'text/html' })],
];

test.each(foreign)('%s does not come from the service: perhaps a login page', async (_word, answer) => {
  const { api } = await answering(answer);
  const status = Number(answer.slice(9, 12));
  for (const call of ['stats', 'list', 'info', 'remove', 'upload'] as const) {
    const error = await faultOf(ask(api, call));
    expect(error).toMatchObject({ code: 'intercepted', status });
    expect(error.message).toContain('perhaps a login page');
    expect(error.evidence).toMatch(/./);
  }
});

test('a page with 403 for an upload comes from a proxy before the service', async () => {
  for (const answer of [
    http(403, '<html><h1>Forbidden</h1></html>', { 'content-type': 'text/html; charset=iso-8859-1' }),
    http(403, '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html>', {}),
  ]) {
    const { api } = await answering(answer);
    expect(await faultOf(ask(api, 'upload'))).toMatchObject({ code: 'blocked', status: 403 });
    expect(await faultOf(ask(api, 'stats'))).toMatchObject({ code: 'limit', status: 403 });
  }
  const { api } = await answering(json(403, { success: false, message: 'No.' }));
  expect(await faultOf(ask(api, 'upload'))).toMatchObject({ code: 'limit', status: 403 });
});

test.each([
  ['file_id', 0],
  ['file_id', '7'],
  ['file_id', null],
  ['public_link', 5],
  ['size', -1],
  ['filename', undefined],
])('a receipt whose %s is %j is unusable', async (field, value) => {
  const { api } = await answering(json(200, { ...receipt, [field]: value }));
  expect(await faultOf(ask(api, 'upload'))).toMatchObject({ code: 'unusable-answer', status: 200 });
});

test('a list may be large, but not endless', async () => {
  const pagination = { page: 1, limit: 1, total: 1, pages: 1 };
  const { api } = await serve(async (peer, index) => {
    await peer.request();
    const files = Array.from({ length: index === 0 ? 5000 : 50_000 }, () => file);
    peer.send(json(200, { success: true, files, pagination }));
  });
  expect((await api.list({}, never)).files).toHaveLength(5000);
  expect((await faultOf(api.list({}, never))).code).toBe('unusable-answer');
});

test('a refusal counts by its status, even when its body is broken', async () => {
  const { api } = await serve(
    async (peer, index) => {
      await peer.request();
      const opening = 'HTTP/1.1 401 No\r\ncontent-length: 100000\r\n\r\n';
      if (index === 0) peer.socket.end(`${opening}half`);
      if (index === 1) peer.send(opening + 'x'.repeat(90_000));
      if (index === 2) peer.send(opening);
    },
    { limits: { bodyMs: 50 } },
  );
  for (let round = 0; round < 3; round += 1) {
    expect(await faultOf(api.stats(never))).toMatchObject({ code: 'key-refused', status: 401 });
  }
});

test('a redirect is not followed, whatever its target', async () => {
  const other = await startWire(() => {});
  closeAfter(other);
  for (const location of [`http://127.0.0.1:${other.port}/api/v1/stats`, '/elsewhere', '//evil.example/']) {
    const { wire, api } = await answering(http(302, '', { location }));
    const error = await faultOf(api.stats(never));
    expect(error).toMatchObject({ code: 'moved', status: 302, evidence: location });
    expect(wire.peers).toHaveLength(1);
  }
  expect(other.peers).toHaveLength(0);
});

test('the wait requested by a 429 is kept when it is sane', async () => {
  const waits: [Record<string, string>, number | undefined][] = [
    [{ 'retry-after': '12' }, 12_000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '3600' }, 3_600_000],
    [{ 'retry-after': '3601' }, undefined],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': '1.5' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '2026' }, 2_026_000],
    [{}, undefined],
    // The service’s own clock counts when an answer shows one …
    [{ date: 'Fri, 20 Nov 2026 09:00:00 GMT', 'retry-after': 'Fri, 20 Nov 2026 09:00:30 GMT' }, 30_000],
    [{ date: 'Fri, 20 Nov 2026 09:00:00 GMT', 'retry-after': 'Fri, 20 Nov 2026 08:00:00 GMT' }, undefined],
    // … and ours when none does.
    [{ 'retry-after': 'Fri, 20 Nov 2026 10:00:05 GMT' }, 5000],
  ];
  for (const [headers, retryAfterMs] of waits) {
    const { api } = await answering(json(429, {}, headers), {
      clock: { wallMs: () => Date.UTC(2026, 10, 20, 10) },
    });
    expect((await faultOf(api.stats(never))).retryAfterMs, JSON.stringify(headers)).toBe(retryAfterMs);
  }
});

test('a request has one time limit from start to end', async () => {
  const { api } = await serve(
    async (peer) => {
      await peer.request();
      // An answer that never ends.
      peer.send('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
      const timer = setInterval(() => peer.send(' '), 10);
      await peer.closed;
      clearInterval(timer);
    },
    { limits: { totalMs: 400 } },
  );
  const startedMs = performance.now();
  expect((await faultOf(api.stats(never))).status).toBe(200);
  expect(performance.now() - startedMs).toBeLessThan(5000);
});

test('a missing key is reported before anything is sent', async () => {
  const { wire, api } = await serve(() => {}, {
    key: () => {
      throw new Error('no key');
    },
  });
  await expect(api.stats(never)).rejects.toThrow('no key');
  expect(wire.peers).toHaveLength(0);
});
