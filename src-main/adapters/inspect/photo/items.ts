// The items of HEIC and AVIF: pictures, EXIF, XMP, each with its place in the file. In films this box has only texts.
import { inflateSync } from 'node:zlib';
import { boxesOf, dropAddresses, dropName, exifBlock, type Box, type FoundBoxes } from './box.ts';
import { ascii, Broken, latin1, mostMetadataBytes, unpacked, viewOf, type Source } from './source.ts';
import { emptyExif } from './tiff.ts';

type Range = { at: number; length: number };
type Item = { type: string; mime: string; encoding: string };
/** `ranges` null: the data lies in another file or in another item. */
type Place = { ranges: Range[] | null };

/** Pictures, and how one is composed of others. */
const pictures: ReadonlySet<string> = new Set(
  'hvc1 hev1 lhv1 av01 avc1 vvc1 evc1 j2k1 unci mski grid iden iovl tmap tili a1op a1lx'.split(' '),
);
/** Where items are, and how their pictures are displayed. */
const structure: ReadonlySet<string> = new Set('hdlr pitm iinf iloc iref iprp idat grpl dinf'.split(' '));
/** How a picture is decoded and displayed. */
const properties: ReadonlySet<string> = new Set(
  'ispe pixi colr hvcC lhvC av1C avcC vvcC evcC jpgC j2kH irot imir clap pasp auxC clli mdcv cclv amve rloc lsel a1op a1lx tols mskC uncC cmpd cmpC icef iscl'.split(
    ' ',
  ),
);
/** An XMP packet without any information. */
export const emptyXmp = '<x:xmpmeta xmlns:x="adobe:ns:meta/"></x:xmpmeta>';

const xmpType = 'application/rdf+xml';

export const readItems = (box: Box, found: FoundBoxes): void => {
  const { source, add } = found;
  // QuickTime writes it without version and flags.
  const isPlain = box.end - box.bodyAt >= 8 && latin1(source.read(box.bodyAt + 4, 4)) === 'hdlr';
  const children = boxesOf(source, box.bodyAt + (isPlain ? 0 : 4), box.end).boxes;
  const child = (type: string): Box | undefined => children.find((one) => one.type === type);
  const [info, places] = [child('iinf'), child('iloc')];
  if (info === undefined || places === undefined) {
    return found.drop(box);
  }
  for (const one of children)
    if (!structure.has(one.type)) found.drop(one, one.type === 'jumb' ? 'claims' : 'rest');
    else if (one.type === 'hdlr') dropName(one, found);
    else if (one.type === 'dinf') dropFromData(one, found);
    else if (one.type === 'iinf') add('rest', one.bodyAt, one.end - one.bodyAt, true);
    else if (one.type === 'iprp') dropProperties(one, found);
  const ranges = placesOf(source, places, child('idat'));
  found.used.push(...[...ranges.values()].flatMap((place) => place.ranges ?? []));
  const data = child('idat');
  if (data !== undefined) dropGaps(data, found);
  for (const [id, item] of itemsOf(found, info))
    if (!pictures.has(item.type)) readItem(item, ranges.get(id), found);
};

const dropFromData = (box: Box, found: FoundBoxes): void => {
  for (const one of boxesOf(found.source, box.bodyAt, box.end).boxes)
    if (one.type === 'dref') dropAddresses(one, found);
    else found.drop(one);
};

/** What no item refers to. */
export const dropGaps = ({ bodyAt, end }: Box, { used, dropWithin }: FoundBoxes): void => {
  let from = bodyAt;
  for (const { at, length } of used.toSorted((one, other) => one.at - other.at)) {
    if (at >= end) break;
    dropWithin(from, at);
    from = Math.max(from, at + length);
  }
  dropWithin(from, end);
};

/**
 * An emptied property keeps its place: items name theirs by number. A reader that does not know one which an item calls
 * essential shows no picture, so that one can neither stay nor go.
 */
const dropProperties = (box: Box, found: FoundBoxes): void => {
  const { source } = found;
  const lists = boxesOf(source, box.bodyAt, box.end).boxes;
  const essential = new Set(lists.flatMap((list) => (list.type === 'ipma' ? essentialOf(source, list) : [])));
  for (const list of lists)
    if (list.type === 'ipco') {
      for (const [index, one] of boxesOf(source, list.bodyAt, list.end).boxes.entries()) {
        if (one.type === 'colr') found.add('rest', one.bodyAt, one.end - one.bodyAt, true);
        if (properties.has(one.type)) continue;
        if (essential.has(index + 1)) {
          found.unread();
          found.canCut = false;
        }
        found.drop(one);
      }
    } else if (list.type !== 'ipma') found.drop(list);
};

/** The numbers of the properties that an item calls essential. */
const essentialOf = (source: Source, { bodyAt, end }: Box): number[] => {
  const view = viewOf(source.read(bodyAt, Math.min(end - bodyAt, mostMetadataBytes)));
  const [version, isLong] = [view.getUint8(0), (view.getUint8(3) & 1) === 1];
  const numbers: number[] = [];
  let at = 8;
  for (let entry = view.getUint32(4); entry > 0 && at < view.byteLength; entry -= 1) {
    at += version === 0 ? 2 : 4;
    if (at >= view.byteLength) throw new Broken('properties without their end');
    for (let count = view.getUint8(at++); count > 0; count -= 1) {
      const bytes = isLong ? 2 : 1;
      if (at + bytes > view.byteLength) throw new Broken('properties without their end');
      const [value, mark] = isLong ? [view.getUint16(at), 0x8000] : [view.getUint8(at), 0x80];
      if (value >= mark) numbers.push(value - mark);
      at += bytes;
    }
  }
  return numbers;
};

