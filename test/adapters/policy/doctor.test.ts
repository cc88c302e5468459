// What a user sees of a policy in `outtray settings` and `outtray doctor`: who decided what, and what was ignored.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createDoctor, isUnsandboxed } from '../../../src-main/adapters/system/doctor.ts';
import { storageError } from '../../../src-main/adapters/system/storage.ts';
import { openSettings } from '../../../src-main/adapters/settings/settings.ts';

test('doctor names what administrator, command line and user decided, every warning, a ledger that was set aside, a request that could not be recorded, and a system whose certificates cannot be read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'outtray-doctor-'));
  const settings = openSettings({
    version: '0.1.0',
    file: join(folder, 'settings.json'),
    policy: {
      values: { baseUrl: 'https://files.example.com/api/v1', notify: 'yes' },
      source: '/etc/outtray/policy.json',
      recommended: { language: 'de' },
    },
    overrides: { concurrentUploads: 2 },
  });
  await settings.set('copyLink', 'never');
  const never = () => Promise.reject(new Error('not asked here'));
  const check = createDoctor({
    settings,
    // Only the check of the settings is looked at; the others say that nothing answers.
    keys: { state: never } as never,
    places: { acceptFolder: never, assertApart: never, screenshots: never },
    data: {
      folder,
      probe: () => undefined,
      setAside: () => '/home/me/ledger.sqlite.damaged-1',
      checkAudit: () => undefined,
    },
    reach: () => Promise.reject(storageError('read-only')),
    system: {
      watches: () => Promise.resolve({ ok: true, message: '', remedy: '' }),
      scanMinutes: () => undefined,
      authorities: () => Promise.resolve({ count: 0, problem: 'tls.getCACertificates is not a function' }),
      isUnsandboxed: () => true,
    },
    wallMs: () => 0,
  });
  const checks = await check(new AbortController().signal);
  expect(checks.find(({ name }) => name === 'disk')?.message).toContain(
    'One that was damaged, or of an earlier version, was set aside as /home/me/ledger.sqlite.damaged-1',
  );
  expect(checks.find(({ name }) => name === 'certificates')).toMatchObject({
    ok: null,
    message: expect.stringContaining('only those that come with Outtray are trusted') as unknown,
    remedy: expect.stringContaining('caFile') as unknown,
  });
  expect(checks.find(({ name }) => name === 'network')).toMatchObject({
    ok: null,
    message: 'Not tried: The disk with the data folder is read-only.',
  });
  expect(checks.find(({ name }) => name === 'sandbox')).toMatchObject({
    ok: null,
    message: expect.stringContaining('--no-sandbox') as unknown,
    remedy: expect.stringContaining('AppArmor') as unknown,
  });
  const found = checks.find(({ name }) => name === 'settings');
  expect(found).toMatchObject({ ok: false });
  expect(found?.message).toContain('notify must be true or false; ignored.');
  expect(found?.message).toContain('From your administrator: baseUrl.');
  expect(found?.message).toContain('From the command line: concurrentUploads. From you: copyLink.');
  expect(found?.message).toContain('From your administrator’s recommendations: language.');
  await rm(folder, { recursive: true });
});

test.each([
  [undefined, '/tray can be read.'],
  [1, '/tray can be read. /tray is on a network drive: looked at every minute.'],
  [4, '/tray can be read. /tray is on a network drive: looked at every 4 minutes.'],
])('doctor tells a network drive (%s)', async (minutes, message) => {
  const folder = await mkdtemp(join(tmpdir(), 'outtray-doctor-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const settings = openSettings({
    version: '0.1.0',
    file: join(folder, 'settings.json'),
    policy: { values: { folder }, source: 'test' },
  });
  const never = () => Promise.reject(new Error('not asked here'));
  const check = createDoctor({
    settings,
    keys: { state: never } as never,
    places: { acceptFolder: async (path) => path, assertApart: async () => undefined, screenshots: never },
    data: { folder, probe: () => undefined, setAside: () => null, checkAudit: () => undefined },
    reach: () => Promise.reject(storageError('read-only')),
    system: {
      watches: () => Promise.resolve({ ok: true, message: '', remedy: '' }),
      scanMinutes: () => minutes,
      authorities: () => Promise.resolve({ count: 0, problem: null }),
      isUnsandboxed: () => false,
    },
    wallMs: () => 0,
  });
  const found = (await check(new AbortController().signal)).find(({ name }) => name === 'folder');
  expect(found).toMatchObject({ ok: true });
  expect(found?.message.replaceAll(folder, '/tray')).toBe(message);
});

test('only a start of Electron with the switch or its variable is without sandbox', () => {
  expect(isUnsandboxed('45.3.4', ['/app/outtray', '--no-sandbox'], {})).toBe(true);
  expect(isUnsandboxed('45.3.4', ['/app/outtray'], { ELECTRON_DISABLE_SANDBOX: '1' })).toBe(true);
  expect(isUnsandboxed('45.3.4', ['/app/outtray'], {})).toBe(false);
  expect(isUnsandboxed(undefined, ['node', '--no-sandbox'], {})).toBe(false);
});
