// The upload of one file with its tail withheld (upload-protocol.md, Withheld tail): everything but the last bytes
// and the closing boundary goes out first, then `beforeTail` decides, then the rest. Until the tail leaves, the
// service has an incomplete request and cannot have created anything.
import { AppError } from '../../contract/errors.ts';
import type { UploadRequest } from '../../engine/ports/api.ts';
import type { ExchangeLine } from './exchange.ts';
import type { FormPart } from './multipart.ts';
import type { Bandwidth } from './bandwidth.ts';

/** One TLS record: the tail is one write, so the time in which the outcome is unknown is as short as possible. */
const withheldBytes = 16 * 1024;

export type UploadBody = {
  pieces: (line: ExchangeLine) => AsyncIterable<Uint8Array>;
  /** Whether the tail was given to the connection. Before that, no answer can mean that the file was created. */
  tailLeft: () => boolean;
};

export const createUploadBody = (
  request: UploadRequest,
  part: FormPart,
  bandwidth: Bandwidth,
): UploadBody => {
  const { sizeBytes, signal } = request;
  const tailStart = Math.max(0, sizeBytes - withheldBytes);
  let left = false;

  const pieces = async function* (line: ExchangeLine): AsyncGenerator<Uint8Array, void> {
    yield part.head;
    // The pieces are only lent, so the withheld tail is copied.
    const tail = Buffer.alloc(sizeBytes - tailStart + part.closing.length);
    let seenBytes = 0;
    for await (const piece of request.pieces(signal)) {
      if (seenBytes + piece.length > sizeBytes) throw changed();
      const cut = Math.min(Math.max(tailStart - seenBytes, 0), piece.length);
      let sentBytes = seenBytes;
      for (const slice of bandwidth.slices(piece.subarray(0, cut))) {
        if (slice.length === 0) continue;
        await bandwidth.turn(slice.length, signal);
        yield slice;
        sentBytes += slice.length;
        request.progress(sentBytes);
      }
      if (cut < piece.length) tail.set(piece.subarray(cut), seenBytes + cut - tailStart);
      seenBytes += piece.length;
    }
    if (seenBytes !== sizeBytes) throw changed();
    tail.set(part.closing, sizeBytes - tailStart);
    await bandwidth.turn(tail.length, signal);
    // While the tail is withheld, a refusal of the head (rate, key, size) proves that nothing was created.
    await line.refusalTime();
    await line.open();
    await request.beforeTail();
    await line.open();
    left = true;
    yield tail;
    request.progress(sizeBytes);
  };
  return { pieces, tailLeft: () => left };
};

const changed = (): AppError =>
  new AppError(
    'changed',
    'The file changed while it was being sent.',
    'Outtray sends it again once it stops changing.',
  );
