// What the engine needs of the service.
import type { FileId } from '../../contract/text/file-id.ts';
import type { Pagination, RemoteFile, ServiceStats, UploadReceipt } from '../../contract/model.ts';

export type UploadRequest = {
  sentName: string;
  sizeBytes: number;
  pieces: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
  /**
   * Called once, when everything but the tail (the last bytes of the file and the closing boundary) is on the
   * wire. When it throws, the connection is destroyed and the service cannot have created the file.
   */
  beforeTail: () => Promise<void>;
  /** How long to wait for the answer after the last byte; the adapter's own limit when left out. */
  answerWaitMs?: number | undefined;
  /** Bytes of the file handed to the connection so far; all of them: the service is storing the file. */
  progress: (sentBytes: number) => void;
  /** The mark of the key that it must go with: with another key nothing is sent, and `unknown-key` is thrown. */
  mark?: string;
  signal: AbortSignal;
};

/** Each call is exactly one request; permits are the caller's business. Errors carry `status` when one came. */
export type Api = {
  upload(request: UploadRequest): Promise<UploadReceipt>;
  list(
    query: { page?: number; limit?: number },
    signal: AbortSignal,
  ): Promise<{ files: RemoteFile[]; pagination: Pagination }>;
  info(fileId: FileId, signal: AbortSignal): Promise<RemoteFile>;
  /** `mark`: as in UploadRequest. Only engine/account/copies/removal.ts calls it. */
  remove(fileId: FileId, signal: AbortSignal, mark?: string): Promise<{ message: string }>;
  stats(signal: AbortSignal): Promise<ServiceStats>;
  /**
   * SHA-256 of what a public link serves, without the key: allow-listed hosts only, no redirect to another host,
   * stops at `sizeBytes` + 1 bytes (then the answer is null: it is another file).
   */
  digestOfLink(link: string, sizeBytes: number, signal: AbortSignal): Promise<string | null>;
  /** Whether a link may be opened, copied by itself, or fetched (security.md, Opening things). */
  isSaneLink(link: string): boolean;
};
