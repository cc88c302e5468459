// Puts links on the clipboard by itself, as the setting copyLink wants: never, for what was dropped, or always. The
// links of one drop are written together, in drop order, once all of them are there: whatever the user copied in
// between is overwritten once, not twelve times.
import { givesLink, type Entry } from '../../contract/entries.ts';
import type { Settings } from '../../contract/settings.ts';
import { createBurst, type After } from '../notifications/burst.ts';

export type CopyAfterUpload = {
  /** Given by hand: dropped, pasted, chosen. */
  dropped(uploadIds: readonly number[]): void;
  hear(entries: readonly Entry[]): void;
  /** True when all of these were written, and certainly arrived. */
  wereCopied(uploadIds: readonly number[]): boolean;
  stop(): void;
};

/** At most this many ids are remembered: more than users drop between two notifications. */
const maxRemembered = 100_000;

export const createCopyAfterUpload = (options: {
  after: After;
  goesOn: () => boolean;
  mode: () => Settings['copyLink'];
  /** Whether it was given by hand; that may have been before the last start. */
  isByHand: (uploadId: number) => boolean;
  /** Writes their links, those that may be copied by themselves; whether they certainly arrived. */
  copy: (uploadIds: readonly number[]) => Promise<boolean>;
}): CopyAfterUpload => {
  const pending = new Set<number>();
  /** A small file of a large drop may be up before the whole drop was taken. */
  const over = new Set<number>();
  let copied = new Set<number>();

  const burst = createBurst<number>({
    after: options.after,
    goesOn: options.goesOn,
    limits: null,
    tell(ids) {
      const links = [...new Set(ids)].sort((a, b) => a - b);
      // Said at once: the notification of the same burst asks a moment later.
      for (const id of links) copied.add(id);
      const forget = (): void => links.forEach((id) => copied.delete(id));
      options.copy(links).then((sure) => (sure ? undefined : forget()), forget);
      if (copied.size > maxRemembered) copied = new Set(links);
    },
  });

  const isWanted = (id: number): boolean => {
    const mode = options.mode();
    return mode === 'always' || (mode === 'dropped' && (pending.has(id) || options.isByHand(id)));
  };

  return {
    dropped(uploadIds) {
      if (pending.size >= maxRemembered) return;
      for (const id of uploadIds) if (!over.has(id)) pending.add(id);
    },
    hear(entries) {
      for (const { uploadId, body } of entries) {
        if (uploadId === null) continue;
        const hasLink = givesLink(body);
        if (hasLink && isWanted(uploadId)) burst.add([uploadId]);
        const isOver = hasLink || ['skipped', 'failed', 'held', 'gone', 'superseded'].includes(body.kind);
        if (isOver) over.add(uploadId);
        if (over.size > maxRemembered) over.clear();
        if (isOver && pending.delete(uploadId) && pending.size === 0) burst.flush();
      }
    },
    wereCopied: (uploadIds) => uploadIds.length > 0 && uploadIds.every((id) => copied.has(id)),
    stop: burst.stop,
  };
};
