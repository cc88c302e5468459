// Turns a body into bytes on a socket, in every right and wrong way of HTTP/1.1 (RFC 9112).
import type { Dice } from '../simulation/dice.ts';
import { worst, type Legit } from './answers.ts';

/** What a correct client reads as the status: a definite refusal lets a file be sent again, anything else does not. */
export type Said = 'success' | 'refusal' | 'nothing' | 'unclear';

export type Raw = { bytes: Buffer; legit: Legit; said: Said; label: string };

/** How the other side ends: closes, resets, keeps the connection open and silent, or never stops sending. */
export type Ending = 'close' | 'reset' | 'hold' | 'endless';

const head = (lines: readonly string[]): string => `${lines.join('\r\n')}\r\n\r\n`;
export const ok = 'HTTP/1.1 200 OK';
const json = 'content-type: application/json';

export type Framing = 'length' | 'chunked' | 'until-close';
export const framings: readonly Framing[] = ['length', 'chunked', 'until-close'];

const chunksOf = (body: Buffer, sizes: () => number, extension = ''): Buffer => {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const size = Math.min(body.length - at, sizes());
    parts.push(
      Buffer.from(`${size.toString(16)}${extension}\r\n`),
      body.subarray(at, at + size),
      Buffer.from('\r\n'),
    );
    at += size;
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
};

/** The plain right way. */
export const framed = (body: Buffer, framing: Framing, start = ok, more: readonly string[] = []): Buffer => {
  switch (framing) {
    case 'length':
      return Buffer.concat([
        Buffer.from(head([start, json, `content-length: ${body.length}`, ...more]), 'latin1'),
        body,
      ]);
    case 'chunked':
      return Buffer.concat([
        Buffer.from(head([start, json, 'transfer-encoding: chunked', ...more]), 'latin1'),
        chunksOf(body, () => 64),
      ]);
    case 'until-close':
      return Buffer.concat([Buffer.from(head([start, json, 'connection: close', ...more]), 'latin1'), body]);
  }
};

export const isRefusal = (status: number): boolean => status >= 300 && status <= 499;
const saidBy = (status: number): Said =>
  isRefusal(status) ? 'refusal' : status >= 200 && status <= 299 ? 'success' : 'nothing';

// ---------------------------------------------------------------- statuses and start lines

const statuses = [
  ...[200, 201, 202, 203, 204, 205, 206, 226, 299, 300, 301, 302, 303, 304, 305, 307, 308, 399],
  ...[
    400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 418, 421, 422, 423,
    425,
  ],
  ...[426, 428, 429, 431, 451, 499, 500, 501, 502, 503, 504, 505, 507, 511, 520, 599, 600, 999],
];

const locations = [
  'http://127.0.0.1:9/',
  '//127.0.0.1:9/x',
  'javascript:alert(1)',
  'http://user:pass@127.0.0.1:9/',
  '/api/v1/files',
  '../../../',
  'data:text/html,x',
  'file:///etc/passwd',
  '\u202ehttp://x'.normalize(),
  '%0d%0aX: y',
  `http://127.0.0.1/${'a'.repeat(9000)}`,
  '',
  'http://[::1',
];

export const byStatus = (body: Buffer, dice: Dice, bodyLegit: Legit): Raw => {
  const status = dice.pick(statuses);
  const more = status >= 300 && status < 400 ? [`location: ${dice.pick(locations)}`] : [];
  if (status === 429 || status === 503)
    more.push(
      `retry-after: ${dice.pick(['0', '1', '-1', '1e9', '99999999999999999999', 'Fri, 01 Jan 2100 00:00:00 GMT', 'x', ''])}`,
    );
  if (dice.happens(0.3)) more.push(`date: ${dice.pick(['x', '0', 'Thu, 99 Feb 9999 99:99:99 GMT', ''])}`);
  const reason = dice.pick(['', ' OK', ' \u00e9\u00ff', ` ${'r'.repeat(2000)}`, ' 200 OK']);
  const bytes = framed(body, dice.pick(framings), `HTTP/1.1 ${status}${reason}`, more);
  const legit =
    status === 200 || status === 201 ? bodyLegit : status > 299 ? 'never' : worst('may', bodyLegit);
  // Without a reason even the blank after the status is missing, which some parsers reject.
  const plain = reason === '' ? worst('may', legit) : legit;
  return { bytes, legit: plain, said: saidBy(status), label: `status ${status}` };
};

