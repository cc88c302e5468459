// What a person decides about rows of the queue: yes, no, again, first. Also the undo of the last no.
import { call, see, wording } from '../../../contract/text/wording.ts';
import { queueIdText } from '../../../contract/text/named-file.ts';
import type { Handlers } from '../../../contract/commands.ts';
import { AppError, toAppError } from '../../../contract/errors.ts';
import { fateOf, isUncertain, isUnwanted, mayBeKept, stateRow } from '../../../contract/model.ts';
import { staysConfirmed } from '../../shared/file-version.ts';
import { joinPath } from '../../shared/paths.ts';
import type { Upload } from '../../ports/uploads.ts';
import { keepApprovals, approvalsOf } from '../../candidate/content-decisions.ts';
import { isSkippedByType } from '../../discover/record-file.ts';
import { table } from '../../state/table.ts';
import { rowsById, type Kit } from '../kit.ts';
import {
  ask,
  change,
  changedMeanwhile,
  chosenRows,
  confirmedNow,
  heldShown,
  isUntoldSecret,
  openQuestion,
  putBack,
  readLater,
} from './rows.ts';
import { createUndo } from './undo.ts';

/** A file has a row in its folder, and one for each other way by which it was given. */
const mostTwins = 10;
/** Held for a location that a copy can leave out. */
const hasRemovable = ({ state }: Upload): boolean =>
  state.kind === 'held' && state.reason === 'location' && state.removable === true;

export const decisionHandlers = (kit: Kit) => {
  const { ports } = kit;
  const { ledger } = ports;
  const undo = createUndo();

  const leaveOut = (row: Upload): Upload => change(kit, row, { kind: 'left-out' });

  /** With their twins. */
  const leaveAll = (given: readonly Upload[], isInTime: (row: Upload) => boolean, word: string) => {
    const tooLate = new Set(given.filter((row) => !isInTime(row)));
    const left: Upload[] = [];
    const leave = (row: Upload): Upload => {
      if (tooLate.has(row))
        throw new AppError('bad-use', `Upload ${queueIdText(row.id)} cannot be ${word} any more.`);
      const now = leaveOut(row);
      left.push(row);
      return now;
    };
    const done = each(kit, [...withTwins(ports, given.filter(isInTime)), ...tooLate], leave, () =>
      readLater(ports, left),
    );
    undo.keep(left);
    return done;
  };

  return {
    async 'queue.confirm'({ withoutLocation = false, ...of }) {
      const lost = await withoutSpooled(ports, chosenRows(kit, of));
      const mostMs = 'ids' in of ? (of.asOfMs ?? Infinity) : Infinity;
      const rows = chosenRows(kit, of).filter((row) => !withoutLocation || 'ids' in of || hasRemovable(row));
      return each(kit, rows, (row) => {
        // The yes was to what was shown.
        if (row.changedAtMs > mostMs) throw changedMeanwhile(row);
        const why = whyNotConfirmed(row, withoutLocation, lost);
        if (why !== null) throw why;
        return approve(kit, row, withoutLocation);
      });
    },
    'queue.skip': (of) =>
      leaveAll(chosenRows(kit, of), ({ state }) => table['left-out'].from.includes(state.kind), 'skipped'),
    'queue.newest'({ asOfMs }) {
      const rows = chosenRows(kit, { alike: { kind: 'held', fate: 'burst', asOfMs } });
      const newestId = ledger.views.burst()?.newestId;
      // A newer file may have come since the user was asked.
      if (rows.every(({ id }) => id !== newestId))
        throw new AppError('bad-use', 'The burst has changed in the meantime.', 'Look at it again.');
      const done = each(
        kit,
        rows,
        (row) => (row.id === newestId ? approve(kit, row) : leaveOut(row)),
        () =>
          readLater(
            ports,
            rows.filter(({ id }) => id !== newestId),
          ),
      );
      undo.keep(rows.filter(({ id }) => id !== newestId));
      return done;
    },
    async 'queue.retry'({ ids, alike }) {
      const rows =
        ids !== undefined
          ? rowsById(kit, ids)
          : alike !== undefined
            ? chosenRows(kit, { alike })
            : ledger.uploads.inState('failed', heldShown);
      // Without a file there is nothing to try.
      const lost = new Set<Upload>();
      for (const row of rows) if (!mayBeKept(row.state) && !(await isFileThere(ports, row))) lost.add(row);
      const tried = ids === undefined ? rows.filter((row) => !lost.has(row)) : rows;
      return each(kit, tried, (row) => {
        if (lost.has(row)) {
          throw new AppError(
            'bad-use',
            `Upload ${queueIdText(row.id)} cannot be tried again: there is no regular file at its path.`,
            wording`${call('cancel', queueIdText(row.id))} removes it from what failed.`,
          );
        }
        const { state } = ledger.uploads.byId(row.id) ?? row;
        if (mayBeKept(state)) return kit.recaller.keep(row);
        // A no that came while the disk was asked stands.
        if (fateOf(state) !== fateOf(row.state)) throw changedMeanwhile(row);
        if (stateRow(state.kind).mayRetry !== true) {
          throw new AppError(
            'bad-use',
            `Upload ${queueIdText(row.id)} has not failed.`,
            'Only what failed, waits or was skipped can be tried again.',
          );
        }
        const isLeftOut = state.kind === 'skipped' && !isSkippedByType(row);
        const question = openQuestion(ledger, row);
        if (question === null && isLeftOut && isUntoldSecret(ports, row)) return ask(kit, row);
        const { confirmed, wantsAnother } = isLeftOut ? confirmedNow(row) : row;
        const now =
          question === null
            ? change(kit, row, { kind: 'wanted', confirmed, wantsAnother })
            : ask(kit, row, question);
        if (isLeftOut) release(ports, row);
        return now;
      });
    },
    'queue.cancel': ({ ids }) =>
      leaveAll(rowsById(kit, ids), ({ state }) => stateRow(state.kind).mayCancel === true, 'cancelled'),
    async 'queue.undo'(of) {
      const rows = undo.find(of);
      const lost = await withoutSpooled(ports, rows);
      const changed = ledger.atomically(() =>
        rows.flatMap((before) => takeBackNo(kit, before, lost.has(before.id))),
      );
      kit.nudge();
      return changed.map((row) => kit.view(row));
    },
    'queue.toTop'({ ids }) {
      const top = (ledger.uploads.inState('ready', 1)[0]?.priority ?? 0) + 1;
      return each(kit, rowsById(kit, ids), (row) => change(kit, row, { kind: 'prioritized', priority: top }));
    },
  } satisfies Partial<Handlers>;
};

