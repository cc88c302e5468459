// The key while Outtray runs: from OUTTRAY_API_KEY, the key command or the keychain, or, where there is no keychain,
// kept for this session. Each belongs to one address and is sent nowhere else. It is read once, when the first request
// needs it. The redactor gets it before anything else can print it.
import { call, option, wording } from '../../contract/text/wording.ts';
import type { KeyState } from '../../contract/answers.ts';
import { AppError, noAddress, toAppError } from '../../contract/errors.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Api } from '../../engine/ports/api.ts';
import type { Keys } from '../../engine/ports/ports.ts';
import type { FolderKeychain } from './folder-keychain.ts';
import type { KeychainAnswer } from './keychain.ts';
import { keyFromCommand } from './key-command.ts';
import { originMarkOf, originOf, type GivenSource, type KeyRecords, type Layers } from './key-origin.ts';
import { parseSecret, type Secret } from '../secret.ts';

/** A key and the origin of the address that it belongs to. */
export type OwnedKey = { origin: string; secret: Secret };

export type KeyRing = Keys & {
  /** Of a key at its address, for the ledger. */
  markOf(key: OwnedKey): string;
  /** The key for a request to the base address in force. Throws like `require`. */
  current(): Promise<OwnedKey>;
  /**
   * The service has refused this key. It is read again, but the same key again only after an hour: a key command may ask
   * a person each time, and several requests may be refused with one key.
   */
  refused(key: OwnedKey): void;
  /**
   * The settings or another process may have changed the key. One that is known is kept unless its entry has changed: a
   * key command may ask a person each time.
   */
  lookAgain(): void;
  /** Reads the key once, so that it is known. False: there is none, or it cannot be read now. */
  learn(): Promise<boolean>;
};

const ofSession = ({ lastFour }: Secret): KeyState => ({
  kind: 'session',
  lastFour,
  remedy: 'The key is kept until you quit.',
});

const originAt = (baseUrl: string): string => new URL(baseUrl).origin;

const sameAgainMs = 3_600_000;
/** The service has refused no key. */
const none = { text: '', atMs: -Infinity };

/** A key from outside of the keychain; `belongsTo`: its address is another one, and it is not sent. */
type Given = { source: GivenSource; secret: Secret; belongsTo: string | null };

type KeysOptions = {
  keychain: FolderKeychain;
  /** The key of the environment; '' when there is none. */
  apiKey: string;
  /** For the key command. */
  env: NodeJS.ProcessEnv;
  settings: { current(): Settings; layers(name: 'baseUrl' | 'keyCommand'): Layers };
  /** Keeps where keys were used first, and counts changes of the stored one. `salt`: of the ledger, for marks. */
  origins: KeyRecords;
  /** Gets every key before anything else can print it. */
  hide: (secret: Secret) => void;
  apiWith: (secret: Secret, baseUrl: string) => Api;
};

/** The keys that environment and command give. */
const createGivenKeys = (
  { keychain, origins, settings, apiKey, env }: Omit<KeysOptions, 'hide' | 'apiWith'>,
  hide: (secret: Secret) => Secret,
) => {
  let commanded: { by: string; given: Promise<Secret> } | null = null;

  const owned = (source: GivenSource, secret: Secret, text: string, url: string | null): Given => {
    const known = origins.get();
    const mark = originMarkOf(keychain.id(), text);
    const places = { addresses: settings.layers('baseUrl'), commandIn: settings.layers('keyCommand'), known };
    const belongs = originOf(source, mark, places);
    if (belongs === null || url === null) return { source, secret, belongsTo: null };
    if (belongs.isNew) origins.set({ ...known, [source]: { mark, origin: belongs.origin } });
    return { source, secret, belongsTo: belongs.origin === originAt(url) ? null : belongs.origin };
  };

  /** Null where no command is set. Throws what keyFromCommand throws; only a key is remembered. */
  const commandKey = async (url: string | null): Promise<Given | null> => {
    const command = settings.current().keyCommand;
    if (command === null) return null;
    const running =
      commanded?.by === command ? commanded : { by: command, given: keyFromCommand(command, env) };
    commanded = running;
    try {
      return owned('command', hide(await running.given), command, url);
    } catch (error) {
      if (commanded === running) commanded = null;
      throw error;
    }
  };

  /** The key that the environment or the command gives. One for another address counts only if there is no other. */
  const givenKey = async (url: string | null): Promise<Given | null> => {
    const environment =
      apiKey === '' ? null : owned('environment', hide(parseSecret(apiKey)), apiKey.trim(), url);
    if (environment?.belongsTo === null) return environment;
    return (await commandKey(url)) ?? environment;
  };
  const forget = (): void => {
    commanded = null;
  };

  return { givenKey, forget };
};

