// What people and their programs do in the folder: files put, written slowly, edited, saved aside and renamed over,
// downloaded, copied, renamed, deleted, touched.
import type { FakeDisk } from '../fake-folder.ts';
import type { Dice } from './dice.ts';
import type { Story } from './story.ts';
import type { Writers } from './writers.ts';

export type Acts = Record<string, [weight: number, act: () => void]>;

export const createHands = (options: {
  dice: Dice;
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
  stands: (path: string, isNewFile: boolean) => void;
  touched: (path: string) => void;
  move: (from: string, to: string) => void;
  writeSlowly: Writers['write'];
}): Acts => {
  const { dice, disk, story, paths, existing, isHere, isFree, anyFree, newPath, someDir } = options;
  const { nextSerial, compose, stands, touched, move, writeSlowly } = options;
  return {
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
    rename: [
      3,
      () => {
        const from = anyFree();
        const to = newPath();
        if (from !== null && !paths.has(to)) move(from, to);
      },
    ],
    'rename-over': [
      1,
      () => {
        const [from, over] = [anyFree(), anyFree()];
        if (from !== null && over !== null && from !== over) move(from, over);
      },
    ],
    copy: [
      2,
      () => {
        const from = anyFree();
        const to = newPath();
        const text = from === null ? null : disk.text(from);
        if (text === null || paths.has(to)) return;
        disk.write(to, text);
        stands(to, true);
      },
    ],
    delete: [
      2,
      () => {
        const path = anyFree();
        if (path === null) return;
        story.note(`folder loses ${path}`);
        disk.remove(path);
        paths.delete(path);
        existing.delete(path);
      },
    ],
    touch: [
      2,
      () => {
        const path = anyFree();
        if (path === null) return;
        story.note(`folder touches ${path}`);
        disk.touch(path);
        touched(path);
      },
    ],
  };
};
