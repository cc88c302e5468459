// JPEG: segments up to the end of the image. What follows that end (further images of MPF, the video of a moving photo)
// belongs to no picture that a viewer shows.
import type { Part } from '../../../engine/ports.ts';
import {
  Broken,
  createBlocks,
  mostSegments,
  startsWith,
  viewOf,
  type Layout,
  type Source,
} from './source.ts';

const exifHead = 'Exif\0\0';
const xmpHead = 'http://ns.adobe.com/xap/1.0/\0';
/** Then 32 letters that name the packet, its length and the place of this piece in it. */
const longXmpHead = 'http://ns.adobe.com/xmp/extension/\0';
const photoshopHead = 'Photoshop 3.0\0';

const pieceBytes = 1024 * 1024;

export const walkJpeg = (source: Source): Layout => {
  const { blocks, add } = createBlocks(source);
  const longXmp: { at: number; bytes: Uint8Array }[] = [];
  const resources: Uint8Array[] = [];
  const kept: Part[] = [{ from: 0, to: 2 }];
  let jfif: Part | null = null;
  let end: number | null = null;

  /** Whether the picture needs this segment. */
  const isNeeded = (marker: number, at: number, length: number): boolean => {
    if (marker < 0xe0) return true;
    const head = source.read(at, Math.min(length, 40));
    if (marker === 0xe0 && jfif === null && startsWith(head, 'JFIF\0')) {
      jfif = { from: at - 4, to: at + length };
      return false;
    }
    if (marker === 0xe2 && startsWith(head, 'ICC_PROFILE\0')) return true;
    if (marker === 0xee && startsWith(head, 'Adobe')) return true;
    if (marker === 0xe1 && startsWith(head, exifHead)) add('exif', at + 6, length - 6);
    else if (marker === 0xe1 && startsWith(head, longXmpHead) && length >= 75) {
      const bytes = add('rest', at, length);
      longXmp.push({ at: viewOf(bytes).getUint32(71), bytes: bytes.subarray(75) });
    } else if (marker === 0xed && startsWith(head, photoshopHead))
      resources.push(add('rest', at, length).subarray(photoshopHead.length));
    else add(marker === 0xe1 && startsWith(head, xmpHead) ? 'xmp' : 'rest', at, length);
    return false;
  };

  let at = 2;
  for (let count = 0; at < source.sizeBytes && end === null; count += 1) {
    if (count > mostSegments) throw new Broken('too many segments');
    const start = at;
    if (source.read(at, 1)[0] !== 0xff) throw new Broken('no marker');
    let marker = 0xff;
    while (marker === 0xff) marker = source.read((at += 1), 1)[0] ?? 0;
    at += 1;
    if (marker === 0xd9) end = at;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) kept.push({ from: start, to: at });
    // What the reserved ones are for is not known.
    else if (marker < 0xc0 || marker === 0xd8 || (marker >= 0xf0 && marker !== 0xfe))
      throw new Broken('unknown marker');
    else {
      const length = viewOf(source.read(at, 2)).getUint16(0);
      if (length < 2 || at + length > source.sizeBytes) throw new Broken('segment without its end');
      const isKept = isNeeded(marker, at + 2, length - 2);
      at += length;
      if (marker === 0xda) at = afterScan(source, at);
      if (isKept) kept.push({ from: start, to: at });
    }
  }
  for (const one of longXmp.sort((a, b) => a.at - b.at).slice(0, 1))
    blocks.push({
      kind: 'xmp',
      bytes: Buffer.concat([one.bytes, ...longXmp.slice(1).map((next) => next.bytes)]),
    });
  if (resources.length > 0) blocks.push({ kind: 'resources', bytes: Buffer.concat(resources) });
  if (end === null) return { blocks, parts: null };
  kept.push(Uint8Array.of(0xff, 0xd9));
  if (end < source.sizeBytes) add('rest', end, source.sizeBytes - end);
  const [soi, ...picture] = kept;
  return {
    blocks,
    parts: (exif) => [
      ...[soi, jfif].flatMap((part) => part ?? []),
      ...(exif === null ? [] : [segmentOf(exif)]),
      ...picture,
    ],
  };
};

const segmentOf = (exif: Uint8Array): Uint8Array => {
  const payload = Buffer.concat([Buffer.from(exifHead, 'latin1'), exif]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(payload.length + 2, 2);
  return Buffer.concat([head, payload]);
};

/** Where the next marker begins. In the data of a scan a 0xff is followed by 0 or the number of a restart. */
const afterScan = (source: Source, from: number): number => {
  for (let at = from; at < source.sizeBytes;) {
    const bytes = source.read(at, Math.min(pieceBytes, source.sizeBytes - at));
    for (let found = bytes.indexOf(0xff); found !== -1; found = bytes.indexOf(0xff, found + 1)) {
      const next = bytes[found + 1];
      if (next === undefined) break;
      if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at + found;
    }
    // The last byte is looked at again with the one behind it.
    at += Math.max(1, bytes.length - 1);
  }
  return source.sizeBytes;
};
