// How the packaged app starts: it is only the window, so words of the command end in one sentence, and only an AppImage
// hands them over. On the stand-in for Electron.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startService } from '../service/service.ts';
import { eventually } from '../support/flow/poll.ts';
import { makePackagedProgram } from '../support/packaged.ts';

type Ended = { code: number | null; stdout: string; stderr: string };

const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const act of undo.splice(0).toReversed()) await act();
});

const install = async () => {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'outtray-starts-')));
  undo.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const app = await makePackagedProgram(folder);
  /** As on a server: no display. Root needs the variable, as on Electron. */
  const run = (args: string[], env: NodeJS.ProcessEnv = {}, input = ''): Promise<Ended> =>
    new Promise((resolve, reject) => {
      const child = spawn(app, args, {
        env: {
          PATH: process.env['PATH'],
          HOME: folder,
          OUTTRAY_HOME: path.join(folder, 'data'),
          ELECTRON_DISABLE_SANDBOX: '1',
          ...env,
        },
        stdio: ['pipe', 'pipe', 'pipe'],
        cwd: folder,
      });
      const ended: Ended = { code: null, stdout: '', stderr: '' };
      child.stdin.on('error', () => undefined);
      child.stdin.end(input);
      child.stdout.on('data', (piece: Buffer) => (ended.stdout += String(piece)));
      child.stderr.on('data', (piece: Buffer) => (ended.stderr += String(piece)));
      child.on('error', reject);
      child.on('close', (code) => resolve({ ...ended, code }));
    });
  // The file lies outside of what it mounts, as its data do.
  const asAppImage = { APPIMAGE: app, APPDIR: path.join(folder, 'program') };
  return { folder, run, asAppImage };
};

test.each([
  [['status']],
  [['--json', 'list']],
  [['--version']],
  [['uplaod', 'x']],
  [['upload', 'x']],
  [['no-such-file.txt']],
])('%j opens no window and names the command', async (args) => {
  const { folder, run } = await install();
  expect(await run(args)).toEqual({
    code: 2,
    stdout: '',
    stderr: `outtray: This program is only the window. The command is ${folder}/program/outtray\n`,
  });
});

test('without a display the app says so in one sentence; switches of children and of Node are nothing to it', async () => {
  const { run } = await install();
  for (const [args, env] of [
    [[], {}],
    [['--hidden'], {}],
    [['--keychain-child'], {}],
    [['--drive-child'], {}],
    [['--profile', 'work'], {}],
    [[], { ELECTRON_RUN_AS_NODE: '1' }],
  ] as const) {
    const { code, stderr } = await run([...args], env);
    expect({ args, code }).toEqual({ args, code: 2 });
    expect(stderr).toMatch(/^outtray: There is no display for the window of Outtray: .*\n$/);
  }
});

test.each([['--profile=a/b'], ['--profile', '..'], ['--profile=']])(
  'what is no name of a profile ends it: %s',
  async (...args) => {
    const { code, stderr } = await (await install()).run(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^outtray: This cannot be the name of a profile\. .*\n$/);
  },
);

test('an AppImage hands words over to the command inside, with its streams, its exit code and the key', async () => {
  const { folder, run, asAppImage } = await install();
  const service = await startService({ requestsPerMinute: null, requestsPerDay: null });
  undo.push(() => service.close());
  const env = { ...asAppImage, OUTTRAY_BASE_URL: service.baseUrl, OUTTRAY_API_KEY: service.key };
  expect(await run(['--version'], env)).toMatchObject({ code: 0, stdout: '0.1.0\n', stderr: '' });
  expect((await run(['uplaod', 'x'], env)).stderr).toContain("unknown command 'uplaod'");
  const upload = await run(['upload', '-', '--name', 'piped.txt'], env, 'from standard input');
  expect(upload).toMatchObject({ code: 0, stdout: expect.stringMatching(/^http/) as unknown });
  // A detached upload is the AppImage again, and gets its task through both processes.
  await writeFile(path.join(folder, 'later.txt'), 'x');
  expect(await run(['upload', '--detach', 'later.txt'], env)).toMatchObject({ code: 0 });
  await eventually('the detached upload has arrived', async () => {
    const { stdout } = await run(['--json', 'list'], env);
    return stdout.includes('later.txt') || undefined;
  });
  await eventually(
    'the detached process has ended',
    async () =>
      (await readFile(path.join(folder, 'data/engine.json'), 'utf8').catch(() => '')) === '' || undefined,
  );
});
