// What programs and people do to files in a walk, beside Outtray.
import type { createWorld } from '../fake-world.ts';
import type { Dice } from '../simulation/dice.ts';
import { markOf } from './received.ts';
import { disturbSpool } from './spool.ts';
import type { createTree } from './tree.ts';

export const programsOf = (of: {
  dice: Dice;
  disk: ReturnType<typeof createWorld>['disk'];
  tree: ReturnType<typeof createTree>;
  said: { given: Set<string>; named: Set<string> };
  note: (text: string) => void;
  /** A new content with its mark. */
  compose: () => string;
  /** The path of a file that is there. */
  some: () => string | null;
  newPath: () => string;
  number: () => number;
  /** Of those that were packed. */
  zips: () => string[];
}): (() => void)[] => {
  const { dice, disk, tree, said, note, compose, some, newPath, number } = of;
  return [
    () => {
      const path = some();
      if (path !== null) tree.touch(path);
    },
    () => {
      const path = some();
      if (path !== null) tree.chmod(path);
    },
    () => {
      const path = some();
      if (path !== null) tree.rename(path, newPath());
    },
    () => {
      const path = some();
      const text = path === null ? null : tree.text(path);
      if (text !== null) tree.write(newPath(), text);
    },
    () => {
      const path = some();
      const text = path === null ? null : tree.text(path);
      if (path !== null && text !== null) tree.replace(path, text);
    },
    () => {
      const path = some();
      if (path !== null) tree.hardLink(path, newPath());
    },
    () => {
      const path = some();
      if (path === null) return;
      const before = markOf(tree.text(path)) ?? path;
      tree.write(path, compose());
      const now = markOf(tree.text(path)) ?? '';
      // A file that was given by path is sent with the content that it has at that time.
      for (const given of [said.given, said.named]) if (given.has(before)) given.add(now);
    },
    () => {
      const path = some();
      if (path !== null && !tree.isThere(`${path}.aria2`)) tree.write(`${path}.aria2`, 'state');
    },
    () => {
      const path = some();
      if (path !== null) tree.remove(path);
    },
    () => disturbSpool({ dice, disk, tree, note, compose, zips: of.zips() }),
    () =>
      tree.link(
        `/given/link ${number()}`,
        dice.pick(['/secret', '/secret/deep', '/given/deep', '/tray/sub']),
      ),
    () => {
      // The same file, at a forbidden place, behind the path that was judged.
      const path = tree.below('/given/deep').at(-1);
      if (path === undefined || tree.isLink('/given/deep')) return;
      const hidden = `/secret/deep${path.slice('/given/deep'.length)}`;
      note(`bind ${JSON.stringify(path)}`);
      tree.hardLink(path, hidden);
      tree.remove(path);
      tree.swap('/given/deep', '/secret/deep');
    },
    () => {
      const folder = dice.pick(['/given/deep', '/tray/sub', '/given/agents']);
      if (tree.isLink(folder)) return;
      note(`swap ${folder}`);
      tree.swap(folder, dice.pick(['/secret', '/secret/deep']));
    },
  ];
};
