// The one table of commands: name, input schema, answer type. Electron IPC, the command line and tests are
// transports over it. A missing handler or a wrong input does not compile.
import type { Wording } from './text/wording.ts';
import { namedFor } from './catalogue/choices.ts';
import { command, type CallFacts } from './catalogue/calls.ts';
import { fileIdSchema, type FileId } from './text/file-id.ts';
import * as v from 'valibot';
import { doors } from './model.ts';
import type {
  AlikeUploads,
  BudgetView,
  DailyUploads,
  EngineStatus,
  FileRow,
  FolderStatus,
  LeftOut,
  Pagination,
  QueueOrder,
  RemoteFile,
  ServiceStats,
  SkipRule,
  UploadView,
  VerifyReason,
} from './model.ts';
import {
  folderRules,
  ownRulesSchema,
  settingNames,
  type FolderRule,
  type FolderRules,
  type SettingName,
  type SettingView,
} from './settings.ts';
import type { Entry, EntryBody } from './entries.ts';
import type { ErrorCode, WireError } from './errors.ts';
import { longestExpiryMs } from './expiry.ts';
import type { CardFile } from './text/card.ts';
import type { ExportedFile, Copies, Review } from './report.ts';

const nothing = v.strictObject({});
const id = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
/** Folders of the system that can be added by name. */
export const folderPresets = ['screenshots'] as const;
export type FolderPreset = (typeof folderPresets)[number];
/** As many as one select-all of a very full list; more is a mistake. */
const ids = v.pipe(v.array(id), v.minLength(1), v.maxLength(100_000));
const fileIds = v.pipe(v.array(fileIdSchema), v.minLength(1), v.maxLength(100_000));
const asOfMs = v.pipe(v.number(), v.safeInteger());
/** All uploads of one fate (`fateOf`) that have not changed since the user saw how many they are. */
const alike = v.strictObject({
  kind: v.picklist(['held', 'skipped', 'failed']),
  fate: v.pipe(v.string(), v.maxLength(2_000)),
  asOfMs,
});
const idsOrAlike = v.union([v.strictObject({ ids }), v.strictObject({ alike })]);
export type Alike = v.InferOutput<typeof alike>;
const path = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(32_768, 'A path or a name has at most 32,768 characters.'),
);
/** What to do with the files that are in a folder already: none, all, or just these paths. */
const existing = v.union([v.picklist(['skip', 'upload']), v.array(path)]);
const expireWish = v.union([
  v.strictObject({
    afterMs: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(longestExpiryMs)),
  }),
  v.strictObject({
    atMs: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(8_640_000_000_000_000)),
  }),
  v.literal('never'),
]);
const namedExactly = v.union([
  v.strictObject({ fileId: fileIdSchema }),
  v.strictObject({ queueId: id }),
  v.strictObject({ link: v.pipe(v.string(), v.maxLength(2048)) }),
]);
/** As a person names a file (`Named`). */
const named = v.union([
  namedExactly,
  v.strictObject({ path }),
  v.strictObject({ name: path, path, else: v.optional(namedExactly) }),
]);
/** Files of this machine. */
const ownFiles = v.pipe(v.array(named), v.minLength(1), v.maxLength(10_000));
/**
 * What limits a call by an agent: only files in these real folders, reached over no link; a person's decisions hold.
 * `mayReopen`: uploads that were cancelled for the agent, not by a person.
 */
const agent = v.strictObject({
  roots: v.pipe(v.array(path), v.maxLength(1000)),
  mayReopen: v.pipe(v.array(id), v.maxLength(100_000)),
});
/** A file that a card names. */
const cardEntry = v.strictObject({
  fileId: v.nullable(fileIdSchema),
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  sizeBytes: v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  publicLink: v.nullable(v.pipe(v.string(), v.maxLength(2048))),
});
/** Printable ASCII, trimmed by the caller (security.md, Secrets). */
const key = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^[\x21-\x7e]{1,512}$/, 'An API key is up to 512 printable characters without spaces.'),
);

export type KeyState =
  | { kind: 'stored'; lastFour: string }
  | { kind: 'environment'; lastFour: string }
  /** The setting keyCommand gives it. */
  | { kind: 'command'; lastFour: string }
  /** Kept for this session only, because there is no keychain. */
  | { kind: 'session'; lastFour: string; remedy: Wording }
  | { kind: 'absent' }
  | { kind: 'locked'; remedy: Wording }
  | { kind: 'unavailable'; remedy: Wording; message?: string };

