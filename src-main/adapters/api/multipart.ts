// The bytes around the one file of an upload (RFC 7578, service.md §4): one part, field `file`, exact lengths. The name
// is already made harmless (upload-protocol.md, The name that is sent). What could still end the header, or be
// unescaped differently by some server, is refused here again, so that nothing can be injected.
import { randomUUID } from 'node:crypto';
import { AppError } from '../../contract/errors.ts';

export type FormPart = {
  contentType: string;
  /** Before the file. */
  head: Buffer;
  /** After the file. */
  closing: Buffer;
  /** Of the whole body. */
  contentLength: number;
};

/** The engine sends at most 200 bytes; file systems allow 255. */
const maxNameBytes = 255;
/** Controls of both blocks, quote and backslash. */
const unsafe = /[\p{Cc}"\\]/u;

/** Throws `bad-use` for a name that is not safe inside `filename="…"` as it stands. */
export const createPart = (sentName: string, sizeBytes: number): FormPart => {
  const bytes = Buffer.byteLength(sentName);
  if (bytes === 0 || bytes > maxNameBytes || unsafe.test(sentName) || !sentName.isWellFormed()) {
    throw new AppError('bad-use', 'This name cannot be sent.', 'Rename the file.');
  }
  if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0) {
    throw new AppError('bad-use', 'This is not a size in bytes.');
  }
  // The author of a file's content cannot guess the 122 random bits, so no content can end the part. `randomUUID` takes
  // them from a pool: a system call for each boundary would cost as much as a statement of the ledger.
  const boundary = `outtray-${randomUUID()}`;
  const head = Buffer.from(
    `--${boundary}\r\n` +
      `Content-Disposition: form-data; name="file"; filename="${sentName}"\r\n` +
      `Content-Type: application/octet-stream\r\n\r\n`,
  );
  const closing = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    head,
    closing,
    contentLength: head.length + sizeBytes + closing.length,
  };
};
