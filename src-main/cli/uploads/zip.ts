// What the command prints about files that a zip or a given folder leaves out.
import { reasonWords } from '../../contract/text/why.ts';
import type { LeftOut } from '../../contract/model.ts';

/** "3 files left out: hidden (2), symbolic link (1)." */
export const leftOutText = (leftOut: readonly LeftOut[]): string => {
  const count = leftOut.reduce((sum, one) => sum + one.count, 0);
  const parts = leftOut.map((one) => `${reasonWords(`skip.${one.why}`)} (${one.count})`);
  return `${count === 1 ? '1 file' : `${count} files`} left out: ${parts.join(', ')}.`;
};
