// Which uploads have the same content, and the hash of a file. For every stage that compares before it sends.
import { toAppError, type ErrorCode } from '../../contract/errors.ts';
import type { LinkedFile } from '../../contract/text/link-text.ts';
import { isTakenBack, statesWith, type UploadState } from '../../contract/model.ts';
import type { Ports } from '../ports/ports.ts';
import type { Upload } from '../ports/uploads.ts';

/** Other uploads with this content whose links still exist, newest first. */
export const sharedWith = (
  ledger: Pick<Ports['ledger'], 'uploads' | 'remote'>,
  id: number,
  sha256: string,
): Upload[] =>
  ledger.uploads
    .uploadedBySha(sha256)
    .filter((twin) => twin.id !== id && twin.fileId !== null && !ledger.remote.isGone(twin.fileId));

/** The twins whose link may stand for this file. A file that goes without its location needs a link without it, too. */
export const offeredTo = (row: Pick<Upload, 'sent'>, twins: readonly Upload[]): Upload[] =>
  twins.filter((twin) => row.sent === null || twin.sent !== null);

/** What is on the service, or goes there: the file, or its copy without location. `sha256` null: not known. */
export const sentContent = ({ sent, sha256, stamp }: Pick<Upload, 'sent' | 'sha256' | 'stamp'>) =>
  sent ?? { sha256, sizeBytes: stamp?.sizeBytes ?? 0 };

/** Whether a row that was picked still waits for its turn, with the same bytes: it may have settled again meanwhile. */
export const goesAsPicked = (now: Upload | null, picked: Upload): now is Upload =>
  now?.state.kind === 'ready' &&
  now.stamp?.key === picked.stamp?.key &&
  now.sent?.sha256 === picked.sent?.sha256;

/** Null: neither sent nor read yet. */
export const sentBytes = (row: Pick<Upload, 'sent' | 'sha256' | 'stamp'>): number | null =>
  row.sent?.sizeBytes ?? row.stamp?.sizeBytes ?? null;

/** What a formatted link shows of its upload. Size and SHA-256 are those of the content that the link serves. */
export const linkedFile = (name: string, row: Upload, link: string): LinkedFile => ({
  name,
  link,
  sizeBytes: sentBytes(row),
  sha256: sentContent(row).sha256,
  uploadedAtMs: row.uploadedAtMs,
});

/**
 * Whether a held uncertain upload has the same content and its file is gone. Then the file was probably moved, and the
 * rows are merged. At the same path a person may have asked for another upload.
 */
export const isHeldElsewhere = (
  ledger: Pick<Ports['ledger'], 'uploads'>,
  row: Upload,
  sha256: string,
): boolean =>
  ledger.uploads
    .bySha('held', sha256)
    .some(
      ({ id, sha256: own, accountId, state, present, dir, name }) =>
        id !== row.id &&
        own === sha256 &&
        accountId === row.accountId &&
        !present &&
        isHeldUncertain(state) &&
        !(row.wantsAnother && dir === row.dir && name === row.name),
    );

/** Whether another upload of this content to this account waits for its answer, or has lost it. `sha256`: of what is sent. */
export const isUndecidedElsewhere = (
  { uploads }: Pick<Ports['ledger'], 'uploads'>,
  { id, accountId }: Pick<Upload, 'id' | 'accountId'>,
  sha256: string,
): boolean =>
  statesWith({ wasSent: true }).some((kind) =>
    uploads
      .bySha(kind, sha256)
      .some((one) => one.id !== id && one.accountId === accountId && sentContent(one).sha256 === sha256),
  );

/**
 * The upload with this content whose link was taken back. Null: there is none, or a person asks for the file (gave it
 * by path, or wants another link).
 */
export const takenBackWith = (
  ledger: Pick<Ports['ledger'], 'uploads'>,
  row: Upload,
  sha256: string,
): Upload | null =>
  row.wantsAnother || (row.folderId === null && row.door !== 'agent')
    ? null
    : ledger.uploads.recalledBySha(sha256);

/** The link of an upload, or of the one with the same content; null: there is none, or it is or was taken back. */
export const linkOf = (uploads: Pick<Ports['ledger']['uploads'], 'byId'>, row: Upload): string | null =>
  linkedFileOf(uploads, row)?.link ?? null;

/** The same link with all that a formatted link shows, under the name of this row. */
export const linkedFileOf = (
  uploads: Pick<Ports['ledger']['uploads'], 'byId'>,
  row: Upload,
): LinkedFile | null => {
  const isOffered = row.state.kind === 'skipped' && row.state.rule === 'already-shared';
  const linked = isOffered && row.sameAsId !== null ? uploads.byId(row.sameAsId) : row;
  if (linked === null || linked.publicLink === null || isTakenBack(linked.state)) return null;
  return linkedFile(row.name, linked, linked.publicLink);
};

export const isHeldUncertain = (state: UploadState): state is Extract<UploadState, { kind: 'held' }> =>
  state.kind === 'held' && state.reason === 'uncertain';

/** SHA-256 of the file if it is still the version of the stamp; else null. Throws `locked`, `disk`. */
export const digest = async (
  ports: Pick<Ports, 'files'>,
  path: string,
  root: string | null,
  stampKey: string,
  signal: AbortSignal,
): Promise<string | null> => {
  try {
    const open = await ports.files.open(path, root);
    try {
      if (open.stamp.key !== stampKey) return null;
      for await (const _ of open.pieces(signal)) if (signal.aborted) return null;
      return (await open.unchanged()) ? await open.sha256() : null;
    } finally {
      await open.close();
    }
  } catch (error) {
    if (isElsewhere.has(toAppError(error).code)) return null;
    throw error;
  }
};

/** The same; null also when the file cannot be read. */
export const digestOrNull = (...given: Parameters<typeof digest>): Promise<string | null> =>
  digest(...given).catch((error: unknown) => {
    if (isUnread(error)) return null;
    throw error;
  });

/** Errors that mean: the path no longer holds this file, or the read was stopped. */
export const isElsewhere: ReadonlySet<ErrorCode> = new Set([
  'changed',
  'gone',
  'outside',
  'not-a-file',
  'aborted',
]);

/** The file is there, but cannot be read now, or not at all. A fault of the ledger says nothing about the file. */
export const isUnread = (error: unknown): boolean => {
  const { code, storage } = toAppError(error);
  return storage === undefined && ['locked', 'disk'].includes(code);
};
