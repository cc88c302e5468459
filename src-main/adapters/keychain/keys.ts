// The key while Outtray runs: from OUTTRAY_API_KEY, the key command or the keychain, or, where there is no keychain,
// kept for this session. It is read once, when the first request needs it. The redactor gets it before anything else
// can print it.
import { call, wording } from '../../contract/text/wording.ts';
import type { KeyState } from '../../contract/commands.ts';
import { AppError, noAddress, toAppError } from '../../contract/errors.ts';
import type { Api } from '../../engine/ports/api.ts';
import type { Keys } from '../../engine/ports/ports.ts';
import type { Keychain, KeychainAnswer } from './keychain.ts';
import { keyFromCommand } from './key-command.ts';
import { parseSecret, type Secret } from '../secret.ts';

export type KeyRing = Keys & {
  /** The key for a request. Throws like `require`. */
  current(): Promise<Secret>;
  /** Another process may have changed the key: read it again. */
  forget(): void;
};

const ofSession = ({ lastFour }: Secret): KeyState => ({
  kind: 'session',
  lastFour,
  remedy: 'The key is kept until you quit.',
});

export const createKeys = (options: {
  keychain: Keychain;
  /** The key of the environment; '' when there is none. */
  apiKey: string;
  /** For the key command. */
  env: NodeJS.ProcessEnv;
  baseUrl: () => string | null;
  /** The setting keyCommand. */
  keyCommand: () => string | null;
  /** Gets every key before anything else can print it. */
  hide: (secret: Secret) => void;
  apiWith: (secret: Secret, baseUrl: string) => Api;
}): KeyRing => {
  const { keychain, hide, baseUrl } = options;
  const given = options.apiKey;
  let fromEnvironment: Secret | null = null;
  let session: Secret | null = null;
  let answer: { for: string; given: Promise<KeychainAnswer> } | null = null;

  const environmentKey = (): Secret | null => {
    if (given === '') return null;
    if (fromEnvironment === null) {
      fromEnvironment = parseSecret(given);
      hide(fromEnvironment);
    }
    return fromEnvironment;
  };

  let commanded: { by: string; given: Promise<Secret> } | null = null;

  /** Null where no command is set. Throws what keyFromCommand throws; only a key is remembered. */
  const commandKey = async (): Promise<Secret | null> => {
    const command = options.keyCommand();
    if (command === null) return null;
    const running =
      commanded?.by === command ? commanded : { by: command, given: keyFromCommand(command, options.env) };
    commanded = running;
    try {
      const secret = await running.given;
      hide(secret);
      return secret;
    } catch (error) {
      if (commanded === running) commanded = null;
      throw error;
    }
  };

  const address = (): string => {
    const url = baseUrl();
    if (url !== null) return url;
    throw noAddress();
  };

  const stored = async (): Promise<KeychainAnswer> => {
    const url = address();
    if (answer?.for !== url) answer = { for: url, given: keychain.get(url) };
    const found = await answer.given;
    // Only a key is worth remembering: a keyring may be unlocked at any moment.
    if (found.kind === 'present') hide(found.secret);
    else answer = null;
    return found;
  };

  const current = async (): Promise<Secret> => {
    address();
    const ready = environmentKey() ?? (await commandKey()) ?? session;
    if (ready !== null) return ready;
    const found = await stored();
    switch (found.kind) {
      case 'present':
        return found.secret;
      case 'absent':
        throw new AppError(
          'key-missing',
          'No API key is stored for this service.',
          wording`Run ${call('login')}, or set OUTTRAY_API_KEY.`,
        );
      case 'locked':
        throw new AppError('keychain-locked', 'The keychain is locked.', found.remedy);
      case 'unavailable':
        throw new AppError('keychain-unavailable', `There is no API key. ${found.message}`, found.remedy);
    }
  };

  const state = async (): Promise<KeyState> => {
    const environment = environmentKey();
    if (environment !== null) return { kind: 'environment', lastFour: environment.lastFour };
    try {
      const secret = await commandKey();
      if (secret !== null) return { kind: 'command', lastFour: secret.lastFour };
    } catch (error) {
      const { message, remedy } = toAppError(error);
      return { kind: 'unavailable', message, remedy };
    }
    if (session !== null) return ofSession(session);
    if (baseUrl() === null) return { kind: 'absent' };
    const found = await stored();
    switch (found.kind) {
      case 'present':
        return { kind: 'stored', lastFour: found.secret.lastFour };
      case 'absent':
        return { kind: 'absent' };
      case 'locked':
        return { kind: 'locked', remedy: found.remedy };
      case 'unavailable':
        return { kind: 'unavailable', message: found.message, remedy: found.remedy };
    }
  };

  return {
    state,
    current,
    async require() {
      await current();
    },
    tryOut(key, url) {
      const secret = parseSecret(key);
      hide(secret);
      return options.apiWith(secret, url ?? address());
    },
    async store(key) {
      const secret = parseSecret(key);
      hide(secret);
      answer = null;
      try {
        await keychain.set(address(), secret);
        session = null;
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'keychain-unavailable') throw error;
        session = secret;
        // Even where a key from the environment or a program wins, the answer shows that this one was not stored.
        return ofSession(secret);
      }
      return await state();
    },
    async remove() {
      session = null;
      answer = null;
      if (baseUrl() !== null) await keychain.remove(address());
      return await state();
    },
    forget() {
      commanded = null;
      answer = null;
    },
  };
};
