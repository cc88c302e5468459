// Makes photos with real pixels as cameras and programs write them: each maker stores the location elsewhere.
import { crc32, deflateSync } from 'node:zlib';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';

const [width, height] = [24, 16];

/** Coloured squares with noise, so that no row equals another. */
const pixels = (): Buffer => {
  const data = Buffer.alloc(width * height * 4);
  for (let at = 0; at < data.length; at += 1)
    data[at] = at % 4 === 3 ? 255 : (at * 37 + (at >> 5) * 11) % 256;
  return data;
};

// ---------------------------------------------------------------- metadata

type Entry = { tag: number; type: 1 | 2 | 3 | 4 | 5 | 7; count: number; data: Buffer };

/** EXIF in either byte order: orientation, maker, colour space, and coordinates unless `gps` is false. */
export const exif = (
  options: {
    order?: 'II' | 'MM';
    orientation?: number;
    gps?: boolean;
    make?: string;
    colorSpace?: number;
  } = {},
): Buffer => {
  const { order = 'MM', orientation = 6, gps = true, make = 'Maker', colorSpace } = options;
  const isLittle = order === 'II';
  const short = (value: number): Buffer => {
    const bytes = Buffer.alloc(2);
    if (isLittle) bytes.writeUInt16LE(value);
    else bytes.writeUInt16BE(value);
    return bytes;
  };
  const long = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    if (isLittle) bytes.writeUInt32LE(value);
    else bytes.writeUInt32BE(value);
    return bytes;
  };
  const rationals = (...values: number[]): Buffer =>
    Buffer.concat(values.flatMap((value) => [long(Math.round(value * 100)), long(100)]));
  const text = (value: string): Entry['data'] => Buffer.from(`${value}\0`);
  const directory = (entries: Entry[], at: number): Buffer => {
    let restAt = at + 2 + entries.length * 12 + 4;
    const rest: Buffer[] = [];
    const rows = entries.map(({ tag, type, count, data }) => {
      const head = Buffer.concat([short(tag), short(type), long(count)]);
      if (data.length <= 4) return Buffer.concat([head, data, Buffer.alloc(4 - data.length)]);
      const row = Buffer.concat([head, long(restAt)]);
      const even = Buffer.concat([data, Buffer.alloc(data.length % 2)]);
      rest.push(even);
      restAt += even.length;
      return row;
    });
    return Buffer.concat([short(entries.length), ...rows, long(0), ...rest]);
  };
  const gpsEntries: Entry[] = [
    { tag: 0, type: 1, count: 4, data: Buffer.from([2, 3, 0, 0]) },
    { tag: 1, type: 2, count: 2, data: text('N') },
    { tag: 2, type: 5, count: 3, data: rationals(48, 8, 13.25) },
    { tag: 3, type: 2, count: 2, data: text('E') },
    { tag: 4, type: 5, count: 3, data: rationals(11, 34, 31.5) },
  ];
  const head = Buffer.concat([Buffer.from(order), short(42), long(8)]);
  const build = (gpsAt: number, colorAt: number): Buffer =>
    directory(
      [
        { tag: 0x010f, type: 2, count: make.length + 1, data: text(make) },
        { tag: 0x0112, type: 3, count: 1, data: short(orientation) },
        ...(colorSpace === undefined
          ? []
          : [{ tag: 0x8769, type: 4 as const, count: 1, data: long(colorAt) }]),
        ...(gps ? [{ tag: 0x8825, type: 4 as const, count: 1, data: long(gpsAt) }] : []),
      ],
      8,
    );
  const gpsAt = 8 + build(0, 0).length;
  const gpsBytes = gps ? directory(gpsEntries, gpsAt) : Buffer.alloc(0);
  const colorAt = gpsAt + gpsBytes.length;
  const colorBytes =
    colorSpace === undefined
      ? Buffer.alloc(0)
      : directory([{ tag: 0xa001, type: 3, count: 1, data: short(colorSpace) }], colorAt);
  return Buffer.concat([head, build(gpsAt, colorAt), gpsBytes, colorBytes]);
};

