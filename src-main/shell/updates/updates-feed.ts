// electron-updater behind a port of three verbs. In addition, requests go only to the feed's own origin, by https: (a
// redirect or an address in the feed's files that leads elsewhere is refused), an answer that is longer than announced
// ends, older versions are refused, and errors are translated. It verifies the SHA-512 of each download; on Windows and
// macOS the system verifies the signature.
import { EventEmitter, once } from 'node:events';
import { rm } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import type { AppUpdater, UpdateInfo } from 'electron-updater';
import { AppError } from '../../contract/errors.ts';
import { hasVersion } from './version-inside.ts';

/** A version newer than this one. `notes`: what changed, plain text; empty when the feed does not say. */
export type Release = { version: string; notes: string };

export type UpdatesFeed = {
  /** Null: this is the newest, or the roll-out has not reached this machine. */
  check(): Promise<Release | null>;
  /** Loads what `check` found, only the parts that differ where the feed allows it. `share` from 0 to 1. */
  load(hear: (share: number) => void): Promise<void>;
  /**
   * Installs the loaded update now, which ends the program. Without this call it is installed when the program ends, if
   * `mayInstall` allows it then.
   * Throws `disk` when it cannot, `refused` when another version is inside; then the program does not end.
   */
  install(): void;
};

/** Squirrel unpacks and verifies some hundred megabytes. */
const longestTakingMs = 10 * 60_000;

/** The folder of this system and processor below a feed's address; the artefacts' names use the same words. */
export const feedFolder = (address: string, platform: NodeJS.Platform, arch: string): string => {
  const systems: Partial<Record<NodeJS.Platform, string>> = { darwin: 'mac', win32: 'win' };
  return `${address}/${systems[platform] ?? platform}-${arch}`;
};

/**
 * `updater`: a new one per feed. `folder`: the feed's address with this system's folder. `allowsHttp`: for tests on
 * this machine. Throws `bad-setting` for an address that is not https:. The verbs throw `offline` (no answer),
 * `not-found` (no such channel), `moved` (led elsewhere), `refused` (not what was announced), `unusable-answer`.
 */
export const openFeed = (options: {
  updater: AppUpdater;
  folder: string;
  channel: string;
  /** Asked when the program ends: whether the settings still want what was loaded. */
  mayInstall: () => boolean;
  allowsHttp?: boolean;
  /** Makes the requests; electron-updater's own way when left out. */
  request?: FeedRequest;
  /** macOS: Squirrel, which takes what was loaded and verifies its signature. Only then can it be installed. */
  squirrel?: NodeJS.EventEmitter;
}): UpdatesFeed => {
  const { updater, folder, channel, squirrel, request } = options;
  const { origin, protocol } = new URL(folder);
  if (protocol !== 'https:' && options.allowsHttp !== true)
    throw new AppError('bad-setting', 'The feed of updates is not an https: address.', 'Correct updateFeed.');
  updater.logger = null;
  updater.autoDownload = false;
  // electron-updater reads it when the program ends, and once at the end of a download: without a yes then, it hears
  // nothing of the end, and Squirrel gets nothing, which cannot give back what it has taken.
  Object.defineProperty(updater, 'autoInstallOnAppQuit', {
    get: () => isAsked || (!isRefused && options.mayInstall()),
  });
  updater.setFeedURL({ provider: 'generic', url: folder, channel, useMultipleRangeRequest: false });
  // After the feed: naming a channel allows downgrades.
  updater.allowDowngrade = false;
  updater.allowPrerelease = false;
  let announcedBytes = 0;
  let announcedVersion = '';
  /** What was loaded is not checked yet, or another version is inside. */
  let isRefused = false;
  /** Right after this event electron-updater asks whether to hear of the end. Nothing ends in between. */
  let isAsked = false;
  updater.on('update-downloaded', () => {
    isAsked = true;
    queueMicrotask(() => (isAsked = false));
  });
  const mostOf = (address: string): number =>
    /\.ya?ml(?:\?|$)/.test(address) ? mostFeedBytes : announcedBytes;
  stayAt(origin, updater, request, mostOf);
  // The calls throw their errors as well; without a listener, the event would end the program.
  updater.on('error', () => undefined);

  return {
    async check() {
      const result = await updater.checkForUpdates().catch((error: unknown) => {
        throw translated(error, channel);
      });
      if (result?.isUpdateAvailable !== true) return null;
      demandOurs(result.updateInfo);
      announcedVersion = result.updateInfo.version;
      announcedBytes = Math.max(...result.updateInfo.files.map(({ size }) => size ?? 0));
      return releaseOf(result.updateInfo);
    },
    async load(hear) {
      const tell = ({ percent }: { percent: number }): void => hear(Math.min(1, percent / 100));
      updater.on('download-progress', tell);
      const limit = new AbortController();
      const taken = squirrel === undefined ? null : once(squirrel, 'update-downloaded', limit);
      // Awaited below, unless the download itself fails first.
      taken?.catch(() => undefined);
      let timer: NodeJS.Timeout | undefined;
      try {
        // Until it is looked into, quitting does not install it either.
        isRefused = true;
        for (const file of await updater.downloadUpdate()) {
          if (await hasVersion(file, announcedVersion)) continue;
          await rm(file, { force: true });
          throw notOurs(announcedVersion);
        }
        isRefused = false;
        timer = setTimeout(() => limit.abort(), longestTakingMs);
        await taken;
      } catch (error) {
        throw translated(error, channel);
      } finally {
        clearTimeout(timer);
        limit.abort();
        updater.off('download-progress', tell);
      }
    },
    install() {
      if (isRefused) throw notOurs(announcedVersion);
      // It reports a failure as an event during the call.
      const faults: Error[] = [];
      const take = (error: Error): void => void faults.push(error);
      updater.on('error', take);
      updater.quitAndInstall(true, true);
      updater.off('error', take);
      const [cause] = faults;
      if (cause !== undefined)
        throw new AppError('disk', 'The update could not be installed.', 'Install it by hand.', { cause });
    },
  };
};

