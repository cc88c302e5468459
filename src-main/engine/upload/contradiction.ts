// Finds out why a well-formed answer cannot be about this upload (upload-protocol.md, "What each fault means"): it has
// the id of a known file, the name of another upload, or an impossible size or link. Then the upload is uncertain and
// not done, because the answer may describe a file of another user.
import { plain } from '../shared/sent-name.ts';
import type { UploadReceipt } from '../../contract/model.ts';
import { isConsistentSize, isLinkShaped } from '../shared/links.ts';
import type { Attempt, Ledger } from '../ports/ledger.ts';

/** At most this many uploads without an answer are compared, for each state. */
const mostUnresolved = 1000;

/** The reason as a sentence, or null. */
export const contradictionOf = (
  ledger: Pick<Ledger, 'attempts' | 'remote' | 'uploads'>,
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
  if (!isConsistentSize(attempt.sizeBytes, receipt.size)) {
    return 'The service answered with the size of another file.';
  }
  return null;
};

/**
 * Whether this is the name of another upload: of one on its way or without an answer, or exactly that of one with a
 * link. A different name alone is no contradiction, because the service may change names.
 */
const isNamedAfterAnother = (
  { attempts, uploads }: Pick<Ledger, 'attempts' | 'uploads'>,
  { uploadId, sentName }: Attempt,
  filename: string,
): boolean => {
  if (filename === sentName) return false;
  // A service that changes names gives every version of a file the same one.
  if (uploads.isNamed(filename, { id: uploadId, sentName })) return true;
  const isOwn = isFormOf(filename, sentName);
  const others = [
    ...attempts.open().filter((other) => other.uploadId !== uploadId),
    ...uploads.inState('uncertain', mostUnresolved),
    ...uploads.inState('held', mostUnresolved),
  ];
  return others.some(({ sentName: name }) => name === filename || (!isOwn && isFormOf(filename, name ?? '')));
};

/** What services add to a name: a number or token before it, or a number behind it or before its ending. */
const additions = [/^\p{L}*\d[\p{L}\p{N}]*[^\p{L}\p{N}]+/u, /[ _.-]*[ _.(-]\d{1,6}\)?(?=\.[^.]*$|$)/];

/** Whether this is the name as services change it: case, blanks, signs, one addition. */
const isFormOf = (given: string, name: string): boolean => {
  const wanted = plain(name);
  if (wanted === '') return false;
  return [given, ...additions.map((one) => given.replace(one, ''))].some((form) => plain(form) === wanted);
};
