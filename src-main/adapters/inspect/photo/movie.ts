// The movie of MP4, MOV and 3GP: texts about it, and tracks that record a place for each moment.
import { boxesOf, dropAddresses, dropName, readUuid, type Box, type FoundBoxes } from './box.ts';
import { readItems } from './items.ts';
import { tellsPlace } from './place-text.ts';
import { Broken, latin1, textOf, tried, viewOf, type Source, type Told } from './source.ts';

/** What a player needs. The copy has nothing else of a movie: no rule recognises all that a text may say. */
const containers: ReadonlySet<string> = new Set('mdia minf stbl edts dinf mvex tapt traf'.split(' '));
/** Numbers only: when and where samples lie, how large the picture is. */
const tables: ReadonlySet<string> = new Set(
  'mvhd tkhd mdhd elst stts ctts cslg stss stsz stz2 stsc stco co64 sdtp sbgp sgpd saiz saio stsh stdp padb subs vmhd smhd clef prof enof trex mehd mfhd tfhd tfdt trun senc tfra mfro'.split(
    ' ',
  ),
);
/** The copy has the tracks with pictures and with sound. */
const media: ReadonlySet<string> = new Set('vide soun auxv pict'.split(' '));
/** What a decoder needs to know of pictures and sound. */
const configurations: ReadonlySet<string> = new Set([
  'SMI ',
  ...'avcC hvcC lhvC vvcC evcC av1C vpcC esds d263 damr dac3 dec3 dac4 dmlp dOps dfLa alac mhaC wave chan chnl pcmC colr pasp clap fiel gama btrt mdcv clli SmDm CoLL amve dvcC dvvC dvwC hvcE avcE vexu hfov st3d proj srat glbl ACLR APRG ARES mjqt mjht dvc1 ddts udts dawp devc dqcp'.split(
    ' ',
  ),
]);
const subtitles: ReadonlySet<string> = new Set('tmcd text tx3g wvtt stpp sbtt stxt c608 c708'.split(' '));
/** Samples that can be searched, such as those of GoPro, Sony and Canon. It is not known what others contain. */
const readable: ReadonlySet<string> = new Set('mebx mett metx urim gpmd fdsc rtmd camm CTMD'.split(' '));
const mostSampleBytes = 32 * 1024 * 1024;
const mostSamples = 1_000_000;
const mostChunks = 20_000;
const mostDepth = 12;

/** A track by the boxes in it. */
type Track = Map<string, Box>;

