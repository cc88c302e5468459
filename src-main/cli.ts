#!/usr/bin/env node
// The entry of the command: `outtray ARGS`. Loads only what the command needs, so that it starts at once.
import { enableCompileCache } from 'node:module';
import { takeEnvironment } from './adapters/keychain/environment.ts';
import { refuseDebugger } from './adapters/keychain/no-debugger.ts';
import { exactArguments } from './adapters/system/arguments.ts';
import { version } from './adapters/version.ts';

refuseDebugger();
const env = takeEnvironment();
enableCompileCache();

// `npm run outtray -- FILE` runs in the checkout; relative paths start at the folder where the user ran it.
const from = process.env['INIT_CWD'];
if (from !== undefined && process.env['npm_lifecycle_event'] === 'outtray') process.chdir(from);

const args = exactArguments(process.argv.slice(2));
const { asProcess } = await import('./cli/own-process.ts');
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  const { guardStdout } = await import('./cli/output/stdout.ts');
  process.exitCode = await asProcess(env, async (io) => {
    const stdout = guardStdout(io, () => undefined);
    stdout.write(`${version}\n`);
    const fault = await stdout.fault();
    if (fault === null || fault.isReaderGone) return 0;
    io.stderr.write(`outtray: ${fault.error.message}\n`);
    return 1;
  });
} else {
  const { run } = await import('./cli/program.ts');
  process.exitCode = await asProcess(env, (io) => run(args, io));
}
