// Carriers of a place, as the documents of the formats name them (EXIF 3.0, IPTC-IIM 4.2, IPTC Photo Metadata 2023.2, XMP,
// MWG 2.0, QuickTime, ISO 23008-12, PNG 1.2 and 3, GeoTIFF, GeoJP2, C2PA). Written before the rules were read.
import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { app, box, chunk, exif, iptc, jpegOf, pngOf, xmp } from './photos.ts';

const [photoTags = '', tagsOfFilms = ''] = readFileSync(new URL('tags.txt', import.meta.url), 'utf8')
  .split(/^=== .*\n/m)
  .slice(1);
const casesOf = (lines: string): string[][] =>
  lines
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' && '));
/** Tags as exiftool writes them, each alone in a file. The values have no other place than these. */
export const tags: readonly (readonly string[])[] = casesOf(photoTags);
/** Tags of films, in MP4, MOV and their relatives. */
export const filmTags: readonly (readonly string[])[] = casesOf(tagsOfFilms);

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const text = (keyword: string, value: string): Buffer => chunk('tEXt', latin(`${keyword}\0${value}`));
const packed = (keyword: string, value: Buffer | string): Buffer =>
  chunk('zTXt', Buffer.concat([latin(`${keyword}\0\0`), deflateSync(value)]));
const international = (keyword: string, value: string): Buffer =>
  chunk('iTXt', Buffer.concat([latin(`${keyword}\0\x01\0\0\0`), deflateSync(Buffer.from(value))]));
const rawProfile = (kind: string, bytes: Buffer): Buffer => {
  const hex = bytes.toString('hex').replace(/.{72}/g, '$&\n');
  return packed(`Raw profile type ${kind}`, `\n${kind}\n${String(bytes.length).padStart(8)}\n${hex}\n`);
};
const segment = (marker: number, ...data: (Buffer | string)[]): Buffer => {
  const payload = Buffer.concat(data.map((one) => (typeof one === 'string' ? latin(one) : one)));
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(payload.length + 2, 2);
  return Buffer.concat([head, payload]);
};
const numbers = (bytes: 2 | 4, isLittle: boolean, ...values: number[]): Buffer =>
  Buffer.concat(
    values.map((value) => {
      const one = Buffer.alloc(bytes);
      if (isLittle) one.writeUIntLE(value, 0, bytes);
      else one.writeUIntBE(value, 0, bytes);
      return one;
    }),
  );

/** A directory of TIFF with these entries of bytes (type 7) or text (type 2). */
const directory = (
  at: number,
  entries: readonly (readonly [tag: number, data: Buffer, type?: number])[],
): Buffer => {
  let restAt = at + 2 + entries.length * 12 + 4;
  const rest: Buffer[] = [];
  const rows = entries.map(([tag, data, type = 7]) => {
    const head = Buffer.concat([
      numbers(2, true, tag, type),
      numbers(4, true, type === 12 ? data.length / 8 : data.length),
    ]);
    if (data.length <= 4) return Buffer.concat([head, data, Buffer.alloc(4 - data.length)]);
    const row = Buffer.concat([head, numbers(4, true, restAt)]);
    rest.push(data, Buffer.alloc(data.length % 2));
    restAt += data.length + (data.length % 2);
    return row;
  });
  return Buffer.concat([numbers(2, true, entries.length), ...rows, numbers(4, true, 0), ...rest]);
};
const tiff = (...entries: Parameters<typeof directory>[1]): Buffer =>
  Buffer.concat([latin('II*\0'), numbers(4, true, 8), directory(8, entries)]);
/** EXIF whose makers' note is this. */
const noted = (make: string, note: Buffer): Buffer => {
  const maker = latin(`${make}\0`);
  const head = 8 + 2 + 2 * 12 + 4 + maker.length + (maker.length % 2);
  const first = Buffer.concat([
    numbers(2, true, 2),
    numbers(2, true, 0x010f, 2),
    numbers(4, true, maker.length, 38),
    numbers(2, true, 0x8769, 4),
    numbers(4, true, 1, head),
    numbers(4, true, 0),
    maker,
    Buffer.alloc(maker.length % 2),
  ]);
  return Buffer.concat([latin('II*\0'), numbers(4, true, 8), first, directory(head, [[0x927c, note]])]);
};
const doubles = (...values: number[]): Buffer =>
  Buffer.concat(
    values.map((value) => {
      const one = Buffer.alloc(8);
      one.writeDoubleLE(value);
      return one;
    }),
  );
