// A file that is shorter than its disk says (sysfs, some FUSE): however it arrives, it fails with its reason, once.
import { describe, expect, test } from 'vitest';
import { begin, hourMs, minuteMs, type World } from '../../../support/fake-world.ts';

const lie = (world: World, path: string, content: string): void => {
  world.disk.hints(false);
  world.disk.write(path, content);
  world.disk.overstate(path, 4000);
  world.disk.hints(true);
  world.disk.hint({ folder: '/tray', name: path.slice('/tray/'.length) });
};

const isTold = (world: World, name: string): void =>
  expect(world.row(name).state).toMatchObject({ kind: 'failed', code: 'disk' });

describe('a file that is shorter than its reported size', () => {
  test('fails with its reason, and is not read repeatedly', async () => {
    const { world } = await begin();
    lie(world, '/tray/sys', 'short');
    await world.until('sys', 'failed', 5 * minuteMs);
    isTold(world, 'sys');
    const opened = world.disk.opened.length;
    await world.clock.advance(3 * hourMs);
    expect(world.disk.opened.length - opened).toBeLessThan(10);
    expect(world.service.stored).toEqual([]);
  });

  test('and has to be compared with an uploaded file of that size fails', async () => {
    const { world } = await begin();
    await world.put('whole.txt', 'x'.repeat(4005), 'uploaded');
    lie(world, '/tray/sys', 'short');
    await world.until('sys', 'failed', 5 * minuteMs);
    isTold(world, 'sys');
    expect(world.service.stored).toHaveLength(1);
  });

  test('and is given by path fails', async () => {
    const { world, run } = await begin();
    world.disk.write('/given/sys', 'short');
    world.disk.overstate('/given/sys', 4000);
    await run.call('files.upload', { paths: ['/given/sys'] });
    await world.until('sys', 'failed', 5 * minuteMs);
    isTold(world, 'sys');
  });

  test('and is a new version of an uploaded file fails, and the link stays', async () => {
    const { world } = await begin();
    await world.put('a.txt', 'first', 'uploaded');
    lie(world, '/tray/a.txt', 'second');
    await world.clock.advance(5 * minuteMs);
    const states = world.rows().map(({ state }) => state.kind);
    expect(states.toSorted()).toEqual(['failed', 'uploaded']);
  });

  test('is uploaded when its disk reports the right size', async () => {
    const { world } = await begin();
    lie(world, '/tray/sys', 'short');
    await world.until('sys', 'failed', 5 * minuteMs);
    world.disk.overstate('/tray/sys', 0);
    world.disk.write('/tray/sys', 'whole by now');
    await world.until('sys', 'uploaded', 5 * minuteMs);
  });
});
