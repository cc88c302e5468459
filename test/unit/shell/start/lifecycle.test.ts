// The end of the program and its restart, with the order of events on each system.
import { EventEmitter } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createParts } from '../../../../src-main/shell/parts.ts';
import type { FilesAtStart } from '../../../../src-main/shell/start/given-files.ts';

const parts = vi.hoisted(() => {
  const events = process.getBuiltinModule('events');
  const told: string[] = [];
  const parts = {
    /** Of Electron. */
    folder: '',
    done: told,
    app: Object.assign(new events.EventEmitter(), {
      isPackaged: true,
      relaunch: ({ args }: { args: string[] }) => void told.push(`relaunch ${args.join(' ')}`.trim()),
      releaseSingleInstanceLock: () => undefined,
      setLoginItemSettings: (settings: object) => void told.push(JSON.stringify(settings)),
      getLoginItemSettings: () => ({ wasOpenedAtLogin: true }),
      getPath: () => parts.folder,
      quit: (): void => {
        const event = { prevented: false, preventDefault: () => void (event.prevented = true) };
        parts.app.emit('before-quit', event);
        if (!event.prevented) told.push('quit');
      },
    }),
    autoUpdater: new events.EventEmitter(),
    powerMonitor: new events.EventEmitter(),
  };
  return parts;
});
const { app, autoUpdater, powerMonitor, done } = parts;
vi.mock('electron', () => parts);
// Other files of this run may have loaded these modules with their own stand-ins.
vi.resetModules();
const { argumentsAgain, followFaults, followLife, wasOpenedAtLogin } =
  await import('../../../../src-main/shell/start/lifecycle.ts');
const { followGivenFiles } = await import('../../../../src-main/shell/start/given-files.ts');
const { AppError } = await import('../../../../src-main/contract/errors.ts');
const { autostartFile, canLaunchAtLogin, followLaunchAtLogin } =
  await import('../../../../src-main/shell/start/login-item.ts');

const life = (close: () => Promise<void> = async () => void done.push('close')) =>
  followLife({
    show: () => void done.push('show'),
    environment: {},
    resumed: () => undefined,
    leaving: () => void done.push('leave'),
    close,
  });

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'outtray-life-'));
  parts.folder = folder;
  vi.useFakeTimers();
  vi.stubEnv('APPIMAGE', undefined);
  vi.stubGlobal(
    'process',
    Object.assign(Object.create(process) as typeof process, { argv: ['/opt/outtray'] }),
  );
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  done.length = 0;
  for (const emitter of [app, autoUpdater, powerMonitor] as EventEmitter[]) emitter.removeAllListeners();
});

test('quitting waits until everything is recorded, and quitting twice ends once', async () => {
  life();
  app.quit();
  app.quit();
  expect(done).toEqual(['leave', 'close']);
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toEqual(['leave', 'close', 'quit', 'quit']);
});

test('a part of the window that cannot be stopped keeps neither the engine nor the program', async () => {
  const tray = () => {
    throw new Error('the tray is gone');
  };
  const parts = createParts();
  parts.add({ stop: () => void done.push('window') });
  parts.add({ stop: tray });
  followLife({
    show: () => undefined,
    environment: {},
    resumed: () => undefined,
    leaving: parts.stop,
    close: async () => void done.push('close'),
  });
  app.quit();
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toEqual(['window', 'close', 'quit']);
});

test('an engine that does not end delays the program for ten seconds, not for ever', async () => {
  life(() => new Promise(() => undefined));
  app.quit();
  await vi.advanceTimersByTimeAsync(9_999);
  expect(done).toEqual(['leave']);
  await vi.advanceTimersByTimeAsync(1);
  expect(done).toEqual(['leave', 'quit']);
});

test('macOS: the windows may close before the first quit request, and the request waits for the engine', async () => {
  life();
  autoUpdater.emit('before-quit-for-update');
  expect(done).toEqual(['leave', 'close']);
  app.quit();
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toEqual(['leave', 'close', 'quit']);
});

