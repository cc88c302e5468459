// Chance letters and lines for the corpus, by a seed.
import { seeded } from '../limiter-models.ts';

export type CorpusFile = { kind: string; name: string; content: string };

const lower = 'abcdefghijklmnopqrstuvwxyz';
const letters = {
  plain: `${lower}${lower.toUpperCase()}0123456789`,
  letters: `${lower}${lower.toUpperCase()}`,
  lower,
  upper: `${lower.toUpperCase()}234567`,
  hex: '0123456789abcdef',
  upperHex: '0123456789ABCDEF',
  digits: '0123456789',
  digit: '123456789',
  bech32: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
  base64: `${lower}${lower.toUpperCase()}0123456789+/`,
};

const words =
  'the file window server index value list render update cache retry user group order total price report north south table garden river count first second open close begin state event row page link tray'.split(
    ' ',
  );

export type Text = ReturnType<typeof createText>;

export const createText = (seed: number) => {
  const chance = seeded(seed);
  const below = (most: number): number => Math.floor(chance() * most);
  const of = (kind: keyof typeof letters, length: number): string => {
    const from = letters[kind];
    let text = '';
    while (text.length < length) text += from[below(from.length)] ?? '';
    return text;
  };
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const base64 = (length: number): string => `${of('base64', length - 2)}==`;
  const sentence = (count: number): string => Array.from({ length: count }, () => pick(words)).join(' ');
  const uuid = (): string => [8, 4, 4, 4, 12].map((length) => of('hex', length)).join('-');
  const time = (): string =>
    new Date(
      Date.UTC(2026, below(12), 1 + below(28), below(24), below(60), below(60), below(1000)),
    ).toISOString();
  const logLine = (): string =>
    `${time()} ${pick(['INFO', 'WARN', 'DEBUG'])} [${pick(words)}-${below(40)}] ${sentence(6)} id=${uuid()} took=${below(900)}ms`;
  const lines = (count: number, line: (at: number) => string): string =>
    Array.from({ length: count }, (_, at) => `${line(at)}\n`).join('');
  return {
    letters,
    below,
    of,
    pick,
    base64,
    sentence,
    uuid,
    time,
    lines,
    word: (): string => pick(words),
    logLines: (count: number): string => lines(count, logLine),
  };
};
