// TIFF: directories of tags. EXIF is a TIFF file, and so are DNG and most other RAW files. Only directories and values
// that may show a place are read, wherever they are.
import { Broken, latin1, pieceOf, tried, viewOf, type Block, type Source } from './source.ts';

/** The metadata that defines how the picture is displayed. */
export type Shown = { orientation: number; colorSpace: number | null };
export type TiffFound = { blocks: Block[]; shown: Shown };

/** Real files have fewer than 100. */
const mostDirectories = 1000;
/** Longer values are pictures or tables. */
const mostTextBytes = 1024 * 1024;
const mostNoteBytes = 16 * 1024 * 1024;

const bytesOfType: readonly number[] = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];
const utf8Type = 129;
const sizeOfType = (type: number): number => (type === utf8Type ? 1 : (bytesOfType[type] ?? 0));

/** Directories that a tag points to: EXIF, interoperability, further pictures, Kodak. */
const pointers: ReadonlySet<number> = new Set([0x8769, 0xa005, 0x014a, 0xfe00]);
const gpsPointer = 0x8825;
/** XMP, IPTC, resources of Photoshop, claims of C2PA. */
const kinds: ReadonlyMap<number, 'xmp' | 'resources' | 'claims'> = new Map([
  [0x02bc, 'xmp'],
  [0x83bb, 'resources'],
  [0x8649, 'resources'],
  [0xcd41, 'claims'],
]);
const makerNote = 0x927c;
/** GeoTIFF: a point, a matrix or a polynomial that ties the picture to the earth, and the system of its coordinates. */
const ties: ReadonlySet<number> = new Set([33_922, 34_264, 34_735, 34_736, 34_737, 50_844]);
/** Tables, colour profiles, layers of Photoshop: they are no text and hold no EXIF. */
const tables: ReadonlySet<number> = new Set([0x8773, 0x935c, 0x0147, 0x015b, 0xa302, 0x828e, 0xc68b, 0xc4a5]);
/** A JPEG: the tags of its offset and its length, and the tag that contains it (RW2). */
const [jpegOffset, jpegLength, jpegInside] = [0x0201, 0x0202, 0x002e];
const [stripOffsets, stripLengths] = [0x0111, 0x0117];

type Entry = { tag: number; type: number; at: number; length: number };
type Role = 'chain' | 'pointed' | 'gps';

/** Title, comment, author, keywords and subject as Windows writes them: in UTF-16. */
const isOfWindows = (tag: number): boolean => tag >= 0x9c9b && tag <= 0x9c9f;
/** Eight bytes in front of a text name its encoding. Programs disagree on the byte order of UTF-16, so both are tried. */
const encodingOfText = /^(?:ASCII|JIS|UNICODE)\0+/;
const encodingBytes = 8;
const decoded = (tag: number, bytes: Uint8Array): Uint8Array => {
  const encoding = encodingOfText.exec(latin1(bytes.subarray(0, encodingBytes)))?.[0];
  const text = encoding === undefined ? bytes : bytes.subarray(encodingBytes);
  if (!isOfWindows(tag) && encoding !== 'UNICODE\0') return text;
  return Buffer.from(['utf-16le', 'utf-16be'].map((order) => new TextDecoder(order).decode(text)).join('\n'));
};

