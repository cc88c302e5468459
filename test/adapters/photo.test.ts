import { isDeep } from '../support/deep.ts';
// Where a photo was taken: found in the layouts of several makers, and left out without a change of the picture.
import { createHash } from 'node:crypto';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFiles } from '../../src-main/adapters/files/files.ts';
import { createInspect } from '../../src-main/adapters/inspect/inspect.ts';
import { lookAtPhoto } from '../../src-main/adapters/inspect/photo/photo.ts';
import { joined, sourceOf } from '../../src-main/adapters/inspect/photo/source.ts';
import type { Inspect, OpenFile } from '../../src-main/engine/ports/files.ts';
import {
  app,
  chunk,
  exif,
  heicOf,
  jpegOf,
  pngOf,
  pngText,
  profile,
  video,
  webpOf,
  webpPicture,
  xmp,
} from '../support/photos/photos.ts';

const look = (photo: Buffer) => lookAtPhoto(sourceOf(photo));

/** The bytes of the copy without location. Throws when there is none. */
const copyOf = (photo: Buffer): Buffer => {
  const cut = look(photo)?.cut ?? null;
  if (cut === null) throw new Error('It cannot be cut.');
  const source = joined(sourceOf(photo), cut.parts);
  const bytes = Buffer.from(source.read(0, source.sizeBytes));
  expect(bytes.length).toBe(cut.sizeBytes);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(cut.sha256);
  return bytes;
};

const plain = xmp('exif:ImageUniqueID="1"');
/** Longer than one segment, with the place in the second one. */
const longXmp = Buffer.from(
  `<rdf:RDF><a>${'x'.repeat(60_000)}</a><exif:GPSLatitude>48,8N</exif:GPSLatitude></rdf:RDF>`,
);
const further = jpegOf([app.exif(exif({ order: 'II' }))]);

const jpegs: Record<string, Buffer> = {
  'big-endian EXIF, as Apple writes it': jpegOf([app.exif(exif({ order: 'MM' })), app.profile()]),
  'little-endian EXIF, as Canon and Samsung write it': jpegOf([
    app.exif(exif({ order: 'II' })),
    app.profile(),
  ]),
  'a second EXIF segment': jpegOf([app.exif(exif({ gps: false })), app.profile(), app.exif(exif())]),
  'further images of MPF with their own EXIF, as Sony and Nikon write them': jpegOf(
    [app.exif(exif({ order: 'II', gps: false })), app.profile(), app.further()],
    [further, further],
  ),
  'XMP with coordinates, as Lightroom writes it': jpegOf([
    app.exif(exif({ gps: false })),
    app.profile(),
    app.xmp(xmp()),
  ]),
  'XMP with the name of a city': jpegOf([
    app.exif(exif({ gps: false })),
    app.profile(),
    app.xmp(xmp('photoshop:City="München"')),
  ]),
  'extended XMP, as Google writes it': jpegOf([
    app.exif(exif({ gps: false })),
    app.profile(),
    app.xmp(plain),
    app.longXmp(longXmp.subarray(0, 60_030), longXmp.length, 0),
    app.longXmp(longXmp.subarray(60_030), longXmp.length, 60_030),
  ]),
  'a moving photo with the place in its video, as Pixel and Samsung write it': jpegOf(
    [app.exif(exif({ order: 'II', gps: false })), app.profile(), app.xmp(plain)],
    [video()],
  ),
  'IPTC, as photo agencies write it': jpegOf([app.exif(exif({ gps: false })), app.profile(), app.iptc()]),
};

describe('a JPEG', () => {
  it.each(Object.entries(jpegs))('with %s: removed, with the same pixels', (_, photo) => {
    expect(look(photo)?.shows).toBe('location');
    const copy = copyOf(photo);
    expect(look(copy)).toBeNull();
    for (const word of ['GPS', 'München', '\u00a9xyz', 'Maker'])
      expect(copy.includes(word, 0, 'latin1')).toBe(false);
    expect(copy.includes(profile)).toBe(true);
    expect(jpeg.decode(copy).data.equals(jpeg.decode(photo).data)).toBe(true);
    // Orientation 6 in EXIF of the shortest form.
    expect(
      copy.includes(Buffer.from('010600', 'hex')) ||
        copy.includes(Buffer.from('0112000300000001000600', 'hex')),
    ).toBe(true);
  });

  it('keeps each orientation, and the colour space of a camera without a profile', async () => {
    const { default: reader } = await import('exifreader');
    for (const orientation of [2, 3, 4, 5, 6, 7, 8]) {
      const copy = copyOf(jpegOf([app.exif(exif({ orientation, colorSpace: 65_535 }))]));
      const tags = reader.load(copy, { expanded: true }).exif;
      expect(tags?.Orientation?.value).toBe(orientation);
      expect(tags?.ColorSpace?.value).toBe(65_535);
    }
    const upright = copyOf(jpegOf([app.exif(exif({ orientation: 1 }))]));
    expect(upright.includes('Exif')).toBe(false);
  });

  it('without a location is not a finding, whatever else it contains', () => {
    expect(look(jpegOf())).toBeNull();
    expect(
      look(jpegOf([app.exif(exif({ gps: false })), app.xmp(plain), app.comment('City of light')])),
    ).toBeNull();
    expect(look(jpegOf([app.xmp(xmp('photoshop:City="" exif:GPSVersionID="2.3.0.0"'))]))).toBeNull();
  });

  it('with a segment of unknown use is not cut', () => {
    const unknown = Buffer.concat([Buffer.from('fff00008', 'hex'), Buffer.from('Exif\0\0', 'latin1')]);
    expect(look(jpegOf([app.exif(exif()), unknown]))).toEqual({ shows: 'unread', cut: null });
  });

  it('that ends early is found and not cut', () => {
    const photo = jpegOf([app.exif(exif())]);
    expect(look(photo.subarray(0, -40))).toEqual({ shows: 'location', cut: null });
  });
});

