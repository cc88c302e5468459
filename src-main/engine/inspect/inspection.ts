// Looks into stable files before they become public. The look runs beside discovery, so a file that takes long does not
// delay others. The row settles meanwhile, so a crash loses nothing but the look.
import type { AppError } from '../../contract/errors.ts';
import { toAppError } from '../../contract/errors.ts';
import type { Finding, HoldReason, KeptContent } from '../../contract/model.ts';
import type { Settings } from '../../contract/settings.ts';
import {
  hasUnreadLike,
  isAnsweredSize,
  isKnownSecret,
  keptByUnread,
} from '../candidate/content-decisions.ts';
import { mayHaveBeenThere } from '../candidate/was-there.ts';
import type { NoteContent } from '../candidate/unread.ts';
import { rootOf } from '../shared/folder.ts';
import { digest, isElsewhere } from '../shared/same-content.ts';
import type { Core } from '../state/core.ts';
import type { Content, Cut, Inspect, OpenFile, Stamp } from '../ports/files.ts';
import type { Approval } from '../ports/ledger.ts';
import type { SentCopy, Upload } from '../ports/uploads.ts';
import { contentBytes, headBytes, kindOf } from './content.ts';

/** A version of a file that is stable: its row and where it lies. */
export type Stable = { row: Upload; path: string; stamp: Stamp };

/** The reason for which a finding holds its file. A person's yes to it approves that content. */
export const reasonOf = { secret: 'secret-content', location: 'location' } as const satisfies Record<
  Finding['kind'],
  HoldReason
>;

/**
 * What a look found, or that the file could not be looked into now. `sha256`: of the content, if something was found or is left
 * out, or the whole file was read. `copy`: the photo without its metadata. `wanted`: what was looked for (`looksFor`).
 */
export type InsideResult =
  | {
      findings: readonly Finding[];
      sha256: string | null;
      copy: SentCopy | null;
      wanted: string;
      unread?: KeptContent | null;
    }
  | 'changed'
  | AppError;

/** What a look found. */
export type Look = Exclude<InsideResult, string | AppError>;

/** While others are looked into, results wait this long for each other: their states are written in one transaction. */
const gatherMs = 100;
/** Files are read while the text of another one is searched. */
const atOnce = 4;
/** Reading more takes some 50 ms or longer. */
const largeBytes = 16 * 1024 * 1024;

/**
 * A large file whose content has to be compared is read beside discovery, one at a time, and so are files that were not read
 * before and with which a file is compared. One that is held is compared with earlier answers only: its question does
 * not wait for more.
 */
export const isReadBeside = (
  { ledger }: Pick<Core['ports'], 'ledger'>,
  { row, stamp }: Stable,
  isHeld = false,
): boolean =>
  hasUnreadLike(ledger, { row, stamp }) ||
  (stamp.sizeBytes > largeBytes &&
    row.sha256 === null &&
    ((!isHeld && ledger.uploads.knowsSize(stamp.sizeBytes)) ||
      isAnsweredSize(ledger, stamp.sizeBytes) ||
      mayHaveBeenThere(ledger, { ...row, stamp })));

/** `text`: what is searched for secrets. `place`: what was found in a photo or film. `cut`: it without metadata. */
type Read = { text: Content | null; place: Finding | null; cut: Cut | null };

/** Of a longer text only the beginning was looked through. */
const tooLarge: Finding = { kind: 'secret', rule: 'too-large', line: null };

/** All that was found in a file of this size. With requireLookInside the unread rest of a text counts as a finding. */
export const findInside = async (
  { inspect, settings }: Pick<Core['ports'], 'inspect' | 'settings'>,
  { text, place }: Read,
  sizeBytes: number,
): Promise<readonly Finding[]> => {
  const places = place === null ? [] : [place];
  if (text === null) return places;
  const secrets = await inspect.findIn(text);
  const isCutShort = settings.current().requireLookInside && sizeBytes > contentBytes[text.kind];
  return [...(secrets.length === 0 && isCutShort ? [tooLarge] : secrets), ...places];
};

/**
 * The finding that holds a file. Null: a person has approved everything, or the copy leaves out what was found. `isCut`:
 * there is a copy, and it is wanted; but a person may want the photo as it is.
 */
export const holdingOf = (
  findings: readonly Finding[],
  isApproved: (reason: Approval) => boolean,
  isCut: boolean,
): { holding: Finding | null; goesAsCopy: boolean } => {
  const open = findings.filter(({ kind }) => !isApproved(reasonOf[kind]));
  const holding = open.find(({ kind }) => !(isCut && kind === 'location')) ?? null;
  return { holding, goesAsCopy: holding === null && isCut && !isApproved('location') };
};

/** Removing the location has its own setting; asking about it is part of looking inside. */
export const asksForPhotos = ({ lookInside, photoLocation }: Settings): boolean =>
  photoLocation === 'remove' || (photoLocation === 'ask' && lookInside);

/** With `remove`, metadata that a photo does not need is left out, whatever it says. */
export const cutsAllPhotos = ({ photoLocation }: Settings): boolean => photoLocation === 'remove';

/** What is looked for by these settings: by others, a file is looked into again. */
export const looksFor = ({ lookInside, photoLocation, requireLookInside }: Settings): string =>
  `${String(lookInside)} ${photoLocation}${requireLookInside ? ' required' : ''}`;

