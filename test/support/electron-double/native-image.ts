// Electron's nativeImage: keeps the picture's bytes and reads a PNG's size, but decodes and draws nothing. As on Linux,
// the system makes no thumbnails.
import { existsSync, readFileSync } from 'node:fs';
import { loud } from './loud.ts';

type Size = { width: number; height: number };
type Rectangle = Size & { x: number; y: number };

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
  /** The same bytes with another reported size. */
  crop({ width, height }: Rectangle): NativeImage {
    return new NativeImage(this.#bytes, { width, height });
  }
  resize({ width, height }: { width?: number; height?: number; quality?: string }): NativeImage {
    const before = this.getSize();
    const share = before.width / before.height;
    const size = {
      width: width ?? Math.round((height ?? before.height) * share),
      height: height ?? Math.round((width ?? before.width) / share),
    };
    return new NativeImage(this.#bytes, size);
  }
  toDataURL(): string {
    return `data:image/png;base64,${this.#bytes.toString('base64')}`;
  }
  /** The bytes as they came: a PNG stays one, with its own size. */
  toPNG(): Buffer {
    return this.#bytes;
  }
}
loud('NativeImage', NativeImage.prototype);

/** Width and height from a PNG's header. Other pictures count as small icons. */
function sizeOf(bytes: Buffer): Size {
  if (bytes.length === 0) return { width: 0, height: 0 };
  const isPng = bytes.length > 24 && bytes.readUInt32BE(0) === 0x89504e47;
  return isPng
    ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    : { width: 16, height: 16 };
}

export const nativeImage = loud('nativeImage', {
  createEmpty: (): NativeImage => new NativeImage(Buffer.alloc(0)),
  createFromBuffer: (bytes: Buffer): NativeImage => new NativeImage(bytes),
  createFromPath: (file: string): NativeImage =>
    new NativeImage(existsSync(file) ? readFileSync(file) : Buffer.alloc(0)),
});
