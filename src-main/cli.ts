#!/usr/bin/env node
// The headless door: `outtray ARGS`. Loads only what the command needs, so that it starts at once.
import { enableCompileCache } from 'node:module';
import { refuseDebugger } from './adapters/keychain/no-debugger.ts';
import { version } from './adapters/version.ts';

refuseDebugger();
enableCompileCache();

// `npm run outtray -- FILE` starts in the checkout; paths are meant from where the user stands.
const from = process.env['INIT_CWD'];
if (from !== undefined && process.env['npm_lifecycle_event'] === 'outtray') process.chdir(from);

const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  process.stdout.write(`${version}\n`);
} else {
  const { run } = await import('./cli/program.ts');
  process.exitCode = await run(args, process.env);
}
