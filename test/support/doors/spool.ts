// Another program cleans up, or writes, in the folder where Outtray keeps the files that it made for uploads.
import type { FakeDisk } from '../fake-folder.ts';
import type { Dice } from '../simulation/dice.ts';
import type { Tree } from './tree.ts';

export const disturbSpool = (walk: {
  dice: Dice;
  disk: FakeDisk;
  tree: Tree;
  note: (text: string) => void;
  compose: () => string;
  zips: readonly string[];
}): void => {
  const { dice, disk, tree, compose } = walk;
  const zip = walk.zips.at(-1);
  const path = dice.happens(0.5) ? zip : tree.paths().findLast((one) => one.startsWith('/spool/'));
  if (path === undefined || disk.text(path) === null) return;
  // The tree knows files from standard input, but no zips.
  const at = path === zip ? disk : tree;
  const act = dice.pick(['remove', 'write', 'replace', 'touch'] as const);
  walk.note(`${act} in the spool ${JSON.stringify(path)}`);
  if (act === 'touch') disk.touch(path);
  if (act === 'remove') at.remove(path);
  if (act === 'write') at.write(path, compose());
  if (act === 'replace') at.replace(path, compose());
};
