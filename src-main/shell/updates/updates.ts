// Updates as the window sees them: when to look, when to load, when to install. Never in the middle of a transfer;
// automatically when the program ends and, in the mode `auto`, when the app has been idle for a while: the end alone is
// not enough, because Windows does not notify programs of logoff and shutdown (Electron: `app`, event 'quit').
import { AppError, toAppError, toWire, type WireError } from '../../contract/errors.ts';
import type { Settings } from '../../contract/settings.ts';
import type { UpdateState } from '../../contract/window.ts';
import type { UpdatesFeed, Release } from './updates-feed.ts';

export type UpdateAct = 'state' | 'check' | 'load' | 'install';

export type Updates = {
  /** What the user asked for; the state afterwards. Never throws: what went wrong is a state. */
  act(act: UpdateAct): Promise<UpdateState>;
  /** Looks for updates automatically from now on, according to the mode. */
  start(): void;
  stop(): void;
};

/** Later than the start of the program, which is busy enough. */
const firstLookMs = 60_000;
const betweenLooksMs = 24 * 3_600_000;
/** How often a pending step checks whether the transfers are done. */
const idleLookMs = 5_000;
/** Consecutive checks at which the app must be idle before it installs automatically: five minutes. */
const idleLooks = 60;

type UpdatesOptions = {
  /**
   * `system`: by deb, rpm or MSI, whose own tools update, or where only an administrator may write. `none`: from an
   * archive or a checkout. `default-profile`: the Outtray of that profile updates the installation that all share.
   */
  installedBy: 'self' | 'system' | 'default-profile' | 'none';
  rules: () => Pick<Settings, 'updateMode' | 'updateFeed' | 'updateChannel'>;
  feed: {
    /** The address this installer was built with. */
    built: string | null;
    /** May throw like `openFeed`. */
    open: (address: string, channel: string, mayInstall: () => boolean) => Promise<UpdatesFeed>;
  };
  transfers: {
    /** Bytes of a user's file are on their way. */
    isSending: () => boolean;
    /** Nothing is sent, no window is visible, and the tray brings the app back. */
    isIdle: () => boolean;
  };
  installation: {
    /** The version whose automatic installation was last tried: none is tried twice. */
    triedByItself: () => string | null;
    /** Throws where it cannot be recorded: installing without it would be tried again and again. */
    noteTry: (version: string) => void;
    /** Ends the work with everything recorded, before the installer runs. */
    prepare: () => Promise<void>;
    /** Another profile works with this installation: an installer would end it in the middle of an upload. */
    othersRun: () => boolean;
    /** Starts the program again: the installer did not run although everything was prepared. */
    recover: () => void;
  };
  clock: {
    nowMs: () => number;
    /** Returns the undo. */
    after: (delayMs: number, act: () => void) => () => void;
  };
  warn: (event: string, fields: Record<string, unknown>) => void;
};

/** What is to be done later. A step that waits for the transfers looks again and again whether they are done. */
const createTimers = ({ clock, transfers }: Pick<UpdatesOptions, 'clock' | 'transfers'>) => {
  let isStopped = false;

  const undo = new Map<'look' | 'idle', () => void>();

  const later = (what: 'look' | 'idle', delayMs: number, act: () => void): void => {
    undo.get(what)?.();
    if (!isStopped) undo.set(what, clock.after(delayMs, act));
  };

  const whenIdle = (act: () => void): void => {
    if (!transfers.isSending()) act();
    else later('idle', idleLookMs, () => whenIdle(act));
  };
  const stop = (): void => {
    isStopped = true;
    for (const cancel of undo.values()) cancel();
    undo.clear();
  };

  return { later, whenIdle, stop };
};

/** The feed that the settings name. */
const createOpenFeed = (
  { rules, feed: feeds }: Pick<UpdatesOptions, 'rules' | 'feed'>,
  address: () => string | null,
  isOff: () => boolean,
) => {
  let opened: { address: string; channel: string; feed: UpdatesFeed } | null = null;
  const isWanted = (one: { address: string; channel: string }): boolean =>
    one.address === (address() ?? '') && one.channel === rules().updateChannel;

  const feed = async (): Promise<UpdatesFeed> => {
    if (opened !== null && isWanted(opened)) return opened.feed;
    const wanted = { address: address() ?? '', channel: rules().updateChannel };
    const made: UpdatesFeed = await feeds.open(wanted.address, wanted.channel, () => mayInstall(made));
    opened = { ...wanted, feed: made };
    return made;
  };

  const mayInstall = (one: UpdatesFeed): boolean => opened?.feed === one && isWanted(opened) && !isOff();

  const isOther = (): boolean => opened !== null && !isWanted(opened);
  const forget = (): void => {
    opened = null;
  };

  return { feed, mayInstall, isOther, forget };
};

