// What an administrator forbids: each command refuses it, changes nothing, and names the setting.
import { describe, expect, test } from 'vitest';
import { begin } from '../../../support/fake-world.ts';

const refused = (setting: string): unknown =>
  expect.objectContaining({ code: 'not-allowed', message: expect.stringContaining(setting) as unknown });

describe('allowPause', () => {
  test('false: nothing is paused', async () => {
    const { run } = await begin({ settings: { allowPause: false } });
    await expect(run.call('queue.pause', { untilMs: null })).rejects.toEqual(refused('allowPause'));
    expect(await run.call('app.status', {})).toMatchObject({ paused: false });
  });

  test('false: an earlier pause ends, and the queue can be resumed', async () => {
    const { world, run } = await begin();
    await run.call('queue.pause', { untilMs: null });
    expect(await run.call('app.status', {})).toMatchObject({ paused: true });
    await world.settings.set('allowPause', false);
    expect(await run.call('app.status', {})).toMatchObject({ paused: false });
    await run.call('queue.resume', {});
    await world.settings.set('allowPause', true);
    expect(await run.call('app.status', {})).toMatchObject({ paused: false });
  });
});

describe('allowGivenFiles', () => {
  test('false: a file given by path gets no row, even in the watched folder', async () => {
    const { world, run } = await begin({ settings: { allowGivenFiles: false } });
    for (const path of ['/elsewhere/a.txt', '/tray/a.txt'])
      await expect(run.call('files.upload', { paths: [path] })).rejects.toEqual(refused('allowGivenFiles'));
    expect((await run.call('files.page', {})).total).toBe(0);
    expect(world.service.count('upload')).toBe(0);
  });
});

describe('allowAccountChange', () => {
  test('false: an existing key is neither replaced nor removed, and no request tries another one', async () => {
    const { world, run } = await begin({ settings: { allowAccountChange: false } });
    const other = run.call('account.login', { key: 'another-key-5678' });
    await expect(other).rejects.toEqual(refused('allowAccountChange'));
    const elsewhere = run.call('account.login', { key: 'key-1234', baseUrl: 'https://other.example/v2' });
    await expect(elsewhere).rejects.toEqual(refused('allowAccountChange'));
    await expect(run.call('account.logout', {})).rejects.toEqual(refused('allowAccountChange'));
    expect(world.keys.stored).toBe('key-1234');
    expect(world.service.count('stats')).toBe(0);
  });

  test.each([
    ['baseUrl', 'https://other.example/v2'],
    ['keyCommand', 'pass show other'],
  ] as const)('false: the setting %s stays unchanged', async (name, value) => {
    const { world, run } = await begin({ settings: { allowAccountChange: false } });
    const before = world.settings.current();
    for (const one of [value, null])
      await expect(run.call('settings.set', { name, value: one })).rejects.toEqual(
        refused('allowAccountChange'),
      );
    expect(world.settings.current()).toEqual(before);
    await run.call('settings.set', { name: 'notify', value: false });
  });

  test('false: a first key can be entered', async () => {
    const { world, run } = await begin({ settings: { allowAccountChange: false } });
    await world.keys.remove();
    expect(await run.call('account.login', { key: 'a-first-key-5678' })).toMatchObject({
      key: { lastFour: '5678' },
    });
    await expect(run.call('account.logout', {})).rejects.toEqual(refused('allowAccountChange'));
  });
});
