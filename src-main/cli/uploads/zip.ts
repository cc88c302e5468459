// What `upload --zip` prints about the files that it leaves out.
import { skipRows } from '../../contract/catalogue/reasons.ts';
import type { LeftOut } from '../../contract/model.ts';

/** "3 files left out: 2 hidden, 1 link." */
export const leftOutText = (leftOut: readonly LeftOut[]): string => {
  const count = leftOut.reduce((sum, one) => sum + one.count, 0);
  const parts = leftOut.map((one) => `${one.count} ${skipRows[one.why].leftOut[one.count === 1 ? 0 : 1]}`);
  return `${count === 1 ? '1 file' : `${count} files`} left out: ${parts.join(', ')}.`;
};
