// Searches one photo or film: whether it shows where it was taken, and how it is sent without that.
//
// The copy without location is no file, but a list of parts of the original, with a few bytes between them. All
// metadata is left out; profile, orientation and colour space stay. It is trusted only after it was read as a file.
import { createHash } from 'node:crypto';
import type { Cut, PhotoLook } from '../../../engine/ports/files.ts';
import { walkBoxes } from './boxes.ts';
import { formatBytes, formatOf, type Format } from './format.ts';
import { walkGif } from './gif.ts';
import { emptyXmp } from './items.ts';
import { walkJpeg } from './jpeg.ts';
import { shownBy, toldBy, toldByWhole } from './location.ts';
import { walkPng } from './png.ts';
import { walkCodestream, walkMrw, walkPsd, walkRaf, walkSvg, walkTiff, walkWhole } from './raw.ts';
import {
  joined,
  latin1,
  startsWith,
  tried,
  type Block,
  type Layout,
  type Source,
  type Told,
} from './source.ts';
import { emptyExif, exifOf } from './tiff.ts';
import { walkWebp } from './webp.ts';

/** A larger file is not cut, because each cut reads all of it. */
export const mostCutBytes = 256 * 1024 * 1024;
const pieceBytes = 1024 * 1024;
/** Phones nest at most a photo in a film behind a photo. */
const mostDepth = 6;

const walks: Record<Format, (source: Source) => Layout> = {
  jpeg: walkJpeg,
  png: walkPng,
  webp: walkWebp,
  gif: walkGif,
  boxes: walkBoxes,
  tiff: walkTiff,
  raf: walkRaf,
  mrw: walkMrw,
  psd: walkPsd,
  codestream: walkCodestream,
  svg: walkSvg,
  whole: walkWhole,
};

const walkOf = (source: Source): ((source: Source) => Layout) | null => {
  const format = formatOf(source.read(0, Math.min(formatBytes, source.sizeBytes)));
  return format === null ? null : walks[format];
};

const nestedAt =
  (depth: number) =>
  (source: Source): Told => {
    if (depth > mostDepth) return 'unread';
    const found = tried(() => {
      const walk = walkOf(source);
      return walk === null
        ? toldByWhole(source, nestedAt(depth + 1))
        : toldBy(walk(source).blocks, nestedAt(depth + 1));
    });
    return found ?? 'unread';
  };
const told = (blocks: readonly Block[]): Told => toldBy(blocks, nestedAt(0));

/** As `photo` of the port `Inspect`. Null: the file is no photo and no film, or shows no place and is not cut. */
export const lookAtPhoto = (source: Source, cutsAll = false): PhotoLook | null => {
  const walk = walkOf(source);
  if (walk === null) return null;
  const seen = tried((): { look: PhotoLook | null } => {
    const layout = walk(source);
    const found = told(layout.blocks);
    if (found !== 'nothing') return { look: { shows: found, cut: cutOf(source, layout) } };
    const cut = cutsAll ? cutOf(source, layout) : null;
    return { look: cut === null || isSame(source, cut) ? null : { shows: found, cut } };
  });
  return seen === null ? { shows: 'unread', cut: null } : seen.look;
};

const cutOf = (source: Source, { blocks, parts }: Layout): Cut | null => {
  if (parts === null || source.sizeBytes > mostCutBytes) return null;
  const exif = exifOf(shownBy(blocks));
  const list = parts(exif);
  const copy = joined(source, list);
  return isClean(copy, exif) ? { parts: list, sizeBytes: copy.sizeBytes, sha256: digestOf(copy) } : null;
};

/** The copy is read again: it has no metadata but what was put in, and what the picture needs. */
const isClean = (copy: Source, exif: Uint8Array | null): boolean => {
  const again = walkOf(copy)?.(copy);
  if (again === undefined || again.parts === null || told(again.blocks) !== 'nothing') return false;
  return again.blocks.every((block) => {
    if (block.isKept === true || block.kind === 'told') return true;
    if (!('bytes' in block)) return false;
    const text = latin1(block.bytes).replace(/[\0 ]+$/, '');
    return block.kind === 'exif'
      ? startsWith(block.bytes, 'MM') && text === latin1(exif ?? emptyExif).replace(/[\0 ]+$/, '')
      : text === '' || text === emptyXmp;
  });
};

/** There was nothing to leave out. */
const isSame = (source: Source, { sizeBytes, sha256 }: Cut): boolean =>
  sizeBytes === source.sizeBytes && sha256 === digestOf(source);

const digestOf = (source: Source): string => {
  const hash = createHash('sha256');
  for (let at = 0; at < source.sizeBytes; at += pieceBytes)
    hash.update(source.read(at, Math.min(pieceBytes, source.sizeBytes - at)));
  return hash.digest('hex');
};