/** No installer of Outtray is near this size. */
const mostBytes = 1024 ** 3;
/** The file that announces a version, with its notes. */
export const mostFeedBytes = 64 * 1024;

/** Characters: a feed is not trusted with more than a page of text. */
export const mostNotes = 10_000;

/** A file of this version by the name that its build gives it, and of a size. `hasVersion` reads which one is inside. */
const demandOurs = ({ version, files }: UpdateInfo): void => {
  const isOurs = ({ url, size }: UpdateInfo['files'][number]): boolean => {
    const name = url.slice(url.lastIndexOf('/') + 1);
    const hasName = name.startsWith(`outtray-${version}-`) && /^[\w.-]+$/.test(name);
    return hasName && size !== undefined && size > 0 && size <= mostBytes;
  };
  if (files.length === 0 || !files.every(isOurs)) throw notOurs(version);
};
const notOurs = (version: string): AppError =>
  new AppError(
    'refused',
    `The feed of updates announces version ${printableVersion(version)} with a file that is not Outtray's of that version.`,
    feedRemedy,
  );
const feedRemedy = 'Tell your administrator: the feed may have been changed.';

const printableVersion = (version: string): string => version.replace(/[^\w.+-]/g, '?').slice(0, 40);

const releaseOf = ({ version, releaseNotes }: UpdateInfo): Release => {
  const notes =
    typeof releaseNotes === 'string'
      ? releaseNotes
      : (releaseNotes ?? []).map(({ version: of, note }) => `${of}\n${note ?? ''}`).join('\n\n');
  return { version, notes: notes.slice(0, mostNotes).trim() };
};

// ---------------------------------------------------------------- where it may ask

type RequestOptions = {
  path?: string | null;
  protocol?: string | null;
  hostname?: string | null;
  port?: number | string | null;
};
/** Gives Node's ClientRequest, or Electron's. */
export type FeedRequest = (options: RequestOptions, hear: (response: unknown) => void) => unknown;
type Executor = { createRequest: FeedRequest };

/** Every request electron-updater makes, redirected ones too, goes through its executor's `createRequest`. */
const stayAt = (
  origin: string,
  updater: AppUpdater,
  request: FeedRequest | undefined,
  mostOf: (path: string) => number,
): void => {
  // Public in JavaScript, left out of the types.
  const { httpExecutor } = updater as unknown as { httpExecutor: Executor };
  const create = request ?? httpExecutor.createRequest.bind(httpExecutor);
  httpExecutor.createRequest = (options, hear) => {
    if (originOf(options) !== origin) return refusedRequest();
    const made = create(options, (response) => {
      hear(response);
      endAfter(mostOf(options.path ?? ''), made, response);
    });
    return made;
  };
};

/** What is announced may be short while the stream never ends. */
const endAfter = (most: number, request: unknown, response: unknown): void => {
  if (!(request instanceof EventEmitter) || !(response instanceof EventEmitter)) return;
  let bytes = 0;
  response.on('data', (piece: Uint8Array | string) => {
    const wasOver = bytes > most;
    bytes += piece.length;
    if (wasOver || bytes <= most) return;
    request.emit('error', new AppError('refused', 'The feed of updates sends more than it may.', feedRemedy));
    if (canAbort(request)) request.abort();
  });
};

const canAbort = (request: object): request is { abort(): void } => 'abort' in request;

const originOf = ({ protocol, hostname, port }: RequestOptions): string => {
  const address = `${protocol ?? 'https:'}//${hostname ?? ''}${port ? `:${port}` : ''}`;
  return URL.canParse(address) ? new URL(address).origin : '';
};

/** A request that fails: throwing here would be an uncaught exception in the middle of a redirect. */
const refusedRequest = (): unknown => {
  const request = new PassThrough();
  const error = new AppError(
    'moved',
    'The feed of updates leads to another address; it was not followed.',
    'Name the feed’s own address in updateFeed.',
  );
  setImmediate(() => request.destroy(error));
  return Object.assign(request, { abort: () => request.destroy() });
};

// ---------------------------------------------------------------- what went wrong

const translated = (error: unknown, channel: string): AppError => {
  if (error instanceof AppError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const details = { cause: error };
  switch (code) {
    case 'ERR_CHECKSUM_MISMATCH':
    case 'ERR_UPDATER_INVALID_SIGNATURE':
      return new AppError(
        'refused',
        'The update is not what its feed announced. It was thrown away.',
        'Tell your administrator: the file may have been changed.',
        details,
      );
    case 'ERR_UPDATER_CHANNEL_FILE_NOT_FOUND':
      return new AppError(
        'not-found',
        `The feed of updates has no channel ${channel} for this system.`,
        'Correct updateFeed or updateChannel.',
        details,
      );
    case 'ENOTFOUND':
    case 'ECONNREFUSED':
    case 'ECONNRESET':
    case 'ETIMEDOUT':
    case 'EAI_AGAIN':
      return unreachable(details);
    default:
      return error instanceof Error && error.message.startsWith('net::')
        ? unreachable(details)
        : new AppError(
            'unusable-answer',
            'The feed of updates gave an answer that cannot be used.',
            'Try again later, or ask your administrator.',
            details,
          );
  }
};

const unreachable = (details: { cause: unknown }): AppError =>
  new AppError('offline', 'The feed of updates does not answer.', 'Try again later.', details);
