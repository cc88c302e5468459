// A file that cannot be opened does not delay other files.
import { describe, expect, test } from 'vitest';
import { begin, hourMs, minuteMs, share } from '../../../support/fake-world.ts';

describe('a file that cannot be opened', () => {
  test('waits, longer each time, and others go on', async () => {
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

  test('waits when it cannot even be looked at', async () => {
    const { world } = await begin();
    await world.put('a.txt', 'content', 'settling');
    world.disk.hide('/tray/a.txt', true);
    await world.until('a.txt', 'waiting');
    world.disk.hide('/tray/a.txt', false);
    await world.until('a.txt', 'uploaded', 11 * minuteMs);
  });
});
