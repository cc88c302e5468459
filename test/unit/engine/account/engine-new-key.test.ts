// A key that is new here. The service names no account: the files that it shows tell whose the key is.
import { describe, expect, test } from 'vitest';
import type { RemoteFile } from '../../../../src-main/contract/model.ts';
import { begin, minuteMs, share } from '../../../support/fake-world.ts';

describe('where the service shows no link of one file, a new key', () => {
  /** `change`: how the files that the new key reaches differ from ours. */
  const withKey = async (count: number, change: Partial<RemoteFile> = {}) => {
    const { world, run } = await begin();
    for (let at = 0; at < count; at += 1) await share(world, `${at}.txt`, `content ${at}`);
    // Names and times of the service come with its list.
    await run.call('files.refresh', {});
    const { api } = world.service;
    const { info } = api;
    api.info = async (...asked) => {
      const { public_link: _, ...file } = await info(...asked);
      return { ...file, ...change };
    };
    world.keys.stored = 'key-5678';
    run.engine.nudge();
    world.disk.write('/tray/new.txt', 'new');
    await world.clock.advance(minuteMs);
    const { isUnknown } = await run.call('account.get', {});
    return { isUnknown, sent: world.service.count('upload') - count };
  };

  test('is of the account of which it shows two files with the same name, size and time', async () => {
    expect(await withKey(2)).toEqual({ isUnknown: false, sent: 1 });
  });

  test.each<[string, number, Partial<RemoteFile>]>([
    ['one such file', 1, {}],
    ['files with other names', 3, { filename: 'other.txt' }],
    ['files of other sizes', 3, { size: 1 }],
    ['files from other times', 3, { upload_date: '2026-01-01 00:00:00' }],
  ])('sends nothing before a person is asked, if it shows %s', async (_, count, change) => {
    expect(await withKey(count, change)).toEqual({ isUnknown: true, sent: 0 });
  });
});

test('a key that shows the files of its account is of no other one, whatever a person says', async () => {
  const { world, run } = await begin();
  const { service, keys } = world;
  service.account = () => (keys.stored?.startsWith('b') === true ? 'b' : 'a');
  service.ids = 'account';
  await share(world, 'a.txt');
  keys.stored = 'b-1';
  run.engine.nudge();
  await world.clock.advance(1000);
  await run.call('account.decide', { is: 'another' });
  await share(world, 'b.txt');
  // The button was pressed twice.
  await expect(run.call('account.decide', { is: 'another' })).rejects.toMatchObject({ code: 'bad-use' });
  // The first key is back, and no request has used it yet.
  keys.stored = 'key-1234';
  await run.call('account.decide', { is: 'same' });
  await run.call('files.recall', { files: [{ path: '/tray/a.txt' }] });
  keys.stored = 'b-1';
  run.engine.nudge();
  await world.clock.advance(1000);
  await run.call('files.recall', { files: [{ path: '/tray/b.txt' }] });
  await world.clock.advance(minuteMs);
  expect(service.stored.filter(({ deleted }) => !deleted)).toEqual([]);
});

test('a key that nothing was asked with yet is of the account whose files it shows, whatever a person says', async () => {
  const { world, run } = await begin();
  const { service, keys } = world;
  service.account = () => (keys.stored?.startsWith('b') === true ? 'b' : 'a');
  service.ids = 'account';
  await share(world, 'a.txt');
  keys.stored = 'key-5678';
  await expect(run.call('account.decide', { is: 'another' })).rejects.toMatchObject({ code: 'bad-use' });
  keys.stored = 'b-1';
  await run.call('account.decide', { is: 'another' });
  await share(world, 'b.txt');
  // Another key of the first account, while the second one is present.
  keys.stored = 'key-9012';
  await run.call('account.decide', { is: 'another' });
  expect([world.ledger.accounts.present(), world.ledger.accounts.count()]).toEqual([1, 2]);
  await run.call('files.recall', { files: [{ path: '/tray/a.txt' }] });
  await world.clock.advance(minuteMs);
  expect(service.stored.filter(({ deleted }) => !deleted).map(({ account }) => account)).toEqual(['b']);
});
