// The key in the platform's keychain. Every call runs in a short-lived child with a time limit (child-work.ts explains
// why); the key travels over its channel, never in arguments or environment. Locked is never the same as absent.
import type { Wording } from '../../contract/text/wording.ts';
import { AppError } from '../../contract/errors.ts';
import { parseSecret, type Secret } from '../secret.ts';
import { askChild } from './ask-child.ts';
import { childCommand as commandOf, type Command } from '../system/own-program.ts';
import type { KeychainFailure, KeychainRequest } from './messages.ts';

export type KeychainAnswer =
  | { kind: 'present'; secret: Secret }
  | { kind: 'absent' }
  | { kind: 'locked'; remedy: Wording }
  | { kind: 'unavailable'; message: string; remedy: Wording };

/** Entries by their name. */
export type Keychain = {
  get(entry: string): Promise<KeychainAnswer>;
  /** Throws `keychain-locked` or `keychain-unavailable`. */
  set(entry: string, secret: Secret): Promise<void>;
  /** Whether there was one. Throws `keychain-locked` or `keychain-unavailable`. */
  remove(entry: string): Promise<boolean>;
};

/** Every start reads, and must not wait long. The user asks for a change, and may have to answer a dialog. */
const defaultLimits = { getMs: 8_000, changeMs: 60_000 };

const orGive = 'or give the key in the variable OUTTRAY_API_KEY.';

const remediesOn = (platform: NodeJS.Platform): { locked: string; unavailable: string } => {
  switch (platform) {
    case 'win32':
      return {
        locked: 'Sign in to Windows again, then try again.',
        unavailable: `See whether the Credential Manager of Windows opens and keeps a credential, ${orGive}`,
      };
    case 'darwin':
      return {
        locked: 'Unlock the keychain “login” in Keychain Access, then try again.',
        unavailable: `See whether the keychain “login” opens in Keychain Access, ${orGive}`,
      };
    default:
      return {
        locked: 'Unlock the keyring (it opens when you log in with your password), then try again.',
        unavailable: `Start a keyring service such as GNOME Keyring or KWallet, ${orGive}`,
      };
  }
};

export const createKeychain = ({
  childCommand = commandOf('keychain', new URL('./child.ts', import.meta.url)),
  env = process.env,
  limits = defaultLimits,
  platform = process.platform,
}: {
  childCommand?: Command;
  env?: NodeJS.ProcessEnv;
  limits?: { getMs: number; changeMs: number };
  /** The system whose remedies a person reads. */
  platform?: NodeJS.Platform;
} = {}): Keychain => {
  const remedies = remediesOn(platform);
  const failed = (failure: KeychainFailure): AppError =>
    failure.kind === 'locked'
      ? new AppError('keychain-locked', 'The keychain is locked.', remedies.locked)
      : new AppError('keychain-unavailable', silent(failure), remedies.unavailable);
  const call = (request: KeychainRequest, limitMs: number) =>
    askChild({ childCommand, env, request, limitMs });

  return {
    async get(account) {
      const reply = await call({ act: 'get', account }, limits.getMs);
      switch (reply.kind) {
        case 'present':
          return stored(reply.key);
        case 'absent':
          return reply;
        case 'locked':
          return { kind: 'locked', remedy: remedies.locked };
        case 'unavailable':
          return { ...reply, message: silent(reply), remedy: remedies.unavailable };
        default:
          throw strange();
      }
    },
    async set(account, secret) {
      const reply = await call({ act: 'set', account, key: secret.reveal() }, limits.changeMs);
      if (reply.kind === 'stored') return;
      throw isFailure(reply) ? failed(reply) : strange();
    },
    async remove(account) {
      const reply = await call({ act: 'remove', account }, limits.changeMs);
      if (reply.kind === 'removed') return true;
      if (reply.kind === 'absent') return false;
      throw isFailure(reply) ? failed(reply) : strange();
    },
  };
};

const stored = (key: string): KeychainAnswer => {
  try {
    return { kind: 'present', secret: parseSecret(key) };
  } catch {
    return {
      kind: 'unavailable',
      message: 'What the keychain holds for this service is not an API key.',
      remedy: 'Sign out and sign in again.',
    };
  }
};

const isFailure = (reply: { kind: string }): reply is KeychainFailure =>
  reply.kind === 'locked' || reply.kind === 'unavailable';

const silent = ({ message }: { message: string }): string =>
  `No keychain answers on this machine: ${message.replace(/\.?$/, '.')}`;

const strange = (): AppError => new AppError('internal', 'The keychain answered another question.');
