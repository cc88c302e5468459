// Whether metadata tells where a photo was taken: coordinates, or the name of a place.
import ExifReader from 'exifreader';
import { latin1, startsWith, viewOf, type Block } from './source.ts';

export type Told = 'nothing' | 'location' | 'unread';

/** What of the metadata says how the picture is to be shown. */
export type Shown = { orientation: number; colorSpace: number | null };

const worst = (all: readonly Told[]): Told =>
  all.find((one) => one === 'location') ?? all.find((one) => one === 'unread') ?? 'nothing';

export const toldBy = (blocks: readonly Block[]): Told => worst(blocks.map(toldByOne));

const toldByOne = ({ kind, bytes }: Block): Told => {
  switch (kind) {
    case 'exif':
      return toldByExif(bytes);
    case 'xmp':
      return toldByXmp(bytes);
    case 'resources':
      return toldByResources(bytes);
    case 'whole':
      return worst([toldByExif(bytes), toldByRest(bytes)]);
    case 'rest':
      return toldByRest(bytes);
  }
};

// ---------------------------------------------------------------- EXIF

const tagsOf = (bytes: Uint8Array): ExifReader.ExpandedTags | null => {
  try {
    return ExifReader.load(Buffer.from(bytes), { expanded: true, excludeTags: { xmp: true, icc: true } });
  } catch {
    return null;
  }
};

const place = /^GPS(?:Dest)?(?:Latitude|Longitude)$|^GPSAreaInformation$/;
const pointer = 'GPS Info IFD Pointer';
const placeOfIptc = /^(?:City|Sub-location|Province\/State|Country\/Primary Location (?:Code|Name))$/;

/** EXIF is a TIFF file, so both are read in the same way. */
const toldByExif = (bytes: Uint8Array): Told => {
  const tags = tagsOf(bytes);
  if (tags === null) return 'unread';
  const names = Object.keys(tags.exif ?? {});
  if (names.some((name) => place.test(name))) return 'location';
  if (Object.keys(tags.iptc ?? {}).some((name) => placeOfIptc.test(name))) return 'location';
  // It points to facts about a place that cannot be read, at least not by this reader.
  const isUnread =
    names.includes(pointer) && !names.some((name) => name !== pointer && name.startsWith('GPS'));
  return isUnread ? 'unread' : 'nothing';
};

export const shownBy = (blocks: readonly Block[]): Shown => {
  const [first] = blocks.filter(({ kind }) => kind === 'exif');
  const exif = first === undefined ? undefined : tagsOf(first.bytes)?.exif;
  const [orientation, colorSpace] = [exif?.Orientation?.value, exif?.ColorSpace?.value];
  const isSane = typeof orientation === 'number' && orientation >= 1 && orientation <= 8;
  return {
    orientation: isSane ? orientation : 1,
    colorSpace: typeof colorSpace === 'number' && colorSpace !== 1 ? colorSpace : null,
  };
};

/** EXIF that says how the picture is to be shown and nothing else. Null: that needs no EXIF. */
export const exifOf = ({ orientation, colorSpace }: Shown): Uint8Array | null => {
  if (orientation === 1 && colorSpace === null) return null;
  const bytes = Buffer.alloc(colorSpace === null ? 26 : 56);
  const short = (at: number, tag: number, value: number): void => {
    bytes.writeUInt16BE(tag, at);
    bytes.writeUInt16BE(3, at + 2);
    bytes.writeUInt32BE(1, at + 4);
    bytes.writeUInt16BE(value, at + 8);
  };
  bytes.write('MM\0*\0\0\0\x08', 'latin1');
  bytes.writeUInt16BE(colorSpace === null ? 1 : 2, 8);
  short(10, 0x0112, orientation);
  if (colorSpace === null) return bytes;
  // The second directory has the colour space.
  const directoryAt = 38;
  bytes.writeUInt16BE(0x8769, 22);
  bytes.writeUInt16BE(4, 24);
  bytes.writeUInt32BE(1, 26);
  bytes.writeUInt32BE(directoryAt, 30);
  bytes.writeUInt16BE(1, directoryAt);
  short(directoryAt + 2, 0xa001, colorSpace);
  return bytes;
};

