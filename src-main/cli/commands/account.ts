// `login`, `logout` and `profiles`. The key comes from standard input or a file: an argument would show in the process list. The
// file is for the installed program on Windows, where standard input is always at its end
// (adapters/keychain/ask-child.ts).
import { Writable } from 'node:stream';
import type { Texts } from '../../adapters/drives/messages.ts';
import { withoutAccount } from '../../adapters/keychain/environment.ts';
import { givenText } from '../../contract/text/given-text.ts';
import { dataPlace, profilesIn } from '../../adapters/system/home.ts';
import { AppError, toAppError, unknownKey } from '../../contract/errors.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { wholeInput, type TerminalInput } from '../io.ts';
import { mostKeyBytes, readKeyFile } from '../key-file.ts';
import { pathFrom } from '../output/words.ts';
import { askLine, canAsk, unlessInterrupted, within, type Composed, type Session } from '../session.ts';

export const login = async (
  session: Session,
  flags: { keyFile?: string; account?: 'same' | 'another' },
): Promise<ExitCode> => {
  const { output, options } = session;
  if (flags.account !== undefined) return await decide(session, flags.account);
  return await within(
    session,
    { kind: 'guest' },
    async (composed) => {
      const { client, settings, texts } = composed;
      let { baseUrl: address } = options;
      if (address === undefined && settings.current().baseUrl === null) {
        if (flags.keyFile === undefined && canAsk(session)) address = await askAddress(session);
        else
          throw new AppError(
            'not-configured',
            'No base address is set.',
            'Give it, for example, as --base-url=https://files.example.com/api/v1.',
          );
      }
      const key = await unlessInterrupted(session, () => readKey(session, texts, flags.keyFile));
      const account = await unlessInterrupted(session, () =>
        client.call('account.login', {
          key,
          ...(address === undefined ? {} : { baseUrl: address }),
        }),
      );
      const { key: state, plan, baseUrl } = account;
      if (state.kind === 'session') {
        throw new AppError(
          'keychain-unavailable',
          `The key works (plan ${plan ?? 'unknown'}), but this machine has no keychain to store it in.`,
          session.apiKey === ''
            ? 'Set OUTTRAY_API_KEY instead.'
            : 'OUTTRAY_API_KEY is set, and its key is the one used.',
        );
      }
      output.object({ plan, base_url: baseUrl, stored: state.kind });
      output.line(`Logged in to ${baseUrl ?? ''}, plan ${plan ?? 'unknown'}. The key is in the keychain.`);
      if (state.kind === 'environment')
        output.note('OUTTRAY_API_KEY is set as well, and that key is the one used.');
      if (state.kind === 'command')
        output.note('The setting keyCommand provides a key, and that is the one used.');
      if (!account.isUnknown) return exitCodes.done;
      const is = canAsk(session) ? await askWhose(session) : null;
      if (is === null) throw unknownKey();
      return await decideAs(session, composed, is);
    },
    { takeBaseUrl: false },
  ).finally(() => {
    // A pipe that stays open must not keep an interrupted run alive.
    session.stdin().destroy();
  });
};

const askWhose = async (session: Session): Promise<'same' | 'another' | null> => {
  const { env, stdin, stderr, signal } = session;
  const message = 'This key does not show the files of this data folder. Whose is it?';
  if (env['TERM'] === 'dumb') {
    const answer = await askLine(session, `${message} [same/another] `);
    return answer === 'same' || answer === 'another' ? answer : null;
  }
  const { select, isCancel } = await import('@clack/prompts');
  const answer = await select({
    message,
    options: [
      { value: 'same', label: 'The same account; its files were deleted at the service' },
      { value: 'another', label: 'Another account; new files go there' },
    ] as const,
    input: stdin(),
    output: stderr,
    signal,
  });
  return isCancel(answer) ? null : answer;
};

const askAddress = async (session: Session): Promise<string> => {
  const { env, stdin, stderr, signal } = session;
  const message = 'Address of the service, such as https://files.example.com/api/v1';
  if (env['TERM'] === 'dumb') return await askLine(session, `${message}: `);
  const { text, isCancel } = await import('@clack/prompts');
  const answer = await text({ message, input: stdin(), output: stderr, signal });
  return isCancel(answer) ? noKey() : answer.trim();
};

const decide = (session: Session, is: 'same' | 'another'): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, (composed) => decideAs(session, composed, is));

