// What the user gives to the app, and what follows an upload: links are copied, and a notification reports it.
import path from 'node:path';
import { requireNoRoots } from '../../contract/rights.ts';
import type { AppContext } from '../app-context.ts';
import type { Links } from '../clipboard/links.ts';
import { createUploadClipboard } from '../clipboard/paste.ts';
import { createClicks } from '../notifications/clicks.ts';
import { noLinkText } from '../notifications/notifications.ts';
import { createNotifier } from '../notifications/notifier.ts';
import type { Parts } from '../parts.ts';
import { keepForNextStart } from '../start/given-files.ts';
import { createOffers } from '../window/given-paths.ts';
import { withoutSecrets } from '../window/sender-check.ts';
import type { Surface } from '../window/surface.ts';
import { createDrops } from './drops.ts';
import { createGiving } from './giving.ts';

/** A burst that pauses for longer counts as ended; the pace of requests makes gaps of 15 seconds. */
const soonMs = 30_000;

export type Uploads = ReturnType<typeof createUploads>;

export const createUploads = (
  context: AppContext,
  { say, window, show, cue, showFile, attempt }: Surface,
  { board, byItself, pressed, inForce, onContent }: Links,
  parts: Parts,
) => {
  const { client, settings, look, after } = context;
  const goesOn = (): boolean => {
    const { sending, doneAtMs, nextSlotAtMs } = context.status();
    if (sending > 0) return true;
    // Not the counts: they are those of the folder, and dropped files may be anywhere.
    return doneAtMs !== null && (nextSlotAtMs === null || nextSlotAtMs - Date.now() < soonMs);
  };
  const offers = createOffers();
  const drops = parts.add(
    createDrops({
      after,
      goesOn,
      mode: inForce.copyLink,
      look: { ...look, movedTo: (id) => movedTo(context, id) },
      copy: byItself,
      tokenFor: offers.give,
      tell: {
        group: (group) => window.send(withoutSecrets({ kind: 'given', group }, context.redact)),
        // Only the window has lines for these files.
        leftOut(names, isAll) {
          if (window.isSeen()) return;
          const isTold = notifier.confirm(noLinkText(names, say()));
          if (!isTold && isAll) cue('show-files');
        },
      },
    }),
  );
  onContent(drops.hearClipboard);
  const clicks = createClicks({
    cue,
    showFile,
    cancel: (ids) => client.call('queue.cancel', { ids }),
    copy: (uploadIds) => pressed({ uploadIds, fileIds: [] }),
  });
  const notifier = parts.add(
    createNotifier({
      after,
      goesOn,
      wanted: inForce.notify,
      isSeen: window.hasFocus,
      drops,
      say,
      clicked: (click) => attempt(() => clicks(click)),
    }),
  );
  const giving = createGiving({
    files: context.files,
    client,
    surface: { frame: window.frame, say, attempt },
    settings,
    canRecord: () => context.status().storage === null,
    follow: drops.given,
  });
  parts.add({ stop: () => giving.unrecorded().forEach(keepForNextStart) });
  const uploadClipboard = createUploadClipboard({
    keep: context.pasted.keep,
    isOurs: board.isOurs,
    demandPlace: () => requireNoRoots(settings.current()),
    upload: giving.upload,
    inform: (key, count = 1) => show('info', say()(key, { count })),
  });
  return {
    drops,
    notifier,
    ...giving,
    uploadClipboard,
    /** The paths that a drop offers to the pages; null: none does. */
    offered: offers.pathsOf,
  };
};

/** Where a file is that left its path: in the same folder, the same in every respect but its name. */
const movedTo = async (
  { look, files }: Pick<AppContext, 'look' | 'files'>,
  uploadId: number,
): Promise<string | null> => {
  const at = look.path(uploadId);
  const stamp = look.upload(uploadId)?.stamp ?? null;
  if (at === null || stamp === null) return null;
  const { inode, sizeBytes, mtimeMs } = stamp;
  const listing = await files.list(path.dirname(at));
  const found = listing.ok
    ? listing.found.find(
        ({ name, stamp: now }) =>
          name !== path.basename(at) &&
          now?.inode === inode &&
          now.sizeBytes === sizeBytes &&
          now.mtimeMs === mtimeMs,
      )
    : undefined;
  return found === undefined ? null : path.join(path.dirname(at), found.name);
};
