// Decodes bytes whose encoding is not declared.

/** UTF-16 by its byte order mark, UTF-8 if it is valid, else Latin-1. Removes NULs, which UTF-16 without a mark has. */
export const decode = (bytes: Uint8Array): string => {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return textOf(bytes).replaceAll('\0', '');
};

/** The bytes may end within a character. */
const textOf = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  }
};
