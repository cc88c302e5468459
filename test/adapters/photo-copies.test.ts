// What a copy of a photo or film keeps: nothing that may hold a text.
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { lookAtPhoto } from '../../src-main/adapters/inspect/photo/photo.ts';
import { joined, sourceOf } from '../../src-main/adapters/inspect/photo/source.ts';
import { film, gif, latin1, timed, uint32, uuid } from '../support/photos/boxes.ts';
import { box, chunk, jpegOf, pngOf, webpOf } from '../support/photos/photos.ts';

describe('a copy', () => {
  // No rule can recognise it: so nothing that may hold a text stays.
  const prose = 'at our house in Main Street 5';
  const full = (type: string, ...inside: (Buffer | string)[]): Buffer =>
    box(type, Buffer.alloc(4), ...inside);
  const handler = (type: string, name = ''): Buffer =>
    full('hdlr', uint32(0), type, Buffer.alloc(12), `${name}\0`);
  const named = (length: number): string => prose.padEnd(length, '\0');
  /** 78 bytes before its boxes, 32 of them the name of the program that compressed it. */
  const picture = (name: string, ...inside: Buffer[]): Buffer =>
    box(
      'avc1',
      Buffer.alloc(42),
      named(32).replace(prose, name.padEnd(prose.length, '\0')),
      Buffer.alloc(4),
      ...inside,
    );
  const sound = (version: number, ...inside: Buffer[]): Buffer =>
    box('mp4a', Buffer.alloc(8), Buffer.from([0, version]), Buffer.alloc(version === 1 ? 34 : 18), ...inside);
  const track = (
    kind: string,
    {
      entry = picture(''),
      name = '',
      inTrack = [],
      inMedia = [],
      inInfo = [],
      inTable = [],
      reference = '',
    }: {
      entry?: Buffer;
      name?: string;
      inTrack?: Buffer[];
      inMedia?: Buffer[];
      inInfo?: Buffer[];
      inTable?: Buffer[];
      reference?: string;
    },
  ): Buffer =>
    film([
      box(
        'trak',
        full('tkhd', Buffer.alloc(80)),
        ...inTrack,
        box(
          'mdia',
          full('mdhd', Buffer.alloc(20)),
          handler(kind, name),
          ...inMedia,
          box(
            'minf',
            box('dinf', full('dref', uint32(1), full('url ', reference))),
            ...inInfo,
            box(
              'stbl',
              full('stsd', uint32(1), entry),
              full('stsz', uint32(0), uint32(0)),
              full('stsc', uint32(0)),
              full('stco', uint32(0)),
              ...inTable,
            ),
          ),
        ),
      ),
    ]);
  type Given = { address?: string; essential?: number[]; data?: string };
  /** One item, whose picture is the first letter of the data. */
  const items = (info: Buffer, property: Buffer, kind = '', given: Given = {}): Buffer => {
    const { address = '', essential = [], data = 'picture' } = given;
    const whole = itemsAt(0, info, property, { kind, address, essential, data });
    return itemsAt(whole.length - data.length, info, property, { kind, address, essential, data });
  };
  const itemsAt = (
    dataAt: number,
    info: Buffer,
    property: Buffer,
    { kind, address, essential, data }: Required<Given> & { kind: string },
  ): Buffer =>
    Buffer.concat([
      box('ftyp', 'heic\0\0\0\0mif1heic'),
      full(
        'meta',
        handler('pict', kind),
        full('pitm', Buffer.from([0, 1])),
        full('iinf', Buffer.from([0, 1]), info),
        full('iloc', Buffer.from([0x44, 0, 0, 1, 0, 1, 0, 0, 0, 1]), uint32(dataAt), uint32(1)),
        box('dinf', full('dref', uint32(1), full('url ', address))),
        box(
          'iprp',
          box('ipco', full('ispe', Buffer.alloc(8)), property),
          full(
            'ipma',
            uint32(1),
            Buffer.from([0, 1, essential.length, ...essential.map((one) => 0x80 | one)]),
          ),
        ),
      ),
      box('mdat', data),
    ]);
  const info = (type: string, rest: string): Buffer =>
    box('infe', Buffer.from([2, 0, 0, 0, 0, 1, 0, 0]), type, `${rest}\0`);
  const none = full('pixi', Buffer.from([1, 8]));
  const spherical = (text: string): Buffer =>
    uuid(
      'ffcc82637f8554a938814587a02521dd',
      latin1(
        `<?xml version="1.0"?><rdf:SphericalVideo xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:GSpherical="http://ns.google.com/videos/1.0/spherical/"><GSpherical:Spherical>true</GSpherical:Spherical><GSpherical:Stitched>true</GSpherical:Stitched><GSpherical:StitchingSoftware>${text}</GSpherical:StitchingSoftware><GSpherical:ProjectionType>equirectangular</GSpherical:ProjectionType></rdf:SphericalVideo>`,
      ),
    );
  const gifBlock = (head: number[], text: string): Buffer =>
    Buffer.concat([Buffer.from([0x21, ...head]), Buffer.from([text.length]), latin1(text), Buffer.of(0)]);
  const withJfif = (): Buffer => {
    const file = jpegOf();
    const length = file.readUInt16BE(4);
    const longer = Buffer.from(file.subarray(0, 4 + length));
    longer.writeUInt16BE(length + prose.length, 4);
    return Buffer.concat([longer, latin1(prose), file.subarray(4 + length)]);
  };

  it.each<[string, Buffer]>([
    ['an unknown box of a movie', film([box('abcd', prose)])],
    ['a box that lists how a movie is loaded', film([full('iods', prose)])],
    ['an unknown box of a track', track('vide', { inTrack: [box('abcd', prose)] })],
    ['a reference of a track', track('vide', { inTrack: [box('tref', box('chap', prose))] })],
    ['texts of a track', track('vide', { inTrack: [box('udta', box('name', prose))] })],
    ['an unknown box of the media', track('vide', { inMedia: [box('abcd', prose)] })],
    ['a language of the media', track('soun', { entry: sound(0), inMedia: [full('elng', prose)] })],
    ['an unknown box beside the tables', track('vide', { inInfo: [box('gmhd', prose)] })],
    ['an unknown box in the tables', track('vide', { inTable: [box('abcd', prose)] })],
    ['the name of a handler', track('vide', { name: prose })],
    ['the address of the data', track('vide', { reference: prose })],
    ['the name of the program that compressed it', track('vide', { entry: picture(prose) })],
    ['an unknown box of a picture', track('vide', { entry: picture('', box('abcd', prose)) })],
    ['an unknown box of a sound', track('soun', { entry: sound(0, box('abcd', prose)) })],
    ['an unknown box of a sound of QuickTime', track('soun', { entry: sound(1, box('abcd', prose)) })],
    ['the program of a 360° film', track('vide', { inTrack: [spherical(prose)] })],
    ['subtitles', timed('tx3g', latin1(prose), 'sbtl')],
    ['chapters', timed('text', latin1(prose), 'text')],
    ['the time codes of a reel', timed('tmcd', latin1(prose), 'tmcd')],
    [
      'texts of a fragment',
      Buffer.concat([
        film(),
        box('moof', full('mfhd', uint32(1)), box('traf', box('udta', box('name', prose)))),
      ]),
    ],
    [
      'an unknown box of a fragment',
      Buffer.concat([film(), box('moof', full('mfhd', uint32(1)), box('abcd', prose))]),
    ],
    ['the index of fragments', Buffer.concat([film(), box('mfra', box('abcd', prose))])],
    ['the name of an item', items(info('hvc1', prose), none)],
    ['the name of an item with a type', items(info('mime', `${prose}\0text/plain\0`), none)],
    ['a description of an item', items(info('hvc1', ''), full('udes', 'en\0', prose))],
    ['the address of the items', items(info('hvc1', ''), none, '', { address: prose })],
    ['what no item refers to', items(info('hvc1', ''), none, '', { data: `p${prose}` })],
    ['the handler of the items', items(info('hvc1', ''), none, prose)],
    [
      'the profile of a PNG',
      pngOf([chunk('iCCP', Buffer.concat([latin1(`${prose}\0\0`), deflateSync('profile')]))]),
    ],
    ['a palette of a PNG', pngOf([chunk('sPLT', latin1(`${prose}\0\x08`))])],
    [
      'a text in the picture of a GIF',
      gif(gifBlock([0x01, 12, ...Array.from({ length: 12 }, () => 0)], prose)),
    ],
    ['an application of a GIF', gif(gifBlock([0xff, 11, ...latin1('NETSCAPE2.0')], prose))],
    ['the thumbnail of a JPEG', withJfif()],
    [
      'the transform of a JPEG',
      jpegOf([
        Buffer.concat([
          Buffer.from([0xff, 0xee, 0, 14 + prose.length]),
          latin1('Adobe'),
          Buffer.alloc(7),
          latin1(prose),
        ]),
      ]),
    ],
  ])('has nothing of %s', (_, file) => {
    expect(file.includes(prose)).toBe(true);
    const cut = lookAtPhoto(sourceOf(file), true)?.cut;
    if (cut === null || cut === undefined) throw new Error('It is not cut.');
    const copy = joined(sourceOf(file), cut.parts);
    expect(Buffer.from(copy.read(0, copy.sizeBytes)).includes(latin1(prose.slice(0, 12)))).toBe(false);
    expect(lookAtPhoto(copy, true)).toBeNull();
  });

  it('is not made where the picture may need what would go: the file is asked about', () => {
    const unknown = full('abcd', prose);
    const head = webpOf();
    head.writeUInt32LE(12, 16);
    for (const file of [items(info('hvc1', ''), unknown, '', { essential: [2] }), head])
      expect(lookAtPhoto(sourceOf(file), true)).toEqual({ shows: 'unread', cut: null });
    expect(
      lookAtPhoto(sourceOf(items(info('hvc1', ''), unknown, '', { essential: [1] })), true)?.cut,
    ).not.toBeNull();
  });

  it('keeps what an item refers to', () => {
    const file = items(info('hvc1', ''), none, prose);
    const copy = joined(sourceOf(file), lookAtPhoto(sourceOf(file), true)?.cut?.parts ?? []);
    expect(Buffer.from(copy.read(copy.sizeBytes - 7, 7)).toString('latin1')).toBe('p\0\0\0\0\0\0');
  });

  it('is not made of a photo whose colour profile says where it was taken: what a profile needs is not known', () => {
    const where = latin1('desc\0\0\0\0 48.1374, 11.5755');
    const files = [
      jpegOf([
        Buffer.concat([
          Buffer.from([0xff, 0xe2, 0, 16 + where.length]),
          latin1('ICC_PROFILE\0\x01\x01'),
          where,
        ]),
      ]),
      pngOf([chunk('iCCP', Buffer.concat([latin1('camera\0\0'), deflateSync(where)]))]),
      items(info('hvc1', ''), box('colr', 'prof', where)),
    ];
    for (const file of files) expect(lookAtPhoto(sourceOf(file))).toEqual({ shows: 'location', cut: null });
  });

  it('keeps how a 360° film is displayed', () => {
    const file = track('vide', { inTrack: [spherical('Stitcher of Anna')] });
    const cut = lookAtPhoto(sourceOf(file), true)?.cut;
    const copy = joined(sourceOf(file), cut?.parts ?? []);
    const text = Buffer.from(copy.read(0, copy.sizeBytes)).toString('latin1');
    expect(text).toContain('<GSpherical:ProjectionType>equirectangular</GSpherical:ProjectionType>');
    expect(text).not.toContain('Anna');
  });
});
