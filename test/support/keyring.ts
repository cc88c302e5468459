// A session bus of its own for one test, with the real gnome-keyring and nothing of the machine's own session. The bus
// offers only the services that a test names: so "no keyring installed" and "a dialog without an answer" are real, too.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

export type KeyringState = 'unlocked' | 'locked' | 'none';

export type Bus = AsyncDisposable & {
  /** For a process that should talk to this bus. */
  env: NodeJS.ProcessEnv;
  home: string;
};

/** What the app needs to know to find this bus. */
export const addressOf = ({ env }: Bus): Record<string, string> =>
  Object.fromEntries(
    ['DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR'].flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** The address of a bus in this folder. An address escapes all but a few characters (D-Bus specification, "Server Addresses"). */
export const addressAt = (folder: string): string => `unix:path=${encodeURI(join(folder, 'bus'))}`;

const isInstalled = (program: string): boolean => {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** Why the real keyring cannot be tested here; null when it can. */
export const missingForKeyring = (): string | null => {
  const missing = ['dbus-daemon', 'dbus-send', 'gnome-keyring-daemon'].filter(
    (program) => !isInstalled(program),
  );
  return missing.length === 0 ? null : `${missing.join(' and ')} not installed (packages dbus gnome-keyring)`;
};

/** `home` of an earlier bus brings its keyring file along. The prompter is the program that would show the dialog. */
export const startBus = async ({
  keyring,
  home: given,
  prompter,
}: {
  keyring: KeyringState;
  home?: string;
  prompter?: string;
}): Promise<Bus> => {
  const folder = await mkdtemp(join(tmpdir(), 'outtray-bus-'));
  const home = given ?? join(folder, 'home');
  const runtime = join(folder, 'run');
  const services = join(folder, 'services');
  for (const path of [home, runtime, services]) await mkdir(path, { recursive: true, mode: 0o700 });
  if (prompter !== undefined) {
    await writeFile(
      join(services, 'prompter.service'),
      `[D-BUS Service]\nName=org.gnome.keyring.SystemPrompter\nExec=${prompter}\n`,
    );
  }
  const config = join(folder, 'bus.conf');
  await writeFile(
    config,
    `<busconfig><type>session</type><listen>${addressAt(runtime)}</listen><servicedir>${services}</servicedir>
     <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
     </busconfig>`,
  );
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    HOME: home,
    XDG_RUNTIME_DIR: runtime,
  };
  const bus = spawn('dbus-daemon', [`--config-file=${config}`, '--nofork', '--print-address'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: bus.stdout });
  const address: unknown[] = await Promise.race([
    once(lines, 'line'),
    once(lines, 'close').then(() => {
      throw new Error('dbus-daemon ended at once');
    }),
  ]);
  env['DBUS_SESSION_BUS_ADDRESS'] = String(address[0]);

  const daemon = keyring === 'none' ? null : startKeyring(env, keyring);
  if (daemon !== null) await untilOwned(env);
  return {
    env,
    home,
    async [Symbol.asyncDispose]() {
      for (const child of [daemon, bus]) {
        if (child === null || child.exitCode !== null) continue;
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** In the foreground, so that it is our own child process and ends with the test. */
const startKeyring = (env: NodeJS.ProcessEnv, state: 'unlocked' | 'locked') => {
  const unlock = state === 'unlocked' ? ['--unlock'] : [];
  const daemon = spawn('gnome-keyring-daemon', ['--foreground', '--components=secrets', ...unlock], {
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  daemon.stdin.end(state === 'unlocked' ? 'password' : '');
  return daemon;
};

/** The daemon does not report when it is ready, so we ask the bus. */
const untilOwned = async (env: NodeJS.ProcessEnv) => {
  const question = ['--session', '--print-reply=literal', '--dest=org.freedesktop.DBus', '/'];
  for (let turn = 0; turn < 200; turn += 1) {
    const { stdout } = await promisify(execFile)(
      'dbus-send',
      [...question, 'org.freedesktop.DBus.NameHasOwner', 'string:org.freedesktop.secrets'],
      { env },
    );
    if (stdout.includes('true')) return;
    await delay(10);
  }
  throw new Error('gnome-keyring-daemon did not come up within 2 s');
};
