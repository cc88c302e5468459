// Copied files as Linux desktops put them on the clipboard: one `file:` address a line. Pure.
import { fromSystemName } from '../files/paths.ts';

/** The second type comes from Nautilus and its kin: its first line is `copy` or `cut`. */
export const fileListTypes: readonly string[] = ['text/uri-list', 'x-special/gnome-copied-files'];

/** Absolute paths; names need not be text. An address of another computer, or of no file, is left out. */
export const pathsInList = (list: string): string[] =>
  list.split(/\r?\n/).flatMap((line) => pathOf(line.trim()) ?? []);

const pathOf = (address: string): string | null => {
  const rest = /^file:\/\/(?:localhost)?(\/.*)$/i.exec(address)?.[1];
  if (rest === undefined) return null;
  const bytes = Buffer.from(rest)
    .toString('latin1')
    .replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return bytes.includes('\0') ? null : fromSystemName(Buffer.from(bytes, 'latin1'));
};
