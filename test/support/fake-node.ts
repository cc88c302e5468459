// One thing on the fake disk (fake-folder.ts): its content, and what a look at it returns.
import { createHash } from 'node:crypto';
import { AppError } from '../../src-main/contract/errors.ts';
import type { EntryType, OpenFile, Part, Stamp } from '../../src-main/engine/ports/files.ts';

export type Node = {
  type: EntryType;
  bytes: Uint8Array;
  inode: number;
  mtimeMs: number;
  ctimeMs: number;
  bornMs: number;
  /** Grows with every change: no clock is fine enough to distinguish all of them. */
  version: number;
  onlineOnly: boolean;
  locked: boolean;
  /** Reading it throws this. */
  fault: AppError | null;
  writers: number;
  /** The reported size exceeds the content by this number of bytes. */
  missingBytes: number;
};

export const bytesOf = (content: string | Uint8Array): Buffer =>
  typeof content === 'string' ? Buffer.from(content) : Buffer.from(content);

export const newNode = (
  type: EntryType,
  content: string | Uint8Array,
  inode: number,
  nowMs: number,
): Node => ({
  type,
  bytes: bytesOf(content),
  inode,
  mtimeMs: nowMs,
  ctimeMs: nowMs,
  bornMs: nowMs,
  version: 0,
  onlineOnly: false,
  locked: false,
  fault: null,
  writers: 0,
  missingBytes: 0,
});

/** The reported size. */
const saidBytes = (node: Node): number => node.bytes.length + node.missingBytes;

/** `device`: the number of the disk since the last start; `tellsBirth`: whether the disk has birth times. */
export const nodeStamp = (
  node: Node,
  { device, tellsBirth }: { device: number; tellsBirth: boolean },
): Stamp => ({
  sizeBytes: saidBytes(node),
  key: `${saidBytes(node)}:${node.mtimeMs}.${node.version}:${node.ctimeMs}:${device}:${node.inode}`,
  inode: String(node.inode),
  mtimeMs: node.mtimeMs,
  ctimeMs: node.ctimeMs,
  ...(tellsBirth ? { bornMs: node.bornMs } : {}),
});

/** What is read of it while it may be written, in two halves. */
export const nodeContent = (
  node: Node,
  { sizeBytes }: Stamp,
): Pick<OpenFile, 'pieces' | 'head' | 'sha256'> => {
  const hash = createHash('sha256');
  return {
    async *pieces() {
      if (node.fault !== null) throw node.fault;
      const half = Math.ceil(sizeBytes / 2);
      for (const [from, to] of [[0, half] as const, [half, sizeBytes] as const]) {
        const piece = node.bytes.slice(from, to);
        if (piece.length < to - from) throw tooShort(node, sizeBytes);
        hash.update(piece);
        yield piece;
      }
    },
    head: async (maxBytes) => {
      if (node.fault !== null) throw node.fault;
      if (node.bytes.length < sizeBytes) throw tooShort(node, sizeBytes);
      return node.bytes.slice(0, Math.min(sizeBytes, maxBytes));
    },
    sha256: async () => hash.copy().digest('hex'),
  };
};

/** As in the real one: a file that still reports this size is at fault itself. */
const tooShort = (node: Node, sizeBytes: number): AppError =>
  saidBytes(node) === sizeBytes
    ? new AppError('disk', 'The file has fewer bytes than its disk says.')
    : new AppError('changed', 'The file is shorter than it was.');

/** The open file with these parts as its content. */
export const cutNode = (file: OpenFile, node: Node, parts: readonly Part[]): OpenFile => {
  const bytes = Buffer.concat(
    parts.map((part) => (part instanceof Uint8Array ? part : node.bytes.slice(part.from, part.to))),
  );
  return {
    ...file,
    stamp: { ...file.stamp, sizeBytes: bytes.length },
    async *pieces() {
      yield bytes;
    },
    sha256: async () => createHash('sha256').update(bytes).digest('hex'),
  };
};
