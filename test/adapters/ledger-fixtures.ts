// Short ways to put rows into a ledger for its tests.
import { see } from '../../src-main/contract/text/wording.ts';
import type { FileId } from '../../src-main/contract/text/file-id.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { AppError } from '../../src-main/contract/errors.ts';
import { openLedger, type LedgerOptions, type OpenLedger } from '../../src-main/adapters/ledger/ledger.ts';
import { openMemoryLedger } from '../support/memory-ledger.ts';
import type { UploadState } from '../../src-main/contract/model.ts';
import type { Ledger } from '../../src-main/engine/ports/ledger.ts';
import type { Stamp } from '../../src-main/engine/ports/files.ts';
import type { Upload, UploadDraft } from '../../src-main/engine/ports/uploads.ts';

export type Query = Parameters<Ledger['views']['page']>[0];

export const firstPage: Query = {
  search: '',
  place: 'all',
  sort: 'uploaded',
  descending: true,
  after: null,
  limit: 100,
};

export const NOON_MS = Date.UTC(2026, 2, 10, 12);

export const temporaryFolder = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'outtray-ledger-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
};

export const memoryLedger = (nowMs = () => NOON_MS): Ledger => {
  const ledger = openMemoryLedger(nowMs);
  onTestFinished(() => {
    ledger.close();
  });
  return ledger;
};

export const openFor = (
  file: string,
  nowMs = () => NOON_MS,
  more: Pick<LedgerOptions, 'takeTurn'> = {},
): OpenLedger => {
  const ledger = openLedger({ file, nowMs, ...more });
  onTestFinished(() => {
    ledger.close();
  });
  return ledger;
};

/** What `act` throws, which has to be the program's own error. */
export const errorOf = (act: () => unknown): AppError => {
  try {
    act();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown.');
};

export const stampOf = (sizeBytes: number, inode = `1:${sizeBytes}`): Stamp => ({
  sizeBytes,
  key: `${sizeBytes}:1:2:${inode}`,
  inode,
  mtimeMs: 1.25,
  ctimeMs: 2.5,
});

export const watched = (ledger: Ledger, folder = '/tray'): number =>
  ledger.folders.insert({ path: folder, identity: 'one', chosenAtMs: NOON_MS }).id;

export const add = (ledger: Ledger, draft: Partial<UploadDraft> & { name: string }): Upload =>
  ledger.uploads.insert(
    {
      folderId: null,
      dir: '/tray',
      stamp: stampOf(10, `1:${draft.name}`),
      state: { kind: 'ready' },
      ...draft,
    },
    NOON_MS,
  );

export const addUploaded = (
  ledger: Ledger,
  draft: Partial<UploadDraft> & { name: string; fileId: FileId; atMs?: number; link?: string },
): Upload => {
  const { fileId, atMs = NOON_MS, link = `https://share.example/download/T${fileId}k`, ...rest } = draft;
  const upload = add(ledger, rest);
  const sha256 = fileId.toString(16).padStart(64, '0');
  return ledger.uploads.update(
    upload.id,
    { state: { kind: 'uploaded' }, fileId, publicLink: link, sha256, uploadedAtMs: atMs },
    atMs,
  );
};

/** One of each kind. */
export const states: UploadState[] = [
  { kind: 'settling' },
  { kind: 'ready' },
  { kind: 'sending', attemptId: 1 },
  { kind: 'committing', attemptId: 2 },
  { kind: 'uncertain', attemptId: 3, looks: 1, nextLookAtMs: NOON_MS + 5 },
  { kind: 'waiting', reason: 'budget', untilMs: NOON_MS + 60_000 },
  { kind: 'waiting', reason: 'key', untilMs: null },
  { kind: 'uploaded' },
  { kind: 'held', reason: 'burst' },
  { kind: 'skipped', rule: 'ignored', pattern: '*.tmp' },
  { kind: 'skipped', rule: 'hidden' },
  { kind: 'failed', code: 'refused', message: 'No.', remedy: 'Ask.' },
  { kind: 'failed', code: 'refused', message: 'No.', remedy: see('settings', 'get "ä"') },
  { kind: 'waiting', reason: 'grace', untilMs: 4, sinceMs: 1, since: { id: 'boot', ms: 7 } },
  { kind: 'superseded', byId: null },
  { kind: 'gone' },
];
