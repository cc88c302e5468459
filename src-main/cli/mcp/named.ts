// Finds the files that a tool call names by path, link or id, and only those that the agent may know of.
import type { FileId } from '../../contract/text/file-id.ts';
import type { Composed } from '../session.ts';
import { AppError } from '../../contract/errors.ts';
import { isTakenBack, type FileRow } from '../../contract/model.ts';
import type { Upload } from '../../engine/ports/uploads.ts';
import { idNow } from '../../engine/shared/links.ts';
import { joinPath } from '../../engine/shared/paths.ts';
import type { Roots } from './roots.ts';
import { errorOf } from './results.ts';
import type { Sending } from './sending.ts';
import { mostListed, type FailedFile, type ToolFile } from './shapes.ts';
import { linkIn } from '../../contract/text/named-file.ts';

export type ToolCall = {
  composed: Composed;
  roots: Roots;
  sending: Sending;
  /** Uploads that this server cancelled for the agent, each with the last entry before that. */
  cancelled: Map<number, number>;
  /** The client cancelled the call. */
  signal: AbortSignal;
  /** The client is gone. */
  closing: AbortSignal;
  /** `done` of `total` uploads; `done` includes the fractions of uploads under way. */
  progress: (done: number, total: number, message: string) => void;
};

/** At most this many files of one name are examined. */
export const mostNamed = 500;

/** The failure of one file does not affect the others. */
export const eachOf = async <T>(
  files: readonly ToolFile[],
  act: (file: ToolFile, index: number) => Promise<T>,
): Promise<{ done: T[]; failed: FailedFile[] }> => {
  const done: T[] = [];
  const failed: FailedFile[] = [];
  for (const [index, file] of files.entries()) {
    try {
      done.push(await act(file, index));
    } catch (error) {
      failed.push({ index, error: errorOf(error) });
    }
  }
  return { done, failed };
};

/** The links of one file, that of its current content first. Throws `not-found` and what `accepted` throws. */
export const linksOfFile = async (call: ToolCall, given: ToolFile): Promise<Linked[]> => {
  const { composed } = call;
  const file = await accepted(call, given);
  if ('fileId' in file) {
    const own = composed.ledger.uploads.byFileId(file.fileId);
    const search = own?.name ?? '';
    const query = { search, limit: mostListed, after: null, order: newestFirst };
    const { found } = linksOf(call, query, (row) => row.fileId === file.fileId);
    if (found.length === 0) throw notFound();
    return found;
  }
  const { path } = file;
  const name = path.split(/[/\\]/).at(-1) ?? '';
  const query = { search: name, limit: mostListed, after: null, order: newestFirst };
  const { found } = linksOf(call, query, (row) => row.path === path);
  const now = await knownUpload(composed, path);
  // Its content may be shared under another name. That name is not revealed: the file may be outside the roots.
  const twin = now === null ? null : twinOf(composed, now);
  const link = twin === null || isTakenBack(twin.state) ? null : twin.publicLink;
  if (twin !== null && link !== null) found.unshift({ ...rowOf(composed, twin, link), name, path });
  else found.sort((a, b) => Number(b.uploadId === now?.id) - Number(a.uploadId === now?.id));
  if (found.length === 0) throw notFound();
  return found;
};

/** Throws `bad-use`, `not-found`, and what the roots throw. */
export const accepted = async (
  { composed, roots }: ToolCall,
  { path, link, file_id }: ToolFile,
): Promise<{ path: string } | { fileId: FileId }> => {
  if ([path, link, file_id].filter((one) => one !== undefined).length !== 1)
    throw new AppError('bad-use', 'Name each file by one of path, link and file_id.');
  if (path !== undefined) return { path: await roots.accept(path) };
  const fileId = link === undefined ? file_id : await idOfLink(composed, link);
  const row = fileId === undefined ? null : composed.ledger.uploads.byFileId(fileId);
  // A file outside the roots gets the same answer as a missing one.
  if (row === null || row.fileId === null || !mayHear(composed, roots, row)) throw notFound();
  return { fileId: row.fileId };
};

