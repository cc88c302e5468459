// Proof by content: reads the public link of each candidate and checks whether it serves exactly the sent bytes. Name
// and size alone are not enough: with them the engine adopted files of other people.
import { toAppError } from '../../contract/errors.ts';
import type { RemoteFile } from '../../contract/model.ts';
import type { Ask } from '../limiter/ask.ts';
import { concernsAll } from '../account/forbidden.ts';
import { hasSizeOf, type Evidence, type LostUpload } from './reconcile-rules.ts';
import type { Ports } from '../ports/ports.ts';

/** How many candidates with another name are compared: more if the file is small. Beyond that it is undecided. */
const othersOf = (sizeBytes: number): number =>
  Math.max(8, Math.min(50, Math.floor((64 * 1024 ** 2) / Math.max(1, sizeBytes))));

/** `digest` null: the content could not be read, or has another size. `isRead`: another read gives nothing new. */
type Read = { file: RemoteFile; digest: string | null; isRead: boolean };
/** What candidates serve, by id and expected size. */
export type Readings = Map<string, Read>;

const keyOf = (file: RemoteFile, sizeBytes: number): string =>
  `${file.file_id ?? file.public_link ?? ''} ${sizeBytes}`;

/** Whether the content of this candidate is known, or is known to be longer. */
export const wasRead = (known: Readings, file: RemoteFile, sizeBytes: number): boolean =>
  known.get(keyOf(file, sizeBytes))?.isRead === true;

/**
 * `sha256` null: what was sent is not known. `among`: candidates with the sent name, or those under another one.
 * Throws what closes everything, trouble of the service, and `aborted`: a look that was stopped decides nothing.
 */
export type VerifyContent = (
  lost: LostUpload,
  sha256: string | null,
  candidates: readonly RemoteFile[],
  among: 'namesakes' | 'others',
) => Promise<Evidence>;

/** A candidate of several uploads is read once. `known` keeps the result beyond this pass. */
export const createVerifyContent = (
  { api, ledger }: Pick<Ports, 'api' | 'ledger'>,
  ask: Ask,
  signal: AbortSignal,
  known: Readings = new Map(),
): VerifyContent => {
  /** A list may leave links out. */
  const complete = async (file: RemoteFile): Promise<RemoteFile> => {
    const { file_id: fileId } = file;
    if (fileId === undefined) return file;
    return {
      ...file,
      ...(await ask('background', signal, (stop) => api.info(fileId, stop)).catch((caught: unknown) => {
        const error = toAppError(caught);
        // One request is enough to notice an outage. Then the other candidates are not asked for.
        if (concernsAll(error) || error.code === 'aborted') throw error;
        return {};
      })),
    };
  };

  const read = async (candidate: RemoteFile, sizeBytes: number): Promise<Read> => {
    const file = candidate.public_link === undefined ? await complete(candidate) : candidate;
    if (file.public_link === undefined) return { file, digest: null, isRead: false };
    try {
      const digest = await api.digestOfLink(file.public_link, sizeBytes, signal);
      if (digest !== null && file.file_id !== undefined) ledger.remote.readByUs(file.file_id);
      return { file, digest, isRead: true };
    } catch (error) {
      // A stop decides nothing about the candidate.
      if (signal.aborted) throw error;
      return { file, digest: null, isRead: false };
    }
  };
  const readOnce = async (candidate: RemoteFile, sizeBytes: number): Promise<Read> => {
    const key = keyOf(candidate, sizeBytes);
    const result = known.get(key) ?? (await read(candidate, sizeBytes));
    known.set(key, result);
    return result;
  };

  return async ({ sentName, sizeBytes }, sha256, candidates, among) => {
    const isNamesake = (file: RemoteFile): boolean =>
      file.filename === undefined || file.filename === sentName;
    const asked = candidates.filter((file) => isNamesake(file) === (among === 'namesakes'));
    const compared = among === 'namesakes' ? asked : asked.slice(0, othersOf(sizeBytes));
    let undecided = compared.length < asked.length;
    for (const candidate of compared) {
      const { file, digest, isRead } = await readOnce(candidate, sizeBytes);
      if (digest !== null && digest === sha256) return { kind: 'proved', file };
      // A size that fits in no unit counts once the content was read and is another one, too.
      const isOther = isRead && !hasSizeOf({ sizeBytes }, file);
      if (!isOther && (digest === null || sha256 === null)) undecided = true;
    }
    return undecided ? { kind: 'undecided' } : { kind: 'absent' };
  };
};
