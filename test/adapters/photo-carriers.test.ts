// Each carrier of a location in each format: found wherever it stands, and removed in the copy. Files without one are not held.
import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { lookAtPhoto } from '../../src-main/adapters/inspect/photo/photo.ts';
import { joined, sourceOf } from '../../src-main/adapters/inspect/photo/source.ts';
import { isDeep } from '../support/deep.ts';
import { film, gif, latin1, timed, uint32, uuid, xmpId } from '../support/photos/boxes.ts';
import { made } from '../support/photos/corpus.ts';
import { harmless, spellings, texts } from '../support/photos/written-places.ts';
import { app, box, chunk, exif, heicOf, iptc, jpegOf, pngOf, webpOf, xmp } from '../support/photos/photos.ts';

const look = (file: Buffer) => lookAtPhoto(sourceOf(file));
const copyOf = (file: Buffer): Buffer => {
  const cut = look(file)?.cut ?? null;
  if (cut === null) throw new Error('It cannot be cut.');
  const source = joined(sourceOf(file), cut.parts);
  return Buffer.from(source.read(0, source.sizeBytes));
};
const gifComment = (text: string): Buffer => {
  const pieces =
    latin1(text)
      .toString('latin1')
      .match(/[^]{1,255}/g) ?? [];
  return Buffer.concat([
    Buffer.from([0x21, 0xfe]),
    ...pieces.flatMap((one) => [Buffer.from([one.length]), latin1(one)]),
    Buffer.of(0),
  ]);
};
const gifXmp = (text: string): Buffer =>
  Buffer.concat([
    Buffer.from([0x21, 0xff, 11]),
    latin1('XMP DataXMP'),
    latin1(text),
    Buffer.from([1, ...Array.from({ length: 256 }, (_, at) => 255 - at), 0]),
  ]);

const jxl = (...boxes: Buffer[]): Buffer =>
  Buffer.concat([
    box('JXL ', '\r\n\x87\n'),
    box('ftyp', 'jxl \0\0\0\0jxl '),
    ...boxes,
    box('jxlc', '\xff\x0apicture'),
  ]);
/** Where a text or packet stands in each format that can be cut. */
const withText: Record<string, (text: string) => Buffer> = {
  'a comment of a JPEG': (text) => jpegOf([app.comment(text)]),
  'a text of a PNG': (text) => pngOf([chunk('tEXt', latin1(`Comment\0${text}`))]),
  'a packed text of a PNG behind its picture': (text) =>
    pngOf([], [chunk('zTXt', Buffer.concat([latin1('Comment\0\0'), deflateSync(latin1(text))]))]),
  'a comment of a GIF': (text) => gif(gifComment(text)),
  'XMP of a GIF': (text) => gif(gifXmp(text)),
  'a box of a JPEG XL': (text) => jxl(box('xml ', text)),
  'texts of a film': (text) =>
    film([box('udta', box('\xa9cmt', Buffer.from([0, text.length, 0x15, 0xc7]), text))]),
  'texts of a film behind its movie': (text) => film([], [box('free', text)]),
  'XMP of a film': (text) => film([], [uuid(xmpId, latin1(text))]),
  'XMP of a WebP': (text) => webpOf({ xmp: latin1(text) }),
  'subtitles of a film': (text) => timed('text', latin1(`\0\x20${text}`), 'text'),
};

describe.each(Object.entries(withText))('%s', (where, make) => {
  it.each(Object.entries({ ...spellings, ...texts }))(
    'with a location as %s: found, and removed',
    (name, text) => {
      const file = make(text);
      // A NUL ends the XMP of a GIF.
      const isBroken = name === 'UTF16' && where === 'XMP of a GIF';
      expect(look(file)?.shows).toBe(isBroken ? 'unread' : 'location');
      if (isBroken) return;
      const copy = copyOf(file);
      expect(look(copy)).toBeNull();
      expect(copy.includes(latin1(text).subarray(0, 12))).toBe(false);
    },
  );
  it.each(harmless)('with the text "%s" is not held', (text) => expect(look(make(text))).toBeNull());
});

/** Bytes in hexadecimal digits, behind a name and their number. */
const profileOf = (type: string, called: string, bytes: Buffer): Buffer => {
  const digits = bytes.toString('hex').replace(/.{1,72}/g, '$&\n');
  const text = latin1(`\n${called}\n${String(bytes.length).padStart(8)}\n${digits}`);
  return chunk('zTXt', Buffer.concat([latin1(`Raw profile type ${type}\0\0`), deflateSync(text)]));
};