/** Which key is in use: of environment or command, of this session, or of the keychain. */
const createLookup = (options: Omit<KeysOptions, 'apiWith'>) => {
  const { keychain, settings } = options;
  const baseUrl = (): string | null => settings.current().baseUrl;

  let session: OwnedKey | null = null;

  let answer: { for: string; given: Promise<KeychainAnswer> } | null = null;

  const hide = (secret: Secret): Secret => {
    options.hide(secret);
    return secret;
  };

  const outside = createGivenKeys(options, hide);

  const address = (): string => {
    const url = baseUrl();
    if (url !== null) return url;
    throw noAddress();
  };

  const stored = async (url: string): Promise<KeychainAnswer> => {
    if (answer?.for !== url) answer = { for: url, given: keychain.get(url) };
    const asked = answer;
    const found = await asked.given.catch((error: unknown) => {
      if (answer === asked) answer = null;
      throw error;
    });
    // Only a key is worth remembering: a keyring may be unlocked at any moment.
    if (found.kind === 'present') hide(found.secret);
    else if (answer === asked) answer = null;
    return found;
  };

  const ofSessionAt = (url: string): Secret | null =>
    session?.origin === originAt(url) ? session.secret : null;

  const current = async (): Promise<OwnedKey> => {
    const url = address();
    const origin = originAt(url);
    const given = await outside.givenKey(url);
    const ready = given?.belongsTo === null ? given.secret : ofSessionAt(url);
    if (ready !== null) return { origin, secret: ready };
    const found = await stored(url);
    if (found.kind === 'present') return { origin, secret: found.secret };
    if (given !== null) throw elsewhere(given, origin);
    throw noKey(found);
  };

  const state = async (): Promise<KeyState> => {
    const url = baseUrl();
    let given: Given | null;
    try {
      given = await outside.givenKey(url);
    } catch (error) {
      const { message, remedy } = toAppError(error);
      return { kind: 'unavailable', message, remedy };
    }
    if (given?.belongsTo === null) return { kind: given.source, lastFour: given.secret.lastFour };
    if (url === null) return session === null ? { kind: 'absent' } : ofSession(session.secret);
    const ofSessionNow = ofSessionAt(url);
    if (ofSessionNow !== null) return ofSession(ofSessionNow);
    const found = await stored(url);
    if (found.kind !== 'present' && given !== null) {
      const { message, remedy } = elsewhere(given, originAt(url));
      return { kind: 'unavailable', message, remedy };
    }
    return found.kind === 'present' ? { kind: 'stored', lastFour: found.secret.lastFour } : found;
  };
  const forgetStored = (): void => {
    answer = null;
  };
  /** Returns the key that was kept before. */
  const setSession = (key: OwnedKey | null): OwnedKey | null => {
    const before = session;
    session = key;
    return before;
  };

  return { baseUrl, address, hide, current, state, forgetGiven: outside.forget, forgetStored, setSession };
};

export const createKeys = (options: KeysOptions): KeyRing => {
  const { keychain, origins } = options;
  const { baseUrl, address, hide, current, state, ...lookup } = createLookup(options);
  let learned: Promise<boolean> | null = null;
  const mark = ({ origin, secret }: OwnedKey): string =>
    originMarkOf(options.origins.salt(), `${origin}\n${secret.reveal()}`);

  let inUse = '';
  let refusal = none;
  let seenChanges = origins.changes();
  const forget = (): void => {
    lookup.forgetGiven();
    lookup.forgetStored();
    learned = null;
  };

  return {
    state,
    async current() {
      const key = await current();
      inUse = key.secret.reveal();
      return key;
    },
    async require() {
      await current();
    },
    markOf: mark,
    mark: async () => mark(await current()),
    tryOut(key, url) {
      return options.apiWith(hide(parseSecret(key)), url ?? address());
    },
    async store(key, url) {
      const secret = hide(parseSecret(key));
      learned = null;
      try {
        await keychain.set(url, secret);
        lookup.forgetStored();
        origins.changed();
        lookup.setSession(null);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'keychain-unavailable') throw error;
        lookup.setSession({ origin: originAt(url), secret });
        return ofSession(secret);
      }
      return null;
    },
    async remove() {
      const before = lookup.setSession(null);
      const url = baseUrl();
      if (url !== null)
        await keychain.remove(url).catch((error: unknown) => {
          if (before === null || toAppError(error).code !== 'keychain-unavailable') throw error;
        });
      // Only now: a request that came meanwhile has read the former key.
      lookup.forgetStored();
      origins.changed();
      return await state();
    },
    refused({ secret }) {
      const text = secret.reveal();
      // Another key is in use by now.
      if (text !== inUse) return;
      if (text === refusal.text && performance.now() - refusal.atMs < sameAgainMs) return;
      refusal = { text, atMs: performance.now() };
      forget();
    },
    askAgain(isRefused) {
      if (refusal.text === '' && !isRefused) return;
      refusal = none;
      forget();
      origins.changed();
      seenChanges = origins.changes();
    },
    lookAgain() {
      learned = null;
      const now = origins.changes();
      if (now !== seenChanges) forget();
      seenChanges = now;
    },
    learn: () =>
      (learned ??= current().then(
        () => true,
        () => false,
      )),
  };
};

const elsewhere = ({ source, belongsTo }: Given, origin: string): AppError =>
  new AppError(
    'key-missing',
    `The key from ${source === 'environment' ? 'OUTTRAY_API_KEY' : 'the key command'} belongs to ${belongsTo ?? ''}, and is not sent to ${origin}.`,
    source === 'environment'
      ? wording`If it is for this address too, set OUTTRAY_BASE_URL beside it; else run ${call('login')} with ${option('--base-url')}.`
      : wording`If it is for this address too, repeat ${call('settings', 'set keyCommand')}; else run ${call('login')} with ${option('--base-url')}.`,
  );

const noKey = (found: Exclude<KeychainAnswer, { kind: 'present' }>): AppError => {
  switch (found.kind) {
    case 'absent':
      return new AppError(
        'key-missing',
        'No API key is stored for this service.',
        wording`Run ${call('login')}, or set OUTTRAY_API_KEY.`,
      );
    case 'locked':
      return new AppError('keychain-locked', 'The keychain is locked.', found.remedy);
    case 'unavailable':
      return new AppError('keychain-unavailable', `There is no API key. ${found.message}`, found.remedy);
  }
};
