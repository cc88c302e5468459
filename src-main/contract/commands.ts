// The one table of calls: name, who answers it, input schema, answer type. Electron IPC, the command line and tests are
// transports over it. A missing handler or a wrong input does not compile.
import type { Wording } from './text/wording.ts';
import { cardForms, namedFor } from './catalogue/choices.ts';
import { command, windowCommand, type CallFacts } from './catalogue/calls.ts';
import type { NamesWith } from './catalogue/rows-with.ts';
import { fileManagerNames, type FileManagerView } from './file-managers.ts';
import { fileIdSchema, type FileId } from './text/file-id.ts';
import { linkForms } from './text/link-text.ts';
import {
  cueNames,
  pictureUses,
  type CaFileView,
  type CopyResult,
  type NewestLink,
  type OpenResult,
  type ShortcutState,
  type UpdateState,
  type WindowEnvironment,
} from './window.ts';
import * as v from 'valibot';
import { doors } from './model.ts';
import type { EngineStatus, LeftOut, Pagination, QueueOrder, UploadView } from './model.ts';
import {
  folderRules,
  ownRulesSchema,
  settingNames,
  type FolderRule,
  type SettingName,
  type SettingView,
} from './settings.ts';

import { AppError } from './errors.ts';
import { longestExpiryMs } from './expiry.ts';

import { importedFile, type Copies, type ExportedFile, type ImportResult, type Review } from './report.ts';
import {
  type AccountView,
  type Candidate,
  type CardResult,
  type Check,
  type DeleteResult,
  type ExpireResult,
  type FileStory,
  type FilesAlike,
  type FilesIn,
  type FilesPage,
  type FolderInspection,
  type FolderView,
  type FollowPrice,
  type FollowResult,
  type FollowedLink,
  type GivenPath,
  type ListedFile,
  type NamedFile,
  type PlanEnd,
  type PlannedFile,
  type QueueView,
  type RecallResult,
  type StatsView,
  type VerifyResult,
  fileGroups,
} from './answers.ts';

const nothing = v.strictObject({});
const id = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
/** Folders of the system that can be added by name. */
export const folderPresets = ['screenshots'] as const;
export type FolderPreset = (typeof folderPresets)[number];
const someOf = <const Item extends v.GenericSchema>(item: Item, most: number) =>
  v.pipe(
    v.array(item),
    v.minLength(1),
    // The message is made when it is needed: the first number that is formatted costs a process 15 ms.
    v.maxLength(most, () => `These are more than ${most.toLocaleString('en')} files. Name fewer at once.`),
  );
/** As many as one select-all of a very full list; more is a mistake. */
const maxFiles = 100_000;
const ids = someOf(id, maxFiles);
const fileIds = someOf(fileIdSchema, maxFiles);
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
/** What to do with the files that are in a folder already: `Existing` of answers.ts. */
const existing = v.union([
  v.picklist(['skip', 'upload']),
  v.array(path),
  v.strictObject({ allBut: v.array(path) }),
]);
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
const ownFiles = someOf(named, 10_000);
/**
 * What limits a call by an agent: only files in these real folders, reached over no link; a person's decisions hold.
 * `mayReopen`: uploads that were cancelled for the agent, not by a person. `isText`: the file in the spool has its text.
 */
const agent = v.strictObject({
  roots: v.pipe(v.array(path), v.maxLength(1000)),
  mayReopen: v.pipe(v.array(id), v.maxLength(maxFiles)),
  isText: v.exactOptional(v.literal(true)),
});
/** Lists of the window: 5,000 ids stay well under the pipe's 64 KiB. */
const idList = v.pipe(v.array(id), v.maxLength(5_000));
const fileIdList = v.pipe(v.array(fileIdSchema), v.maxLength(5_000));
const fileRef = v.union([v.strictObject({ uploadId: id }), v.strictObject({ fileId: fileIdSchema })]);
/** A file that a card names. */
const cardEntry = v.strictObject({
  fileId: v.nullable(fileIdSchema),
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  sizeBytes: v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  publicLink: v.nullable(v.pipe(v.string(), v.maxLength(2048))),
});
/** As many as the largest export that is read has room for. */
const mostImported = 500_000;
/** Printable ASCII, trimmed by the caller (security.md, Secrets). */
const key = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^[\x21-\x7e]{1,512}$/, 'An API key is up to 512 printable characters without spaces.'),
);

