// The composition root: real adapters into the engine, for the app and the command alike. Nothing else knows both.
import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { answerCalls, createClient, type Client, type Transport } from './contract/client.ts';
import { requireRight } from './contract/rights.ts';
import type { SettingName, Settings } from './contract/settings.ts';
import { createClock, type SystemClock } from './adapters/system/clock.ts';
import { createDoctor } from './adapters/system/doctor.ts';
import { childCommand } from './adapters/system/own-program.ts';
import { demandAnswer } from './adapters/drives/answers.ts';
import type { Link } from './adapters/drives/drive.ts';
import { createDrives, type Reachable } from './adapters/drives/drives.ts';
import { startDrive } from './adapters/drives/start.ts';
import { disks } from './adapters/files/disk.ts';
import { createFiles } from './adapters/files/files.ts';
import { realPaths } from './adapters/files/spelling.ts';
import { createFolderChoice } from './adapters/files/folder-choice.ts';
import { eraseMarked } from './adapters/system/erase.ts';
import { createRunProgram } from './adapters/programs/run-program.ts';
import { dataPlace, openHome, type Home } from './adapters/system/home.ts';
import { createAudit } from './adapters/audit/audit.ts';
import { createIgnoreRules } from './adapters/ignore.ts';
import { createInspect, type Inspector } from './adapters/inspect/inspect.ts';
import { lookAgain, notingSecrets, withOwnSecrets } from './adapters/inspect/own-secrets.ts';
import { createKeychain } from './adapters/keychain/keychain.ts';
import { createFolderKeychain } from './adapters/keychain/folder-keychain.ts';
import { keyOriginsIn, originMarkOf } from './adapters/keychain/key-origin.ts';
import { createKeys, type KeyRing } from './adapters/keychain/keys.ts';
import { openLedger, type OpenLedger } from './adapters/ledger/ledger.ts';
import { openLedgerToRead, openUnwritable } from './adapters/ledger/read-only.ts';
import { isLongUpdate } from './adapters/ledger/update.ts';
import { endAll } from './adapters/system/end-all.ts';
import {
  readHolder,
  takeEngineLock,
  takeRole,
  type EngineLock,
  type Holder,
} from './adapters/system/lock.ts';
import { isOwnerAlive, isProcessRunning } from './adapters/system/running.ts';
import { makeFolderOfPolicy } from './adapters/settings/policy-folder.ts';
import { openLog } from './adapters/log/log.ts';
import { createRedactor, type Redactor } from './adapters/log/redactor.ts';
import { readPolicy, watchPolicy } from './adapters/policy/policy.ts';
import { createFeedRequest, type ProxiedRequest } from './adapters/api/feed-request.ts';
import { proxyFromEnvironment, proxyPasswords } from './adapters/api/proxy.ts';
import { createApiService } from './adapters/api/service.ts';
import { homesOf } from './adapters/settings/setting-paths.ts';
import { openSettings, type SettingsStore } from './adapters/settings/settings.ts';
import { withSameAddress } from './adapters/system/same-address.ts';
import { screenshotsFolder } from './adapters/system/screenshots.ts';
import { onWake, touchWake } from './adapters/system/wake.ts';
import { checkWatchLimits } from './adapters/watch/limits.ts';
import { createWatch } from './adapters/watch/watch.ts';
import { rootProblem, rootsOf } from './engine/candidate/allowance.ts';
import { sharedScan } from './engine/discover/folders/watching.ts';
import { createEngine, type Engine } from './engine/engine.ts';
import { withStatus } from './engine/shared/feed.ts';
import type { Spool } from './engine/ports/files.ts';
import type { Ports } from './engine/ports/ports.ts';
import { createPasted } from './adapters/spool/pasted.ts';
import { createSpool } from './adapters/spool/spool.ts';
import { fromFileSystem, probeFolder } from './adapters/system/storage.ts';
import { version } from './adapters/version.ts';

/**
 * `engine`: takes the lock of the data folder and may watch and upload; throws `engine-taken`.
 * `guest`: reads and changes the ledger and asks the service, beside the process that holds the engine.
 * `either`: the engine if it is free, a guest otherwise. `orRead`: a guest also where the data folder can only be read.
 */
export type Role =
  | { kind: 'engine'; who: string; isBrief?: boolean }
  | { kind: 'either'; who: string; isBrief?: boolean; orRead?: boolean }
  | { kind: 'guest' };

/** An engine that ends by itself scans its folders. It needs no hints of a watch. */
const isScannedOnce = (role: Role): boolean => role.kind === 'engine' && role.isBrief === true;
const noWatch: Ports['watch'] = { start: () => Promise.resolve({ stop: () => Promise.resolve() }) };

export type Early = Pick<Inspector, 'expectText'> & { files: Reachable['files']; settings: SettingsStore };

