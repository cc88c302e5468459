// How a file's name is shown: controls and direction marks made visible, so that a name cannot pose as another
// (security.md), and cut in the middle so that the extension is always there. Pure.
import { foundIn } from '../../src-main/contract/search.ts';

/** `mark` pieces replace a character that has no shape of its own, `hit` pieces are what a search found. */
export type NamePiece = { text: string; mark: boolean; hit?: true };
export type ShownName = { head: NamePiece[]; tail: NamePiece[] };

// Controls, soft hyphen, zero-width and direction characters, line separators, fillers, tags, lone surrogates.
// The zero-width joiner and the variation selectors stay: emoji and several scripts are written with them.
const shapeless =
  /[\p{Cc}\u00ad\u061c\u115f\u1160\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Cs}]|\u034f|\u17b4|\u17b5/gu;

/** Printable ASCII: nothing to replace, and every code unit is a character. A fast path: it covers most names. */
const plain = /^[ -~]*$/;

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

export const showShapeless = (text: string): NamePiece[] => {
  if (plain.test(text)) return text === '' ? [] : [{ text, mark: false }];
  const pieces: NamePiece[] = [];
  let from = 0;
  for (const match of text.matchAll(shapeless)) {
    if (match.index > from) pieces.push({ text: text.slice(from, match.index), mark: false });
    pieces.push({ text: codeOf(match[0]), mark: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), mark: false });
  return pieces;
};

/** The name on one line of plain text: marks in angle brackets. */
export const plainName = (name: string): string =>
  plain.test(name)
    ? name
    : showShapeless(name)
        .map((piece) => (piece.mark ? `⟨${piece.text}⟩` : piece.text))
        .join('');

// Hebrew, Arabic and the other scripts that are written from right to left.
const fromRight = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

export const hasFromRight = (text: string): boolean => !plain.test(text) && fromRight.test(text);

/** The first letter decides. Chromium does not ask `dir=auto` again when a row is used for another name. */
export const directionOf = (name: string): 'ltr' | 'rtl' =>
  !plain.test(name) && fromRight.test(/\p{L}/u.exec(name)?.[0] ?? '') ? 'rtl' : 'ltr';

/** A link as it is shown: without `https://`, its last part separate, because that part differs. */
export const linkParts = (link: string): { host: string; id: string } => {
  const shown = plainName(link.replace(/^https?:\/\//, ''));
  const at = shown.lastIndexOf('/') + 1;
  return { host: shown.slice(0, at), id: shown.slice(at) };
};

/** Where the extension begins; `name.length` when there is none. `.tar.gz` and its like count as one. */
export const extensionAt = (name: string): number => {
  const double = /\.tar\.[a-z0-9]{1,4}$/i.exec(name);
  if (double !== null && double.index > 0) return double.index;
  const dot = name.lastIndexOf('.');
  // A leading dot is no extension, and twelve characters after a dot are a word, not a type.
  return dot > 0 && name.length - dot <= 13 ? dot : name.length;
};

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * Cuts before the last few characters of the stem; `head` may be shortened on screen, `tail` never is. `words`: the
 * words of the search.
 */
export const cutName = (name: string, words: readonly string[] = [], keep = 6): ShownName => {
  const at = cutAt(name, keep);
  if (words.length === 0)
    return { head: showShapeless(name.slice(0, at)), tail: showShapeless(name.slice(at)) };
  const found = foundIn(name, words);
  return { head: piecesOf(name, 0, at, found), tail: piecesOf(name, at, name.length, found) };
};

const cutAt = (name: string, keep: number): number => {
  const dot = extensionAt(name);
  const stem = name.slice(0, dot);
  if (plain.test(name)) return stem.length > keep * 2 ? dot - keep : dot;
  // The last 400 code units hold more than enough whole characters, however they are composed.
  const from = Math.max(0, stem.length - 400);
  // In a name written from right to left, its end would be on the left.
  if (directionOf(name) === 'rtl') return dot;
  const starts = [...segmenter.segment(stem.slice(from))].map((part) => part.index + from);
  return starts.length > keep * 2 ? (starts.at(-keep) ?? dot) : dot;
};

const piecesOf = (
  name: string,
  from: number,
  to: number,
  found: readonly [number, number][],
): NamePiece[] => {
  const edges = [...new Set([from, ...found.flat().filter((at) => at > from && at < to), to])];
  return edges.slice(0, -1).flatMap((start, index) => {
    const isHit = found.some(([first, end]) => first <= start && start < end);
    const pieces = showShapeless(name.slice(start, edges[index + 1]));
    return isHit ? pieces.map((piece): NamePiece => ({ ...piece, hit: true })) : pieces;
  });
};

/** On one line of plain text, with at most `most` characters: cut in the middle, so that the extension stays. */
export const shortName = (name: string, most = 40): string => {
  const parts = [...segmenter.segment(plainName(name.slice(0, 1000)))].map(({ segment }) => segment);
  const end = Math.floor(most / 3);
  return parts.length <= most
    ? parts.join('')
    : `${parts.slice(0, most - end - 1).join('')}…${parts.slice(-end).join('')}`;
};

export type FileKind =
  'image' | 'video' | 'audio' | 'archive' | 'text' | 'code' | 'table' | 'package' | 'other';

const kinds: Record<Exclude<FileKind, 'other'>, string> = {
  image: 'png jpg jpeg gif webp avif heic heif svg bmp tif tiff ico psd raw',
  video: 'mp4 mov mkv avi webm m4v mpg mpeg',
  audio: 'mp3 wav flac m4a ogg opus aac aiff',
  archive: 'zip gz tgz xz bz2 zst 7z rar tar',
  text: 'txt md pdf doc docx odt rtf pages tex epub key ppt pptx odp',
  code: 'js ts py rs go c h cpp java rb sh html css json xml yaml yml toml svelte swift kt sql',
  table: 'csv tsv xls xlsx ods numbers parquet',
  package: 'exe msi dmg pkg deb rpm appimage apk ipa iso img',
};

const kindOf = new Map<string, FileKind>();
for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
  for (const extension of kinds[kind].split(' ')) kindOf.set(extension, kind);
}

export const fileKind = (name: string): FileKind =>
  kindOf.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase()) ?? 'other';
