// Why a file is skipped, held or waits, one row each. Code judges the file; the row lists what follows from it.
import type { errorRows } from './errors.ts';

export type SkipRow = {
  /** The rule judges by the name, so files are judged again when it changes. */
  byName?: true;
  /** The path holds no regular file, or its content was never seen: no person can release it. */
  neverOpened?: true;
  /** What the path holds was never seen. */
  unseen?: true;
  /** The content has or had a link: asking for the file makes another link. */
  hadLink?: true;
  /** A person left it out, or its link was taken back: another version at its path counts as a file that arrives. */
  refused?: true;
  /** The command by which a person asks for the file all the same. No agent can. */
  run?: 'upload';
  /** A file that is probably the same one is kept back as well, whatever its name. */
  follows?: true;
  /** It applies to the content, under every name. */
  keepsContent?: true;
  /** A zip, and a folder that is given, leave the file out. */
  leavesZip?: true;
};

export const skipRows = {
  /** It was in the folder before the folder was chosen. */
  existing: { run: 'upload', follows: true },
  hidden: { byName: true, leavesZip: true },
  /** A pattern of the user's. */
  ignored: { byName: true, leavesZip: true },
  /** An unfinished download. */
  partial: { byName: true, leavesZip: true },
  /** An editor's or office program's own file. */
  temporary: { byName: true, leavesZip: true },
  /** In a recycle bin or another folder of a system. */
  system: { byName: true, leavesZip: true },
  /** Outtray's own data. */
  own: { leavesZip: true, neverOpened: true },
  empty: {},
  /** A symbolic link or junction. */
  link: { leavesZip: true, neverOpened: true },
  /** A pipe, socket or device. */
  special: { leavesZip: true, neverOpened: true },
  /** A folder below too many others, or a path that is too long. */
  'too-deep': {
    leavesZip: true,
    neverOpened: true,
    unseen: true,
  },
  /** A file or folder that the disk or its rights do not let us read. */
  unreadable: {
    leavesZip: true,
    neverOpened: true,
    unseen: true,
  },
  /** The same content has a link under another name. */
  'already-shared': { hadLink: true, run: 'upload' },
  /** A placeholder of a cloud drive: its content is not on this disk. */
  'online-only': { leavesZip: true },
  /** By the user. */
  cancelled: { run: 'upload', follows: true, keepsContent: true, refused: true },
  /** Its link was taken back by the user. */
  recalled: { hadLink: true, run: 'upload', refused: true },
  /** Its time was over: its link was taken back, or it was not uploaded before. */
  expired: { hadLink: true, run: 'upload', keepsContent: true, refused: true },
} as const satisfies Record<string, SkipRow>;

export type HoldRow = {
  /** The command by which a person decides. */
  run: 'confirm' | 'resolve';
  /** It was sent: the service may have it. */
  wasSent?: true;
  /** It was on its way when it was held: no rule and no person kept it back. */
  wasUnderWay?: true;
  /** A person may decide which file of the account it is. */
  mayResolve?: true;
  /** Another version at its path waits for the person, too. */
  everyVersion?: true;
  follows?: true;
  keepsContent?: true;
  /** It looks like a secret. */
  secret?: true;
};

export const holdRows = {
  'secret-name': { run: 'confirm', keepsContent: true, secret: true },
  /** The text looks like a secret, or could not be looked at in time. */
  'secret-content': { run: 'confirm', secret: true },
  /** The photo shows where it was taken, or could not be read to its end. */
  location: { run: 'confirm' },
  burst: { run: 'confirm', everyVersion: true, follows: true, keepsContent: true },
  /** One file, over the limit of a burst by itself. A copy of it is as large, so it need not be read to be known. */
  large: { run: 'confirm', everyVersion: true, follows: true },
  /** No usable answer came. */
  uncertain: { run: 'resolve', wasSent: true, wasUnderWay: true, mayResolve: true },
  /** Sent several times in a day, without a usable answer and without a trace in the list. */
  unanswered: { run: 'confirm', wasSent: true, wasUnderWay: true },
  /** The ledger was rebuilt or is an older copy. */
  'maybe-uploaded': { run: 'confirm', wasSent: true, mayResolve: true, follows: true, keepsContent: true },
  /** It was in the folder before the folder was chosen, not consented to, and has changed since. */
  'existing-changed': { run: 'confirm', everyVersion: true, follows: true, keepsContent: true },
} as const satisfies Record<string, HoldRow>;

export type WaitRow = {
  /** The error of a command that does not wait while this reason stops the queue. */
  error?: keyof typeof errorRows;
  /** It ends without a person. */
  endsByItself?: true;
  /** This machine keeps it back, not the service: Outtray cannot write its own data, or its policy stops it. */
  isOurs?: true;
  /** All files of the account wait, whatever a single file is like. */
  forAll?: true;
  /** The state of the upload stores more about it than when it ends. */
  hasOwnFacts?: true;
};

export const waitRows = {
  /** Still changing, or a program has it open for writing. */
  settling: {},
  /** It cannot be opened now. */
  locked: {},
  network: { error: 'offline', endsByItself: true },
  /** The service answers with faults of its own, or not at all. */
  service: { error: 'unusable-answer', endsByItself: true },
  /** The budget of the minute or of the day. */
  budget: { endsByItself: true },
  'daily-uploads': { error: 'limit', endsByItself: true },
  key: { error: 'key-refused', forAll: true },
  plan: { error: 'plan', forAll: true },
  /** 403 that is neither plan nor size. */
  limit: { error: 'limit' },
  /** Something in front of the service refuses a file, or all of them, or breaks their connections off. */
  blocked: { error: 'blocked' },
  /** The service answered 429. */
  rate: { endsByItself: true },
  /** The service redirected or the base address is wrong. */
  moved: { error: 'wrong-address', forAll: true },
  /** The queue, or the file's folder, is paused. */
  paused: {},
  /** The watched folder is not there. */
  folder: {},
  /** The disk with our own data cannot be written: full, read-only, or failing. */
  disk: { endsByItself: true, isOurs: true },
  /** The audit file cannot be written. */
  audit: { endsByItself: true, isOurs: true },
  /** The policy cannot be trusted or read any more, or demands a newer Outtray. */
  policy: { endsByItself: true, isOurs: true },
  /** Another upload with the same sent name and size is in flight. */
  'same-name': {},
  /** A control file beside it shows that a program is still writing it. */
  unfinished: { hasOwnFacts: true },
  /** The service answered that it is busy after everything was sent; the list shows whether it took the file. */
  busy: { hasOwnFacts: true },
  /** It arrived a moment ago, and can still be taken back before it is public. */
  grace: { hasOwnFacts: true },
} as const satisfies Record<string, WaitRow>;
