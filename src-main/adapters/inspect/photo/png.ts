// PNG: chunks up to IEND.
import { crc32, inflateSync } from 'node:zlib';
import type { Part } from '../../../engine/ports/files.ts';
import { isEmpty } from './location.ts';
import { isPlaceName } from './place-text.ts';
import { ascii, Broken, createBlocks, latin1, mostSegments, startsWith, unpacked, viewOf } from './source.ts';
import type { Block, Layout, Source } from './source.ts';

/** All that decoding, colour, transparency, animation and the size of a pixel need. */
const needed: ReadonlySet<string> = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs acTL fcTL fdAT'.split(' '),
);
const texts: ReadonlySet<string> = new Set(['tEXt', 'zTXt', 'iTXt']);

export const walkPng = (source: Source): Layout => {
  const { blocks, add, take } = createBlocks(source);
  const before: Part[] = [{ from: 0, to: 8 }];
  const after: Part[] = [];
  let isData = false;
  let isWhole = false;
  let isKnown = true;
  let at = 8;
  for (let count = 0; at < source.sizeBytes && !isWhole; count += 1) {
    if (count > mostSegments) throw new Broken('too many chunks');
    const head = source.read(at, 8);
    const [length, type] = [viewOf(head).getUint32(0), latin1(head.subarray(4))];
    const end = at + 12 + length;
    if (!/^[A-Za-z]{4}$/.test(type)) throw new Broken('no chunk');
    if (end > source.sizeBytes) throw new Broken('chunk without its end');
    isData ||= type === 'IDAT';
    if (type === 'iCCP') {
      const data = take(at + 8, length);
      before.push(withoutName(data));
      blocks.push({ kind: 'rest', bytes: inflated(data.subarray(data.indexOf(0) + 2)), isKept: true });
    } else if (needed.has(type)) (isData ? after : before).push({ from: at, to: end });
    else if (type === 'eXIf') add('exif', at + 8, length);
    else if (type === 'zxIf')
      blocks.push({ kind: 'exif', bytes: inflated(take(at + 8, length).subarray(5)) });
    else if (texts.has(type)) blocks.push(...textBlocks(type, add('rest', at + 8, length)));
    else if (type === 'caBX') add('claims', at + 8, length);
    else add('rest', at + 8, length);
    // A capital first letter marks a chunk that a decoder must know.
    if (!needed.has(type) && /^[A-Z]/.test(type)) isKnown = false;
    isWhole = type === 'IEND';
    at = end;
  }
  if (at < source.sizeBytes) add('rest', at, source.sizeBytes - at);
  if (!isWhole || !isKnown) return { blocks, parts: null };
  return {
    blocks,
    parts: (exif) => [...before, ...(exif === null ? [] : [chunkOf('eXIf', exif)]), ...after],
  };
};

const chunkOf = (type: string, data: Uint8Array): Uint8Array => {
  const body = Buffer.concat([ascii(type), data]);
  const [head, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  head.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([head, body, sum]);
};

/** A profile has a name before it. */
const withoutName = (data: Uint8Array): Uint8Array =>
  chunkOf('iCCP', Buffer.concat([ascii('ICC'), data.subarray(Math.max(0, data.indexOf(0)))]));

/** The text of a chunk, unpacked. ImageMagick writes EXIF, IPTC and XMP as hexadecimal digits into such texts. */
const textBlocks = (type: string, bytes: Uint8Array): Block[] => {
  const keyEnd = bytes.indexOf(0);
  if (keyEnd < 0) return [{ kind: 'rest', bytes }];
  const key = latin1(bytes.subarray(0, keyEnd));
  const text = textOf(type, bytes.subarray(keyEnd + 1));
  if (text === null) return [{ kind: 'told', told: 'unread' }];
  const profile = /^Raw profile type (\S+)$/i.exec(key)?.[1]?.toLowerCase();
  if (profile === undefined) {
    const said: Block[] = isPlaceName(key) && !isEmpty(text) ? [{ kind: 'told', told: 'location' }] : [];
    return [...said, { kind: 'rest', bytes: text }, { kind: 'rest', bytes: withKey(key, text) }];
  }
  // A name and a length precede the digits. ExifTool calls it `IPTC profile`.
  const digits = latin1(text)
    .replace(/^\s*[^\n]{1,80}?\s+\d+\s/, '')
    .replace(/[\0\s]/g, '');
  const raw = Buffer.from(digits, 'hex');
  if (raw.length * 2 < digits.length) return [{ kind: 'told', told: 'unread' }];
  if (startsWith(raw, 'Exif\0\0')) return [{ kind: 'exif', bytes: raw.subarray(6) }];
  if (profile === 'exif') return [{ kind: 'exif', bytes: raw }];
  return [{ kind: profile === 'iptc' || profile === '8bim' ? 'resources' : 'rest', bytes: raw }];
};

/** "GPS Latitude" and "48" mean nothing separately. */
const withKey = (key: string, text: Uint8Array): Uint8Array =>
  Buffer.concat([ascii(`${key}=`), text.subarray(0, 100)]);

const textOf = (type: string, rest: Uint8Array): Uint8Array | null => {
  if (type === 'tEXt') return rest;
  if (type === 'zTXt') return inflated(rest.subarray(1));
  const language = rest.indexOf(0, 2);
  const translated = language < 0 ? -1 : rest.indexOf(0, language + 1);
  if (translated < 0) return null;
  const text = rest.subarray(translated + 1);
  return rest[0] === 1 ? inflated(text) : text;
};

const inflated = (bytes: Uint8Array): Uint8Array => {
  const plain = unpacked(bytes, inflateSync);
  if (plain === null) throw new Broken('text that cannot be unpacked');
  return plain;
};