describe('a PNG', () => {
  const pngs: Record<string, Buffer> = {
    eXIf: pngOf([pngText.profile(), chunk('eXIf', exif())]),
    'eXIf behind the picture': pngOf([pngText.profile()], [chunk('eXIf', exif({ order: 'II' }))]),
    'XMP in iTXt': pngOf([pngText.profile(), pngText.xmp(xmp()), chunk('eXIf', exif({ gps: false }))]),
    'packed XMP in iTXt': pngOf([
      pngText.profile(),
      pngText.packedXmp(xmp()),
      chunk('eXIf', exif({ gps: false })),
    ]),
    'EXIF in a text of ImageMagick': pngOf([pngText.profile(), pngText.rawExif(exif())]),
    'EXIF behind its end': Buffer.concat([
      pngOf([pngText.profile(), chunk('eXIf', exif({ gps: false }))]),
      Buffer.from('Exif\0\0', 'latin1'),
      exif(),
    ]),
  };
  it.each(Object.entries(pngs))('with %s: removed, with the same pixels', (_, photo) => {
    expect(look(photo)?.shows).toBe('location');
    const copy = copyOf(photo);
    expect(look(copy)).toBeNull();
    expect(copy.includes('GPS')).toBe(false);
    expect(copy.includes(deflateSync(profile))).toBe(true);
    expect(copy.includes(Buffer.from('01120003000000010006', 'hex'))).toBe(true);
    expect(PNG.sync.read(copy).data.equals(PNG.sync.read(pngOf()).data)).toBe(true);
  });

  it('with a chunk that a decoder must know is not cut', () => {
    expect(look(pngOf([chunk('eXIf', exif()), chunk('QQQQ', Buffer.alloc(4))]))).toEqual({
      shows: 'location',
      cut: null,
    });
  });
});

describe('a WebP', () => {
  it.each([
    ['EXIF', { exif: exif() }],
    ['EXIF with the head of a JPEG', { exif: Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exif()]) }],
    ['XMP', { exif: exif({ gps: false }), xmp: xmp() }],
  ])('with %s: removed, with the same picture', (_, given) => {
    const photo = webpOf(given);
    expect(look(photo)?.shows).toBe('location');
    const copy = copyOf(photo);
    expect(look(copy)).toBeNull();
    expect(copy.includes(webpPicture) && copy.includes(profile)).toBe(true);
    expect(copy.readUInt32LE(4)).toBe(copy.length - 8);
    expect((copy[20] ?? 0) & 0x0c).toBe(0x08);
    expect(copy.includes(Buffer.from('01120003000000010006', 'hex'))).toBe(true);
  });
});

describe('other formats', () => {
  it.each([
    ['TIFF, little-endian', exif({ order: 'II' })],
    ['TIFF, big-endian', exif({ order: 'MM' })],
  ])('%s: found, and not cut', (_, photo) => {
    expect(look(photo)).toEqual({ shows: 'location', cut: null });
  });

  it.each([
    ['in its metadata', true],
    ['among its pixels', false],
  ])('RAW of Minolta with a place %s', (_, isMetadata) => {
    const [head, place] = [Buffer.from('\0MRM\0\0\0\0', 'latin1'), Buffer.from('48.13715, 11.57612')];
    if (isMetadata) head.writeUInt32BE(place.length, 4);
    expect(look(Buffer.concat([head, place]))).toEqual(isMetadata ? { shows: 'location', cut: null } : null);
  });

  it('are not a finding without a location, or when they are not photos', () => {
    expect(look(heicOf(exif({ gps: false })))).toBeNull();
    expect(look(exif({ gps: false }))).toBeNull();
    expect(look(Buffer.from('a text about GPSLatitude'))).toBeNull();
    expect(look(Buffer.alloc(0))).toBeNull();
  });
});

