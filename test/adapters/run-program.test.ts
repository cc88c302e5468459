import { expect, test } from 'vitest';
import { runProgram } from '../../src-main/adapters/programs/run-program.ts';

const run = (text: string) =>
  runProgram(text, { env: process.env, maxMs: 20_000, maxBytes: 100, overflow: 'drop', input: 'line\n' });

// Node throws this fault and does not report it by an event, as it does for a batch file on Windows.
test.skipIf(process.platform === 'win32')(
  'a program that the system refuses to start is a problem, not an error',
  async () => {
    expect(await run(`cat ${'x'.repeat(200_000)}`)).toMatchObject({ problem: 'it cannot be started' });
    expect(await run('no-such-program')).toMatchObject({ problem: 'it cannot be started' });
    expect(await run('cat')).toMatchObject({ problem: null, output: Buffer.from('line\n') });
  },
);
