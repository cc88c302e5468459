// Whether metadata shows where a photo or film was taken: coordinates, or a place name. What cannot be read may.
import { hasPlaceKey, isAddress, namesPlace, tellsPlace } from './place-text.ts';
import {
  bufferOf,
  latin1,
  mostMetadataBytes,
  sourceOf,
  startsWith,
  textOf,
  tried,
  viewOf,
  type Block,
  type Source,
  type Told,
} from './source.ts';
import { readTiff, type Shown } from './tiff.ts';

/** Searches a photo or film that is inside another one. */
export type LookNested = (source: Source) => Told;

const worst = (all: readonly Told[]): Told =>
  all.find((one) => one === 'location') ?? all.find((one) => one === 'unread') ?? 'nothing';

export const toldBy = (blocks: readonly Block[], nested: LookNested): Told =>
  worst(blocks.map((block) => toldByOne(block, nested)));

const toldByOne = (block: Block, nested: LookNested): Told => {
  switch (block.kind) {
    case 'told':
      return block.told;
    case 'nested':
      return nested(block.source);
    case 'tiff':
      return toldByTiff(block.source, nested);
    case 'exif':
      return toldByTiff(sourceOf(block.bytes), nested);
    case 'gps':
      return toldByTiff(sourceOf(block.bytes), nested, 'gps');
    case 'xmp':
      return toldByText(block.bytes, nested);
    case 'resources':
      return toldByResources(block.bytes, nested);
    case 'claims':
      return worst([toldByClaims(block.bytes), toldByRest(block.bytes, nested)]);
    case 'rest':
      return toldByRest(block.bytes, nested);
  }
};

const toldByTiff = (source: Source, nested: LookNested, root?: 'gps'): Told =>
  tried(() => toldBy(readTiff(source, root).blocks, nested)) ?? 'unread';

export const shownBy = (blocks: readonly Block[]): Shown => {
  const first = blocks.find((block) => block.kind === 'exif');
  const shown = first?.kind === 'exif' ? tried(() => readTiff(sourceOf(first.bytes)).shown) : null;
  return shown ?? { orientation: 1, colorSpace: null };
};

// ---------------------------------------------------------------- text, XMP

/** A JPEG, PNG or WebP in Base64: the original of a photo with depth, the preview of a claim. */
const packedPhotos = /(?:\/9j\/|iVBORw0KGgo|UklGR)[A-Za-z0-9+/\s]{60,}/g;
const mostPackedPhotos = 16;

const toldByText = (bytes: Uint8Array, nested: LookNested): Told => {
  const text = textOf(bytes);
  if (tellsPlace(text)) return 'location';
  const photos = [...text.matchAll(packedPhotos)].slice(0, mostPackedPhotos + 1);
  if (photos.length > mostPackedPhotos) return 'unread';
  return worst(photos.map(([one]) => nested(sourceOf(Buffer.from(one, 'base64')))));
};

// ---------------------------------------------------------------- resources of Photoshop, with IPTC

/** Code and name of the content's place, city, part of a city, province, code and name of the country. */
const placesOfIptc: ReadonlySet<number> = new Set([26, 27, 90, 92, 95, 100, 101]);
const contactOfIptc = 118;
const signatures: ReadonlySet<string> = new Set(['8BIM', 'AgHg', 'DCSR', 'MeSa', 'PHUT']);
const [iptcId, exifIds, xmpId, thumbnailIds] = [0x0404, [0x0422, 0x0423], 0x0424, [0x0409, 0x040c]];

const toldByResources = (bytes: Uint8Array, nested: LookNested): Told => {
  // A TIFF and a raw profile of a PNG may have IPTC only.
  if (bytes[0] === 0x1c) return toldByIptc(bytes);
  const view = viewOf(bytes);
  const told: Told[] = [];
  let at = 0;
  while (at + 12 <= bytes.length && signatures.has(latin1(bytes.subarray(at, at + 4)))) {
    const nameBytes = 1 + (bytes[at + 6] ?? 0);
    const sizeAt = at + 6 + nameBytes + (nameBytes % 2);
    if (sizeAt + 4 > bytes.length) return worst([...told, 'unread']);
    const size = view.getUint32(sizeAt);
    const data = bytes.subarray(sizeAt + 4, sizeAt + 4 + size);
    if (data.length < size) told.push('unread');
    const id = view.getUint16(at + 4);
    if (id === iptcId) told.push(toldByIptc(data));
    else if (exifIds.includes(id)) told.push(toldByTiff(sourceOf(data), nested));
    else if (id === xmpId) told.push(toldByText(data, nested));
    else if (thumbnailIds.includes(id)) told.push(nested(sourceOf(data.subarray(28))));
    else told.push(toldByRest(data, nested));
    at = sizeAt + 4 + size + (size % 2);
  }
  if (at < bytes.length) told.push(toldByRest(bytes.subarray(at), nested));
  return worst(told);
};

