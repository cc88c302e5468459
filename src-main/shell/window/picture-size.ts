// How many pixels a picture has, from its first bytes: a small file can be a huge picture, and decoding it is too late.

/** Width times height of a PNG or JPEG; null: it is neither, or its size is not among these bytes. */
export const pixelsOf = (head: Buffer): number | null => {
  if (head.length >= 24 && head.readUInt32BE(0) === 0x89504e47) {
    return head.readUInt32BE(16) * head.readUInt32BE(20);
  }
  if (head.length < 4 || head.readUInt16BE(0) !== 0xffd8) return null;
  // A JPEG is a row of segments: marker, length, content. The one that begins a frame has the size.
  for (let at = 2; at + 9 <= head.length;) {
    if (head[at] !== 0xff) return null;
    const marker = head[at + 1] ?? 0;
    const beginsFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (beginsFrame) return head.readUInt16BE(at + 5) * head.readUInt16BE(at + 7);
    at += 2 + head.readUInt16BE(at + 2);
  }
  return null;
};