/** Reads directories, and the numbers in them. */
const createDirectories = (source: Source, isLittle: boolean, isBig: boolean) => {
  const short = (at: number): number => viewOf(source.read(at, 2)).getUint16(0, isLittle);
  const long = (at: number): number => viewOf(source.read(at, 4)).getUint32(0, isLittle);
  const whole = (at: number): number =>
    isBig ? Number(viewOf(source.read(at, 8)).getBigUint64(0, isLittle)) : long(at);
  const [countBytes, entryBytes, inlineBytes] = isBig ? [8, 20, 8] : [2, 12, 4];

  const entriesAt = (at: number): { entries: Entry[]; nextAt: number } => {
    const count = isBig ? whole(at) : short(at);
    if (count > 65_535) throw new Broken('too many entries');
    const entries: Entry[] = [];
    for (let index = 0; index < count; index += 1) {
      const entryAt = at + countBytes + index * entryBytes;
      const type = short(entryAt + 2);
      const length = whole(entryAt + 4) * sizeOfType(type);
      const valueAt = entryAt + entryBytes - inlineBytes;
      entries.push({
        tag: short(entryAt),
        type,
        length,
        at: length <= inlineBytes ? valueAt : whole(valueAt),
      });
    }
    return { entries, nextAt: at + countBytes + count * entryBytes };
  };

  const numbersOf = ({ type, at, length }: Entry): number[] => {
    const size = sizeOfType(type);
    const count = Math.min(mostDirectories, size === 0 ? 0 : Math.floor(length / size));
    return Array.from({ length: count }, (_, index) => {
      const one = at + index * size;
      return size === 2
        ? short(one)
        : size === 8
          ? Number(viewOf(source.read(one, 8)).getBigUint64(0, isLittle))
          : long(one);
    });
  };

  const numberOf = (entries: readonly Entry[], tag: number): number | undefined => {
    const entry = entries.find((one) => one.tag === tag);
    return entry === undefined ? undefined : numbersOf(entry)[0];
  };
  return { long, whole, entriesAt, numbersOf, numberOf };
};

export const readTiff = (source: Source, root: 'chain' | 'gps' = 'chain'): TiffFound => {
  const head = source.read(0, 8);
  const isLittle = head[0] === 0x49;
  const isBig = viewOf(head).getUint16(2, isLittle) === 43;
  const blocks: Block[] = [];
  const shown: Shown = { orientation: 1, colorSpace: null };
  const seen = new Set<number>();
  const unread = (): void => void blocks.push({ kind: 'told', told: 'unread' });

  const { long, whole, entriesAt, numbersOf, numberOf } = createDirectories(source, isLittle, isBig);
  /** A value that cannot be read at its place may show where the photo was taken. */
  const add = (kind: Extract<Block, { bytes: Uint8Array }>['kind'], { tag, at, length }: Entry): void => {
    if (at + length > source.sizeBytes) unread();
    else if (length > mostNoteBytes) unread();
    else blocks.push({ kind, bytes: decoded(tag, source.read(at, length)) });
  };

  const embed = (at: number | undefined, length: number | undefined): void => {
    if (at === undefined || length === undefined || length < 4 || at + length > source.sizeBytes) return;
    if (latin1(source.read(at, 3)) !== '\u00ff\u00d8\u00ff') return;
    blocks.push({ kind: 'nested', source: pieceOf(source, at, length) });
  };

  const readGps = (entries: readonly Entry[]): void => {
    for (const entry of entries) {
      if (entry.length === 0) continue;
      if (!placesOfGps.has(entry.tag)) {
        if ([2, 7].includes(entry.type) && entry.length >= 6) add('rest', entry);
      } else if (entry.at + entry.length > source.sizeBytes) unread();
      else if (hasValue(entry.tag, source.read(entry.at, Math.min(entry.length, 1024))))
        blocks.push({ kind: 'told', told: 'location' });
    }
  };

  const readOne = (entry: Entry): void => {
    const { tag, type, length, at } = entry;
    const kind = kinds.get(tag);
    if (tag === gpsPointer) for (const one of numbersOf(entry)) walk(one, 'gps');
    else if (pointers.has(tag)) for (const one of numbersOf(entry)) walk(one, 'pointed');
    else if (kind !== undefined) add(kind, entry);
    else if (ties.has(tag)) blocks.push({ kind: 'told', told: 'location' });
    else if (tag === makerNote) {
      add('rest', entry);
      if (at + length <= source.sizeBytes) readNote(entry);
    } else if (tag === jpegInside) embed(at, length);
    else if (tag === 0x0112 && length > 0) shown.orientation = sane(numbersOf(entry)[0]) ?? shown.orientation;
    else if (tag === 0xa001 && length > 0) {
      const space = numbersOf(entry)[0] ?? 1;
      if (space !== 1) shown.colorSpace ??= space;
    } else if (
      [1, 2, 7, utf8Type].includes(type) &&
      length >= 6 &&
      length <= mostTextBytes &&
      !tables.has(tag) &&
      at + length <= source.sizeBytes
    )
      add('rest', entry);
  };

  /** Notes of Panasonic name the place in words; those of Nikon and Samsung may, too. */
  const readNote = ({ at, length }: Entry): void => {
    const note = latin1(source.read(at, Math.min(length, 18)));
    if (note.startsWith('Panasonic\0\0\0')) {
      for (const entry of entriesAt(at + 12).entries)
        if (placesOfPanasonic.has(entry.tag) && entry.at + entry.length <= source.sizeBytes) {
          const text = latin1(source.read(entry.at, Math.min(entry.length, 200)))
            .replaceAll('\0', '')
            .trim();
          if (text !== '' && !/^-+$/.test(text)) blocks.push({ kind: 'told', told: 'location' });
        }
    } else if (/^[^]\0\x01\0\x07\0\x04\0\0\x000100/.test(note)) {
      if (entriesAt(at).entries.some(({ tag, length: letters }) => placesOfSamsung.has(tag) && letters > 1))
        blocks.push({ kind: 'told', told: 'location' });
    } else if (/^Nikon\0\x02[^]{3}(?:II\*\0|MM\0\*)/.test(note)) {
      if (namesPlaceOfNikon(pieceOf(source, at + 10, length - 10)))
        blocks.push({ kind: 'told', told: 'location' });
    }
  };

  const walk = (at: number, role: Role): void => {
    if (at === 0) return;
    if (seen.has(at) || seen.size >= mostDirectories) return unread();
    seen.add(at);
    const directory = tried(() => entriesAt(at));
    // If a reader finds no further directory, there is no place in it. The first one, and those to which a tag points,
    // count as unread.
    if (directory === null) return role === 'chain' && seen.size > 1 ? undefined : unread();
    const { entries, nextAt } = directory;
    if (role === 'gps') return readGps(entries);
    for (const entry of entries) if (tried(() => readOne(entry)) === null) unread();
    const [offsets, lengths] = [numberOf(entries, stripOffsets), numberOf(entries, stripLengths)];
    embed(numberOf(entries, jpegOffset), numberOf(entries, jpegLength));
    embed(offsets, lengths);
    if (role === 'chain') walk(tried(() => whole(nextAt)) ?? 0, 'chain');
  };
  const first = isBig ? whole(8) : long(4);
  if (first === 0) unread();
  walk(first, root);
  return { blocks, shown };
};