export type AccountView = {
  baseUrl: string | null;
  key: KeyState;
  /** The key does not show the files of this data folder, and a person has to say whose it is. */
  isUnknown: boolean;
  plan: string | null;
  planAsOfMs: number | null;
  /** Files of the account at the last look at its statistics. */
  files: number | null;
  /** The largest file that the account probably allows. Only shown: no file fails because of it. Null: not known. */
  maxFileBytes: number | null;
};

/** `relative`: the path below the folder, with `/`. `why`: what keeps it back; null when it can be uploaded. */
export type FoundFile = {
  path: string;
  relative: string;
  sizeBytes: number;
  why: SkipRule | 'secret-name' | 'too-large' | 'not-allowed' | null;
};
/** `files`: at most 1,000 of them, largest first. */
export type FoundGroup = { files: FoundFile[]; totalFiles: number; totalBytes: number };
/** The files of a folder that the user may choose, by what happens with each if the user asks for all of them. */
export type FolderInspection = {
  folder: string;
  goes: FoundGroup;
  held: FoundGroup;
  skipped: FoundGroup;
  /** True when the ledger already knows this folder: then nothing in it counts as existing. */
  known: boolean;
};

/** `message` is the service's own; null when it was not deleted. */
export type DeleteResult = {
  fileId: FileId;
  deleted: boolean;
  message: string | null;
  error: WireError | null;
  /**
   * For our own file: whether its link is dead, too; null: the link was not requested. A link may be dead although the
   * service had no such file: then `deleted` is true, and `error` reports that.
   */
  dead: boolean | null;
  /** Our own file could not be deleted yet; the request is recorded. */
  goesOn: boolean;
};

/** A link that was taken back, with the facts of its entry; null with the reason why not, or not yet. */
export type RecallResult = {
  fileId: FileId | null;
  path: string | null;
  recalled: Omit<Extract<EntryBody, { kind: 'recalled' }>, 'kind'> | null;
  error: WireError | null;
};

/** A link with the time at which it ends; null with the reason why it has none. */
export type ExpireResult = {
  fileId: FileId | null;
  path: string | null;
  publicLink: string | null;
  expiresAtMs: number | null;
  error: WireError | null;
};

/** A link whose downloads are reported. `downloads`: without our own reads; null: not known yet. */
export type FollowedLink = {
  fileId: FileId;
  path: string;
  publicLink: string;
  downloads: number | null;
  /** When the service was asked last; null: never. */
  asOfMs: number | null;
  sinceMs: number;
};
/** `link` null: it is not followed now. */
export type FollowResult = {
  fileId: FileId | null;
  path: string | null;
  publicLink: string | null;
  link: FollowedLink | null;
  error: WireError | null;
};
/** Why a check that is due is not made: the budget is short, uploads wait, or the service cannot be asked. */
export type FollowWait = 'requests' | 'uploads' | 'service';
/** What all followed links cost. `everyMs`: how often each of them is checked at most. `waits` null: nothing waits. */
export type FollowPrice = {
  links: number;
  requestsPerDay: number;
  dayLimit: number;
  everyMs: number;
  waits: FollowWait | null;
};
/** For one followed link. `nextCheckMs`: wall clock, at the earliest. */
export type FollowState = { nextCheckMs: number; price: FollowPrice };

/** The facts on a link's release card; null with the reason why there is no card. */
export type CardResult = {
  fileId: FileId | null;
  path: string | null;
  card: CardFile | null;
  error: WireError | null;
};

/**
 * What a public link serves, read without the key. `ok` null with the error of a file that has no link. `unreachable`
 * and `unknown-content` prove nothing: the link could not be read, or what it should serve is not known.
 */
export type VerifyResult = {
  fileId: FileId | null;
  path: string | null;
  publicLink: string | null;
  ok: boolean | null;
  reason: VerifyReason | null;
  error: WireError | null;
};

/** A file as the service reports it, with the end that this machine keeps; null: never, or it is not ours. */
export type ListedFile = RemoteFile & { expiresAtMs: number | null };

