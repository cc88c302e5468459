// What people and their programs do to files in the folder: put, write slowly, edit, save aside and rename over,
// download, copy, rename, delete, restore, touch, copy over, and change permissions and times.
import type { VirtualClock } from '../virtual-clock.ts';
import type { FakeDisk } from '../fake-folder.ts';
import type { Dice } from './dice.ts';
import type { Story } from './story.ts';
import type { Writers } from './writers.ts';

export type Acts = Record<string, [weight: number, act: () => void]>;

export type Hands = {
  acts: Acts;
  /** Changes this file but not its content. Returns what it did; null: another program is busy with the file. */
  disturb(path: string): string | null;
};

export const createHands = (options: {
  dice: Dice;
  world: VirtualClock;
  disk: FakeDisk;
  story: Story;
  /** Every path that has a file. */
  paths: Set<string>;
  /** Those that were there before the folder was chosen. */
  existing: Set<string>;
  isHere: (path: string) => boolean;
  isFree: (path: string) => boolean;
  /** A file that no other act of the simulation is busy with. */
  anyFree: () => string | null;
  newPath: () => string;
  someDir: () => string;
  nextSerial: () => number;
  /** A content that occurs nowhere else. */
  compose: () => string;
  /** The file at this path is deleted. */
  lost: (path: string) => void;
  composeOf: (sizeBytes: number) => string;
  stands: (path: string, isNewFile: boolean) => void;
  standsAgain: (path: string) => void;
  touched: (path: string) => void;
  move: (from: string, to: string) => void;
  /** Another file with the same content is at this path. */
  copiedOver: (path: string) => void;
  writeSlowly: Writers['write'];
}): Hands => {
  const { dice, world, disk, story, paths, existing, isHere, isFree, anyFree, newPath, someDir } = options;
  const { nextSerial, compose, stands, touched, move, writeSlowly } = options;

  const touch = (path: string): void => {
    story.note(`folder touches ${path}`);
    disk.touch(path);
    touched(path);
  };
  const chmod = (path: string): void => {
    story.fault('rights-changed', path);
    disk.chmod(path);
    touched(path);
  };
  const copyOver = (path: string): void => {
    const text = disk.text(path);
    if (text === null) return;
    story.fault('copied-over', path);
    const mtimeMs = disk.mtimeMs(path);
    disk.replace(path, text);
    if (dice.happens(0.5)) disk.age(path, mtimeMs);
    touched(path);
    options.copiedOver(path);
  };
  const lose = (path: string): void => {
    story.note(`folder loses ${path}`);
    disk.remove(path);
    paths.delete(path);
    existing.delete(path);
    options.lost(path);
  };
  /** The file is deleted, and later restored unchanged from a backup or the trash. */
  const loseAndRestore = (path: string): void => {
    const text = disk.text(path);
    if (text === null) return;
    const mtimeMs = disk.mtimeMs(path);
    lose(path);
    const restore = (): void => {
      if (paths.has(path)) return;
      if (!isHere(path) || !isFree(path)) {
        world.after(60_000, restore);
        return;
      }
      story.fault('restored', path);
      disk.write(path, text);
      if (dice.happens(0.7)) disk.age(path, mtimeMs);
      options.standsAgain(path);
    };
    world.after(dice.spread(200, 7_200_000), restore);
  };
  const rename = (from: string): void => {
    const to = newPath();
    if (!paths.has(to)) move(from, to);
  };
  const copy = (from: string): void => {
    const to = newPath();
    const text = disk.text(from);
    if (text === null || paths.has(to)) return;
    disk.write(to, text);
    stands(to, true);
  };
  const keeping = { touch, chmod, copyOver, loseAndRestore, rename, copy };

  const acts: Acts = {
    put: [
      6,
      () => {
        const path = newPath();
        if (paths.has(path)) return;
        disk.write(path, compose());
        stands(path, true);
      },
    ],
    'put-many': [
      1,
      () => {
        for (let i = dice.whole(3, 30); i > 0; i -= 1) {
          const path = `${someDir()}/many ${nextSerial()}.dat`;
          disk.write(path, compose());
          stands(path, true);
        }
      },
    ],
    'write-slowly': [
      4,
      () => {
        const path = newPath();
        if (!paths.has(path)) writeSlowly(path, compose(), true);
      },
    ],
    'edit-in-place': [
      3,
      () => {
        const path = anyFree();
        if (path !== null) writeSlowly(path, compose(), false);
      },
    ],
    'save-atomically': [
      3,
      () => {
        const path = anyFree();
        if (path === null) return;
        const aside = `${path}~`;
        if (paths.has(aside)) return;
        writeSlowly(aside, compose(), true, () => {
          if (!isHere(path) || !isFree(path)) return;
          existing.delete(path);
          move(aside, path);
        });
      },
    ],
    download: [
      2,
      () => {
        const path = newPath();
        const part = `${path}.part`;
        if (paths.has(path) || paths.has(part)) return;
        writeSlowly(part, compose(), true, () => {
          if (isHere(path) && !paths.has(path)) move(part, path);
        });
      },
    ],
    rename: [3, () => onAny(rename)],
    'rename-over': [
      1,
      () => {
        const [from, over] = [anyFree(), anyFree()];
        if (from !== null && over !== null && from !== over) move(from, over);
      },
    ],
    copy: [2, () => onAny(copy)],
    delete: [2, () => onAny(lose)],
    restore: [1, () => onAny(loseAndRestore)],
    touch: [2, () => onAny(touch)],
    chmod: [1, () => onAny(chmod)],
    'copy-over': [1, () => onAny(copyOver)],
    /** Other content with an older time, or with the same time and size. */
    'set-back': [
      1,
      () =>
        onAny((path) => {
          const text = disk.text(path);
          if (text === null) return;
          story.fault('time-set-back', path);
          const isAlike = dice.happens(0.5);
          const mtimeMs = disk.mtimeMs(path) - (isAlike ? 0 : dice.spread(1000, 30 * 86_400_000));
          disk.write(path, isAlike ? options.composeOf(text.length) : compose());
          disk.age(path, Math.round(mtimeMs));
          stands(path, false);
        }),
    ],
    /** A new file gets the inode number of a deleted one. */
    'number-again': [
      1,
      () =>
        onAny((path) => {
          const to = newPath();
          if (paths.has(to)) return;
          story.fault('number-again', path);
          disk.giveNumberOf(path);
          disk.write(to, compose());
          lose(path);
          stands(to, true);
        }),
    ],
  };
  const onAny = (act: (path: string) => void): void => {
    const path = anyFree();
    if (path !== null) act(path);
  };

  return {
    acts,
    disturb(path) {
      if (!paths.has(path) || !isFree(path) || disk.text(path) === null) return null;
      const what = dice.pick(Object.keys(keeping) as (keyof typeof keeping)[]);
      keeping[what](path);
      return what;
    },
  };
};
