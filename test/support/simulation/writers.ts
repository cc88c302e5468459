// Programs that write a file in parts, with pauses, and have it open all the while.
import type { FakeDisk } from '../fake-folder.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import type { Dice } from './dice.ts';
import type { Story } from './story.ts';

export type Writers = {
  /** Begins to write; `then` when the file is closed. */
  write(path: string, text: string, isNewFile: boolean, then?: () => void): void;
  isBusy(path: string): boolean;
  finishAll(): void;
};

export const createWriters = (options: {
  dice: Dice;
  world: VirtualClock;
  disk: FakeDisk;
  story: Story;
  isHere: (path: string) => boolean;
  longestPauseMs: number;
  begun: (path: string) => void;
  closed: (path: string, isNewFile: boolean) => void;
}): Writers => {
  const { dice, world, disk, story } = options;
  const busy = new Map<string, () => void>();

  const write = (
    path: string,
    text: string,
    isNewFile: boolean,
    then: () => void = () => undefined,
  ): void => {
    const parts = dice.whole(1, 5);
    story.note(`folder begins ${path} ${text.slice(0, 5)}`);
    const pauseMs = dice.spread(50, options.longestPauseMs);
    let written = 0;
    let release = (): void => undefined;
    const finish = (): void => {
      undo();
      if (!options.isHere(path)) {
        undo = world.after(5000, finish);
        return;
      }
      if (written < text.length) disk.write(path, text);
      release();
      busy.delete(path);
      options.closed(path, isNewFile);
      then();
    };
    let undo = (): void => undefined;
    const next = (): void => {
      if (!options.isHere(path)) {
        undo = world.after(5000, next);
        return;
      }
      const part = Math.ceil(text.length / parts);
      if (written === 0) {
        disk.write(path, text.slice(0, part));
        release = disk.holdOpen(path);
        options.begun(path);
      } else disk.append(path, text.slice(written, written + part));
      written = Math.min(text.length, written + part);
      undo = world.after(pauseMs * (0.2 + dice.chance()), written < text.length ? next : finish);
    };
    busy.set(path, finish);
    next();
  };

  return {
    write,
    isBusy: (path) => busy.has(path),
    finishAll() {
      for (const finish of [...busy.values()]) finish();
    },
  };
};
