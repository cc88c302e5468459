// JPEG: segments up to the end of the image. What follows that end (further images of MPF, the video of a moving photo)
// belongs to no picture that a viewer shows.
import type { Part } from '../../../engine/ports/files.ts';
import { isExif } from './location.ts';
import {
  ascii,
  Broken,
  createBlocks,
  latin1,
  mostSegments,
  startsWith,
  viewOf,
  type Layout,
  type Source,
} from './source.ts';

const exifHead = 'Exif\0\0';
const xmpHead = 'http://ns.adobe.com/xap/1.0/\0';
/** Then 32 letters that name the packet, its length, and the place of this piece in it. */
const longXmpHead = 'http://ns.adobe.com/xmp/extension/\0';
const photoshopHead = 'Photoshop 3.0\0';
/** Then the number of the claims (2 bytes), of this piece (4), and their box, whose 8-byte head each piece repeats. */
const claimsHead = 'JP';

const pieceBytes = 1024 * 1024;
/** Samsung writes a name before the video. */
const mostBeforeFilm = 64 * 1024;

export const walkJpeg = (source: Source): Layout => {
  const { blocks, add, nest, take } = createBlocks(source);
  const exifs: Uint8Array[][] = [];
  const longXmp = new Map<string, { at: number; bytes: Uint8Array }[]>();
  const claims = new Map<number, { at: number; bytes: Uint8Array }[]>();
  const resources: Uint8Array[] = [];
  const profile: Uint8Array[] = [];
  const kept: Part[] = [{ from: 0, to: 2 }];
  let jfif: Part | null = null;
  let end: number | null = null;

  /** Whether the picture needs this segment. */
  const isNeeded = (marker: number, at: number, length: number): boolean => {
    if (marker < 0xe0) return true;
    const head = source.read(at, Math.min(length, 40));
    // The size of a pixel, without the thumbnail.
    if (marker === 0xe0 && jfif === null && startsWith(head, 'JFIF\0') && length >= 14) {
      jfif = segmentOf(marker, head.subarray(0, 12), Buffer.alloc(2));
      return false;
    }
    if (marker === 0xee && startsWith(head, 'Adobe') && length >= 12) {
      kept.push(segmentOf(marker, head.subarray(0, 12)));
      return false;
    }
    if (marker === 0xe2 && startsWith(head, 'ICC_PROFILE\0')) {
      profile.push(take(at, length).subarray(14));
      return true;
    }
    if (marker === 0xe1 && startsWith(head, exifHead)) {
      const bytes = take(at, length).subarray(6);
      // EXIF longer than a segment continues in the next one.
      if (isExif(bytes) || exifs.length === 0) exifs.push([bytes]);
      else exifs.at(-1)?.push(bytes);
    } else if (marker === 0xe1 && startsWith(head, longXmpHead) && length >= 75) {
      const bytes = take(at, length);
      const id = latin1(bytes.subarray(35, 67));
      longXmp.set(id, [
        ...(longXmp.get(id) ?? []),
        { at: viewOf(bytes).getUint32(71), bytes: bytes.subarray(75) },
      ]);
    } else if (marker === 0xeb && startsWith(head, claimsHead) && length >= 16) {
      const bytes = take(at, length);
      const [id, place] = [viewOf(bytes).getUint16(2), viewOf(bytes).getUint32(4)];
      const pieces = claims.get(id) ?? [];
      claims.set(id, [...pieces, { at: place, bytes: bytes.subarray(pieces.length === 0 ? 8 : 16) }]);
    } else if (marker === 0xed && startsWith(head, photoshopHead))
      resources.push(take(at, length).subarray(photoshopHead.length));
    else add(marker === 0xe1 && startsWith(head, xmpHead) ? 'xmp' : 'rest', at, length);
    return false;
  };

  /** Further images, the video of a moving photo, and what makers put around them. */
  const readTrailer = (from: number): void => {
    const length = source.sizeBytes - from;
    const head = latin1(source.read(from, Math.min(length, mostBeforeFilm)));
    const filmAt = /[^]{4}ftyp(?:[a-z0-9 ]{4})/.exec(head)?.index;
    if (head.startsWith('\u00ff\u00d8\u00ff') || filmAt === 0) nest(from, length);
    else if (filmAt === undefined) add('rest', from, length);
    else {
      add('rest', from, filmAt);
      nest(from + filmAt, length - filmAt);
    }
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
    // The purpose of reserved markers is not known.
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
  // The first EXIF defines how the picture is displayed.
  blocks.unshift(...exifs.map((pieces) => ({ kind: 'exif' as const, bytes: Buffer.concat(pieces) })));
  for (const [kind, all] of [['xmp', longXmp] as const, ['claims', claims] as const])
    for (const pieces of all.values()) {
      const inOrder = pieces.sort((a, b) => a.at - b.at).map(({ bytes }) => bytes);
      blocks.push({ kind, bytes: Buffer.concat(inOrder) });
    }
  if (profile.length > 0) blocks.push({ kind: 'rest', bytes: Buffer.concat(profile), isKept: true });
  if (resources.length > 0) blocks.push({ kind: 'resources', bytes: Buffer.concat(resources) });
  if (end === null) return { blocks, parts: null };
  kept.push(Uint8Array.of(0xff, 0xd9));
  if (end < source.sizeBytes) readTrailer(end);
  const [soi, ...picture] = kept;
  return {
    blocks,
    parts: (exif) => [
      ...[soi, jfif].flatMap((part) => part ?? []),
      ...(exif === null ? [] : [segmentOf(0xe1, ascii(exifHead), exif)]),
      ...picture,
    ],
  };
};

const segmentOf = (marker: number, ...data: Uint8Array[]): Uint8Array => {
  const payload = Buffer.concat(data);
  const head = Buffer.from([0xff, marker, 0, 0]);
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
    // The last byte is searched again, together with the next one.
    at += Math.max(1, bytes.length - 1);
  }
  return source.sizeBytes;
};