export const readMovie = (movie: Box, found: FoundBoxes): void => {
  const { source, add } = found;
  const seen = { isInPieces: false, hasTimed: false };

  const walk = (parent: Box, depth: number, track: Track | null): void => {
    if (depth > mostDepth) throw new Broken('boxes too deep');
    for (const box of boxesOf(source, parent.bodyAt, parent.end).boxes) {
      const { type } = box;
      // The other kind of handler names a file.
      if (type !== 'hdlr' || handlerOf(source, box).kind !== 'dhlr') track?.set(type, box);
      if (type === 'cmov') throw new Broken('a movie that is packed');
      if (type === 'mvex') seen.isInPieces = true;
      if (type === 'trak') readTrack(box, depth);
      else if (containers.has(type)) walk(box, depth + 1, track);
      else if (type === 'meta') readItems(box, found);
      else if (type === 'uuid') readUuid(box, found);
      else if (type === 'gps ') {
        // Dashcams with chips of Novatek: this box lists where in the pictures the positions are.
        found.unread();
        found.canCut = false;
      } else if (type === 'hdlr') dropName(box, found);
      else if (type === 'stsd') add('rest', box.at, box.end - box.at, true);
      else if (type === 'dref') dropAddresses(box, found);
      else if (!tables.has(type)) {
        if (type === 'udta') readTexts(box, found);
        found.drop(box);
      }
    }
  };

  const readTrack = (box: Box, depth: number): void => {
    const track: Track = new Map();
    const patched = found.patches.length;
    walk(box, depth + 1, track);
    const [handler, descriptions] = [track.get('hdlr'), track.get('stsd')];
    const formats =
      descriptions === undefined
        ? []
        : boxesOf(source, descriptions.bodyAt + 8, descriptions.end).boxes.map(({ type }) => type);
    const kind = handler === undefined ? '' : handlerOf(source, handler).name;
    // The picture that it makes transparent would lose it.
    if (kind === 'auxv' && track.has('tref')) found.canCut = false;
    if (media.has(kind) && !formats.some((one) => readable.has(one)))
      return descriptions && dropFromDescriptions(descriptions, kind === 'soun', found);
    seen.hasTimed = true;
    const samples = samplesOf(source, track);
    if (samples === null) {
      found.unread();
      found.canCut = false;
      return;
    }
    const { ranges, sizes } = samples;
    const bytes = Buffer.concat(ranges.map(({ at, length }) => source.read(at, length)));
    const described = descriptions === undefined ? '' : descriptionOf(source, descriptions);
    const told = isForeign(formats, described, bytes) ? 'unread' : toldBySamples(formats, sizes, bytes);
    found.blocks.push({ kind: 'told', told }, { kind: 'rest', bytes });
    // The whole track is emptied, with all that is in it.
    found.patches.splice(patched);
    found.free(box);
    for (const { at, length } of ranges) found.clear(at, at + length);
  };

  walk(movie, 0, null);
  // The samples of fragments are neither searched nor emptied.
  if (!seen.isInPieces || !seen.hasTimed) return;
  found.unread();
  found.canCut = false;
};

/** How pictures and sound are decoded: what else is said about them goes, such as the name of a program. */
const dropFromDescriptions = ({ bodyAt, end }: Box, isSound: boolean, found: FoundBoxes): void => {
  const { source } = found;
  const version = source.read(bodyAt, 1)[0];
  for (const entry of boxesOf(source, bodyAt + 8, end).boxes) {
    const ofSound = isSound && version === 0 ? viewOf(source.read(entry.bodyAt, 32)) : null;
    const lengths = [28, 44, (ofSound?.getUint32(28) ?? 0) - 8];
    const from = entry.bodyAt + (isSound ? (lengths[ofSound?.getUint16(8) ?? 0] ?? 28) : 78);
    if (!isSound) found.dropWithin(entry.bodyAt + 42, Math.min(entry.bodyAt + 74, entry.end));
    dropUnknown(from, entry.end, found);
  }
};

const dropUnknown = (from: number, end: number, found: FoundBoxes): void => {
  const isKnown = tried(() => {
    const { boxes, tailAt } = boxesOf(found.source, from, end);
    for (const one of boxes)
      if (one.type === 'sv3d') dropUnknown(one.bodyAt, one.end, found);
      else if (!configurations.has(one.type)) found.drop(one);
    // QuickTime ends them with zeros.
    return found.source.read(tailAt, end - tailAt).every((byte) => byte === 0);
  });
  if (isKnown !== true) found.canCut = false;
};

/** Each text alone: its size and language look like letters in front of it. What is no box was searched already. */
const readTexts = ({ bodyAt, end }: Box, { source, add }: FoundBoxes): void => {
  tried(() => {
    for (const one of boxesOf(source, bodyAt, end).boxes) {
      const from = one.bodyAt + (one.type.startsWith('\xa9') ? 4 : 0);
      if (from < one.end) add('rest', from, one.end - from);
    }
  });
};

const handlerOf = (source: Source, { bodyAt, end }: Box): { kind: string; name: string } => {
  const text = latin1(source.read(bodyAt, Math.min(12, end - bodyAt)));
  return { kind: text.slice(4, 8), name: text.slice(8, 12) };
};

