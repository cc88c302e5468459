// The outcome of an upload: what the service answered, in row, remote file and entry.
import { AppError } from '../../contract/errors.ts';
import type { UploadReceipt } from '../../contract/model.ts';
import type { LinkLife, Upload } from '../ports/uploads.ts';
import type { Ports } from '../ports/ports.ts';
import type { Rows } from './rows.ts';

/**
 * Records it; it never changes after that. `atMs`: when its tail left, the first moment at which it may be public. Inside
 * the caller's transaction. Throws `internal`.
 */
export const storeReceipt = (
  to: { ledger: Pick<Ports['ledger'], 'remote'>; rows: Rows },
  upload: Upload,
  receipt: UploadReceipt,
  {
    seenAtMs,
    ...sent
  }: {
    sha256: string;
    sentName: string;
    atMs: number;
    seenAtMs: number;
    life: LinkLife;
    wasThere?: boolean;
  },
): Upload => {
  const stored = to.rows.apply(upload.id, { kind: 'uploaded', receipt, ...sent });
  if (stored === 'stale') {
    throw new AppError(
      'internal',
      `Upload ${upload.id} cannot get a link in its state.`,
      'Please report it.',
    );
  }
  // This comes last. Before the row has its file id, Files would list the file as one of another machine.
  to.ledger.remote.saw(stored.accountId, [receipt], seenAtMs);
  return stored;
};