/** A JPEG whose EXIF has one tag: a text of the type "undefined". */
const exifText = (tag: number, ...value: Buffer[]): Buffer => {
  const text = Buffer.concat(value);
  const entry = Buffer.alloc(18);
  entry.writeUInt16BE(1);
  entry.writeUInt16BE(tag, 2);
  entry.writeUInt16BE(7, 4);
  entry.writeUInt32BE(text.length, 6);
  entry.writeUInt32BE(26, 10);
  return jpegOf([app.exif(Buffer.concat([latin1('MM\0*'), uint32(8), entry, text]))]);
};
const inUtf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
const japanese = '北緯35度0分41秒 東経135度46分5秒';

describe('binary carriers', () => {
  /** Of a generator of Lehmer, the same in each run. */
  let last = 1;
  const noise = Buffer.from(
    Array.from({ length: 100_000 }, () => (last = (last * 48_271) % 0x7fff_ffff) & 0xff),
  );
  const block = exif({ order: 'II' });
  const files: Record<string, Buffer> = {
    'EXIF behind a comment of 60,000 letters': jpegOf([
      app.comment('x'.repeat(60_000)),
      app.comment('y'.repeat(60_000)),
      app.exif(exif()),
    ]),
    'EXIF in two segments': jpegOf([app.exif(block.subarray(0, 60)), app.exif(block.subarray(60))]),
    'resources that name a city': jpegOf([app.iptc()]),
    'claims of C2PA in two segments': jpegOf(
      ['exif:GPSLat', 'itude'].map((text, at) =>
        Buffer.concat([
          Buffer.from('ffeb', 'hex'),
          Buffer.from([0, 2 + 16 + text.length]),
          latin1('JP'),
          Buffer.from([0, 1]),
          uint32(at + 1),
          box('jumb'),
          latin1(text),
        ]),
      ),
    ),
    'claims of C2PA in a PNG': pngOf([chunk('caBX', box('jumb', 'kexif:GPSLatitude'))]),
    'IPTC of a PNG, as ExifTool writes it': pngOf([profileOf('iptc', 'IPTC profile', iptc())]),
    'IPTC of a PNG, as ImageMagick writes it': pngOf([profileOf('8bim', '8bim', iptc())]),
    'EXIF of a PNG, as old ExifTools write it': pngOf([
      profileOf('APP1', 'generic profile', Buffer.concat([latin1('Exif\0\0'), block])),
    ]),
    'XMP of a PNG in hexadecimal digits': pngOf([profileOf('xmp', 'xmp', xmp())]),
    'EXIF of a JPEG XL': jxl(box('Exif', uint32(0), block)),
    'EXIF of a HEIC': heicOf(exif()),
    'loci of a 3GP': film([box('udta', box('loci', Buffer.concat([Buffer.alloc(6), Buffer.alloc(30, 1)])))]),
    'a place of QuickTime': film([
      box('meta', box('hdlr', Buffer.alloc(24)), box('keys', 'mdtacom.apple.quicktime.location.ISO6709')),
    ]),
    '\u00a9xyz of a film': film([box('udta', box('\xa9xyz', '\0\x12\x15\xc7+48.1370+011.5754/'))]),
    'positions of GoPro': timed('gpmd', latin1('DEVCGPS5l\x14\0\x01')),
    'positions of Sony': timed('rtmd', Buffer.concat([Buffer.from('85020018', 'hex'), Buffer.alloc(24, 1)])),
    'positions of a camera in motion': timed('camm', Buffer.from('00000500' + '00'.repeat(24), 'hex')),
    'a film in a photo': jpegOf(
      [],
      [Buffer.alloc(24, 1), film([box('udta', box('\xa9xyz', '+48.1370+011.5754/'))])],
    ),
    'a photo behind a film': film([], [box('free', jpegOf([app.exif(exif())]))]),
    'a comment of EXIF in ASCII': exifText(0x9286, latin1('ASCII\0\0\0N35.0116 E135.7681')),
    'a comment of EXIF in little-endian UTF-16': exifText(0x9286, latin1('UNICODE\0'), inUtf16(japanese)),
    'a comment of EXIF in big-endian UTF-16': exifText(
      0x9286,
      latin1('UNICODE\0'),
      inUtf16(japanese).swap16(),
    ),
    'a comment of EXIF in JIS': exifText(0x9286, latin1('JIS\0\0\0\0\0///index.home.raft')),
    'a comment of Windows': exifText(0x9c9c, inUtf16(japanese)),
    'a name of a place among the keys of a film': film([
      box(
        'meta',
        box('hdlr', Buffer.alloc(24)),
        box('keys', uint32(0), uint32(1), box('mdta', 'com.xiaomi.place.city')),
      ),
    ]),
    'a free text of iTunes': film([
      box(
        'udta',
        box(
          '----',
          box('mean', uint32(0), 'org.example'),
          box('name', uint32(0), 'LOCATION'),
          box('data', 'Kyoto'),
        ),
      ),
    ]),
    'a text among many other bytes': film(
      [],
      [box('free', noise, latin1('at 35.0116, 135.7681 today'), noise)],
    ),
    'a field of XMP among many other bytes': film(
      [],
      [box('free', noise, latin1(' my:City="Kyoto"/>'), noise)],
    ),
    'a place of a PNG with a word between': pngOf([chunk('tEXt', latin1('State/Province\0Kansai'))]),
    'coordinates of a PNG': pngOf([chunk('tEXt', latin1('Coordinates\x0035.0'))]),
    'a free text of iTunes with a prefix': film([
      box('udta', box('----', box('name', uint32(0), 'photoshop:City'), box('data', 'Kyoto'))),
    ]),
    'a text of a film in French': film([
      box('udta', box('\xa9cmt', Buffer.from([0, 16, 0x1a, 0x41]), '35.0116,135.7681')),
    ]),
    'a text of a film without its language': film([box('udta', box('gps0', '35.0116,135.7681'))]),
    'a place of a PNG': pngOf([chunk('tEXt', latin1('Place\0Kinkaku'))]),
    'the address of the photographer in a PNG': pngOf([chunk('tEXt', latin1('Author Address\0Sanjo'))]),
    'EXIF behind bytes that fill': jpegOf([Buffer.from('ffffff', 'hex'), app.exif(block)]),
    'EXIF of a JPEG in a segment of another number': jpegOf([app.exif(block).fill(0xe7, 1, 2)]),
    'EXIF behind the end of a JPEG': Buffer.concat([jpegOf(), app.exif(block)]),
    'NMEA behind the end of a JPEG': Buffer.concat([
      jpegOf(),
      latin1('$GPRMC,093542.00,A,4808.22,N,01134.52,E'),
    ]),
    'EXIF of an application in a GIF': gif(
      Buffer.concat([
        Buffer.from([0x21, 0xff, 11]),
        latin1('EXIF'.padEnd(11, '\0')),
        Buffer.from([block.length]),
        block,
        Buffer.of(0),
      ]),
    ),
    'EXIF of a WebP in small letters': Buffer.from(
      webpOf({ exif: block }).toString('latin1').replace('EXIF', 'exif'),
      'latin1',
    ),
    'a film whose size begins as a text in UTF-16 does': Buffer.concat([
      box('mdat', Buffer.alloc(0x30_0000)),
      box(
        'moov',
        box('mvhd', Buffer.alloc(100)),
        box('udta', box('\xa9xyz', '\0\x12\x15\xc7+48.1370+011.5754/')),
      ),
    ]),
    'a comment of a JPEG that begins as UTF-16 does': jpegOf([app.comment('\xff\xfeN35.0116 E135.7681')]),
    'a recording of sound': Buffer.concat([
      box('ftyp', 'M4A \0\0\0\0M4A '),
      box(
        'moov',
        box('mvhd', Buffer.alloc(100)),
        box('udta', box('\xa9xyz', '\0\x12\x15\xc7+48.1370+011.5754/')),
      ),
    ]),
    'a piece of a film': Buffer.concat([
      box('styp', 'msdh\0\0\0\0'),
      box('moof', box('mfhd', Buffer.alloc(8))),
      uuid(xmpId, xmp()),
    ]),
  };
  it.each(Object.entries(files))('%s: found, and removed', (_, file) => {
    expect(look(file)?.shows).toBe('location');
    expect(look(copyOf(file))).toBeNull();
  });

  it.each([
    ['a track of an unknown kind', timed('djmd', Buffer.alloc(40, 3))],
    ['the film of a dashcam', film([box('gps ', Buffer.alloc(24, 1))])],
    [
      'a track of a dashcam that is called as those of GoPro',
      timed('gpmd', latin1('FMAS\0\0\0\0'.padEnd(80, '\x01'))),
    ],
    ['the track of a drone', timed('mett', Buffer.concat([latin1('P3\0\x10'), Buffer.alloc(60, 7)]))],
    ['positions of Garmin', film([], [uuid('9b630f8d637440ec8204bc5ff5091728', Buffer.alloc(40, 7))])],
    ['the box of a dashcam', film([], [box('gps0', Buffer.alloc(40, 7))])],
    ['the box of another dashcam', film([], [box('GPS ', Buffer.alloc(40, 7))])],
    [
      'a photo with the records of Insta360 behind it',
      Buffer.concat([jpegOf(), Buffer.alloc(80, 7), latin1('8db42d694ccc418790edff439fe026bf')]),
    ],
    [
      'a profile of a PNG that is not in digits',
      pngOf([chunk('tEXt', latin1('Raw profile type iptc\0\niptc\n 4\nHello'))]),
    ],
    ['a movie that is packed', film([box('cmov', 'zlib')])],
    ['a box that ends behind the file', Buffer.concat([film(), uint32(100), latin1('udta')])],
    ['EXIF whose directory is outside', jpegOf([app.exif(Buffer.from('4d4d002affffffff', 'hex'))])],
    [
      'EXIF whose directories form a circle',
      jpegOf([app.exif(Buffer.from('4d4d002a00000008000000000008', 'hex'))]),
    ],
  ])('%s cannot be looked into', (_, file) => expect(look(file)).toMatchObject({ shows: 'unread' }));

  it('a bomb in a text of a PNG ends within bounds', () => {
    const bomb = chunk('zTXt', Buffer.concat([latin1('a\0\0'), deflateSync(Buffer.alloc(64 * 1024 * 1024))]));
    expect(look(pngOf([bomb]))).toMatchObject({ shows: 'unread' });
  });

  it.each([
    ['RW2', (bytes: Buffer) => bytes.fill(0x55, 2, 3)],
    ['ORF', (bytes: Buffer) => bytes.fill('RO', 2, 4)],
  ])('%s is read and not cut', (_, change) =>
    expect(look(change(exif({ order: 'II' })))).toEqual({ shows: 'location', cut: null }),
  );

  it('RAF has its location in its preview', () => {
    const preview = jpegOf([app.exif(exif())]);
    const raf = Buffer.concat([
      latin1('FUJIFILMCCD-RAW ').subarray(0),
      Buffer.alloc(68),
      uint32(108),
      uint32(preview.length),
      Buffer.alloc(16),
      preview,
    ]);
    expect(look(raf)).toEqual({ shows: 'location', cut: null });
  });

  it.each([
    ['a latitude', '0001000200050000000300000020000000 00', Buffer.alloc(24, 1)],
    ['a text', '0001001b00020000001800000020000000 00', latin1('ASCII\0\0\x0035.0116,135.7681')],
  ])('in CR3 the directory for GPS is a box of its own: %s', (_, directory, value) => {
    const gps = Buffer.concat([
      latin1('MM\0*'),
      uint32(8),
      Buffer.from(directory.replaceAll(' ', ''), 'hex'),
      Buffer.alloc(6),
      value,
    ]);
    const canon = uuid('85c0b687820f11e08111f4ce462b6a48', box('CMT4', gps));
    const cr3 = Buffer.concat([box('ftyp', 'crx \0\0\0\x01crx isom'), box('moov', canon)]);
    expect(look(cr3)).toEqual({ shows: 'location', cut: null });
  });
});

