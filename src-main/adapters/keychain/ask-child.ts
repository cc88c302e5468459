// The parent's end: starts the child, asks, waits no longer than the limit, and leaves no child behind.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { replySchema, type KeychainOutcome, type KeychainRequest } from './messages.ts';

/** The program that calls `answerKeychainRequest` with its standard input and output. */
export type ChildCommand = { file: string; args: readonly string[] };

/** Never rejects: whatever goes wrong is an answer. */
export const askChild = ({
  childCommand,
  env,
  request,
  limitMs,
}: {
  childCommand: ChildCommand;
  env: NodeJS.ProcessEnv;
  request: KeychainRequest;
  limitMs: number;
}): Promise<KeychainOutcome> =>
  new Promise((resolve) => {
    const { OUTTRAY_API_KEY: _key, ...childEnv } = env;
    const child = spawn(childCommand.file, childCommand.args, {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: childEnv,
      windowsHide: true,
    });
    let reached = false;

    const finish = (outcome: KeychainOutcome) => {
      clearTimeout(limit);
      // Nothing but a kill ends a call that waits for the user (child-work.ts).
      child.kill('SIGKILL');
      resolve(outcome);
    };
    const unavailable = (message: string) => finish({ kind: 'unavailable', message });

    // A store that was reached and then says nothing shows a dialog that nobody answers.
    const limit = setTimeout(
      () =>
        reached
          ? finish({ kind: 'locked' })
          : unavailable(`The keychain did not answer within ${limitMs} ms.`),
      limitMs,
    );
    child.once('error', (error) => unavailable(`The keychain's process cannot be started: ${error.message}`));
    child.once('close', () => unavailable("The keychain's process ended without an answer."));
    // A child that ended early closes its pipe; `close` reports that.
    child.stdin.on('error', () => {});

    createInterface({ input: child.stdout }).on('line', (line) => {
      const reply = parseReply(line);
      if (reply === null) unavailable("The keychain's process said something unexpected.");
      else if (reply.kind === 'reached') reached = true;
      else finish(reply);
    });
    child.stdin.write(`${JSON.stringify(request)}\n`);
  });

const parseReply = (line: string) => {
  try {
    return v.parse(replySchema, JSON.parse(line));
  } catch {
    return null;
  }
};
