// When Outtray checks, downloads and installs: the modes of the policy, and never in the middle of a transfer.
import { EventEmitter } from 'node:events';
import type { AppUpdater } from 'electron-updater';
import { expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import { openFeed, type Release } from '../../../../src-main/shell/updates/updates-feed.ts';
import { createUpdates } from '../../../../src-main/shell/updates/updates.ts';

type Mode = 'auto' | 'notify' | 'off';

const stage = (
  given: {
    mode?: Mode;
    installedBy?: 'self' | 'system' | 'default-profile' | 'none';
    builtFeed?: string | null;
  } = {},
) => {
  const done: string[] = [];
  let timers: { act: () => void; delayMs: number }[] = [];
  const world = {
    rules: { updateMode: given.mode ?? 'notify', updateFeed: null as string | null, updateChannel: 'latest' },
    sending: false,
    idle: false,
    othersRun: false,
    tried: null as string | null,
    release: { version: '0.2.0', notes: 'Faster.' } as Release | null,
    loading: Promise.resolve(),
    fault: null as Error | null,
    full: null as Error | null,
    hear: (_share: number): void => undefined,
    /** By feed and channel: whether what was loaded there would be installed at the end of the program. */
    atEnd: {} as Record<string, () => boolean>,
  };
  const updates = createUpdates({
    installedBy: given.installedBy ?? 'self',
    rules: () => world.rules,
    feed: {
      built: given.builtFeed === undefined ? 'https://u.example' : given.builtFeed,
      async open(address, channel, mayInstall) {
        world.atEnd[`${address} ${channel}`] = mayInstall;
        done.push(`open ${address} ${channel}`);
        return {
          async check() {
            done.push('check');
            if (world.fault !== null) throw world.fault;
            return world.release;
          },
          async load(hear) {
            done.push('load');
            world.hear = hear;
            await world.loading;
          },
          install() {
            done.push('install');
            if (world.fault !== null) throw world.fault;
          },
        };
      },
    },
    transfers: { isSending: () => world.sending, isIdle: () => world.idle },
    installation: {
      triedByItself: () => world.tried,
      noteTry(version) {
        if (world.full !== null) throw world.full;
        done.push(`note ${version}`);
      },
      prepare: async () => void done.push('prepare'),
      othersRun: () => world.othersRun,
      recover: () => void done.push('recover'),
    },
    clock: {
      nowMs: () => 7,
      after(delayMs, act) {
        const timer = { act, delayMs };
        timers.push(timer);
        return () => (timers = timers.filter((other) => other !== timer));
      },
    },
    warn: () => undefined,
  });
  return {
    updates,
    world,
    done,
    waits: () => timers.map(({ delayMs }) => delayMs),
    /** Lets every timer that is set go off once. */
    async pass() {
      const due = timers;
      timers = [];
      for (const { act } of due) act();
      await settled();
    },
  };
};
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('no request is sent before one is wanted, and then once a day', async () => {
  const { updates, done, waits, pass } = stage();
  expect(await updates.act('state')).toEqual({ kind: 'current', checkedAtMs: null });
  updates.start();
  expect([done, waits()]).toEqual([[], [60_000]]);
  await pass();
  expect(done).toEqual(['open https://u.example latest', 'check']);
  expect(waits()).toEqual([86_400_000]);
});

test('notify: the user downloads and installs', async () => {
  const { updates, done } = stage();
  expect(await updates.act('check')).toEqual({ kind: 'available', version: '0.2.0', notes: 'Faster.' });
  await updates.act('load');
  await settled();
  expect(await updates.act('state')).toEqual({ kind: 'ready', version: '0.2.0', notes: 'Faster.' });
  await updates.act('install');
  await settled();
  expect(done.slice(1)).toEqual(['check', 'load', 'prepare', 'install']);
});

test('auto: downloads by itself, and leaves the installation to the end of the program or an idle time', async () => {
  const { updates, done, pass } = stage({ mode: 'auto' });
  updates.start();
  await pass();
  expect(await updates.act('state')).toMatchObject({ kind: 'ready' });
  expect(done.slice(1)).toEqual(['check', 'load']);
});

test('auto: installs by itself after five idle minutes without a break', async () => {
  const { updates, world, done, pass } = stage({ mode: 'auto' });
  updates.start();
  await pass();
  world.idle = true;
  for (let look = 0; look < 59; look += 1) await pass();
  world.idle = false;
  await pass();
  world.idle = true;
  for (let look = 0; look < 60; look += 1) await pass();
  expect(done).not.toContain('install');
  world.sending = true;
  await pass();
  await pass();
  expect(done).not.toContain('install');
  world.sending = false;
  await pass();
  expect(done.slice(-3)).toEqual(['note 0.2.0', 'prepare', 'install']);
});

test('auto: without a note of the try nothing is installed and nothing restarts; a person still can install', async () => {
  const { updates, world, done, pass } = stage({ mode: 'auto' });
  updates.start();
  await pass();
  world.idle = true;
  world.full = new AppError('disk', 'The disk is full.', '', { storage: 'full' });
  for (let look = 0; look < 70; look += 1) await pass();
  expect(done.slice(1)).toEqual(['check', 'load']);
  expect(await updates.act('state')).toMatchObject({ kind: 'failed', error: { code: 'disk' } });
  await updates.act('install');
  await settled();
  expect(done.slice(3)).toEqual(['prepare', 'install']);
});

test.each([
  ['the mode is notify', { rules: 'notify' }],
  ['this version was tried before', { tried: '0.2.0' }],
])(
  'nothing is installed by itself when %s',
  async (_why, { rules, tried = null }: { rules?: string; tried?: string | null }) => {
    const { updates, world, done, pass } = stage({ mode: 'auto' });
    Object.assign(world, { idle: true, tried });
    updates.start();
    await pass();
    if (rules !== undefined) Object.assign(world.rules, { updateMode: rules });
    for (let look = 0; look < 100; look += 1) await pass();
    expect(done).not.toContain('install');
  },
);

test('a transfer is never disturbed: automatic downloads and installations wait until it is finished', async () => {
  const { updates, world, done, pass } = stage({ mode: 'auto' });
  world.sending = true;
  updates.start();
  await pass();
  await pass();
  expect(done).not.toContain('load');
  world.sending = false;
  await pass();
  expect(done).toContain('load');
  world.sending = true;
  await updates.act('install');
  await pass();
  expect(done).not.toContain('install');
  world.sending = false;
  await pass();
  expect(done.slice(-2)).toEqual(['prepare', 'install']);
});

test.each([
  ['the policy says off', { mode: 'off' as const }, 'off'],
  ['there is no feed', { builtFeed: null }, 'off'],
  ['it runs from an archive', { installedBy: 'none' as const }, 'off'],
  ['the system’s own tool updates', { installedBy: 'system' as const }, 'managed'],
  ['the default profile updates', { installedBy: 'default-profile' as const }, 'elsewhere'],
])('%s: no request is ever sent', async (_why, given, kind) => {
  const { updates, done, pass } = stage(given);
  updates.start();
  await pass();
  for (const act of ['check', 'load', 'install'] as const) expect(await updates.act(act)).toEqual({ kind });
  expect(done).toEqual([]);
});

test('feed and channel of the policy win, and a change takes effect at the next check', async () => {
  const { updates, world, done } = stage();
  await updates.act('check');
  Object.assign(world.rules, { updateFeed: 'https://team.example', updateChannel: 'beta' });
  await updates.act('check');
  await updates.act('check');
  expect(done).toEqual([
    'open https://u.example latest',
    'check',
    'open https://team.example beta',
    'check',
    'check',
  ]);
});

const loaded = async () => {
  const all = stage();
  await all.updates.act('check');
  await all.updates.act('load');
  await settled();
  expect(await all.updates.act('state')).toMatchObject({ kind: 'ready' });
  const atEnd = () => Object.entries(all.world.atEnd).map(([feed, may]) => `${feed} ${may()}`);
  expect(atEnd()).toEqual(['https://u.example latest true']);
  return { ...all, atEnd };
};

test('off stops an update that is loaded already, also one that waits for a transfer', async () => {
  const { updates, world, done, atEnd, pass } = await loaded();
  world.sending = true;
  await updates.act('install');
  world.rules.updateMode = 'off';
  expect(atEnd()).toEqual(['https://u.example latest false']);
  world.sending = false;
  await pass();
  expect(done).not.toContain('prepare');
  world.rules.updateMode = 'notify';
  expect(atEnd()).toEqual(['https://u.example latest true']);
});

test.each([
  ['another channel', { updateChannel: 'beta' }, 'https://u.example beta'],
  ['another feed', { updateFeed: 'https://team.example' }, 'https://team.example latest'],
])('%s drops an update that is loaded already', async (_what, rules, other) => {
  const { updates, world, done, atEnd } = await loaded();
  Object.assign(world.rules, rules);
  expect(atEnd()).toEqual(['https://u.example latest false']);
  expect(await updates.act('install')).toEqual({ kind: 'current', checkedAtMs: null });
  await settled();
  expect(done).not.toContain('prepare');
  expect(await updates.act('check')).toMatchObject({ kind: 'available' });
  await updates.act('load');
  await settled();
  expect(atEnd()).toEqual(['https://u.example latest false', `${other} true`]);
  await updates.act('install');
  await settled();
  expect(done.slice(-2)).toEqual(['prepare', 'install']);
});

test('electron-updater reads at the end of the program whether it may install', () => {
  const updater = Object.assign(new EventEmitter(), {
    autoInstallOnAppQuit: true,
    httpExecutor: { createRequest: () => null },
    setFeedURL: () => undefined,
  });
  let may = true;
  openFeed({
    updater: updater as unknown as AppUpdater,
    folder: 'https://u.example',
    channel: 'latest',
    mayInstall: () => may,
  });
  expect(updater.autoInstallOnAppQuit).toBe(true);
  may = false;
  expect(updater.autoInstallOnAppQuit).toBe(false);
});

test('a failure is a state, and the next check may succeed', async () => {
  const { updates, world } = stage();
  world.fault = new AppError('offline', 'The feed of updates does not answer.', 'Try again later.');
  expect(await updates.act('check')).toMatchObject({ kind: 'failed', error: { code: 'offline' } });
  world.fault = null;
  world.release = null;
  expect(await updates.act('check')).toEqual({ kind: 'current', checkedAtMs: 7 });
});

test('a download reports its progress, and is not started twice', async () => {
  const { updates, world, done } = stage();
  const gate = Promise.withResolvers<void>();
  world.loading = gate.promise;
  await updates.act('check');
  await updates.act('load');
  await settled();
  world.hear(0.5);
  expect(await updates.act('load')).toEqual({ kind: 'loading', version: '0.2.0', share: 0.5 });
  expect(await updates.act('check')).toMatchObject({ kind: 'loading' });
  gate.resolve();
  await settled();
  expect(await updates.act('state')).toMatchObject({ kind: 'ready' });
  expect(done.filter((what) => what === 'load')).toHaveLength(1);
});

test('an installer that does not run leaves a program that restarts, not one that does nothing', async () => {
  const { updates, world, done } = stage();
  await updates.act('check');
  await updates.act('load');
  await settled();
  world.fault = new AppError('disk', 'The update could not be installed.', 'Install it by hand.');
  await updates.act('install');
  await settled();
  expect(done.slice(-3)).toEqual(['prepare', 'install', 'recover']);
  expect(await updates.act('state')).toMatchObject({ kind: 'failed', error: { code: 'disk' } });
});

test('while another profile works nothing is installed, and the user learns why', async () => {
  const { updates, world, done } = stage();
  world.othersRun = true;
  await updates.act('check');
  await updates.act('load');
  await settled();
  expect(await updates.act('install')).toMatchObject({
    kind: 'failed',
    error: { code: 'engine-taken', remedy: 'Quit the other profiles, then install the update.' },
  });
  expect(done).not.toContain('prepare');
});

test('an update that could not be installed beside another profile is still loaded afterwards', async () => {
  const { updates, world, done } = await loaded();
  world.othersRun = true;
  await updates.act('install');
  expect(await updates.act('state')).toMatchObject({ kind: 'failed' });
  expect(await updates.act('check')).toMatchObject({ kind: 'ready', version: '0.2.0' });
  world.othersRun = false;
  await updates.act('install');
  await settled();
  expect(done.filter((what) => ['check', 'load', 'install'].includes(what))).toEqual([
    'check',
    'load',
    'install',
  ]);
});

test('an installation that waited for a transfer tells of a profile that was opened meanwhile', async () => {
  const { updates, world, done, pass } = await loaded();
  world.sending = true;
  await updates.act('install');
  world.othersRun = true;
  world.sending = false;
  await pass();
  expect(await updates.act('state')).toMatchObject({ kind: 'failed', error: { code: 'engine-taken' } });
  expect(done).not.toContain('prepare');
  expect(await updates.act('check')).toMatchObject({ kind: 'ready' });
});

test('a download that breaks off leaves the release that was found', async () => {
  const { updates, world, done } = stage();
  await updates.act('check');
  world.loading = Promise.reject(new AppError('offline', 'No answer.', ''));
  await updates.act('load');
  await settled();
  expect(await updates.act('state')).toMatchObject({ kind: 'failed', error: { code: 'offline' } });
  world.loading = Promise.resolve();
  expect(await updates.act('check')).toMatchObject({ kind: 'available', version: '0.2.0' });
  await updates.act('load');
  await settled();
  expect(await updates.act('state')).toMatchObject({ kind: 'ready' });
  expect(done.filter((what) => what === 'load')).toHaveLength(2);
});

test('after a stop nothing more happens', async () => {
  const { updates, done, pass, waits } = stage();
  updates.start();
  updates.stop();
  await pass();
  expect([done, waits()]).toEqual([[], []]);
});