export const byStartLine = (body: Buffer, dice: Dice): Raw => {
  const start = dice.pick([
    'HTTP/1.0 200 OK',
    'HTTP/1.2 200 OK',
    'HTTP/2.0 200 OK',
    'HTTP/0.9 200 OK',
    'HTTP/1.1  200 OK',
    'HTTP/1.1 20 OK',
    'HTTP/1.1 2000 OK',
    'HTTP/1.1 2OO OK',
    'HTTP/1.1 -200 OK',
    'HTTP/1.1 000 OK',
    'HTTP/11 200 OK',
    'HTP/1.1 200 OK',
    'ICY 200 OK',
    'SSH-2.0-OpenSSH_9.6',
    '\u0016\u0003\u0001\u0002',
    ' HTTP/1.1 200 OK',
    '\r\nHTTP/1.1 200 OK',
    'POST / HTTP/1.1',
    '<html>',
    '',
    'HTTP/1.1 200 OK\u0000',
    `HTTP/1.1 200 ${'x'.repeat(70_000)}`,
    'http/1.1 200 ok',
  ]);
  return {
    bytes: framed(body, dice.pick(framings), start),
    legit: 'may',
    said: 'unclear',
    label: `start ${JSON.stringify(start.slice(0, 30))}`,
  };
};

// ---------------------------------------------------------------- interim answers, two answers, switching

const interim = (status: number, lines: readonly string[] = []): Buffer =>
  Buffer.from(head([`HTTP/1.1 ${status} Wait`, ...lines]));

export const withInterim = (body: Buffer, dice: Dice): Raw => {
  const count = dice.pick([1, 1, 2, 3, 60]);
  const status = dice.pick([100, 100, 102, 103, 110, 199]);
  const first = Array.from({ length: count }, () =>
    interim(status, status === 103 ? ['link: </x>; rel=preload'] : []),
  );
  return {
    bytes: Buffer.concat([...first, framed(body, dice.pick(framings))]),
    legit: count > 3 || status === 110 || status === 199 ? 'may' : 'must',
    said: 'success',
    label: `${count} × ${status}`,
  };
};

export const onlyInterim = (body: Buffer, dice: Dice): Raw => {
  const status = dice.pick([100, 101, 102, 103, 199]);
  const after = status === 101 && dice.happens(0.7) ? framed(body, 'length') : Buffer.alloc(0);
  return {
    bytes: Buffer.concat([
      interim(status, status === 101 ? ['connection: upgrade', 'upgrade: websocket'] : []),
      after,
    ]),
    legit: 'never',
    said: 'nothing',
    label: `only ${status}`,
  };
};

/** Two answers to one question: the first is the answer (RFC 9112 §9.2), whatever follows. */
export const twoAnswers = (body: Buffer, dice: Dice): Raw => {
  const good = framed(body, 'length');
  const other = dice.pick([
    framed(Buffer.from('{"success":false}'), 'length'),
    framed(Buffer.alloc(0), 'length', 'HTTP/1.1 500 X'),
    framed(Buffer.from('no'), 'length', 'HTTP/1.1 404 X'),
    framed(Buffer.alloc(0), 'length'),
    framed(Buffer.from('{"success":true'), 'chunked'),
  ]);
  if (dice.happens(0.5))
    return { bytes: Buffer.concat([good, other]), legit: 'may', said: 'success', label: 'two answers' };
  const status = Number(other.toString('latin1', 9, 12));
  return {
    bytes: Buffer.concat([other, good]),
    legit: 'never',
    said: saidBy(status),
    label: 'a bad answer, then a good one',
  };
};

// ---------------------------------------------------------------- lengths

export const byLength = (body: Buffer, dice: Dice): Raw => {
  const n = body.length;
  const [lines, legit] = dice.pick<[string[], Legit]>([
    [[`content-length: ${n}`, `content-length: ${n}`], 'may'],
    [[`content-length: ${n}, ${n}`], 'may'],
    [[`content-length: ${n}`, `content-length: ${n + 1}`], 'never'],
    [[`content-length: ${n + 1}`, `content-length: ${n}`], 'never'],
    [[`content-length: ${n}, ${n - 1}`], 'never'],
    [[`content-length: ${n + 7}`], 'never'],
    [[`content-length: ${Math.max(0, n - 2)}`], 'never'],
    [['content-length: 0'], 'never'],
    [[`content-length: +${n}`], 'may'],
    [[`content-length: -${n}`], 'may'],
    [[`content-length: 0x${n.toString(16)}`], 'may'],
    [[`content-length: ${n}.0`], 'may'],
    [[`content-length:   ${n}   `], 'may'],
    [['content-length: '], 'may'],
    [['content-length: 18446744073709551616'], 'never'],
    [['content-length: 99999999999999999999999999'], 'never'],
    [[`content-length: ${n}`, 'transfer-encoding: chunked'], 'never'],
    [[`content-length: ${n}`, 'transfer-encoding: identity'], 'may'],
    [[`content-length: ${n}`, 'content-encoding: gzip'], 'may'],
    [[`content-length: ${n}`, 'content-range: bytes 0-1/2'], 'may'],
    [[`content-length : ${n}`], 'may'],
    [[`Content-LENGTH: ${n}`], 'must'],
  ]);
  return {
    bytes: Buffer.concat([Buffer.from(head([ok, json, ...lines])), body]),
    legit,
    said: 'success',
    label: `length ${lines.join(' | ').replaceAll(String(n), 'N')}`,
  };
};

