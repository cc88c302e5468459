import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createKeychain } from '../../../src-main/adapters/keychain/keychain.ts';
import { parseSecret } from '../../../src-main/adapters/secret.ts';
import { addressAt, missingForKeyring, startBus } from '../../support/keyring.ts';
import { isDeep } from '../../support/deep.ts';
import { posixTest } from '../../support/posix.ts';

const address = 'https://files.example.com#0a1b2c3d';
const key = 'outtray-test-key-7f3a"\\$e';
const child = fileURLToPath(new URL('../../../src-main/adapters/keychain/child.ts', import.meta.url));
const node = { file: process.execPath, args: [child] };
const scripted = (script: string) => ({ file: process.execPath, args: ['-e', script] });

const keychainOn = (env: NodeJS.ProcessEnv, getMs = 8_000) =>
  createKeychain({ childCommand: node, env, limits: { getMs, changeMs: 8_000 } });

/** Keychain children of this very process: another run of the tests may have its own. */
const ownChildren = async (): Promise<string[]> => {
  const found: string[] = [];
  for (const pid of await readdir('/proc')) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (status.includes(`PPid:\t${process.pid}\n`) && line.includes(child)) found.push(pid);
  }
  return found;
};

const missing = process.platform === 'linux' ? missingForKeyring() : 'only on Linux';

describe.skipIf(missing !== null)(
  `with a real gnome-keyring${missing === null ? '' : ` (skipped: ${missing})`}`,
  () => {
    test('a stored key is found by another process, and is absent again after its removal', async () => {
      await using bus = await startBus({ keyring: 'unlocked' });
      expect(await keychainOn(bus.env).get(address)).toEqual({ kind: 'absent' });
      await keychainOn(bus.env).set(address, parseSecret(key));
      const answer = await keychainOn(bus.env).get(address);
      expect(answer.kind === 'present' ? answer.secret.reveal() : answer).toBe(key);
      expect(await keychainOn(bus.env).remove(address)).toBe(true);
      expect(await keychainOn(bus.env).remove(address)).toBe(false);
      expect(await keychainOn(bus.env).get(address)).toEqual({ kind: 'absent' });
    });

    test.runIf(isDeep)('storing again replaces the key', async () => {
      await using bus = await startBus({ keyring: 'unlocked' });
      const keychain = keychainOn(bus.env);
      await keychain.set(address, parseSecret('the-first-key'));
      await keychain.set(address, parseSecret('the-second-key'));
      const answer = await keychain.get(address);
      expect(answer.kind === 'present' ? answer.secret.reveal() : answer).toBe('the-second-key');
    });

    test('a keyring that was never unlocked in this session is locked, not empty', async () => {
      await using yesterday = await startBus({ keyring: 'unlocked' });
      await keychainOn(yesterday.env).set(address, parseSecret(key));
      await using today = await startBus({ keyring: 'locked', home: yesterday.home });
      const keychain = keychainOn(today.env);
      expect(await keychain.get(address)).toMatchObject({
        kind: 'locked',
        remedy: expect.stringContaining('Unlock') as unknown,
      });
      await expect(keychain.set(address, parseSecret(key))).rejects.toMatchObject({
        code: 'keychain-locked',
      });
      await expect(keychain.remove(address)).rejects.toMatchObject({ code: 'keychain-locked' });
    });

    test.runIf(isDeep)('a keyring that is locked while Outtray runs is locked, not empty', async () => {
      await using bus = await startBus({ keyring: 'unlocked' });
      const keychain = keychainOn(bus.env);
      await keychain.set(address, parseSecret(key));
      execFileSync(
        'dbus-send',
        [
          ...['--session', '--print-reply', '--dest=org.freedesktop.secrets', '/org/freedesktop/secrets'],
          ...[
            'org.freedesktop.Secret.Service.Lock',
            'array:objpath:/org/freedesktop/secrets/aliases/default',
          ],
        ],
        { env: bus.env, stdio: 'ignore' },
      );
      expect((await keychain.get(address)).kind).toBe('locked');
    });

    test.runIf(isDeep)(
      'a dialog that nobody answers means locked once the time is up, and the child is gone',
      async () => {
        await using yesterday = await startBus({ keyring: 'unlocked' });
        await keychainOn(yesterday.env).set(address, parseSecret(key));
        await using today = await startBus({
          keyring: 'locked',
          home: yesterday.home,
          prompter: '/bin/sleep 12',
        });
        expect((await keychainOn(today.env, 4_000).get(address)).kind).toBe('locked');
        await expect.poll(() => ownChildren()).toEqual([]);
      },
    );

    test('a session without a keyring service is unavailable', async () => {
      await using bus = await startBus({ keyring: 'none' });
      const keychain = keychainOn(bus.env);
      expect(await keychain.get(address)).toMatchObject({
        kind: 'unavailable',
        remedy: expect.stringContaining('OUTTRAY_API_KEY') as unknown,
      });
      await expect(keychain.set(address, parseSecret(key))).rejects.toMatchObject({
        code: 'keychain-unavailable',
      });
    });
  },
);

