// The name that is sent (upload-protocol.md, "The name that is sent"): it needs no escaping in a multipart header,
// so nothing can be injected and no server can unescape it differently. The user's own name stays in the ledger.

import { splitPath } from './paths.ts';

const maxBytes = 200;
/** An extension longer than this is no extension but part of the name. */
const maxExtensionBytes = 32;

/** One byte that is not UTF-8, as ports.ts writes it into a path. */
const strayByte = /\0[0-9a-f]{2}/g;
/** A percent sign before two hex digits, too: some servers read `%22` and `%0d%0a` as the characters they stand for. */
const forbidden =
  /[\p{Cc}/\\:*?"<>|\p{Bidi_Control}\u200b-\u200d\u2060-\u2064\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|%(?=[0-9a-f]{2})/giu;
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** A safe name of 1 to 200 UTF-8 bytes in NFC, extension kept. */
export const nameToSend = (name: string): string => {
  const clean = trimEnds(
    name.replace(strayByte, '_').replace(loneSurrogate, '_').normalize('NFC').replace(forbidden, '_'),
  );
  const fitted = trimEnds(fit(clean));
  return fitted === '' ? '_' : fitted;
};

/**
 * The name of a file or folder in a zip. The rules are the same, because the zip may be unpacked on any system. A
 * leading dot stays, and so does a percent sign, which no reader of a zip decodes.
 */
export const inZip = (name: string): string => {
  const clean = name
    .replace(strayByte, '_')
    .replace(loneSurrogate, '_')
    .normalize('NFC')
    .replace(forbidden, (found) => (found === '%' ? found : '_'))
    .replace(/^\s+|[\s.]+$/gu, '');
  const fitted = fit(clean).replace(/[\s.]+$/u, '');
  if (fitted === '') return '_';
  return deviceOfWindows.test(fitted) ? `_${fitted}` : fitted;
};

/** Device names on Windows, with any extension (learn.microsoft.com, Naming Files, Paths, and Namespaces). */
const deviceOfWindows =
  /^(?:con|prn|aux|nul|com[\d\u00b9\u00b2\u00b3]|lpt[\d\u00b9\u00b2\u00b3]|conin\$|conout\$)\s*(?:\.|$)/i;

/** Equal for names that are the same one on Windows or macOS. */
export const foldedName = (name: string): string => name.normalize('NFC').toUpperCase().toLowerCase();

const trimEnds = (text: string): string => text.replace(/^[\s.]+|[\s.]+$/gu, '');

const fit = (name: string): string => {
  // True for nearly every name. The text is split into characters only when it is too long.
  if (byteLength(name) <= maxBytes) return name;
  const lastPart = /\.[^.]*$/u.exec(name)?.[0] ?? '';
  const extension = byteLength(lastPart) <= maxExtensionBytes ? lastPart : '';
  // What is in front of the extension is longer than the room for it, so the cut falls there.
  return cut(name, maxBytes - byteLength(extension)) + extension;
};

/** The longest start of the text with at most this many bytes. It is cut between visible characters (graphemes). */
const cut = (text: string, bytes: number): string => {
  let used = 0;
  let kept = '';
  for (const { segment } of graphemes().segment(text)) {
    used += byteLength(segment);
    if (used > bytes) break;
    kept += segment;
  }
  // One character with many combining marks may be longer than the limit. Then it is cut between code points.
  if (kept === '') {
    used = 0;
    for (const point of text) {
      used += byteLength(point);
      if (used > bytes) break;
      kept += point;
    }
  }
  return kept;
};

/** It splits by graphemes, which is its default. Made when first needed: it takes 10 ms. */
let segmenter: Intl.Segmenter | null = null;
const graphemes = (): Intl.Segmenter => (segmenter ??= new Intl.Segmenter('en'));

/** UTF-8 bytes of a well-formed string. */
export const byteLength = (text: string): number => {
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // Each half of a surrogate pair is half of four bytes.
    const isHalf = code >= 0xd800 && code < 0xe000;
    bytes += code < 0x80 ? 1 : code < 0x800 || isHalf ? 2 : 3;
  }
  return bytes;
};

