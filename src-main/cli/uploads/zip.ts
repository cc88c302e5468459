// What `upload --zip` says of the files that it leaves out.
import type { LeftOut, LeftOutReason } from '../../contract/model.ts';

/** "3 files left out: 2 hidden, 1 link." */
export const leftOutText = (leftOut: readonly LeftOut[]): string => {
  const count = leftOut.reduce((sum, one) => sum + one.count, 0);
  const parts = leftOut.map((one) => `${one.count} ${reasonWords[one.why][one.count === 1 ? 0 : 1]}`);
  return `${count === 1 ? '1 file' : `${count} files`} left out: ${parts.join(', ')}.`;
};

const reasonWords: Record<LeftOutReason, readonly [string, string]> = {
  hidden: ['hidden', 'hidden'],
  ignored: ['ignored by a pattern', 'ignored by a pattern'],
  partial: ['unfinished download', 'unfinished downloads'],
  temporary: ['temporary', 'temporary'],
  system: ['in a system folder', 'in system folders'],
  link: ['link', 'links'],
  special: ['no regular file', 'no regular files'],
  'too-deep': ['nested too deeply', 'nested too deeply'],
  unreadable: ['that cannot be read', 'that cannot be read'],
  'online-only': ['not on this disk', 'not on this disk'],
};
