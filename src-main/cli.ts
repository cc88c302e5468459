#!/usr/bin/env node
// The entry of the command: `outtray ARGS`. Loads only what the command needs, so that it starts at once.
import { takeEnvironment } from './adapters/keychain/environment.ts';
import { refuseDebugger } from './adapters/keychain/no-debugger.ts';
import { keepCompiledCode } from './adapters/programs/compiled-code.ts';
import { exactArguments } from './adapters/system/arguments.ts';
import { isOneProgram } from './adapters/system/one-program.ts';
import { version } from './adapters/version.ts';
import type { ExitCode } from './cli/exit-codes.ts';

refuseDebugger();
const env = takeEnvironment();
// The program has compiled code inside.
if (!isOneProgram()) keepCompiledCode();

// `npm run outtray -- FILE` runs in the checkout; relative paths start at the folder where the user ran it.
const from = process.env['INIT_CWD'];
if (from !== undefined && process.env['npm_lifecycle_event'] === 'outtray') process.chdir(from);

const args = exactArguments(process.argv.slice(2));
const start = async (): Promise<ExitCode> => {
  const { asProcess } = await import('./cli/own-process.ts');
  if (args.length !== 1 || (args[0] !== '--version' && args[0] !== '-V')) {
    const { run } = await import('./cli/program.ts');
    return asProcess(env, (io) => run(args, io));
  }
  const { guardStdout } = await import('./cli/output/stdout.ts');
  return asProcess(env, async (io) => {
    const stdout = guardStdout(io, () => undefined);
    stdout.write(`${version}\n`);
    const fault = await stdout.fault();
    if (fault === null || fault.isReaderGone) return 0;
    io.stderr.write(`outtray: ${fault.error.message}\n`);
    return 1;
  });
};

// It holds where the process ends before the command has answered.
process.exitCode = 1;
void start().then((code) => (process.exitCode = code));
// Everything is written and closed. Node would go on to free its memory piece by piece, which the system does at once.
process.once('beforeExit', () => process.exit());
