// Small facts that the ledger keeps, one value a name. The ledger parses what it reads by these schemas. For a value
// that cannot be parsed, `unread` defines what counts instead; else there is none.
import * as v from 'valibot';
import type { ProgramCommand } from './catalogue/program.ts';
import type { WaitReason } from './model.ts';

/** The names of commands are not checked: only Outtray writes them. */
const wording = v.union([
  v.string(),
  v.pipe(
    v.array(
      v.union([
        v.string(),
        v.object({
          command: v.custom<ProgramCommand>((value) => typeof value === 'string'),
          rest: v.string(),
        }),
        v.object({ option: v.string() }),
      ]),
    ),
    v.readonly(),
  ),
]);

/** `untilMs`: as in QueueGate. `streak`: how many times in a row before this one. */
const closing = v.object({
  owner: v.string(),
  reason: v.custom<WaitReason>((value) => typeof value === 'string'),
  untilMs: v.nullable(v.number()),
  message: v.string(),
  remedy: wording,
  streak: v.number(),
});
export type StoredClosing = v.InferOutput<typeof closing>;

const whole = v.pipe(v.number(), v.safeInteger());

/**
 * `refused`: how often since another file passed. `isAlone`: it was refused, and then another file passed. `cuts`: how
 * often it was cut off, once for each time that another file passed in between. `isCounted`: none has passed since.
 */
const refusedFile = v.object({
  id: whole,
  refused: whole,
  isAlone: v.boolean(),
  cuts: whole,
  isCounted: v.boolean(),
});
export type RefusedFile = v.InferOutput<typeof refusedFile>;

const wish = v.union([v.object({ afterMs: v.number() }), v.object({ atMs: v.number() }), v.literal('never')]);
/** Of a file, without its time of birth. */
const stamp = v.object({
  sizeBytes: v.number(),
  key: v.string(),
  inode: v.string(),
  mtimeMs: v.number(),
  ctimeMs: v.number(),
});

