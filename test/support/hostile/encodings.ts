// Bodies in other encodings than the one JSON has (RFC 8259 §8.1), labelled rightly, wrongly or not.
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Dice } from '../simulation/dice.ts';
import { worst, type Legit } from './answers.ts';
import { framed, framings, ok, type Raw } from './framing.ts';

const utf16 = (body: Buffer, big: boolean, mark: boolean): Buffer => {
  const bytes = Buffer.from(`${mark ? '\ufeff' : ''}${body.toString()}`, 'utf16le');
  return big ? bytes.swap16() : bytes;
};

export const byEncoding = (body: Buffer, dice: Dice): Raw => {
  const label = dice.pick(['', 'gzip', 'br', 'deflate', 'identity', 'x-unknown', 'gzip, br']);
  const within = (bytes: Buffer): Buffer => {
    const at = body.indexOf('"', 3);
    return Buffer.concat([body.subarray(0, at + 1), bytes, body.subarray(at + 1)]);
  };
  const [bytes, legit, name] = dice.pick<[Buffer, Legit, string]>([
    [utf16(body, false, true), 'never', 'UTF-16LE with a mark'],
    [utf16(body, false, false), 'never', 'UTF-16LE'],
    [utf16(body, true, true), 'never', 'UTF-16BE with a mark'],
    [Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]), 'may', 'a mark'],
    [Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf]), body]), 'never', 'two marks'],
    [within(Buffer.from([0xff])), 'never', 'a byte that is not UTF-8'],
    [within(Buffer.from([0xc0, 0x80])), 'never', 'an overlong NUL'],
    [within(Buffer.from([0xed, 0xa0, 0x80])), 'never', 'half a pair'],
    [within(Buffer.from([0xf5, 0x80, 0x80, 0x80])), 'never', 'over U+10FFFF'],
    [Buffer.concat([body, Buffer.from([0xe2, 0x82])]), 'never', 'half a character at the end'],
    [gzipSync(body), 'never', 'gzip'],
    [brotliCompressSync(body), 'never', 'br'],
    [deflateSync(body), 'never', 'deflate'],
    [gzipSync(Buffer.alloc(8_000_000)), 'never', 'a gzip bomb'],
    [Buffer.concat([body, Buffer.from(' \n\t\r\n')]), 'must', 'blanks after'],
    [Buffer.concat([body, Buffer.from('\u00a0')]), 'never', 'a no-break space after'],
    [Buffer.concat([body, body]), 'never', 'the body twice'],
    [Buffer.concat([body, Buffer.from([0])]), 'never', 'a NUL after'],
    [Buffer.from(`while(1);${body.toString()}`), 'never', 'a guard before'],
    [Buffer.from(`callback(${body.toString()})`), 'never', 'in a call'],
    [Buffer.from(`<html>${body.toString()}</html>`), 'never', 'in HTML'],
  ]);
  const more = label === '' ? [] : [`content-encoding: ${label}`];
  if (dice.happens(0.2))
    more.push(`content-type: ${dice.pick(['text/html', 'x', 'application/json; charset=utf-16'])}`);
  return {
    bytes: framed(bytes, dice.pick(framings), ok, more),
    legit: more.length > 0 ? worst('may', legit) : legit,
    said: 'success',
    label: `encoding ${name}, labelled ${label || 'nothing'}`,
  };
};