export const xmp = (inside = 'exif:GPSLatitude="48,8.2208N" exif:GPSLongitude="11,34.525E"'): Buffer =>
  Buffer.from(
    `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" ${inside}/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`,
  );

/** Resources of Photoshop with IPTC that names a city. */
export const iptc = (city = 'München'): Buffer => {
  const name = Buffer.from(city);
  const data = Buffer.concat([Buffer.from([0x1c, 2, 90, 0, name.length]), name]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(data.length);
  return Buffer.concat([
    Buffer.from('8BIM'),
    Buffer.from([0x04, 0x04, 0, 0]),
    size,
    data,
    Buffer.alloc(data.length % 2),
  ]);
};

/** Represents a colour profile: a viewer need not understand it, but it must be kept. */
export const profile = Buffer.concat([Buffer.from('profile of a camera '), Buffer.alloc(64, 7)]);

/** A box of MP4, HEIC and JPEG XL; text is Latin-1. */
export const box = (type: string, ...inside: (Buffer | string)[]): Buffer => {
  const body = Buffer.concat(
    inside.map((one) => (typeof one === 'string' ? Buffer.from(one, 'latin1') : one)),
  );
  const size = Buffer.alloc(4);
  size.writeUInt32BE(body.length + 8);
  return Buffer.concat([size, Buffer.from(type, 'latin1'), body]);
};

// ---------------------------------------------------------------- JPEG

const segment = (marker: number, ...data: (Buffer | string)[]): Buffer => {
  const payload = Buffer.concat(
    data.map((one) => (typeof one === 'string' ? Buffer.from(one, 'latin1') : one)),
  );
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(payload.length + 2, 2);
  return Buffer.concat([head, payload]);
};
export const app = {
  exif: (block: Buffer): Buffer => segment(0xe1, 'Exif\0\0', block),
  xmp: (packet: Buffer): Buffer => segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0', packet),
  longXmp: (packet: Buffer, total: number, at: number): Buffer => {
    const numbers = Buffer.alloc(8);
    numbers.writeUInt32BE(total);
    numbers.writeUInt32BE(at, 4);
    return segment(0xe1, 'http://ns.adobe.com/xmp/extension/\0', 'A'.repeat(32), numbers, packet);
  },
  profile: (): Buffer => segment(0xe2, 'ICC_PROFILE\0', Buffer.from([1, 1]), profile),
  /** The index of further images; its content is not read. */
  further: (): Buffer => segment(0xe2, 'MPF\0', 'MM\0*\0\0\0\x08', Buffer.alloc(80)),
  iptc: (): Buffer => segment(0xed, 'Photoshop 3.0\0', iptc()),
  comment: (text: string): Buffer => segment(0xfe, text),
};

/** Encoded once: the encoder fills large tables for each picture, and tests make thousands of photos. */
const jpegPicture = jpeg.encode({ data: pixels(), width, height }, 85).data;
const jfifEnd = 4 + jpegPicture.readUInt16BE(4);

/** A JPEG with these segments behind its JFIF segment, and with these bytes behind its end. */
export const jpegOf = (segments: readonly Buffer[] = [], behind: readonly Buffer[] = []): Buffer =>
  Buffer.concat([jpegPicture.subarray(0, jfifEnd), ...segments, jpegPicture.subarray(jfifEnd), ...behind]);

/** As phones append it to a photo: an MP4 that has the place in its user data. */
export const video = (): Buffer => {
  const where = box('\u00a9xyz', Buffer.from('\0\x12\x15\xc7+48.1370+011.5754/', 'latin1'));
  return Buffer.concat([box('ftyp', Buffer.from('mp42\0\0\0\0mp42')), box('moov', box('udta', where))]);
};

// ---------------------------------------------------------------- PNG

export const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([size, body, sum]);
};

const pngPicture = PNG.sync.write(Object.assign(new PNG({ width, height }), { data: pixels() }));
const headEnd = 8 + 25;

