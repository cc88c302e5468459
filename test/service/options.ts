// What a test, the demo or a benchmark may choose. Every point that service.md leaves open is a knob here;
// the defaults are the plainest reading of that document.
import type { WindowModel } from './windows.ts';

/** Without `sleep`, delays and drips take real time even where `now` is virtual. */
export type Clock = { now(): number; sleep?(ms: number, signal: AbortSignal): Promise<void> };

export type PlanName = 'Free' | 'Pro' | 'Business';

/** `null` as a limit means: no limit. */
export type AccountOptions = {
  name?: string;
  key?: string;
  plan?: PlanName;
  maxFileSizeBytes?: number | null;
  dailyUploads?: number | null;
  requestsPerMinute?: number | null;
  requestsPerDay?: number | null;
};

export type FileField = 'file_id' | 'filename' | 'size' | 'upload_date' | 'download_count' | 'public_link';
export type SizeUnit = 'B' | 'kB' | 'KiB' | 'MB' | 'MiB';
export type StoreMode = 'disk' | 'hash-only' | 'discard';

export type Knobs = {
  /** How the minute's and the day's requests are counted. */
  window: WindowModel;
  dayWindow: WindowModel;
  /** Moves the borders of fixed windows against the clock. */
  windowPhaseMs: number;
  /** `accepted` counts a request when it is answered with less than 400. */
  counted: 'all' | 'uploads' | 'accepted';
  /**
   * When a refusal is sent: `late` after the whole body; `early` before it, the rest is read and thrown away;
   * `early-close` before it, closing our direction and lingering as nginx does; `early-cut` before it, then the
   * socket is destroyed, so that the client may or may not see the answer.
   */
  refusal: 'late' | 'early' | 'early-close' | 'early-cut';
  retryAfter: 'none' | 'seconds' | 'date' | { raw: string };
  errorShape: 'message' | 'nested' | 'text' | 'html' | 'empty';
  tooLargeStatus: 403 | 413;
  dailyUploadsStatus: 403 | 429;
  uploadStatus: 200 | 201;
  /** What becomes of an upload whose body ends before the announced length. */
  cutUpload: 'nothing' | 'kept';
  /** Whether the same content again gets the id and link of the first upload. */
  sameContent: 'new' | 'same';
  order: 'newest' | 'oldest' | 'name' | 'id-desc' | 'random-stable';
  defaultLimit: number;
  maxLimit: number;
  overMaxLimit: 'clamp' | 'refuse';
  listFields: FileField[];
  /** A stored file shows up in the list this much later. */
  listLagMs: number;
  sizeUnit: SizeUnit;
  sizeRounding: 'up' | 'down' | 'nearest';
  /** Unit of `limits.max_file_size`. */
  limitUnit: SizeUnit;
  uploadDateOffsetMinutes: number;
  /** Origin of the public links, e.g. `https://files.example`; `null` is our own. */
  linkHost: string | null;
  /** How the stored name is made from the sent one. */
  filenames: 'as-is' | 'prefix' | 'unique' | 'lowercase' | 'nfc' | 'nfd' | 'ascii' | 'underscores';
  /** How escapes in `filename="…"` are undone: browsers write %22, older clients \". */
  filenameEscapes: 'none' | 'percent' | 'backslash';
  /** Which id a file gets: the next one of all accounts, the next one of its account, or the lowest that is free. */
  fileIds: 'global' | 'account' | 'again';
  /** Digits; added to each id of a file. */
  idsAbove: string;
};

export type ServiceOptions = Partial<Knobs> &
  AccountOptions & {
    /** Default: one account made of the account fields given beside this. */
    accounts?: AccountOptions[];
    port?: number;
    controlPort?: number;
    /** PEM texts; with them the service speaks HTTPS. */
    tls?: { key: string; cert: string };
    /** Kept after close when given; a temp folder that is removed otherwise. */
    dir?: string;
    store?: StoreMode;
    clock?: Clock;
    /** Decides tokens, chances and the random order. */
    seed?: number;
    firstFileId?: number;
  };

export const allFileFields: readonly FileField[] = [
  'file_id',
  'filename',
  'size',
  'upload_date',
  'download_count',
  'public_link',
];

export const defaultKnobs: Knobs = {
  window: 'sliding',
  dayWindow: 'fixed',
  windowPhaseMs: 0,
  counted: 'all',
  refusal: 'late',
  retryAfter: 'none',
  errorShape: 'message',
  tooLargeStatus: 403,
  dailyUploadsStatus: 403,
  uploadStatus: 200,
  cutUpload: 'nothing',
  sameContent: 'new',
  order: 'newest',
  defaultLimit: 20,
  maxLimit: 100,
  overMaxLimit: 'clamp',
  listFields: [...allFileFields],
  listLagMs: 0,
  sizeUnit: 'B',
  sizeRounding: 'up',
  limitUnit: 'B',
  uploadDateOffsetMinutes: 0,
  linkHost: null,
  filenames: 'as-is',
  filenameEscapes: 'percent',
  fileIds: 'global',
  idsAbove: '0',
};

/** The knobs among the options; what is not a knob is left out. */
export function knobsOf(options: Partial<Knobs>): Knobs {
  const given = Object.entries<unknown>(options).filter(
    ([name, value]) => name in defaultKnobs && value !== undefined,
  );
  return { ...defaultKnobs, ...Object.fromEntries(given) };
}
