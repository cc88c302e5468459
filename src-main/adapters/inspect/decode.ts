// Text of bytes in an encoding that is not declared. Secrets are ASCII, so letters beyond it may come out wrong.

/** UTF-16 by its byte order mark; anything else by its bytes, without the NULs that UTF-16 without a mark has. */
export const decode = (bytes: Uint8Array): string => {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1').replaceAll('\0', '');
};
