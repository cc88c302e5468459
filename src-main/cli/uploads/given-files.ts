// The files for `outtray upload`, by name or from a list (`--files-from`).
import { inUtf8 } from '../../contract/text/given-text.ts';
import { fromSystemName } from '../../adapters/files/paths.ts';
import { AppError, type WireError } from '../../contract/errors.ts';
import { tooManyFiles } from '../../engine/given/walk.ts';
import { relativeTo } from '../../engine/shared/paths.ts';
import { wholeInput } from '../io.ts';
import { unlessInterrupted, within, type Composed, type Session } from '../session.ts';
import { completed, fileJson } from '../../engine/state/file-json.ts';
import { troubleText } from '../output/typed.ts';
import { nameText, pathFrom } from '../output/words.ts';
import { inputMark } from './standard-input.ts';

export type GivenFlags = { recursive?: boolean; filesFrom?: string; null?: boolean };

const maxListBytes = 64 * 1024 * 1024;

/** Absolute paths, in the order given; `-` stays as it is. Throws `bad-use` when nothing is named at all. */
export const namesGiven = async (
  session: Session,
  files: readonly string[],
  flags: GivenFlags,
): Promise<string[]> => {
  if (flags.filesFrom === undefined) {
    if (files.length === 0) throw new AppError('bad-use', 'No file is named.', 'See `outtray help upload`.');
    return files.map((file) => pathOf(file, session));
  }
  const { filesFrom } = flags;
  const bytes = await unlessInterrupted(session, () => readList(filesFrom, session)).finally(() =>
    session.stdin().destroy(),
  );
  const listed = namesIn(Buffer.from(inUtf8(bytes)), flags.null === true ? 0 : 10, session.platform);
  return [...files.map((file) => pathOf(file, session)), ...listed.map((file) => pathFrom(file, session))];
};

const pathOf = (file: string, session: Session): string =>
  file === inputMark ? file : pathFrom(file, session);

const readList = async (list: string, session: Session): Promise<Uint8Array> => {
  try {
    if (list === '-') {
      const bytes = await wholeInput(session.stdin(), maxListBytes);
      if (bytes === null) throw tooManyFiles();
      return bytes;
    }
    const path = pathFrom(list, session);
    const found = await within(session, { kind: 'guest' }, ({ texts }) =>
      texts.read(path, maxListBytes, true),
    );
    if (found.kind === 'read') return found.bytes;
    throw found.kind === 'too-large' ? tooManyFiles() : unreadable(list);
  } catch (error) {
    throw error instanceof AppError ? error : unreadable(list, error);
  }
};

const unreadable = (list: string, cause?: unknown): AppError =>
  new AppError(
    'bad-use',
    `The list ${nameText(list)} cannot be read.`,
    'Name a file with one path per line, or - for standard input.',
    { cause },
  );

/** Bytes, because names need not be text. */
const namesIn = (bytes: Buffer, end: number, platform: NodeJS.Platform): string[] => {
  const names: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const found = bytes.indexOf(end, at);
    const next = found < 0 ? bytes.length : found;
    const name = fromSystemName(bytes.subarray(at, next));
    names.push(platform === 'win32' ? name.replace(/\r$/, '') : name);
    at = next + 1;
  }
  return names.filter((name) => name !== '');
};

/** Reports a path for which there is no upload that could report it. */
export const tellRefused = (
  { output, cwd }: Session,
  { clock, ledger }: Composed,
  path: string,
  { code, message, remedy }: Pick<WireError, 'code' | 'message' | 'remedy'>,
): void => {
  const at = new Date(clock.wallMs()).toISOString();
  output.object({ event: 'failed', at, ...fileJson(completed(ledger, { path })), code, message, remedy });
  output.trouble(`${relativeTo(cwd, path) ?? path}: ${troubleText({ message, remedy })}`);
};
