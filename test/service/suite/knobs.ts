// Every point that service.md leaves open can be turned.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  advance,
  ask,
  askJson,
  eventually,
  partOf,
  service,
  start,
  talk,
  uploadHead,
  uploadJson,
  type Json,
} from './rig.ts';

describe('the knobs', () => {
  it.each([
    ['newest', ['b', 'c', 'a']],
    ['oldest', ['a', 'c', 'b']],
    ['name', ['a', 'b', 'c']],
    ['id-desc', ['c', 'b', 'a']],
  ] as const)('order the list: %s', async (order, names) => {
    await start({ order });
    await service.addFile({ filename: 'a', content: '', storedAtMs: 1 });
    await service.addFile({ filename: 'b', content: '', storedAtMs: 3 });
    await service.addFile({ filename: 'c', content: '', storedAtMs: 2 });
    expect((await askJson('/files')).files).toMatchObject(names.map((filename) => ({ filename })));
  });

  it('lag, fields, sizes, zones and hosts of the list', async () => {
    await start({
      listLagMs: 1000,
      listFields: ['file_id', 'size', 'upload_date', 'public_link'],
      sizeUnit: 'kB',
      uploadDateOffsetMinutes: 90,
      linkHost: 'https://files.example',
    });
    const { size } = await uploadJson('a', 'x'.repeat(1001));
    expect(size).toBe(2);
    expect((await askJson('/files')).files).toEqual([]);
    expect((await ask('/files/1001')).status).toBe(200);
    advance(1000);
    const [entry] = (await askJson('/files')).files as Json[];
    expect(entry).toEqual({
      file_id: 1001,
      size: 2,
      upload_date: '2026-02-01 01:29:00',
      public_link: `https://files.example/download/${service.files()[0]?.token ?? ''}`,
    });
  });

  it.each([
    ['global', [1001, 1002, 1003], 1004],
    ['account', [1001, 1002, 1001], 1003],
    ['again', [1001, 1002, 1003], 1002],
  ] as const)('give ids: %s', async (fileIds, ids, next) => {
    await start({ fileIds, accounts: [{ name: 'a', key: 'the-key' }, { name: 'b' }] });
    const add = async (account: string) =>
      await service.addFile({ filename: account, content: account, account });
    const files = [await add('a'), await add('a'), await add('b')];
    expect(files.map(({ id }) => id)).toEqual(ids);
    expect(await askJson('/files/1001')).toMatchObject({ file: { public_link: files[0]?.link } });
    expect((await ask('/files/1002', { method: 'DELETE' })).status).toBe(200);
    expect(await add('a')).toMatchObject({ id: next });
    await service.reset();
    const first = await add('a');
    expect(first).toMatchObject({ id: 1001 });
    expect(first.link).not.toBe(files[0]?.link);
    expect((await fetch(files[0]?.link ?? '')).status).toBe(404);
  });

  it.each([
    ['prefix', 'upload_Ünder Way.TXT'],
    ['lowercase', 'ünder way.txt'],
    ['nfd', 'U\u0308nder Way.TXT'],
    ['ascii', '_nder Way.TXT'],
    ['underscores', '_nder_Way.TXT'],
    ['unique', 'Ünder Way (1).TXT'],
  ] as const)('name files: %s', async (filenames, expected) => {
    await start({ filenames });
    await service.addFile({ filename: 'Ünder Way.TXT', content: '' });
    expect(await uploadJson('Ünder Way.TXT', 'x')).toMatchObject({ filename: expected });
  });

  it.each([
    ['message', '{"success":false,"message":"Resource not found"}'],
    ['nested', '{"success":false,"error":{"code":404,"message":"Resource not found"}}'],
    ['text', 'Resource not found\n'],
    ['html', '<!doctype html><title>404</title><h1>404 Resource not found</h1>\n'],
    ['empty', ''],
  ] as const)('shape errors: %s', async (errorShape, body) => {
    await start({ errorShape });
    expect(await (await ask('/nothing')).text()).toBe(body);
  });

  it.each(['early', 'early-close'] as const)('refuse before the body: %s', async (refusal) => {
    await start({ refusal, maxFileSizeBytes: 10 });
    const heard = talk([uploadHead(1_000_000, 'Connection: close\r\n'), 'x']);
    await eventually(() => service.requests()[0]?.status === 403);
    expect(service.requests()[0]?.bodyComplete).toBe(false);
    await service.close();
    expect(await heard).toMatch(/^HTTP\/1.1 403 /);
  });

  it('refuse in the middle of a body that grows too long', async () => {
    await start({ refusal: 'early', maxFileSizeBytes: 1000 });
    const body = partOf('form-data; name="file"; filename="a"', 'x'.repeat(2000));
    const head = uploadHead(0).replace('Content-Length: 0', 'Transfer-Encoding: chunked');
    const heard = talk([head, `${body.length.toString(16)}\r\n${body}\r\n`]);
    await eventually(() => service.requests()[0]?.status === 403);
    await eventually(async () => (await readdir(join(service.dir, 'incoming'))).length === 0);
    await service.close();
    expect(await heard).toMatch(/^HTTP\/1.1 403 /);
  });

  it('invite an expected body only when it is wanted', async () => {
    await start({ refusal: 'early' });
    service.revokeKey();
    const heard = talk([uploadHead(5, 'Expect: 100-continue\r\nConnection: close\r\n')]);
    await eventually(() => service.requests()[0]?.status === 401);
    await service.close();
    expect(await heard).toMatch(/^HTTP\/1.1 401 /);
  });
});
