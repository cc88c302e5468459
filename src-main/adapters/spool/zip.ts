// A zip as a stream. Its files are stored, not compressed: what a compressor makes of the same content differs between
// versions and machines, and then the same files would get another link.
import { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Packed } from '../../engine/ports.ts';

/** The same for all, so that the same content gives the same bytes. yazl writes the date in local time (APPNOTE 4.4.6). */
const fixed = {
  compress: false,
  mtime: new Date(1980, 0, 1),
  forceDosTimestamp: true,
  // Rights would differ between systems.
  mode: 0o100644,
};

/** Names are UTF-8 and marked so; what is too large or too many for a zip makes a zip64. One file is read at a time. */
export async function* zipOf(files: AsyncIterable<Packed>): AsyncGenerator<Uint8Array> {
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  const output = zip.outputStream.pipe(new PassThrough());
  const fail = (error: unknown): void => {
    output.destroy(error instanceof Error ? error : new Error(String(error)));
  };
  zip.on('error', fail);
  const source = files[Symbol.asyncIterator]();
  let reading = Readable.from([]);
  // yazl keeps what it is given of each file until the end: a function that gives the stream of the moment, and no stream,
  // which would keep the file's content in memory.
  const give = (take: (error: null, stream: Readable) => void): void => take(null, reading);
  const feed = async (): Promise<void> => {
    for (;;) {
      const step = await source.next();
      if (output.destroyed) return;
      if (step.done === true) break;
      const { name, sizeBytes, pieces } = step.value;
      reading = Readable.from(copied(pieces), { objectMode: false });
      zip.addReadStreamLazy(name, { ...fixed, size: sizeBytes }, give);
      await finished(reading);
    }
    zip.end();
  };
  const fed = feed().catch(fail);
  try {
    for await (const piece of output) yield piece as Uint8Array;
  } finally {
    output.destroy();
    reading.destroy();
    await fed;
    await source.return?.();
  }
}

/**
 * A stream reads ahead; our pieces share a buffer. Not by Buffer.from: small ones would lie in Node's pool beside the names,
 * which yazl keeps, and stay with them.
 */
async function* copied(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield new Uint8Array(piece);
}
