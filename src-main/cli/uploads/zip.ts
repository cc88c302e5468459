// `upload --zip [NAME] PATH...`: what follows --zip may be the name or the first path.
import { AppError } from '../../contract/errors.ts';
import type { LeftOut, LeftOutReason } from '../../contract/model.ts';
import { inputMark } from './standard-input.ts';

type ZipFlags = { zip?: string | true };

/** A value that ends in .zip is the name, when paths follow it; any other is a path. Throws `bad-use`. */
export const zipFrom = <Flags extends ZipFlags>(
  files: readonly string[],
  flags: Flags & { filesFrom?: string },
): { files: readonly string[]; flags: Flags & { filesFrom?: string } } => {
  const { zip } = flags;
  if (zip === undefined) return { files, flags };
  const hasPaths = files.length > 0 || flags.filesFrom !== undefined;
  const isName = zip === true || (hasPaths && /.\.zip$/i.test(zip));
  const given = isName ? files : [zip, ...files];
  if (given.includes(inputMark))
    throw new AppError(
      'bad-use',
      'Standard input is not packed.',
      'Leave out --zip, or name files and folders.',
    );
  return { files: given, flags: { ...flags, zip: isName ? zip : true } };
};

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
  'too-deep': ['in too many folders', 'in too many folders'],
  unreadable: ['that cannot be read', 'that cannot be read'],
  'online-only': ['not on this disk', 'not on this disk'],
};
