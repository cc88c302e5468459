// Photos and films that reveal where they were taken, one for each carrier, each with a mark in the picture's data.
import { deflateSync } from 'node:zlib';
import {
  app,
  box,
  chunk,
  exif,
  heicOf,
  iptc,
  jpegOf,
  pngOf,
  pngText,
  profile,
  video,
  webpOf,
  xmp,
} from '../photos/photos.ts';

const blank = profile.subarray(0, 20).toString('latin1');
const icc = chunk('iCCP', Buffer.concat([Buffer.from('camera\0\0'), deflateSync(profile, { level: 0 })]));
const png = (...blocks: Buffer[]): Buffer => pngOf([icc, ...blocks]);
const plainExif = exif({ gps: false });
const place = '+48.1370+011.5754/';
const picture = box('mdat', blank);
const longComment = app.comment(`a long comment ${'x'.repeat(9000)}`);

const photos: readonly Buffer[] = [
  jpegOf([app.exif(exif({ order: 'MM' })), app.profile()]),
  jpegOf([app.profile(), app.exif(exif({ order: 'II' }))]),
  jpegOf([longComment, app.profile(), app.exif(exif())]),
  jpegOf([app.exif(plainExif), app.profile(), app.xmp(xmp())]),
  jpegOf([app.exif(plainExif), app.profile(), app.iptc()]),
  jpegOf([app.profile()], [video()]),
  // It ends early, so it cannot be cut.
  jpegOf([app.profile(), app.exif(exif())]).subarray(0, -40),
  png(chunk('eXIf', exif())),
  pngOf([icc], [chunk('eXIf', exif({ order: 'II' }))]),
  png(pngText.xmp(xmp())),
  png(pngText.packedXmp(xmp())),
  png(pngText.rawExif(exif())),
  png(chunk('tEXt', Buffer.from(`Comment\0${place}`, 'latin1'))),
  webpOf({ exif: exif() }),
  webpOf({ xmp: xmp() }),
  Buffer.concat([heicOf(exif()), picture]),
  Buffer.concat([video(), picture]),
];

/** The bytes that reveal the place in each of them: no picture has such bytes. */
const signs = [
  Buffer.from('000012c000000064', 'hex'),
  Buffer.from('c012000064000000', 'hex'),
  Buffer.from('48,8.2208N'),
  iptc(),
  Buffer.from(place),
  deflateSync(xmp()),
  pngText.rawExif(exif()),
].map((sign) => sign.toString('latin1'));

/** Bytes as Latin-1. */
export const placed: readonly ((mark: string) => string)[] = photos.map((photo) => {
  const text = photo.toString('latin1');
  return (mark) => text.replace(blank, mark.padEnd(blank.length));
});

export const tellsPlace = (bytes: string): boolean => signs.some((sign) => bytes.includes(sign));
