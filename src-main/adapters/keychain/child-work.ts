// One call to the platform's keychain, in a process of its own: while the system shows a dialog to unlock it, the call
// cannot be aborted and the process cannot even exit, so the parent must be able to kill it.
import { AsyncEntry } from '@napi-rs/keyring';
import * as v from 'valibot';
import { requestSchema, type KeychainReply, type KeychainRequest } from './messages.ts';

const service = 'app.outtray.desktop';

/**
 * Takes one request from the process that started this one, sends the answer. That process keeps the channel open until
 * it has its answer, so the channel's end means that it is gone: then this process kills itself, because nothing else
 * would. Never resolves.
 */
export const answerKeychainRequest = async (): Promise<never> => {
  if (process.send === undefined) {
    process.stderr.write('This is a part of Outtray that it starts by itself.\n');
    process.exit(2);
  }
  const end = () => process.kill(process.pid, 'SIGKILL');
  const reply = (said: KeychainReply) => process.send?.(said, () => undefined);
  process.once('disconnect', end);
  const asked = new Promise<unknown>((resolve) => process.once('message', resolve));
  if (!process.connected) end();
  try {
    const request = v.parse(requestSchema, await asked);
    // The default store on Linux falls back to one that forgets at reboot; naming one turns that off.
    const entry = new AsyncEntry(service, request.account, { linux: { store: 'secret-service' } });
    reply({ kind: 'reached' });
    reply(await perform(entry, request));
  } catch (error) {
    reply(failure(error));
  }
  return new Promise<never>(() => undefined);
};

const perform = async (entry: AsyncEntry, request: KeychainRequest): Promise<KeychainReply> => {
  switch (request.act) {
    case 'get': {
      const key = await entry.getPassword();
      return key === null ? { kind: 'absent' } : { kind: 'present', key };
    }
    case 'set':
      await entry.setPassword(request.key);
      return { kind: 'stored' };
    case 'remove':
      return { kind: (await entry.deleteCredential()) ? 'removed' : 'absent' };
  }
};

/**
 * The package gives every failure the same code. Its kinds differ in the fixed words before the colon, which a test
 * against a real locked keyring checks. "Couldn't access" means that the store is there but closed; everything else
 * means that there is no store to talk to.
 */
const failure = (error: unknown): KeychainReply => {
  const message = error instanceof Error ? error.message : String(error);
  return message.startsWith("Couldn't access platform storage")
    ? { kind: 'locked' }
    : { kind: 'unavailable', message: message.slice(0, 500) };
};
