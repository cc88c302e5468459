// The data of the fake engine behind the window: files, uploads, statistics. Fixed moments, so that pictures of the
// window are the same every time.
import type {
  AccountView,
  DayCount,
  FolderInspection,
  FoundFile,
  FoundGroup,
  StatsView,
  TopFile,
} from '../../../src-main/contract/answers.ts';
import { workSeen } from '../work.ts';
import {
  noCounts,
  type EngineStatus,
  type FileRow,
  type FolderStatus,
  type UploadState,
  type UploadView,
} from '../../../src-main/contract/model.ts';

/** 20 November 2026, 14:02 local time. */
export const NOW_MS = new Date(2026, 10, 20, 14, 2, 10).getTime();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export const row = (fileId: number, name: string, change: Partial<FileRow> = {}): FileRow => ({
  key: `f${String(fileId)}`,
  uploadId: fileId,
  fileId,
  name,
  size: 84_100_000,
  sizeIsBytes: true,
  uploadedAtMs: NOW_MS - fileId * MINUTE,
  uploadDate: '2026-11-20 13:02:00',
  downloads: 3,
  publicLink: `https://files.example.com/d/${(fileId * 7_919 + 104_729).toString(36)}`,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  path: `/home/mara/Outtray/${name}`,
  place: 'this-machine',
  superseded: false,
  linkState: null,
  isFollowed: false,
  wrong: null,
  expiresAtMs: null,
  ...change,
});

const elsewhere = { uploadId: null, path: null, sha256: null, place: 'elsewhere' } as const;

export const fewRows = (): FileRow[] => [
  row(1, 'Outtray-Setup-1.4.0-x64.exe', { uploadedAtMs: NOW_MS - 2 * MINUTE }),
  row(2, 'quarterly report Q3 with annotations from the finance and legal reviews, final.pdf', {
    size: 2_412_000,
    uploadedAtMs: NOW_MS - 12 * MINUTE,
    downloads: 18,
  }),
  row(3, 'screen recording 2026-11-20.mp4', {
    size: 311_000_000,
    uploadedAtMs: NOW_MS - 42 * MINUTE,
    downloads: 0,
  }),
  row(4, 'brand assets.zip', { size: 48_900_000, uploadedAtMs: NOW_MS - DAY, downloads: 141 }),
  row(5, '合同草案.docx', { size: 96_000, uploadedAtMs: NOW_MS - DAY - 90 * MINUTE, downloads: 7 }),
  row(6, 'site-photo-0412.heic', { size: 3_100_000, uploadedAtMs: NOW_MS - 2 * DAY, downloads: 2 }),
  row(7, 'minutes.md', { size: 11_000, uploadedAtMs: NOW_MS - 3 * DAY, downloads: 9, superseded: true }),
  row(8, 'dataset-2026.parquet', { size: 1_204_000_000, uploadedAtMs: NOW_MS - 4 * DAY, downloads: 31 }),
  row(9, 'invoice\u202Efdp.exe', { size: 512_000, uploadedAtMs: NOW_MS - 5 * DAY, downloads: 1 }),
  row(10, 'عرض تقديمي للعميل.pptx', { size: 7_400_000, uploadedAtMs: NOW_MS - 6 * DAY, downloads: 12 }),
  row(11, 'podcast-episode-88-master.flac', {
    ...elsewhere,
    size: 402_118,
    sizeIsBytes: false,
    uploadedAtMs: null,
    uploadDate: '2026-11-02 09:14:55',
    downloads: 1204,
  }),
  row(12, 'pricing.xlsx', {
    size: 42_000,
    uploadedAtMs: NOW_MS - 20 * DAY,
    downloads: 64,
    place: 'gone-from-disk',
  }),
  row(13, 'old teaser.mov', {
    size: 93_000_000,
    uploadedAtMs: NOW_MS - 400 * DAY,
    downloads: 310,
    place: 'gone-from-service',
    publicLink: null,
  }),
  row(14, 'backup-script.tar.gz', { size: 18_300, uploadedAtMs: NOW_MS - 24 * DAY, downloads: 5 }),
];

const stems = ['render', 'contract', 'site-photo', 'notes', 'export', 'build', 'talk', 'invoice'];
const extensions = ['png', 'pdf', 'heic', 'md', 'csv', 'zip', 'mp4', 'docx'];

export const manyRows = (count: number): FileRow[] =>
  Array.from({ length: count }, (_, index) => {
    const id = index + 1;
    const kind = (index * 7) % 8;
    return row(id, `${stems[kind] ?? 'file'}-${String(id).padStart(6, '0')}.${extensions[kind] ?? 'bin'}`, {
      size: 1_000 + ((index * 48_271) % 400_000_000),
      uploadedAtMs: NOW_MS - index * 7 * MINUTE,
      downloads: (index * 31) % 977,
    });
  });