export type ComposedEngine = Pick<Reachable, 'files' | 'paths' | 'texts'> & {
  engine: Engine;
  client: Client;
  transport: Transport;
  home: Home;
  settings: SettingsStore;
  keys: KeyRing;
  clock: SystemClock;
  /** Sends requests to the feed of updates, with the proxy and the authorities of the settings. */
  feedRequest: ProxiedRequest;
  redactor: Redactor;
  ledger: OpenLedger;
  log: Ports['log'];
  /** Holds what a command reads from elsewhere as files, which `files.upload` uploads. */
  spool: Spool;
  /** True when this process holds the engine lock. */
  isEngine: boolean;
  /** Who holds it otherwise. */
  holder: Holder | null;
  /** Whether a data folder opened only for reading can be written by now: then another start gets the engine. */
  canBeWritten(): boolean;
  /** Stops the engine, closes the ledger, releases the lock. Idempotent. */
  close(): Promise<void>;
};

/** One stat; often enough to report within ten seconds that the data folder is gone. */
const checkEveryMs = 3000;

type Options = {
  role: Role;
  /** The data folder. */
  home?: string | undefined;
  /** Without the key, because programs that are started inherit it. */
  env: NodeJS.ProcessEnv;
  /** The key of the environment; '' when there is none. */
  apiKey: string;
  /** Where relative paths start. Default: the process's folder. */
  cwd?: string;
  /** The user's home folder. Default: the system's answer. */
  userHome?: string;
  /** Settings given on the command line for this run. */
  overrides?: Partial<Record<SettingName, unknown>>;
  resolveProxy?: (url: string) => Promise<string | null>;
  /** Whether the window's pages run without their sandbox. Default: there is no window. */
  isUnsandboxed?: () => boolean;
  /** Hears each line of the log, without secrets. */
  hearLog?: (line: string) => void;
  /** Ends the wait for an engine that another process has. */
  signal?: AbortSignal;
  /** Instead of the system's, and of its own. */
  clock?: SystemClock;
  inspect?: Inspector;
  /** Called and awaited before an update of the ledger that may take longer than a second; nothing else runs then. */
  onLongUpdate?: (settings: Settings) => void | Promise<void>;
  /** Called as soon as this process has the engine, before the ledger is opened: what takes long can begin. */
  onEngine?: (early: Early) => Promise<void>;
};

type ForLedger = { home: Home; clock: SystemClock; log: Ports['log']; settings: SettingsStore };
type InRole = { lock: EngineLock | null; holder: Holder | null; ledger: OpenLedger };

/** Opens the ledger as what the role makes of this process. `onEngine`: called as soon as it has the engine. */
const openInRole = async (
  { role, signal, onLongUpdate }: Pick<Options, 'role' | 'signal' | 'onLongUpdate'>,
  { home, clock, log, settings }: ForLedger,
  onEngine: () => Promise<void> | undefined,
): Promise<InRole> => {
  const { folder, ledger: file } = home;
  const ledgerOptions = { file, nowMs: () => clock.wallMs() };
  let lock: EngineLock | null = null;
  let holder: Holder | null = null;
  try {
    lock = await takeRole(role, folder, log, { clock, signal, address: settings.current().baseUrl });
    if (lock === null) holder = readHolder(folder);
    else await onEngine();
    if (onLongUpdate !== undefined && isLongUpdate(file)) await onLongUpdate(settings.current());
    const takeTurn = () => takeEngineLock({ folder, who: 'a start', isBrief: true }).release;
    const openAs = role.kind === 'guest' ? openLedgerToRead : openLedger;
    const ledger = openAs({ ...ledgerOptions, ...(lock === null ? { takeTurn } : {}) });
    return { lock, holder, ledger };
  } catch (error) {
    lock?.release();
    const ledger = role.kind === 'either' && role.orRead === true ? openUnwritable(ledgerOptions) : null;
    if (ledger === null) throw error;
    log.warn('opened for reading alone', { error });
    return { lock: null, holder, ledger };
  }
};

const canBeWritten = ({ folder, ledger: file }: Home, clock: SystemClock): boolean => {
  try {
    if (probeFolder(folder) !== null) return false;
    const taken = takeEngineLock({ folder, who: 'a start', isBrief: true });
    try {
      openLedger({ file, nowMs: () => clock.wallMs() }).close();
    } finally {
      taken.release();
    }
    return true;
  } catch {
    return false;
  }
};

