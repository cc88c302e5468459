// Header lines as no server should send them: huge, thousands, folded, cut, with controls in them.
import type { Dice } from '../simulation/dice.ts';
import type { Legit } from './answers.ts';
import { framed, framings, type Raw } from './framing.ts';

export const byHeaders = (body: Buffer, dice: Dice, key: string): Raw => {
  const many = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => `x-${index}: ${index}`);
  const [lines, legit, label] = dice.pick<[string[], Legit, string]>([
    [['X-Upper: Y', 'x-empty:', 'x-blank:   '], 'must', 'odd ones'],
    [many(100), 'may', '100'],
    [many(3000), 'may', '3,000'],
    [many(10_000), 'never', '10,000'],
    [[`x-huge: ${'x'.repeat(20_000)}`], 'may', '20 kB in one'],
    [[`x-huge: ${'x'.repeat(200_000)}`], 'never', '200 kB in one'],
    [['x-folded: a', ' b', '\tc'], 'may', 'folded'],
    [['content-length: ', ' 5'], 'may', 'a folded length'],
    [['x: a\r\rb'], 'may', 'carriage returns'],
    [['x: a\u0000b'], 'may', 'a NUL'],
    [['x: \u0001\u007f\u0080\u00ff'], 'may', 'controls'],
    [['no colon'], 'may', 'no colon'],
    [[': no name'], 'may', 'no name'],
    [['x y: z'], 'may', 'a blank in the name'],
    [['\u00e9: z'], 'may', 'a name that is not ASCII'],
    [['__proto__: polluted', 'constructor: x', 'toString: y'], 'may', 'names of objects'],
    [Array.from({ length: 300 }, () => 'set-cookie: a=b'), 'may', '300 cookies'],
    [[`x-key: ${key}`, `www-authenticate: Bearer ${key}`], 'may', 'the key'],
    [['connection: keep-alive', 'keep-alive: timeout=999999'], 'must', 'keep-alive'],
    [['connection: upgrade', 'upgrade: h2c'], 'may', 'upgrade'],
    [['date: Thu, 01 Jan 1970 00:00:00 GMT'], 'must', 'an old date'],
    [['trailer: content-length'], 'may', 'trailer'],
    [['content-type: application/json', 'content-type: text/html'], 'may', 'two types'],
    [[''], 'never', 'an end too early'],
  ]);
  const framing = dice.pick(framings);
  const bytes = framed(body, framing, 'HTTP/1.1 200 OK', lines);
  // Moved up, the lines come before those that frame the body; an empty one ends the head there.
  const [start, ...rest] = bytes.toString('latin1').split('\r\n');
  const atStart = dice.happens(0.3) && label !== 'an end too early';
  const own = rest.slice(0, 2);
  const moved = atStart ? [start, ...lines, ...own, ...rest.slice(2 + lines.length)].join('\r\n') : null;
  // The head has ended early, so the blank line before the body becomes part of the body.
  const early = label === 'an end too early' && framing !== 'length' ? 'may' : legit;
  return {
    bytes: moved === null ? bytes : Buffer.from(moved, 'latin1'),
    legit: early,
    said: 'success',
    label: `headers: ${label}`,
  };
};