export const upload = (
  id: number,
  name: string,
  state: UploadState,
  change: Partial<UploadView> = {},
): UploadView => ({
  id,
  path: `/home/mara/Outtray/${name}`,
  name,
  sizeBytes: 4_200_000,
  state,
  bucket: 'waiting',
  sentName: name,
  sha256: null,
  fileId: null,
  publicLink: null,
  remoteName: null,
  uploadedAtMs: null,
  sentBytes: null,
  expectedAtMs: null,
  sameAsId: null,
  expiresAtMs: null,
  asOfMs: NOW_MS,
  ...change,
});

export const busyUploads = (): UploadView[] => [
  upload(
    101,
    'dataset-2026-11.parquet',
    { kind: 'sending', attemptId: 1 },
    { sizeBytes: 1_204_000_000, sentBytes: 612_000_000 },
  ),
  upload(
    102,
    'talk-final.key',
    { kind: 'sending', attemptId: 2 },
    { sizeBytes: 61_000_000, sentBytes: 44_000_000 },
  ),
  ...Array.from({ length: 9 }, (_, index) =>
    upload(
      110 + index,
      `render-${String(index + 1).padStart(4, '0')}.png`,
      { kind: 'ready' },
      { sizeBytes: 2_100_000 + index * 130_000, expectedAtMs: NOW_MS + 60_000 * (index + 1) },
    ),
  ),
  upload(120, 'export.csv', { kind: 'settling' }, { sizeBytes: 812_000 }),
  upload(
    121,
    'budget 2027.xlsx',
    { kind: 'waiting', reason: 'locked', untilMs: NOW_MS + 20_000 },
    { sizeBytes: 64_000 },
  ),
  upload(122, 'handbook.pdf', {
    kind: 'uncertain',
    attemptId: 7,
    looks: 1,
    nextLookAtMs: NOW_MS + 540_000,
  }),
  upload(130, 'id_rsa.pub.bak', { kind: 'held', reason: 'secret-name' }, { bucket: 'held', sizeBytes: 740 }),
  upload(
    131,
    'invoice-331.pdf',
    { kind: 'held', reason: 'uncertain' },
    { bucket: 'held', sizeBytes: 182_000 },
  ),
  upload(
    140,
    'backup.img',
    {
      kind: 'failed',
      code: 'too-large',
      message: '9.4 GB is larger than the plan allows (2 GB).',
      remedy: 'Split it or ask for a larger plan.',
    },
    { bucket: 'failed', sizeBytes: 9_400_000_000 },
  ),
  ...[141, 142, 143].map((id) =>
    upload(
      id,
      `scan-${String(id)}.tiff`,
      {
        kind: 'failed',
        code: 'refused',
        message: 'The service does not accept this file (415).',
        remedy: 'Change its type and try again.',
      },
      { bucket: 'failed', sizeBytes: 23_000_000 },
    ),
  ),
];

/** A burst that is held, and what the rules leave out. */
export const burstUploads = (): UploadView[] => [
  ...busyUploads().filter(({ state }) => ['sending', 'ready', 'failed'].includes(state.kind)),
  ...Array.from({ length: 260 }, (_, index) =>
    upload(
      1_000 + index,
      `scan 2019-${String(index + 1).padStart(3, '0')}.tif`,
      { kind: 'held', reason: 'burst' },
      { bucket: 'held', sizeBytes: 4_600_000, path: `/home/mara/Outtray/scans 2019/${String(index)}.tif` },
    ),
  ),
  ...(['already-shared', 'already-shared', 'empty', 'temporary'] as const).map((rule, index) =>
    upload(
      2_000 + index,
      `left out ${String(index + 1)}.txt`,
      { kind: 'skipped', rule },
      { bucket: 'skipped', sizeBytes: rule === 'empty' ? 0 : 12_000 },
    ),
  ),
];

/** One folder has all the counts. */
const foldersOf = ({
  folder = '/home/mara/Outtray',
  folderAvailable = true,
  counts = { ...noCounts(), uploaded: 12 },
}: Partial<EngineStatus>): FolderStatus[] =>
  folder === null ? [] : [{ folder, available: folderAvailable, counts }];

