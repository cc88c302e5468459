// All that the engine needs from the world; files, ledger and service have files of their own beside this one. Adapters
// implement it, and tests fake it. Every function that can fail throws AppError and nothing else.
import type { SinceBoot } from '../../contract/model.ts';
import type { Check, KeyState } from '../../contract/answers.ts';
import type { AppError } from '../../contract/errors.ts';
import type { SettingName, Settings, SettingView } from '../../contract/settings.ts';
import type { Files, Inspect, Spool, Watch, IgnoreRules } from './files.ts';
import type { Api } from './api.ts';
import type { Ledger, Audit } from './ledger.ts';

export type Ports = {
  clock: Clock;
  /** Uniform in [0, 1). */
  chance: () => number;
  log: Log;
  files: Files;
  inspect: Inspect;
  spool: Spool;
  watch: Watch;
  ignore: IgnoreRules;
  api: Api;
  ledger: Ledger;
  audit: Audit;
  /** The current settings; a listener is called after each change. */
  settings: SettingsPort;
  keys: Keys;
  places: Places;
  runProgram: RunProgram;
  /** The checks of `doctor`: keychain, folder, watcher, disk, network, key, clock. */
  checks: (signal: AbortSignal) => Promise<Check[]>;
};

/**
 * Runs a program of the user's with this standard input, without a shell and for at most a minute. `problem`: why it
 * failed; null: it did not. `output`: the first 2,000 bytes.
 */
export type RunProgram = (
  command: string,
  input: string,
  signal: AbortSignal,
) => Promise<{ output: string; problem: string | null }>;

export type Clock = {
  /** Epoch milliseconds; may jump. */
  wallMs(): number;
  /** Milliseconds that only grow and never stop; unrelated to the wall clock. */
  monoMs(): number;
  /** Time since the machine was started, sleep included; null where its starts cannot be distinguished. */
  sinceBoot(): SinceBoot | null;
  /** Calls `act` once after `delayMs`; returns its undo. Re-armed by the adapter after sleep. */
  after(delayMs: number, act: () => void): () => void;
};

export type Log = {
  debug(event: string, fields?: Record<string, unknown>): void;
  info(event: string, fields?: Record<string, unknown>): void;
  warn(event: string, fields?: Record<string, unknown>): void;
  error(event: string, fields?: Record<string, unknown>): void;
};

export type SettingsPort = {
  current(): Settings;
  view(): SettingView[];
  /** A policy has set it. */
  isLocked(name: SettingName): boolean;
  /** Why the policy allows no uploads; null: it allows them. Listeners are called when it changes. */
  barred(): AppError | null;
  /** Throws `bad-setting`: wrong, or locked by policy. */
  set(name: SettingName, value: unknown): Promise<void>;
  onChange(hear: (settings: Settings) => void): () => void;
};

/** The API key: it goes in and never comes out (security.md, Secrets). */
export type Keys = {
  state(): Promise<KeyState>;
  /** Throws `not-configured`, `key-missing`, `keychain-locked`, `keychain-unavailable`: no request could be made. */
  require(): Promise<void>;
  /**
   * What distinguishes the key of the next request from other keys at other addresses; it does not reveal the key. Throws
   * like `require`.
   */
  mark(): Promise<string>;
  /** An Api with this key and address, to check them before anything is stored. Throws `bad-use`. */
  tryOut(key: string, baseUrl: string | null): Api;
  /**
   * Stores it in the keychain for this address: null. Where there is no keychain it is kept for this session: the state
   * that says so, also where a key from the environment or a program wins.
   */
  store(key: string, baseUrl: string): Promise<KeyState | null>;
  remove(): Promise<KeyState>;
  /** Forgets a refused key in every process, because a person tries again. `isRefused`: another process may know of it. */
  askAgain(isRefused: boolean): void;
};

export type Places = {
  /**
   * The real path of a folder that may be watched. Throws `folder-unavailable`, or `folder-refused` for the home
   * folder itself, a drive root, Outtray's own data and what policy forbids.
   */
  acceptFolder(path: string): Promise<string>;
  /**
   * Outtray's own data in this path, spelled as the path is: `path` itself when all of it is our own. Null: there is
   * none.
   */
  ownIn(path: string): Promise<string | null>;
  /** Whether this is the folder of our own data in which pasted content waits for its upload. */
  isPasted(dir: string): boolean;
  /** Throws `folder-refused` when the folder is one of the others, lies in one of them, or has one of them in it. */
  assertApart(folder: string, others: readonly string[]): Promise<void>;
  /** Where the system puts screenshots. The folder may not be there yet. */
  screenshots(): Promise<string>;
};
