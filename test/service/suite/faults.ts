// What goes wrong on request, and the control endpoint.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ask, eventually, nowMs, service, start, talk, upload, uploadJson } from './rig.ts';

describe('the faults', () => {
  beforeEach(() => start());
  const stored = () => service.files().length;

  it('refuse a connection before any byte, once', async () => {
    service.faults.add({ fault: { kind: 'refuse' } });
    await expect(ask('/stats')).rejects.toThrow();
    expect(service.requests()).toEqual([]);
    expect((await ask('/stats')).status).toBe(200);
  });

  it.each([
    ['headers', 0],
    ['body', 0],
    ['read', 0],
    ['done', 1],
  ] as const)('reset an upload at %s, with %i files stored', async (at, files) => {
    service.faults.add({ match: { path: '/files/upload' }, fault: { kind: 'reset', at } });
    expect((await ask('/stats')).status).toBe(200);
    await expect(upload('a', 'hello')).rejects.toThrow();
    await eventually(() => service.requests()[1]?.endedAtMs !== null);
    expect(stored()).toBe(files);
    expect(service.requests()[1]).toMatchObject({ outcome: 'cut', status: null, faults: ['reset'] });
    expect(await readdir(join(service.dir, 'incoming'))).toEqual([]);
  });

  it('choose by the name of the file, the how-manieth time, and a condition', async () => {
    service.faults.add(
      { match: { filename: 'bad' }, fault: { kind: 'answer', status: 503 } },
      { match: { path: '/files*', nth: 3 }, fault: { kind: 'answer', status: 504 } },
      { when: ({ url }) => url.endsWith('limit=7'), fault: { kind: 'answer', status: 599 } },
    );
    expect((await upload('good', 'x')).status).toBe(200);
    expect((await upload('bad', 'x')).status).toBe(503);
    expect((await ask('/files')).status).toBe(504);
    expect((await ask('/files?limit=7')).status).toBe(599);
    expect(stored()).toBe(1);
    expect(service.faults.pending()).toEqual([]);
  });

  it('answer with anything, stored or not, and redirect', async () => {
    const headers = { 'content-type': 'text/html', 'x-odd': '1' };
    service.faults.add(
      { fault: { kind: 'answer', at: 'done', status: 502, headers, body: '<html>' } },
      { fault: { kind: 'redirect', status: 307, location: 'http://elsewhere.example/' } },
      { fault: { kind: 'answer', at: 'headers', status: 413 } },
    );
    const lost = await upload('a', 'x');
    expect([lost.status, lost.headers.get('x-odd'), await lost.text(), stored()]).toEqual([
      502,
      '1',
      '<html>',
      1,
    ]);
    const moved = await upload('b', 'x');
    expect([moved.status, moved.headers.get('location'), stored()]).toEqual([
      307,
      'http://elsewhere.example/',
      1,
    ]);
    expect((await upload('c', 'x')).status).toBe(413);
  });

  it('spoil answers of uploads that were stored', async () => {
    await uploadJson('first', 'x');
    service.faults.add(
      { fault: { kind: 'success-false' } },
      { fault: { kind: 'foreign-id', fileId: 1001 } },
      { fault: { kind: 'foreign-id' } },
      { fault: { kind: 'wrong-types' } },
      { fault: { kind: 'patch', fields: { filename: 'other' } } },
      { fault: { kind: 'huge', bytes: 100_000 } },
    );
    expect(await uploadJson('a', 'x')).toMatchObject({ success: false });
    expect(await uploadJson('b', 'x')).toMatchObject({ success: true, file_id: 1001, filename: 'b' });
    const other = service.files()[2];
    expect(await uploadJson('c', 'x')).toMatchObject({ file_id: other?.id, public_link: other?.link });
    expect(await uploadJson('d', 'x')).toMatchObject({ success: 'true', file_id: '1005', filename: ['d'] });
    expect(await uploadJson('e', 'x')).toMatchObject({ filename: 'other' });
    expect(JSON.stringify(await uploadJson('f', 'x')).length).toBeGreaterThan(100_000);
    service.faults.add({ fault: { kind: 'malformed' } });
    await expect(uploadJson('g', 'x')).rejects.toThrow(SyntaxError);
    expect(stored()).toBe(8);
  });

  it('cut answers short: in the body, in the head, in a download', async () => {
    service.faults.add({ fault: { kind: 'truncate', atByte: 5 } });
    await expect(uploadJson('a', 'hello')).rejects.toThrow();
    service.faults.add({ fault: { kind: 'truncate', atByte: 12, of: 'answer' } });
    expect(
      await talk(['GET /api/v1/stats HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer the-key\r\n\r\n']),
    ).toBe('HTTP/1.1 200');
    service.faults.add({ match: { path: '/download/*' }, fault: { kind: 'truncate', atByte: 2 } });
    await expect(fetch(service.files()[0]?.link ?? '').then((each) => each.text())).rejects.toThrow();
    expect(stored()).toBe(1);
  });

  it('add manners to each other: interim answers, delays, drips', async () => {
    service.faults.add(
      { fault: { kind: 'interim', statuses: [102, 103] } },
      { fault: { kind: 'delay', ms: 1 } },
      { fault: { kind: 'drip-answer', bytes: 40, everyMs: 1 } },
      { fault: { kind: 'drip-read', bytesPerSecond: 1e6 } },
      { fault: { kind: 'success-false' } },
    );
    const heard = await talk([
      'GET /api/v1/stats HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer the-key\r\n\r\n',
    ]);
    expect(heard).toMatch(
      /^HTTP\/1.1 102 Processing\r\n\r\nHTTP\/1.1 103 Early Hints\r\n\r\nHTTP\/1.1 200 OK\r\n/,
    );
    expect(heard).toMatch(/"success":false/);
    expect(service.requests()[0]?.faults).toHaveLength(5);
  });

  it('delay the work itself, which goes on when the client has left', async () => {
    service.faults.add({ fault: { kind: 'delay', at: 'read', ms: 300 } });
    const leaving = new AbortController();
    const uploading = expect(upload('a', 'x', { signal: leaving.signal })).rejects.toThrow();
    await eventually(() => service.requests()[0]?.bodyComplete === true);
    leaving.abort();
    await uploading;
    expect(stored()).toBe(0);
    await eventually(() => stored() === 1);
  });

  it.each(['headers', 'body', 'read'] as const)('stall at %s until the service closes', async (at) => {
    service.faults.add({ fault: { kind: 'stall', at } });
    const uploading = expect(upload('a', 'hello')).rejects.toThrow();
    await eventually(() => service.requests()[0]?.outcome === 'cut');
    await service.close();
    await uploading;
    expect(stored()).toBe(0);
  });

  it('come by chance, the same with the same seed', async () => {
    const run = async () => {
      await start({ seed: 7, requestsPerMinute: null });
      service.faults.add({ chance: 0.3, fault: { kind: 'answer', status: 500 } });
      const statuses: number[] = [];
      for (let count = 0; count < 40; count += 1) statuses.push((await ask('/stats')).status);
      return statuses;
    };
    const first = await run();
    expect(new Set(first)).toEqual(new Set([200, 500]));
    expect(await run()).toEqual(first);
  });

  it('the whole service can stop listening and come back on its port', async () => {
    service.refuseConnections();
    await eventually(() =>
      ask('/stats').then(
        () => false,
        () => true,
      ),
    );
    await service.listen();
    expect((await ask('/stats')).status).toBe(200);
  });
});

describe('the control endpoint', () => {
  const control = async (method: string, path: string, body?: unknown) => {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    return (await (await fetch(service.controlUrl + path, init)).json()) as unknown;
  };

  it('reads files and requests, adds faults, turns knobs, keys and the clock', async () => {
    await start();
    await control('POST', '/faults', [{ match: { path: '/stats' }, fault: { kind: 'answer', status: 503 } }]);
    expect((await ask('/stats')).status).toBe(503);
    await control('POST', '/files', { filename: 'theirs', content: 'abc' });
    await control('POST', '/knobs', { order: 'oldest' });
    await control('POST', '/key', { key: 'new' });
    await control('POST', '/tick', { ms: 5 });
    expect((await ask('/stats')).status).toBe(401);
    expect(await control('GET', '/files')).toMatchObject([{ filename: 'theirs', sizeBytes: 3 }]);
    expect(await control('GET', '/requests?since=1')).toMatchObject([{ number: 2, status: 401 }]);
    expect(await control('GET', '/summary')).toMatchObject({ requests: 2, files: 1, now: nowMs + 5 });
    expect(service.knobs().order).toBe('oldest');
    expect(await control('GET', '/other')).toHaveProperty('error');
  });
});
