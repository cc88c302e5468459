// Proof by content: whether one of the candidates serves exactly the bytes that were sent, read through its public
// link. Name and size alone have adopted other people's files.
import { toAppError, type ErrorCode } from '../contract/errors.ts';
import type { RemoteFile } from '../contract/model.ts';
import type { Ask } from './ask.ts';
import type { Evidence, Lost } from './look.ts';
import type { Ports } from './ports.ts';

/** Candidates under another name that are compared; with more of them it cannot be told. */
const mostOthers = 8;
/** Refusals that are not about looking: what refuses one request refuses all. */
export const closesEverything: ReadonlySet<ErrorCode> = new Set([
  'key-refused',
  'key-missing',
  'limit',
  'moved',
  'wrong-address',
]);

/**
 * `sha256` null: what was sent is not known. `namesakesOnly`: candidates under another name are left for later.
 * Throws what closes everything.
 */
export type Proof = (
  lost: Lost,
  sha256: string | null,
  candidates: readonly RemoteFile[],
  how: { namesakesOnly: boolean },
) => Promise<Evidence>;

export const createProof = (api: Ports['api'], ask: Ask, signal: AbortSignal): Proof => {
  /** A list may leave links out. */
  const complete = async (file: RemoteFile): Promise<RemoteFile> => {
    const { file_id: fileId } = file;
    if (fileId === undefined) return file;
    return {
      ...file,
      ...(await ask('background', signal, (stop) => api.info(fileId, stop)).catch((caught: unknown) => {
        if (closesEverything.has(toAppError(caught).code)) throw caught;
        return {};
      })),
    };
  };

  return async ({ sentName, sizeBytes }, sha256, candidates, { namesakesOnly }) => {
    const isNamesake = (file: RemoteFile): boolean =>
      file.filename === undefined || file.filename === sentName;
    const others = candidates.filter((file) => !isNamesake(file));
    const compared = [
      ...candidates.filter(isNamesake),
      ...(namesakesOnly ? [] : others.slice(0, mostOthers)),
    ];
    let undecided = compared.length < candidates.length;
    for (const candidate of compared) {
      const file = candidate.public_link === undefined ? await complete(candidate) : candidate;
      const digest =
        file.public_link === undefined
          ? undefined
          : await api.digestOfLink(file.public_link, sizeBytes, signal).catch(() => undefined);
      if (digest === undefined || sha256 === null) undecided = true;
      else if (digest === sha256) return { kind: 'proved', file };
    }
    return undecided ? { kind: 'undecided' } : { kind: 'absent' };
  };
};