const systemChecks = ({
  files,
  ledger,
  folder,
  isUnsandboxed,
}: Pick<Reachable, 'files'> & {
  ledger: OpenLedger;
  folder: string;
  isUnsandboxed: () => boolean;
}): Parameters<typeof createDoctor>[0]['system'] => ({
  watches: () => Promise.resolve(checkWatchLimits(folder)),
  answers: (path) => files.look(path),
  scanMinutes(watched) {
    if (files.mounts(watched)?.isShared !== true) return undefined;
    return sharedScan({ ledger }, ledger.folders.byPath(watched)).scanMinutes ?? 1;
  },
  // Loaded when asked: most commands need no TLS.
  async authorities() {
    const { pems, problem } = (await import('./adapters/api/authorities.ts')).systemAuthorities();
    return { count: pems.length, problem };
  },
  isUnsandboxed,
});

export const compose = async (options: Options): Promise<ComposedEngine> => {
  /** Ends what a start that fails has begun by then. */
  await using begun = new AsyncDisposableStack();
  const clock = options.clock ?? createClock();
  const audit = createAudit({ nowMs: () => clock.wallMs() });
  const userHome = options.userHome ?? homedir();
  const resolveProxy = options.resolveProxy ?? proxyFromEnvironment(options.env);
  const home = await openHomeInTime(options.home, options.env, options.cwd);
  const settings = openSettings({
    file: home.settings,
    policy: readPolicy(),
    overrides: options.overrides ?? {},
    env: options.env,
    demandAuditFile: audit.demandOurs,
    userHome,
    version,
    wallMs: () => clock.wallMs(),
  });
  // Another profile is another account.
  if (home.profile !== null && settings.isLocked('allowAccountChange'))
    requireRight(settings, 'allowAccountChange');
  const redactor = createRedactor(proxyPasswords(options.env));
  const log = openLog({
    file: home.log,
    redactor,
    ...(options.hearLog === undefined ? {} : { level: 'debug' as const, hear: options.hearLog }),
  });
  /** What fails while it ends does not hide why the start failed. */
  const endOnFailure = (part: string, end: () => unknown): void =>
    begun.defer(() => endAll({ [part]: end }, log.warn));
  endOnFailure('log', log.close);
  const inspect = options.inspect ?? createInspect();
  const drives = createDrives({
    here: { files: createFiles(), paths: realPaths, watch: createWatch(), photo: inspect.photo },
    disks,
    start: startOneDrive,
  });
  endOnFailure('inspect', inspect.close);
  endOnFailure('drives', drives.close);
  const { files, texts } = drives;
  const { lock, holder, ledger } = await openInRole(options, { home, log, clock, settings }, () =>
    options.onEngine?.({ files, settings, expectText: inspect.expectText }),
  );
  endOnFailure('lock', () => lock?.release());
  endOnFailure('ledger', ledger.close);
  if (ledger.updatedFrom !== null) log.info('ledger updated', { from: ledger.updatedFrom });
  // Before the folder is watched, and only by the process that will watch it.
  if (lock !== null) makeFolderOfPolicy(settings, (path) => ledger.folders.byPath(path) !== null);

  const isEngine = lock !== null;
  const known = { find: redactor.find, learn: () => keys.learn(), facts: ledger.facts, clock, isEngine };
  const note = notingSecrets(
    (one) => ledger.unwritable === null && lookAgain(known, originMarkOf(ledger.accounts.salt(), one)),
  );
  const keys: KeyRing = createKeys({
    keychain: createFolderKeychain(createKeychain({ env: options.env }), home, {
      ...ledger,
      nowMs: clock.wallMs,
    }),
    apiKey: options.apiKey,
    env: options.env,
    settings,
    origins: keyOriginsIn(ledger, clock),
    hide(secret) {
      if (note(redactor.add(secret) ? secret.reveal() : null)) engine.nudge();
    },
    apiWith: (secret, baseUrl) => service.apiWith(secret, baseUrl),
  });
  const service = createApiService({ settings, texts, keys, userAgent: `Outtray/${version}`, resolveProxy });
  const places = {
    ...createFolderChoice(
      home.root,
      homesOf(userHome),
      async (folder) => rootProblem(await files.place(folder), await rootsOf(files, settings.current())),
      files,
    ),
    isPasted: createPasted(home.folder).holds,
    screenshots: () =>
      Promise.resolve(screenshotsFolder({ platform: process.platform, env: options.env, home: userHome })),
  };
  const checks = createDoctor({
    settings,
    keys,
    places,
    data: {
      folder: home.folder,
      probe: () => ledger.probe(),
      setAside: () => ledger.setAside(),
      checkAudit: audit.check,
    },
    reach: async (signal) => {
      const view = await client.call('stats.get', { refresh: true });
      signal.throwIfAborted();
      return { plan: view.service?.plan ?? 'unknown', serverDateMs: service.serviceDateMs() };
    },
    system: systemChecks({
      files,
      ledger,
      folder: home.folder,
      isUnsandboxed: options.isUnsandboxed ?? (() => false),
    }),
    wallMs: () => clock.wallMs(),
  });

  const wakeOthers = (): void =>
    void touchWake(home.wake).catch((error: unknown) => log.warn('not told', { error }));
  const spool = createSpool({ folder: home.spool, isRunning: isProcessRunning, explain: fromFileSystem });
  const engine = createEngine({
    ports: {
      clock,
      chance: Math.random,
      log,
      files,
      inspect: withOwnSecrets({ ...inspect, photo: drives.photo }, known),
      spool,
      watch: isScannedOnce(options.role) ? noWatch : drives.watch,
      ignore: createIgnoreRules(),
      api: service,
      ledger,
      audit,
      settings,
      keys: {
        ...keys,
        store: (...key) => keys.store(...key).finally(wakeOthers),
        remove: () => keys.remove().finally(wakeOthers),
      },
      places,
      runProgram: createRunProgram(options.env),
      checks,
    },
    owner: `${lock === null ? 'guest' : 'engine'}:${process.pid}:${randomBytes(4).toString('hex')}`,
    isAlive: (owner) => isOwnerAlive(owner, lock === null ? home.folder : null),
    nudgeOthers: () => lock === null && wakeOthers(),
  });

  /** What cannot be read just now keeps what was in force. */
  const tried = (lookAgain: () => void) => (): void => {
    try {
      lookAgain();
    } catch (error) {
      log.warn('not read again', { error });
    }
  };
  const lookAtKey = tried(keys.lookAgain);
  settings.onChange(lookAtKey);

  // A short command reads everything at its start. The app beside another engine stays, so it listens as well.
  const stopWaking =
    lock === null && (options.role.kind !== 'either' || ledger.unwritable !== null)
      ? null
      : await onWake(home.wake, () => {
          tried(settings.reload)();
          lookAtKey();
          if (lock !== null) engine.nudge();
        });

  const noteAddress = (): void => {
    try {
      lock?.setAddress(settings.current().baseUrl);
    } catch (error) {
      log.warn('address not noted', { error });
    }
  };
  const stopTelling =
    lock === null
      ? null
      : settings.onChange(() => {
          noteAddress();
          wakeOthers();
        });

  const stopPolicy = watchPolicy(
    () => {
      if (!settings.adoptPolicy(readPolicy)) return;
      const barred = settings.barred();
      if (barred !== null) return log.error('policy not usable', { error: barred });
      log.info('policy changed');
      if (lock === null) return;
      makeFolderOfPolicy(settings, (path) => ledger.folders.byPath(path) !== null);
      engine.nudge();
    },
    () => ![undefined, 'not-allowed'].includes(settings.barred()?.code), // `not-allowed`: it is understood
    (error) => log.warn('policy not taken over', { error }),
  );

  // While the engine has no work, only this check notices that the data folder was deleted or its disk failed.
  const checking = setInterval(() => {
    ledger.check();
    noteAddress();
  }, checkEveryMs).unref();

  const answers = answerCalls(
    isEngine ? engine.handlers : withSameAddress(engine.handlers, home.folder, { settings }),
  );
  const transport: Transport = { call: answers.call, listen: withStatus(engine) };
  const client = createClient(transport);
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    const answered = answers.end();
    clearInterval(checking);
    stopTelling?.();
    stopPolicy();
    await endAll(
      {
        wake: () => stopWaking?.(),
        engine: engine.stop,
        drives: drives.close,
        inspect: inspect.close,
        service: service.close,
        // Calls read the ledger until they are answered, also those whose caller has gone.
        calls: () => answered,
        // Every record is durable already: closing only tidies up, which a disk that failed does not allow.
        ledger() {
          ledger.close();
          if (lock !== null) ledger.dropKeptCopy();
        },
        lock: () => lock?.release(),
      },
      log.warn,
    );
    log.close();
  };
  begun.move();
  return {
    engine,
    client,
    transport,
    home,
    settings: {
      ...settings,
      // For who changes one without a call. The engine's own calls tell others once all that they change is written.
      set: (...given) => settings.set(...given).finally(() => lock === null && wakeOthers()),
    },
    keys,
    clock,
    feedRequest: createFeedRequest({ settings, texts, resolveProxy }),
    redactor,
    ledger,
    log,
    files,
    paths: drives.paths,
    texts,
    spool,
    isEngine,
    holder,
    canBeWritten: () => canBeWritten(home, clock),
    close: () => (closing ??= close()),
  };
};

/** Also throws `disk` where the folder lies on a drive that does not answer, and as `eraseMarked`. */
export const openHomeInTime = async (...given: Parameters<typeof openHome>): Promise<Home> => {
  await demandAnswer(dataPlace(...given).folder, { disks, start: startOneDrive });
  const home = openHome(...given);
  eraseMarked(home.folder);
  return home;
};

const startOneDrive = (root: string): Link =>
  startDrive(childCommand('drive', new URL('./drive-child.ts', import.meta.url)), root);
