// The trial as a command: its arguments, its question, its report and its exit code.
import { parseArgs } from 'node:util';
import { createApi } from '../../../src-main/adapters/api/api.ts';
import { proxyFromEnvironment } from '../../../src-main/adapters/api/proxy.ts';
import { parseSecret } from '../../../src-main/adapters/secret.ts';
import { createClock } from '../../../src-main/adapters/system/clock.ts';
import { typedText } from '../../../src-main/cli/output/typed.ts';
import { exitCodeOf, exitCodes } from '../../../src-main/cli/exit-codes.ts';
import { AppError, toAppError } from '../../../src-main/contract/errors.ts';
import { createTrial } from './trial.ts';

type Io = {
  env: NodeJS.ProcessEnv;
  print(line: string): void;
  complain(line: string): void;
  /** Null: no one can be asked. */
  ask(question: string): Promise<boolean | null>;
  signal: AbortSignal;
};

const question =
  'This makes about 15 requests to the account: it uploads 4 files (80 kB in all, one of them only in part) and deletes them again. Continue?';

export const tryService = async (args: readonly string[], io: Io): Promise<number> => {
  try {
    return await tried(args, io);
  } catch (caught) {
    const { code, message, remedy } = toAppError(caught);
    io.complain(`${message} ${typedText(remedy)}`.trim());
    return exitCodeOf(code);
  }
};

const tried = async (args: readonly string[], io: Io): Promise<number> => {
  const { address, flags } = parsed(args);
  const key = parseSecret(io.env['OUTTRAY_API_KEY'] ?? '');
  if (flags.yes !== true) {
    const answer = await io.ask(question);
    if (answer === null)
      throw new AppError('bad-use', 'This uploads and deletes files of the account.', 'Add --yes to agree.');
    if (!answer) return exitCodes.interrupted;
  }
  const api = createApi({
    baseUrl: address,
    key: () => key,
    settings: { proxy: 'system', caPem: null, linkHosts: [] },
    resolveProxy: proxyFromEnvironment(io.env),
  });
  try {
    const findings = await createTrial({ api, clock: createClock(), chance: Math.random })(io.signal);
    for (const finding of findings) {
      const mark = finding.ok === null ? '?' : finding.ok ? '✓' : '!';
      io.print(
        flags.json === true
          ? JSON.stringify({ ...finding, remedy: typedText(finding.remedy) })
          : `${mark} ${finding.name}: ${finding.message} ${typedText(finding.remedy)}`.trim(),
      );
    }
    return findings.some(({ ok }) => ok === false) ? exitCodes.wrongUse : exitCodes.done;
  } finally {
    await api.close();
  }
};

const parsed = (args: readonly string[]) => {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { yes: { type: 'boolean' }, json: { type: 'boolean' } },
    });
    const [address] = positionals;
    if (address !== undefined && positionals.length === 1) return { address, flags: values };
  } catch {
    // An option that is not known: the same advice helps.
  }
  throw new AppError(
    'bad-use',
    'Usage: npm run service:try -- ADDRESS [--yes] [--json]',
    'ADDRESS is what the setting baseUrl would be.',
  );
};
