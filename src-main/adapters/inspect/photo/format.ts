// Which format a photo has, by its first bytes.

/** `whole`: TIFF, HEIC and AVIF, which are read but not cut. */
export type Format = 'jpeg' | 'png' | 'webp' | 'whole';

/** Null: it is no photo. */
export const formatOf = (head: Uint8Array): Format | null => {
  const text = Buffer.from(head.subarray(0, 64)).toString('latin1');
  if (text.startsWith('\u00ff\u00d8\u00ff')) return 'jpeg';
  if (text.startsWith('\u0089PNG\r\n\u001a\n')) return 'png';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'webp';
  const isTiff = /^(?:II[*+]\0|MM\0[*+])/.test(text);
  const isHeif =
    text.slice(4, 8) === 'ftyp' && /hei[cfmsx]|hev[cmsx]|mif[12]|msf1|avi[fs]/.test(text.slice(8));
  return isTiff || isHeif ? 'whole' : null;
};