const sane = (orientation: number | undefined): number | null =>
  orientation !== undefined && orientation >= 1 && orientation <= 8 ? orientation : null;

/** Latitude, longitude, altitude, those of the destination, name of the area. */
const placesOfGps: ReadonlySet<number> = new Set([2, 4, 6, 20, 22, 28]);
const areaName = 28;
/** Values of zeros only are undefined: cameras without reception write them. */
const hasValue = (tag: number, bytes: Uint8Array): boolean =>
  tag === areaName
    ? latin1(bytes)
        .replace(encodingOfText, '')
        .replace(/[\0\s]/g, '') !== ''
    : bytes.some((byte) => byte !== 0);

/** Location, country, state, city, landmark, city. */
const placesOfPanasonic: ReadonlySet<number> = new Set([0x67, 0x69, 0x6b, 0x6d, 0x6f, 0x80]);
/** Names of the place, in the local language and in English. */
const placesOfSamsung: ReadonlySet<number> = new Set([0x30, 0x31]);
const locationOfNikon = 0x0039;
const namesPlaceOfNikon = (source: Source): boolean => {
  const { long, entriesAt } = createDirectories(source, source.read(0, 1)[0] === 0x49, false);
  const entry = entriesAt(long(4)).entries.find(({ tag }) => tag === locationOfNikon);
  if (entry === undefined || entry.length < 10) return false;
  // Version and encoding, then country code, level and the name.
  const text = latin1(source.read(entry.at + 5, entry.length - 5)).replace(/[\0\s\x01-\x1f]/g, '');
  return text !== '';
};

/** EXIF that defines how the picture is displayed and nothing else. Null: that needs no EXIF. */
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
/** EXIF without a tag, where a format must have one. */
export const emptyExif: Uint8Array = Uint8Array.from([0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0]);
