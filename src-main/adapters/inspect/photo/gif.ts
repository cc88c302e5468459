// GIF: its blocks up to the trailer. XMP, comments and unknown extensions are left out of the copy.
import type { Part } from '../../../engine/ports/files.ts';
import { Broken, createBlocks, latin1, mostSegments, type Layout, type Source } from './source.ts';

const [extension, image, trailer] = [0x21, 0x2c, 0x3b];
const [graphicControl, application] = [0xf9, 0xff];
/** The loops of an animation: how often, in a sub-block of 3 bytes. */
const loops: ReadonlySet<string> = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0']);
const profileName = 'ICCRGBG1012';
const xmpName = 'XMP DataXMP';
/** These bytes let a reader of sub-blocks find the end of XMP. */
const xmpEndBytes = 258;

export const walkGif = (source: Source): Layout => {
  const { blocks, add } = createBlocks(source);
  const byte = (at: number): number => source.read(at, 1)[0] ?? 0;
  const tableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));
  /** The offset behind the sub-blocks that begin here. */
  const afterBlocks = (from: number): number => {
    let at = from;
    for (let count = 0; byte(at) !== 0; count += 1) {
      if (count > mostSegments * 10) throw new Broken('too many blocks');
      at += 1 + byte(at);
    }
    return at + 1;
  };
  /** The joined data of sub-blocks, whose lengths would cut a text apart. */
  const dataOf = (from: number): Uint8Array => {
    const pieces: Uint8Array[] = [];
    for (let at = from; byte(at) !== 0; at += 1 + byte(at)) pieces.push(source.read(at + 1, byte(at)));
    return Buffer.concat(pieces);
  };

  let at = 13 + tableBytes(byte(10));
  const kept: Part[] = [{ from: 0, to: at }];
  let isWhole = false;
  for (let count = 0; at < source.sizeBytes && !isWhole; count += 1) {
    if (count > mostSegments) throw new Broken('too many blocks');
    const start = at;
    const type = byte(at);
    if (type === trailer) {
      at += 1;
      isWhole = true;
      kept.push({ from: start, to: at });
    } else if (type === image) {
      at = afterBlocks(at + 11 + tableBytes(byte(at + 9)));
      kept.push({ from: start, to: at });
    } else if (type === extension) {
      const label = byte(at + 1);
      at = afterBlocks(at + 2);
      const name = label === application ? latin1(source.read(start + 3, Math.min(11, byte(start + 2)))) : '';
      const isLoop = loops.has(name) && byte(start + 14) === 3;
      const isKept = isLoop || name === profileName || (label === graphicControl && byte(start + 2) === 4);
      if (name === profileName) kept.push({ from: start, to: at });
      // One sub-block, and the end of them.
      else if (isKept) kept.push({ from: start, to: start + (isLoop ? 18 : 7) }, Uint8Array.of(0));
      const kind = isKept ? { isKept } : {};
      // XMP is stored without sub-blocks, so the bytes are read both ways.
      add('rest', start, at - start, isKept || undefined);
      blocks.push({ kind: 'rest', bytes: dataOf(start + 2), ...kind });
      if (name === xmpName && at - start > 14 + xmpEndBytes)
        add('xmp', start + 14, at - start - 14 - xmpEndBytes);
    } else throw new Broken('no block');
  }
  if (at < source.sizeBytes) add('rest', at, source.sizeBytes - at);
  return { blocks, parts: isWhole ? () => kept : null };
};
