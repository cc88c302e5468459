// Films and pictures of a few bytes, with given boxes or blocks in them.
import { box } from './photos.ts';

export const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
export const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

export const gif = (...blocks: Buffer[]): Buffer =>
  Buffer.concat([
    latin1('GIF89a'),
    Buffer.from([1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
    ...blocks,
    Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3b]),
  ]);
export const film = (inMovie: Buffer[] = [], after: Buffer[] = []): Buffer =>
  Buffer.concat([
    box('ftyp', 'qt  \0\0\0\0qt  '),
    box('mdat', 'pictures and sound'),
    box('moov', box('mvhd', Buffer.alloc(100)), ...inMovie),
    ...after,
  ]);
export const uuid = (id: string, inside: Buffer): Buffer => box('uuid', Buffer.from(id, 'hex'), inside);
export const xmpId = 'be7acfcb97a942e89c71999491e3afac';

/** A track of metadata whose samples lie in a box behind the movie. */
export const timed = (format: string, sample: Buffer, handler = 'meta'): Buffer => {
  const full = (type: string, ...inside: Buffer[]): Buffer => box(type, Buffer.alloc(4), ...inside);
  const track = (at: number): Buffer =>
    box(
      'trak',
      full('tkhd', Buffer.alloc(80)),
      box(
        'mdia',
        full('hdlr', uint32(0), latin1(handler), Buffer.alloc(13)),
        box(
          'minf',
          box(
            'stbl',
            full('stsd', uint32(1), box(format, Buffer.alloc(8))),
            full('stsz', uint32(sample.length), uint32(1)),
            full('stsc', uint32(1), uint32(1), uint32(1), uint32(1)),
            full('stco', uint32(1), uint32(at)),
          ),
        ),
      ),
    );
  const at = film([track(0)]).length + 8;
  return film([track(at)], [box('mdat', sample)]);
};
