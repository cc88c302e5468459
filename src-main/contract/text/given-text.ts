// Text that a person or another program wrote. PowerShell's `>` writes UTF-16, and editors of Windows put the mark of
// UTF-8 first.

/**
 * The bytes in UTF-8, without a byte order mark. Two of the marks identify UTF-16 in either order. Bytes without a mark
 * stay as they are.
 */
export const inUtf8 = (bytes: Uint8Array): Uint8Array => {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return recoded(bytes, 'utf-16le');
  if (first === 0xfe && second === 0xff) return recoded(bytes, 'utf-16be');
  return first === 0xef && second === 0xbb && third === 0xbf ? bytes.subarray(3) : bytes;
};

const recoded = (bytes: Uint8Array, encoding: string): Uint8Array =>
  new TextEncoder().encode(new TextDecoder(encoding).decode(bytes));

/** The text in UTF-8 or in marked UTF-16. */
export const givenText = (bytes: Uint8Array): string => new TextDecoder().decode(inUtf8(bytes));
