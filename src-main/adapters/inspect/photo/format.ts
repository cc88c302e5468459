// Which format a photo or film has, by its first bytes. Its name and what else these bytes look like do not count.

/**
 * `boxes`: HEIC, AVIF, JPEG XL, CR3, JPEG 2000, MP4, MOV, 3GP. `tiff`: also JPEG XR and most RAW files. `whole`: what is
 * searched as it is: RAW of Sigma and of Canon before 2004, and the texts beside photos and films: XMP and subtitles, in
 * which drones record their position.
 */
export type Format =
  'jpeg' | 'png' | 'webp' | 'gif' | 'boxes' | 'tiff' | 'raf' | 'mrw' | 'psd' | 'codestream' | 'svg' | 'whole';

/** Before the element of an SVG there may be comments, a document type, and instructions for style sheets. */
export const formatBytes = 4096;

/** In Latin-1, at the beginning. */
const marks: readonly [RegExp, Format][] = [
  [/^\xff\xd8\xff/, 'jpeg'],
  [/^\x89PNG\r\n\x1a\n/, 'png'],
  [/^RIFF[^]{4}WEBP/, 'webp'],
  [/^GIF8[79]a/, 'gif'],
  // 42: TIFF, DNG, CR2, NEF, ARW, PEF, SRW, 3FR; 43: BigTIFF; R and O or S: ORF; U: RW2; 0xbc: JPEG XR.
  [/^II[*+U]\0|^II\xbc[\0\x01]|^MM\0[*+U]|^IIR[OS]|^MMOR/, 'tiff'],
  // A text may begin with "The free": a box with such a name must be smaller than 256 MB.
  [/^[^]{4}(?:ftyp|styp|JXL |jP {2}|moov|mdat)|^[\0-\x0f][^]{3}(?:wide|pnot|free|skip)/, 'boxes'],
  [/^FUJIFILMCCD-RAW/, 'raf'],
  [/^8BPS/, 'psd'],
  [/^\0MRM/, 'mrw'],
  [/^FOVb|^(?:II|MM)[^]{4}HEAPCCDR/, 'whole'],
  [/^(?:\xef\xbb\xbf)?(?:<\?xml[^>]{0,50}\?>\s{0,4})?<(?:\?xpacket|x:xmpmeta)/, 'whole'],
  [/^(?:\xef\xbb\xbf)?\d{1,4}\r?\n\d\d:\d\d:\d\d[,.]\d{3} --> /, 'whole'],
  [/^(?:\xef\xbb\xbf)?WEBVTT\s/, 'whole'],
  [
    /^(?:\xef\xbb\xbf)?(?:\s|<\?[^>]*>|<!--(?:(?!-->)[^])*-->|<!DOCTYPE\s[^[>]*(?:\[[^\]]*\]\s*)?>)*<svg[\s>]/,
    'svg',
  ],
  // JPEG XL and JPEG 2000 without boxes.
  [/^\xff\x0a|^\xff\x4f\xff\x51/, 'codestream'],
];

/** `head`: at least `formatBytes`, or all. Null: it is no photo and no film. */
export const formatOf = (head: Uint8Array): Format | null => {
  const bytes = Buffer.from(head.subarray(0, formatBytes)).toString('latin1');
  const formatBy = (text: string): Format | undefined => marks.find(([mark]) => mark.test(text))?.[1];
  // A text in UTF-16 is read as one in ASCII.
  const isUtf16 = /^(?:\xff\xfe|\xfe\xff|[<\d]\0|\0[<\d])/.test(bytes);
  return (
    formatBy(bytes) ?? (isUtf16 ? formatBy(bytes.replace(/^(?:\xff\xfe|\xfe\xff)|\0/g, '')) : null) ?? null
  );
};