/** `downloads`: counted on that day, between two readings of the list. */
export type DayCount = { day: string; uploads: number; bytes: number; downloads: number };
/** A file with its counted downloads: in the last 7 days, and on each of the last 28. */
export type TopFile = { row: FileRow; week: number; days: number[] };
/** By the last list of the account: links of each kind, and the downloads of all. */
export type DownloadCounts = { neverDownloaded: number; downloaded: number; downloads: number };

export type StatsView = {
  service: ServiceStats | null;
  asOfMs: number | null;
  budget: BudgetView;
  dailyUploads: { used: number; limit: number | null };
  /** The last 30 days, oldest first, in local time. */
  days: DayCount[];
  /** How many times the list was read: from the second time on downloads can be counted. */
  readings: number;
  top: TopFile[];
  /** The files whose first download was counted last. */
  firstDownloads: { row: FileRow; atMs: number }[];
  /** `isAtLeast`: counted in the ledger, which knows more than the service last reported. `bytes` null: not known. */
  shared: { files: number; bytes: number | null; isAtLeast: boolean } & DownloadCounts;
  /** As in AccountView. */
  maxFileBytes: number | null;
};

/** What would happen with a file. `why`: the rule, the reason or the code of an error; null for what is uploaded. */
export type PlannedFile = {
  path: string;
  verdict: 'upload' | 'held' | 'skipped' | 'failed';
  why: string | null;
  /** null: it cannot be read. */
  sizeBytes: number | null;
  expectedAtMs: number | null;
};
/** `requests`: uploads and what they need. `finishesAtMs` null: nothing is uploaded, or the time is not known. */
export type PlanEnd = {
  requests: number;
  finishesAtMs: number | null;
  dailyUploadsLeft: DailyUploads;
  /** What a person could do with the files that would be held as a burst; empty: there are none. */
  burst: BurstPlan[];
};

/** `all`: each file is uploaded. `zip`: all as one. `newest`: the one that changed last; the others are skipped. */
export type BurstPlan = {
  plan: 'all' | 'zip' | 'newest';
  /** Each is one link. */
  uploads: number;
  bytes: number;
  /** Of the zip, or of the newest file; null for `all`. */
  name: string | null;
  /** When the last of them is uploaded; null: the time is not known, or nothing may be uploaded. */
  finishesAtMs: number | null;
  /** How many of them are uploaded within 24 hours. */
  today: number;
};

export type QueueView = {
  status: EngineStatus;
  sending: UploadView[];
  waiting: UploadView[];
  waitingTotal: number;
  held: UploadView[];
  heldTotal: number;
  failed: UploadView[];
  failedTotal: number;
  /** Newest first. */
  skipped: UploadView[];
  /** Complete counts of what is held, failed and skipped, by fate. */
  alike: AlikeUploads[];
  /** What a person can do with a held burst, beside skipping it; empty: there is none. */
  burst: BurstPlan[];
};

/** A file of the service that could be an uncertain upload (upload-protocol.md, Looking). */
export type Candidate = { file: RemoteFile; sameName: boolean; sameSize: boolean };

/** `code`: set when an error made the check fail; the window uses it to choose the words in other languages. */
export type Check = {
  name: string;
  ok: boolean | null;
  message: string;
  remedy: Wording;
  code?: ErrorCode;
};

export type FilesPage = {
  rows: FileRow[];
  /** Pass it back for the next page; null at the end. */
  next: string | null;
  total: number;
  /** How many files each group has; null for a search, which does not count them. */
  counts: Record<FileGroup, number> | null;
  /** How many of each group a search found; null without one, and when there are more than are counted. */
  matches: Record<FileGroup, number> | null;
  asOfMs: number | null;
};

/** `rules`: those in force. `own`: those set for this folder. `locked`: those that a policy decides. */
export type FolderView = FolderStatus & { rules: FolderRules; own: FolderRule[]; locked: FolderRule[] };

/**
 * The history of one upload, and the links that files at its path have had, newest first. `downloads`: of its own link,
 * one item each time that more were seen, oldest first; without our own reads.
 */
export type FileStory = {
  versions: FileVersion[];
  history: Entry[];
  follow: FollowState | null;
  downloads: DownloadCount[];
  /** What is in it; null: it is not a zip that Outtray made. */
  inside: Inside | null;
};
/** `gained`: of `downloads`, those that were not seen before. */
export type DownloadCount = { atMs: number; downloads: number; gained: number };
/** What is in a zip: the first files by name, and how many there are in all. */
export type Inside = { files: { name: string; sizeBytes: number }[]; total: number };
export type FileVersion = {
  uploadId: number;
  publicLink: string;
  uploadedAtMs: number | null;
  downloads: number | null;
  isGone: boolean;
};