/** `match`: what a search found, best first (contract/search.ts). */
export const fileSorts = ['uploaded', 'name', 'size', 'downloads', 'match'] as const;
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
    v.strictObject({ fileId: fileIdSchema, accountId: v.optional(id) }),
  ),
  /** Which files are meant, in the order of `files`. No request. */
  'files.find': command<NamedFile[]>()(
    { page: 'never', spells: 'asKnown' },
    v.strictObject({ files: ownFiles, use: v.picklist(namedFor) }),
  ),
  /**
   * Deleted files leave the list. `byLink`: those that a person named by their link. `accountId`: in which account these
   * ids were shown. Under a key of another one nothing is deleted.
   */
  'files.delete': command<DeleteResult[]>()(
    { page: 'hand' },
    v.strictObject({ fileIds, byLink: v.optional(v.array(fileIdSchema)), accountId: v.optional(id) }),
  ),
  /**
   * Takes back links of this machine, by the service's id or by path: each is recorded first, and proven dead.
   * `byAgent`: its requests count in the share of agents, and nothing is recorded without enough of them.
   */
  'files.recall': command<RecallResult[]>()(
    { page: 'never', spells: 'asKnown' },
    v.strictObject({ files: ownFiles, byAgent: v.optional(v.boolean(), false) }),
  ),
  /**
   * Makes files of the account known here that another machine has exported. At most three requests show whose they are.
   * Throws `bad-use`, and changes nothing, if they are of another account or contradict what is known. `takeExpiry`:
   * this machine ends those that have an end.
   */
  'files.import': command<ImportResult>()(
    { page: 'never' },
    v.strictObject({
      files: v.pipe(v.array(importedFile), v.maxLength(mostImported)),
      takeExpiry: v.boolean(),
    }),
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
    v.union([v.strictObject({ files: ownFiles }), v.strictObject({ card: someOf(cardEntry, 10_000) })]),
  ),
  /** Gives up deletions whose DELETE has not left yet. Answers with the ids of those that stay. */
  'files.keep': command<FileId[]>()({ page: 'hand' }, v.strictObject({ fileIds })),
  /** Removes files that are gone from the service from the list; no request. Answers how many it removed. */
  'files.remove': command<number>()({ page: 'hand' }, v.strictObject({ fileIds })),
  /** The files at these paths and, by the rules of names, in these folders. */
  'files.walk': command<FilesIn>()(
    { page: 'never', right: 'allowGivenFiles', spells: 'real' },
    v.strictObject({ paths: someOf(path, maxFiles) }),
  ),
  /**
   * Uploads these files now, wherever they are. `expire`: when their links end, including links that are there
   * already.
   */
  'files.upload': command<GivenPath[]>()(
    {
      page: 'judged',
      popover: true,
      right: 'allowGivenFiles',
      sends: 'always',
      spells: 'real',
      takesPaths: true,
    },
    v.strictObject({
      paths: someOf(path, maxFiles),
      again: v.optional(v.boolean(), false),
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
    { page: 'judged', right: 'allowGivenFiles', sends: 'always', spells: 'real' },
    v.strictObject({
      paths: someOf(path, maxFiles),
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
  /** These uploads by fate, whatever the lists of `queue.get` have no room for. An unknown id is left out. */
  'queue.alike': command<FilesAlike[]>()({ page: 'free' }, idsOrAlike),
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
   * As `skip`, `retry` and `cancel`, it answers for those that it could change, and throws the first reason if for none.
   * `withoutLocation`: photos that are held for their location are uploaded as copies without it; of `alike`, those for
   * which that is possible. `asOfMs`: none of `ids` that has changed since.
   */
  'queue.confirm': command<UploadView[]>()(
    { page: 'judged', sends: 'always' },
    v.union([
      v.strictObject({ ids, asOfMs: v.optional(asOfMs), withoutLocation: v.optional(v.boolean()) }),
      v.strictObject({ alike, withoutLocation: v.optional(v.boolean()) }),
    ]),
  ),
  'queue.skip': command<UploadView[]>()({ page: 'free', popover: true }, idsOrAlike),
  /** Uploads the file of a held burst that changed last, and skips the others. Answers with all of them. */
  'queue.newest': command<UploadView[]>()({ page: 'judged', sends: 'always' }, v.strictObject({ asOfMs })),
  /** Uploads a held burst as one zip and skips its files. `packing` as in `files.bundle`. */
  'queue.zip': command<UploadView>()(
    { page: 'judged', right: 'allowGivenFiles', sends: 'always' },
    v.strictObject({ asOfMs, packing: v.optional(id) }),
  ),
  /** With neither `ids` nor `alike`: all that failed. */
  'queue.retry': command<UploadView[]>()(
    { page: 'judged', sends: 'always' },
    v.strictObject({ ids: v.optional(ids), alike: v.optional(alike) }),
  ),
  'queue.cancel': command<UploadView[]>()({ page: 'free' }, v.strictObject({ ids })),
  /**
   * Undoes the last skip or cancel of this process; with `actionsOf` those that left out these uploads, with `ids` only
   * what was done to these. What has changed since then stays as it is.
   */
  'queue.undo': command<UploadView[]>()(
    { page: 'hand', sends: 'always' },
    v.strictObject({ actionsOf: v.optional(ids), ids: v.optional(ids) }),
  ),
  'queue.order': command<EngineStatus>()({ page: 'free' }, v.strictObject({ by: v.picklist(queueOrders) })),
  'queue.toTop': command<UploadView[]>()({ page: 'free' }, v.strictObject({ ids })),
  /** The candidates of every uncertain upload, from one look at the list. */
  'queue.uncertain': command<{ id: number; candidates: Candidate[] }[]>()({ page: 'free' }, nothing),
  'queue.candidates': command<Candidate[]>()({ page: 'free' }, v.strictObject({ id })),
  'queue.resolve': command<UploadView>()(
    { page: 'judged', sends: 'again' },
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
    v.union([v.strictObject({ paths: someOf(path, maxFiles) }), v.strictObject({ next: id })]),
  ),

  /** `beside`: to watch it beside the others. It refuses what `folders.add` would refuse. */
  'folder.inspect': command<FolderInspection>()(
    { page: 'judged' },
    v.strictObject({ folder: path, beside: v.optional(v.boolean(), false) }),
  ),
  'folder.choose': command<EngineStatus>()(
    { page: 'judged', sends: 'always', takesPaths: true },
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
    { page: 'judged', sends: 'always', takesPaths: true },
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

  'window.environment': windowCommand<WindowEnvironment>()({ page: 'free', popover: true }, nothing),

  /** Remembered for the next start; how the window looks is no setting. */
  'window.compactRows': windowCommand<null>()({ page: 'free' }, v.strictObject({ on: v.boolean() })),
  /** The changes of this and earlier versions as Markdown, in English. */
  'window.changes': windowCommand<{ text: string }>()({ page: 'free' }, nothing),

  'window.copySha256': windowCommand<CopyResult>()({ page: 'free' }, v.strictObject({ uploadId: id })),
  /**
   * Our own uploads come first, in the order in which they were dropped, then the others as given. Without `as`: in
   * the form of the setting copyFormat.
   */
  'window.copyLinks': windowCommand<CopyResult>()(
    { page: 'free', popover: true },
    v.strictObject({ uploadIds: idList, fileIds: fileIdList, as: v.optional(v.picklist(linkForms)) }),
  ),
  /** A release card of our own files. Throws when one of them cannot have one, so that no card is incomplete. */
  'window.copyCard': windowCommand<CopyResult>()(
    { page: 'free' },
    v.strictObject({ fileIds: v.pipe(fileIdList, v.minLength(1)), as: v.picklist(cardForms) }),
  ),
  /** Our newest uploads that have a link, newest first. */
  'window.newestLinks': windowCommand<NewestLink[]>()(
    { page: 'free', popover: true },
    v.strictObject({ limit: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)) }),
  ),
  'window.openLink': windowCommand<OpenResult>()(
    { page: 'free', popover: true },
    v.strictObject({ file: fileRef }),
  ),
  /** A picture of an upload's file on this machine's disk, as a data URL; null where there is none. */
  'window.thumbnail': windowCommand<{ picture: string | null }>()(
    { page: 'free', popover: true },
    v.strictObject({ uploadId: id, use: v.picklist(pictureUses) }),
  ),
  'window.showInFolder': windowCommand<null>()({ page: 'free' }, v.strictObject({ uploadId: id })),
  /** A drag that began in the page goes on with the file itself, where it is still on the disk. */
  'window.startDrag': windowCommand<null>()({ page: 'free' }, v.strictObject({ uploadId: id })),
  /** Shows a watched folder in the system's file manager: this one, or the first. Another one is refused. */
  'window.openFolder': windowCommand<null>()(
    { page: 'free', popover: true },
    v.strictObject({ folder: v.optional(v.pipe(v.string(), v.maxLength(32_768))) }),
  ),

  'window.chooseFolder': windowCommand<{ folder: string | null }>()({ page: 'free' }, nothing),
  /** A page gets tokens for the paths. */
  /** `near`: in the folder of this file, by its token. */
  'window.chooseFiles': windowCommand<{ paths: string[] }>()(
    { page: 'judged', popover: true },
    v.strictObject({ near: v.optional(v.string()) }),
  ),
  /** Uploads the files or the image on the clipboard; an empty list when there is neither. */
  /** Null: only files that are not on this computer were copied, and a dialog reports that. */
  'window.uploadClipboard': windowCommand<UploadView[] | null>()({ page: 'hand', popover: true }, nothing),

  /**
   * Whether the program from which the clipboard's content was copied marks it private; then a message says that. The
   * page asks before it uploads files of its paste event.
   */
  'window.isClipboardPrivate': windowCommand<boolean>()({ page: 'free' }, nothing),

  'window.pasteShortcut': windowCommand<{ state: ShortcutState }>()({ page: 'free' }, nothing),

  /**
   * A dialog of the system names these uploads and asks whether they become public. Throws `aborted`: they stay
   * private. After a yes, `queue.confirm` does not ask about them again while they do not change.
   */
  'window.askToPublish': windowCommand<null>()(
    { page: 'judged' },
    v.strictObject({ ids: v.pipe(idList, v.minLength(1)) }),
  ),

  /**
   * Asks as `files.delete` would. After a yes, `files.delete` does not ask about them again, once for each. `copied`:
   * those whose link is in the text that Outtray copied last; `copy` identifies that text.
   */
  'window.askToRecall': windowCommand<{ copied: FileId[]; copy: number }>()(
    { page: 'judged' },
    v.strictObject({ fileIds: v.pipe(fileIdList, v.minLength(1)) }),
  ),
  /**
   * Whether the clipboard still holds what Outtray copied, as far as it knows without reading it. `clear` removes that
   * text.
   */
  'window.clipboard': windowCommand<{ holds: boolean }>()(
    { page: 'free' },
    v.strictObject({ copy: v.pipe(v.number(), v.safeInteger()), act: v.picklist(['look', 'clear', 'lost']) }),
  ),

  /** The file managers of this system, and whether they have the entry "Upload and copy link". */
  'window.fileManagers': windowCommand<FileManagerView[]>()({ page: 'free' }, nothing),
  'window.setFileManager': windowCommand<FileManagerView[]>()(
    { page: 'hand' },
    v.strictObject({ name: v.picklist(fileManagerNames), on: v.boolean() }),
  ),
  'window.caFile': windowCommand<CaFileView | null>()({ page: 'free' }, nothing),
  /** Asks for a certificate file, reads it and sets `caFile`; null when the user chose none. */
  'window.chooseCaFile': windowCommand<CaFileView | null>()({ page: 'free' }, nothing),

  /** The redacted bundle as text: exactly what `window.saveDiagnostics` would save. */
  'window.diagnostics': windowCommand<{ text: string }>()({ page: 'free' }, nothing),
  'window.saveDiagnostics': windowCommand<{ path: string | null }>()({ page: 'free' }, nothing),

  'window.update': windowCommand<UpdateState>()(
    { page: 'judged' },
    v.strictObject({ act: v.picklist(['state', 'check', 'load', 'install']) }),
  ),
  /** `settings`: back to the defaults. `everything`: key, settings and ledger too; the app then starts again. */
  'window.reset': windowCommand<null>()(
    { page: 'judged' },
    v.strictObject({ what: v.picklist(['settings', 'everything']) }),
  ),
  /** Starts the app with this profile; its own window asks for the key. */
  'window.openAccount': windowCommand<null>()(
    { page: 'hand' },
    v.strictObject({ name: v.pipe(v.string(), v.minLength(1), v.maxLength(32)) }),
  ),
  'window.quit': windowCommand<null>()({ page: 'free', popover: true }, nothing),

  /** From the popover of the tray: shows the window, at the place that the cue names. */
  'window.show': windowCommand<null>()(
    { page: 'free', popover: true },
    v.strictObject({ cue: v.optional(v.picklist(cueNames)) }),
  ),
  /** Makes the popover as high as its content. */
  'window.fitPopover': windowCommand<null>()(
    { page: 'free', popover: true },
    v.strictObject({ heightPx: v.pipe(v.number(), v.integer(), v.minValue(80), v.maxValue(2_000)) }),
  ),
  'window.closePopover': windowCommand<null>()({ page: 'free', popover: true }, nothing),
} as const;

export type Commands = typeof commands;
export type CommandName = keyof Commands;
export type EngineCommandName = CommandNamed<{ handledBy: 'engine' }>;
export type WindowCommandName = CommandNamed<{ handledBy: 'window' }>;
/** The calls whose rows have this fact. */
export type CommandNamed<Fact extends Partial<CallFacts>> = NamesWith<Commands, Fact>;
export type CommandInput<Name extends CommandName> = v.InferInput<Commands[Name]['schema']>;
export type CommandArguments<Name extends CommandName> = v.InferOutput<Commands[Name]['schema']>;
/** Null is an answer, too ("nothing chosen", "done"). */
export type CommandAnswer<Name extends CommandName> = Exclude<Commands[Name]['answer'], undefined>;

/** One function per call; a missing one does not compile. */
export type Handlers<Name extends CommandName = EngineCommandName> = {
  [One in Name]: (
    input: CommandArguments<One>,
    signal: AbortSignal,
  ) => CommandAnswer<One> | Promise<CommandAnswer<One>>;
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

/** The facts of a call; null: there is no such call. */
export const callFacts = (name: string): CallFacts | null => (isCommandName(name) ? commands[name] : null);

/** The input of a call with its defaults. Throws `bad-use` with what is wrong. */
export const parsedInput = <Name extends CommandName>(name: Name, input: unknown): CommandArguments<Name> => {
  const parsed = v.safeParse(commands[name].schema, input);
  if (parsed.success) return parsed.output;
  const issue = parsed.issues[0];
  // A full sentence from the schema is meant for a person, who does not know the name of the call.
  if (issue.message.endsWith('.')) throw new AppError('bad-use', issue.message, 'Correct it and try again.');
  const where = v.getDotPath(issue);
  throw new AppError('bad-use', `${name}: ${where === null ? '' : `${where}: `}${issue.message}`);
};

export const noSuchCall = (): AppError => new AppError('bad-use', 'There is no such command.');
