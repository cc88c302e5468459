// Formats with TIFF, JPEG or resources at offsets that their head gives. They are read, but not cut.
import { hasNamedPlace } from './place-text.ts';
import {
  ascii,
  createBlocks,
  latin1,
  pieceOf,
  sourceOf,
  textOf,
  viewOf,
  type Block,
  type Layout,
  type Source,
} from './source.ts';

export const walkTiff = (source: Source): Layout => ({ blocks: [{ kind: 'tiff', source }], parts: null });

/** Fujifilm: a preview with the EXIF, and the picture as TIFF. */
export const walkRaf = (source: Source): Layout => {
  const head = viewOf(source.read(84, 24));
  const { blocks, nest } = createBlocks(source);
  nest(head.getUint32(0), head.getUint32(4));
  const [rawAt, rawBytes] = [head.getUint32(16), head.getUint32(20)];
  // Old models have no TIFF there.
  if (rawBytes >= 8 && /^(?:II\*\0|MM\0\*)/.test(latin1(source.read(rawAt, 4))))
    blocks.push({ kind: 'tiff', source: pieceOf(source, rawAt, rawBytes) });
  return { blocks, parts: null };
};

/** Minolta: the pixels follow the metadata, and some look like coordinates. */
export const walkMrw = (source: Source): Layout => {
  const { blocks, add } = createBlocks(source);
  add('rest', 0, Math.min(source.sizeBytes, 8 + viewOf(source.read(4, 4)).getUint32(0)));
  return { blocks, parts: null };
};

/** Photoshop: the table of colours follows its head, then the resources. */
export const walkPsd = (source: Source): Layout => {
  const { blocks, add } = createBlocks(source);
  const resourcesAt = 30 + viewOf(source.read(26, 4)).getUint32(0);
  const length = viewOf(source.read(resourcesAt, 4)).getUint32(0);
  add('resources', resourcesAt + 4, length);
  return { blocks, parts: null };
};

/** It has no place for metadata. */
export const walkCodestream = (source: Source): Layout => {
  const { blocks, add } = createBlocks(source);
  // JPEG 2000 has comments at its beginning.
  add('rest', 0, Math.min(source.sizeBytes, 64 * 1024));
  return { blocks, parts: null };
};

/** For a structure that is not known here. */
export const walkWhole = (source: Source): Layout => {
  const { blocks, add } = createBlocks(source);
  add('rest', 0, source.sizeBytes);
  return { blocks, parts: null };
};

/** A longer drawing may have metadata that is not found. */
const mostSvgBytes = 16 * 1024 * 1024;
/** Comments, what describes the drawing, packets of XMP, texts and links; `data:` with another picture; names with a value in any element. */
const svgTexts =
  /<!--[^]*?-->|<(?:\w+:)?(metadata|title|desc|text|xmpmeta|RDF)\b[^]*?<\/(?:\w+:)?\1\s*>|\s(?:[\w-]{1,40}:)?(?:label|title|alt|href|aria-label|aria-description)\s{0,9}=\s{0,9}(?:"(?!\s{0,9}data:)[^"]*"|'(?!\s{0,9}data:)[^']*')/gi;
const svgPictures = /data:(?:image|video)\/[\w.+-]+;base64,([\w+/=\s%]+)/gi;

/** SVG: coordinates of its lines look like those of places, so only its metadata and its texts are searched. */
export const walkSvg = (source: Source): Layout => {
  const blocks: Block[] = source.sizeBytes > mostSvgBytes ? [{ kind: 'told', told: 'unread' }] : [];
  const text = textOf(source.read(0, Math.min(source.sizeBytes, mostSvgBytes)));
  for (const [one, name] of text.matchAll(svgTexts))
    blocks.push({
      kind: 'rest',
      bytes: ascii(name?.toLowerCase() === 'text' ? one.replace(/<[^>]*>/g, ' ') : one),
    });
  for (const [, packed = ''] of text.matchAll(svgPictures))
    blocks.push({
      kind: 'nested',
      source: sourceOf(Buffer.from(packed.replace(/%2B/gi, '+').replace(/%2F/gi, '/'), 'base64')),
    });
  if (hasNamedPlace(text)) blocks.push({ kind: 'told', told: 'location' });
  return { blocks, parts: null };
};
