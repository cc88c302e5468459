// Small pictures of uploaded files, for the rows of Files: from this machine's disk, never from the network, one at a
// time. The page names an upload; its path comes from the ledger.
import { lstat, open } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { nativeImage, type NativeImage } from 'electron';
import { pixelsOf } from './picture-size.ts';

/** 32 px on a screen with two pixels per pixel. */
const sidePx = 64;
/** Linux has no picture service: the file is decoded in this process, beside the engine. About 50 ms each. */
const most = { bytes: 2_000_000, pixels: 8_000_000, systemBytes: 100_000_000 };
/** Uploads go on between two pictures. */
const pauseMs = 20;
/** Some kilobytes each. */
const kept = 300;
/** More than a screen of rows; what is asked beyond gets the glyph of its kind. */
const mostAsked = 200;

type Thumbnails = {
  /** A data URL; null where there is no picture. */
  of(uploadId: number): Promise<string | null>;
};

export const createThumbnails = (pathOf: (uploadId: number) => string | null): Thumbnails => {
  const made = new Map<number, string | null>();
  let last: Promise<unknown> = Promise.resolve();
  let asked = 0;

  const make = async (uploadId: number): Promise<string | null> => {
    const known = made.get(uploadId);
    if (known !== undefined) return known;
    const file = pathOf(uploadId);
    // NUL stands for bytes that are no text (engine/ports.ts).
    const picture = file === null || file.includes('\0') ? null : await pictureOf(file).catch(() => null);
    made.set(uploadId, picture);
    const [oldest] = made.keys();
    if (made.size > kept && oldest !== undefined) made.delete(oldest);
    await pause(pauseMs);
    return picture;
  };

  return {
    of(uploadId) {
      if (asked >= mostAsked) return Promise.resolve(null);
      asked += 1;
      const turn = last.then(() => make(uploadId)).finally(() => (asked -= 1));
      // A ledger that cannot be read now fails this picture, not the next ones.
      last = turn.catch(() => null);
      return turn;
    },
  };
};

const pictureOf = async (file: string): Promise<string | null> => {
  const stats = await lstat(file);
  // A cloud's placeholder has a size and no blocks: reading it would fetch it.
  if (!stats.isFile() || stats.size === 0 || stats.blocks === 0) return null;
  const image =
    process.platform === 'linux' ? await decoded(file, stats.size) : await fromSystem(file, stats.size);
  return image === null || image.isEmpty() ? null : image.toDataURL();
};

const fromSystem = async (file: string, bytes: number): Promise<NativeImage | null> =>
  bytes > most.systemBytes
    ? null
    : await nativeImage.createThumbnailFromPath(file, { width: sidePx, height: sidePx });

const decoded = async (file: string, bytes: number): Promise<NativeImage | null> => {
  if (bytes > most.bytes) return null;
  const pixels = pixelsOf(await headOf(file));
  if (pixels === null || pixels > most.pixels) return null;
  const image = nativeImage.createFromPath(file);
  if (image.isEmpty()) return null;
  const { width, height } = image.getSize();
  const side = Math.min(width, height);
  const middle = { x: (width - side) >> 1, y: (height - side) >> 1, width: side, height: side };
  return image.crop(middle).resize({ width: sidePx, height: sidePx, quality: 'good' });
};

const headBytes = 65_536;

const headOf = async (file: string): Promise<Buffer> => {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
};