const descriptionOf = (source: Source, { bodyAt, end }: Box): string =>
  latin1(source.read(bodyAt, Math.min(end - bodyAt, 4096)));

/** A kind that can be searched, but with binary positions: those of some dashcams, and of drones of Parrot. */
const isForeign = (formats: readonly string[], described: string, bytes: Buffer): boolean =>
  (formats.includes('gpmd') && bytes.length > 0 && latin1(bytes.subarray(0, 4)) !== 'DEVC') ||
  (formats.includes('mett') &&
    (/parrot|vmeta/i.test(described) || /^P[123]\0/.test(latin1(bytes.subarray(0, 3)))));

/** Latitude and longitude in the metadata of Sony: their tag, then 24 bytes. */
const placeOfSony = /\x85[\x02\x04]\0\x18/;
/** Kinds of samples in Google's camera motion format that have a position. */
const placesOfCamm: ReadonlySet<number> = new Set([5, 6]);

const toldBySamples = (formats: readonly string[], sizes: readonly number[], bytes: Buffer): Told => {
  const text = latin1(bytes);
  if (formats.includes('rtmd') && placeOfSony.test(text)) return 'location';
  if (formats.includes('camm')) {
    let at = 0;
    for (const size of sizes) {
      if (size >= 4 && placesOfCamm.has(bytes.readUInt16LE(at + 2))) return 'location';
      at += size;
    }
  }
  if (tellsPlace(textOf(bytes))) return 'location';
  return formats.every((one) => readable.has(one) || subtitles.has(one)) ? 'nothing' : 'unread';
};

type Range = { at: number; length: number };

/** Where the samples of a track are, in the order of the file's chunks. Null: this is unclear, or they are too many. */
const samplesOf = (source: Source, track: Track): { ranges: Range[]; sizes: number[] } | null => {
  const numbers = (
    type: string,
    skipped: number,
  ): { count: number; at: (index: number) => number } | null => {
    const box = track.get(type);
    if (box === undefined || box.end - box.bodyAt < 8 + skipped) return null;
    const view = viewOf(source.read(box.bodyAt, Math.min(box.end - box.bodyAt, mostTableBytes)));
    const at = (index: number): number => {
      const place = 8 + skipped + index * 4;
      if (place + 4 > view.byteLength) throw new Broken('table without its end');
      return view.getUint32(place);
    };
    return { count: view.getUint32(4 + skipped), at };
  };
  const [sizesOf, runs] = [numbers('stsz', 4), numbers('stsc', 0)];
  const [short, long] = [numbers('stco', 0), numbers('co64', 0)];
  const chunks = short ?? long;
  if (sizesOf === null || runs === null || chunks === null) return null;
  if (sizesOf.count > mostSamples || chunks.count > mostChunks || runs.count > mostChunks) return null;
  const sameSize = sizesOf.at(-2);
  const sizes: number[] = [];
  const ranges: Range[] = [];
  let [total, run] = [0, 0];
  for (let chunk = 0; chunk < chunks.count && sizes.length < sizesOf.count; chunk += 1) {
    while (run + 1 < runs.count && runs.at((run + 1) * 3) <= chunk + 1) run += 1;
    const perChunk = runs.at(run * 3 + 1);
    const at = short === null ? chunks.at(chunk * 2) * 2 ** 32 + chunks.at(chunk * 2 + 1) : chunks.at(chunk);
    let length = 0;
    for (let index = 0; index < perChunk && sizes.length < sizesOf.count; index += 1) {
      const size = sameSize === 0 ? sizesOf.at(sizes.length) : sameSize;
      sizes.push(size);
      length += size;
    }
    total += length;
    if (total > mostSampleBytes || at + length > source.sizeBytes) return null;
    ranges.push({ at, length });
  }
  return sizes.length < sizesOf.count ? null : { ranges, sizes };
};

/** Large enough for a million samples. */
const mostTableBytes = 4 * mostSamples + 12;
