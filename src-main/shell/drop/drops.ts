// Puts links on the clipboard automatically, by the setting copyLink: never, for files given by hand, or always.
// The links of files given together are written together, in drop order, once all of them are there: whatever the user
// copied in between is overwritten once, not twelve times. The window gets the progress of each such drop.
import { givesLink, type Entry } from '../../contract/entries.ts';
import type { CopyMode } from '../rules-in-force.ts';
import type { GivenGroup } from '../../contract/window.ts';
import { toAppError } from '../../contract/errors.ts';
import { otherContent, type ClipboardContent } from '../clipboard/clipboard.ts';
import { createBurst, type After } from '../notifications/burst.ts';
import {
  createDrop,
  followResting,
  followUpload,
  leftOutOf,
  maxLooked,
  needYouIn,
  restingIn,
  sharersIn,
  shownDrop,
  type Drop,
  type Lost,
  type Standing,
  type TokenFor,
} from './drop.ts';

export type Drops = {
  /**
   * Given together by hand: dropped, pasted, chosen. Some may be over already. `lost`: those that have no row.
   * `isCopyAsked`: the links are copied whatever the setting says.
   */
  given(uploadIds: readonly number[], lost?: readonly Lost[], isCopyAsked?: boolean): void;
  hear(entries: readonly Entry[]): void;
  /** Something has changed: a file may have become part of another row, which no entry records. */
  look(): void;
  /** The clipboard gets this, from any door. */
  hearClipboard(content: ClipboardContent): void;
  /** True when the clipboard has the links of all of these. */
  wereCopied(uploadIds: readonly number[]): boolean;
  /** Files that were given together are still being uploaded. */
  isGoing(): boolean;
  stop(): void;
};

/** At most this many ids are remembered: more than users drop between two notifications. */
const maxRemembered = 100_000;

/** Between two steps through a large drop: 100 reads of the ledger are a millisecond or two. */
const lookEachMs = 50;

