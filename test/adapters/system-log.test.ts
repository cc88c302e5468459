// The copy of the audit lines in the system log: the input of the program, and the report when it fails. What a real
// journal keeps of it: test/real/system-log.test.ts.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { createSystemLog } from '../../src-main/adapters/audit/system-log.ts';
import type { AppError } from '../../src-main/contract/errors.ts';
import { posixTest } from '../support/posix.ts';

const withPrograms = posixTest('a program with a first line that names its interpreter');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'outtray-system-log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const programThat = (does: string) => {
  const file = path.join(folder, 'logger');
  writeFileSync(file, `#!/bin/sh\n${does}\n`);
  chmodSync(file, 0o755);
  return { file, args: ['-t', 'outtray'] };
};
const quiet = (error: AppError): void => {
  throw error;
};

withPrograms('each line is sent once and in order, even one that arrives while others are sent', async () => {
  const got = path.join(folder, 'got');
  const log = createSystemLog({ failed: quiet, program: programThat(`/bin/cat >> '${got}'`) });
  log.send(['1\n', '2\n']);
  await Promise.resolve();
  log.send(['3\n']);
  await log.close();
  log.send(['4\n']);
  await log.close();
  expect(readFileSync(got, 'utf8')).toBe('1\n2\n3\n4\n');
  expect(() => log.check()).not.toThrow();
});

withPrograms.for([
  { what: 'says why', does: 'echo "no socket" >&2; exit 1', told: 'no socket' },
  { what: 'ends with a code', does: 'exit 3', told: 'ended with 3' },
  { what: 'does not end', does: 'exec /bin/sleep 600', told: 'did not end' },
])('a log that $what is reported, and the next line is tried again', async ({ does, told }) => {
  const heard: string[] = [];
  const program = programThat(does);
  const log = createSystemLog({ failed: ({ message }) => heard.push(message), program, limitMs: 3000 });
  log.send(['1\n']);
  await log.close();
  expect(heard).toEqual([expect.stringContaining(told)]);
  expect(() => log.check()).toThrow(told);
  programThat('/bin/cat > /dev/null');
  log.send(['2\n']);
  await log.close();
  expect(heard).toHaveLength(1);
  expect(() => log.check()).not.toThrow();
});

withPrograms('a system without such a log, or without its program, is reported', async () => {
  const heard: string[] = [];
  const none = createSystemLog({ failed: ({ message }) => heard.push(message), program: null });
  expect(() => none.check()).toThrow('none here that every user may write to');
  none.send(['1\n']);
  await none.close();
  expect(heard).toHaveLength(1);
  const gone = createSystemLog({ failed: quiet, program: { file: path.join(folder, 'gone'), args: [] } });
  expect(() => gone.check()).toThrow('ENOENT');
});
