// The service for the engine: an Api that follows the current settings and key. A change of the address or the proxy
// makes a new one; requests that run on the old one go on to their end.
import { call, wording } from '../../contract/text/wording.ts';
import { givenText } from '../../contract/text/given-text.ts';
import { AppError, noAddress, toAppError } from '../../contract/errors.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Api } from '../../engine/ports/api.ts';
import type { SettingsPort } from '../../engine/ports/ports.ts';
import { createApi, type ServiceApi } from './api.ts';
import { createBandwidth } from './bandwidth.ts';
import { createLinkCheck } from './links.ts';
import type { Secret } from '../secret.ts';

export type ApiService = Api & {
  serviceDateMs(): number | null;
  /** An Api with this key, to check it. */
  apiWith(secret: Secret, baseUrl: string): Api;
  close(): Promise<void>;
};

type OwnedKey = { origin: string; secret: Secret };
type KeySource = {
  /** The key and the origin that it belongs to. */
  current(): Promise<OwnedKey>;
  markOf(key: OwnedKey): string;
  /** The service has refused this key. */
  refused(key: OwnedKey): void;
};

type Made = { for: string; api: ServiceApi; secret: { now: Secret | null } };

export const createApiService = (options: {
  settings: SettingsPort;
  texts: CaTexts;
  keys: KeySource;
  userAgent: string;
  resolveProxy?: (url: string) => Promise<string | null>;
}): ApiService => {
  const { settings, keys } = options;
  const bandwidth = createBandwidth(() => settings.current().bandwidthBytesPerSecond);
  let made: Made | null = null;
  /** Replaced, and still with running requests. */
  const older = new Set<ServiceApi>();

  const make = (baseUrl: string, key: () => Secret): ServiceApi => {
    const now = settings.current();
    return createApi({
      baseUrl,
      key,
      settings: {
        proxy: now.proxy,
        caPem: () => readCa(now.caFile, options.texts),
        linkHosts: now.linkHosts,
        bandwidth,
      },
      userAgent: options.userAgent,
      ...(options.resolveProxy === undefined ? {} : { resolveProxy: options.resolveProxy }),
    });
  };

  const current = (): Made => {
    const now = settings.current();
    if (now.baseUrl === null) throw noAddress();
    const wanted = fingerprint(now);
    if (made?.for === wanted) return made;
    const before = made?.api;
    const held: Made['secret'] = { now: null };
    const api = make(now.baseUrl, () => {
      if (held.now === null)
        throw new AppError('key-missing', 'No API key is stored.', wording`Run ${call('login')}.`);
      return held.now;
    });
    made = { for: wanted, api, secret: held };
    if (before !== undefined) {
      older.add(before);
      void before.retire().then(() => older.delete(before));
    }
    return made;
  };

  /** `mark`: of the key that it must be. */
  const withKey = async (mark?: string): Promise<{ now: Made; key: OwnedKey }> => {
    const key = await keys.current();
    if (mark !== undefined && keys.markOf(key) !== mark)
      throw new AppError('unknown-key', 'The API key changed just now.', 'Outtray finds out whose it is.');
    const now = current();
    // The address may have changed while the key was read.
    if (new URL(settings.current().baseUrl ?? '').origin !== key.origin) return await withKey(mark);
    return { now, key };
  };

  const asked = async <T>(mark: string | undefined, ask: (api: ServiceApi) => Promise<T>): Promise<T> => {
    const { now, key } = await withKey(mark);
    // The request takes it at once, before another one can set its own.
    now.secret.now = key.secret;
    return await ask(now.api).catch((error: unknown) => {
      if (toAppError(error).code === 'key-refused') keys.refused(key);
      throw error;
    });
  };

  return {
    upload: (request) => asked(request.mark, (api) => api.upload(request)),
    list: (query, signal) => asked(undefined, (api) => api.list(query, signal)),
    info: (fileId, signal) => asked(undefined, (api) => api.info(fileId, signal)),
    remove: (fileId, signal, mark) => asked(mark, (api) => api.remove(fileId, signal)),
    stats: (signal) => asked(undefined, (api) => api.stats(signal)),
    // A public link is read without the key, so no key has to exist.
    digestOfLink: async (link, sizeBytes, signal) => current().api.digestOfLink(link, sizeBytes, signal),
    isSaneLink(link) {
      const { baseUrl, linkHosts } = settings.current();
      return baseUrl !== null && createLinkCheck(new URL(baseUrl), linkHosts)(link);
    },
    serviceDateMs: () => made?.api.serviceDateMs() ?? null,
    apiWith: (secret, baseUrl) => make(baseUrl, () => secret),
    async close() {
      await made?.api.close();
      await Promise.all([...older].map((api) => api.close()));
    },
  };
};

const fingerprint = (now: Settings): string =>
  JSON.stringify([now.baseUrl, now.proxy, now.caFile, now.linkHosts]);

/** Reads the file of the setting, on any drive. Throws when its drive does not answer. */
export type CaTexts = {
  read(
    path: string,
    mostBytes: number,
    isPipeTaken: boolean,
  ): Promise<
    { kind: 'read'; bytes: Uint8Array } | { kind: 'missing' | 'unreadable' | 'no-file' | 'too-large' }
  >;
};

/** More than all authorities of a system together. */
const mostCaBytes = 16 * 1024 * 1024;

/** The content of the setting `caFile`. Throws `bad-setting`, and `offline` when its drive does not answer. */
export const readCa = async (file: string | null, texts: CaTexts): Promise<string | null> => {
  if (file === null) return null;
  const found = await texts.read(file, mostCaBytes, true).catch((cause: unknown) => {
    const { message, remedy } = toAppError(cause);
    throw new AppError('offline', `The certificate file ${file} cannot be read. ${message}`, remedy, {
      cause,
    });
  });
  if (found.kind === 'read') return givenText(found.bytes);
  throw new AppError(
    'bad-setting',
    `The certificate file ${file} (setting caFile) cannot be read.`,
    wording`Correct the path, or run ${call('settings', 'unset caFile')}.`,
  );
};
