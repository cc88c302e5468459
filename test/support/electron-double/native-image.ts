// Electron's nativeImage: keeps the picture's bytes and knows a PNG's size; nothing is decoded or drawn.
import { existsSync, readFileSync } from 'node:fs';
import { loud } from './loud.ts';

type Size = { width: number; height: number };

export class NativeImage {
  readonly #bytes: Buffer;
  readonly #size: Size;

  constructor(bytes: Buffer, size: Size = sizeOf(bytes)) {
    this.#bytes = bytes;
    this.#size = size;
  }
  isEmpty(): boolean {
    return this.#bytes.length === 0;
  }
  getSize(): Size {
    return { ...this.#size };
  }
  /** The bytes as they came: a PNG stays one, with its own size. */
  toPNG(): Buffer {
    return this.#bytes;
  }
}
loud('NativeImage', NativeImage.prototype);

/** Width and height from a PNG's header; other pictures are taken for small icons. */
function sizeOf(bytes: Buffer): Size {
  if (bytes.length === 0) return { width: 0, height: 0 };
  const isPng = bytes.length > 24 && bytes.readUInt32BE(0) === 0x89504e47;
  return isPng
    ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    : { width: 16, height: 16 };
}

export const nativeImage = loud('nativeImage', {
  createEmpty: (): NativeImage => new NativeImage(Buffer.alloc(0)),
  createFromPath: (file: string): NativeImage =>
    new NativeImage(existsSync(file) ? readFileSync(file) : Buffer.alloc(0)),
});
