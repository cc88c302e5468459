// The small parts of the service's adapter that need no socket.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLinkCheck } from '../../src-main/adapters/api/links.ts';
import { createPart } from '../../src-main/adapters/api/multipart.ts';
import { createBandwidth } from '../../src-main/adapters/api/bandwidth.ts';
import { clean, echoesKey } from '../../src-main/adapters/api/words.ts';
import { parseSecret } from '../../src-main/adapters/secret.ts';
import { never } from './api-wire.ts';

test('a part has one header whatever the name, or there is no part', () => {
  const names = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc
      .array(fc.constantFrom('"', '\\', '\r', '\n', ';', '%22', '--', 'filename=', 'a', '\0'))
      .map((all) => all.join('')),
  );
  fc.assert(
    fc.property(names, (name) => {
      let head: string;
      try {
        head = createPart(name, 5).head.toString();
      } catch (error) {
        expect(error).toMatchObject({ code: 'bad-use' });
        return;
      }
      const lines = head.split('\r\n');
      expect(lines).toHaveLength(5);
      expect(lines[1]).toBe(`Content-Disposition: form-data; name="file"; filename="${name}"`);
      expect(head.match(/"/g)).toHaveLength(4);
    }),
  );
});

test('no two parts share a boundary', () => {
  const types = new Set(Array.from({ length: 100 }, () => createPart('a', 1).contentType));
  expect(types.size).toBe(100);
});

test('a link is sane on the host of the API and on the named hosts', () => {
  const isSane = createLinkCheck(new URL('https://api.example/api/v1'), [
    'Files.example',
    'cdn.example:8443',
    'x.example:443',
  ]);
  for (const link of [
    'https://api.example/download/abc',
    'HTTPS://API.EXAMPLE/d',
    'https://api.example:443/d',
    'https://files.example/d?x=1',
    'https://cdn.example:8443/d',
    'https://x.example/d',
  ]) {
    expect(isSane(link), link).toBe(true);
  }
  for (const link of [
    '',
    'abc',
    'https://api.example/',
    'https://api.example',
    'http://api.example/d',
    'https://api.example:444/d',
    'https://www.api.example/d',
    'https://example/d',
    'https://cdn.example/d',
    'https://api.example.evil.example/d',
    'https://api.example@evil.example/d',
    'https://me@api.example/d',
    'https://me:pw@api.example/d',
    'https:\\\\api.example\\d',
    'https:/api.example/d',
    ' https://api.example/d',
    'https://api.example/d ',
    'https://api.example/d\n',
    'https://api.example/\u202egnp.exe',
    'https://api.example/\u200bd',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'http://127.0.0.1/d',
    `https://api.example/${'d'.repeat(2048)}`,
  ]) {
    expect(isSane(link), link).toBe(false);
  }
});

test('a plain http: link is sane on this machine only, and only when the API is there too', () => {
  const isSane = createLinkCheck(new URL('http://127.0.0.1:8080/api/v1'), [
    '127.0.0.1:9090',
    'files.example',
  ]);
  expect(isSane('http://127.0.0.1:8080/download/x')).toBe(true);
  expect(isSane('http://127.0.0.1:9090/download/x')).toBe(true);
  expect(isSane('https://files.example/download/x')).toBe(true);
  expect(isSane('http://files.example/download/x')).toBe(false);
  expect(isSane('http://127.0.0.1:8081/download/x')).toBe(false);
  expect(isSane('http://localhost:8080/download/x')).toBe(false);
});

test('all uploads together stay within the bandwidth, in small slices', async () => {
  let nowMs = 1000;
  const waits: number[] = [];
  const bandwidth = createBandwidth(50_000, {
    monoMs: () => nowMs,
    delay: async (waitMs) => {
      waits.push(waitMs);
    },
  });
  const slices = [...bandwidth.slices(new Uint8Array(12_000))];
  expect(slices.map((slice) => slice.length)).toEqual([5000, 5000, 2000]);
  await bandwidth.turn(5000, never);
  await bandwidth.turn(5000, never);
  await bandwidth.turn(2000, never);
  expect(waits).toEqual([100, 200]);
  // Bandwidth that was not used is not saved up.
  nowMs = 60_000;
  await bandwidth.turn(5000, never);
  await bandwidth.turn(5000, never);
  expect(waits).toEqual([100, 200, 100]);
});

test('without a cap nothing waits, and large pieces are still sent in slices that a slow line can finish', async () => {
  const bandwidth = createBandwidth(0, {
    monoMs: () => 0,
    delay: () => Promise.reject(new Error('waited')),
  });
  const piece = new Uint8Array(300_000);
  const slices = [...bandwidth.slices(piece)];
  expect(slices.map((slice) => slice.length)).toEqual([131_072, 131_072, 37_856]);
  // Views, not copies.
  expect(slices.every((slice) => slice.buffer === piece.buffer)).toBe(true);
  await bandwidth.turn(5_000_000, never);
});

test('quoted words are one printable line', () => {
  expect(clean('a\r\nb\t c\u0000\u202e\u2066d\ud800')).toBe('a b cd\ufffd');
  expect(Array.from(clean('😀'.repeat(500)))).toHaveLength(200);
});

test('the key is recognised in every form in which a service might return it', () => {
  const secret = parseSecret('sk_live+/51H8x=Qz');
  const key = secret.reveal();
  for (let before = 0; before < 4; before += 1) {
    const around = `${'p'.repeat(before)}${key}tail`;
    expect(echoesKey(Buffer.from(around).toString('base64'), secret)).toBe(true);
    expect(echoesKey(Buffer.from(around).toString('base64url'), secret)).toBe(true);
  }
  expect(echoesKey(encodeURIComponent(key), secret)).toBe(true);
  expect(echoesKey(Buffer.from(key).toString('hex').toUpperCase(), secret)).toBe(true);
  expect(echoesKey(`…${key.slice(-8)}`, secret)).toBe(true);
  expect(echoesKey('Daily limit of 5000 uploads reached', secret)).toBe(false);
});
