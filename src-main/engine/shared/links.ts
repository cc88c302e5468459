// What answers about our uploads mean: whose an id is, the form of a link, a dead link, and the size.
import type { FileId } from '../../contract/text/file-id.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { Upload } from '../ports/uploads.ts';

/** An id names the file of an upload only in its own account, and until another file gets it. Null: it does not. */
export const idNow = (
  { accounts }: Pick<Ledger, 'accounts'>,
  { fileId, accountId, idTakenAtMs }: Pick<Upload, 'fileId' | 'accountId' | 'idTakenAtMs'>,
): FileId | null => (accountId === accounts.present() && idTakenAtMs === null ? fileId : null);

const maxLength = 2048;

/** An absolute http(s) address without user-info, controls or blanks. The adapter decides which hosts may be opened. */
export const isLinkShaped = (link: string): boolean => {
  if (link.length > maxLength || /[\s\p{Cc}\p{Bidi_Control}\\]/u.test(link) || !URL.canParse(link))
    return false;
  // An http address without a host cannot be parsed.
  const { protocol, username, password } = new URL(link);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
};

/** Whether a public link was answered with "not here". Any other failure proves nothing. */
export const isGoneAnswer = ({ status }: { status?: number | undefined }): boolean =>
  status === 404 || status === 410;

/** Bytes per unit of the service's `size`, which its specification leaves open (service.md §2). */
export const sizeUnits = [1, 1000, 1024, 1_000_000, 1_048_576] as const;
export type SizeUnit = (typeof sizeUnits)[number];

/** Whether the service's `size` can mean `sizeBytes` in any unit: a service may change the one that was learned. */
export const isConsistentSize = (sizeBytes: number, size: number): boolean =>
  sizeUnits.some((unit) => fits(sizeBytes, size, unit));

/** The only unit that explains the number. Null when several units or none do; for small files several do. */
export const learnUnit = (sizeBytes: number, size: number): SizeUnit | null => {
  const [first, second] = sizeUnits.filter((unit) => fits(sizeBytes, size, unit));
  return first !== undefined && second === undefined ? first : null;
};

/** It is not known whether the service rounds up, down or to the nearest. Bytes are whole, so they must be equal. */
const fits = (sizeBytes: number, size: number, unit: SizeUnit): boolean =>
  Math.abs(size - sizeBytes / unit) < 1;
