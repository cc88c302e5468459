// WebP: the chunks of one RIFF file.
import type { Part } from '../../../engine/ports/files.ts';
import {
  ascii,
  Broken,
  createBlocks,
  latin1,
  lengthOf,
  mostSegments,
  startsWith,
  viewOf,
  type Layout,
  type Source,
} from './source.ts';

const needed: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
const ofFrames: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'ALPH']);
const [exifFlag, xmpFlag] = [0x08, 0x04];

type Chunk = { type: string; at: number; length: number; end: number };

export const walkWebp = (source: Source): Layout => {
  const { blocks, add } = createBlocks(source);
  const riffEnd = 8 + viewOf(source.read(4, 4)).getUint32(0, true);
  const chunks = chunksOf(source, 12, Math.min(riffEnd, source.sizeBytes));
  const picture: Part[] = [];
  let extended: Uint8Array | null = null;
  let isKnown = riffEnd <= source.sizeBytes;
  for (const { type, at, length, end } of chunks) {
    if (type === 'VP8X') {
      if (length !== 10) throw new Broken('a head of another length');
      extended = source.read(at, end - at).slice();
    } else if (needed.has(type)) picture.push({ from: at, to: end });
    else if (type === 'EXIF') {
      const head = source.read(at + 8, Math.min(6, length));
      const skipped = startsWith(head, 'Exif\0\0') ? 6 : 0;
      add('exif', at + 8 + skipped, length - skipped);
    } else add(type === 'XMP ' ? 'xmp' : type === 'C2PA' ? 'claims' : 'rest', at + 8, length);
    if (type === 'ICCP') add('rest', at + 8, length, true);
    if (type === 'ANMF')
      isKnown &&= chunksOf(source, at + 24, at + 8 + length).every((one) => ofFrames.has(one.type));
  }
  if (riffEnd < source.sizeBytes) add('rest', riffEnd, source.sizeBytes - riffEnd);
  if (!isKnown || picture.length === 0) return { blocks, parts: null };
  return {
    blocks,
    parts(exif) {
      const [head, end] = headAndEnd(extended, exif);
      const bodyBytes = [...head, ...picture, ...end].reduce((sum, part) => sum + lengthOf(part), 4);
      const riff = Buffer.concat([ascii('RIFF'), Buffer.alloc(4), ascii('WEBP')]);
      riff.writeUInt32LE(bodyBytes, 4);
      return [riff, ...head, ...picture, ...end];
    },
  };
};

/** Only the extended format has a place for EXIF. */
const headAndEnd = (extended: Uint8Array | null, exif: Uint8Array | null): [Uint8Array[], Uint8Array[]] => {
  if (extended === null) return [[], []];
  const head = Uint8Array.from(extended);
  head[8] = ((head[8] ?? 0) & ~(exifFlag | xmpFlag)) | (exif === null ? 0 : exifFlag);
  return [[head], exif === null ? [] : [chunkOf('EXIF', exif)]];
};

const chunkOf = (type: string, data: Uint8Array): Uint8Array => {
  const head = Buffer.concat([ascii(type), Buffer.alloc(4)]);
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
};

const chunksOf = (source: Source, from: number, to: number): Chunk[] => {
  const chunks: Chunk[] = [];
  for (let at = from; at < to;) {
    if (chunks.length > mostSegments) throw new Broken('too many chunks');
    const head = source.read(at, 8);
    const length = viewOf(head).getUint32(4, true);
    // The last chunk may lack the byte that makes its length even.
    const end = Math.min(at + 8 + length + (length % 2), Math.max(to, at + 8 + length));
    if (end > to) throw new Broken('chunk without its end');
    chunks.push({ type: latin1(head.subarray(0, 4)), at, length, end });
    at = end;
  }
  return chunks;
};
