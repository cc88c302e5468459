// Why a well-formed answer cannot be about this upload (upload-protocol.md, "What each fault means"): it has the id of
// something known, the name of another upload, or a size or link that cannot be. Then the upload is uncertain, not
// done: what it is said to be could be somebody else's file.
import { plain } from '../shared/sent-name.ts';
import type { UploadReceipt } from '../../contract/model.ts';
import { isConsistentSize, isLinkShaped, type SizeUnit } from '../shared/links.ts';
import type { Attempt, Ledger } from '../ports.ts';

/** Uploads whose answer was lost that an answer is compared with. */
const mostUnresolved = 1000;

/** A sentence, or null. */
export const contradictionOf = (
  ledger: Pick<Ledger, 'attempts' | 'remote' | 'uploads'>,
  unit: SizeUnit | null,
  attempt: Attempt,
  receipt: UploadReceipt,
): string | null => {
  const owner = ledger.uploads.byFileId(receipt.file_id);
  if (owner !== null && owner.id !== attempt.uploadId)
    return 'The service answered with the id of another upload.';
  if (isNamedAfterAnother(ledger, attempt, receipt.filename))
    return 'The service answered with the name of another upload.';
  const seen = ledger.remote.byId(receipt.file_id);
  if (seen !== null && !seen.gone && seen.firstSeenAtMs < attempt.startedAtMs) {
    return 'The service answered with the id of a file it already had.';
  }
  if (!isLinkShaped(receipt.public_link)) return 'The service answered with a link that is none.';
  if (!isConsistentSize(attempt.sizeBytes, receipt.size, unit)) {
    return 'The service answered with the size of another file.';
  }
  return null;
};

/** Of one that is under way, or whose answer was lost: whatever the service makes of names, it shows. */
const isNamedAfterAnother = (
  { attempts, uploads }: Pick<Ledger, 'attempts' | 'uploads'>,
  { uploadId, sentName }: Attempt,
  filename: string,
): boolean => {
  if (filename === sentName) return false;
  const given = plain(filename);
  const own = plain(sentName);
  const least = given.includes(own) ? own.length : 0;
  const others = [
    ...attempts.open().filter((other) => other.uploadId !== uploadId),
    ...uploads.inState('uncertain', mostUnresolved),
    ...uploads.inState('held', mostUnresolved),
  ];
  return others.some((other) => {
    const name = plain(other.sentName ?? '');
    return name.length > least && name !== own && given.includes(name);
  });
};
