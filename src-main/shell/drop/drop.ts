// Files that a person gave together: one drop, from the gesture until all of them have their links.
import type { FileId } from '../../contract/text/file-id.ts';
import type { LeftOut } from '../../contract/model.ts';
import type { GivenGroup, GivenRow } from '../../contract/window.ts';

/** The state of an upload in the ledger. */
export type Standing = {
  /** Still on its way; else it has its link, or gets none before the user acts. */
  isGoing: boolean;
  link: GivenLink | null;
  /** It is held or was refused. */
  needsYou?: boolean;
  /** Its file left before it was uploaded. */
  isGone?: boolean;
  /** Of the file that was given. */
  name?: string;
  sizeBytes?: number;
};
/** `uploadId`: the row of Files that has the link; another file's when that has the same content. */
export type GivenLink = {
  uploadId: number;
  fileId: FileId | null;
  name: string;
  link: string;
  uploadedAtMs: number | null;
};

/** The most that the window copies at once (contract/commands.ts). */
const maxTold = 5_000;
/** At most this many of a group are checked for a change without an entry: it happens to the files uploaded next. */
export const maxLooked = 100;
/** The most pictures that represent a group. */
const mostFaces = 3;

/** Files that were given together, and what has become of them. */
export type Drop = {
  id: number;
  /** In drop order. */
  files: Map<number, { name: string; sizeBytes: number; isGone: boolean }>;
  /** What is still being uploaded. */
  going: Set<number>;
  linked: Map<number, GivenLink>;
  /** Uploads of this group that had no link when they were given. */
  fresh: Set<number>;
  leftOut: readonly LeftOut[];
  isCopyAsked: boolean;
  /** Uploads that were held or refused; the user may have decided on some since. */
  asked: Set<number>;
};

const firstOf = (id: number, { uploadId, name, link }: GivenLink): GivenGroup['first'] => ({
  uploadId,
  name,
  link,
  isOther: uploadId !== id,
});

/** Two files with one content have one link: it is new if either of them brought it. */
const rowsOf = ({ fresh }: Drop, linked: readonly [number, GivenLink][]): GivenRow[] => {
  const rows = new Map<FileId, GivenRow>();
  for (const [id, { uploadId, fileId, name, link, uploadedAtMs: sharedAtMs }] of linked) {
    if (fileId === null) continue;
    const isNew = fresh.has(id) && uploadId === id;
    if (isNew || !rows.has(fileId)) rows.set(fileId, { uploadId, fileId, name, link, isNew, sharedAtMs });
  }
  return [...rows.values()].slice(0, maxTold);
};

export const createDrop = (of: Pick<Drop, 'id' | 'leftOut' | 'isCopyAsked'>): Drop => ({
  ...of,
  files: new Map(),
  going: new Set(),
  linked: new Map(),
  fresh: new Set(),
  asked: new Set(),
});

/** Takes over where an upload of the drop is now. True: it has its link. */
export const followUpload = (drop: Drop, id: number, now: Standing): boolean => {
  const { isGoing, link, needsYou, isGone = false, name = '', sizeBytes = 0 } = now;
  drop.files.set(id, { name, sizeBytes, isGone });
  if (needsYou === true) drop.asked.add(id);
  if (isGoing) drop.going.add(id);
  else drop.going.delete(id);
  if (isGoing || link === null) {
    // It may have been taken back.
    drop.linked.delete(id);
    return false;
  }
  drop.linked.set(id, link);
  return true;
};

/** The files of the drop that have the link of this upload. */
export const sharersIn = ({ linked }: Drop, uploadId: number): number[] =>
  [...linked].flatMap(([id, link]) => (link.uploadId === uploadId ? id : []));

/** Its uploads that wait for the user. */
export const needYouIn = ({ asked }: Drop, standing: (uploadId: number) => Standing): number[] =>
  [...asked].filter((id) => asked.size > maxLooked || standing(id).needsYou === true).sort((a, b) => a - b);

/** What the window shows of it. */
export const shownDrop = (drop: Drop, copy: GivenGroup['copy'], needYou: readonly number[]): GivenGroup => {
  const linked = [...drop.linked].sort(([a], [b]) => a - b);
  const first = linked[0];
  const { files, going } = drop;
  const known = new Set([...needYou, ...going, ...drop.linked.keys()]);
  const bytesOf = (ids: Iterable<number>): number =>
    [...ids].reduce((sum, id) => sum + (files.get(id)?.sizeBytes ?? 0), 0);
  return {
    id: drop.id,
    total: files.size,
    going: going.size,
    goingIds: [...going].slice(0, maxTold),
    totalBytes: bytesOf(files.keys()),
    linkedBytes: bytesOf(drop.linked.keys()),
    faces: [...files].slice(0, mostFaces).map(([uploadId, { name }]) => ({ uploadId, name })),
    linked: linked.length,
    uploadIds: linked.slice(0, maxTold).map(([id]) => id),
    rows: going.size > 0 && files.size > maxLooked ? [] : rowsOf(drop, linked),
    first: first === undefined ? null : firstOf(...first),
    copy,
    leftOut: [...drop.leftOut],
    needYou: needYou.slice(0, maxTold),
    without: [...files]
      .flatMap(([uploadId, { name, isGone }]) => (known.has(uploadId) ? [] : [{ uploadId, name, isGone }]))
      .slice(0, maxTold),
  };
};
