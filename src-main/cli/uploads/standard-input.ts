// `upload -`: standard input as a file. A pipe ends in the same way whether its writer finished or died, so what was
// announced (`--size`, `--sha256`) is compared before anything is queued.
import { createHash } from 'node:crypto';
import { AppError } from '../../contract/errors.ts';
import { requireNoRoots } from '../../contract/rights.ts';
import type { TerminalInput } from '../io.ts';
import type { Composed, Session } from '../session.ts';
import { bytesText, wholeFrom } from '../output/words.ts';

export type InputFlags = { name?: string; size?: string; sha256?: string };

/** Stands for standard input among the files. */
export const inputMark = '-';

/** The longest that a file system takes. */
const mostNameBytes = 255;

type Announced = { sizeBytes: number | null; sha256: string | null };

/** Throws `bad-use` before anything is read. Null: standard input is not asked for. */
export const inputFrom = (
  files: readonly string[],
  { name, size, sha256, filesFrom, zip }: InputFlags & { filesFrom?: string; zip?: boolean },
): (Announced & { name: string }) | null => {
  const marks = files.filter((file) => file === inputMark).length;
  if (marks === 0) {
    const isNameRight = name === undefined || zip === true;
    if (isNameRight && size === undefined && sha256 === undefined) return null;
    throw wrong(
      '--name works only with standard input or a zip; --size and --sha256 work only with standard input.',
      'Give - as the file, or leave them out.',
    );
  }
  if (zip === true)
    throw wrong('Standard input cannot be packed.', 'Leave out --zip, or name files and folders.');
  if (marks > 1 || filesFrom === inputMark)
    throw wrong('Standard input can be read only once.', 'Give - once.');
  if (name === undefined)
    throw wrong('Standard input has no name.', 'Give it one: `outtray upload - --name NAME`.');
  if (Buffer.byteLength(name) > mostNameBytes)
    throw wrong('The name is too long for a file.', `It has at most ${mostNameBytes} bytes.`);
  if (sha256 !== undefined && !/^[0-9a-f]{64}$/i.test(sha256))
    throw wrong('A SHA-256 has 64 hexadecimal digits.', '`sha256sum FILE` prints it.');
  return {
    name,
    sizeBytes: size === undefined ? null : wholeFrom(size, 'A size', 'It is a number of bytes.'),
    sha256: sha256?.toLowerCase() ?? null,
  };
};

const wrong = (message: string, remedy: string): AppError => new AppError('bad-use', message, remedy);

/** Returns the path of the file in the spool. A failure leaves no file. */
export const keepInput = async (
  { signal, output, stdin }: Session,
  { settings, spool }: Composed,
  input: Announced & { name: string },
): Promise<string> => {
  requireNoRoots(settings.current());
  // Only the settings limit it: the account's limit may be in another unit, so the service decides.
  const mostBytes = settings.current().maxFileBytes ?? Infinity;
  if (stdin().isTTY === true) output.note('Reading standard input to its end (Ctrl-D).');
  try {
    return await spool.keep(input.name, compared(stdin(), input, mostBytes), signal);
  } finally {
    stdin().destroy();
  }
};

async function* compared(
  stdin: TerminalInput,
  { sizeBytes, sha256 }: Announced,
  mostBytes: number,
): AsyncGenerator<Uint8Array> {
  const hash = sha256 === null ? null : createHash('sha256');
  let size = 0;
  for await (const piece of piecesOfInput(stdin)) {
    size += piece.length;
    if (size > mostBytes) {
      const message = `Standard input is larger than ${bytesText(mostBytes)}, the most that the rules here allow.`;
      throw new AppError('forbidden', message, 'Nothing is uploaded; split it.');
    }
    hash?.update(piece);
    yield piece;
  }
  if (size === 0)
    throw wrong(
      'Standard input was empty, so nothing is uploaded.',
      'Check the output of the program before it.',
    );
  const isWhole = sizeBytes === null || size === sizeBytes;
  if (!isWhole || (hash !== null && hash.digest('hex') !== sha256)) {
    const what = isWhole
      ? 'does not have the SHA-256 given by --sha256'
      : `had ${size} bytes, not the ${sizeBytes} of --size`;
    throw new AppError(
      'changed',
      `Standard input ${what}; nothing is uploaded.`,
      'The program that wrote it may have failed: run it again.',
    );
  }
}

async function* piecesOfInput(stdin: TerminalInput): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of stdin) yield piece as Uint8Array;
  } catch (cause) {
    const why = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
    const message = `Standard input cannot be read${why}; nothing is uploaded.`;
    throw new AppError('bad-use', message, 'Give a pipe or a file.', { cause });
  }
}
