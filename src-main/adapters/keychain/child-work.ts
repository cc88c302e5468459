// One call to the platform's keychain, in a process of its own: while the system shows a dialog to unlock it, the call
// cannot be aborted and not even an exit gets through, so the parent must be able to kill it.
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { AsyncEntry } from '@napi-rs/keyring';
import * as v from 'valibot';
import { requestSchema, type KeychainReply, type KeychainRequest } from './messages.ts';

const service = 'app.outtray.desktop';

/**
 * Reads one request, writes the answer. The parent keeps `input` open until it has its answer, so its end means that
 * the parent is gone: then the process kills itself, because nobody else would.
 */
export const answerKeychainRequest = async (input: Readable, output: Writable): Promise<void> => {
  const lines = createInterface({ input });
  lines.once('close', () => process.kill(process.pid, 'SIGKILL'));
  const reply = (said: KeychainReply) => output.write(`${JSON.stringify(said)}\n`);
  const line = await new Promise<string>((resolve) => lines.once('line', resolve));
  try {
    const request = v.parse(requestSchema, JSON.parse(line));
    // The default store on Linux falls back to one that forgets at reboot; naming one turns that off.
    const entry = new AsyncEntry(service, request.account, { linux: { store: 'secret-service' } });
    reply({ kind: 'reached' });
    reply(await perform(entry, request));
  } catch (error) {
    reply(failure(error));
  }
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
 * The package gives every failure the same code; its kinds differ in the fixed words before the colon, and a test
 * against a real locked keyring holds them in place. "Couldn't access" is the kind for a store that is there but
 * closed; everything else means that there is none to talk to.
 */
const failure = (error: unknown): KeychainReply => {
  const message = error instanceof Error ? error.message : String(error);
  return message.startsWith("Couldn't access platform storage")
    ? { kind: 'locked' }
    : { kind: 'unavailable', message: message.slice(0, 500) };
};