const resource = (id: number, data: Buffer): Buffer =>
  Buffer.concat([
    latin('8BIM'),
    numbers(2, false, id),
    latin('\0\0'),
    numbers(4, false, data.length),
    data,
    Buffer.alloc(data.length % 2),
  ]);

const iim = (dataset: number, value: string): Buffer =>
  Buffer.concat([
    Buffer.from([0x1c, 2, dataset]),
    numbers(2, false, Buffer.byteLength(value)),
    Buffer.from(value),
  ]);

/** What exiftool does not write: whole files of a format, with the place in it. */
// prettier-ignore
export const made: Readonly<Record<string, () => Buffer>> = {
  'JPEG: a comment': () => jpegOf([app.comment('lat=48.13715 lon=11.57612')]),
  'JPEG: IPTC over two segments': () => {
    const all = Buffer.concat([latin('Photoshop 3.0\0'), resource(0x404, Buffer.concat([iim(120, 'a'.repeat(3000)), iim(90, 'Munich')]))]);
    return jpegOf([segment(0xed, all.subarray(0, 2000)), segment(0xed, 'Photoshop 3.0\0', all.subarray(2000))]);
  },
  'JPEG: GPMF of GoPro in APP6': () =>
    jpegOf([segment(0xe6, 'GoPro\0', 'DEVC\0\x01\0\x24STRM\0\x01\0\x1cGPS5l\x14\0\x01', numbers(4, false, 481370000, 115750000, 519000, 0, 0))]),
  'JPEG: C2PA in APP11': () =>
    jpegOf([segment(0xeb, 'JP\0\x01', numbers(4, false, 1), box('jumb', box('jumd', 'json\0\x11\0\x10\x80\0\0\xaa\0\x38\x9b\x71\x03stds.exif\0'), box('json', '{"exif:GPSLatitude":"48,8.22N","exif:GPSLongitude":"11,34.56E"}')))]),
  'JPEG: Picture Info in APP12': () => jpegOf([segment(0xec, 'Picture Info\0[picture info]\r\nGPSLatitude=48.13715\r\nGPSLongitude=11.57612\r\n')]),
  'JPEG: another image behind the end': () => jpegOf([], [jpegOf([app.exif(exif())])]),
  ...Object.fromEntries([0x67, 0x6d, 0x80].map((tag) => [`JPEG: Panasonic names the place in tag ${tag}`, () => jpegOf([app.exif(noted('Panasonic', Buffer.concat([latin('Panasonic\0\0\0'), directory(0, [[tag, latin('Munich'.padEnd(72, '\0'))]])])))])])),
  'JPEG: Samsung names the place': () => jpegOf([app.exif(noted('SAMSUNG', directory(0, [[1, latin('0100')], [0x30, latin('Marienplatz\0'), 2]])))]),
  'JPEG: Nikon names the place': () => jpegOf([app.exif(noted('NIKON CORPORATION', Buffer.concat([latin('Nikon\0\x02\x11\0\0'), tiff([0x39, latin('0100\x01DEU\x0bMarienplatz'.padEnd(80, '\0'))])])))]),
  'JPEG: the note of Nikon is cut': () => jpegOf([app.exif(noted('NIKON CORPORATION', Buffer.concat([latin('Nikon\0\x02\x11\0\0II*\0'), numbers(4, true, 10), latin('\0\0'), numbers(2, true, 40), Buffer.alloc(24)])))]),
  'JPEG: EXIF of EXIF 3.0 in UTF-8': () => jpegOf([app.exif(tiff([0x010e, Buffer.from('48.13715° N, 11.57612° E\0'), 129]))]),
  'JPEG: XMP in UTF-16': () => jpegOf([app.xmp(Buffer.from(xmp('photoshop:City="Munich"').toString(), 'utf16le'))]),
  'JPEG: XMP with another prefix': () => jpegOf([app.xmp(Buffer.from('<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:p="http://ns.adobe.com/photoshop/1.0/"><p:City>Munich</p:City></rdf:Description></rdf:RDF></x:xmpmeta>'))]),
  'JPEG: W3C geo in XMP': () => jpegOf([app.xmp(xmp('xmlns:geo="http://www.w3.org/2003/01/geo/wgs84_pos#" geo:lat="48.137" geo:long="11.575"'))]),

  'PNG: Location': () => pngOf([text('Location', 'Munich')]),
  'PNG: exif:GPSLatitude of ImageMagick': () => pngOf([text('exif:GPSLatitude', '48/1, 8/1, 1325/100')]),
  'PNG: coordinates in a comment': () => pngOf([text('Comment', '48.13715, 11.57612')]),
  'PNG: a packed comment': () => pngOf([packed('Comment', '48.13715, 11.57612')]),
  'PNG: a packed international description': () => pngOf([international('Description', '北纬48.13715 东经11.57612')]),
  'PNG: international coordinates': () => pngOf([international('Description', '48.13715, 11.57612')]),
  'PNG: eXIf': () => pngOf([chunk('eXIf', exif())]),
  'PNG: zxIf': () => pngOf([chunk('zxIf', Buffer.concat([latin('\0'), numbers(4, false, exif().length), deflateSync(exif())]))]),
  'PNG: raw profile exif': () => pngOf([rawProfile('exif', Buffer.concat([latin('Exif\0\0'), exif()]))]),
  'PNG: raw profile APP1': () => pngOf([rawProfile('APP1', Buffer.concat([latin('Exif\0\0'), exif()]))]),
  'PNG: raw profile iptc': () => pngOf([rawProfile('iptc', iptc())]),
  'PNG: raw profile 8bim': () => pngOf([rawProfile('8bim', iptc())]),
  'PNG: raw profile xmp': () => pngOf([rawProfile('xmp', xmp())]),
  'PNG: text behind the picture': () => pngOf([], [text('Comment', 'geo:48.13715,11.57612')]),
  'PNG: a photo behind its end': () => Buffer.concat([pngOf(), jpegOf([app.exif(exif())])]),
  'PNG: C2PA in caBX': () => pngOf([chunk('caBX', box('jumb', box('jumd', 'json\0\x11\0\x10\x80\0\0\xaa\0\x38\x9b\x71\x03stds.exif\0'), box('json', '{"exif:GPSLatitude":"48,8.22N"}')))]),

  'TIFF: GPS directory': () => exif(),
  'TIFF: XMP': () => tiff([700, xmp()]),
  'TIFF: IPTC': () => tiff([33723, iim(90, 'Munich')]),
  'TIFF: Photoshop': () => tiff([34377, resource(0x404, iim(90, 'Munich'))]),
  'TIFF: GeoTIFF tie points': () => tiff([33550, doubles(0.1, 0.1, 0), 12], [33922, doubles(0, 0, 0, 11.575, 48.137, 0), 12]),
  'TIFF: GeoTIFF matrix': () => tiff([34264, doubles(1, 0, 0, 11.575, 0, 1, 0, 48.137, 0, 0, 0, 0, 0, 0, 0, 1), 12]),
  'TIFF: GeoTIFF names': () => tiff([34737, latin('WGS 84 / UTM zone 32N|\0'), 2]),
  'TIFF: GDAL': () => tiff([42112, latin('<GDALMetadata><Item name="LATITUDE">48.137</Item><Item name="LONGITUDE">11.575</Item></GDALMetadata>\0'), 2]),
  'JPEG XR: XMP': () => { const one = tiff([700, xmp()]); one.write('II\xbc\x01', 'latin1'); return one; },
  'JPEG XR: GPS directory': () => { const one = exif({ order: 'II' }); one.write('II\xbc\x01', 'latin1'); return one; },
  'JPEG 2000: GeoJP2': () => Buffer.concat([box('jP  ', '\r\n\x87\n'), box('ftyp', 'jp2 \0\0\0\0jp2 '), box('uuid', Buffer.from('b14bf8bd083d4b43a5ae8cd7d5a6ce03', 'hex'), tiff([33922, doubles(0, 0, 0, 11.575, 48.137, 0), 12]))]),
  'JPEG 2000: GML': () => Buffer.concat([box('jP  ', '\r\n\x87\n'), box('ftyp', 'jp2 \0\0\0\0jpx '), box('asoc', box('lbl ', 'gml.data'), box('asoc', box('lbl ', 'gml.root-instance'), box('xml ', '<gml:FeatureCollection><gml:origin><gml:pos>48.137 11.575</gml:pos></gml:origin></gml:FeatureCollection>')))]),
  'PSD: EXIF': () => psd(resource(1058, exif())),
  'PSD: IPTC': () => psd(resource(1028, iim(90, 'Munich'))),
  'PSD: XMP': () => psd(resource(1060, xmp())),

  'GIF: a comment': () => gif(latin('\x21\xfe\x1248.13715, 11.57612\0')),
  'GIF: XMP': () => gif(Buffer.concat([latin('\x21\xff\x0bXMP DataXMP'), xmp('photoshop:City="Munich"'), Buffer.from([1, ...Array.from({ length: 256 }, (_, at) => 255 - at), 0])])),
  'GIF: plain text': () => gif(Buffer.concat([latin('\x21\x01\x0c'), Buffer.alloc(12), latin('\x1248.13715, 11.57612\0')])),

  'WebP: an unknown chunk': () => webp(riff('IPTC', iim(90, 'Munich'))),
  'WebP: EXIF': () => webp(riff('EXIF', exif())),
  'WebP: EXIF with its prefix': () => webp(riff('EXIF', Buffer.concat([latin('Exif\0\0'), exif()]))),
  'WebP: C2PA': () => webp(riff('C2PA', box('jumb', box('json', '{"exif:GPSLatitude":"48,8.22N"}')))),

  'JPEG XL: xml': () => jxl(box('xml ', xmp())),
  'JPEG XL: Exif': () => jxl(box('Exif', numbers(4, false, 0), exif())),
  'JPEG XL: jumb': () => jxl(box('jumb', box('jumd', 'json\0\x11\0\x10\x80\0\0\xaa\0\x38\x9b\x71\x03stds.exif\0'), box('json', '{"exif:GPSLatitude":"48,8.22N"}'))),

  'MP4: a box of Novatek': () => mp4(box('gps ', Buffer.alloc(8), numbers(4, false, 1000, 64))),
  'MP4: freeGPS in the data': () => mp4(box('udta'), Buffer.concat([Buffer.alloc(32768 - 64), numbers(4, false, 0x8000), latin('freeGPS '), Buffer.alloc(300)])),
  'MP4: XMP': () => Buffer.concat([mp4(box('udta')), box('uuid', Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex'), xmp())]),
  'MP4: user data of Android': () => mp4(box('udta', box('\xa9xyz', '\0\x12\x15\xc7+48.1370+011.5754/'))),
  'MP4: loci of 3GPP': () => mp4(box('udta', box('loci', '\0\0\0\0\x15\xc7Marienplatz\0\0', numbers(4, false, 758776, 3154739, 0), 'earth\0\0'))),
  'MP4: auth and titl of 3GPP': () => mp4(box('udta', box('titl', '\0\0\0\0\x15\xc748.13715, 11.57612\0'))),
  'MP4: emsg': () => Buffer.concat([mp4(box('udta')), box('emsg', '\0\0\0\0urn:gps\0\0', Buffer.alloc(16), '{"lat":48.13715,"lon":11.57612}')]),
  'MP4: a track of GoPro': () => withSamples('gpmd', latin('DEVC\0\x01\0\x1cSTRM\0\x01\0\x14GPS5l\x14\0\x01'.padEnd(48, '\0'))),
  'MP4: a track of Google': () => withSamples('camm', Buffer.concat([Buffer.from([0, 0, 5, 0]), doubles(48.137, 11.575, 519)])),
  'MP4: a track of text in XML': () => withSamples('metx', latin('<gps><lat>48.13715</lat><lon>11.57612</lon></gps>')),
  'MP4: a track of mebx': () => withSamples('mebx', latin('\0\0\0\x22\0\0\0\x01+48.1370+011.5754+519.000/')),

  'sidecar: XMP': () => xmp('photoshop:City="Munich"'),
  'sidecar: SRT of DJI': () => Buffer.from('1\n00:00:00,000 --> 00:00:00,033\n<font size="36">FrameCnt : 1, DiffTime : 33ms\n2026-06-01 12:00:00,123\n[iso : 100] [shutter : 1/1000.0] [latitude: 48.137154] [longitude: 11.576124] [altitude: 519.000000] </font>\n\n'),
  'sidecar: SRT of older DJI': () => Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nHOME(11.5761,48.1371) 2017.06.01 12:00:00\nGPS(11.5761,48.1371,15) BAROMETER:1.9\n\n'),

  'SVG: metadata': () => svg('<metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/"><rdf:Description><dc:coverage>Munich</dc:coverage></rdf:Description></rdf:RDF></metadata>'),
  'SVG: XMP': () => svg(`<metadata>${xmp().toString()}</metadata>`),
  'SVG: geo attributes': () => svg('<g xmlns:geo="http://www.w3.org/2003/01/geo/wgs84_pos#" geo:lat="48.137" geo:long="11.575"/>'),
  'SVG: an embedded photo': () => svg(`<image href="data:image/jpeg;base64,${jpegOf([app.exif(exif())]).toString('base64')}"/>`),
  'SVG: a comment': () => svg('<!-- 48.13715, 11.57612 -->'),
  'SVG: XMP after a long head': () => svg(`<!--${'x'.repeat(3000)}--><metadata>${xmp().toString()}</metadata>`),
};

const psd = (resources: Buffer): Buffer =>
  Buffer.concat([
    latin('8BPS\0\x01'),
    Buffer.alloc(6),
    numbers(2, false, 3),
    numbers(4, false, 1, 1),
    numbers(2, false, 8, 3),
    numbers(4, false, 0, resources.length),
    resources,
    numbers(4, false, 0),
    Buffer.alloc(5),
  ]);
const gif = (extension: Buffer): Buffer =>
  Buffer.concat([
    latin('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff'),
    extension,
    latin('\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0\x3b'),
  ]);
const riff = (type: string, data: Buffer): Buffer =>
  Buffer.concat([latin(type), numbers(4, true, data.length), data, Buffer.alloc(data.length % 2)]);
const webp = (more: Buffer): Buffer => {
  const head = Buffer.alloc(10);
  head[0] = 0x0c;
  const body = Buffer.concat([
    latin('WEBP'),
    riff('VP8X', head),
    riff('VP8L', Buffer.from('LwAAABAHEBERiIj+BwA=', 'base64').subarray(0, 13)),
    more,
  ]);
  return Buffer.concat([latin('RIFF'), numbers(4, true, body.length), body]);
};
const jxl = (more: Buffer): Buffer =>
  Buffer.concat([
    box('JXL ', '\r\n\x87\n'),
    box('ftyp', 'jxl \0\0\0\0jxl '),
    more,
    box('jxlc', Buffer.from([0xff, 0x0a, 0, 0x10, 0xb0, 0x13, 0, 1])),
  ]);
const mp4 = (inside: Buffer, data: Buffer = Buffer.alloc(64)): Buffer =>
  Buffer.concat([
    box('ftyp', 'mp42\0\0\0\0mp42isom'),
    box('moov', box('mvhd', Buffer.alloc(100)), inside),
    box('mdat', data),
  ]);
/** A film with a track of one sample. */
const withSamples = (format: string, sample: Buffer): Buffer => {
  const film = (at: number): Buffer =>
    mp4(
      box(
        'trak',
        box('tkhd', Buffer.alloc(84)),
        box(
          'mdia',
          box('mdhd', Buffer.alloc(24)),
          box('hdlr', '\0\0\0\0\0\0\0\0meta', Buffer.alloc(13)),
          box(
            'minf',
            box(
              'stbl',
              box('stsd', '\0\0\0\0\0\0\0\x01', box(format, Buffer.alloc(8))),
              box('stts', Buffer.alloc(8)),
              box('stsc', '\0\0\0\0', numbers(4, false, 1, 1, 1, 1)),
              box('stsz', numbers(4, false, 0, sample.length, 1)),
              box('stco', '\0\0\0\0\0\0\0\x01', numbers(4, false, at)),
            ),
          ),
        ),
      ),
      sample,
    );
  return film(film(0).length - sample.length);
};
const svg = (inside: string): Buffer =>
  Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10">${inside}<rect width="10" height="10"/></svg>\n`,
  );