test('an installation that fails, or never happens, starts the program again once', async () => {
  life();
  autoUpdater.emit('before-quit-for-update');
  await vi.advanceTimersByTimeAsync(29_999);
  expect(done).toEqual(['leave', 'close']);
  await vi.advanceTimersByTimeAsync(1);
  autoUpdater.emit('error', new Error('late'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(done).toEqual(['leave', 'close', 'relaunch', 'quit']);
});

test('a restart shuts the engine down first, and starts hidden when the window was hidden', async () => {
  life().restart({ hidden: true });
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toEqual(['leave', 'close', 'relaunch --hidden', 'quit']);
});

test('a program that cannot be started again ends all the same', async () => {
  const relaunch = vi.spyOn(app, 'relaunch').mockImplementation(() => {
    throw new Error('no memory');
  });
  life().restart({ hidden: false });
  await vi.advanceTimersByTimeAsync(0);
  relaunch.mockRestore();
  expect(done).toEqual(['leave', 'close', 'quit']);
});

test.each([
  [['/opt/outtray', '--hidden', '--no-sandbox', '/home/ada/a.txt'], false, false, ['--no-sandbox']],
  [['/opt/outtray', 'a.txt'], false, true, ['--hidden']],
  [
    ['electron', '/src/outtray', '--user-data-dir=/x', 'a.txt'],
    true,
    false,
    ['/src/outtray', '--user-data-dir=/x'],
  ],
])('started as %j (checkout: %s, hidden: %s) it restarts with %j', (argv, isCheckout, hidden, again) =>
  expect(argumentsAgain(argv, isCheckout, hidden)).toEqual(again),
);

const on = (platform: NodeJS.Platform): void => {
  vi.stubGlobal('process', Object.create(process, { platform: { value: platform } }));
};

const written = (value: boolean) => ({ read: () => value, write: (now: boolean) => void (value = now) });

test('Windows starts it hidden at login, by a value that is named after the app’s id', async () => {
  on('win32');
  await followLaunchAtLogin(true, written(false), null);
  expect(done).toEqual(['{"openAtLogin":true,"name":"app.outtray.desktop","args":["--hidden"]}']);
});

test('with a profile, Windows has a value of its own, and macOS, which passes no arguments, none', async () => {
  on('win32');
  await followLaunchAtLogin(true, written(false), 'work');
  expect(done).toEqual([
    '{"openAtLogin":true,"name":"app.outtray.desktop.work","args":["--hidden","--profile=work"]}',
  ]);
  on('darwin');
  await followLaunchAtLogin(true, written(false), 'work');
  expect(done).toHaveLength(1);
  expect([canLaunchAtLogin('work'), canLaunchAtLogin(null)]).toEqual([false, true]);
});

test.each(['win32', 'darwin'] as const)(
  'on %s a start writes nothing when the setting is unchanged, because the user may have switched the entry off there',
  async (platform) => {
    on(platform);
    const item = written(false);
    await followLaunchAtLogin(true, item, null);
    await followLaunchAtLogin(true, item, null);
    expect(done).toHaveLength(1);
    await followLaunchAtLogin(false, item, null);
    await followLaunchAtLogin(false, item, null);
    expect(done).toHaveLength(2);
  },
);

test('Linux: an entry that the user removed stays removed, and one that is there follows the program', async () => {
  on('linux');
  const home = mkdtempSync(path.join(tmpdir(), 'outtray-login-'));
  vi.stubEnv('XDG_CONFIG_HOME', home);
  const entry = autostartFile(process.env, home, null);
  const item = written(false);
  await followLaunchAtLogin(true, item, null);
  writeFileSync(entry, 'Exec=/old/place/outtray --hidden');
  await followLaunchAtLogin(true, item, null);
  expect(readFileSync(entry, 'utf8')).toContain(process.execPath);
  rmSync(entry);
  await followLaunchAtLogin(true, item, null);
  expect(existsSync(entry)).toBe(false);
});

test('an entry that could not be written is written at the next start', async () => {
  on('linux');
  const home = mkdtempSync(path.join(tmpdir(), 'outtray-login-'));
  const blocked = path.join(home, 'file');
  writeFileSync(blocked, '');
  const item = written(false);
  vi.stubEnv('XDG_CONFIG_HOME', blocked);
  await expect(followLaunchAtLogin(true, item, null)).rejects.toThrow();
  vi.stubEnv('XDG_CONFIG_HOME', home);
  await followLaunchAtLogin(true, item, null);
  expect(existsSync(autostartFile(process.env, home, null))).toBe(true);
  rmSync(home, { recursive: true });
});

const handed = () => {
  const taken: FilesAtStart[] = [];
  followGivenFiles({ files: [], isShare: false }).take((given) => taken.push(given));
  return taken;
};

test.each([false, true])(
  'files that come while the program ends (share: %s) are given to its next start, and to no later one',
  async (isShare) => {
    const one = life();
    app.quit();
    one.passOn({ files: ['/home/ada/b.txt'], isShare });
    await vi.advanceTimersByTimeAsync(0);
    expect(done).toEqual(['leave', 'close', 'relaunch', 'quit']);
    expect(handed()).toEqual([{ files: ['/home/ada/b.txt'], isShare }]);
    expect(handed()).toEqual([]);
  },
);

test('what a crash cut off in the kept files costs none of the others', () => {
  life().passOn({ files: ['/home/ada/b.txt'], isShare: true });
  appendFileSync(path.join(folder, 'given.jsonl'), '{"files":["/home/ada/c.t');
  expect(handed()).toEqual([{ files: ['/home/ada/b.txt'], isShare: true }]);
});

test('files that were given hours before a start are late, and stay late if the program ends again', () => {
  life().passOn({ files: ['/home/ada/b.txt'], isShare: false });
  const before = new Date(Date.now() - 2 * 3_600_000);
  utimesSync(path.join(folder, 'given.jsonl'), before, before);
  const late = [{ files: ['/home/ada/b.txt'], isShare: false, isLate: true }];
  const first = handed();
  expect(first).toEqual(late);
  for (const given of first) life().passOn(given);
  expect(handed()).toEqual(late);
});

test('where nothing can be kept the program starts again all the same', async () => {
  rmSync(folder, { recursive: true });
  writeFileSync(folder, '');
  const one = life();
  expect(() => one.passOn({ files: ['/home/ada/b.txt'], isShare: false })).toThrow();
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toContain('relaunch');
});

test('a start while the program ends starts it again', async () => {
  life();
  app.quit();
  app.emit('second-instance', {}, [], '/', { files: [], isShare: false });
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toEqual(['leave', 'close', 'relaunch', 'quit']);
});

test('a start while an update is installed starts nothing: the installer does', async () => {
  life();
  autoUpdater.emit('before-quit-for-update');
  app.emit('second-instance', {}, [], '/', { files: [], isShare: false });
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toEqual(['leave', 'close']);
});

test('a shutdown of the system waits until everything is recorded', async () => {
  life();
  const event = { preventDefault: vi.fn() };
  powerMonitor.emit('shutdown', event);
  expect(event.preventDefault).toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toEqual(['leave', 'close', 'quit']);
});

test('a program that starts again is known as such before it ends, so that no installer runs meanwhile', () => {
  const one = life();
  expect(one.isRestarting()).toBe(false);
  one.restart({ hidden: false });
  expect(one.isRestarting()).toBe(true);
});

const systemError = (code: string) => Object.assign(new Error(code), { code, syscall: 'open' });

test.each([
  ['settings that cannot be written', new AppError('disk', 'full'), false],
  ['a setting that a policy locks', new AppError('bad-setting', 'locked'), false],
  ['a ledger that is locked', new AppError('ledger', 'locked'), false],
  ['no free file handle', systemError('EMFILE'), false],
  ['a full disk', systemError('ENOSPC'), false],
  ['a process that cannot be started', systemError('EAGAIN'), false],
  ['a fault of ours', new AppError('internal', 'odd'), true],
  ['a mistake in the program', new TypeError('x is undefined'), true],
  ['what is no error', 'odd', true],
])('%s that no caller caught ends the app: %s', (_what, fault, ends) => {
  vi.stubGlobal('process', Object.assign(new EventEmitter(), { argv: [] }));
  const tell = vi.fn();
  const warn = vi.fn();
  followFaults(tell).logTo({ warn });
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.emit(event as 'message', fault, undefined);
  expect(tell).toHaveBeenCalledTimes(ends ? 2 : 0);
  expect(warn).toHaveBeenCalledTimes(ends ? 0 : 2);
});

test('before there is a log every fault ends the app with its reason', () => {
  vi.stubGlobal('process', Object.assign(new EventEmitter(), { argv: [] }));
  const tell = vi.fn();
  followFaults(tell);
  process.emit('uncaughtException', systemError('EMFILE'));
  expect(tell).toHaveBeenCalledOnce();
});

test.each([
  ['darwin', false, true],
  ['win32', false, false],
  ['win32', true, true],
  ['linux', false, false],
] as const)('on %s with --hidden %s a start at login is detected: %s', (platform, hidden, seen) => {
  on(platform);
  expect(wasOpenedAtLogin(hidden)).toBe(seen);
});

test.each([
  ['nothing', { files: [], isShare: false }],
  ['files', { files: ['/home/ada/b.txt', '/home/ada/c.txt'], isShare: false }],
  ['shared files', { files: ['/home/ada/b.txt'], isShare: true }],
])(
  'a start with %s while an update is prepared is not in the way of the installer, and the next start gets its files',
  async (_what, given) => {
    const one = life();
    const prepared = one.leaveToInstall();
    if (given.files.length === 0) app.emit('second-instance', {}, [], '/', given);
    else one.passOn(given);
    await prepared;
    await vi.advanceTimersByTimeAsync(0);
    expect(done).toEqual(['leave', 'close']);
    expect(handed()).toEqual(given.files.length === 0 ? [] : [given]);
  },
);
