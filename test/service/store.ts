// The stored files: bytes in `files/<id>`, what is known of them in an appended index, half-received ones in
// `incoming/`. A file is listed only once its bytes are in place under their final name; the index is a journal,
// so a killed service finds everything it has ever confirmed.
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { wordOf } from './chance.ts';
import { createIncoming, type Incoming } from './incoming.ts';
import type { StoreMode } from './options.ts';

export type StoredFile = {
  id: number;
  account: string;
  /** The name the service answers with, and the one the client sent. */
  filename: string;
  sentName: string;
  sizeBytes: number;
  /** `null` when the store mode is `discard`. */
  sha256: string | null;
  token: string;
  storedAtMs: number;
  downloadCount: number;
  /** The request in the log that stored it; `null` for files put there by a test. */
  request: number | null;
};

export type Arrival = Pick<StoredFile, 'account' | 'filename' | 'sentName' | 'storedAtMs' | 'request'>;

export type Store = {
  receive(): Incoming;
  keep(incoming: Incoming, arrival: Arrival): Promise<StoredFile>;
  /** In order of arrival. */
  all(): StoredFile[];
  of(account: string): StoredFile[];
  byId(account: string, id: number): StoredFile | undefined;
  byToken(token: string): StoredFile | undefined;
  countDownload(file: StoredFile): void;
  remove(file: StoredFile): Promise<void>;
  /** Where the bytes are; `null` when the store mode keeps none. */
  pathOf(file: StoredFile): string | null;
};

export type StoreOptions = { dir: string; mode: StoreMode; seed: number; firstFileId: number };

type Line = { put: StoredFile } | { removed: number } | { downloaded: number };

export function createStore({ dir, mode, seed, firstFileId }: StoreOptions): Store {
  const incomingDir = join(dir, 'incoming');
  const filesDir = join(dir, 'files');
  const indexPath = join(dir, 'index.jsonl');
  rmSync(incomingDir, { recursive: true, force: true });
  mkdirSync(incomingDir, { recursive: true });
  mkdirSync(filesDir, { recursive: true });

  const files = new Map<number, StoredFile>();
  const tokens = new Map<string, StoredFile>();
  let nextId = firstFileId;
  let discovery = 0;

  const apply = (line: Line) => {
    if ('put' in line) {
      files.set(line.put.id, line.put);
      tokens.set(line.put.token, line.put);
      nextId = Math.max(nextId, line.put.id + 1);
    } else if ('removed' in line) {
      const file = files.get(line.removed);
      files.delete(line.removed);
      if (file) tokens.delete(file.token);
    } else {
      const file = files.get(line.downloaded);
      if (file) file.downloadCount += 1;
    }
  };
  const record = (line: Line) => {
    appendFileSync(indexPath, `${JSON.stringify(line)}\n`);
    apply(line);
  };
  for (const line of readIndex(indexPath)) apply(line);

  return {
    receive: () => createIncoming(join(incomingDir, `${(discovery += 1)}.part`), mode),
    keep: async (incoming, arrival) => {
      const { sizeBytes, sha256 } = await incoming.finish();
      const id = nextId;
      nextId += 1;
      if (mode === 'disk') await rename(incoming.path, join(filesDir, String(id)));
      const token = wordOf(seed, 'token', id);
      const file: StoredFile = { id, ...arrival, sizeBytes, sha256, token, downloadCount: 0 };
      record({ put: file });
      return file;
    },
    all: () => [...files.values()],
    of: (account) => [...files.values()].filter((file) => file.account === account),
    byId: (account, id) => {
      const file = files.get(id);
      return file?.account === account ? file : undefined;
    },
    byToken: (token) => tokens.get(token),
    countDownload: (file) => record({ downloaded: file.id }),
    remove: async (file) => {
      record({ removed: file.id });
      await rm(join(filesDir, String(file.id)), { force: true });
    },
    pathOf: (file) => (mode === 'disk' ? join(filesDir, String(file.id)) : null),
  };
}

/** An append that was interrupted by a kill leaves half a line, which was never confirmed. */
function readIndex(path: string): Line[] {
  if (!existsSync(path)) return [];
  const text = readFileSync(path, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}
