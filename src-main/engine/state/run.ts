// Which files belong to the present run (contract/catalogue/work.ts). A run begins when a file comes while nothing
// uploads or waits; open questions are carried over.
import { isOpen, partOf } from '../../contract/catalogue/work.ts';
import type { RunTable } from '../ports/ledger.ts';
import type { Upload } from '../ports/uploads.ts';

/** A row has changed, or is new (`before` null). Joins the caller's transaction. */
export const followRun = (run: RunTable, before: Upload | null, { id, state }: Upload): void => {
  const part = partOf(state);
  if (before !== null && partOf(before.state) === part) return;
  if (run.partOf(id) === null) {
    if (!isOpen(part)) return;
    if (!run.isGoing()) run.begin();
  }
  run.put(id, part);
};
