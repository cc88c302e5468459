// The second table of commands, same form as commands.ts: what only the process that owns the window can do
// (clipboard, dialogs, the system's file manager, quitting). It travels over the same pipe; all names start with
// `window.`. Links and files are named by id and looked up in the ledger there: the window never sends an address
// to be opened, and a path only of a watched folder (security.md, "Opening things").
import type { Platform } from './text/speech.ts';
import { fileIdSchema, type FileId } from './text/file-id.ts';
import { fileManagerNames, type FileManagerView } from './file-managers.ts';
import * as v from 'valibot';
import { AppError, fromWire, toWire, type WireError } from './errors.ts';
import type { Change, Reply, Transport } from './client.ts';
import { commands, isCommandName, type Commands } from './commands.ts';
import { command, type CallFacts } from './catalogue/calls.ts';
import { cardForms } from './catalogue/choices.ts';
import type { NamesWith } from './catalogue/rows-with.ts';
import { linkForms } from './text/link-text.ts';
import type { LeftOut, UploadView } from './model.ts';

const nothing = v.strictObject({});
const id = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
/** 5,000 ids stay well under the pipe's 64 KiB. */
const idList = v.pipe(v.array(id), v.maxLength(5_000));
const fileIdList = v.pipe(v.array(fileIdSchema), v.maxLength(5_000));
/** A file by our upload, or by the service's id when it came from elsewhere. */
const fileRef = v.union([v.strictObject({ uploadId: id }), v.strictObject({ fileId: fileIdSchema })]);

/** What the shell may ask of the window; a page beside it asks for the same by name. */
export const cueNames = [
  'show-files',
  'show-queue',
  'show-statistics',
  'show-settings',
  'find',
  'upload-files',
  'shortcuts',
] as const;

const pictureUses = ['row', 'details'] as const;

/** Where a picture of a file is shown: as a small square in a row, or as it is in the details. */
export type PictureUse = (typeof pictureUses)[number];
export type FileRef = v.InferOutput<typeof fileRef>;

export type WindowEnvironment = {
  platform: Platform;
  version: string;
  /** BCP 47, as the system prefers them; the `language` setting wins over it. */
  languages: string[];
  /** Where the ledger, settings and logs are; shown, never sent back. */
  dataFolder: string;
  /** The folder proposed at first run; the user still has to agree. */
  proposedFolder: string;
  /** The user's home folder: a path in it begins with `~`. Empty on Windows, which does not use `~`. */
  userHome: string;
  canLaunchAtLogin: boolean;
  /** The rows of Files are low. */
  compactRows: boolean;
  /** Settings of the file or the policy that are ignored, as sentences. */
  ignoredSettings: string[];
  /** Another process has the engine (`outtray watch`); this window shows what it does. */
  isGuest: boolean;
};

/** `sure` false: the system took the text but cannot confirm that it arrived (Wayland without focus). */
export type CopyResult = { count: number; sure: boolean };

/** The result of opening a link; `refused` when the address is not one Outtray opens. */
export type OpenResult = { kind: 'opened' } | { kind: 'refused'; reason: string };

export type NewestLink = { uploadId: number; name: string; uploadedAtMs: number };

/** How many of the newest links are offered to be copied together, if that many exist. */
export const newestTogether = (links: number): number[] => [
  ...new Set([3, 5, 10].map((count) => Math.min(count, links))),
];

/** Of the setting pasteShortcut. `taken`: another program has these keys; `wayland`: no program can take any there. */
export type ShortcutState = 'off' | 'set' | 'taken' | 'wayland';

export type CaFileView = { path: string; sha256: string; subject: string; validUntilMs: number };

export type UpdateState =
  | { kind: 'off' }
  /** The system's own tool updates this installation. */
  | { kind: 'managed' }
  | { kind: 'current'; checkedAtMs: number | null }
  /** `notes`: what changed, as plain text; may be empty. */
  | { kind: 'available'; version: string; notes: string }
  | { kind: 'loading'; version: string; share: number }
  | { kind: 'ready'; version: string; notes: string }
  | { kind: 'failed'; error: WireError };

