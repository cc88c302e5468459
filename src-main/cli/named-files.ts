// How every command takes a file: a link, a path, an id at the service, an id in the queue, or a name.
import type { NamedFor } from '../contract/catalogue/choices.ts';
import type { NamedFile } from '../contract/answers.ts';
import { fromWire } from '../contract/errors.ts';
import { readNamed, type Named } from '../contract/text/named-file.ts';
import { splitPath } from '../engine/shared/paths.ts';
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

/** Throws `ambiguous` for the first word that may mean several files: then nothing is done about the others either. */
export const refuseAmbiguous = (found: readonly NamedFile[]): void => {
  const [error] = found.flatMap((one) => (one.error?.code === 'ambiguous' ? one.error : []));
  if (error !== undefined) throw fromWire(error);
};

/** More are counted by folder. */
const mostAsked = 20;

/** For a question: each of these with its id and link, and what the user loses. `act`: what is done, and how. */
export const questionAbout = (
  { ledger: { remote, uploads } }: Pick<Composed, 'ledger'>,
  found: readonly NamedFile[],
  [act, how]: readonly [string, string],
): string => {
  const texts = found.map(({ fileId, uploadId, path }) => {
    const row = uploadId === null ? null : uploads.byId(uploadId);
    const other = fileId === null ? null : remote.byId(fileId);
    const name = path ?? other?.filename ?? row?.name ?? `file ${fileId ?? ''}`;
    const marks = [fileId, row?.publicLink ?? other?.public_link].filter(
      (mark) => typeof mark !== 'undefined' && mark !== null,
    );
    return marks.length === 0 ? nameText(name) : `${nameText(name)} (${marks.join(', ')})`;
  });
  const [only] = texts;
  if (only !== undefined && texts.length === 1) return `${act} ${only} ${how}? Its link stops working.`;
  const rest = [...Map.groupBy(found.slice(mostAsked), ({ path }) => folderOf(path))].map(
    ([folder, files]) =>
      `  and ${files.length} more ${folder === null ? 'of other machines' : `in ${nameText(folder)}`}`,
  );
  const lines = [...texts.slice(0, mostAsked).map((text) => `  ${text}`), ...rest];
  return `${act} these ${found.length} files ${how}? Their links stop working.\n${lines.join('\n')}`;
};

const folderOf = (path: string | null): string | null => (path === null ? null : splitPath(path).dir);
