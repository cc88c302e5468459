// What befalls a folder by itself: locks, permissions, a disk that goes away or comes back as another one, too few
// watches, hints that get lost.
import type { FakeDisk } from '../fake-folder.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import type { Dice } from './dice.ts';
import type { Story } from './story.ts';

type MountState = 'here' | 'gone' | 'another';
export type Mount = { isHere(): boolean; set(state: MountState): void };

export const createMount = (disk: FakeDisk): Mount => {
  let now: MountState = 'here';
  return {
    isHere: () => now === 'here',
    set(state) {
      now = state;
      disk.mount(state);
    },
  };
};

export type DiskFaults = {
  acts: Record<string, [weight: number, act: () => void]>;
  end(): void;
};

export const createDiskFaults = (options: {
  dice: Dice;
  world: VirtualClock;
  disk: FakeDisk;
  story: Story;
  mounted: Mount;
  locked: Set<string>;
  /** A file that no other act of the simulation is busy with. */
  anyFree: () => string | null;
  root: string;
  /** Folders that may become unreadable. */
  dirs: readonly string[];
}): DiskFaults => {
  const { dice, world, disk, story, mounted, locked, anyFree } = options;
  const unreadable = new Set<string>();

  const unlock = (path: string): void => {
    if (!locked.delete(path)) return;
    if (mounted.isHere() && disk.text(path) !== null) disk.lock(path, false);
    else locked.add(path);
  };

  const acts: DiskFaults['acts'] = {
    lock: [
      1,
      () => {
        const path = anyFree();
        if (path === null) return;
        story.fault('locked-file');
        locked.add(path);
        disk.lock(path, true);
        world.after(dice.spread(1000, 3_600_000), () => unlock(path));
      },
    ],
    unreadable: [
      1,
      () => {
        const path = dice.happens(0.5) ? anyFree() : dice.pick(options.dirs);
        if (path === null) return;
        story.fault('unreadable');
        unreadable.add(path);
        disk.hide(path, true);
        world.after(dice.spread(1000, 3_600_000), () => disk.hide(path, false));
      },
    ],
    unmount: [
      0.5,
      () => {
        if (!mounted.isHere()) return;
        story.fault('unmounted');
        mounted.set(dice.happens(0.3) ? 'another' : 'gone');
        world.after(dice.spread(1000, 7_200_000), () => mounted.set('here'));
      },
    ],
    'degrade-watch': [
      0.5,
      () => {
        story.fault('watch-degraded');
        disk.degrade({ kind: 'degraded', message: 'Too few watches.' });
        world.after(dice.spread(60_000, 7_200_000), () => disk.degrade({ kind: 'live' }));
      },
    ],
    'lose-hints': [
      0.5,
      () => {
        story.fault('hints-lost');
        disk.hints(false);
        world.after(dice.spread(1000, 600_000), () => {
          disk.hints(true);
          if (dice.happens(0.5)) disk.hint({ folder: options.root, name: null, everything: true });
        });
      },
    ],
  };
  return {
    acts,
    end() {
      for (const path of [...locked]) unlock(path);
      for (const path of unreadable) disk.hide(path, false);
      disk.hints(true);
      disk.degrade({ kind: 'live' });
    },
  };
};
