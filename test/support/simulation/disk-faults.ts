// Faults of a folder without a cause in it: locks, permissions, a disk that goes away or comes back as another one, too
// few watches, lost hints.
import type { FakeDisk } from '../fake-folder.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import type { Dice } from './dice.ts';
import type { Story } from './story.ts';

type MountState = 'here' | 'gone' | 'another';
export type Mount = { isHere(): boolean; set(state: MountState): void };

/** `exchange`: puts another disk at its place, or takes it away. */
export const createMount = (disk: FakeDisk, exchange: (isOther: boolean) => void): Mount => {
  let now: MountState = 'here';
  return {
    isHere: () => now === 'here',
    set(state) {
      now = state;
      disk.mount(state === 'gone' ? 'gone' : 'here');
      exchange(state === 'another');
    },
  };
};

export type DiskFaults = {
  acts: Record<string, [weight: number, act: () => void]>;
  /** It, or its folder, cannot be read now. */
  isUnreadable(path: string): boolean;
  /** The watch works and reports every change. */
  isTelling(): boolean;
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
  /** Files whose reported size is larger than their content. */
  const overstated = new Set<string>();
  let [isTelling, isDegraded] = [true, false];
  const tellTruth = (path: string): void => {
    if (overstated.delete(path) && disk.text(path) !== null) disk.overstate(path, 0);
  };

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
        world.after(dice.spread(1000, 3_600_000), () => {
          unreadable.delete(path);
          disk.hide(path, false);
        });
      },
    ],
    unmount: [
      0.5,
      () => {
        if (!mounted.isHere()) return;
        story.fault('unmounted');
        mounted.set(dice.happens(0.4) ? 'another' : 'gone');
        world.after(dice.spread(1000, 7_200_000), () => mounted.set('here'));
      },
    ],
    overstate: [
      0.7,
      () => {
        const path = anyFree();
        if (path === null || overstated.has(path)) return;
        story.fault('size-overstated', path);
        overstated.add(path);
        disk.overstate(path, dice.whole(1, 5000));
        world.after(dice.spread(1000, 36_000_000), () => {
          if (mounted.isHere()) tellTruth(path);
        });
      },
    ],
    'degrade-watch': [
      0.5,
      () => {
        story.fault('watch-degraded');
        isDegraded = true;
        disk.degrade({ kind: 'degraded', message: 'Too few watches.' });
        world.after(dice.spread(60_000, 7_200_000), () => {
          isDegraded = false;
          disk.degrade({ kind: 'live' });
        });
      },
    ],
    'lose-hints': [
      0.5,
      () => {
        story.fault('hints-lost');
        isTelling = false;
        disk.hints(false);
        world.after(dice.spread(1000, 600_000), () => {
          isTelling = true;
          disk.hints(true);
          if (dice.happens(0.5)) disk.hint({ folder: options.root, name: null, everything: true });
        });
      },
    ],
  };
  return {
    acts,
    isUnreadable: (path) =>
      // Its file may have another name by now.
      disk.isOverstated(path) || [...unreadable].some((one) => path === one || path.startsWith(`${one}/`)),
    isTelling: () => isTelling && !isDegraded,
    end() {
      // Some keep their wrong size for ever.
      for (const path of [...overstated]) if (dice.happens(0.5)) tellTruth(path);
      for (const path of [...locked]) unlock(path);
      for (const path of unreadable) disk.hide(path, false);
      disk.hints(true);
      disk.degrade({ kind: 'live' });
    },
  };
};
