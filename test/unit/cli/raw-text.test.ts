// What is printed beside answers acts on no terminal either: the log of `--verbose`, and the trace of a fault.
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Io } from '../../../src-main/cli/io.ts';
import { run } from '../../../src-main/cli/program.ts';
import { logLine } from '../../../src-main/cli/session.ts';

const hostile = 'a\u009b2Jb\u001b[2Jc\u202ed\u007f';
const acting = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\p{Cf}]/u;

test('a line of the log', () => {
  const line = logLine(
    JSON.stringify({ at: 'now', level: 'warn', event: 'folder not readable', dir: hostile }),
  );
  expect(line).toMatch(/^now warn folder not readable /);
  expect(line).not.toMatch(acting);
});

test('the trace of a fault of our own', async () => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said: string[] = [];
  stderr.on('data', (piece: Buffer) => said.push(String(piece)));
  const io = {
    ...{ stdin: () => new PassThrough(), stdout, stderr, env: {}, cwd: '/', userHome: '/' },
    ...{ platform: 'linux', signal: new AbortController().signal },
    hearFaults(report) {
      report(new Error(hostile));
      return () => undefined;
    },
  } satisfies Io;
  await run(['--version'], io);
  expect(said.join('')).toContain('raw-text.test.ts');
  expect(said.join('')).not.toMatch(acting);
});