export const byChunks = (body: Buffer, dice: Dice): Raw => {
  const chunked = (
    bytes: Buffer | string,
    lines: readonly string[] = ['transfer-encoding: chunked'],
  ): Buffer => Buffer.concat([Buffer.from(head([ok, json, ...lines])), Buffer.from(bytes)]);
  // Large bodies in large chunks: otherwise most of the bytes would be sizes.
  const scale = Math.ceil(body.length / 2000);
  const good = (size: number, extension = ''): Buffer => chunksOf(body, () => size * scale, extension);
  const size = body.length.toString(16);
  const text = body.toString('latin1');
  const asText = (value: string): Buffer => Buffer.from(value, 'latin1');
  const [bytes, legit, label] = dice.pick<() => [Buffer, Legit, string]>([
    () => [chunked(good(1)), 'must', 'chunks of 1'],
    () => [chunked(good(7, ';a=b')), 'may', 'with extensions'],
    () => [chunked(good(7, `;${'x'.repeat(20_000)}`)), 'may', 'with huge extensions'],
    () => [
      chunked(Buffer.concat([good(50).subarray(0, -2), asText('x-trailer: y\r\n\r\n')])),
      'may',
      'with a trailer',
    ],
    () => [
      chunked(
        Buffer.concat([good(50).subarray(0, -2), asText('content-length: 1\r\nset-cookie: a\r\n\r\n')]),
      ),
      'may',
      'with a lying trailer',
    ],
    () => [chunked(good(50).subarray(0, -5)), 'never', 'without the last chunk'],
    () => [chunked(good(50).subarray(0, -2)), 'never', 'without the last line'],
    () => [
      chunked(asText(`${(body.length + 9).toString(16)}\r\n${text}\r\n0\r\n\r\n`)),
      'never',
      'larger than sent',
    ],
    () => [
      chunked(asText(`${(body.length - 2).toString(16)}\r\n${text}\r\n0\r\n\r\n`)),
      'never',
      'smaller than sent',
    ],
    () => [chunked(asText(`zz\r\n${text}\r\n0\r\n\r\n`)), 'never', 'size no number'],
    () => [chunked(asText(`-${size}\r\n${text}\r\n0\r\n\r\n`)), 'never', 'size negative'],
    () => [chunked(asText(`0x${size}\r\n${text}\r\n0\r\n\r\n`)), 'never', 'size with 0x'],
    () => [chunked(asText(`ffffffffffffffff\r\n${text}\r\n0\r\n\r\n`)), 'never', 'size of 2^64'],
    () => [
      chunked(asText(`${'0'.repeat(40)}${size}\r\n${text}\r\n0\r\n\r\n`)),
      'may',
      'size with zeros before',
    ],
    () => [chunked(asText(`${size}\n${text}\n0\n\n`)), 'may', 'line feeds only'],
    () => [chunked(asText(`${size} \r\n${text}\r\n0\r\n\r\n`)), 'may', 'blank after the size'],
    () => [chunked(asText(`0\r\n\r\n${size}\r\n${text}\r\n0\r\n\r\n`)), 'never', 'ends, then goes on'],
    () => [chunked(body), 'never', 'not chunked at all'],
    () => [chunked(good(50), ['transfer-encoding: gzip, chunked']), 'may', 'gzip, chunked'],
    () => [chunked(good(50), ['transfer-encoding: chunked, chunked']), 'may', 'chunked twice'],
    () => [chunked(good(50), ['transfer-encoding: xchunked']), 'never', 'xchunked'],
    () => [chunked(good(50), ['transfer-encoding: identity']), 'never', 'identity'],
    () => [chunked(good(50), ['Transfer-Encoding: CHUNKED']), 'may', 'CHUNKED'],
  ])();
  return { bytes, legit, said: 'success', label: `chunked: ${label}` };
};
