// Pictures of uploaded files, small for the rows of Files, larger for the details: from this machine's disk, never from
// the network, one at a time. The page names an upload; its path comes from the ledger.
import { setTimeout as pause } from 'node:timers/promises';
import { nativeImage, type NativeImage } from 'electron';
import type { PictureUse } from '../../contract/window.ts';
import type { UserFiles } from '../app-context.ts';
import { pixelsOf } from './picture-size.ts';

/** Twice what the page shows: a screen may have two pixels per pixel. A row's is a square, cut from the middle. */
const sizes = { row: { width: 64, height: 64 }, details: { width: 584, height: 320 } } as const;
/** Linux has no picture service: the file is decoded in this process, beside the engine. About 50 ms each. */
const most = { bytes: 2_000_000, pixels: 8_000_000, systemBytes: 100_000_000 };
/** Uploads go on between two pictures. */
const pauseMs = 20;
/** The system makes a picture of a file that lies anywhere, and may never answer; the next picture waits no longer. */
const longestMs = 10_000;
/** Pictures of rows, some kilobytes each. Those of the details are not kept. */
const kept = 300;
/** More than a screen of rows; further requests get no picture, and the row shows the glyph of its kind. */
const mostAsked = 200;

type Thumbnails = {
  /** A data URL; null where there is no picture. */
  of(uploadId: number, use: PictureUse): Promise<string | null>;
};

export const createThumbnails = (
  files: Pick<UserFiles, 'look' | 'open'>,
  pathOf: (uploadId: number) => string | null,
): Thumbnails => {
  const made = new Map<number, string | null>();
  let last: Promise<unknown> = Promise.resolve();
  let asked = 0;

  const make = async (uploadId: number, use: PictureUse): Promise<string | null> => {
    const known = use === 'row' ? made.get(uploadId) : undefined;
    if (known !== undefined) return known;
    const file = pathOf(uploadId);
    // NUL stands for bytes that are no text (engine/ports/files.ts).
    const picture =
      file === null || file.includes('\0') ? null : await pictureOf(files, file, use).catch(() => null);
    if (use === 'row') made.set(uploadId, picture);
    const [oldest] = made.keys();
    if (made.size > kept && oldest !== undefined) made.delete(oldest);
    await pause(pauseMs);
    return picture;
  };

  return {
    of(uploadId, use) {
      if (asked >= mostAsked) return Promise.resolve(null);
      asked += 1;
      const turn = last.then(() => make(uploadId, use)).finally(() => (asked -= 1));
      // A ledger that cannot be read now fails this picture, not the next ones.
      last = turn.catch(() => null);
      return turn;
    },
  };
};

const pictureOf = async (
  files: Pick<UserFiles, 'look' | 'open'>,
  file: string,
  use: PictureUse,
): Promise<string | null> => {
  const found = await files.look(file);
  const bytes = found?.stamp?.sizeBytes ?? 0;
  // Reading a cloud placeholder would download the file.
  if (bytes === 0 || found?.onlineOnly === true) return null;
  const image =
    process.platform === 'linux'
      ? await decoded(files, file, { bytes, use })
      : await fromSystem(file, bytes, use);
  return image === null || image.isEmpty() ? null : image.toDataURL();
};

const fromSystem = async (file: string, bytes: number, use: PictureUse): Promise<NativeImage | null> =>
  bytes > most.systemBytes ? null : await inTime(nativeImage.createThumbnailFromPath(file, sizes[use]));

const inTime = async <T>(work: Promise<T>): Promise<T | null> => {
  const limit = Promise.withResolvers<null>();
  const timer = setTimeout(limit.resolve, longestMs, null);
  return await Promise.race([work, limit.promise]).finally(() => clearTimeout(timer));
};

const decoded = async (
  files: Pick<UserFiles, 'open'>,
  file: string,
  { bytes, use }: { bytes: number; use: PictureUse },
): Promise<NativeImage | null> => {
  if (bytes > most.bytes) return null;
  const content = await pictureIn(files, file);
  const image = content === null ? null : nativeImage.createFromBuffer(content);
  if (image === null || image.isEmpty()) return null;
  return use === 'row' ? squareOf(image) : fitted(image);
};

const squareOf = (image: NativeImage): NativeImage => {
  const { width, height } = image.getSize();
  const side = Math.min(width, height);
  const middle = { x: (width - side) >> 1, y: (height - side) >> 1, width: side, height: side };
  return image.crop(middle).resize({ ...sizes.row, quality: 'good' });
};

const fitted = (image: NativeImage): NativeImage => {
  const { width, height } = image.getSize();
  const share = Math.min(sizes.details.width / width, sizes.details.height / height);
  if (share >= 1) return image;
  return image.resize({ width: Math.max(1, Math.round(width * share)), quality: 'good' });
};

const headBytes = 65_536;

/** Null if it has more pixels than are decoded here, or is not a picture. */
const pictureIn = async (files: Pick<UserFiles, 'open'>, path: string): Promise<Buffer | null> => {
  const file = await files.open(path, null);
  try {
    const head = Buffer.from(await file.head(Math.min(headBytes, file.stamp.sizeBytes)));
    const pixels = pixelsOf(head);
    if (pixels === null || pixels > most.pixels) return null;
    const pieces: Buffer[] = [];
    for await (const piece of file.pieces(new AbortController().signal)) pieces.push(Buffer.from(piece));
    return Buffer.concat(pieces);
  } finally {
    await file.close();
  }
};