// ---------------------------------------------------------------- XMP

/** Names of XMP with a value, as an attribute or as an element. A namespace may have any prefix. */
const placeOfXmp =
  /:(?:GPS(?:Dest)?(?:Latitude|Longitude)|City|Sublocation|Location|State|ProvinceState|Country|CountryName|CountryCode)(?:\s{0,9}=\s{0,9}["']\s{0,9}[^"'\s]|(?:\s[^<>]{0,200})?>\s{0,99}[^<\s])|:Location(?:Created|Shown)[\s>]/;

const toldByXmp = (bytes: Uint8Array): Told =>
  placeOfXmp.test(latin1(bytes).replaceAll('\0', '')) ? 'location' : 'nothing';

// ---------------------------------------------------------------- resources of Photoshop, with IPTC

/** City, part of a city, province, code and name of the country. */
const placesOfIptc: ReadonlySet<number> = new Set([90, 92, 95, 100, 101]);

const toldByResources = (bytes: Uint8Array): Told => {
  const view = viewOf(bytes);
  const told: Told[] = [];
  for (let at = 0; at + 12 <= bytes.length && startsWith(bytes.subarray(at), '8BIM');) {
    const nameBytes = 1 + (bytes[at + 6] ?? 0);
    const sizeAt = at + 6 + nameBytes + (nameBytes % 2);
    if (sizeAt + 4 > bytes.length) break;
    const size = view.getUint32(sizeAt);
    const data = bytes.subarray(sizeAt + 4, sizeAt + 4 + size);
    const id = view.getUint16(at + 4);
    if (id === 0x0404) told.push(toldByIptc(data));
    else if (id === 0x0422) told.push(toldByExif(data));
    else told.push(toldByXmp(data));
    at = sizeAt + 4 + size + (size % 2);
  }
  // A raw profile of a PNG may have IPTC alone.
  if (bytes[0] === 0x1c) told.push(toldByIptc(bytes));
  return worst(told);
};

const toldByIptc = (bytes: Uint8Array): Told => {
  for (let at = 0; at + 5 <= bytes.length && bytes[at] === 0x1c;) {
    const length = viewOf(bytes).getUint16(at + 3);
    if (bytes[at + 1] === 2 && placesOfIptc.has(bytes[at + 2] ?? 0) && length > 0) return 'location';
    if (length >= 0x8000) return 'unread';
    at += 5 + length;
  }
  return 'nothing';
};

// ---------------------------------------------------------------- anything else

/** How videos name the place where they were taken. */
const marksOfVideos = ['\u00a9xyz', 'location.ISO6709', 'loci\0\0'];

/** Further images with their own EXIF, videos, packets of XMP. */
const toldByRest = (bytes: Uint8Array): Told => {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (marksOfVideos.some((mark) => all.includes(mark, 0, 'latin1'))) return 'location';
  const told: Told[] = [];
  let tries = 0;
  for (let at = all.indexOf('Exif\0\0'); at !== -1 && tries < 64; at = all.indexOf('Exif\0\0', at + 1)) {
    tries += 1;
    if (/^(?:II\*\0|MM\0\*)/.test(latin1(all.subarray(at + 6, at + 10))))
      told.push(toldByExif(all.subarray(at + 6, at + 6 + 65_536)));
  }
  for (let at = all.indexOf('<rdf:RDF'); at !== -1 && tries < 128; at = all.indexOf('<rdf:RDF', at + 1)) {
    tries += 1;
    const end = all.indexOf('</rdf:RDF>', at);
    told.push(toldByXmp(all.subarray(at, end === -1 ? undefined : end)));
  }
  return tries >= 64 ? worst([...told, 'unread']) : worst(told);
};
