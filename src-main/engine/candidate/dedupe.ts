// Finds out whether the content of a settled file is already shared. If it is, its link is offered and no request is
// spent. Reading a file is cheap compared with a request, but it helps only if a file of that size was uploaded before.
import { digest, isHeldUncertain, offeredTo, sharedWith, takenBackWith } from '../shared/same-content.ts';
import { takenBackRule } from '../../contract/model.ts';
import { rootOf, whyUnproven } from '../shared/folder.ts';
import { joinPath } from '../shared/paths.ts';
import type { Ports } from '../ports/ports.ts';
import type { Upload } from '../ports/uploads.ts';

export type Compared =
  /** No link has this content. `sha256`: null if not read. `supersedesId`: the earlier version at this path. */
  | { kind: 'new'; sha256: string | null; supersedesId: number | null }
  /** Another upload has this content, and a link of its own is wanted. */
  | { kind: 'another'; sha256: string }
  /** It is the file of another row. It was moved here, or only its time changed. */
  | { kind: 'same-file'; twin: Upload; isMoved: boolean }
  /** Another upload has this content; its link is offered. */
  | { kind: 'shared'; sha256: string; sameAsId: number }
  /** A link to this content was taken back. */
  | { kind: 'recalled'; sha256: string; sameAsId: number; rule: 'recalled' | 'expired' }
  | { kind: 'changed' };

export const compareContent = async (
  ports: Pick<Ports, 'files' | 'ledger'>,
  row: Upload,
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
  const sha256 = row.sha256 ?? (await digest(ports, path, rootOf(ledger, row), row.stamp.key, signal));
  if (sha256 === null) return { kind: 'changed' };
  const twins = sharedWith(ledger, row.id, sha256);
  // This content may already be public. A new name or a new time must not send it again.
  const open = [
    // An uncertain upload keeps its own path. Under another name the file waits until that upload is decided.
    ...ledger.uploads.bySha('uncertain', sha256).filter((one) => joinPath(one.dir, one.name) === path),
    ...ledger.uploads.bySha('held', sha256).filter(({ state }) => isHeldUncertain(state)),
  ];
  const isHere = ({ accountId }: Upload): boolean => accountId === ledger.accounts.present();
  // A file of a folder that was only touched or moved since it went to another account goes to this one only if a person
  // asks for it.
  const elsewhere = ledger.uploads.bySha('uploaded', sha256).filter((one) => !isHere(one));
  const others = [...open, ...elsewhere].filter(
    (one) =>
      one.id !== row.id &&
      one.sha256 === sha256 &&
      (isHere(one) || (row.door === 'folder' && !row.confirmed)),
  );
  for (const twin of [...twins, ...others]) {
    const from = joinPath(twin.dir, twin.name);
    // It was only touched, or it was given by hand before its folder was watched. It is the same file and keeps its
    // link, unless the user wants another link.
    const isTouched = from === path;
    // The twin then keeps its link, wherever its file is. An uncertain twin has no link yet.
    if (row.wantsAnother && (isTouched || twin.state.kind === 'uploaded')) continue;
    if (await mayBeOnOtherDrive(ports, row, twin)) continue;
    // Another file may be at its path now.
    const hasLeft = !twin.present || (await files.look(from).catch(() => undefined)) === null;
    const isLeft = !isTouched && hasLeft;
    if (!isTouched && !isLeft) continue;
    return { kind: 'same-file', twin, isMoved: isLeft };
  }
  const [shared] = offeredTo(row, twins);
  const recalled = shared === undefined ? takenBackWith(ledger, row, sha256) : null;
  if (recalled !== null)
    return { kind: 'recalled', sha256, sameAsId: recalled.id, rule: takenBackRule(recalled.state) };
  if (shared === undefined) return unknown(sha256);
  // Only a wish for another link sends it again. A file that the user confirmed for its name or its burst is shared
  // already.
  if (row.wantsAnother) return { kind: 'another', sha256 };
  return { kind: 'shared', sha256, sameAsId: shared.id };
};

/**
 * A file given by path lies on the drive that is there now, which may not be the folder's drive. Then the row of a file
 * of the folder must not take its path and stamp, or the other drive would pass for the folder. Its link is offered.
 */
const mayBeOnOtherDrive = async (
  ports: Pick<Ports, 'files' | 'ledger'>,
  row: Upload,
  twin: Upload,
): Promise<boolean> => {
  const isOfFolder = row.door !== 'folder' && twin.door === 'folder' && twin.folderId === row.folderId;
  const folder = isOfFolder && row.folderId !== null ? ports.ledger.folders.byId(row.folderId) : null;
  // An uncertain upload may be public already, so its content is not sent again.
  if (folder === null || twin.state.kind !== 'uploaded') return false;
  return (await whyUnproven(ports, folder)) !== null;
};

/**
 * The uploaded version that this file replaces at its path. That version keeps its link. A file that shared the link
 * of another file replaces nothing, because the other file has not changed.
 */
const earlierVersion = (ledger: Pick<Ports['ledger'], 'uploads'>, row: Upload): number | null => {
  const earlier = row.sameAsId === null ? null : ledger.uploads.byId(row.sameAsId);
  const wasHere = earlier?.present === false && earlier.dir === row.dir && earlier.name === row.name;
  return wasHere && earlier.state.kind === 'uploaded' && !isElsewhere(ledger, earlier) ? earlier.id : null;
};

/** The earlier file was not replaced. It was moved to a path that is not uploaded, and may come back with its link. */
const isElsewhere = ({ uploads }: Pick<Ports['ledger'], 'uploads'>, { id, stamp }: Upload): boolean =>
  stamp !== null &&
  uploads
    .presentByInode(stamp.inode)
    .some(
      (one) =>
        one.id !== id && one.stamp?.sizeBytes === stamp.sizeBytes && one.stamp.mtimeMs === stamp.mtimeMs,
    );
