// The stored files: bytes in `files/<serial>`, what is known of them in an appended index, half-received ones in
// `incoming/`. A file is listed only once its bytes are in place under their final name; the index is a journal,
// so a killed service finds everything it has ever confirmed.
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { wordOf } from './chance.ts';
import { createIncoming, type Incoming } from './incoming.ts';
import type { Knobs, StoreMode } from './options.ts';

export type StoredFile = {
  /** Of this file alone, unlike its id. */
  serial: number;
  id: number;
  account: string;
  /** The name the service answers with, and the one the client sent. */
  filename: string;
  sentName: string;
  sizeBytes: number;
  sha256: string;
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
  /** As if the service had been set up again: no file is left, and ids begin with the first one. */
  reset(): Promise<void>;
  /** Where the bytes are; `null` when the store mode keeps none. */
  pathOf(file: StoredFile): string | null;
};

export type StoreOptions = {
  dir: string;
  mode: StoreMode;
  seed: number;
  firstFileId: number;
  knobs: Pick<Knobs, 'fileIds'>;
};

/** `removed` and `downloaded` name a file by its serial. */
type Line = { put: StoredFile } | { removed: number } | { downloaded: number } | { reset: true };

export function createStore({ dir, mode, seed, firstFileId, knobs }: StoreOptions): Store {
  const incomingDir = join(dir, 'incoming');
  const filesDir = join(dir, 'files');
  const indexPath = join(dir, 'index.jsonl');
  rmSync(incomingDir, { recursive: true, force: true });
  mkdirSync(incomingDir, { recursive: true });
  mkdirSync(filesDir, { recursive: true });

  const files = new Map<number, StoredFile>();
  const tokens = new Map<string, StoredFile>();
  let nextSerial = firstFileId;
  /** The highest id given, of each account and (null) of all. */
  const highest = new Map<string | null, number>();
  let discovery = 0;

  const all = (): StoredFile[] => [...files.values()];
  const find = (account: string, id: number): StoredFile | undefined =>
    files.values().find((file) => file.account === account && file.id === id);
  const nextId = (account: string): number => {
    const above = (whose: string | null) => (highest.get(whose) ?? firstFileId - 1) + 1;
    switch (knobs.fileIds) {
      case 'global':
        return above(null);
      case 'account':
        return above(account);
      case 'again': {
        const taken = new Set(all().map(({ id }) => id));
        let id = firstFileId;
        while (taken.has(id)) id += 1;
        return id;
      }
    }
  };

  const apply = (line: Line) => {
    if ('put' in line) {
      const { serial, id, account, token } = line.put;
      files.set(serial, line.put);
      tokens.set(token, line.put);
      nextSerial = Math.max(nextSerial, serial + 1);
      for (const whose of [account, null]) highest.set(whose, Math.max(highest.get(whose) ?? 0, id));
    } else if ('reset' in line) {
      files.clear();
      tokens.clear();
      highest.clear();
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
  const pathOf = ({ serial }: Pick<StoredFile, 'serial'>): string => join(filesDir, String(serial));

  return {
    receive: () => createIncoming(join(incomingDir, `${(discovery += 1)}.part`), mode),
    keep: async (incoming, arrival) => {
      const { sizeBytes, sha256 } = await incoming.finish();
      const serial = nextSerial;
      nextSerial += 1;
      if (mode === 'disk') await rename(incoming.path, pathOf({ serial }));
      const token = wordOf(seed, 'token', serial);
      const id = nextId(arrival.account);
      const file: StoredFile = { serial, id, ...arrival, sizeBytes, sha256, token, downloadCount: 0 };
      record({ put: file });
      return file;
    },
    all,
    of: (account) => all().filter((file) => file.account === account),
    byId: find,
    byToken: (token) => tokens.get(token),
    countDownload: (file) => record({ downloaded: file.serial }),
    remove: async (file) => {
      record({ removed: file.serial });
      await rm(pathOf(file), { force: true });
    },
    reset: async () => {
      const before = all();
      record({ reset: true });
      for (const file of before) await rm(pathOf(file), { force: true });
    },
    pathOf: (file) => (mode === 'disk' ? pathOf(file) : null),
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