/** The path of a file to upload. Throws as `accepted`. */
export const toolPathOf = async (call: ToolCall, given: ToolFile): Promise<string> => {
  const file = await accepted(call, given);
  if ('path' in file) return file.path;
  const row = call.composed.ledger.uploads.byFileId(file.fileId);
  if (row === null) throw notFound();
  return joinPath(row.dir, row.name);
};

const idOfLink = async ({ client }: Composed, text: string): Promise<FileId | undefined> => {
  const link = linkIn(text);
  if (link === null) throw new AppError('bad-use', 'That is not a link.', 'Give a link as https://…');
  const [found] = await client.call('files.find', { files: [{ link }], use: 'service' });
  return found?.fileId ?? undefined;
};

/** The upload at another path whose link this file has, because its content is the same. */
export const twinOf = ({ ledger }: Composed, row: Upload): Upload | null =>
  row.state.kind === 'skipped' && row.sameAsId !== null ? ledger.uploads.byId(row.sameAsId) : null;

export const notFound = (): AppError =>
  new AppError(
    'not-found',
    'No such file has a link that this machine knows.',
    'find_links searches; upload_files makes a link.',
  );

export const knownUpload = async ({ client, ledger }: Composed, path: string): Promise<Upload | null> => {
  const { upload } = await client.call('file.why', { path });
  return upload === null ? null : ledger.uploads.byId(upload.id);
};

/** True for a file in the roots, for a text of an agent, and for a zip of files that are all in the roots. */
export const mayHear = (
  { ledger, spool }: Composed,
  roots: Roots,
  { id, dir, name, door }: Upload,
): boolean => {
  if (roots.covers(joinPath(dir, name))) return true;
  const inside = ledger.bundled.pathsIn(id);
  if (inside.length === 0) return door === 'agent' && !ledger.bundled.has(id) && spool.holds(dir);
  return inside.every((path) => roots.covers(path));
};

const rowOf = ({ ledger }: Composed, row: Upload, publicLink: string): Linked => ({
  key: String(row.id),
  uploadId: row.id,
  fileId: idNow(ledger, row),
  name: row.name,
  size: row.stamp?.sizeBytes ?? null,
  sizeIsBytes: true,
  uploadedAtMs: row.uploadedAtMs,
  uploadDate: null,
  downloads: null,
  publicLink,
  sha256: row.sha256,
  path: joinPath(row.dir, row.name),
  place: 'this-machine',
  superseded: false,
  linkState: null,
  isFollowed: false,
  wrong: null,
  expiresAtMs: row.ends?.atMs ?? null,
});

type Linked = FileRow & { publicLink: string };
type Asked = { search: string; limit: number; after: string | null; order: Order };
type Order = { sort: 'uploaded' | 'match'; descending: boolean };
export const newestFirst: Order = { sort: 'uploaded', descending: true };
export const bestFirst: Order = { sort: 'match', descending: false };

/** Links of this machine that the agent may know of, in this order. `next`: where the next page begins. */
export const linksOf = (
  { composed, roots }: ToolCall,
  { search, limit, after, order }: Asked,
  isIt: (row: FileRow) => boolean,
): { found: Linked[]; next: string | null } => {
  const { ledger } = composed;
  const found: Linked[] = [];
  let next = after;
  for (let looked = 0; found.length < limit && looked < mostNamed;) {
    const left = limit - found.length;
    const query = { search, place: 'ours', ...order, after: next } as const;
    const page = ledger.views.page({ ...query, limit: left });
    for (const row of page.rows) {
      const { publicLink, uploadId } = row;
      const own = uploadId === null ? null : ledger.uploads.byId(uploadId);
      if (publicLink === null || own === null || isTakenBack(own.state)) continue;
      if (isIt(row) && mayHear(composed, roots, own)) found.push({ ...row, publicLink });
    }
    looked += page.rows.length;
    next = page.next;
    if (next === null) break;
  }
  return { found, next };
};
