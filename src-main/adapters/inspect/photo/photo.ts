// Looks at one photo: whether it tells where it was taken, and how it is sent without that.
//
// The copy without location is no file: it is a list of parts of the original, with a few bytes between them. All metadata
// is left out; profile, orientation and colour space stay. It is believed after it was read as a photo of its own.
import { createHash } from 'node:crypto';
import type { Cut, PhotoLook } from '../../../engine/ports.ts';
import { formatOf, type Format } from './format.ts';
import { walkJpeg } from './jpeg.ts';
import { exifOf, shownBy, toldBy } from './location.ts';
import { walkPng } from './png.ts';
import { Broken, joined, latin1, mostMetadataBytes, startsWith, type Layout, type Source } from './source.ts';
import { walkWebp } from './webp.ts';

/** A larger photo is not cut, because each cut reads all of it. */
export const mostCutBytes = 256 * 1024 * 1024;
const headBytes = 64;
const pieceBytes = 1024 * 1024;

/** Formats that are read and not cut. */
const readWhole = (source: Source): Layout => {
  if (source.sizeBytes > mostMetadataBytes) throw new Broken('too large');
  return { blocks: [{ kind: 'whole', bytes: source.read(0, source.sizeBytes) }], parts: null };
};

const walks: Record<Format, (source: Source) => Layout> = {
  jpeg: walkJpeg,
  png: walkPng,
  webp: walkWebp,
  whole: readWhole,
};

const walkOf = (source: Source): ((source: Source) => Layout) | null => {
  const format = formatOf(source.read(0, Math.min(headBytes, source.sizeBytes)));
  return format === null ? null : walks[format];
};

/** Null: the file is no photo, or tells nothing of a place. */
export const lookAtPhoto = (source: Source): PhotoLook | null => {
  const walk = walkOf(source);
  if (walk === null) return null;
  try {
    const layout = walk(source);
    const told = toldBy(layout.blocks);
    return told === 'nothing' ? null : { isRead: told === 'location', cut: cutOf(source, layout) };
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    return { isRead: false, cut: null };
  }
};

const cutOf = (source: Source, { blocks, parts }: Layout): Cut | null => {
  if (parts === null || source.sizeBytes > mostCutBytes) return null;
  const exif = exifOf(shownBy(blocks));
  const list = parts(exif);
  const copy = joined(source, list);
  return isClean(copy, exif) ? { parts: list, sizeBytes: copy.sizeBytes, sha256: digestOf(copy) } : null;
};

/** The copy is read again: it has no metadata but what was put in. */
const isClean = (copy: Source, exif: Uint8Array | null): boolean => {
  const again = walkOf(copy)?.(copy);
  if (again === undefined || again.parts === null || toldBy(again.blocks) !== 'nothing') return false;
  return again.blocks.every(
    ({ kind, bytes }) =>
      kind === 'exif' && exif !== null && latin1(bytes) === latin1(exif) && startsWith(bytes, 'MM'),
  );
};

const digestOf = (source: Source): string => {
  const hash = createHash('sha256');
  for (let at = 0; at < source.sizeBytes; at += pieceBytes)
    hash.update(source.read(at, Math.min(pieceBytes, source.sizeBytes - at)));
  return hash.digest('hex');
};