it('a track of a moving photo that is named like those of a drone is not held', () => {
  expect(look(timed('mett', latin1('\x08\x01\x12\x04P3\0\x10')))).toBeNull();
});

test.each(Object.entries(made))('%s: found, and nothing of it is in a copy', (_, make) => {
  const file = make();
  expect(look(file)).not.toBeNull();
  const cut = look(file)?.cut ?? null;
  if (cut !== null) expect(look(copyOf(file))).toBeNull();
});

test.each([
  'People|Family|Anna',
  'Events|Wedding|2026',
  'Nature/Birds/Robin',
  'image/JPEG and N/A',
  'https://example.com/places/Shop',
  'AC/DC, black/White',
  'Canon/EOS R5',
  'a@b.example, +49 89 1234567',
])('the keyword %s shows no place', (text) => {
  expect(look(jpegOf([app.xmp(xmp(`dc:subject="${text}"`)), app.comment(text)]))).toBeNull();
});

describe('a text that accompanies a photo or film', () => {
  const xmpFile = (begin: string, inside: string): Buffer =>
    latin1(`${begin}<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:Description ${inside}/></x:xmpmeta>`);
  const subtitles = (text: string): Buffer => latin1(`1\n00:00:00,000 --> 00:00:00,033\n${text}\n\n`);
  const place = 'exif:GPSLatitude="48,8.2208N"';

  it.each([
    ['XMP of Lightroom', xmpFile('', place)],
    ['XMP of darktable', xmpFile('<?xml version="1.0" encoding="UTF-8"?>\n', place)],
    ['XMP of ExifTool', xmpFile("<?xpacket begin='\xef\xbb\xbf' id='W5M0MpCehiHzreSzNTczkc9d'?>\n", place)],
    ...['', '<?xml version="1.0"?>\n'].flatMap((begin): [string, Buffer][] => {
      const text = Buffer.from(xmpFile(begin, place).toString(), 'utf16le');
      return [
        [`XMP in little-endian UTF-16 behind "${begin}"`, text],
        [
          `XMP in little-endian UTF-16 with its mark behind "${begin}"`,
          Buffer.concat([latin1('\xff\xfe'), text]),
        ],
        [
          `XMP in big-endian UTF-16 with its mark behind "${begin}"`,
          Buffer.concat([latin1('\xfe\xff'), Buffer.from(text).swap16()]),
        ],
      ];
    }),
    ['subtitles of a drone', subtitles('[iso: 100] [latitude: 48.137154] [longitude: 11.576124]')],
    ['subtitles of a page', latin1('WEBVTT\n\n00:00.000 --> 00:01.000\nGPS (135.7681, 35.0116, 15)\n')],
    ['a text of a drawing', latin1('<svg><text x="1"><tspan>35.0116, 135.7681</tspan></text></svg>')],
    ['a link of a drawing', latin1('<svg><a href="https://maps.google.com/?q=Kyoto"/></svg>')],
    ['subtitles of an older drone', subtitles('HOME(11.5761,48.1371) GPS(11.5761,48.1371,18)')],
  ])('%s: found, and not cut', (_, file) => expect(look(file)).toEqual({ shows: 'location', cut: null }));

  it.each([
    ['XMP', xmpFile('', 'xmp:Rating="4"')],
    ['subtitles', subtitles('The city of light, at 12:30.')],
    ['a drawing', latin1('<svg><path d="M 35.0116,135.7681"/><text x="35.0116" y="135.7681">A</text></svg>')],
  ])('%s without a location is not held', (_, file) => expect(look(file)).toBeNull());
});

