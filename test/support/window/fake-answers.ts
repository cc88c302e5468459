// Answers that the fake transport derives from its seed.
import type { BurstPlan, Candidate, DeleteResult, FilesAlike } from '../../../src-main/contract/answers.ts';
import type { CommandAnswer } from '../../../src-main/contract/commands.ts';
import type { FileId } from '../../../src-main/contract/text/file-id.ts';
import { fateOf, type AlikeUploads, type UploadView } from '../../../src-main/contract/model.ts';
import type { Seed } from './fake-seed.ts';
import { days, NOW_MS, readingsUntil, topFiles } from './seed.ts';

/** By upload. */
export const excerpts: Record<number, string> = {
  5: 'GH_TOKEN=••••••••',
  6: 'aws_secret_access_key = ••••••••',
  7: '-----BEGIN OPENSSH PRIVATE KEY----- ••••••••',
};

/** For every upload whose answer was lost. */
export const candidates: Candidate[] = [
  {
    file: {
      file_id: 4411,
      filename: 'invoice-331.pdf',
      size: 182_000,
      upload_date: '2026-11-20 13:58:12',
      download_count: 0,
      public_link: 'https://files.example.com/d/9xk2',
    },
    sameName: true,
    sameSize: true,
  },
  {
    file: { file_id: 4402, filename: 'invoice-331 (1).pdf', size: 181_220 },
    sameName: false,
    sameSize: false,
  },
];

/** As the ledger counts them: most first. */
export const alikeOf = (uploads: readonly UploadView[]): AlikeUploads[] =>
  [...Map.groupBy(uploads, ({ state }) => `${state.kind} ${fateOf(state)}`).values()]
    .flatMap((same) => {
      const bytes = same.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      return same.slice(0, 1).map(({ state }) => ({ state, files: same.length, bytes, asOfMs: NOW_MS }));
    })
    .sort((one, other) => other.files - one.files);

/** As the engine plans it; the times are made up. */
export const burstOf = (uploads: readonly UploadView[]): BurstPlan[] => {
  const held = uploads.filter(({ state }) => fateOf(state) === 'burst');
  const last = held.at(-1);
  if (last === undefined) return [];
  const bytes = held.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const inMs = (ms: number) => ({ finishesAtMs: NOW_MS + ms });
  return [
    { plan: 'all', uploads: held.length, bytes, name: null, today: held.length, ...inMs(330_000) },
    { plan: 'zip', uploads: 1, bytes, name: 'Outtray.zip', today: 1, ...inMs(140_000) },
    { plan: 'newest', uploads: 1, bytes: last.sizeBytes, name: last.name, today: 1, ...inMs(2_000) },
  ];
};

const downloadsOf = ({ rows }: Seed): number => rows.reduce((sum, one) => sum + (one.downloads ?? 0), 0);

export const statsOf = (seed: Seed): CommandAnswer<'stats.get'> => ({
  service: seed.statsRead
    ? {
        stats: { total_files: seed.serviceFiles ?? seed.rows.length, total_size: 61_800_000_000 },
        limits: { max_file_size: 2_000_000_000, daily_uploads: 500 },
        plan: 'Pro',
      }
    : null,
  asOfMs: seed.statsRead ? NOW_MS - 10_000 : null,
  budget: seed.status.budget,
  dailyUploads: { used: seed.statsRead ? 212 : 0, limit: seed.statsRead ? 500 : null },
  days: days().map((one) => (seed.statsRead ? one : { ...one, uploads: 0, bytes: 0 })),
  readings: seed.statsRead ? readingsUntil(downloadsOf(seed)).slice(-(seed.readings ?? 12)) : [],
  top: topFiles(seed.rows),
  firstDownloads: seed.rows
    .filter((one) => one.place === 'this-machine' && (one.downloads ?? 0) > 0)
    .slice(0, 4)
    .map((one, at) => ({ row: one, atMs: (one.uploadedAtMs ?? NOW_MS) + (at + 1) * 60_000 })),
  shared: {
    files: Math.max(seed.rows.length, seed.serviceFiles ?? 0),
    bytes: 61_800_000_000,
    isAtLeast: seed.rows.length > (seed.serviceFiles ?? seed.rows.length),
    neverDownloaded: seed.rows.filter((one) => one.downloads === 0).length,
    downloaded: seed.rows.filter((one) => (one.downloads ?? 0) > 0).length,
    downloads: downloadsOf(seed),
    reported: downloadsOf(seed),
    gone: 0,
  },
  maxFileBytes: seed.statsRead ? 10_000_000_000 : null,
});

export const deletionOf = ({ alive }: Seed, fileId: FileId): DeleteResult => ({
  fileId,
  deleted: true,
  message: 'File deleted',
  error: null,
  linkState: alive.includes(fileId) ? 'answers' : 'dead',
  goesOn: false,
});

/** As the engine answers (queue.alike), but with all uploads of each fate. */
export const filesAlike = (uploads: readonly UploadView[]): FilesAlike[] => {
  const groups = new Map<string, UploadView[]>();
  for (const one of uploads) {
    const key = `${one.state.kind} ${fateOf(one.state)}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].map((some) => ({
    asOfMs: Math.max(...some.map(({ asOfMs }) => asOfMs)),
    ids: some.map(({ id }) => id),
    uploads: some,
  }));
};
