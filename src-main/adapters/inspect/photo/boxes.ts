// Files made of boxes: HEIC, AVIF, JPEG XL, CR3, JPEG 2000, MP4, MOV, 3GP. A copy keeps every box in its place: those
// with metadata are emptied, so that no offset changes.
import { brotliDecompressSync } from 'node:zlib';
import type { Part } from '../../../engine/ports/files.ts';
import { boxesOf, createFound, exifBlock, readUuid, type Box, type FoundBoxes, type Patch } from './box.ts';
import { dropGaps, readItems } from './items.ts';
import { readMovie } from './movie.ts';
import { Broken, bufferOf, latin1, mostMetadataBytes, unpacked, type Layout, type Source } from './source.ts';

/** Pictures, sound, and tables of their offsets. */
const pictures: ReadonlySet<string> = new Set([
  ...'ftyp styp mdat sidx ssix prft pdin jxlc jxlp jxll jxli'.split(' '),
  'JXL ',
  'jP  ',
]);
/** A compressed box of JPEG XL: its type, then Brotli. */
const readPacked = ({ bodyAt, end }: Box, found: FoundBoxes): void => {
  const bytes = found.source.read(bodyAt, Math.min(end - bodyAt, mostMetadataBytes));
  const type = latin1(bytes.subarray(0, 4));
  const plain = unpacked(bytes.subarray(4), brotliDecompressSync);
  if (plain === null) return found.unread();
  if (type === 'Exif') found.blocks.push(...exifBlock(plain));
  else found.blocks.push({ kind: type === 'jumb' ? 'claims' : 'rest', bytes: plain });
};

/** Longer ones are not unpacked, because unpacking is tried from each byte on. */
const mostRebuildBytes = 8192;
/**
 * The data to rebuild the JPEG from which a JPEG XL was made. Its comments and IPTC are compressed with Brotli behind
 * numbers of odd bit lengths, so unpacking is tried from each byte on.
 */
const readRebuild = ({ bodyAt, end }: Box, found: FoundBoxes): void => {
  if (end - bodyAt > mostRebuildBytes) return found.unread();
  const bytes = found.source.read(bodyAt, end - bodyAt);
  for (let at = 0; at < bytes.length; at += 1) {
    const plain = unpacked(bytes.subarray(at), brotliDecompressSync);
    if (plain !== null && plain.length > 0) found.blocks.push({ kind: 'rest', bytes: plain });
  }
};

/** Dashcams and camcorders record positions among the pictures, several in a second; so the beginning has the first ones. */
const mostDataBytes = 16 * 1024 * 1024;
const marksInData = ['freeGPS ', '$GPRMC,', '$GNRMC,', '$GPGGA,', '$GNGGA,'];
/** Data of camcorders in H.264: a mark, a number of entries, and for each its tag and four bytes. */
const dataOfCamcorder = 'MDPM';
const placesOfCamcorder: ReadonlySet<number> = new Set([0xb1, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8]);

/** Positions in the samples of a track that is emptied are no reason not to cut. */
const readData = (boxes: readonly Box[], found: FoundBoxes): void => {
  const isEmptied = (at: number): boolean =>
    found.patches.some((one) => at >= one.at && at < one.at + one.length);
  for (const { bodyAt, end } of boxes)
    for (let at = bodyAt; at < Math.min(end, bodyAt + mostDataBytes); at += pieceBytes) {
      // The pieces overlap.
      const bytes = bufferOf(found.source.read(at, Math.min(pieceBytes + 256, end - at)));
      if (!positionsIn(bytes).some((one) => !isEmptied(at + one))) continue;
      found.blocks.push({ kind: 'told', told: 'location' });
      found.canCut = false;
      return;
    }
};

const positionsIn = (bytes: Buffer): number[] => {
  const places: number[] = [];
  for (const mark of [...marksInData, dataOfCamcorder])
    for (let at = bytes.indexOf(mark, 0, 'latin1'); at !== -1; at = bytes.indexOf(mark, at + 1, 'latin1')) {
      const entries = bytes.subarray(at + 5, at + 5 + 5 * (bytes[at + 4] ?? 0));
      const isPlace = entries.some((tag, index) => index % 5 === 0 && placesOfCamcorder.has(tag));
      if (mark !== dataOfCamcorder || isPlace) places.push(at);
    }
  return places;
};
const pieceBytes = 1024 * 1024;

export const walkBoxes = (source: Source): Layout => {
  const found = createFound(source);
  const { add, blocks } = found;
  const { boxes, tailAt } = boxesOf(source, 0, source.sizeBytes);
  for (const box of boxes) {
    const { type, bodyAt, end } = box;
    if (type === 'ftyp' && end - bodyAt >= 4) found.canCut &&= latin1(source.read(bodyAt, 4)) !== 'crx ';
    if (type === 'jP  ') found.canCut = false;
    if (type === 'moov' || type === 'moof' || type === 'mfra') readMovie(box, found);
    else if (type === 'meta') readItems(box, found);
    else if (type === 'uuid') readUuid(box, found);
    else if (type === 'jp2c') add('rest', bodyAt, Math.min(end - bodyAt, mostCodestreamHead), true);
    else if (type === 'jp2h') add('rest', bodyAt, end - bodyAt, true);
    else if (!pictures.has(type)) {
      if (type === 'brob') readPacked(box, found);
      else if (type === 'jbrd') readRebuild(box, found);
      else if (type === 'Exif')
        blocks.push(...exifBlock(source.read(bodyAt, Math.min(end - bodyAt, mostMetadataBytes))));
      else if (type === 'jumb') add('claims', bodyAt, end - bodyAt);
      // The film of a moving photo.
      else if (type === 'mpvd') found.nest(bodyAt, end - bodyAt);
      // Positions of dashcams.
      else if (type === 'gps0' || type === 'GPS ') found.unread();
      else add('rest', bodyAt, end - bodyAt);
      found.free(box);
    }
  }
  if (tailAt < source.sizeBytes) {
    add('rest', tailAt, source.sizeBytes - tailAt);
    found.clear(tailAt, source.sizeBytes);
  }
  const data = boxes.filter(({ type }) => type === 'mdat');
  // The samples of a film are no items.
  const isFilm = boxes.some(({ type }) => type === 'moov' || type === 'moof');
  if (found.used.length > 0 && !isFilm) for (const one of data) dropGaps(one, found);
  readData(data, found);
  if (boxes.length === 0) throw new Broken('no box');
  return { blocks, parts: found.canCut ? partsOf(source, found.patches) : null };
};

/** Its comments are at its beginning. */
const mostCodestreamHead = 64 * 1024;

/** Null: there is too much to empty, or two boxes claim the same place. */
const partsOf = (source: Source, patches: readonly Patch[]): Layout['parts'] => {
  const inOrder = patches.filter(({ length }) => length > 0).sort((a, b) => a.at - b.at);
  const total = inOrder.reduce((sum, { length }) => sum + length, 0);
  const overlaps = inOrder.some(({ at }, index) => {
    const before = inOrder[index - 1];
    return before !== undefined && before.at + before.length > at;
  });
  if (total > mostMetadataBytes || overlaps) return null;
  return (exif) => {
    const parts: Part[] = [];
    let from = 0;
    for (const { at, length, bytes } of inOrder) {
      if (at > from) parts.push({ from, to: at });
      parts.push(bytes(exif));
      from = at + length;
    }
    if (from < source.sizeBytes) parts.push({ from, to: source.sizeBytes });
    return parts;
  };
};