/** No earlier decision keeps the content of this row back any more. */
const release = ({ ledger }: Kit['ports'], { sha256 }: Upload): void => {
  if (sha256 !== null) ledger.decisions.release(sha256);
};

/** The same content is not asked about again, whatever its name is. */
const approve = (kit: Kit, row: Upload, withoutLocation = false): Upload => {
  const { ports, feed } = kit;
  if (isUntoldSecret(ports, row)) return ask(kit, row);
  const now = change(kit, row, { kind: 'wanted', ...confirmedNow(row) });
  release(ports, row);
  if (row.sha256 !== null && row.stamp !== null && row.state.kind === 'held') {
    const approvals = approvalsOf({ ...row, confirmed: true }, [], ports.settings.current());
    const said = withoutLocation ? 'without-location' : row.state.reason;
    keepApprovals(ports.ledger, [said, ...approvals], row.stamp, row.sha256);
  }
  if (row.state.kind === 'held')
    feed.record(row.id, joinPath(row.dir, row.name), { kind: 'confirmed', reason: row.state.reason });
  return now;
};

/** Answers for those that it could change. Throws the first reason if for none. `act` throws before it writes. */
const each = (
  kit: Kit,
  rows: readonly Upload[],
  act: (row: Upload) => Upload,
  andThen: () => void = () => undefined,
) => {
  const refused: AppError[] = [];
  const changed = kit.ports.ledger.atomically(() => {
    const done = rows.flatMap((row) => {
      try {
        return [act(row)];
      } catch (caught) {
        const error = toAppError(caught);
        if (error.code !== 'bad-use' && error.code !== 'uncertain') throw caught;
        refused.push(error);
        return [];
      }
    });
    andThen();
    return done;
  });
  if (refused[0] !== undefined && changed.length === 0) throw refused[0];
  kit.nudge();
  return changed.map((row) => kit.view(row));
};