/** `match`: what a search found, best first (contract/search.ts). */
export const fileSorts = ['uploaded', 'name', 'size', 'downloads', 'match'] as const;
/** `ours`: uploaded by this machine; `gone`: those of them that left the service. `all` is `ours` and `elsewhere`. */
export const fileGroups = ['all', 'ours', 'elsewhere', 'gone'] as const;
export type FileGroup = (typeof fileGroups)[number];
/** In the order of the paths. `upload` null: no regular file is there, and nothing is recorded. */
export type GivenPath =
  { path: string; upload: UploadView; error: null } | { path: string; upload: null; error: WireError };

/** `path` alone: what is or was there. `fileId` alone: another machine uploaded it. */
export type NamedFile = {
  uploadId: number | null;
  fileId: FileId | null;
  path: string | null;
  error: WireError | null;
};
export const queueOrders = ['arrival', 'newest', 'smallest'] as const satisfies readonly QueueOrder[];

export const commands = {
  'app.status': command<EngineStatus>()({ page: 'free', popover: true }, nothing),

  'account.get': command<AccountView>()({ page: 'free' }, nothing),
  /** Checks the key with one GET /stats, then stores it. */
  'account.login': command<AccountView>()(
    { page: 'judged' },
    v.strictObject({ baseUrl: v.optional(v.string()), key }),
  ),
  /** A person says whose the key is when it does not show the files of this data folder. */
  'account.decide': command<AccountView>()(
    { page: 'hand' },
    v.strictObject({ is: v.picklist(['same', 'another']) }),
  ),
  'account.logout': command<AccountView>()({ page: 'judged' }, nothing),

  'files.page': command<FilesPage>()(
    { page: 'free' },
    v.strictObject({
      search: v.optional(v.pipe(v.string(), v.maxLength(500, 'A search has at most 500 characters.')), ''),
      place: v.optional(v.picklist(fileGroups), 'all'),
      sort: v.optional(v.picklist(fileSorts), 'uploaded'),
      descending: v.optional(v.boolean(), true),
      after: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(2000))), null),
      /** Jumps to this row when there is no `after`. It counts all rows before it: a step by `after` is cheaper. */
      offset: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
      limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(500)), 100),
      /** Only files of this watched folder; null: all files, also those of no folder. */
      folder: v.optional(v.nullable(path), null),
    }),
  ),
  /** Reads the account's list: one request per page. */
  'files.refresh': command<{ requests: number; total: number }>()({ page: 'free' }, nothing),
  /** One page of the account's list as the service gives it: one request. */
  'files.list': command<{ files: ListedFile[]; pagination: Pagination }>()(
    { page: 'free' },
    v.strictObject({ page: v.optional(id), limit: v.optional(id) }),
  ),
  /** `copies`: ids of other files that a repeated request may have made of the same upload. */
  'files.info': command<ListedFile & { copies?: FileId[] }>()(
    { page: 'free' },
    v.strictObject({ fileId: fileIdSchema }),
  ),
  /** Which files are meant, in the order of `files`. No request. */
  'files.find': command<NamedFile[]>()(
    { page: 'never', spells: 'asKnown' },
    v.strictObject({ files: ownFiles, use: v.picklist(namedFor) }),
  ),
  /** Deleted files leave the list. `byLink`: those that a person named by their link. */
  'files.delete': command<DeleteResult[]>()(
    { page: 'hand' },
    v.strictObject({ fileIds, byLink: v.optional(v.array(fileIdSchema)) }),
  ),
  /**
   * Takes back links of this machine, by the service's id or by path: each is recorded first, and proven dead.
   * `byAgent`: its requests count in the share of agents, and nothing is recorded without enough of them.
   */
  'files.recall': command<RecallResult[]>()(
    { page: 'never', spells: 'asKnown' },
    v.strictObject({ files: ownFiles, byAgent: v.optional(v.boolean(), false) }),
  ),
  /** Sets when links of this machine end. No request. */
  'files.expire': command<ExpireResult[]>()(
    { page: 'hand', spells: 'asKnown' },
    v.strictObject({ files: ownFiles, expire: expireWish }),
  ),
  /** Reports downloads of these links from now on; checks them now and then. */
  'files.follow': command<{ results: FollowResult[]; price: FollowPrice }>()(
    { page: 'ids', spells: 'asKnown' },
    v.strictObject({ files: ownFiles }),
  ),
  'files.unfollow': command<{ results: FollowResult[]; price: FollowPrice }>()(
    { page: 'hand', spells: 'asKnown' },
    v.strictObject({ files: ownFiles }),
  ),
  /** Oldest first. No request. */
  'files.followed': command<{ links: FollowedLink[]; price: FollowPrice }>()({ page: 'free' }, nothing),
  /** The facts on release cards for links of this machine. No request. */
  'files.card': command<CardResult[]>()(
    { page: 'ids', spells: 'asKnown' },
    v.strictObject({ files: ownFiles }),
  ),
  /** Ids of the files of this machine whose links were not taken back, newest first. No request. */
  'files.linked': command<FileId[]>()({ page: 'free' }, nothing),
  /**
   * Reads public links without the key and compares their SHA-256: of these files, or of a card. A card without a link
   * or size names content that this machine has shared.
   */
  'files.verify': command<VerifyResult[]>()(
    { page: 'ids', spells: 'asKnown' },
    v.union([
      v.strictObject({ files: ownFiles }),
      v.strictObject({ card: v.pipe(v.array(cardEntry), v.minLength(1), v.maxLength(10_000)) }),
    ]),
  ),
  /** Removes files that are gone from the service from the list; no request. Answers how many it removed. */
  'files.remove': command<number>()({ page: 'hand' }, v.strictObject({ fileIds })),
  /**
   * Uploads these files now, wherever they are. `recursive`: also what lies in folders, by the rules of names.
   * `expire`: when their links end, including links that are there already.
   */
  'files.upload': command<GivenPath[]>()(
    { page: 'judged', popover: true, right: 'allowGivenFiles', spells: 'real', takesPaths: true },
    v.strictObject({
      paths: v.pipe(v.array(path), v.minLength(1), v.maxLength(100_000)),
      again: v.optional(v.boolean(), false),
      recursive: v.optional(v.boolean(), false),
      door: v.optional(v.picklist(doors), 'window'),
      expire: v.optional(expireWish),
      agent: v.optional(agent),
    }),
  ),
  /**
   * Packs these files and folders into one zip and uploads it. `name` null: the folder's or file's own. `packedAgain`:
   * files that changed meanwhile. `packing`: the number by which the caller gets the progress and can stop it.
   */
  'files.bundle': command<{
    upload: UploadView;
    files: number;
    leftOut: LeftOut[];
    packedAgain: string[];
  }>()(
    { page: 'judged', right: 'allowGivenFiles', spells: 'real' },
    v.strictObject({
      paths: v.pipe(v.array(path), v.minLength(1), v.maxLength(100_000)),
      name: v.optional(
        v.nullable(
          v.pipe(
            v.string(),
            v.minLength(1, 'The name of a zip is not empty.'),
            v.maxLength(1000, 'The name of a zip is too long.'),
          ),
        ),
        null,
      ),
      again: v.optional(v.boolean(), false),
      expire: v.optional(expireWish),
      agent: v.optional(agent),
      packing: v.optional(id),
    }),
  ),
  /** Stops the packing of a zip by its number; nothing is left of it. False: there is none, or none any more. */
  'files.stopPacking': command<boolean>()({ page: 'free' }, v.strictObject({ packing: id })),
  /** Links of these uploads, in the order in which they were dropped. */
  'files.links': command<{ uploadId: number; name: string; publicLink: string }[]>()(
    { page: 'free' },
    v.strictObject({ uploadIds: ids }),
  ),

  'queue.get': command<QueueView>()(
    { page: 'free', popover: true },
    v.strictObject({
      limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)), 200),
    }),
  ),
  'queue.held': command<UploadView[]>()({ page: 'free' }, nothing),
  /**
   * The line of the secret for which a file is held, with eight dots in the place of its value. It is read from the
   * file at this moment, only to be shown. Null: the file has changed, cannot be read now, or its line has nothing that
   * may be shown.
   */
  'queue.excerpt': command<{ excerpt: string | null }>()({ page: 'free' }, v.strictObject({ id })),
  'queue.pause': command<EngineStatus>()(
    { page: 'free', popover: true, right: 'allowPause' },
    v.strictObject({ untilMs: v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(0))) }),
  ),
  'queue.resume': command<EngineStatus>()({ page: 'hand', popover: true }, nothing),
  /**
   * `withoutLocation`: photos that are held for their location are uploaded as copies without it; of `alike`, those for
   * which that is possible. `asOfMs`: if one of `ids` has changed since, none is uploaded.
   */
  'queue.confirm': command<UploadView[]>()(
    { page: 'judged' },
    v.union([
      v.strictObject({ ids, asOfMs: v.optional(asOfMs), withoutLocation: v.optional(v.boolean()) }),
      v.strictObject({ alike, withoutLocation: v.optional(v.boolean()) }),
    ]),
  ),
  'queue.skip': command<UploadView[]>()({ page: 'free', popover: true }, idsOrAlike),
  /** Uploads the file of a held burst that changed last, and skips the others. Answers with all of them. */
  'queue.newest': command<UploadView[]>()({ page: 'judged' }, v.strictObject({ asOfMs })),
  /** Uploads a held burst as one zip and skips its files. `packing` as in `files.bundle`. */
  'queue.zip': command<UploadView>()(
    { page: 'judged', right: 'allowGivenFiles' },
    v.strictObject({ asOfMs, packing: v.optional(id) }),
  ),
  /** With neither `ids` nor `alike`: all that failed. */
  'queue.retry': command<UploadView[]>()(
    { page: 'judged' },
    v.strictObject({ ids: v.optional(ids), alike: v.optional(alike) }),
  ),
  'queue.cancel': command<UploadView[]>()({ page: 'free' }, v.strictObject({ ids })),
  /**
   * Undoes the last skip or cancel of this process; with `id` only if it left out this upload. What has changed since
   * then stays as it is.
   */
  'queue.undo': command<UploadView[]>()({ page: 'hand' }, v.strictObject({ id: v.optional(id) })),
  'queue.order': command<EngineStatus>()({ page: 'free' }, v.strictObject({ by: v.picklist(queueOrders) })),
  'queue.toTop': command<UploadView[]>()({ page: 'free' }, v.strictObject({ ids })),
  /** The candidates of every uncertain upload, from one look at the list. */
  'queue.uncertain': command<{ id: number; candidates: Candidate[] }[]>()({ page: 'free' }, nothing),
  'queue.candidates': command<Candidate[]>()({ page: 'free' }, v.strictObject({ id })),
  'queue.resolve': command<UploadView>()(
    { page: 'judged' },
    v.strictObject({
      id,
      choice: v.picklist(['this-is-it', 'again', 'leave']),
      fileId: v.optional(fileIdSchema),
    }),
  ),

  /** `refresh` costs one request. */
  'stats.get': command<StatsView>()(
    { page: 'free' },
    v.strictObject({ refresh: v.optional(v.boolean(), false) }),
  ),

  /**
   * What would happen with these files and folders; makes no request and writes nothing. The answer comes in parts:
   * `next` asks for the next one, of the newest plan only. The last part has the `end`.
   */
  'files.plan': command<{ files: PlannedFile[]; next: number | null; end: PlanEnd | null }>()(
    { page: 'never', spells: 'real' },
    v.union([
      v.strictObject({ paths: v.pipe(v.array(path), v.minLength(1), v.maxLength(100_000)) }),
      v.strictObject({ next: id }),
    ]),
  ),

  /** `beside`: to watch it beside the others. It refuses what `folders.add` would refuse. */
  'folder.inspect': command<FolderInspection>()(
    { page: 'judged' },
    v.strictObject({ folder: path, beside: v.optional(v.boolean(), false) }),
  ),
  'folder.choose': command<EngineStatus>()(
    { page: 'judged', takesPaths: true },
    v.strictObject({
      folder: path,
      existing,
    }),
  ),
  'folder.scan': command<EngineStatus>()({ page: 'free' }, nothing),

  'folders.list': command<FolderView[]>()({ page: 'free' }, nothing),
  /**
   * How many of the files that lie there an ignore pattern skips now, by what the ledger knows: in this folder, or in
   * those that have no patterns of their own. Files with a link do not count. `ignored` null: the folder is away. No
   * request.
   */
  'folders.ignored': command<{ ignored: number; files: number } | { ignored: null }>()(
    { page: 'free' },
    v.strictObject({ folder: v.nullable(path) }),
  ),
  /** Where the system has this folder; null: it is not there, or cannot be watched. */
  'folders.find': command<{ folder: string | null }>()(
    { page: 'free' },
    v.strictObject({ preset: v.picklist(folderPresets) }),
  ),
  /**
   * Watches a folder beside the others. A preset is a place of the system, and has rules of its own. A folder that is
   * away is watched again as it is there now, with the rules that it had.
   */
  'folders.add': command<FolderView[]>()(
    { page: 'judged', takesPaths: true },
    v.strictObject({
      folder: v.union([v.strictObject({ path }), v.strictObject({ preset: v.picklist(folderPresets) })]),
      existing: v.optional(existing, 'skip'),
      rules: v.optional(ownRulesSchema, {}),
    }),
  ),
  /** One rule of one folder; value null: the rule follows the settings. */
  'folders.set': command<FolderView[]>()(
    { page: 'judged' },
    v.strictObject({
      folder: path,
      name: v.picklist(folderRules as [FolderRule, ...FolderRule[]]),
      value: v.unknown(),
    }),
  ),
  /** Stops watching it. Its files keep their links. */
  'folders.remove': command<FolderView[]>()({ page: 'hand' }, v.strictObject({ folder: path })),

  'settings.get': command<SettingView[]>()({ page: 'free', popover: true }, nothing),
  'settings.set': command<SettingView[]>()(
    { page: 'judged' },
    v.strictObject({ name: v.picklist(settingNames as [SettingName, ...SettingName[]]), value: v.unknown() }),
  ),

  /**
   * Every link that a content ever had here: of this SHA-256, of the file at a path or the last one there, or of an
   * upload. No request.
   */
  'report.copies': command<Copies>()(
    { page: 'ids', spells: 'asKnown' },
    v.union([
      v.strictObject({ sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)) }),
      v.strictObject({ path }),
      v.strictObject({ uploadId: id }),
    ]),
  ),
  /** Links that need attention, at most `limit` of each kind. `oldDays`: from this age on a link is old. No request. */
  'report.review': command<Review>()(
    { page: 'free' },
    v.strictObject({
      oldDays: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(36_500)), 90),
      limit: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(100_000)), 10_000),
    }),
  ),
  /** Everything that the ledger knows about files, page by page: pass `next` back. */
  'report.export': command<{ files: ExportedFile[]; next: string | null }>()(
    { page: 'free' },
    v.strictObject({
      after: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(2_000))), null),
      limit: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(1_000)), 500),
    }),
  ),

  'file.story': command<FileStory>()({ page: 'free' }, v.strictObject({ uploadId: id })),
  /** `copies` as in `files.info`. */
  'file.why': command<{ path: string; sentence: Wording; upload: UploadView | null; copies?: FileId[] }>()(
    { page: 'never', spells: 'asKnown' },
    v.union([v.strictObject({ path }), v.strictObject({ uploadId: id })]),
  ),
  'app.doctor': command<Check[]>()({ page: 'free' }, nothing),
} as const;

