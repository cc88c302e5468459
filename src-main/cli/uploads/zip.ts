// `upload --zip [NAME] PATH...`: what follows --zip may be the name or the first path.
import { AppError } from '../../contract/errors.ts';
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
