// Which version is inside an update that was loaded.
import { open } from 'node:fs/promises';

/** The resources of an installer for Windows are before what it unpacks. */
const headBytes = 4 * 1024 ** 2;
/** In a version resource (VS_VERSIONINFO) each key is followed by its value, aligned to four bytes. */
const versionKey = Buffer.from('ProductVersion\0', 'utf16le');

/**
 * Whether an installer for Windows is of this version by its resources, which its signature covers: a feed could announce
 * an older one that is signed as well. The packages of other systems are compressed, and are not looked into.
 */
export const hasVersion = async (file: string, version: string): Promise<boolean> => {
  const opened = await open(file);
  try {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const head = buffer.subarray(0, bytesRead);
    if (head.toString('latin1', 0, 2) !== 'MZ') return true;
    const at = head.indexOf(versionKey);
    const value = Buffer.from(`${version}\0`, 'utf16le');
    const from = 4 * Math.ceil((at + versionKey.length) / 4);
    return at >= 0 && head.subarray(from, from + value.length).equals(value);
  } finally {
    await opened.close();
  }
};