export const windowCommands = {
  'window.environment': command<WindowEnvironment>()({ page: 'free', popover: true }, nothing),

  /** Remembered for the next start; how the window looks is no setting. */
  'window.compactRows': command<null>()({ page: 'free' }, v.strictObject({ on: v.boolean() })),
  /** The changes of this and earlier versions as Markdown, in English. */
  'window.changes': command<{ text: string }>()({ page: 'free' }, nothing),

  'window.copySha256': command<CopyResult>()({ page: 'free' }, v.strictObject({ uploadId: id })),
  /**
   * Our own uploads come first, in the order in which they were dropped, then the others as given. Without `as`: in
   * the form of the setting copyFormat.
   */
  'window.copyLinks': command<CopyResult>()(
    { page: 'free', popover: true },
    v.strictObject({ uploadIds: idList, fileIds: fileIdList, as: v.optional(v.picklist(linkForms)) }),
  ),
  /** A release card of our own files. Throws when one of them cannot have one, so that no card is incomplete. */
  'window.copyCard': command<CopyResult>()(
    { page: 'free' },
    v.strictObject({ fileIds: v.pipe(fileIdList, v.minLength(1)), as: v.picklist(cardForms) }),
  ),
  /** Our newest uploads that have a link, newest first. */
  'window.newestLinks': command<NewestLink[]>()(
    { page: 'free', popover: true },
    v.strictObject({ limit: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)) }),
  ),
  'window.openLink': command<OpenResult>()(
    { page: 'free', popover: true },
    v.strictObject({ file: fileRef }),
  ),
  /** A picture of an upload's file on this machine's disk, as a data URL; null where there is none. */
  'window.thumbnail': command<{ picture: string | null }>()(
    { page: 'free', popover: true },
    v.strictObject({ uploadId: id, use: v.picklist(pictureUses) }),
  ),
  'window.showInFolder': command<null>()({ page: 'free' }, v.strictObject({ uploadId: id })),
  /** A drag that began in the page goes on with the file itself, where it is still on the disk. */
  'window.startDrag': command<null>()({ page: 'free' }, v.strictObject({ uploadId: id })),
  /** Shows a watched folder in the system's file manager: this one, or the first. Another one is refused. */
  'window.openFolder': command<null>()(
    { page: 'free', popover: true },
    v.strictObject({ folder: v.optional(v.pipe(v.string(), v.maxLength(32_768))) }),
  ),

  'window.chooseFolder': command<{ folder: string | null }>()({ page: 'free' }, nothing),
  /** A page gets tokens for the paths. */
  'window.chooseFiles': command<{ paths: string[] }>()({ page: 'free', popover: true }, nothing),
  /** Uploads the files or the image on the clipboard; an empty list when there is neither. */
  /** Null: only files that are not on this computer were copied, and a dialog reports that. */
  'window.uploadClipboard': command<UploadView[] | null>()({ page: 'hand', popover: true }, nothing),

  /**
   * Whether the program from which the clipboard's content was copied marks it private; then a message says that. The
   * page asks before it uploads files of its paste event.
   */
  'window.isClipboardPrivate': command<boolean>()({ page: 'free' }, nothing),

  'window.pasteShortcut': command<{ state: ShortcutState }>()({ page: 'free' }, nothing),

  /**
   * A dialog of the system names these uploads and asks whether they become public. Throws `aborted`: they stay
   * private. After a yes, `queue.confirm` does not ask about them again while they do not change.
   */
  'window.askToPublish': command<null>()(
    { page: 'judged' },
    v.strictObject({ ids: v.pipe(idList, v.minLength(1)) }),
  ),

  /**
   * Asks as `files.delete` would. After a yes, `files.delete` does not ask about them again, once for each. `copied`:
   * those whose link is in the text that Outtray copied last; `copy` identifies that text.
   */
  'window.askToRecall': command<{ copied: FileId[]; copy: number }>()(
    { page: 'judged' },
    v.strictObject({ fileIds: v.pipe(fileIdList, v.minLength(1)) }),
  ),
  /**
   * Whether the clipboard still holds what Outtray copied, as far as it knows without reading it. `clear` removes that
   * text.
   */
  'window.clipboard': command<{ holds: boolean }>()(
    { page: 'free' },
    v.strictObject({ copy: v.pipe(v.number(), v.safeInteger()), act: v.picklist(['look', 'clear']) }),
  ),

  /** The file managers of this system, and whether they have the entry "Upload and copy link". */
  'window.fileManagers': command<FileManagerView[]>()({ page: 'free' }, nothing),
  'window.setFileManager': command<FileManagerView[]>()(
    { page: 'hand' },
    v.strictObject({ name: v.picklist(fileManagerNames), on: v.boolean() }),
  ),
  'window.caFile': command<CaFileView | null>()({ page: 'free' }, nothing),
  /** Asks for a certificate file, reads it and sets `caFile`; null when the user chose none. */
  'window.chooseCaFile': command<CaFileView | null>()({ page: 'free' }, nothing),

  /** The redacted bundle as text: exactly what `window.saveDiagnostics` would save. */
  'window.diagnostics': command<{ text: string }>()({ page: 'free' }, nothing),
  'window.saveDiagnostics': command<{ path: string | null }>()({ page: 'free' }, nothing),

  'window.update': command<UpdateState>()(
    { page: 'judged' },
    v.strictObject({ act: v.picklist(['state', 'check', 'load', 'install']) }),
  ),
  /** `settings`: back to the defaults. `everything`: key, settings and ledger too; the app then starts again. */
  'window.reset': command<null>()(
    { page: 'judged' },
    v.strictObject({ what: v.picklist(['settings', 'everything']) }),
  ),
  'window.quit': command<null>()({ page: 'free', popover: true }, nothing),

  /** From the popover of the tray: shows the window, at the place that the cue names. */
  'window.show': command<null>()(
    { page: 'free', popover: true },
    v.strictObject({ cue: v.optional(v.picklist(cueNames)) }),
  ),
  /** Makes the popover as high as its content. */
  'window.fitPopover': command<null>()(
    { page: 'free', popover: true },
    v.strictObject({ heightPx: v.pipe(v.number(), v.integer(), v.minValue(80), v.maxValue(2_000)) }),
  ),
  'window.closePopover': command<null>()({ page: 'free', popover: true }, nothing),
} as const;

