// How every command takes a file: a link, a path, an id at the service, an id in the queue, or a name.
import type { NamedFor } from '../contract/catalogue/choices.ts';
import type { NamedFile } from '../contract/commands.ts';
import { fromWire } from '../contract/errors.ts';
import { readNamed, type Named } from '../contract/text/named-file.ts';
import { nameText, pathFrom } from './output/words.ts';
import type { Composed, Session } from './session.ts';

/** Throws `bad-use` for an empty word. */
export const namedFrom = (session: Pick<Session, 'cwd' | 'platform'>, text: string): Named =>
  readNamed(text, { absolute: (path) => pathFrom(path, session), isWindows: session.platform === 'win32' });

/** The named files, each once. If one of them is not found, all fail: throws `not-found`, `bad-use`. */
export const findFiles = async (
  session: Session,
  { client }: Pick<Composed, 'client'>,
  given: readonly string[],
  use: NamedFor,
): Promise<NamedFile[]> => {
  const files = given.map((one) => namedFrom(session, one));
  const found = await client.call('files.find', { files, use });
  const [wrong] = found.flatMap(({ error }) => error ?? []);
  if (wrong !== undefined) throw fromWire(wrong);
  const keyOf = ({ uploadId, fileId, path }: NamedFile): string =>
    `${uploadId ?? ''} ${fileId ?? ''} ${path ?? ''}`;
  return [...new Map(found.map((one) => [keyOf(one), one])).values()];
};

/** For a question: what the user loses. */
export const linksStop = ({ length }: readonly NamedFile[]): string =>
  length === 1 ? 'Its link stops working.' : 'Their links stop working.';

/** For a question: `file 12 (report.pdf)`, or how many. */
export const filesText = (
  { ledger: { remote, uploads } }: Pick<Composed, 'ledger'>,
  found: readonly NamedFile[],
): string => {
  const fileId = found[0]?.fileId ?? null;
  if (found.length !== 1 || fileId === null) return `${found.length} files`;
  const name = remote.byId(fileId)?.filename ?? uploads.byFileId(fileId)?.name;
  return name === undefined ? `file ${fileId}` : `file ${fileId} (${nameText(name)})`;
};