export const facts = {
  /** The queue is paused; `untilMs` null: until it is resumed. `isUnread`: see below. */
  pause: v.object({ untilMs: v.nullable(v.number()), isUnread: v.exactOptional(v.literal(true)) }),
  /** Why no request goes now, and why no upload goes; missing: they may go. Each process obeys it. */
  'closed-all': closing,
  'closed-uploads': closing,
  /** Uploads that something before the service refused or cut off; whether it refuses all. */
  'refused-uploads': v.object({ files: v.array(refusedFile), isAll: v.boolean() }),
  order: v.picklist(['arrival', 'newest', 'smallest']),
  /** Ids of uploads that a person left out before their content was read: it is still to be read and refused, too. */
  'left-out-unread': v.union([v.array(v.number()), v.literal('all')]),
  /** Ends that were given with files that have left their paths since, and have no link yet. */
  'kept-ends': v.pipe(v.array(v.object({ stamp, createdAtMs: v.number(), wish })), v.readonly()),
  /** What the user wants with the pre-existing files of folders whose first scan is not done. */
  existing: v.array(
    v.object({
      folder: v.string(),
      existing: v.union([
        v.literal('upload'),
        v.pipe(v.array(v.string()), v.readonly()),
        v.object({ allBut: v.pipe(v.array(v.string()), v.readonly()) }),
      ]),
    }),
  ),
  /** Why the watching process has to scan, with the remedy. */
  'watch-degraded': v.string(),
  /** For folders on drives that other machines write to: minutes between two scans, by id of the folder. */
  'shared-drives': v.record(v.string(), whole),
  /** Ids of watched folders that are missing or whose drive does not answer. */
  'folders-away': v.pipe(v.array(whole), v.readonly()),
  stats: v.object({
    stats: v.object({ total_files: v.number(), total_size: v.number() }),
    limits: v.object({ max_file_size: v.number(), daily_uploads: v.number() }),
    plan: v.string(),
  }),
  /** Bytes in one unit of the sizes that the service reports. */
  'size-unit': v.picklist([1, 1000, 1024, 1_000_000, 1_048_576]),
  /**
   * The largest size that was accepted and the smallest that was refused, in bytes, while the service reported this
   * `max_file_size` (`told`) and plan.
   */
  'size-limit': v.object({
    told: v.number(),
    plan: v.string(),
    acceptedBytes: whole,
    refused: v.nullable(v.object({ bytes: whole, atMs: v.number() })),
    /** Something was refused under another limit or plan, and was not tried again since. */
    isLifted: v.boolean(),
  }),
  /** What was wrong with the settings when a person was last notified. */
  'settings-told': v.pipe(v.array(v.string()), v.readonly()),
  /** How many links an earlier version read again and again; missing: none, or a person knows that it ended. */
  'links-not-read-again': whole,
  /** The addresses that the keys of the environment and of the key command belong to; `mark` tells keys apart. */
  'key-origins': v.record(
    v.picklist(['environment', 'command']),
    v.object({ mark: v.string(), origin: v.string() }),
  ),
  /** How often the stored key was replaced or removed: a process that keeps it in memory reads it again. */
  'key-changes': whole,
  /** Random hex digits: without them a mark reveals nothing about its key (engine/account/copies/identity.ts). */
  salt: v.string(),
  /** The key was removed by a person: that of an earlier version is not taken over. */
  'logged-out': v.literal(true),
  /** The key with this mark does not show the files of this data folder, and a person is asked whose it is. */
  'unknown-key': v.object({ mark: v.string() }),
  /**
   * When the account's list was last read for the user on each day, oldest first, and the downloads so far by then. These
   * never fall.
   */
  readings: v.array(v.object({ atMs: v.number(), downloads: whole })),
  /** The account's list was last read as a whole. */
  'list-seen': v.object({ complete: v.literal(true) }),
  /** The ledger is newer than the files; `setAside`: where the damaged one is. */
  rebuilt: v.object({ setAside: v.nullable(v.string()) }),
  /** The next start holds what waits. */
  'hold-waiting': v.literal(true),
  /**
   * Uploads may be missing in this ledger. `sinceMs`: entries that were first seen earlier are known. `untilMs`: files
   * that were written later cannot be in an upload that this ledger does not know.
   */
  'may-be-older': v.object({ sinceMs: v.number(), untilMs: v.number() }),
  /**
   * What files are searched for before they are ready: the settings lookInside and photoLocation. Missing: their
   * defaults.
   */
  'looks-inside': v.string(),
  /** Files were searched while the key was not known: they are searched again once it is. */
  'looked-without-key': v.literal(true),
  /** Marks of the keys that files were searched for. */
  'looked-with': v.array(v.string()),
  /** The longest life of a link in milliseconds, by the setting `maxExpireAfter`; missing: no limit. */
  'longest-life': whole,
  /** Expired links that were taken back and are not reported yet. */
  expired: v.object({ files: whole, alive: whole, answers: v.optional(whole), lateMs: v.number() }),
  /** The daily line about followed links was reported, or was empty. */
  'downloads-told': v.literal(true),
  /** The audit file has all entries up to `seq`. `ledger`: a random name of this ledger in its lines. */
  audit: v.object({ ledger: v.string(), seq: v.fallback(whole, 0) }),
  /** The last entry before the first one that the program of the setting `afterUpload` has not heard of. */
  'after-upload': whole,
  /** The last write that a probe of the ledger made. */
  probed: v.literal(true),

  // The desktop app's.
  window: v.object({ x: whole, y: whole, width: whole, height: whole, maximized: v.boolean() }),
  compactRows: v.boolean(),
  /** The app has notified the user that it stays in the tray when its window is closed. */
  toldOfTray: v.literal(true),
  /** The setting launchAtLogin, as it was last written into the system's own list. */
  launchAtLogin: v.boolean(),
  /** `tried`: the version of the last update that Outtray installed itself. `isFresh`: no start of the app since. */
  quietUpdate: v.object({ tried: v.nullable(v.string()), isFresh: v.boolean() }),
};

export type Facts = { [Name in keyof typeof facts]: v.InferOutput<(typeof facts)[Name]> };

/**
 * What counts instead of a value that cannot be read: it is damaged, or another version wrote it. It stops or asks
 * more, never less. Facts that are missing here are learned again or only shown. `atMs`: when the value was written.
 */
export const unread: { readonly [Name in keyof Facts]?: (atMs: number) => Facts[Name] } = {
  pause: () => ({ untilMs: null, isUnread: true }),
  'left-out-unread': () => 'all',
  rebuilt: () => ({ setAside: null }),
  'hold-waiting': () => true,
  'may-be-older': (atMs) => ({ sinceMs: 0, untilMs: atMs }),
  // No setting has this value, so files that are ready are searched again.
  'looks-inside': () => '',
  // A ledger without a name: audit-trail.ts handles it.
  audit: () => ({ ledger: '', seq: 0 }),
};