export type Commands = typeof commands;
export type CommandName = keyof Commands;
export type CommandInput<Name extends CommandName> = v.InferInput<Commands[Name]['schema']>;
export type CommandArguments<Name extends CommandName> = v.InferOutput<Commands[Name]['schema']>;
export type CommandAnswer<Name extends CommandName> = NonNullable<Commands[Name]['answer']>;

/** One function per command; a missing one does not compile. */
export type Handlers = {
  [Name in CommandName]: (
    input: CommandArguments<Name>,
    signal: AbortSignal,
  ) => CommandAnswer<Name> | Promise<CommandAnswer<Name>>;
};

/** The same handlers, each changed by `change` according to the facts of its call. */
export const eachHandler = (
  handlers: Handlers,
  change: (facts: CallFacts, handle: AnyHandler) => AnyHandler,
): Handlers =>
  Object.fromEntries(
    Object.entries<AnyHandler>(handlers).map(([name, handle]) => [
      name,
      isCommandName(name) ? change(commands[name], handle) : handle,
    ]),
    // Each has the input and the answer of the handler that it replaces.
  ) as Handlers;
// The table of calls has parsed the input, so it is what the handler takes.
type AnyHandler = (input: never, signal: AbortSignal) => unknown;

export const isCommandName = (name: string): name is CommandName => Object.hasOwn(commands, name);
