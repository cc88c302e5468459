// Seeds that several screens of the window share.
import { noCounts, type UploadView } from '../../../src-main/contract/model.ts';
import type { GivenRow, LostFiles } from '../../../src-main/contract/window.ts';
import type { Seed } from './fake-seed.ts';
import { account, busyStatus, busyUploads, inspection, NOW_MS, status, upload } from './seed.ts';

export const closed = (
  reason: 'network' | 'key' | 'plan' | 'daily-uploads',
  untilMs: number | null,
): Partial<Seed> => ({
  // There are no expected times while nothing can be sent.
  uploads: busyUploads()
    .slice(2)
    .map((upload) => ({ ...upload, expectedAtMs: null })),
  status: {
    ...busyStatus(),
    sending: 0,
    nextSlotAtMs: null,
    doneAtMs: null,
    gate: { kind: 'closed', reason, untilMs, message: '', remedy: '' },
  },
});

export const firstRun = (): Partial<Seed> => ({
  rows: [],
  account: account({ key: { kind: 'absent' }, plan: null, planAsOfMs: null, baseUrl: null }),
  status: status({ folder: null, wasSetUp: false, counts: noCounts() }),
  inspection: inspection(
    [
      ['launch film.mov', 812_000_000],
      ['brand/brand assets.zip', 48_900_000],
      ['report Q3.pdf', 2_412_000],
      ['合同草案（第二版，含附件）.docx', 96_000],
      ['prices.xlsx', 42_000],
      ['brand/logo.svg', 3_100],
    ],
    [
      ['keys/id_rsa.bak', 1_823, 'secret-name'],
      ['site/.env.production', 410, 'secret-name'],
    ],
    [
      ['notes/~$plan.docx', 162, 'temporary'],
      ['desktop.ini', 84, 'temporary'],
      ['empty.txt', 0, 'empty'],
    ],
  ),
});

/** Four folders: one with rules of its own, one paused, one away. A policy locks the first. */
export const severalFolders = (): Partial<Seed> => ({
  status: status({
    counts: { uploaded: 1_346, waiting: 13, held: 3, skipped: 24, failed: 4 },
    folders: [
      {
        folder: '/home/mara/Outtray',
        available: true,
        counts: { uploaded: 1_204, waiting: 3, held: 3, skipped: 24, failed: 4 },
      },
      { folder: '/home/mara/Work/Releases', available: true, counts: { ...noCounts(), uploaded: 140 } },
      {
        folder: '/home/mara/Documents/Customers/Northern Region/Shared with the press',
        available: true,
        counts: { ...noCounts(), uploaded: 2, waiting: 10 },
      },
      { folder: '/media/mara/stick/Outtray', available: false, counts: noCounts() },
    ],
  }),
  ownRules: {
    '/home/mara/Work/Releases': { recursive: false, expireAfter: '31d', copyFormat: 'markdown' },
    '/home/mara/Documents/Customers/Northern Region/Shared with the press': {
      paused: true,
      ignore: ['*.tmp'],
    },
  },
  lockedSettings: { graceSeconds: 'your organisation (/etc/outtray/policy.json)' },
  screenshots: '/home/mara/Pictures/Screenshots',
});

/** A link of a group; `sharedAtMs`: it existed before the group. Undefined: the group created it. */
export const givenRow = (id: number, name: string, sharedAtMs?: number | null): GivenRow => ({
  uploadId: id,
  fileId: id,
  name,
  link: `https://files.example.com/d/2l1${String(id)}`,
  isNew: sharedAtMs === undefined,
  sharedAtMs: sharedAtMs === undefined ? NOW_MS : sharedAtMs,
});
const givenNames = ['launch film.mov', 'harbour at dusk.png', 'prices.xlsx', 'notes.txt', 'logo.svg'];
/** Fifteen files, dropped and copied. */
export const givenGroup = {
  id: 1,
  accountId: 1,
  total: 15,
  going: 0,
  goingIds: [],
  faces: givenNames.slice(0, 3).map((name, at) => ({ uploadId: at + 1, name })),
  linked: 15,
  uploadIds: [1],
  rows: Array.from({ length: 15 }, (_, at) => givenRow(at + 1, givenNames[at] ?? `frame ${String(at)}.png`)),
  first: { uploadId: 1, name: 'launch film.mov', link: 'https://files.example.com/d/2l13', isOther: false },
  copy: 'done' as const,
  lost: [],
  needYou: [],
  without: [],
};
/** A `.env`, keys, and a text with a token in it, held. */
export const secrets = (): Partial<Seed> => {
  const held = (id: number, name: string, state: UploadView['state']) =>
    upload(id, name, state, { bucket: 'held', sizeBytes: 740, path: `/home/mara/Outtray/site/${name}` });
  const byName = { kind: 'held', reason: 'secret-name' } as const;
  const uploads = [
    held(1, '.env', byName),
    held(2, 'id_rsa', byName),
    held(3, 'wildcard.example.com.key', byName),
    held(4, 'client.p12', byName),
    held(5, 'deploy notes.txt', { kind: 'held', reason: 'secret-content', rule: 'github', line: 12 }),
  ];
  const counts = { ...noCounts(), held: uploads.length };
  return { uploads, status: status({ counts, outside: noCounts() }) };
};

/** Texts with a secret in them, each with the line of it. */
export const secretTexts = (): Partial<Seed> => {
  const names = [
    'deploy notes.txt',
    'config for the server room of the northern region.toml',
    'vollständig.json',
  ];
  const uploads = names.map((name, at) =>
    upload(
      at + 5,
      name,
      { kind: 'held', reason: 'secret-content', rule: 'assignment', line: 12 },
      { bucket: 'held', sizeBytes: 740, path: `/home/mara/Outtray/customers/northern region/${name}` },
    ),
  );
  return {
    uploads,
    status: status({ counts: { ...noCounts(), held: uploads.length }, outside: noCounts() }),
  };
};

/** Two links that the drop brought, and one that was there before. */
export const givenMixed = {
  ...givenGroup,
  total: 3,
  linked: 3,
  rows: [
    givenRow(1, 'price list.pdf', NOW_MS - 14 * 86_400_000),
    givenRow(2, 'launch film.mov'),
    givenRow(3, 'logo.svg'),
  ],
  first: { ...givenGroup.first, name: 'price list.pdf' },
};
/** Files of a drop that have no row. `to`: where a link leads, or the new name. */
export const lost = (
  why: LostFiles['why'],
  paths: readonly string[],
  count = paths.length,
  to: string | null = null,
): LostFiles => ({
  why,
  count,
  files: paths.map((path) => ({ name: path.slice(path.lastIndexOf('/') + 1), path, to })),
  token: `token of ${why}`,
  uploads: count,
});

export const zipped = {
  ...givenGroup,
  total: 1,
  linked: 1,
  faces: [{ uploadId: 1, name: 'brand assets.zip' }],
  rows: [givenRow(1, 'brand assets.zip')],
  first: { ...givenGroup.first, name: 'brand assets.zip' },
  lost: [
    lost('hidden', ['/home/mara/Brand/.DS_Store']),
    lost(
      'partial',
      Array.from({ length: 100 }, (_, at) => `/home/mara/Brand/film ${String(at)}.mov.part`),
      102,
    ),
  ],
};
