// Replaces folders and files of the tray, for a while or an instant, by links to files outside with the same names and
// sizes. Not one byte of those may be sent (I8).
import type { FakeDisk } from '../fake-folder.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import type { Dice } from './dice.ts';
import type { Story } from './story.ts';

export type Swaps = {
  acts: Record<string, [weight: number, act: () => void]>;
  /** The folder of this path now leads outside. */
  isAway(path: string): boolean;
  /** Swaps the folder of a file for a moment while the file is sent. */
  swapUnder(path: string): void;
  end(): void;
};

/** Every content outside starts with this. */
export const outsideMark = 'outside';

const dirOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

export const createSwaps = (options: {
  dice: Dice;
  world: VirtualClock;
  disk: FakeDisk;
  story: Story;
  isMounted: () => boolean;
  /** Folders that may be swapped. None lies in another. */
  dirs: readonly string[];
  pathsIn: (dir: string) => string[];
  isFree: (path: string) => boolean;
  anyFree: () => string | null;
  back: (path: string) => void;
}): Swaps => {
  const { dice, world, disk, story, dirs, pathsIn } = options;
  const away = new Map<string, () => void>();
  let serial = 0;

  /** A folder outside with files like those of this one. */
  const twinOf = (dir: string): string => {
    const outside = `/elsewhere/${(serial += 1)}`;
    disk.make(outside, 'folder');
    for (const path of pathsIn(dir)) twin(path, outside + path.slice(dir.length));
    return outside;
  };
  const twin = (path: string, outside: string): void => {
    const size = disk.text(path)?.length ?? 0;
    if (size > 0) disk.write(outside, `${outsideMark} ${(serial += 1)}`.padEnd(size, '!').slice(0, size));
  };

  const swap = (path: string, target: string, forMs: number): void => {
    story.note(`folder swaps ${path}`);
    const undo = disk.swap(path, target);
    away.set(path, () => {
      away.delete(path);
      story.note(`folder swaps back ${path}`);
      undo();
      disk.remove(target);
      options.back(path);
    });
    const comeBack = (): void => {
      if (options.isMounted()) away.get(path)?.();
      else world.after(5000, comeBack);
    };
    world.after(forMs, comeBack);
  };

  const swapFolder = (dir: string, forMs: number): boolean => {
    const inside = pathsIn(dir);
    if (!options.isMounted() || away.has(dir) || !inside.every(options.isFree)) return false;
    swap(dir, twinOf(dir), forMs);
    return true;
  };

  disk.raceAtOpen((path) => {
    const dir = dirs.find((one) => dirOf(path) === one);
    if (dir === undefined || away.has(dir) || !options.isMounted() || !dice.happens(0.05)) return null;
    story.fault('swapped-at-open');
    const target = twinOf(dir);
    const undo = disk.swap(dir, target);
    return () => {
      undo();
      disk.remove(target);
    };
  });

  // The race is between the check of a folder and its listing.
  disk.raceAtList((dir) => {
    if (!dirs.includes(dir) || !dice.happens(0.01)) return;
    if (swapFolder(dir, dice.spread(100, 60_000))) story.fault('swapped-at-listing');
  });

  return {
    isAway: (path) => away.has(path) || away.has(dirOf(path)),
    acts: {
      'swap-folder': [
        0.7,
        () => {
          if (swapFolder(dice.pick(dirs), dice.spread(100, 600_000))) story.fault('folder-swapped');
        },
      ],
      'swap-file': [
        0.7,
        () => {
          const path = options.anyFree();
          if (path === null) return;
          const target = `/elsewhere/${(serial += 1)}`;
          twin(path, target);
          story.fault('file-swapped');
          swap(path, target, dice.spread(100, 600_000));
        },
      ],
    },
    swapUnder(path) {
      const dir = dirOf(path);
      if (dirs.includes(dir) && swapFolder(dir, dice.spread(10, 60_000))) story.fault('swapped-while-sent');
    },
    end() {
      disk.raceAtOpen(() => null);
      disk.raceAtList(() => undefined);
      for (const back of [...away.values()]) back();
    },
  };
};
