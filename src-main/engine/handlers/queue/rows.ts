// Rows that wait for a person, and how a person's answer changes one.
import type { Alike } from '../../../contract/commands.ts';
import { AppError } from '../../../contract/errors.ts';
import { holdRow, isLookedFor, skipRow, type SkipRule, type UploadState } from '../../../contract/model.ts';
import { queueIdText } from '../../../contract/text/named-file.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Upload } from '../../ports/uploads.ts';
import { judgeByHand } from '../../shared/names/name-rules.ts';
import { joinPath } from '../../shared/paths.ts';
import { namedFile } from '../../shared/sent-name.ts';
import type { UploadEvent } from '../../state/events.ts';
import { rowsById, type Kit } from '../kit.ts';

export const heldShown = 100_000;

type Held = Extract<UploadState, { kind: 'held' }>;

export const uncertainRows = ({ uploads }: Ports['ledger'], areLookedFor: boolean): Upload[] =>
  uploads.inState('uncertain', heldShown).filter(({ state }) => isLookedFor(state) === areLookedFor);

export const heldRows = (ledger: Ports['ledger'], limit: number): Upload[] =>
  [...ledger.uploads.inState('held', limit), ...uncertainRows(ledger, false)].slice(0, limit);

/** Skipped files of an earlier folder are no longer of interest; what is held or failed still needs the user. */
const currentFolders = ({ discovery }: Pick<Kit, 'discovery'>): (number | null)[] => [
  ...discovery.choice.chosen().flatMap(({ row }) => row?.id ?? []),
  null,
];
export const foldersOf = (kit: Kit, kind: Alike['kind']): (number | null)[] | undefined =>
  kind === 'skipped' ? currentFolders(kit) : undefined;

export const skippedRows = (kit: Kit, limit: number): Upload[] =>
  currentFolders(kit)
    .flatMap((folderId) => kit.ports.ledger.views.inBucket('skipped', folderId, limit))
    .sort((one, other) => other.id - one.id)
    .slice(0, limit);

export const chosenRows = (kit: Kit, of: { ids: readonly number[] } | { alike: Alike }): Upload[] =>
  rowsById(
    kit,
    'ids' in of ? of.ids : kit.ports.ledger.views.idsAlike(of.alike, foldersOf(kit, of.alike.kind)),
  );

export const changedMeanwhile = ({ id }: Upload): AppError =>
  new AppError('bad-use', `Upload ${queueIdText(id)} has changed in the meantime.`, 'Look at it again.');

/** Throws when something else has happened to the row meanwhile. */
export const change = ({ rows }: Pick<Kit, 'rows'>, row: Upload, event: UploadEvent): Upload => {
  const now = rows.apply(row.id, event);
  if (now === 'stale') throw changedMeanwhile(row);
  return now;
};

/**
 * A confirmation asks for another link only if the file was skipped because its content has, or had, one. Confirming
 * a name or a burst asks for none.
 */
export const confirmedNow = ({
  state,
  wantsAnother,
}: Upload): Pick<Upload, 'confirmed' | 'wantsAnother'> => ({
  confirmed: true,
  wantsAnother: wantsAnother || (state.kind === 'skipped' && skipRow(state.rule).hadLink === true),
});

/** Another reason kept the file back, so no person has seen that its name looks like a secret. */
export const isUntoldSecret = (
  { ledger, settings }: Pick<Ports, 'ledger' | 'settings'>,
  { state, dir, name, sha256 }: Upload,
): boolean => {
  if (!hidesSecret(state)) return false;
  const isSecret = judgeByHand(settings.current(), namedFile(joinPath(dir, name))).kind === 'secret';
  return isSecret && (sha256 === null || !ledger.decisions.has(sha256, 'secret-name'));
};

/** Neither a person nor the service has had this file before, and its reason does not name the secret. */
const hidesSecret = (state: UploadState): boolean => {
  if (state.kind === 'skipped') return skipRow(state.rule).hadLink !== true;
  if (state.kind !== 'held') return false;
  const { secret, wasUnderWay } = holdRow(state.reason);
  return secret !== true && wasUnderWay !== true;
};

/** If more files than this are left out, the content of the others is not read: it would take hours. */
const mostUnread = 10_000;
/** Their contents are still to be read, by the process that runs the engine. In a transaction. */
export const readLater = (
  { ledger, clock }: Pick<Ports, 'ledger' | 'clock'>,
  rows: readonly Upload[],
): void => {
  const unread = rows.filter(({ sha256, present }) => sha256 === null && present).map(({ id }) => id);
  if (unread.length === 0) return;
  const earlier = ledger.facts.get('left-out-unread')?.value ?? [];
  if (earlier === 'all') return;
  ledger.facts.set('left-out-unread', [...earlier, ...unread].slice(-mostUnread), clock.wallMs());
};

/** Entries of one upload that are looked through. */
const mostEntries = 100;
/** A cancel is no yes: this question was open then. Null: none was. */
export const openQuestion = ({ entries }: Ports['ledger'], { id, state }: Upload): Held | null => {
  if (state.kind !== 'skipped' || !isByCancel(state.rule)) return null;
  const last = entries.ofUpload(id, mostEntries).findLast(({ body }) => {
    return (
      !(body.kind === 'skipped' && isByCancel(body.rule)) && body.kind !== 'moved' && body.kind !== 'gone'
    );
  });
  // A lost answer is no question whether it may go.
  if (last?.body.kind !== 'held' || holdRow(last.body.reason).wasUnderWay === true) return null;
  return last.body;
};

/** A pre-existing file becomes one again. */
const isByCancel = (rule: SkipRule): boolean => rule === 'cancelled' || rule === 'existing';

/** A person who wants such a file is asked first whether it may become public. In a transaction. */
export const ask = (
  kit: Pick<Kit, 'rows' | 'ports'>,
  row: Upload,
  state: Held = { kind: 'held', reason: 'secret-name' },
): Upload => {
  const { wantsAnother } = row;
  const now = change(kit, row, { kind: 'put-back', state, confirmed: false, wantsAnother, attempts: 0 });
  readLater(kit.ports, [row]);
  return now;
};

/** The state to which an upload that was left out returns. Another version of a failed file has not failed. */
export const putBack = (
  { state }: Upload,
  isSameVersion: boolean,
): Extract<UploadEvent, { kind: 'put-back' }>['state'] => {
  switch (state.kind) {
    case 'held':
    case 'uncertain':
    case 'skipped':
      return state;
    case 'failed':
      return isSameVersion ? state : { kind: 'settling' };
    default:
      return { kind: 'settling' };
  }
};
