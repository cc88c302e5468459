// The path in a `file:` address of a copied file. Pure.
import { fromSystemName } from '../files/paths.ts';

/** Absolute; a name need not be text. Null: an address of another computer, or of no file. */
export const pathOfAddress = (address: string): string | null => {
  const rest =
    /^file:\/\/(?:localhost)?(\/.*)$/i.exec(address)?.[1] ?? /^file:(\/(?!\/).*)$/i.exec(address)?.[1];
  if (rest === undefined) return null;
  const bytes = Buffer.from(rest)
    .toString('latin1')
    .replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return bytes.includes('\0') ? null : fromSystemName(Buffer.from(bytes, 'latin1'));
};
