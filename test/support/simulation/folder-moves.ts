// Faults of whole folders other than the first one: they go away and come back, and are moved into another one.
import type { FakeDisk } from '../fake-folder.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import type { Dice } from './dice.ts';
import { firstFolder } from './folders.ts';
import type { Acts } from './hands.ts';
import type { Story } from './story.ts';

export type FolderMoves = {
  acts: Acts;
  /** The folder is where it belongs. */
  isHere(folder: string): boolean;
  /** Brings back every folder that went away. */
  comeBack(): void;
  /** Moves every renamed folder back. No writer may have a file open. */
  moveBack(): void;
};

const laterMs = 5000;

export const createFolderMoves = (options: {
  dice: Dice;
  world: VirtualClock;
  disk: FakeDisk;
  story: Story;
  /** Those that may be moved. */
  folders: readonly string[];
  pathsIn: (dir: string) => string[];
  isFree: (path: string) => boolean;
  isHere: (path: string) => boolean;
  /** The folder of this file was moved, and the file with it. */
  moved: (from: string, to: string) => void;
  /** These files go away. Returns what to call when they are back: files that were new then are new again. */
  leave: (paths: readonly string[]) => () => void;
  /** A folder is back. */
  back: () => void;
}): FolderMoves => {
  const { dice, world, disk, story, folders, pathsIn, isFree } = options;
  const away = new Set<string>();
  /** By folder: where it is now. */
  const inside = new Map<string, { at: string; returned: () => void }>();
  const here = (): string[] => folders.filter((path) => !away.has(path) && !inside.has(path));

  const rename = (from: string, to: string): void => {
    story.note(`folder ${from} is now ${to}`);
    const paths = pathsIn(from);
    disk.rename(from, to);
    for (const path of paths) options.moved(path, to + path.slice(from.length));
  };
  const back = (folder: string): boolean => {
    const now = inside.get(folder);
    if (now === undefined) return true;
    if (!options.isHere(now.at) || !pathsIn(now.at).every(isFree)) return false;
    inside.delete(folder);
    rename(now.at, folder);
    now.returned();
    options.back();
    return true;
  };
  const backLater = (folder: string, afterMs: number): void => {
    world.after(afterMs, () => {
      if (!back(folder)) backLater(folder, laterMs);
    });
  };

  const acts: Acts =
    folders.length === 0
      ? {}
      : {
          'folder-away': [
            1,
            () => {
              const [folder] = [here()].flatMap((all) => (all.length === 0 ? [] : dice.pick(all)));
              if (folder === undefined) return;
              story.fault('folder-away', folder);
              away.add(folder);
              disk.takeAway(folder, true);
              world.after(dice.spread(1000, 7_200_000), () => {
                if (!away.delete(folder)) return;
                disk.takeAway(folder, false);
                story.note(`folder ${folder} is back`);
                options.back();
              });
            },
          ],
          'folder-into-another': [
            1,
            () => {
              const all = here();
              if (all.length === 0) return;
              const folder = dice.pick(all);
              const into = dice.pick([firstFolder, ...all]);
              const holdsAnother = [...inside.values()].some(({ at }) => at.startsWith(`${folder}/`));
              if (into === folder || holdsAnother || !options.isHere(into)) return;
              if (!pathsIn(folder).every(isFree)) return;
              story.fault('folder-into-another', folder);
              const to = `${into}/was ${folder.slice(1)}`;
              inside.set(folder, { at: to, returned: options.leave(pathsIn(folder)) });
              rename(folder, to);
              backLater(folder, dice.spread(1000, 7_200_000));
            },
          ],
        };

  return {
    acts,
    isHere: (folder) => !away.has(folder) && !inside.has(folder),
    comeBack() {
      for (const folder of away) disk.takeAway(folder, false);
      away.clear();
    },
    moveBack() {
      for (const folder of [...inside.keys()])
        if (!back(folder)) story.violated('I1', `${folder} cannot be moved back`);
    },
  };
};
