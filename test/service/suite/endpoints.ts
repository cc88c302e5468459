// The endpoints as service.md has them, and the folder that keeps what they stored.
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ask, askJson, service, start, upload, uploadJson, type Json } from './rig.ts';

describe('the endpoints', () => {
  beforeEach(() => start());

  it('store an upload and answer with its five fields', async () => {
    const answer = await uploadJson('holiday.jpg', 'some bytes');
    expect(answer).toEqual({
      success: true,
      file_id: 1001,
      public_link: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/download\/\w+$/) as string,
      size: 10,
      filename: 'holiday.jpg',
    });
    const [file] = service.files();
    expect(file?.sha256).toBe(createHash('sha256').update('some bytes').digest('hex'));
    expect(await readFile(file?.path ?? '', 'utf8')).toBe('some bytes');
  });

  it('serve the bytes of a link without a key and count the download', async () => {
    const { public_link } = await uploadJson('a.txt', 'hello');
    const answer = await fetch(String(public_link));
    expect(answer.headers.get('content-length')).toBe('5');
    expect(await answer.text()).toBe('hello');
    expect((await askJson('/files/1001')).file).toMatchObject({ download_count: 1 });
    expect((await fetch(String(public_link).slice(0, -1))).status).toBe(404);
  });

  it('show one file with six fields, and 404 where there is none', async () => {
    await uploadJson('a.txt', 'hello');
    const { file } = await askJson('/files/1001');
    expect(Object.keys(file as Json)).toEqual([
      'file_id',
      'filename',
      'size',
      'upload_date',
      'download_count',
      'public_link',
    ]);
    expect(file).toMatchObject({ upload_date: '2026-01-31 23:59:00', size: 5 });
    expect((await ask('/files/7')).status).toBe(404);
  });

  it('delete a file once', async () => {
    const { public_link } = await uploadJson('a.txt', 'hello');
    expect(await askJson('/files/1001', { method: 'DELETE' })).toMatchObject({ success: true });
    expect((await ask('/files/1001', { method: 'DELETE' })).status).toBe(404);
    expect((await fetch(String(public_link))).status).toBe(404);
    expect(await readdir(join(service.dir, 'files'))).toEqual([]);
  });

  it('page through the list', async () => {
    for (const name of ['a', 'b', 'c']) await uploadJson(name, name);
    const { files, pagination } = await askJson('/files?page=2&limit=2');
    expect(files).toMatchObject([{ filename: 'a' }]);
    expect(pagination).toEqual({ page: 2, limit: 2, total: 3, pages: 2 });
    expect((await askJson('/files?page=9')).files).toEqual([]);
  });

  it('report statistics', async () => {
    await uploadJson('a.txt', 'hello');
    expect(await askJson('/stats')).toEqual({
      success: true,
      stats: { total_files: 1, total_size: 5 },
      limits: { max_file_size: 10 * 1024 ** 3, daily_uploads: 5000 },
      plan: 'Pro',
    });
  });

  it('refuse unknown keys with 401, revoked ones at once, and take a new one', async () => {
    expect((await ask('/stats', { headers: { authorization: 'Bearer other' } })).status).toBe(401);
    expect((await fetch(`${service.baseUrl}/stats`)).status).toBe(401);
    service.revokeKey();
    expect((await ask('/stats')).status).toBe(401);
    service.setKey('new');
    expect((await ask('/stats', { headers: { authorization: 'Bearer new' } })).status).toBe(200);
  });

  it('refuse plans without the API, files too large and uploads beyond the day with 403', async () => {
    service.changeAccount({ plan: 'Free' });
    expect((await ask('/stats')).status).toBe(403);
    service.changeAccount({ plan: 'Pro', maxFileSizeBytes: 4, dailyUploads: 1 });
    expect((await upload('large', 'hello')).status).toBe(403);
    expect((await upload('small', 'four')).status).toBe(200);
    expect((await upload('more', 'four')).status).toBe(403);
    service.tick(60_000);
    expect((await upload('next day', 'four')).status).toBe(200);
    expect(service.files().map((file) => file.filename)).toEqual(['small', 'next day']);
  });

  it('keep accounts apart', async () => {
    await uploadJson('mine', 'x');
    service.changeAccount({ name: 'other', key: 'other-key', plan: 'Business' });
    const headers = { authorization: 'Bearer other-key' };
    expect((await askJson('/files', { headers })).files).toEqual([]);
    expect((await ask('/files/1001', { method: 'DELETE', headers })).status).toBe(404);
  });

  it('answer 404 and 405 outside the five endpoints', async () => {
    expect((await ask('/nothing')).status).toBe(404);
    expect((await ask('/stats', { method: 'POST', body: 'x' })).status).toBe(405);
  });
});

describe('the folder', () => {
  it('is found again by the next service, ids and links included', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'outtray-service-test-'));
    try {
      await start({ dir });
      await uploadJson('a.txt', 'hello');
      await uploadJson('b.txt', 'hello');
      await ask('/files/1001', { method: 'DELETE' });
      const [before] = service.files();
      await service.close();
      await start({ dir });
      expect(service.files()).toMatchObject([{ id: 1002, filename: 'b.txt', token: before?.token }]);
      expect(await uploadJson('c.txt', 'x')).toMatchObject({ file_id: 1003 });
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });

  it.each(['hash-only', 'discard'] as const)('holds no bytes in the mode %s', async (store) => {
    await start({ store });
    await uploadJson('a.txt', 'hello');
    expect(await readdir(join(service.dir, 'files'))).toEqual([]);
    expect(service.files()[0]).toMatchObject({ sizeBytes: 5, path: null });
    expect(typeof service.files()[0]?.sha256).toBe(store === 'discard' ? 'object' : 'string');
  });
});
