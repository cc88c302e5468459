import { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AppError } from '../../src-main/contract/errors.ts';
import { createDrive } from '../../src-main/adapters/drives/drive.ts';
import { startDrive } from '../../src-main/adapters/drives/start.ts';
import { createKeychain } from '../../src-main/adapters/keychain/keychain.ts';
import { runProgram } from '../../src-main/adapters/programs/run-program.ts';
import { openAddress } from '../../src-main/adapters/system/opener.ts';

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

test('the time limit ends the program with all that it started', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'outtray-program-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [script, pid] = ['program.mjs', 'pid'].map((name) => path.join(folder, name)) as [string, string];
  writeFileSync(
    script,
    `import { writeFileSync } from 'node:fs';
     writeFileSync(${JSON.stringify(pid)}, String(process.pid));
     setTimeout(Date, 600_000);`,
  );
  // A shell between, because Node itself ends what it started on Windows.
  const text =
    process.platform === 'win32'
      ? `cmd.exe /d /c ${process.execPath} ${script}`
      : `sh -c '"${process.execPath}" "${script}" & wait'`;
  const options = { env: process.env, maxMs: 5000, maxBytes: 100, overflow: 'drop', input: 'x' } as const;
  expect(await runProgram(text, options)).toMatchObject({ problem: 'it did not end within 5 s' });
  const child = Number(readFileSync(pid, 'utf8'));
  await expect.poll(() => runs(child), { timeout: 20_000 }).toBe(false);
});

test('a program that cannot be ended, as one that became root, is left alone', async () => {
  // Node reports such a fault by the event `error`, with each call.
  vi.spyOn(ChildProcess.prototype, 'kill').mockImplementation(function (this: ChildProcess) {
    return this.emit('error', Object.assign(new Error('kill EPERM'), { code: 'EPERM' }));
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const text = `"${process.execPath}" -e "setTimeout(Date, 2000)"`;
  const options = { env: process.env, maxMs: 50, maxBytes: 100, overflow: 'fail' } as const;
  expect(await runProgram(text, options)).toMatchObject({ problem: 'it did not end within 0.05 s' });
});

const runs = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A zombie without a parent that waits for it still has its number.
    return process.platform !== 'linux' || !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
};

/** Over what Linux takes in one variable: Node throws this fault. */
const env = { PATH: process.env['PATH'], LONG: 'x'.repeat(200_000) };
const self = { file: process.execPath, args: ['-e', '0'] };

test.runIf(process.platform === 'linux').each([
  [
    'the keychain is unavailable',
    async () => {
      const limits = { getMs: 8000, changeMs: 8000 };
      const { kind } = await createKeychain({ childCommand: self, env, limits }).get('https://a.example');
      return kind === 'unavailable';
    },
  ],
  [
    'a drive does not answer',
    async () => {
      const drive = createDrive('/net', startDrive(self, '/net', env));
      const fault: unknown = await drive.ask('look', '/net/a').catch((error: unknown) => error);
      return fault instanceof AppError && fault.code === 'locked';
    },
  ],
  [
    'an address is not opened',
    async () => {
      const fault: unknown = await openAddress(`https://a/${env.LONG}`, env, 'linux').catch(
        (error: unknown) => error,
      );
      return fault instanceof AppError && fault.code === 'bad-use';
    },
  ],
])('where a process cannot be started at all, %s', async (_what, holds) => {
  expect(await holds()).toBe(true);
});