const readItem = ({ type, mime, encoding }: Item, place: Place | undefined, found: FoundBoxes): void => {
  if (place === undefined) return;
  if (place.ranges === null) return found.unread();
  const { ranges } = place;
  const length = ranges.reduce((sum, one) => sum + one.length, 0);
  if (length > mostMetadataBytes) throw new Broken('item too long');
  const stored = Buffer.concat(ranges.map((one) => found.source.read(one.at, one.length)));
  const bytes = encoding === '' ? stored : encoding === 'deflate' ? unpacked(stored, inflateSync) : null;
  if (bytes === null) return found.unread();
  const replace = (with_: (exif: Uint8Array | null) => Uint8Array): void => {
    let from = 0;
    for (const range of ranges) {
      const start = from;
      found.put(range.at, range.length, (exif) => with_(exif).subarray(start, start + range.length));
      from += range.length;
    }
  };
  const padded = (start: Uint8Array, padding: number): Uint8Array => {
    const whole = new Uint8Array(length).fill(padding);
    if (start.length <= length) whole.set(start);
    return whole;
  };
  if (type === 'Exif') {
    found.blocks.push(...exifBlock(bytes));
    replace((exif) => padded(Buffer.concat([Buffer.alloc(4), exif ?? emptyExif]), 0));
  } else if (type === 'jpeg') {
    // A picture: the copy cannot do without it.
    for (const range of ranges) found.nest(range.at, range.length);
  } else {
    found.blocks.push({ kind: mime.includes('jumb') || type === 'jumb' ? 'claims' : 'rest', bytes });
    const isXmp = mime === xmpType;
    replace(() => (isXmp ? padded(ascii(emptyXmp), 0x20) : padded(new Uint8Array(0), 0)));
  }
};

const itemsOf = (found: FoundBoxes, { bodyAt, end }: Box): Map<number, Item> => {
  const { source } = found;
  const version = source.read(bodyAt, 1)[0];
  const items = new Map<number, Item>();
  for (const one of boxesOf(source, bodyAt + (version === 0 ? 6 : 8), end).boxes) {
    if (one.type !== 'infe') continue;
    const bytes = source.read(one.bodyAt, one.end - one.bodyAt);
    const view = viewOf(bytes);
    const [entryVersion = 0] = bytes;
    // Older ones have no type.
    if (entryVersion < 2) throw new Broken('items without a type');
    const idBytes = entryVersion === 2 ? 2 : 4;
    const id = idBytes === 2 ? view.getUint16(4) : view.getUint32(4);
    const typeAt = 4 + idBytes + 2;
    const [name = '', mime = '', encoding = ''] = latin1(bytes.subarray(typeAt + 4)).split('\0');
    const type = latin1(bytes.subarray(typeAt, typeAt + 4));
    const isMime = type === 'mime';
    // The type of XMP is behind its name, and stays there.
    const nameAt = one.bodyAt + typeAt + 4;
    if (isMime && mime === xmpType) found.put(nameAt, name.length, () => ascii(' '.repeat(name.length)));
    else found.clear(nameAt, one.end);
    items.set(id, { type, mime: isMime ? mime : '', encoding: isMime ? encoding : '' });
  }
  return items;
};

/** A file of many tiles has some hundred items. */
const mostItems = 65_535;

const placesOf = (source: Source, { bodyAt, end }: Box, idat: Box | undefined): Map<number, Place> => {
  const bytes = source.read(bodyAt, Math.min(end - bodyAt, mostMetadataBytes));
  const view = viewOf(bytes);
  const version = view.getUint8(0);
  const sizes = view.getUint16(4);
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexBytes = version === 0 ? 0 : sizes & 15;
  let at = 6;
  const take = (count: number): number => {
    if (at + count > bytes.length) throw new Broken('places without their end');
    let value = 0;
    for (const byte of bytes.subarray(at, at + count)) value = value * 256 + byte;
    at += count;
    return value;
  };
  const places = new Map<number, Place>();
  const count = take(version < 2 ? 2 : 4);
  if (count > mostItems) throw new Broken('too many items');
  for (let index = 0; index < count; index += 1) {
    const id = take(version < 2 ? 2 : 4);
    const method = version === 0 ? 0 : take(2) & 15;
    const reference = take(2);
    const base = take(baseBytes);
    const extents = take(2);
    const start = method === 1 ? (idat?.bodyAt ?? null) : 0;
    const ranges: Range[] = [];
    for (let extent = 0; extent < extents; extent += 1) {
      take(indexBytes);
      const [offset, length] = [take(offsetBytes), take(lengthBytes)];
      const from = (start ?? 0) + base + offset;
      ranges.push({ at: from, length: length === 0 ? source.sizeBytes - from : length });
    }
    const isHere = reference === 0 && method < 2 && start !== null;
    places.set(id, { ranges: isHere ? ranges : null });
  }
  return places;
};