export type WindowCommands = typeof windowCommands;
export type WindowCommandName = keyof WindowCommands;
export type WindowCommandInput<Name extends WindowCommandName> = v.InferInput<WindowCommands[Name]['schema']>;
export type WindowCommandArguments<Name extends WindowCommandName> = v.InferOutput<
  WindowCommands[Name]['schema']
>;
/** Unlike in the first table null is an answer here ("nothing chosen", "done"). */
export type WindowCommandAnswer<Name extends WindowCommandName> = Exclude<
  WindowCommands[Name]['answer'],
  undefined
>;

export type WindowHandlers = {
  [Name in WindowCommandName]: (
    input: WindowCommandArguments<Name>,
  ) => WindowCommandAnswer<Name> | Promise<WindowCommandAnswer<Name>>;
};

export const isWindowCommandName = (name: string): name is WindowCommandName =>
  Object.hasOwn(windowCommands, name);

/** The calls of both tables whose rows have this fact. */
export type CallNamed<Fact extends Partial<CallFacts>> = NamesWith<Commands & WindowCommands, Fact>;

/** The row of a call in its table; null: no table has it. */
export const callRow = (name: string): (CallFacts & { schema: v.GenericSchema }) | null =>
  isCommandName(name) ? commands[name] : isWindowCommandName(name) ? windowCommands[name] : null;

/** The input of a command as its table parses it; null: the table refuses it, or has no such command. */
export const readInput = (name: string, input: unknown): { input: unknown } | null => {
  const row = callRow(name);
  const read = row === null ? null : v.safeParse(row.schema, input);
  return read?.success === true ? { input: read.output } : null;
};

export type CueName = (typeof cueNames)[number];

/** One file, and what to do with it: show its details with the QR code, or delete it from the service. */
export type FileCue = { cue: 'show-file'; uploadId: number; act: 'details' | 'recall' };

