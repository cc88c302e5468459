// Texts that show a place in each way that programs and people write one, and texts that show none. UTF-8 read as Latin-1.
import { readFileSync } from 'node:fs';
import { xmp } from './photos.ts';

type Texts = Record<string, string>;
const written = JSON.parse(readFileSync(new URL('written-places.json', import.meta.url), 'utf8')) as Record<
  'spellings' | 'utf8' | 'latin1',
  Texts
> & { harmless: string[] };
const utf8 = (text: string): string => Buffer.from(text).toString('latin1');

/** In XMP. */
export const spellings: Texts = {
  'an attribute': xmp().toString(),
  ...written.spellings,
  UTF16: Buffer.from('<exif:GPSLatitude>48</exif:GPSLatitude>', 'utf16le').toString('latin1'),
};
/** In any text. */
export const texts: Texts = {
  ...written.latin1,
  ...Object.fromEntries(Object.entries(written.utf8).map(([name, text]) => [name, utf8(text)])),
};
/** Text that is none of these. */
export const { harmless } = written;