const toldByIptc = (bytes: Uint8Array): Told => {
  let at = 0;
  while (at + 5 <= bytes.length && bytes[at] === 0x1c) {
    const [record, dataset] = [bytes[at + 1], bytes[at + 2] ?? 0];
    let length = viewOf(bytes).getUint16(at + 3);
    at += 5;
    if (length >= 0x8000) {
      const lengthBytes = length & 0x7fff;
      if (lengthBytes > 4 || at + lengthBytes > bytes.length) return 'unread';
      length = bufferOf(bytes).readUIntBE(at, lengthBytes);
      at += lengthBytes;
    }
    const text = latin1(bytes.subarray(at, at + length));
    if (record === 2 && placesOfIptc.has(dataset) && text.replace(/[\0\s]/g, '') !== '') return 'location';
    if (record === 2 && dataset === contactOfIptc && isAddress(text)) return 'location';
    if (record === 2 && tellsPlace(text)) return 'location';
    at += length;
  }
  return at > bytes.length || !isEmpty(bytes.subarray(at)) ? 'unread' : 'nothing';
};

/** Padding shows nothing. */
export const isEmpty = (bytes: Uint8Array): boolean =>
  bytes.every((byte) => byte === 0 || byte === 0xff || byte === 0x20 || (byte >= 9 && byte <= 13));

// ---------------------------------------------------------------- claims of C2PA

const toldByClaims = (bytes: Uint8Array): Told => {
  const text = latin1(bytes);
  if (namesPlace(text)) return 'location';
  // A compressed box inside the claims.
  return text.includes('brob') ? 'unread' : 'nothing';
};

// ---------------------------------------------------------------- anything else

/** The names under which films store the place where they were taken. GPS5 and GPS9: positions of GoPro. */
const marksOfFilms = [
  '\u00a9xyz',
  'location.ISO6709',
  'location.name',
  'location.body',
  'quicktime.location',
  'loci\0\0',
  'GPS5',
  'GPS9',
  'freeGPS',
];
/** Films and photos of Insta360 end with binary records, with positions among them. */
const endOfInsta360 = '8db42d694ccc418790edff439fe026bf';
const headsOfTiff = ['II*\0\x08\0\0\0', 'MM\0*\0\0\0\x08', 'Exif\0\0II', 'Exif\0\0MM'];
/** Real files have a few. */
const mostTries = 64;
/** A preview in its own EXIF may be this long. */
const mostExifBytes = 1024 * 1024;

/** Further images with their own EXIF, videos, packets of XMP, comments. */
const toldByRest = (bytes: Uint8Array, nested: LookNested): Told => {
  if (isEmpty(bytes)) return 'nothing';
  const all = bufferOf(bytes);
  if (marksOfFilms.some((mark) => all.includes(mark, 0, 'latin1'))) return 'location';
  if (hasPlaceKey(latin1(bytes))) return 'location';
  const told: Told[] = [toldByText(bytes, nested)];
  if (all.includes(endOfInsta360, 0, 'latin1')) told.push('unread');
  // A chunk of IPTC alone.
  if (all[0] === 0x1c && (all[1] === 1 || all[1] === 2) && toldByIptc(all) === 'location')
    told.push('location');
  let tries = 0;
  const each = (mark: string, look: (at: number) => Told): void => {
    for (let at = all.indexOf(mark, 0, 'latin1'); at !== -1; at = all.indexOf(mark, at + 1, 'latin1')) {
      tries += 1;
      if (tries > mostTries) return;
      told.push(look(at));
    }
  };
  for (const head of headsOfTiff) {
    const skipped = head.startsWith('Exif') ? 6 : 0;
    each(head, (at) =>
      toldByTiff(sourceOf(all.subarray(at + skipped, at + skipped + mostExifBytes)), nested),
    );
  }
  // Resources inside resources are not followed: what is behind them was already searched.
  each('8BIM\x04\x04', (at) => {
    const nameBytes = 1 + (all[at + 6] ?? 0);
    const dataAt = at + 10 + nameBytes + (nameBytes % 2);
    const size = dataAt <= all.length ? all.readUInt32BE(dataAt - 4) : 0;
    return toldByIptc(all.subarray(dataAt, dataAt + size));
  });
  return worst(tries > mostTries ? [...told, 'unread'] : told);
};

/** For a file of unknown structure. */
export const toldByWhole = (source: Source, nested: LookNested): Told =>
  source.sizeBytes > mostMetadataBytes ? 'unread' : toldByRest(source.read(0, source.sizeBytes), nested);

export const isExif = (bytes: Uint8Array): boolean => startsWith(bytes, 'II') || startsWith(bytes, 'MM');
