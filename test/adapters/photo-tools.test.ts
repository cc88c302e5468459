// Files made by Debian's programs: what exiftool writes into them is found and removed in the copy, exiftool finds no location
// in it, and ffmpeg decodes the same pixels. Files without a location are not held. Each format needs its program.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lookAtPhoto } from '../../src-main/adapters/inspect/photo/photo.ts';
import { joined, sourceOf } from '../../src-main/adapters/inspect/photo/source.ts';
import { filmTags, tags } from '../support/photos/corpus.ts';

const has = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(':').some((one) => existsSync(path.join(one, program)));
const run = (program: string, ...args: string[]): Buffer =>
  execFileSync(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
let folder = '';
const file = (name: string): string => path.join(folder, name);

const ffmpeg = (...args: string[]): Buffer => run('ffmpeg', '-v', 'error', '-y', ...args);
const film = (name: string): Buffer =>
  ffmpeg('-f', 'lavfi', '-i', 'testsrc=d=1:s=64x48:r=5', '-c:v', 'mpeg4', name);
/** How each file is made, and which program that needs. */
const makers: Record<string, { needs: string; make: (name: string) => void }> = {
  'p.jpg': { needs: 'ffmpeg', make: (name) => ffmpeg('-i', 'in.png', name) },
  'p.png': { needs: 'ffmpeg', make: (name) => ffmpeg('-i', 'in.png', name) },
  'p.gif': { needs: 'ffmpeg', make: (name) => ffmpeg('-i', 'in.png', name) },
  'p.tif': { needs: 'ffmpeg', make: (name) => ffmpeg('-i', 'in.png', name) },
  'p.jp2': { needs: 'ffmpeg', make: (name) => ffmpeg('-i', 'in.png', name) },
  'p.webp': { needs: 'cwebp', make: (name) => run('cwebp', '-quiet', 'in.png', '-o', name) },
  'p.heic': { needs: 'heif-enc', make: (name) => run('heif-enc', 'in.png', '-o', name) },
  'p.avif': { needs: 'avifenc', make: (name) => run('avifenc', '-s', '10', 'in.png', name) },
  'p.jxl': { needs: 'cjxl', make: (name) => run('cjxl', '--container=1', '-d', '1', 'in.png', name) },
  'f.mp4': { needs: 'ffmpeg', make: film },
  'f.mov': { needs: 'ffmpeg', make: film },
  'f.3gp': { needs: 'ffmpeg', make: film },
  'f.m4v': { needs: 'ffmpeg', make: film },
};
const uncut: ReadonlySet<string> = new Set(['p.tif', 'p.jp2']);
const decoders: Record<string, (name: string) => Buffer> = {
  'p.jxl': (name) => {
    run('djxl', name, `${name}.ppm`);
    return readFileSync(file(`${name}.ppm`));
  },
  'p.heic': (name) => {
    run('heif-convert', name, `${name}.png`);
    return ffmpeg('-i', `${name}.png`, '-f', 'rawvideo', '-');
  },
  'p.avif': (name) => {
    run('avifdec', name, `${name}.png`);
    return ffmpeg('-i', `${name}.png`, '-f', 'rawvideo', '-');
  },
};
const pixelsOf = (kind: string, name: string): Buffer =>
  decoders[kind]?.(name) ?? ffmpeg('-noautorotate', '-i', name, '-f', 'rawvideo', '-');
/** Texts of ordinary photos. */
const plain =
  '-Make=Canon|-Artist=A B|-ImageDescription=A nice day at 12:30|-Orientation#=6|-XMP:Title=Title|-XMP:Rating=4|-IPTC:Keywords=holiday|-GPSVersionID=2 3 0 0|-Comment=Made by X'.split(
    '|',
  );
const place =
  '-GPSLatitude=48.137|-GPSLatitudeRef=N|-GPSLongitude=11.575|-GPSLongitudeRef=E|-XMP:City=Munich|-Keys:GPSCoordinates=48.137, 11.575|-UserData:GPSCoordinates=48.1, 11.5|-Orientation#=6'.split(
    '|',
  );
const utf8 = ['-charset', 'utf8', '-charset', 'iptc=utf8'];
/** The places in the values of the tags, as exiftool prints them. */
const valuesOfPlaces =
  /48\.13|48 deg|48°|N 48|Marienplatz|Munich|Bavaria|German|DEU|"DE"|80331|8FWH|91607|filled\.|goo\.gl|2867714|52\.51|Europe/;
/** What exiftool reads of those of the files that exist. */
const readBack = (names: readonly string[]): ReadonlyMap<string, string> => {
  const there = names.filter((name) => existsSync(file(name)));
  if (there.length === 0) return new Map();
  const all = JSON.parse(run('exiftool', '-j', '-a', '-G1', '-s', '-ee', ...there).toString()) as {
    SourceFile: string;
  }[];
  return new Map(all.map(({ SourceFile, ...told }) => [SourceFile, JSON.stringify(told)]));
};
const look = (name: string) => lookAtPhoto(sourceOf(readFileSync(file(name))));

describe.skipIf(!has('exiftool') || !has('ffmpeg'))('a file made by another program', () => {
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'outtray-tools-'));
    ffmpeg('-f', 'lavfi', '-i', 'mandelbrot=s=72x48:r=1,format=rgb24', '-frames:v', '1', 'in.png');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  describe.each(Object.entries(makers))('%s', (kind, { needs, make }) => {
    it.skipIf(!has(needs))('is held for its location only, and its copy has the pixels without it', () => {
      make(kind);
      expect(look(kind)).toBeNull();
      run('exiftool', '-q', '-m', '-overwrite_original', ...plain, kind);
      expect(look(kind)).toBeNull();
      run('exiftool', '-q', '-m', '-overwrite_original', ...place, kind);
      const found = look(kind);
      expect(found?.shows).toBe('location');
      const cut = found?.cut ?? null;
      expect(cut === null).toBe(uncut.has(kind));
      if (cut === null) return;
      const copy = joined(sourceOf(readFileSync(file(kind))), cut.parts);
      const name = `copy-${kind}`;
      writeFileSync(file(name), copy.read(0, copy.sizeBytes));
      const told = run('exiftool', '-a', '-G1', '-s', '-ee', '-u', name).toString();
      expect(told).not.toMatch(/GPS|City|Location|Latitude|Longitude|Munich|Canon/i);
      expect(told).not.toMatch(/Error/);
      expect(pixelsOf(kind, name).equals(pixelsOf(kind, kind))).toBe(true);
    });

    it.skipIf(!has(needs))('has no place left after any tag of the documents was written', () => {
      const all = kind === 'f.mov' ? [...tags, ...filmTags] : kind.startsWith('f.') ? filmTags : tags;
      make(`base-${kind}`);
      const names = all.map((_, at) => `tag-${String(at)}-${kind}`);
      const jobs = all.map((one, at) =>
        ['-q', '-m', ...one.map((tag) => `-${tag}`), '-o', names[at], `base-${kind}`].join('\n'),
      );
      writeFileSync(file('jobs'), jobs.join('\n-execute\n'));
      // It fails for a tag that the format does not have: then the file shows nothing.
      spawnSync('exiftool', ['-@', 'jobs', '-common_args', ...utf8], { cwd: folder, timeout: 60_000 });
      const withPlace = [...readBack(names)].filter(([, told]) => valuesOfPlaces.test(told));
      const left: string[] = [];
      const copies: string[] = [];
      for (const [name] of withPlace) {
        const found = look(name);
        if (found === null) left.push(all[names.indexOf(name)]?.join(' ') ?? name);
        if (found === null || found.cut === null) continue;
        const copy = joined(sourceOf(readFileSync(file(name))), found.cut.parts);
        copies.push(`copy-${name}`);
        writeFileSync(file(`copy-${name}`), copy.read(0, copy.sizeBytes));
      }
      const kept = [...readBack(copies)].filter(([, told]) => valuesOfPlaces.test(told));
      expect([left, kept]).toEqual([[], []]);
      // ExifTool 12 does not write WebP.
      if (kind !== 'p.webp') expect(withPlace.length).toBeGreaterThan(11);
    });

    it.skipIf(!has(needs))('that shows no place is cut all the same where all metadata is to go', () => {
      make(`bare-${kind}`);
      run('exiftool', '-q', '-m', '-overwrite_original', ...plain, `bare-${kind}`);
      const source = sourceOf(readFileSync(file(`bare-${kind}`)));
      const found = lookAtPhoto(source, true);
      if (uncut.has(kind) || kind === 'p.webp') return;
      expect(found?.shows).toBe('nothing');
      const copy = joined(source, found?.cut?.parts ?? []);
      expect(lookAtPhoto(copy, true)).toBeNull();
    });
  });

  const chapters =
    ';FFMETADATA1\ntitle=At our house\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=At our house\n';
  const subtitle = '1\n00:00:00,000 --> 00:00:00,900\nAt our house\n';
  const handlers = [
    '-metadata:s:v',
    'handler_name=At our house',
    '-metadata:s:a',
    'handler_name=At our house',
  ];
  const quickTime = [
    'prores_ks',
    'mjpeg',
    'cinepak',
    'qtrle',
    'dnxhd',
    'dvvideo',
    'hap',
    'jpeg2000',
    'rawvideo',
  ];
  const sounds = ['aac', 'alac', 'ac3', 'eac3', 'pcm_s16be', 'pcm_s24le'];
  it.each<[string, string, string[]]>([
    ...['libx264', 'libx265', 'libaom-av1', 'libvpx-vp9', 'mpeg4'].map(
      (codec): [string, string, string[]] => [codec, 'mp4', ['-c:v', codec, '-c:a', 'aac']],
    ),
    ...['libmp3lame', 'libopus', 'flac'].map((codec): [string, string, string[]] => [
      codec,
      'mp4',
      ['-c:v', 'mpeg4', '-c:a', codec, '-strict', '-2'],
    ]),
    ...quickTime.map((codec): [string, string, string[]] => [
      codec,
      'mov',
      [
        ...(codec === 'dnxhd' ? ['-profile:v', 'dnxhr_lb', '-pix_fmt', 'yuv422p'] : []),
        '-c:v',
        codec,
        '-c:a',
        'pcm_s16be',
      ],
    ]),
    ...sounds.map((codec): [string, string, string[]] => [codec, 'mov', ['-c:v', 'mpeg4', '-c:a', codec]]),
    ['fragments', 'mp4', ['-c:v', 'libx264', '-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov']],
    ['its tables first', 'mp4', ['-c:v', 'libx264', '-c:a', 'aac', '-movflags', '+faststart']],
  ])('a film in %s is decoded without its texts', (codec, format, options) => {
    writeFileSync(file('chapters'), chapters);
    writeFileSync(file('subtitle.srt'), subtitle);
    const isInPieces = codec === 'fragments';
    const size = codec === 'dvvideo' ? '720x576' : '256x128';
    const name = `play.${format}`;
    ffmpeg(
      ...['-f', 'lavfi', '-i', `testsrc=d=1:s=${size}:r=25`, '-f', 'lavfi', '-i', 'sine=d=1:r=48000'],
      ...(isInPieces
        ? []
        : ['-i', 'chapters', '-i', 'subtitle.srt', '-map_metadata', '2', '-map', '3', '-c:s', 'mov_text']),
      ...['-map', '0', '-map', '1', ...options, ...handlers, name],
    );
    const bytes = readFileSync(file(name));
    expect(bytes.includes('At our house')).toBe(true);
    const parts = lookAtPhoto(sourceOf(bytes), true)?.cut?.parts ?? [];
    const copy = joined(sourceOf(bytes), parts);
    writeFileSync(file(`copy-${name}`), copy.read(0, copy.sizeBytes));
    expect(readFileSync(file(`copy-${name}`)).includes('our house')).toBe(false);
    const decoded = (one: string): string =>
      ffmpeg('-i', one, '-map', '0:v:0', '-map', '0:a', '-f', 'framemd5', '-').toString();
    expect(decoded(`copy-${name}`)).toBe(decoded(name));
  });
});
