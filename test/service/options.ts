// What a test, the demo or a benchmark may choose; the defaults are the plainest reading of service.md.

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

export type StoreMode = 'disk' | 'hash-only';

export type Knobs = {
  /**
   * When a refusal is sent: `late` after the whole body; `early` before it, the rest is read and thrown away;
   * `early-close` before it, closing our direction and lingering as nginx does; `early-cut` before it, then the
   * socket is destroyed, so that the client may or may not see the answer.
   */
  refusal: 'late' | 'early' | 'early-close' | 'early-cut';
  /** The header of a 429. */
  retryAfter: string | null;
  /** What becomes of an upload whose body ends before the announced length. */
  cutUpload: 'nothing' | 'kept';
  /** A stored file shows up in the list this much later. */
  listLagMs: number;
  /** Origin of the public links, e.g. `https://files.example`; `null` is our own. */
  linkHost: string | null;
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

export const defaultKnobs: Knobs = {
  refusal: 'late',
  retryAfter: null,
  cutUpload: 'nothing',
  listLagMs: 0,
  linkHost: null,
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
