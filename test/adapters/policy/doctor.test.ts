// What a user sees of a policy in `outtray settings` and `outtray doctor`: who decided what, and what was ignored.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createDoctor } from '../../../src-main/adapters/system/doctor.ts';
import { storageError } from '../../../src-main/adapters/system/storage.ts';
import { AppError } from '../../../src-main/contract/errors.ts';
import type { Disk } from '../../../src-main/engine/ports/files.ts';
import { localDisk } from '../../support/fake-folder.ts';
import { openSettings } from '../../../src-main/adapters/settings/settings.ts';

const never = () => Promise.reject(new Error('not asked here'));
const places = {
  acceptFolder: never,
  assertApart: never,
  screenshots: never,
  ownIn: never,
  isPasted: () => false,
};

const onLocal = { of: () => localDisk, hanging: () => null };

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
  const check = createDoctor({
    settings,
    // Only the check of the settings matters here; the others report that nothing answers.
    keys: { state: never } as never,
    places,
    data: {
      folder,
      probe: () => undefined,
      setAside: () => '/home/me/ledger.sqlite.damaged-1',
      checkAudit: () => undefined,
    },
    reach: () => Promise.reject(storageError('read-only')),
    system: {
      watches: () => Promise.resolve({ ok: true, message: '', remedy: '' }),
      disks: onLocal,
      answers: never,
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
])('doctor reports a network drive (%s)', async (minutes, message) => {
  const folder = await mkdtemp(join(tmpdir(), 'outtray-doctor-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const settings = openSettings({
    version: '0.1.0',
    file: join(folder, 'settings.json'),
    policy: { values: { folder }, source: 'test' },
  });
  const check = createDoctor({
    settings,
    keys: { state: never } as never,
    places: {
      acceptFolder: async (path) => path,
      assertApart: async () => undefined,
      screenshots: never,
      ownIn: never,
      isPasted: () => false,
    },
    data: { folder, probe: () => undefined, setAside: () => null, checkAudit: () => undefined },
    reach: () => Promise.reject(storageError('read-only')),
    system: {
      watches: () => Promise.resolve({ ok: true, message: '', remedy: '' }),
      disks: onLocal,
      answers: never,
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

describe('doctor reports that the data folder and the audit file', () => {
  const checked = async (
    disk: Partial<Disk>,
    answers: () => Promise<unknown> = () => Promise.resolve(null),
  ) => {
    const folder = await mkdtemp(join(tmpdir(), 'outtray-doctor-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const auditFile = join(folder, 'audit.jsonl');
    const settings = openSettings({
      version: '0.1.0',
      file: join(folder, 'settings.json'),
      policy: { values: { auditFile }, source: 'test' },
    });
    let audits = 0;
    const check = createDoctor({
      settings,
      keys: { state: never } as never,
      places,
      data: { folder, probe: () => undefined, setAside: () => null, checkAudit: () => void (audits += 1) },
      reach: () => Promise.reject(storageError('read-only')),
      system: {
        watches: () => Promise.resolve({ ok: true, message: '', remedy: '' }),
        disks: { of: () => ({ ...localDisk, ...disk }), hanging: () => null },
        answers,
        scanMinutes: () => undefined,
        authorities: () => Promise.resolve({ count: 0, problem: null }),
        isUnsandboxed: () => false,
      },
      wallMs: () => 0,
    });
    const checks = await check(new AbortController().signal);
    return { audits: () => audits, of: (name: string) => checks.find((one) => one.name === name) };
  };

  test.each([
    ['are on a network drive', { kind: 'nfs4', isShared: true, mayHang: true }, 'on a network drive (nfs4)'],
    [
      'are on an overlay over a network drive',
      { kind: 'overlay', isShared: true, mayHang: true },
      'on a network drive (overlay)',
    ],
    [
      'are on a drive of a program',
      { kind: 'fuseblk', mayHang: true, keepsInodes: false },
      'on a drive that another program answers for (fuseblk)',
    ],
    ['are on a stick', { kind: 'exfat', keepsInodes: false }, 'on a drive without permissions (exfat)'],
  ])('%s', async (_, disk, says) => {
    const { of } = await checked(disk);
    expect(of('disk')).toMatchObject({
      ok: null,
      message: expect.stringMatching(/MB are free.* The data folder is on/) as unknown,
      remedy: expect.stringContaining('OUTTRAY_HOME') as unknown,
    });
    expect(of('audit')).toMatchObject({
      ok: null,
      message: expect.stringContaining(`can be written. It is ${says}: `) as unknown,
      remedy: expect.stringContaining('auditFile') as unknown,
    });
  });

  test('are on a local disk: no report', async () => {
    const { of } = await checked({});
    for (const name of ['disk', 'audit']) expect(of(name)).toMatchObject({ ok: true, remedy: '' });
  });

  test('are on a drive that hangs, without waiting for it', async () => {
    const silence = new AppError('locked', 'The drive at /net does not answer.', 'Wait.');
    const { of, audits } = await checked({ kind: 'nfs4', isShared: true, mayHang: true }, () =>
      Promise.reject(silence),
    );
    expect(of('audit')).toMatchObject({ ok: false, message: 'The drive at /net does not answer.' });
    expect(audits()).toBe(0);
  });
});