/** A PNG with these chunks behind its header, and these before its end. */
export const pngOf = (before: readonly Buffer[] = [], after: readonly Buffer[] = []): Buffer =>
  Buffer.concat([
    pngPicture.subarray(0, headEnd),
    ...before,
    pngPicture.subarray(headEnd, -12),
    ...after,
    pngPicture.subarray(-12),
  ]);
export const pngText = {
  xmp: (packet: Buffer): Buffer =>
    chunk('iTXt', Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0\0\0\0', 'latin1'), packet])),
  packedXmp: (packet: Buffer): Buffer =>
    chunk(
      'iTXt',
      Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\x01\0\0\0', 'latin1'), deflateSync(packet)]),
    ),
  rawExif: (block: Buffer): Buffer => {
    const hex = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), block]).toString('hex');
    const text = `\nexif\n${String(hex.length / 2).padStart(8)}\n${hex.replace(/.{72}/g, '$&\n')}\n`;
    return chunk(
      'zTXt',
      Buffer.concat([Buffer.from('Raw profile type exif\0\0', 'latin1'), deflateSync(text)]),
    );
  },
  profile: (): Buffer => chunk('iCCP', Buffer.concat([Buffer.from('camera\0\0'), deflateSync(profile)])),
};

// ---------------------------------------------------------------- WebP, HEIC

const riffChunk = (type: string, data: Buffer): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(type), size, data, Buffer.alloc(data.length % 2)]);
};
/** One pixel, lossless: as cwebp writes it. */
export const webpPicture = riffChunk('VP8L', Buffer.from('LwAAABAHEBERiIj+BwA=', 'base64').subarray(0, 13));

/** In the extended format, with a profile, and with what is given. `picture` is the chunk of a picture of that size. */
export const webpOf = (
  given: { exif?: Buffer; xmp?: Buffer; picture?: Buffer; width?: number; height?: number } = {},
): Buffer => {
  const { picture = webpPicture } = given;
  const head = Buffer.alloc(10);
  head[0] = 0x20 | (given.exif === undefined ? 0 : 8) | (given.xmp === undefined ? 0 : 4);
  head.writeUIntLE((given.width ?? 1) - 1, 4, 3);
  head.writeUIntLE((given.height ?? 1) - 1, 7, 3);
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    riffChunk('VP8X', head),
    riffChunk('ICCP', profile),
    picture,
    ...(given.exif === undefined ? [] : [riffChunk('EXIF', given.exif)]),
    ...(given.xmp === undefined ? [] : [riffChunk('XMP ', given.xmp)]),
  ]);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from('RIFF'), size, body]);
};

/** The boxes of a HEIC that lead to its EXIF; there is no picture in it. */
export const heicOf = (block: Buffer): Buffer => {
  const full = (type: string, body: Buffer, version = 0): Buffer =>
    box(type, Buffer.concat([Buffer.from([version, 0, 0, 0]), body]));
  const item = Buffer.concat([Buffer.from([0, 0, 0, 6]), Buffer.from('Exif\0\0', 'latin1'), block]);
  const info = full('infe', Buffer.from('\0\x01\0\0Exif\0', 'latin1'), 2);
  const ftyp = box('ftyp', Buffer.from('heic\0\0\0\0mif1heic'));
  const meta = (at: number): Buffer => {
    const extent = Buffer.alloc(8);
    extent.writeUInt32BE(at);
    extent.writeUInt32BE(item.length, 4);
    const where = Buffer.concat([Buffer.from([0x44, 0, 0, 1, 0, 1, 0, 0, 0, 1]), extent]);
    return full(
      'meta',
      Buffer.concat([
        full('hdlr', Buffer.from('\0\0\0\0pict\0\0\0\0\0\0\0\0\0\0\0\0\0', 'latin1')),
        full('iinf', Buffer.concat([Buffer.from([0, 1]), info])),
        full('iloc', where),
      ]),
    );
  };
  const at = ftyp.length + meta(0).length + 8;
  return Buffer.concat([ftyp, meta(at), box('mdat', item)]);
};
