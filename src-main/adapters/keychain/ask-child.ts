// The parent's side: starts the child, asks over Node's IPC channel, waits no longer than the limit, and leaves no child
// behind.
import { startChild } from '../programs/run-program.ts';
import * as v from 'valibot';
import type { Command } from '../system/own-program.ts';
import { replySchema, type KeychainOutcome, type KeychainRequest } from './messages.ts';

/** Never rejects: whatever goes wrong is an answer. */
export const askChild = ({
  childCommand,
  env,
  request,
  limitMs,
}: {
  childCommand: Command;
  env: NodeJS.ProcessEnv;
  request: KeychainRequest;
  limitMs: number;
}): Promise<KeychainOutcome> =>
  new Promise((resolve) => {
    const child = startChild(childCommand.file, childCommand.args, {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env,
      windowsHide: true,
    });
    let reached = false;

    const finish = (outcome: KeychainOutcome) => {
      clearTimeout(limit);
      // The call waits for the user, and only a kill ends it (child-work.ts).
      child.kill('SIGKILL');
      resolve(outcome);
    };
    const unavailable = (message: string) => finish({ kind: 'unavailable', message });

    // The store was reached but does not answer: it shows a dialog, and the user does not answer it.
    const limit = setTimeout(
      () =>
        reached
          ? finish({ kind: 'locked' })
          : unavailable(`The keychain did not answer within ${limitMs} ms.`),
      limitMs,
    );
    child.once('error', (error) => unavailable(`The keychain's process cannot be started: ${error.message}`));
    child.once('close', () => unavailable("The keychain's process ended without an answer."));

    child.on('message', (message) => {
      const reply = v.safeParse(replySchema, message);
      if (!reply.success) unavailable("The keychain's process said something unexpected.");
      else if (reply.output.kind === 'reached') reached = true;
      else finish(reply.output);
    });
    // A child that ended early cannot be asked; `close` reports that.
    if (child.connected) child.send?.(request, () => undefined);
  });
