// Reads a public link, without the key, and compares what it serves with what was sent. It changes no row and spends no
// request of the budget: a public link is no endpoint of the API.
import type { FileId } from '../../../contract/text/file-id.ts';
import type { LinkLook } from '../../../contract/files/taken-back.ts';
import type { VerifyReason } from '../../../contract/model.ts';
import { toAppError, type AppError } from '../../../contract/errors.ts';
import type { Ports } from '../../ports/ports.ts';
import { isGoneAnswer } from '../../shared/links.ts';

/** `sha256` and `sizeBytes` null: not known. `fileId` null: our read is not subtracted from its downloads. */
export type Promised = {
  publicLink: string;
  fileId: FileId | null;
  sha256: string | null;
  sizeBytes: number | null;
};

/** `unreachable`: nothing is known, also for a redirect to another host, which is never followed. */
export type LinkSight = 'right' | Exclude<VerifyReason, 'unknown-content'>;

/** What was seen, and what answered. Throws `aborted`, and faults that do not concern the link: no key or address. */
const readLink = async (
  { api, ledger }: Pick<Ports, 'api' | 'ledger'>,
  { publicLink, fileId, sha256, sizeBytes }: Promised,
  signal: AbortSignal,
): Promise<{ sight: LinkSight; look: LinkLook }> => {
  try {
    const digest = await api.digestOfLink(publicLink, sizeBytes ?? 0, signal);
    // Null: the number of bytes is another one.
    if (digest !== null && fileId !== null) ledger.remote.readByUs(fileId);
    return digest !== null && digest === sha256
      ? { sight: 'right', look: { answer: 'file' } }
      : { sight: 'differs', look: { answer: 'other-bytes' } };
  } catch (caught) {
    const error = toAppError(caught);
    if (signal.aborted || aboutUs.has(error.code)) throw error;
    return { sight: isGoneAnswer(error) ? 'gone' : 'unreachable', look: lookOf(error) };
  }
};

/** Only an answer has a status. */
export const lookOf = ({ status, message }: AppError): LinkLook =>
  status === undefined ? { noAnswer: message } : { answer: status };

/** Null: the link serves exactly this. Throws as `readLink`. */
export const proveLink = async (
  ports: Pick<Ports, 'api' | 'ledger'>,
  promised: Promised,
  signal: AbortSignal,
): Promise<VerifyReason | null> => {
  if (isUnknown(promised)) return 'unknown-content';
  const { sight } = await readLink(ports, promised, signal);
  return sight === 'right' ? null : sight;
};

/**
 * Whether the link of a file is dead. It must be read after the service showed that the id does not lead to the file.
 * Other bytes prove it only where the link once served what was sent: a page with a button shows other bytes all along.
 */
export const isLinkDead = async (
  ports: Pick<Ports, 'api' | 'ledger'>,
  promised: Promised & { wasServed: boolean },
  signal: AbortSignal,
): Promise<{ isDead: boolean; isServed: boolean; look: LinkLook }> => {
  const { sight, look } = await readLink(ports, promised, signal);
  const isOther = sight === 'differs' && promised.wasServed && !isUnknown(promised);
  return { isDead: sight === 'gone' || isOther, isServed: sight === 'right', look };
};

const isUnknown = ({ sha256, sizeBytes }: Promised): boolean =>
  sha256 === null || sha256 === '' || sizeBytes === null;

const aboutUs: ReadonlySet<string> = new Set([
  'aborted',
  'not-configured',
  'bad-setting',
  'key-missing',
  'unknown-key',
  'keychain-locked',
  'keychain-unavailable',
  'ledger',
  'disk',
  'internal',
]);