export const status = (change: Partial<EngineStatus> = {}): EngineStatus => ({
  seq: 1,
  folder: '/home/mara/Outtray',
  folderAvailable: true,
  folders: foldersOf(change),
  wasSetUp: true,
  running: true,
  paused: false,
  pausedUntilMs: null,
  counts: { ...noCounts(), uploaded: 12 },
  budget: {
    minute: { limit: 50, used: 3 },
    day: { limit: 5000, used: 1904 },
    lanes: {
      minute: { upload: 2, user: 1, agent: 0, background: 0 },
      day: { upload: 1702, user: 148, agent: 0, background: 54 },
    },
  },
  outside: noCounts(),
  gate: { kind: 'open' },
  limit: null,
  storage: null,
  order: 'arrival',
  nextSlotAtMs: null,
  doneAtMs: null,
  doneNote: null,
  doneToday: 0,
  doneLater: 0,
  sending: 0,
  work: workSeen(change),
  watch: 'live',
  watchMessage: null,
  wrongLinks: 0,
  openRecalls: 0,
  ...change,
});

export const statusAfter = (before: EngineStatus, next: Partial<EngineStatus>): EngineStatus => ({
  ...before,
  ...next,
  folders: next.folders ?? (next.folder === undefined ? before.folders : status(next).folders),
  work: workSeen({ ...before, work: undefined, ...next }),
  seq: before.seq,
});

export const busyStatus = (): EngineStatus =>
  status({
    counts: { uploaded: 12, waiting: 13, held: 3, skipped: 0, failed: 4 },
    sending: 2,
    doneAtMs: NOW_MS + 19 * MINUTE,
    doneToday: 9,
    nextSlotAtMs: NOW_MS + 9_000,
    budget: {
      minute: { limit: 50, used: 31 },
      day: { limit: 5000, used: 1904 },
      lanes: {
        minute: { upload: 28, user: 2, agent: 0, background: 1 },
        day: { upload: 1702, user: 148, agent: 0, background: 54 },
      },
    },
  });

const burst = { counts: { uploaded: 74, waiting: 11, held: 260, skipped: 4, failed: 4 } };
export const burstStatus = (): EngineStatus => ({
  ...busyStatus(),
  ...burst,
  work: workSeen({ ...burst, sending: 2 }),
});

export const days = (): DayCount[] =>
  Array.from({ length: 30 }, (_, index) => {
    const at = new Date(NOW_MS - (29 - index) * DAY);
    const weekend = at.getDay() === 0 || at.getDay() === 6;
    const uploads = weekend ? (index * 5) % 9 : 20 + ((index * 37) % 90);
    const day = `${String(at.getFullYear())}-${String(at.getMonth() + 1).padStart(2, '0')}-${String(at.getDate()).padStart(2, '0')}`;
    return {
      day,
      uploads,
      bytes: uploads * (3_000_000 + ((index * 7_919) % 9_000_000)),
    };
  });

/** The list was read on the last 12 days but for a weekend; `downloads`: by the last reading. */
export const readingsUntil = (downloads: number): StatsView['readings'] =>
  [11, 10, 9, 8, 7, 4, 3, 2, 1, 0].map((daysAgo) => ({
    atMs: NOW_MS - 10_000 - daysAgo * DAY,
    downloads: downloads - daysAgo * 17 - ((daysAgo * 7) % 5),
  }));

/** What was counted of these files, the most first. */
export const topFiles = (rows: readonly FileRow[]): TopFile[] =>
  [...rows]
    .filter((one) => one.place !== 'gone-from-service' && (one.downloads ?? 0) > 0)
    .sort((a, b) => (b.downloads ?? 0) - (a.downloads ?? 0))
    .slice(0, 5)
    .map((one, at) => ({ row: one, gained: 12 - at * 3 }));

export const account = (change: Partial<AccountView> = {}): AccountView => ({
  isUnknown: false,
  baseUrl: 'https://files.example.com',
  key: { kind: 'stored', lastFour: '4d06' },
  plan: 'Pro',
  planAsOfMs: NOW_MS,
  files: 300,
  maxFileBytes: 10_000_000_000,
  ...change,
});

type Some = readonly (readonly [relative: string, sizeBytes: number, why?: FoundFile['why']])[];

const found = (files: Some): FoundGroup => ({
  files: files.map(([relative, sizeBytes, why = null]) => ({
    path: `/home/mara/Outtray/${relative}`,
    relative,
    sizeBytes,
    why,
  })),
  totalFiles: files.length,
  totalBytes: files.reduce((sum, [, sizeBytes]) => sum + sizeBytes, 0),
});

/** What is in a folder before it is chosen. */
export const inspection = (goes: Some, held: Some, skipped: Some): Omit<FolderInspection, 'folder'> => ({
  goes: found(goes),
  held: found(held),
  skipped: found(skipped),
  known: false,
});