/**
 * With every other row of the same file that still waits: a file that was given by path before its folder was chosen
 * has two.
 */
const withTwins = ({ ledger }: Kit['ports'], rows: readonly Upload[]): readonly Upload[] => {
  const ids = new Set(rows.map(({ id }) => id));
  const twins = rows.flatMap(({ dir, name }) =>
    ledger.uploads
      .atPath(dir, name, mostTwins)
      .filter(({ id, present, state }) => !ids.has(id) && present && stateRow(state.kind).mayCancel === true),
  );
  return [...rows, ...new Map(twins.map((row) => [row.id, row])).values()];
};

const whyNotConfirmed = (
  row: Upload,
  withoutLocation: boolean,
  lost: ReadonlySet<number>,
): AppError | null => {
  const id = queueIdText(row.id);
  if (isUncertain(row))
    return new AppError(
      'uncertain',
      `Upload ${id} may already be on the service; confirming it could create a second link.`,
      wording`${call('resolve', id)} shows what the service has and decides; so does the window.`,
    );
  if (stateRow(row.state.kind).mayConfirm !== true)
    return new AppError('bad-use', `Upload ${id} is not held.`, see('held'));
  if (withoutLocation && !hasRemovable(row))
    return row.state.kind === 'held' && row.state.reason === 'location'
      ? new AppError(
          'bad-use',
          `The location of upload ${id} cannot be removed: that works only for complete JPEG, PNG, WebP, GIF, HEIC, AVIF, JPEG XL, MP4 and MOV files of up to 256 MiB.`,
          wording`${call('confirm', id)} uploads it with its location; ${call('cancel', id)} leaves it out.`,
        )
      : new AppError('bad-use', `Upload ${id} is not held for its location.`, see('held'));
  if (lost.has(row.id))
    return new AppError(
      'bad-use',
      `${row.name} is not there any more: Outtray made it, and removed it when it was left out.`,
      'Make it again.',
    );
  // Otherwise the confirmation would also apply to the next file at this path.
  if (isSkippedByType(row))
    return new AppError(
      'bad-use',
      `Upload ${id} is a symbolic link or not a regular file, so it is never opened.`,
      'Put the file itself into the folder.',
    );
  return null;
};

/** The row as it was before the no; nothing: it cannot be again. */
const takeBackNo = (kit: Kit, before: Upload, isLost: boolean): Upload[] => {
  const now = kit.ports.ledger.uploads.byId(before.id);
  if (now === null) return [];
  // It is on its way still, or looked for.
  const isOpen = isUnwanted(now.state);
  const isLeftOut =
    now.present &&
    now.state.kind === 'skipped' &&
    (now.state.rule === 'cancelled' || now.state.rule === 'existing');
  if (!isOpen && !isLeftOut) return [];
  // A failed upload returns to its failure, with or without its file.
  if (isLost && before.state.kind !== 'failed') return [];
  const state = putBack(before, now.stamp?.key === before.stamp?.key);
  const confirmed = staysConfirmed(before, now.stamp);
  const { wantsAnother, attempts } = before;
  release(kit.ports, now);
  return [change(kit, now, { kind: 'put-back', state, confirmed, wantsAnother, attempts })];
};

const isFileThere = async ({ files }: Pick<Kit['ports'], 'files'>, row: Upload): Promise<boolean> => {
  try {
    return (await files.look(joinPath(row.dir, row.name)))?.type === 'file';
  } catch {
    // It is there, and cannot be opened now.
    return true;
  }
};

/** Those whose file Outtray made, a zip or standard input, and has removed. */
const withoutSpooled = async (ports: Kit['ports'], rows: readonly Upload[]): Promise<ReadonlySet<number>> => {
  const lost = new Set<number>();
  for (const row of rows)
    if (ports.spool.holds(row.dir) && !(await isFileThere(ports, row))) lost.add(row.id);
  return lost;
};
