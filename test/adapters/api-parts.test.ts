// The small parts of the service's adapter that need no socket.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLinkCheck } from '../../src-main/adapters/api/links.ts';
import { createPart } from '../../src-main/adapters/api/multipart.ts';
import { createBandwidth } from '../../src-main/adapters/api/bandwidth.ts';
import { clean, echoesKey } from '../../src-main/adapters/api/words.ts';
import { parseSecret } from '../../src-main/adapters/secret.ts';
import { anyLetter } from '../support/any-letter.ts';
import { never } from './api-wire.ts';

test('a part has one header whatever the name, or there is no part', () => {
  const names = fc.oneof(
    fc.string({ unit: anyLetter, maxLength: 60 }),
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

/** Bandwidth in virtual time: a wait takes as long as it is told, and `waits` has them. */
const bandwidthIn = (cap: { now: number }) => {
  const time = { nowMs: 1000 };
  const waits: number[] = [];
  const bandwidth = createBandwidth(() => cap.now, {
    monoMs: () => time.nowMs,
    delay: async (waitMs) => {
      waits.push(waitMs);
      time.nowMs += waitMs;
    },
  });
  return { bandwidth, waits, time };
};
const sizes = (slices: Iterable<Uint8Array>): number[] => [...slices].map((slice) => slice.length);

test('all uploads together stay within the bandwidth, in small slices', async () => {
  const { bandwidth, waits, time } = bandwidthIn({ now: 50_000 });
  expect(sizes(bandwidth.slices(new Uint8Array(12_000)))).toEqual([5000, 5000, 2000]);
  for (const bytes of [5000, 5000, 2000, 2000]) await bandwidth.turn(bytes, never);
  expect(waits).toEqual([100, 100, 40]);
  // Bandwidth that was not used is not saved up.
  time.nowMs = 60_000;
  for (const bytes of [5000, 5000]) await bandwidth.turn(bytes, never);
  expect(waits).toEqual([100, 100, 40, 100]);
});

test.each([
  ['lifted', 0, [131_072], 0],
  ['raised', 1_000_000, [100_000, 31_072], 100],
  ['lowered', 4096, Array.from({ length: 32 }, () => 4096), 24_400],
  ['kept', 50_000, [...Array.from({ length: 26 }, () => 5000), 1072], 2000],
])('a cap that is %s counts for an upload that runs', async (_what, changed, slices, waitedMs) => {
  const cap = { now: 50_000 };
  const { bandwidth, waits } = bandwidthIn(cap);
  await bandwidth.turn(100_000, never);
  cap.now = changed;
  expect(sizes(bandwidth.slices(new Uint8Array(131_072)))).toEqual(slices);
  await bandwidth.turn(5000, never);
  expect(Math.round(waits.reduce((sum, one) => sum + one, 0) / 100) * 100).toBe(waitedMs);
});

test('a slice that waits under a cap of almost nothing goes when the cap is lifted', async () => {
  const cap = { now: 1 };
  let looks = 0;
  const bandwidth = createBandwidth(() => cap.now, {
    monoMs: () => 0,
    delay: async () => {
      if ((looks += 1) === 3) cap.now = 0;
    },
  });
  await bandwidth.turn(4096, never);
  await bandwidth.turn(4096, never);
  expect(looks).toBe(3);
});

test('without a cap nothing waits, and large pieces are still sent in slices that a slow line can finish', async () => {
  const { bandwidth, waits } = bandwidthIn({ now: 0 });
  const piece = new Uint8Array(300_000);
  const slices = [...bandwidth.slices(piece)];
  expect(sizes(slices)).toEqual([131_072, 131_072, 37_856]);
  // Views, not copies.
  expect(slices.every((slice) => slice.buffer === piece.buffer)).toBe(true);
  await bandwidth.turn(5_000_000, never);
  expect(waits).toEqual([]);
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
