// Forms that no correct client sends, and clients that die while they send one.
import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { boundary, eventually, partOf, post, postFile, service, start, talk, uploadHead } from './rig.ts';

describe('hostile forms', () => {
  beforeEach(() => start());

  it.each([
    ['form-data; name="file"; filename="a%22b.txt"', 'a"b.txt'],
    ['form-data; name="file"; filename="100%25 %41.txt"', '100%25 %41.txt'],
    ['form-data; name="file"; filename="smörgås 🍰.txt"', 'smörgås 🍰.txt'],
    ['form-data; name="file"; filename="../../etc/passwd"', 'passwd'],
    ['form-data; name="file"; filename="a;b=c.txt"', 'a;b=c.txt'],
    [`form-data; name="file"; filename="x"; filename*=UTF-8''na%C3%AFve.txt`, 'naïve.txt'],
    ['form-data; filename=plain.txt; name=file', 'plain.txt'],
  ])('%s is %s', async (disposition, filename) => {
    expect(await (await postFile(disposition)).json()).toMatchObject({ filename });
  });

  it('undoes backslashes where the knob says so', async () => {
    service.change({ filenameEscapes: 'backslash' });
    const answer = await postFile(String.raw`form-data; name="file"; filename="a\"b\\c.txt"`);
    expect(service.files()[0]?.sentName).toBe('c.txt');
    expect(answer.status).toBe(200);
  });

  it.each([
    ['no file name', partOf('form-data; name="file"', 'x')],
    ['an empty file name', partOf('form-data; name="file"; filename=""', 'x')],
    ['another field', partOf('form-data; name="files"; filename="a"', 'x')],
    ['no part', ''],
  ])('a form with %s is a bad request', async (_, parts) => {
    expect((await post(`${parts}--${boundary}--\r\n`)).status).toBe(400);
    expect(service.files()).toEqual([]);
  });

  it('a body without its closing boundary, or that is no form, is a bad request', async () => {
    expect((await post(partOf('form-data; name="file"; filename="a"', 'x'))).status).toBe(400);
    expect((await post('{}', { 'content-type': 'application/json' })).status).toBe(400);
    expect((await post('x', { 'content-type': 'multipart/form-data' })).status).toBe(400);
    expect(await readdir(join(service.dir, 'incoming'))).toEqual([]);
  });

  it('takes the first of two files and notes every part with its head', async () => {
    const disposition = 'form-data; name="file"; filename="a"';
    await post(`${partOf(disposition, 'one')}${partOf(disposition, 'three')}--${boundary}--\r\n`);
    expect(service.files().map((file) => file.sizeBytes)).toEqual([3]);
    const [record] = service.requests();
    expect(record?.parts).toEqual([
      { headers: [['content-disposition', disposition]], name: 'file', filename: 'a', bytes: 3 },
      { headers: [['content-disposition', disposition]], name: 'file', filename: 'a', bytes: 5 },
    ]);
    expect(record?.bodyStart).toContain(
      `--${boundary}\r\nContent-Disposition: ${disposition}\r\n\r\none\r\n--`,
    );
    expect(record?.bodyEnd).toMatch(/--b0undary--\r\n$/);
  });

  it('takes a body that has piled up into one large chunk before it is read', async () => {
    service.faults.add({ fault: { kind: 'delay', at: 'headers', ms: 10 } });
    const disposition = 'form-data; name="file"; filename="a"';
    expect((await postFile(disposition, 'x'.repeat(150_000))).status).toBe(200);
    expect(service.files()[0]?.sizeBytes).toBe(150_000);
  });

  it('keeps bytes that look like boundaries whole, however the body is cut up', async () => {
    const near = [
      `\r\n--${boundary.slice(0, -1)}`,
      '\r\n-',
      '\r',
      '\n',
      '\r\n\r\n--',
      `--${boundary}`,
      'data',
    ];
    const dice = randomBytes(4000);
    // Not at the very beginning: after a line's end, the head's included, it would be a boundary.
    const text = `data${Array.from(dice, (each) => near[each % near.length]).join('')}`;
    const content = Buffer.from(text.replaceAll(`\r\n--${boundary}`, '\r\n--almost'));
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`;
    const body = Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]);
    const pieces: Buffer[] = [];
    for (let from = 0, turn = 0; from < body.length; turn += 1) {
      const length = 1 + (dice[turn % dice.length] ?? 0);
      pieces.push(body.subarray(from, from + length));
      from += length;
    }
    await talk([uploadHead(body.length, 'Connection: close\r\n'), ...pieces]);
    expect(service.files()[0]?.sha256).toBe(createHash('sha256').update(content).digest('hex'));
  });
});

describe('a client that dies', () => {
  const content = 'x'.repeat(3000);
  const body = `${partOf('form-data; name="file"; filename="a"', content)}--${boundary}--\r\n`;

  it.each([0, 1, 60, 1500, body.length - 12, body.length - 1])(
    'after %i bytes of the body leaves nothing',
    async (bytes) => {
      await start();
      await talk([uploadHead(body.length), body.slice(0, bytes)], true);
      await eventually(() => service.requests()[0]?.outcome === 'client-gone');
      expect(service.requests()[0]).toMatchObject({ bodyComplete: false, status: null });
      expect(service.files()).toEqual([]);
      await eventually(async () => (await readdir(join(service.dir, 'incoming'))).length === 0);
      expect(await readdir(join(service.dir, 'files'))).toEqual([]);
    },
  );

  it('after the whole body has uploaded its file', async () => {
    await start();
    service.faults.add({ fault: { kind: 'stall', at: 'done' } });
    const talked = talk([uploadHead(body.length), body]);
    await eventually(() => service.files().length === 1);
    expect(service.requests()[0]).toMatchObject({ bodyComplete: true, status: null });
    await service.close();
    expect(await talked).toBe('');
  });
});
