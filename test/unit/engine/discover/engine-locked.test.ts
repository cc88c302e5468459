// A file that cannot be opened does not delay other files.
import { describe, expect, test } from 'vitest';
import { AppError, type ErrorCode } from '../../../../src-main/contract/errors.ts';
import { begin, hourMs, minuteMs, share } from '../../../support/fake-world.ts';

describe('a file that cannot be opened', () => {
  test('waits longer each time, without delaying other files', async () => {
    const { world, run } = await begin();
    world.disk.write('/tray/a.txt', 'content');
    world.disk.lock('/tray/a.txt', true);
    await share(world, 'b.txt', 'other');
    const row = await world.until('a.txt', 'waiting');
    expect(row.state).toMatchObject({ reason: 'locked' });
    expect((await run.call('queue.get', {})).waiting.map((view) => view.name)).toEqual(['a.txt']);
    await world.clock.advance(hourMs);
    const before = world.disk.opened.length;
    world.disk.lock('/tray/a.txt', false);
    await world.until('a.txt', 'uploaded', 11 * minuteMs);
    expect(before).toBeLessThan(20);
  });

  test('waits when not even its stamp can be read', async () => {
    const { world } = await begin();
    await world.put('a.txt', 'content', 'settling');
    world.disk.hide('/tray/a.txt', true);
    await world.until('a.txt', 'waiting');
    world.disk.hide('/tray/a.txt', false);
    await world.until('a.txt', 'uploaded', 11 * minuteMs);
  });
});

describe.each<[code: ErrorCode, kind: 'failed' | 'waiting']>([
  ['disk', 'failed'],
  ['locked', 'waiting'],
])('a file whose content cannot be read (%s)', (code, kind) => {
  test.each<[string, { lookInside: boolean; hasTwin: boolean }]>([
    ['when it is looked into', { lookInside: true, hasTwin: false }],
    ['when it is compared with one of its size', { lookInside: false, hasTwin: true }],
    ['when it is looked into and compared', { lookInside: true, hasTwin: true }],
    ['when it is sent', { lookInside: false, hasTwin: false }],
  ])(`%s is ${kind}, and other files are uploaded`, async (_, { lookInside, hasTwin }) => {
    const { world } = await begin({ settings: { lookInside } });
    if (hasTwin) await share(world, 'twin.txt', 'CONTENT');
    world.disk.write('/tray/a.txt', 'content');
    world.disk.spoil('/tray/a.txt', new AppError(code, 'It cannot be read.', 'Look at the disk.'));
    await share(world, 'b.txt', 'other');
    const { state } = await world.until('a.txt', kind);
    expect(state).toMatchObject(
      code === 'disk' ? { code, message: 'It cannot be read.' } : { reason: 'locked' },
    );
    await world.clock.advance(hourMs);
    expect(world.disk.opened.filter((path) => path === '/tray/a.txt').length).toBeLessThan(40);
    world.disk.spoil('/tray/a.txt', null);
    if (code === 'disk') world.disk.append('/tray/a.txt', ', written again');
    await world.until('a.txt', 'uploaded', 11 * minuteMs);
  });
});
