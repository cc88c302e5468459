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

// `npm run outtray -- FILE` starts in the checkout; paths are meant from where the user stands.
const from = process.env['INIT_CWD'];
if (from !== undefined && process.env['npm_lifecycle_event'] === 'outtray') process.chdir(from);

const args = exactArguments(process.argv.slice(2));
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  const { guardStdout, stdoutFault, writeOut } = await import('./cli/output/stdout.ts');
  guardStdout(() => undefined);
  writeOut(`${version}\n`);
  const fault = await stdoutFault();
  if (fault !== null && !fault.isReaderGone) {
    process.stderr.write(`outtray: ${fault.error.message}\n`);
    process.exitCode = 1;
  }
} else {
  const { run } = await import('./cli/program.ts');
  process.exitCode = await run(args, env);
}
