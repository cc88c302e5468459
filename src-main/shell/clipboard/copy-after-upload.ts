// Puts links on the clipboard automatically, by the setting copyLink: never, for files given by hand, or always.
// The links of files given together are written together, in drop order, once all of them are there: whatever the user
// copied in between is overwritten once, not twelve times. The window gets the progress of each such group.
import type { FileId } from '../../contract/text/file-id.ts';
import { givesLink, type Entry } from '../../contract/entries.ts';
import type { LeftOut } from '../../contract/model.ts';
import type { Settings } from '../../contract/settings.ts';
import type { GivenGroup, GivenRow } from '../../contract/window.ts';
import { createBurst, type After } from '../notifications/burst.ts';

/** The state of an upload in the ledger. */
export type Standing = {
  /** Still on its way; else it has its link, or gets none before the user acts. */
  isGoing: boolean;
  link: GivenLink | null;
  /** It is held or was refused. */
  needsYou?: boolean;
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

export type CopyAfterUpload = {
  /**
   * Given together by hand: dropped, pasted, chosen. Some may be over already. `leftOut`: of a zip. `isCopyAsked`: the
   * links are copied whatever the setting says.
   */
  given(uploadIds: readonly number[], leftOut?: readonly LeftOut[], isCopyAsked?: boolean): void;
  hear(entries: readonly Entry[]): void;
  /** Something has changed: a file may have become part of another row, which no entry records. */
  look(): void;
  /** True when all of these were written, and certainly arrived. */
  wereCopied(uploadIds: readonly number[]): boolean;
  /** Files that were given together are still being uploaded. */
  isGoing(): boolean;
  stop(): void;
};

/** At most this many ids are remembered: more than users drop between two notifications. */
const maxRemembered = 100_000;
/** The most that the window copies at once (contract/commands.ts). */
const maxTold = 5_000;
/** At most this many of a group are checked for a change without an entry: it happens to the files uploaded next. */
const maxLooked = 100;
/** The most pictures that represent a group. */
const mostFaces = 3;

type Group = {
  id: number;
  /** In drop order. */
  files: Map<number, { name: string; sizeBytes: number }>;
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
const rowsOf = ({ fresh }: Group, linked: readonly [number, GivenLink][]): GivenRow[] => {
  const rows = new Map<FileId, GivenRow>();
  for (const [id, { uploadId, fileId, name, link, uploadedAtMs: sharedAtMs }] of linked) {
    if (fileId === null) continue;
    const isNew = fresh.has(id) && uploadId === id;
    if (isNew || !rows.has(fileId)) rows.set(fileId, { uploadId, fileId, name, link, isNew, sharedAtMs });
  }
  return [...rows.values()].slice(0, maxTold);
};

export const createCopyAfterUpload = (options: {
  after: After;
  goesOn: () => boolean;
  /** The setting in the folder of an upload; null: for files given by hand. */
  mode: (uploadId: number | null) => Settings['copyLink'];
  /** Whether it was given by hand; that may have been before the last start. */
  isByHand: (uploadId: number) => boolean;
  standing: (uploadId: number) => Standing;
  /** Copies those of their links that may be copied automatically. True when they certainly arrived. */
  copy: (uploadIds: readonly number[]) => Promise<boolean>;
  tell: (group: GivenGroup) => void;
}): CopyAfterUpload => {
  const { standing } = options;
  const open = new Set<Group>();
  /** Given, and without a link until now: one that fails is copied when it is uploaded later. */
  const awaited = new Set<number>();
  let copied = new Set<number>();
  let lastId = 0;
  let newest: { group: Group; copy: GivenGroup['copy']; needYou: number } | null = null;

  const needYouIn = ({ asked }: Group): number[] =>
    [...asked].filter((id) => asked.size > maxLooked || standing(id).needsYou === true).sort((a, b) => a - b);

  const tell = (group: Group, copy: GivenGroup['copy']): void => {
    const linked = [...group.linked].sort(([a], [b]) => a - b);
    const first = linked[0];
    const { files, going } = group;
    const bytesOf = (ids: Iterable<number>): number =>
      [...ids].reduce((sum, id) => sum + (files.get(id)?.sizeBytes ?? 0), 0);
    const isLarge = files.size > maxLooked;
    options.tell({
      id: group.id,
      total: files.size,
      going: going.size,
      goingIds: [...going].slice(0, maxTold),
      totalBytes: bytesOf(files.keys()),
      linkedBytes: bytesOf(group.linked.keys()),
      faces: [...files].slice(0, mostFaces).map(([uploadId, { name }]) => ({ uploadId, name })),
      linked: linked.length,
      uploadIds: linked.slice(0, maxTold).map(([id]) => id),
      rows: going.size > 0 && isLarge ? [] : rowsOf(group, linked),
      first: first === undefined ? null : firstOf(...first),
      copy,
      leftOut: [...group.leftOut],
      needYou: needYouIn(group).slice(0, maxTold),
    });
  };

  const ended = (group: Group, copy: GivenGroup['copy']): void => {
    newest = { group, copy, needYou: needYouIn(group).length };
    tell(group, copy);
  };

  /** Reports the last group again if a question about one of its files was answered, or is open again. */
  const lookAtAnswers = (): void => {
    if (newest === null) return;
    const { group, copy } = newest;
    if (group.asked.size === 0 || group.asked.size > maxLooked) return;
    if (needYouIn(group).length !== newest.needYou) ended(group, copy);
  };

  const write = async (group: Group, isOff: boolean): Promise<void> => {
    const ids = [...group.linked.keys()].sort((a, b) => a - b);
    if (ids.length === 0 || isOff) {
      ended(group, 'off');
      return;
    }
    // Marked before the write ends: the notification of the same burst checks it a moment later.
    if (copied.size > maxRemembered) copied = new Set();
    for (const id of ids) copied.add(id);
    const sure = await options.copy(ids).catch(() => false);
    if (!sure) for (const id of ids) copied.delete(id);
    ended(group, sure ? 'done' : 'unsure');
  };

  const groupOf = (
    uploadIds: readonly number[],
    leftOut: readonly LeftOut[] = [],
    isCopyAsked = false,
  ): Group => {
    lastId += 1;
    const group: Group = {
      id: lastId,
      files: new Map(),
      going: new Set(),
      linked: new Map(),
      fresh: new Set(),
      leftOut,
      isCopyAsked,
      asked: new Set(),
    };
    for (const id of uploadIds) follow(group, id);
    return group;
  };

  /** Reads the current state: an entry may arrive late and concern an earlier version. */
  const follow = (group: Group, id: number): void => {
    const { isGoing, link, needsYou, name = '', sizeBytes = 0 } = standing(id);
    group.files.set(id, { name, sizeBytes });
    if (needsYou === true) group.asked.add(id);
    if (isGoing) group.going.add(id);
    else group.going.delete(id);
    if (isGoing || link === null) return;
    group.linked.set(id, link);
    awaited.delete(id);
  };

  const endOrTell = (group: Group): void => {
    const isOff = !group.isCopyAsked && options.mode(null) === 'never';
    if (group.going.size > 0) {
      tell(group, isOff ? 'off' : 'later');
      return;
    }
    open.delete(group);
    void write(group, isOff);
  };

  const burst = createBurst<number>({
    after: options.after,
    goesOn: options.goesOn,
    limits: null,
    tell(ids) {
      // A small file may be uploaded before its group was registered; that group then copies its link.
      const isLeft = (id: number): boolean =>
        !copied.has(id) && ![...open].some(({ linked }) => linked.has(id));
      const left = [...new Set(ids)].filter(isLeft);
      if (left.length === 0) return;
      const group = groupOf(left);
      group.fresh = new Set(left);
      void write(
        group,
        left.every((id) => options.mode(id) === 'never'),
      );
    },
  });

  const isWanted = (id: number): boolean => {
    const mode = options.mode(id);
    return mode === 'always' || (mode === 'dropped' && (awaited.has(id) || options.isByHand(id)));
  };

  return {
    given(uploadIds, leftOut, isCopyAsked) {
      const ids = [...new Set(uploadIds)];
      if (ids.length === 0) return;
      const group = groupOf(ids, leftOut, isCopyAsked);
      group.fresh = new Set(ids.filter((id) => !group.linked.has(id)));
      if (awaited.size < maxRemembered) for (const id of group.fresh) awaited.add(id);
      open.add(group);
      endOrTell(group);
    },
    hear(entries) {
      const moved = new Set<Group>();
      for (const { uploadId, body } of entries) {
        if (uploadId === null) continue;
        const groups = [...open].filter(({ going }) => going.has(uploadId));
        for (const group of groups) {
          follow(group, uploadId);
          if (!group.going.has(uploadId)) moved.add(group);
        }
        if (groups.length > 0 || !givesLink(body)) continue;
        if (isWanted(uploadId)) burst.add([uploadId]);
        awaited.delete(uploadId);
      }
      for (const group of moved) endOrTell(group);
      lookAtAnswers();
    },
    look() {
      for (const group of open) {
        const before = group.going.size;
        for (const id of [...group.going].slice(0, maxLooked)) follow(group, id);
        if (group.going.size < before) endOrTell(group);
      }
      lookAtAnswers();
    },
    wereCopied: (uploadIds) => uploadIds.length > 0 && uploadIds.every((id) => copied.has(id)),
    isGoing: () => open.size > 0,
    stop: burst.stop,
  };
};