it.each(['The free software', 'Too wide to show', 'Let skip this', 'The mdas of it', 'MM or not'])(
  'a text that begins with "%s" does not count as film',
  (begin) => {
    expect(
      look(latin1(`${begin}, and many more words of a text that goes on and on for a while.`)),
    ).toBeNull();
  },
);

describe('any photo', () => {
  const packets = [...Object.values(spellings), ...Object.values(texts)];
  const carriers: ((text: string) => Buffer)[] = [
    () => app.exif(exif()),
    () => app.exif(exif({ order: 'II' })),
    () => app.iptc(),
    (text) => app.comment(text),
    (text) => app.xmp(latin1(text)),
  ];
  it('with a carrier at any place among others is found, and its copy has none', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('x'.repeat(50), 'City of light', 'y'.repeat(40_000)), { maxLength: 5 }),
        fc.array(fc.constantFrom('z'.repeat(60), 'no place here'), { maxLength: 5 }),
        fc.constantFrom(...carriers),
        fc.constantFrom(...packets),
        (before, after, carrier, text) => {
          const around = (all: string[]): Buffer[] => all.map(app.comment);
          const file = jpegOf([...around(before), carrier(text), ...around(after)]);
          expect(look(file)?.shows).toBe('location');
          expect(look(copyOf(file))).toBeNull();
        },
      ),
      { numRuns: isDeep ? 150 : 30 },
    );
  });
});

/** The list of the guide has an example of each way. */
const inGuide =
  readFileSync('resources/docs/user-guide.md', 'utf8')
    .match(/is written in one of these ways:\n([^]*?)\n\nProse is not understood/)?.[1]
    ?.match(/(?<=`)[^`\n]+(?=`(?:[,;:\s]|$))/g)
    ?.filter((one) => /\w{2}/.test(one)) ?? [];

describe('the guide', () => {
  it('lists the ways to write a place', () => expect(inGuide.length).toBeGreaterThan(25));
  it.each(inGuide)('promises that %s is found', (text) => {
    for (const one of [text, `Our holiday: ${text}.`, `${text}\nby Anna`])
      expect(look(jpegOf([app.comment(Buffer.from(one).toString('latin1'))]))?.shows).toBe('location');
  });
  it('says that prose is not found', () => {
    expect(look(jpegOf([app.comment('at our house in Main Street 5')]))).toBeNull();
  });
});
