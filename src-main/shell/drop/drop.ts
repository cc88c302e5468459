// Files that a person gave together: one drop, from the gesture until all of them have their links.
import type { FileId } from '../../contract/text/file-id.ts';
import { basename, dirname, relative } from 'node:path';
import type { GivenGroup, GivenRow, LostFiles, LostWhy } from '../../contract/window.ts';

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
  path?: string;
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
/** At most this many files are checked together for a change without an entry. */
export const maxLooked = 100;
/** The most pictures that represent a group. */
const mostFaces = 3;

/**
 * Given files that have no row. `targets`: what symbolic links lead to, or where renamed files are now; null: no file or
 * folder.
 */
export type Lost = {
  why: LostWhy;
  count: number;
  paths: readonly string[];
  targets?: readonly (string | null)[];
};

/** Files that were given together, and what has become of them. */
export type Drop = {
  id: number;
  accountId: number;
  /** In drop order. */
  files: Map<number, { name: string; path: string; isGone: boolean }>;
  /** Where files are now that left; null: nowhere near. */
  moved: Map<number, string | null>;
  /** What is still being uploaded. */
  going: Set<number>;
  linked: Map<number, GivenLink>;
  /** Uploads of this group that had no link when they were given. */
  fresh: Set<number>;
  lost: readonly Lost[];
  isCopyAsked: boolean;
  /** Uploads that were held or refused; the user may have decided on some since. `needing`: not on these. */
  asked: Set<number>;
  needing: Set<number>;
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

export const createDrop = (of: Pick<Drop, 'id' | 'accountId' | 'lost' | 'isCopyAsked'>): Drop => ({
  ...of,
  files: new Map(),
  moved: new Map(),
  going: new Set(),
  linked: new Map(),
  fresh: new Set(),
  asked: new Set(),
  needing: new Set(),
});

/** Takes over where an upload of the drop is now. True: it has its link. */
export const followUpload = (drop: Drop, id: number, now: Standing): boolean => {
  const { isGoing, link, isGone = false, name = '', path = name } = now;
  drop.files.set(id, { name, path, isGone });
  noteQuestion(drop, id, now);
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

const noteQuestion = ({ asked, needing }: Drop, id: number, { needsYou = false }: Standing): void => {
  if (needsYou) asked.add(id);
  if (needsYou) needing.add(id);
  else needing.delete(id);
};

/** Its uploads that wait for the user. */
export const needYouIn = ({ needing }: Drop): number[] => [...needing].sort((a, b) => a - b);

/** What may change without an entry: the files without a link that are not on their way. */
export const restingIn = ({ files, going, linked }: Drop): number[] =>
  [...files.keys()].filter((id) => !going.has(id) && !linked.has(id));

/** Takes over that a question was answered, is open again, or that a file was brought back. False: none of it. */
export const followResting = (drop: Drop, id: number, now: Standing): boolean => {
  const { asked, needing } = drop;
  const neededYou = needing.has(id);
  if (asked.has(id)) noteQuestion(drop, id, now);
  else if (now.isGoing) followUpload(drop, id, now);
  return needing.has(id) !== neededYou || drop.going.has(id);
};

/** The files that left before they were read. */
const goneIn = ({ files, moved, linked }: Drop): Lost[] => {
  const gone = [...files].flatMap(([id, { path, isGone }]) =>
    isGone && !linked.has(id) ? [{ id, path }] : [],
  );
  const isMoved = ({ id }: { id: number }): boolean => (moved.get(id) ?? null) !== null;
  const renamed = gone.filter(isMoved);
  const away = gone.filter((one) => !isMoved(one));
  return [
    ...renamed.map(({ id, path }): Lost => ({
      why: 'renamed',
      count: 1,
      paths: [path],
      targets: [moved.get(id) ?? null],
    })),
    ...(away.length > 0
      ? [{ why: 'gone' as const, count: away.length, paths: away.map(({ path }) => path) }]
      : []),
  ];
};

/** The names of its files that have no link and do not need the user. */
export const leftOutOf = (drop: Drop): string[] => [
  ...[...drop.lost, ...goneIn(drop)].flatMap(({ paths }) => paths.map((path) => basename(path))),
  ...restingIn(drop).flatMap((id) => {
    const file = drop.files.get(id);
    return file === undefined || file.isGone || drop.asked.has(id) ? [] : file.name;
  }),
];

/** At most this many of each reason are named. The action of a line is for all of them. */
const mostNamed = 100;

const shownLost = (dropId: number, lost: Lost, tokenFor: TokenFor): LostFiles => {
  const { why, count, paths, targets } = lost;
  const wanted = targets === undefined ? paths : targets.flatMap((target) => target ?? []);
  return {
    why,
    count,
    files: paths.slice(0, mostNamed).map((path, at) => {
      const target = targets?.[at] ?? null;
      return { name: basename(path), path, to: target === null ? null : fromFolder(path, target) };
    }),
    token: wanted.length === 0 ? null : tokenFor(`${dropId} ${keyOf(lost)}`, wanted),
    uploads: wanted.length,
  };
};

/** Files are lost before, while and after their drop is recorded: those of one reason share a line. Renamed ones do not. */
const byReason = (all: readonly Lost[]): Lost[] => {
  const lines = new Map<string, Lost>();
  for (const lost of all) {
    const before = lines.get(keyOf(lost));
    const { why, paths, targets } = lost;
    lines.set(keyOf(lost), {
      why,
      count: lost.count + (before?.count ?? 0),
      paths: [...(before?.paths ?? []), ...paths],
      ...(targets === undefined ? {} : { targets: [...(before?.targets ?? []), ...targets] }),
    });
  }
  return [...lines.values()];
};

const keyOf = ({ why, paths }: Lost): string => (why === 'renamed' ? `${why} ${paths[0] ?? ''}` : why);

/** A path as it reads beside the file: below the file's own folder without that folder. */
const fromFolder = (path: string, target: string): string => {
  const way = relative(dirname(path), target);
  return way.startsWith('..') ? target : way;
};

/** How a page names these paths; the same key has the same token. */
export type TokenFor = (key: string, paths: readonly string[]) => string;

/** What the window shows of it. */
export const shownDrop = (
  drop: Drop,
  copy: GivenGroup['copy'],
  needYou: readonly number[],
  tokenFor: TokenFor,
): GivenGroup => {
  const linked = [...drop.linked].sort(([a], [b]) => a - b);
  const first = linked[0];
  const { files, going } = drop;
  const known = new Set([...needYou, ...going, ...drop.linked.keys()]);
  return {
    id: drop.id,
    accountId: drop.accountId,
    total: files.size,
    going: going.size,
    goingIds: [...going],
    faces: [...files].slice(0, mostFaces).map(([uploadId, { name }]) => ({ uploadId, name })),
    linked: linked.length,
    uploadIds: linked.slice(0, maxTold).map(([id]) => id),
    rows: going.size > 0 && files.size > maxLooked ? [] : rowsOf(drop, linked),
    first: first === undefined ? null : firstOf(...first),
    copy,
    lost: byReason([...drop.lost, ...goneIn(drop)]).map((one) => shownLost(drop.id, one, tokenFor)),
    needYou: [...needYou],
    without: [...files].flatMap(([uploadId, { isGone }]) =>
      known.has(uploadId) || isGone ? [] : [uploadId],
    ),
  };
};
