// Whether the content of a settled file is already shared: then its link is offered and no request is spent.
// Reading is local and cheap beside a request, but only worth it when a file of that size was uploaded before.
import { digest, isHeldUncertain, sharedWith } from '../shared/same-content.ts';
import { joinPath } from '../shared/paths.ts';
import type { Ports, Upload } from '../ports.ts';

export type Compared =
  /** No link has this content. `sha256`: when it was read. `supersedesId`: the earlier version at this path. */
  | { kind: 'new'; sha256: string | null; supersedesId: number | null }
  /** Another upload has this content, and a link of its own is wanted. */
  | { kind: 'another'; sha256: string }
  /** It is the file of another row: moved here, or only touched. */
  | { kind: 'same-file'; twin: Upload; isMoved: boolean }
  /** Another upload has this content; its link is offered. */
  | { kind: 'shared'; sha256: string; sameAsId: number }
  | { kind: 'changed' };

/** As many as are looked for at once. */
const mostUncertain = 1000;

export const compareContent = async (
  ports: Pick<Ports, 'files' | 'ledger'>,
  row: Upload,
  root: string | null,
  signal: AbortSignal,
): Promise<Compared> => {
  const { files, ledger } = ports;
  const unknown = (sha256: string | null): Compared => ({
    kind: 'new',
    sha256,
    supersedesId: earlierVersion(ledger, row),
  });
  if (row.stamp === null || !ledger.uploads.knowsSize(row.stamp.sizeBytes)) return unknown(null);
  const path = joinPath(row.dir, row.name);
  const sha256 = row.sha256 ?? (await digest(ports, path, root, row.stamp.key, signal));
  if (sha256 === null) return { kind: 'changed' };
  const twins = sharedWith(ledger, row.id, sha256);
  // Perhaps public already: a new name, or a new time, must not send it again.
  const open = [
    // One that is being looked for takes its own path back; under another name the file waits for what becomes of it.
    ...ledger.uploads
      .inState('uncertain', mostUncertain)
      .filter((one) => one.sha256 === sha256 && joinPath(one.dir, one.name) === path),
    ...ledger.uploads.heldBySha(sha256).filter(({ state }) => isHeldUncertain(state)),
  ].filter(({ id }) => id !== row.id);
  for (const twin of [...twins, ...open]) {
    const from = joinPath(twin.dir, twin.name);
    // Only touched, or given by hand before its folder was watched: the same file, the same link; unless another one
    // is wanted.
    const isTouched = from === path;
    // Wherever it went, it keeps its link then; one that is in doubt has none yet.
    if (row.wantsAnother && (isTouched || twin.state.kind === 'uploaded')) continue;
    // Another file may lie at its path by now.
    const hasLeft = !twin.present || (await files.look(from).catch(() => undefined)) === null;
    const isLeft = !isTouched && hasLeft;
    if (!isTouched && !isLeft) continue;
    return { kind: 'same-file', twin, isMoved: isLeft };
  }
  const shared = twins[0];
  if (shared === undefined) return unknown(sha256);
  // What was held for its name, or came in a burst, was confirmed to be shared: it is.
  if (row.wantsAnother) return { kind: 'another', sha256 };
  return { kind: 'shared', sha256, sameAsId: shared.id };
};

/**
 * The uploaded version that this one replaces at its path; it keeps its link. A file that shared the link of another
 * one replaces nothing: the other one is still what it was.
 */
const earlierVersion = (ledger: Pick<Ports['ledger'], 'uploads'>, row: Upload): number | null => {
  const earlier = row.sameAsId === null ? null : ledger.uploads.byId(row.sameAsId);
  const wasHere = earlier?.present === false && earlier.dir === row.dir && earlier.name === row.name;
  return wasHere && earlier.state.kind === 'uploaded' && !isElsewhere(ledger, earlier) ? earlier.id : null;
};

/** The file has not been replaced but was moved to where nothing is uploaded from: it may come back with its link. */
const isElsewhere = ({ uploads }: Pick<Ports['ledger'], 'uploads'>, { id, stamp }: Upload): boolean =>
  stamp !== null &&
  uploads
    .presentByInode(stamp.inode)
    .some(
      (one) =>
        one.id !== id && one.stamp?.sizeBytes === stamp.sizeBytes && one.stamp.mtimeMs === stamp.mtimeMs,
    );