const decideAs = async (
  session: Session,
  { client }: Pick<Composed, 'client'>,
  is: 'same' | 'another',
): Promise<ExitCode> => {
  const { key } = await client.call('account.decide', { is });
  session.output.object({ account: is, key: key.kind });
  session.output.line(
    is === 'same'
      ? 'The key is taken for one of the same account.'
      : 'The key is taken for one of another account. New files go there; links from before stay as they are.',
  );
  return exitCodes.done;
};

const readKey = async (session: Session, texts: Texts, file: string | undefined): Promise<string> => {
  const key = file === undefined ? await readGiven(session) : await readFrom(session, texts, file);
  if (key !== '') return key;
  throw new AppError(
    'key-missing',
    'No API key was given.',
    'Give it on standard input, or with `outtray login --key-file FILE`.',
  );
};

const readGiven = async (session: Session): Promise<string> => {
  const stdin = session.stdin();
  if (stdin.isTTY === true) return (await askHidden(session)).trim();
  const bytes = await wholeInput(stdin, mostKeyBytes);
  if (bytes === null)
    throw new AppError('bad-use', 'Standard input is too large for a key.', 'Give only the key.');
  return givenText(bytes).trim();
};

const readFrom = async (session: Session, texts: Texts, file: string): Promise<string> => {
  const { text, warning } = await readKeyFile(texts, pathFrom(file, session), session.platform);
  if (warning !== null) session.output.note(warning);
  return text;
};

const askHidden = async ({ stdin, stderr, env }: Session): Promise<string> => {
  const message = 'API key (account settings of the service, section API)';
  if (env['TERM'] === 'dumb' || stderr.isTTY !== true) {
    stderr.write(`${message}: `);
    const answer = await typedUnseen(stdin());
    stderr.write('\n');
    return answer ?? noKey();
  }
  const { password, isCancel } = await import('@clack/prompts');
  const answer = await password({ message, input: stdin(), output: stderr });
  return isCancel(answer) ? noKey() : answer;
};

const noKey = (): never => {
  throw new AppError('aborted', 'No key was given.');
};

/** For terminals that cannot move the cursor: draws nothing. Null: the end of the input, or Ctrl-C. */
const typedUnseen = async (input: TerminalInput): Promise<string | null> => {
  const { createInterface } = await import('node:readline/promises');
  const unseen = new Writable({ write: (_piece, _encoding, done) => done() });
  const lines = createInterface({ input, output: unseen, terminal: true });
  try {
    const ended = new Promise<null>((resolve) => lines.once('close', () => resolve(null)));
    return await Promise.race([lines.question('').catch(() => null), ended]);
  } finally {
    lines.close();
  }
};

export const logout = (session: Session): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async ({ client }) => {
    const account = await client.call('account.logout', {});
    session.output.object({ key: account.key.kind });
    session.output.line(
      account.key.kind === 'environment'
        ? 'The stored key is removed; OUTTRAY_API_KEY is still set.'
        : account.key.kind === 'command'
          ? 'The stored key is removed; the setting keyCommand still provides one.'
          : 'The key is removed from the keychain.',
    );
    return exitCodes.done;
  });

/** The accounts of this user on this machine, each with a data folder of its own. */
export const profiles = async (session: Session): Promise<ExitCode> => {
  const { output, cwd } = session;
  const { home, ...options } = session.options;
  const { root, folder: own } = dataPlace(home, session.env, cwd);
  const rows: string[][] = [];
  for (const { name: profile, folder } of profilesIn(root)) {
    // An address from the environment or the command line is that of the profile in use.
    const takeBaseUrl = folder === own;
    const given = takeBaseUrl ? session.env : withoutAccount(session.env);
    const env = { ...given, OUTTRAY_HOME: root, OUTTRAY_PROFILE: profile };
    // The settings of another profile may be broken, and then the others are listed all the same.
    const known = await within(
      { ...session, env, options },
      { kind: 'guest' },
      ({ settings, holder }) =>
        Promise.resolve({ baseUrl: settings.current().baseUrl, running: holder !== null }),
      { takeBaseUrl },
    ).catch((caught: unknown) => {
      output.trouble(`${profile}: ${toAppError(caught).message}`);
      return { baseUrl: null, running: false };
    });
    output.object({ profile, folder, ...known });
    rows.push([profile, known.baseUrl ?? 'no address', folder, ...(known.running ? ['running'] : [])]);
  }
  output.table(rows);
  if (rows.length === 0) output.note('There is no account yet. `outtray login` makes one.');
  return exitCodes.done;
};