/** A request of the shell to the window, from a menu, the tray or a notification. Unnumbered: a loss is harmless. */
export type Cue = { kind: 'cue' } & ({ cue: CueName } | FileCue);

/**
 * A link of files that were given together; `uploadId`: its row of Files. `isNew`: these files created it; else it was
 * public before, since `sharedAtMs`.
 */
export type GivenRow = {
  uploadId: number;
  fileId: FileId;
  name: string;
  link: string;
  isNew: boolean;
  sharedAtMs: number | null;
};

/** How far files that were given together are, and their links. Not numbered: each message is complete. */
export type GivenGroup = {
  id: number;
  total: number;
  /** Still on their way up; `goingIds`: the first 5,000 of them, in drop order. */
  going: number;
  goingIds: number[];
  /** Of all of them, and of those with a link. */
  totalBytes: number;
  linkedBytes: number;
  /** The first three, to show their pictures. */
  faces: { uploadId: number; name: string }[];
  /** Those with a link; `uploadIds`: the first 5,000 of them, in drop order. */
  linked: number;
  uploadIds: number[];
  /** Each link once, at most 5,000; empty while files of a large group are on their way up. */
  rows: GivenRow[];
  /** `uploadId`: the row of Files; `isOther`: it is another file, which has the same content. */
  first: { uploadId: number; name: string; link: string; isOther: boolean } | null;
  /** Whether the links go to the clipboard by themselves. `unsure`: the system cannot confirm that they arrived. */
  copy: 'off' | 'later' | 'done' | 'unsure';
  /** What is missing from the zip that was made of them. */
  leftOut: LeftOut[];
  /** Ids of those that were held or refused and wait for the user, at most 5,000. */
  needYou: number[];
};

/** What the shell sends to the window beside the engine's changes. */
export type WindowNews = Cue | { kind: 'given'; group: GivenGroup };

/** What preload exposes as `window.outtray`: call, listen, and what only a preload can know. */
export type Bridge = {
  call: Transport['call'];
  listen(hear: (change: Change | WindowNews) => void): () => void;
  /** Tokens for the paths of dropped or pasted files, for this load of the page; '' for files that have no path. */
  tokensOf?(files: readonly unknown[]): Promise<string[]>;
  platform?: Platform;
};

const rowPrefix = 'row-';
/** How a page names the file of a row where a command takes paths. It names other files by their tokens. */
export const rowName = (uploadId: number): string => `${rowPrefix}${uploadId}`;
/** The id of the upload in such a name; null: it is none. */
export const readRowName = (name: string): number | null =>
  /^row-[1-9]\d{0,14}$/.test(name) ? Number(name.slice(rowPrefix.length)) : null;

export type WindowClient = {
  call<Name extends WindowCommandName>(
    name: Name,
    input: WindowCommandInput<Name>,
  ): Promise<WindowCommandAnswer<Name>>;
};

export const createWindowClient = (transport: Pick<Transport, 'call'>): WindowClient => ({
  async call<Name extends WindowCommandName>(name: Name, input: WindowCommandInput<Name>) {
    const reply = await transport.call(name, input);
    if (!reply.ok) throw fromWire(reply.error);
    // The far side answered through the same table, so the answer has the table's type.
    return reply.answer as WindowCommandAnswer<Name>;
  },
});

/** The far side, as `answerCall` is for the first table: nothing throws. */
export const answerWindowCall = async (
  handlers: WindowHandlers,
  name: string,
  input: unknown,
): Promise<Reply> => {
  try {
    if (!isWindowCommandName(name)) throw new AppError('bad-use', 'There is no such command.');
    return { ok: true, answer: await dispatch(handlers, name, input) };
  } catch (error) {
    return { ok: false, error: toWire(error) };
  }
};

const dispatch = async <Name extends WindowCommandName>(
  handlers: WindowHandlers,
  name: Name,
  input: unknown,
): Promise<unknown> => {
  const parsed = v.safeParse(windowCommands[name].schema, input);
  if (!parsed.success) throw new AppError('bad-use', `${name}: ${parsed.issues[0].message}`);
  return await handlers[name](parsed.output);
};