describe('a keychain that fails', () => {
  /** Answers every question with a fault, as the child does. */
  const broken = `process.on('message', () => process.send({ kind: 'unavailable', message: 'Error 1312' }))`;
  const childCommand = { file: process.execPath, args: ['-e', broken] };

  test.each([
    ['win32', 'Credential Manager'],
    ['darwin', 'Keychain Access'],
    ['linux', 'GNOME Keyring'],
  ] as const)('on %s reports why, and names what that system has', async (platform, name) => {
    const keychain = createKeychain({ childCommand, platform });
    const told = {
      message: 'No keychain answers on this machine: Error 1312.',
      remedy: expect.stringContaining(name) as unknown,
    };
    expect(await keychain.get(address)).toMatchObject(told);
    await expect(keychain.remove(address)).rejects.toMatchObject(told);
  });
});

describe.skipIf(process.platform !== 'linux')('without a session bus', () => {
  test.each([
    ['no address', {}],
    ['an address where nothing is', { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus' }],
  ])('%s is unavailable', async (_what, env) => {
    const home = await mkdtemp(join(tmpdir(), 'outtray-nobus-'));
    const quiet = { PATH: process.env['PATH'], HOME: home, XDG_RUNTIME_DIR: home, ...env };
    expect((await keychainOn(quiet).get(address)).kind).toBe('unavailable');
    await rm(home, { recursive: true });
  });

  /** A keychain on a bus that accepts a connection and stays silent. */
  const onMuteBus = async (changeMs: number) => {
    const folder = await mkdtemp(join(tmpdir(), 'outtray-mute-'));
    const mute = createServer();
    mute.listen(join(folder, 'bus'));
    const connected = once(mute, 'connection') as Promise<[Socket]>;
    const env = {
      PATH: process.env['PATH'],
      HOME: folder,
      DBUS_SESSION_BUS_ADDRESS: addressAt(folder),
    };
    const keychain = createKeychain({ childCommand: node, env, limits: { getMs: changeMs, changeMs } });
    const refused = expect(keychain.set(address, parseSecret(key))).rejects.toMatchObject({
      code: 'keychain-unavailable',
    });
    const end = async (): Promise<void> => {
      await refused;
      mute.close();
      await rm(folder, { recursive: true });
    };
    return { connected, end };
  };

  test('a bus that never answers is unavailable after the time limit', async () => {
    const { end } = await onMuteBus(1_000);
    await end();
  });

  test('while the bus is queried, the key is nowhere to be seen; a bus that hangs up is unavailable', async () => {
    const { connected, end } = await onMuteBus(60_000);
    const [connection] = await connected;
    const [pid] = await ownChildren();
    const seen = await Promise.all(
      ['cmdline', 'environ'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8')),
    );
    expect(seen.join()).toContain('DBUS_SESSION_BUS_ADDRESS');
    expect(seen.join()).not.toContain('outtray-test-key');
    connection.destroy();
    await end();
  });
});

test('a child that cannot be started, or that sends nothing or nonsense, is an unavailable keychain', async () => {
  for (const childCommand of [
    { file: '/nonexistent/outtray', args: [] },
    scripted(''),
    scripted('process.send("hello"); setTimeout(() => {}, 1e5)'),
    scripted('process.send({ kind: "present" }); setTimeout(() => {}, 1e5)'),
  ]) {
    const answer = await createKeychain({ childCommand }).get(address);
    expect(answer.kind).toBe('unavailable');
  }
});

test('an entry in the keychain that is not an API key is not used as one', async () => {
  const childCommand = scripted('process.send({ kind: "present", key: "two words" })');
  expect((await createKeychain({ childCommand }).get(address)).kind).toBe('unavailable');
});

posixTest('it has no signals')('the child ends when its parent is gone', async () => {
  const orphan = spawn(node.file, node.args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  orphan.disconnect();
  expect((await once(orphan, 'exit'))[1]).toBe('SIGKILL');
});

test('a child that a person starts explains what it is and ends', async () => {
  const alone = spawn(node.file, node.args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const said = readAll(alone.stderr);
  expect((await once(alone, 'exit'))[0]).toBe(2);
  expect(await said).toBe('This is a part of Outtray that it starts by itself.\n');
});
