// `login` and `logout`. The key comes from standard input only: an argument would show in the process list.
import { text as readAll } from 'node:stream/consumers';
import { AppError } from '../contract/errors.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';
import { unlessInterrupted, within, type Session } from './session.ts';

export const login = async (session: Session): Promise<ExitCode> => {
  const { output, options } = session;
  return await within(
    session,
    { kind: 'guest' },
    async ({ client, settings }) => {
      if (options.baseUrl === undefined && settings.current().baseUrl === null) {
        throw new AppError(
          'not-configured',
          'No base address is set.',
          'Give it with --base-url, for example https://files.example.com/api/v1.',
        );
      }
      // A pipe that nobody closes must not keep an interrupted run alive.
      const key = await unlessInterrupted(session, readKey()).finally(() => process.stdin.destroy());
      const account = await unlessInterrupted(
        session,
        client.call('account.login', {
          key,
          ...(options.baseUrl === undefined ? {} : { baseUrl: options.baseUrl }),
        }),
      );
      const { key: state, plan, baseUrl } = account;
      if (state.kind === 'session') {
        throw new AppError(
          'keychain-unavailable',
          `The key is right (plan ${plan ?? 'unknown'}), but this machine has no keychain to keep it in.`,
          'Set OUTTRAY_API_KEY instead.',
        );
      }
      output.object({ plan, base_url: baseUrl, stored: state.kind });
      output.line(`Logged in to ${baseUrl ?? ''}, plan ${plan ?? 'unknown'}. The key is in the keychain.`);
      return exitCodes.done;
    },
    { takeBaseUrl: false },
  );
};

const readKey = async (): Promise<string> => {
  const key = process.stdin.isTTY ? await askHidden() : await readAll(process.stdin);
  if (key.trim() !== '') return key.trim();
  throw new AppError(
    'key-missing',
    'No API key was given.',
    'Give it on standard input: `outtray login < key-file`.',
  );
};

const askHidden = async (): Promise<string> => {
  const { password, isCancel } = await import('@clack/prompts');
  const answer = await password({
    message: 'API key (account settings of the service, section API)',
    output: process.stderr,
  });
  if (isCancel(answer)) throw new AppError('aborted', 'No key was given.');
  return answer;
};

export const logout = (session: Session): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async ({ client }) => {
    const account = await client.call('account.logout', {});
    session.output.object({ key: account.key.kind });
    session.output.line(
      account.key.kind === 'environment'
        ? 'The stored key is removed; OUTTRAY_API_KEY is still set.'
        : 'The key is removed from the keychain.',
    );
    return exitCodes.done;
  });
