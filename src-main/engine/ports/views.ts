// What people are shown of the uploads, and of the files of the account beside them: pages and counts. Nothing is
// written here.
import type { DownloadCounts, FileGroup } from '../../contract/answers.ts';
import type { Alike, fileSorts } from '../../contract/commands.ts';
import type { AlikeUploads, Bucket, Counts, FileRow } from '../../contract/model.ts';
import type { Upload } from './uploads.ts';

export type UploadViews = {
  /** Present rows of the folder by bucket; with null those given by hand. */
  counts(folderId: number | null): Counts;
  /** Whether a folder was ever chosen, or a file ever given. */
  wasSetUp(): boolean;
  /** How many rows of this state share each fate (`fateOf`), most first. `folderIds`: only of these (null: by hand). */
  alike(kind: Alike['kind'], folderIds?: readonly (number | null)[]): AlikeUploads[];
  /** The ids of rows that share a fate and have not changed since then, oldest first. */
  idsAlike(of: Alike, folderIds?: readonly (number | null)[]): number[];
  /** Of the files that are held as a burst: which changed last, and the folders in which they lie. Null: none. */
  burst(): { newestId: number; dirs: string[] } | null;
  /** Rows in a bucket, newest first. */
  inBucket(bucket: Bucket, folderId: number | null, limit: number): Upload[];
  /** Newest links of this machine. */
  newestLinks(limit: number): Upload[];
  /** Uncertain rows for which `isLookedFor` holds: they count as waiting. */
  countLookedFor(): number;
  /** Files by their downloads. `gained`: those that were counted since then. */
  mostDownloaded(limit: number, sinceMs: number): { row: FileRow; gained: number }[];
  /** As many downloads of all files were counted since then. */
  gainedSince(sinceMs: number): number;
  /** Those of files that were uploaded here since then, and first counted so late that `gainedSince` has none of them. */
  countedLateSince(sinceMs: number): number;
  /** Files whose first download was counted last, the newest first. */
  firstDownloads(limit: number): { row: FileRow; atMs: number }[];
  /** Files known to be shared by a live link. `bytes`: of our own; `others`: of the others, in the service's unit. */
  shared(): { files: number; bytes: number; others: number } & DownloadCounts;
  perDay(sinceMs: number): { day: string; uploads: number; bytes: number }[];
  /**
   * Rows of Files, searched and sorted: behind the cursor `after`, or from the row number `offset` on. `total` of a
   * search is counted up to 1,000, which then means "at least". `counts`: the whole groups; null for a search.
   * `matches`: those that a search found; null when there are more than are counted.
   */
  page(query: {
    search: string;
    place: FileGroup;
    /** Only those of this watched folder; left out: all. */
    folderId?: number | undefined;
    sort: (typeof fileSorts)[number];
    descending: boolean;
    after: string | null;
    offset?: number | undefined;
    limit: number;
  }): {
    rows: FileRow[];
    next: string | null;
    total: number;
    counts: Record<FileGroup, number> | null;
    matches: Record<FileGroup, number> | null;
  };
};