describe('hostile photos', () => {
  it('truncated at every byte: an answer each time, never a copy with a location', () => {
    for (const photo of [
      jpegOf([app.exif(exif()), app.profile()]),
      pngOf([chunk('eXIf', exif())]),
      webpOf({ exif: exif() }),
    ])
      for (let end = 0; end <= photo.length; end += 1) {
        const cut = look(photo.subarray(0, end))?.cut ?? null;
        if (cut === null) continue;
        expect(look(copyOf(photo.subarray(0, end)))).toBeNull();
      }
  });

  it.runIf(isDeep)('with any byte changed: an answer each time', () => {
    const photo = jpegOf([app.exif(exif()), app.xmp(xmp()), app.iptc()]);
    const end = photo.length - 400;
    for (let at = 0; at < end; at += 1) {
      const changed = Buffer.from(photo);
      changed[at] = 0xff - (changed[at] ?? 0);
      const found = look(changed);
      if ((found?.cut ?? null) !== null) expect(look(copyOf(changed))).toBeNull();
    }
  });

  it('that claim more than they contain', () => {
    const text = chunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), Buffer.alloc(10)]));
    expect(look(pngOf([text]))).toEqual({ shows: 'unread', cut: null });
    const huge = Buffer.concat([pngOf().subarray(0, 33), Buffer.from('ffffffff49444154', 'hex')]);
    expect(look(huge)).toEqual({ shows: 'unread', cut: null });
  });
});

describe('in a thread of its own', () => {
  const open = (file: string): Promise<OpenFile> => createFiles().open(file, null);
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'outtray-photo-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const lookAt = async (inspect: Pick<Inspect, 'photo'>, file: string) => {
    const opened = await open(file);
    try {
      return await inspect.photo(opened, await opened.head(64), false);
    } finally {
      await opened.close();
    }
  };

  /** A sparse file: these bytes, then nothing up to this size. */
  const sparse = async (name: string, head: Buffer, sizeBytes: number): Promise<string> => {
    const file = path.join(folder, name);
    await writeFile(file, head);
    await truncate(file, sizeBytes);
    return file;
  };

  it.runIf(isDeep)('files of 4 GB take little time and memory, and delay no photo behind them', async () => {
    const inspect = createInspect();
    try {
      const size = 4 * 1024 ** 3;
      const picture = jpegOf([app.exif(exif())]);
      const files = [
        await sparse('scan.jpg', picture.subarray(0, -2), size),
        await sparse('behind.jpg', picture, size),
        await sparse('chunks.png', pngOf([chunk('eXIf', exif())]).subarray(0, -12), size),
        await sparse('riff.webp', webpOf({ exif: exif() }), size),
        await sparse('large.tif', exif(), size),
        await sparse('large.heic', heicOf(exif()), size),
      ];
      const small = path.join(folder, 'small.jpg');
      await writeFile(small, jpegs['big-endian EXIF, as Apple writes it'] ?? '');
      const [began, before] = [process.cpuUsage(), process.memoryUsage.rss()];
      const looks = await Promise.all([...files, small].map((file) => lookAt(inspect, file)));
      // Of the processor: a busy machine takes longer.
      const { user, system } = process.cpuUsage(began);
      expect(user + system).toBeLessThan(20_000_000);
      expect(process.memoryUsage.rss() - before).toBeLessThan(600 * 1024 ** 2);
      for (const look of looks.slice(0, -1)) expect(look).toMatchObject({ cut: null });
      expect(looks.at(-1)?.shows).toBe('location');
      expect(looks.at(-1)?.cut?.sha256).toMatch(/^[0-9a-f]{64}$/);
    } finally {
      await inspect.close();
    }
  });

  it('a photo that takes too long ends with its thread, and the next one is searched', async () => {
    const inspect = createInspect({ mostCpuMs: 200, mostMs: 5000, idleMs: 1000, checkEveryMs: 20 });
    try {
      const slow = await sparse('slow.jpg', jpegOf().subarray(0, -2), 64 * 1024 ** 3);
      expect(await lookAt(inspect, slow)).toEqual({ shows: 'unread', cut: null });
      const small = path.join(folder, 'next.jpg');
      await writeFile(small, jpegOf([app.exif(exif())]));
      expect(await lookAt(inspect, small)).toMatchObject({ shows: 'location' });
      await writeFile(small, jpegOf());
      expect(await lookAt(inspect, small)).toBeNull();
    } finally {
      await inspect.close();
    }
  });

  it('the parts of an open file are read as one, and their hash is the searched one', async () => {
    const inspect = createInspect();
    const file = path.join(folder, 'parts.jpg');
    const photo =
      jpegs['a moving photo with the place in its video, as Pixel and Samsung write it'] ?? Buffer.of();
    await writeFile(file, photo);
    const opened = await open(file);
    try {
      const look = await inspect.photo(opened, await opened.head(64), false);
      const cut = opened.cut(look?.cut?.parts ?? []);
      const pieces: Buffer[] = [];
      for await (const piece of cut.pieces(new AbortController().signal)) pieces.push(Buffer.from(piece));
      const copy = Buffer.concat(pieces);
      expect(copy.equals(copyOf(photo))).toBe(true);
      expect(cut.stamp).toEqual({ ...opened.stamp, sizeBytes: copy.length });
      expect(await cut.sha256()).toBe(look?.cut?.sha256);
      expect(await cut.unchanged()).toBe(true);
      await writeFile(file, Buffer.alloc(10));
      expect(await cut.unchanged()).toBe(false);
    } finally {
      await opened.close();
      await inspect.close();
    }
  });
});
