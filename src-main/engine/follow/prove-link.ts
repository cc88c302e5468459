// Reads a public link, without the key, and compares what it serves with what was sent. It changes no row and spends no
// request of the budget: a public link is no endpoint of the API.
import type { FileId } from '../../contract/text/file-id.ts';
import type { VerifyReason } from '../../contract/model.ts';
import { toAppError } from '../../contract/errors.ts';
import type { Ports } from '../ports/ports.ts';
import { isGoneAnswer } from '../shared/links.ts';

/** `sha256` and `sizeBytes` null: not known. `fileId` null: our read is not subtracted from its downloads. */
export type Promised = {
  publicLink: string;
  fileId: FileId | null;
  sha256: string | null;
  sizeBytes: number | null;
};

/**
 * Null: the link serves exactly this. A redirect to another host is never followed. So it is `unreachable`: nothing
 * proves that other bytes lie there. Throws `aborted`, and faults that do not concern the link: no key or address.
 */
export const proveLink = async (
  { api, ledger }: Pick<Ports, 'api' | 'ledger'>,
  { publicLink, fileId, sha256, sizeBytes }: Promised,
  signal: AbortSignal,
): Promise<VerifyReason | null> => {
  if (sha256 === null || sha256 === '' || sizeBytes === null) return 'unknown-content';
  try {
    const digest = await api.digestOfLink(publicLink, sizeBytes, signal);
    // Null: the number of bytes is another one.
    if (digest !== null && fileId !== null) ledger.remote.readByUs(fileId);
    return digest === sha256 ? null : 'differs';
  } catch (caught) {
    const error = toAppError(caught);
    if (signal.aborted || aboutUs.has(error.code)) throw error;
    return isGoneAnswer(error) ? 'gone' : 'unreachable';
  }
};

const aboutUs: ReadonlySet<string> = new Set([
  'aborted',
  'not-configured',
  'bad-setting',
  'key-missing',
  'keychain-locked',
  'keychain-unavailable',
  'ledger',
  'disk',
  'internal',
]);