/** `onDisk`: the file's own name. `sent`: the name that the service gets. */
export type Names = { onDisk: string; sent: string };

export const namesOfFile = (onDisk: string): Names => ({
  onDisk,
  sent: isPlain.test(onDisk) ? onDisk : nameToSend(onDisk),
});

/** A file as rules about names judge it. `below`: its path below the folder that has the rules; else its whole path. */
export type FileNames = { below: string; names: Names };

export const namedFile = (below: string): FileNames => ({
  below,
  names: namesOfFile(splitPath(below).name),
});

/** The names of a file and what people and systems read them as: each once, the one on the disk first. */
export const readingsOf = ({ onDisk, sent }: Names): readonly string[] =>
  isPlain.test(onDisk) && onDisk === sent
    ? [onDisk]
    : distinct([onDisk, sent, inZip(onDisk), ...[onDisk, sent].flatMap(readAs)]);

/** For guards that keep a file back: also the names under which services may store it. The strictest verdict wins. */
export const spellingsOf = (names: Names): readonly string[] => {
  const readings = readingsOf(names);
  return readings.length === 1 && isStoredAsItIs.test(names.onDisk)
    ? readings
    : distinct([...readings, ...readings.map(storedAs)]);
};

const distinct = (names: readonly string[]): string[] => [...new Set(names.filter((name) => name !== ''))];

/** Nearly every name: it is sent unchanged, and no part of it can be misread. */
const isPlain = /^[\w-](?:[\w .()[\]+,=@!#$&';~^-]{0,100}[\w()[\]+,=@!#$&';~^-])?$/;
const isStoredAsItIs = /^[\w .-]*[a-z\d-]$/i;

/**
 * Many services keep only plain letters, digits, underscores, dots, spaces and dashes, and no dot or underscore at the
 * end (Werkzeug, Django).
 */
const storedAs = (name: string): string =>
  name
    .replace(strayByte, '')
    .normalize('NFKD')
    .replace(/[^\w .-]/g, '')
    .replace(/[\s._]+$/, '');

/** Windows opens `x.exe.`, `x.exe ` and `x.exe::$DATA` as `x.exe`. People read wide and look-alike letters as Latin. */
const readAs = (name: string): string[] => {
  const shown = trimmed(
    name
      .replace(strayByte, '')
      .normalize('NFKC')
      .replace(unseen, '')
      .replace(otherDots, '.')
      .replace(/\P{ASCII}/gu, ownLetter),
  );
  const beforeStream = shown.replace(/:.*/su, '');
  // A program that unpacks what Windows packed may leave `folder\\x.exe` as one name.
  return [shown, trimmed(beforeStream), shown.slice(shown.lastIndexOf('\\') + 1)];
};

const trimmed = (name: string): string => name.replace(/[\s.\u2800]+$/u, '');

/** Invisible characters: format and variation characters, fillers, controls. */
const unseen = /[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;
/** One dot leader and the fullwidth dot are dots by NFKC already. */
const otherDots = /[\u3002\u0660\u06d4\u06f0\u0701\u0702\ua4f8\ua60e\u{10a50}]|\u{1d16d}/gu;

/** Cyrillic, Greek and Armenian letters that look like Latin ones in usual fonts (Unicode, confusables.txt). */
const alike: Readonly<Record<string, string>> = {
  ...letters('авекмнорстухѕіјԁԛԝһѵ', 'abekmhopctyxsijdqwhv'),
  ...letters('АВЕКМНОРСТУХЅІЈԌԚԜҺѴ', 'ABEKMHOPCTYXSIJGQWHV'),
  ...letters('αβεικνορτυχγ', 'abeikvoptuxy'),
  ...letters('ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'),
  ...letters('օսցհոքԁӏ', 'oughnpdl'),
  ...letters('ıɑɡⅼ', 'iagl'),
};

function ownLetter(letter: string): string {
  return alike[letter] ?? letter;
}

function letters(from: string, to: string): Record<string, string> {
  const own = Array.from(to);
  return Object.fromEntries(Array.from(from, (letter, at) => [letter, own[at] ?? letter]));
}

/** What is left of a name when a service changes its case, its spaces, or puts a number before it. */
export const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
