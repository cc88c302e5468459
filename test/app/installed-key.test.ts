// The installed command reaches the keyring: the bundle that runs on Node, as npm installs it, and the program of the
// packages, which loads the keyring's native module from its own folder.
import { spawn } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { startService } from '../service/service.ts';
import { missingForKeyring, startBus, type KeyringState } from '../support/keyring.ts';
import { builtProgram } from '../support/program.ts';

const bundle = path.resolve(import.meta.dirname, '../../out/cli/cli.cjs');
const key = 'installed-key-51c7';

type Program = { file: string; args: string[] };
type Ended = { code: number | null; stdout: string; stderr: string };

/** Both forms of the command as they are shipped. */
const programs: [string, () => Promise<Program>][] = [
  ['the bundle on Node', () => Promise.resolve({ file: process.execPath, args: [bundle] })],
  ['the program of the packages', async () => ({ file: await builtProgram(), args: [] })],
];

const begin = async (make: () => Promise<Program>, keyring: KeyringState, home?: string) => {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'outtray-installed-')));
  const program = await make();
  const service = await startService({ key, requestsPerMinute: null, requestsPerDay: null });
  const bus = await startBus({ keyring, ...(home === undefined ? {} : { home }) });
  const run = (args: string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> =>
    new Promise((resolve, reject) => {
      const child = spawn(program.file, [...program.args, ...args], {
        env: { ...bus.env, OUTTRAY_HOME: path.join(folder, 'data'), ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const ended: Ended = { code: null, stdout: '', stderr: '' };
      child.stdout.on('data', (piece: Buffer) => (ended.stdout += String(piece)));
      child.stderr.on('data', (piece: Buffer) => (ended.stderr += String(piece)));
      child.on('error', reject);
      child.on('close', (code) => resolve({ ...ended, code }));
    });
  const login = async (given: string): Promise<Ended> => {
    const file = path.join(folder, 'key');
    await writeFile(file, `${given}\n`, { mode: 0o600 });
    return await run(['login', `--base-url=${service.baseUrl}`, '--key-file', file]);
  };
  return {
    service,
    bus,
    folder,
    run,
    login,
    async [Symbol.asyncDispose]() {
      await bus[Symbol.asyncDispose]();
      await service.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

const missing = process.platform === 'linux' ? missingForKeyring() : 'only on Linux';

describe.skipIf(missing !== null).each(programs)('%s', (_what, make) => {
  test('logs in, lists and logs out, with the key in the keyring in between', async () => {
    await using place = await begin(make, 'unlocked');
    const login = await place.login(key);
    expect(login).toMatchObject({ code: 0, stderr: '' });
    expect(login.stdout).toContain('The key is in the keychain.');
    expect(await place.run(['list'])).toMatchObject({ code: 0 });
    expect(await place.run(['logout'])).toMatchObject({ code: 0, stderr: '' });
    const after = await place.run(['list']);
    expect(after).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('No API key is stored') as unknown,
    });
  });

  test('keeps no key that the service refuses', async () => {
    await using place = await begin(make, 'unlocked');
    expect((await place.login('another-key')).code).toBe(3);
    expect((await place.run(['list'])).stderr).toContain('No base address');
  });

  test('reports locked, never missing, while the keyring is locked', async () => {
    await using yesterday = await begin(make, 'unlocked');
    expect((await yesterday.login(key)).code).toBe(0);
    await using today = await begin(make, 'locked', yesterday.bus.home);
    // The key of that service: its address is the account.
    const settings = {
      OUTTRAY_BASE_URL: yesterday.service.baseUrl,
      OUTTRAY_HOME: path.join(yesterday.folder, 'data'),
    };
    for (const command of [['list'], ['logout']]) {
      const ended = await today.run(['--json', ...command], settings);
      expect(ended.code).toBe(3);
      expect(JSON.parse(ended.stdout)).toMatchObject({ error: { code: 'keychain-locked' } });
    }
  });

  test('advises OUTTRAY_API_KEY where there is no keyring, and uses it', async () => {
    await using place = await begin(make, 'none');
    const login = await place.login(key);
    expect(login.code).toBe(3);
    expect(login.stderr).toContain(
      'this machine has no keychain to store it in. Set OUTTRAY_API_KEY instead.',
    );
    const settings = { OUTTRAY_BASE_URL: place.service.baseUrl };
    const list = await place.run(['list'], settings);
    expect(list).toMatchObject({ code: 3, stderr: expect.stringContaining('OUTTRAY_API_KEY') as unknown });
    expect(await place.run(['list'], { ...settings, OUTTRAY_API_KEY: key })).toMatchObject({ code: 0 });
  });
});
