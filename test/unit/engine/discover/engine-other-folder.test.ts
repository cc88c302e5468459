// Outtray shares the folder in the settings, whichever process chose it.
import { describe, expect, test } from 'vitest';
import { hourMs, minuteMs, started } from '../../../support/fake-world.ts';

describe('another folder, chosen in another process,', () => {
  test('is watched, and the old one is no longer shared', async () => {
    const { world } = await started();
    world.disk.make('/other', 'folder');
    world.disk.write('/other/old.txt', 'was there');
    await world.clock.advance(minuteMs);
    const guest = world.make('guest:1');
    await guest.call('settings.set', { name: 'folder', value: '/other' });
    await world.clock.advance(1000);
    world.disk.write('/tray/left-behind.txt', 'not for the public any more');
    world.disk.write('/other/new.txt', 'new');
    world.disk.hint({ folder: '/other', name: 'new.txt' });
    await world.clock.advance(hourMs);
    expect(world.service.namesOf()).toEqual(['new.txt']);
  });

  test('that is none ends the sharing of the old one', async () => {
    const { world, run } = await started();
    await run.call('settings.set', { name: 'folder', value: null });
    world.disk.write('/tray/left-behind.txt', 'not for the public any more');
    await world.clock.advance(hourMs);
    expect(world.service.stored).toEqual([]);
  });
});