export const createUpdates = (options: UpdatesOptions): Updates => {
  const { rules, clock, installation, transfers } = options;
  let known: UpdateState = { kind: 'current', checkedAtMs: null };
  /** Why the last step failed. What is found or loaded stays so. */
  let failure: WireError | null = null;
  let release: Release | null = null;
  let running: Promise<void> | null = null;
  const { later, whenIdle, stop } = createTimers(options);
  const address = (): string | null => rules().updateFeed ?? options.feed.built;

  const state = (): UpdateState => {
    if (options.installedBy === 'system') return { kind: 'managed' };
    if (options.installedBy === 'default-profile') return { kind: 'elsewhere' };
    const isOff = options.installedBy === 'none' || rules().updateMode === 'off' || address() === null;
    if (isOff) return { kind: 'off' };
    return failure === null ? known : { kind: 'failed', error: failure };
  };

  /** What was found at another feed or channel than the settings name now counts no more. */
  const forgetOther = (): void => {
    if (!isOther() || running !== null) return;
    forget();
    release = null;
    failure = null;
    known = { kind: 'current', checkedAtMs: null };
  };

  const { feed, mayInstall, isOther, forget } = createOpenFeed(
    options,
    address,
    () => state().kind === 'off',
  );

  const failed = (event: string, error: unknown): void => {
    failure = toWire(toAppError(error));
    options.warn(event, { error });
  };

  const look = async (): Promise<void> => {
    release = await (await feed()).check();
    known =
      release === null ? { kind: 'current', checkedAtMs: clock.nowMs() } : { kind: 'available', ...release };
  };

  const load = async (): Promise<void> => {
    if (release === null) return;
    await loadRelease(feed, release, known, (now) => {
      known = now;
    });
    installWhenIdle(0);
  };

  /** `looks`: the consecutive checks at which the app was idle. */
  const installWhenIdle = (looks: number): void => {
    forgetOther();
    if (known.kind !== 'ready' || rules().updateMode !== 'auto') return;
    const { version } = known;
    if (installation.triedByItself() === version) return;
    const now = transfers.isIdle() ? looks + 1 : 0;
    if (now > idleLooks) void run(() => install(version));
    else later('idle', idleLookMs, () => installWhenIdle(now));
  };

  /** One step at a time; a second request during a step only gets the current state. */
  const run = async (work: () => Promise<void>): Promise<void> => {
    forgetOther();
    if (running !== null || ['off', 'managed', 'elsewhere'].includes(state().kind)) return;
    failure = null;
    running = work().catch((error: unknown) => failed('update failed', error));
    await running;
    running = null;
  };

  const lookByItself = async (): Promise<void> => {
    forgetOther();
    if (known.kind !== 'loading' && known.kind !== 'ready') await run(look);
    if (known.kind === 'available' && rules().updateMode === 'auto') whenIdle(() => void run(load));
    installWhenIdle(0);
    later('look', betweenLooksMs, () => void lookByItself());
  };

  const install = async (byItself: string | null): Promise<void> => {
    if (known.kind !== 'ready') return;
    demandNoOthers(installation);
    const ready = await feed();
    whenIdle(() => {
      if (!mayInstall(ready)) return;
      try {
        // Another profile may have been opened meanwhile.
        demandNoOthers(installation);
        if (byItself !== null) installation.noteTry(byItself);
      } catch (error) {
        failed('update not installed', error);
        return;
      }
      void installNow(installation, ready).catch((error: unknown) => {
        failed('update not installed', error);
        installation.recover();
      });
    });
  };

  return {
    async act(act) {
      forgetOther();
      if (act !== 'state' && running === null) failure = null;
      // A loaded update stays loaded.
      if (act === 'check' && known.kind !== 'ready') await run(look);
      // Not awaited: the window asks for the progress of the download.
      if (act === 'load' && known.kind === 'available') void run(load);
      if (act === 'install') await run(() => install(null));
      return state();
    },
    start: () => later('look', firstLookMs, () => void lookByItself()),
    stop,
  };
};

const demandNoOthers = (installation: UpdatesOptions['installation']): void => {
  if (installation.othersRun())
    throw new AppError(
      'engine-taken',
      'Another profile of Outtray is running, and the installer would end it.',
      'Quit the other profiles, then install the update.',
    );
};

const installNow = async ({ prepare }: UpdatesOptions['installation'], ready: UpdatesFeed): Promise<void> => {
  await prepare();
  ready.install();
};

/** `before`: what is shown again when the update cannot be loaded. */
const loadRelease = async (
  open: () => Promise<UpdatesFeed>,
  found: Release,
  before: UpdateState,
  show: (state: UpdateState) => void,
): Promise<void> => {
  show({ kind: 'loading', version: found.version, share: 0 });
  try {
    const feed = await open();
    await feed.load((share) => show({ kind: 'loading', version: found.version, share }));
  } catch (error) {
    show(before);
    throw error;
  }
  show({ kind: 'ready', ...found });
};