/** Every look that applies is made: a photo with a long comment may look like a text as well. */
export const readInside = async (
  inspect: Pick<Inspect, 'photo'>,
  file: OpenFile,
  wants: { secrets: boolean; photos: boolean; cutsAll: boolean },
): Promise<Read> => {
  const head = await file.head(headBytes);
  const look = wants.photos ? await inspect.photo(file, head, wants.cutsAll) : null;
  const cut = look?.cut ?? null;
  const place: Finding | null =
    look === null || look.shows === 'nothing'
      ? null
      : { kind: 'location', removable: cut !== null, isRead: look.shows === 'location' };
  const kind = wants.secrets ? kindOf(head) : null;
  if (kind === null) return { text: null, place, cut };
  const isLonger = Math.min(contentBytes[kind], file.stamp.sizeBytes) > headBytes;
  return { text: { kind, bytes: isLonger ? await file.head(contentBytes[kind]) : head }, place, cut };
};

/**
 * `done`: a result is there. `isHeldBack`: a result for this row is not to be taken yet. `note`: another file was read,
 * too. If the ledger cannot note it, that is no fault of the file: it is looked into again.
 */
export const createInspection = (
  { ports, work }: Pick<Core, 'ports' | 'work'>,
  { done, isHeldBack, note }: { done: () => void; isHeldBack: (row: Upload) => boolean; note: NoteContent },
) => {
  const { files, inspect, ledger, log, settings } = ports;
  const waiting: Stable[] = [];
  const results: { one: Stable; inside: InsideResult }[] = [];
  /** How many looks of a row are due or not taken yet, and the rows that are not held back any more. */
  const open = new Map<number, number>();
  const taken = new Set<number>();
  let running = 0;
  let isReadingLarge = false;
  let isGathering = false;

  /** The files of a zip were looked into as they were packed. */
  const isPacked = ({ row }: Stable): boolean => ledger.bundled.has(row.id);
  const looksForSecrets = (one: Stable): boolean =>
    settings.current().lookInside && !isKnownSecret(one.row, settings.current()) && !isPacked(one);
  const looksForPhotos = (one: Stable): boolean => asksForPhotos(settings.current()) && !isPacked(one);

  const lookInto = async (one: Stable): Promise<InsideResult> => {
    const { row, path, stamp } = one;
    const root = rootOf(ledger, row);
    const wanted = looksFor(settings.current());
    const read = await readContent(one, root);
    if (read === 'changed') return read;
    const { cut } = read;
    const findings = await findInside(ports, read, stamp.sizeBytes);
    const copy = cut === null ? null : { sha256: cut.sha256, sizeBytes: cut.sizeBytes };
    if (findings.length === 0 && copy === null && !isReadBeside(ports, one))
      return { findings, sha256: null, copy, wanted };
    const sha256 = await digest(ports, path, root, stamp.key, work.signal);
    if (sha256 === null) return 'changed';
    const unread = await keptByUnread(ports, { row, stamp, sha256 }, work.signal, note);
    return unread === 'changed' ? unread : { findings, sha256, copy, wanted, unread };
  };

  /** Reads what is to be searched for secrets, and looks for a location while the file is open. */
  const readContent = async (one: Stable, root: string | null): Promise<Read | 'changed'> => {
    const file = await files.open(one.path, root);
    try {
      if (file.stamp.key !== one.stamp.key) return 'changed';
      const read = await readInside(inspect, file, {
        secrets: looksForSecrets(one),
        photos: looksForPhotos(one),
        cutsAll: cutsAllPhotos(settings.current()),
      });
      return (await file.unchanged()) ? read : 'changed';
    } finally {
      await file.close();
    }
  };

  const lookNow = (one: Stable): Promise<InsideResult> =>
    lookInto(one).catch((error: unknown) => {
      const fault = toAppError(error);
      const { code } = fault;
      log[code === 'internal' ? 'error' : 'debug']('not looked inside', { uploadId: one.row.id, code });
      return isElsewhere.has(code) || fault.storage !== undefined ? 'changed' : fault;
    });

  const isLong = (one: Stable): boolean => one.stamp.sizeBytes > largeBytes && isReadBeside(ports, one);

  const next = (): void => {
    if (running === atOnce || work.signal.aborted) return;
    const at = isReadingLarge ? waiting.findIndex((one) => !isLong(one)) : 0;
    const [one] = at < 0 ? [] : waiting.splice(at, 1);
    if (one === undefined) return;
    const isLarge = isLong(one);
    isReadingLarge ||= isLarge;
    running += 1;
    void lookNow(one).then((inside) => {
      running -= 1;
      if (isLarge) isReadingLarge = false;
      results.push({ one, inside });
      next();
      if (running === 0) done();
      else if (!isGathering) {
        isGathering = true;
        ports.clock.after(gatherMs, () => {
          isGathering = false;
          done();
        });
      }
    });
    next();
  };

  return {
    /** False: by the settings or a person's decision this file needs no look. */
    isWanted: (one: Stable): boolean => looksForSecrets(one) || looksForPhotos(one),
    /** Looks into it now. */
    lookNow,
    note,
    /** Looks into it later, and calls `done` when the result is there. */
    begin(one: Stable): void {
      open.set(one.row.id, (open.get(one.row.id) ?? 0) + 1);
      waiting.push(one);
      next();
    },
    /** The next result; null: there is none. */
    take(): { one: Stable; inside: InsideResult } | null {
      const at = results.findIndex(({ one: { row } }) => taken.has(row.id) || !isHeldBack(row));
      const [result] = at < 0 ? [] : results.splice(at, 1);
      if (result === undefined) return null;
      const { id } = result.one.row;
      const left = (open.get(id) ?? 1) - 1;
      if (left > 0) open.set(id, left);
      else for (const ids of [open, taken]) ids.delete(id);
      return result;
    },
    /** The results for this row are not held back from now on. */
    takeUp(id: number): void {
      if (open.has(id)) taken.add(id);
    },
    /** Whether a result is due or waits to be taken. */
    has: (id: number): boolean => open.has(id),
    size: (): number => open.size,
  };
};

export type Inspection = ReturnType<typeof createInspection>;
