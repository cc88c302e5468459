// Boxes of a file, the metadata in them, and what a copy has in their place.
import {
  ascii,
  Broken,
  createBlocks,
  latin1,
  mostSegments,
  startsWith,
  viewOf,
  type Source,
} from './source.ts';

export type Box = { type: string; at: number; bodyAt: number; end: number };
/** New bytes for a place. `bytes` gets the EXIF that the copy keeps. */
export type Patch = { at: number; length: number; bytes: (exif: Uint8Array | null) => Uint8Array };

/** The boxes between two offsets. At `tailAt` begins what follows them and is no box. */
export const boxesOf = (source: Source, from: number, to: number): { boxes: Box[]; tailAt: number } => {
  const boxes: Box[] = [];
  let at = from;
  while (at + 8 <= to) {
    if (boxes.length > mostSegments) throw new Broken('too many boxes');
    const head = source.read(at, 8);
    const type = latin1(head.subarray(4));
    let [size, headBytes] = [viewOf(head).getUint32(0), 8];
    if (!/^[\x20-\x7e\xa9]{4}$/.test(type)) break;
    if (size === 1 && at + 16 <= to) {
      size = Number(viewOf(source.read(at + 8, 8)).getBigUint64(0));
      headBytes = 16;
    } else if (size === 0) size = to - at;
    if (size < headBytes) break;
    if (at + size > to) throw new Broken('box without its end');
    boxes.push({ type, at, bodyAt: at + headBytes, end: at + size });
    at += size;
  }
  return { boxes, tailAt: at };
};

/** The metadata in boxes, and what the copy has in their places. */
export type FoundBoxes = ReturnType<typeof createFound>;
export const createFound = (source: Source) => {
  const collected = createBlocks(source);
  const patches: Patch[] = [];
  /** Where items are. */
  const used: { at: number; length: number }[] = [];
  const put = (at: number, length: number, bytes: Patch['bytes']): void =>
    void patches.push({ at, length, bytes });
  const clear = (from: number, to: number): void => put(from, to - from, () => new Uint8Array(to - from));
  /** Turns the box into an empty one of the same size. */
  const free = ({ at, bodyAt, end }: Box): void => {
    put(at + 4, 4, () => ascii('free'));
    clear(bodyAt, end);
  };
  return {
    ...collected,
    source,
    patches,
    used,
    canCut: true,
    put,
    clear,
    unread: (): void => void collected.blocks.push({ kind: 'told', told: 'unread' }),
    free,
    /** Searches a box; the copy has an empty one of the same size. Its type may say what its text means. */
    drop(box: Box, kind: 'rest' | 'claims' = 'rest'): void {
      const from = box.type === 'free' ? box.bodyAt : box.at;
      collected.add(kind, from, box.end - from);
      free(box);
    },
    /** Searches a piece of what the copy keeps; it has zeros there. */
    dropWithin(from: number, to: number): void {
      if (to <= from) return;
      collected.add('rest', from, to - from);
      clear(from, to);
    },
  };
};

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const exifIds: ReadonlySet<string> = new Set([
  '4a706754696666457869662d3e4a5032', // JpgTiffExif->JP2
  '0537cdab9d0c4431a72afa561f2a113e',
]);
const iptcIds: ReadonlySet<string> = new Set([
  '33c7a4d2b81d4723a0baf1a3e097ad38',
  '09a14e97c0b442e0bebf36df6f0ce36f',
]);
const claimsId = 'd8fec3d61b0e483c92975828877ec481';
const geoJp2Id = 'b14bf8bd083d4b43a5ae8cd7d5a6ce03';
/** Positions of Garmin's cameras. */
const garminId = '9b630f8d637440ec8204bc5ff5091728';
const canonId = '85c0b687820f11e08111f4ce462b6a48';
/** How a 360° film is displayed. */
const sphericalId = 'ffcc82637f8554a938814587a02521dd';

export const readUuid = (box: Box, found: FoundBoxes): void => {
  const { source, add } = found;
  const at = box.bodyAt + 16;
  if (at > box.end) throw new Broken('uuid without its name');
  const [id, length] = [hexOf(source.read(box.bodyAt, 16)), box.end - at];
  if (id === canonId) return readCanon(at, box.end, found);
  if (id === sphericalId) return keepSpherical(box, found);
  if (exifIds.has(id)) add('exif', at, length);
  else if (iptcIds.has(id)) add('resources', at, length);
  else if (id === claimsId) add('claims', at, length);
  else if (id === geoJp2Id) add('exif', at, length);
  else if (id === garminId) found.unread();
  else add('rest', at, length);
  found.free(box);
};

const sphericalNames = 'Spherical|Stitched|ProjectionType|StereoMode|(?:Initial|Full|Cropped)[A-Za-z]{1,30}';
const sphericalValues = String.raw`true|false|equirectangular|mono|left-right|top-bottom|\d{1,6}`;
const sphericalFields = new RegExp(
  String.raw`<GSpherical:(${sphericalNames})>\s*(?:${sphericalValues})\s*</GSpherical:\1>`,
  'g',
);
/** The copy has only what says how the film is displayed. */
const keepSpherical = ({ bodyAt, end }: Box, { add, put }: FoundBoxes): void => {
  const at = bodyAt + 16;
  const fields = latin1(add('rest', at, end - at, true)).match(sphericalFields) ?? [];
  const names =
    'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:GSpherical="http://ns.google.com/videos/1.0/spherical/"';
  const text = `<rdf:SphericalVideo ${names}>${fields.join('')}</rdf:SphericalVideo>`;
  put(at, end - at, () => ascii(text.length > end - at ? ' '.repeat(end - at) : text.padEnd(end - at)));
};

/** What names a handler is behind its type; the copy has no name. */
export const dropName = ({ bodyAt, end }: Box, { dropWithin }: FoundBoxes): void =>
  dropWithin(bodyAt + 24, end);

/** Where samples and items are: in this file, so no address is needed. */
export const dropAddresses = ({ bodyAt, end }: Box, { source, dropWithin }: FoundBoxes): void => {
  for (const one of boxesOf(source, bodyAt + 8, end).boxes) dropWithin(one.bodyAt + 4, one.end);
};

/** CR3: EXIF in four boxes, the last of which is the directory for GPS. */
const readCanon = (from: number, to: number, found: FoundBoxes): void => {
  for (const { type, bodyAt, end } of boxesOf(found.source, from, to).boxes) {
    const kind = type === 'CMT4' ? 'gps' : type.startsWith('CMT') ? 'exif' : 'rest';
    found.add(kind, bodyAt, end - bodyAt);
  }
};

/** The first four bytes give the offset of its TIFF. */
export const exifBlock = (bytes: Uint8Array): FoundBoxes['blocks'] => {
  const at = bytes.length < 4 ? Infinity : 4 + viewOf(bytes).getUint32(0);
  if (at >= bytes.length) return [{ kind: 'told', told: 'unread' }];
  const skipped = startsWith(bytes.subarray(at), 'Exif\0\0') ? 6 : 0;
  return [{ kind: 'exif', bytes: bytes.subarray(at + skipped) }];
};