export const createDrops = (options: {
  after: After;
  goesOn: () => boolean;
  /** The setting in the folder of an upload; null: for files given by hand. */
  mode: (uploadId: number | null) => CopyMode;
  look: {
    /** Whether it was given by hand; that may have been before the last start. */
    isByHand: (uploadId: number) => boolean;
    standing: (uploadId: number) => Standing;
    /** The account of the present key. */
    account: () => number;
    /** Where the file of this upload is now; null: no longer in its folder. */
    movedTo: (uploadId: number) => Promise<string | null>;
  };
  /** Copies their links if all of them may be copied automatically. Rejects when the system refuses. */
  copy: (uploadIds: readonly number[]) => Promise<GivenGroup['copy']>;
  tell: {
    group: (shown: GivenGroup) => void;
    /** A drop ended with these files left out, by name: no entry of the ledger, and so no notification, reports them. */
    leftOut: (names: readonly string[], isAll: boolean) => void;
  };
  tokenFor: TokenFor;
}): Drops => {
  const { standing, isByHand, movedTo, account } = options.look;
  const open = new Set<Drop>();
  /** Given, and without a link until now: one that fails is copied when it is uploaded later. */
  const awaited = new Set<number>();
  /** Written here once, or refused: no burst writes them again, since its entries may come late. */
  let copied = new Set<number>();
  let onClipboard = otherContent;
  let lastId = 0;
  /** Those that ended, as long as the window may show them; with what it says of the clipboard. */
  const shown = new Map<Drop, GivenGroup['copy']>();
  /** What is still to be checked for a change without an entry. `again`: from the beginning after that. */
  let resting: { drop: Drop; id: number }[] = [];
  let again = false;
  let stopLooking: (() => void) | null = null;
  /** The ledger is closed then, or soon is: what was given just before is answered too late. */
  let isOver = false;

  const areThere = (ids: readonly number[]): boolean => {
    const there = new Set(onClipboard.uploadIds);
    return ids.length > 0 && ids.every((id) => there.has(id));
  };

  /**
   * A drop is shown in its account only. What of it has not been sent goes up for the present one, and comes as a new
   * drop with its links.
   */
  const leaveOthers = (): void => {
    const isOther = ({ accountId }: Drop): boolean => accountId !== account();
    for (const drop of followed().filter(isOther)) {
      open.delete(drop);
      shown.delete(drop);
    }
    resting = resting.filter(({ drop }) => !isOther(drop));
  };

  const report = (drop: Drop, copy: GivenGroup['copy']): void => {
    if (drop.accountId === account())
      options.tell.group(shownDrop(drop, copy, needYouIn(drop), options.tokenFor));
  };

  const ended = (drop: Drop, copy: GivenGroup['copy']): void => {
    // The window closes an older card that asks nothing; a newer one stays.
    for (const one of shown.keys()) if (one.id < drop.id && one.needing.size === 0) shown.delete(one);
    shown.set(drop, copy);
    report(drop, copy);
  };

  const followed = (): Drop[] => [...open, ...shown.keys()];

  const reportAgain = (drop: Drop): void => {
    if (open.has(drop)) endOrReport(drop);
    else report(drop, shown.get(drop) ?? 'off');
  };

  /** Reports drops again if a question about one of their files was answered, or a file was brought back. */
  const lookAtResting = (): void => {
    again = true;
    if (stopLooking === null) lookOn();
  };

  /** Some at a time: each costs a read of the ledger, and a drop may have 100,000. */
  const lookOn = (): void => {
    stopLooking = null;
    if (resting.length === 0 && again) {
      again = false;
      resting = followed().flatMap((drop) => restingIn(drop).map((id) => ({ drop, id })));
    }
    const changed = new Set<Drop>();
    for (const { drop, id } of resting.splice(0, maxLooked))
      if (followResting(drop, id, standing(id))) changed.add(drop);
    for (const drop of changed) {
      if (drop.going.size > 0 && !open.has(drop)) {
        // A file was left out, and belongs to its drop again.
        shown.delete(drop);
        open.add(drop);
      }
      reportAgain(drop);
    }
    if (resting.length > 0 || again) stopLooking = options.after(lookEachMs, lookOn);
  };

  const write = async (drop: Drop, isOff: boolean): Promise<void> => {
    for (const id of [...drop.linked.keys()]) look(drop, id);
    const ids = [...drop.linked.keys()].sort((a, b) => a - b);
    const names = leftOutOf(drop);
    if (names.length > 0) options.tell.leftOut(names, ids.length === 0);
    if (ids.length === 0 || isOff) {
      ended(drop, ids.length > 0 && options.mode(null) === 'forbidden' ? 'forbidden' : 'off');
      return;
    }
    if (copied.size > maxRemembered) copied = new Set();
    for (const id of ids) copied.add(id);
    const result = await options
      .copy(ids)
      .catch((error: unknown) => (toAppError(error).code === 'not-allowed' ? 'forbidden' : 'refused'));
    ended(drop, result);
  };

  /** Reads the current state: an entry may arrive late and concern an earlier version. */
  const look = (drop: Drop, id: number): void => {
    if (followUpload(drop, id, standing(id))) awaited.delete(id);
    const isNew = drop.files.get(id)?.isGone === true && !drop.moved.has(id) && drop.moved.size < maxLooked;
    if (isNew) void find(drop, id);
  };

  /** A file that left may be in its folder under another name. */
  const find = async (drop: Drop, id: number): Promise<void> => {
    drop.moved.set(id, null);
    const path = await movedTo(id).catch(() => null);
    drop.moved.set(id, path);
    if (path !== null && !isOver && followed().includes(drop)) reportAgain(drop);
  };

  const begin = (uploadIds: readonly number[], lost: readonly Lost[] = [], isCopyAsked = false): Drop => {
    const drop = createDrop({ id: (lastId += 1), accountId: account(), lost, isCopyAsked });
    for (const id of uploadIds) look(drop, id);
    return drop;
  };

  const endOrReport = (drop: Drop): void => {
    const isOff = !drop.isCopyAsked && ['never', 'forbidden'].includes(options.mode(null));
    if (drop.going.size > 0) {
      report(drop, isOff ? 'off' : 'later');
      return;
    }
    open.delete(drop);
    void write(drop, isOff);
  };

  const burst = createBurst<number>({
    after: options.after,
    goesOn: options.goesOn,
    limits: null,
    tell(ids) {
      // A small file may be uploaded before its drop was registered; that drop then copies its link.
      const isLeft = (id: number): boolean =>
        !copied.has(id) && ![...open].some(({ linked }) => linked.has(id));
      const left = [...new Set(ids)].filter(isLeft);
      if (left.length === 0) return;
      const drop = begin(left);
      drop.fresh = new Set(left);
      void write(
        drop,
        left.every((id) => options.mode(id) === 'never'),
      );
    },
  });

  const isWanted = (id: number): boolean => {
    const mode = options.mode(id);
    return mode === 'always' || (mode === 'dropped' && (awaited.has(id) || isByHand(id)));
  };

  return {
    given(uploadIds, lost, isCopyAsked) {
      const ids = [...new Set(uploadIds)];
      if (isOver || ids.length + (lost?.length ?? 0) === 0) return;
      const drop = begin(ids, lost, isCopyAsked);
      drop.fresh = new Set(ids.filter((id) => !drop.linked.has(id)));
      if (awaited.size < maxRemembered) for (const id of drop.fresh) awaited.add(id);
      open.add(drop);
      endOrReport(drop);
    },
    hear(entries) {
      if (isOver) return;
      leaveOthers();
      const moved = new Set<Drop>();
      const all = followed();
      for (const { uploadId, body } of entries) {
        if (uploadId === null) continue;
        if (body.kind === 'recalled' || body.kind === 'lost')
          for (const drop of all)
            for (const id of sharersIn(drop, uploadId)) {
              look(drop, id);
              moved.add(drop);
            }
        const drops = [...open].filter(({ going }) => going.has(uploadId));
        for (const drop of drops) {
          look(drop, uploadId);
          if (!drop.going.has(uploadId)) moved.add(drop);
        }
        if (drops.length > 0 || !givesLink(body)) continue;
        if (isWanted(uploadId)) burst.add([uploadId]);
        awaited.delete(uploadId);
      }
      for (const drop of moved) reportAgain(drop);
      lookAtResting();
    },
    look() {
      if (isOver) return;
      leaveOthers();
      for (const drop of open) {
        const before = drop.going.size;
        for (const id of [...drop.going].slice(0, maxLooked)) look(drop, id);
        if (drop.going.size < before) endOrReport(drop);
      }
      lookAtResting();
    },
    hearClipboard(content) {
      onClipboard = content;
      for (const [drop, copy] of shown) {
        const isSaid = copy === 'done' || copy === 'unsure';
        const now = !areThere([...drop.linked.keys()]) ? (isSaid ? 'off' : copy) : content.copy;
        if (now === copy || now === 'later') continue;
        shown.set(drop, now);
        report(drop, now);
      }
    },
    // Also while they are being written: the notification of the same burst asks then.
    wereCopied: (uploadIds) => onClipboard.copy !== 'unsure' && areThere(uploadIds),
    isGoing: () => open.size > 0,
    stop() {
      isOver = true;
      burst.stop();
      stopLooking?.();
    },
  };
};
