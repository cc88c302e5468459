// Stage: takes links back. The wish is recorded first (state `recalling`), so a crash at any point only delays it. Then
// the id is asked, the service deletes the file (account/copies/removal.ts), and its public link is fetched without the
// key. A refusal and a link that is still served are tried again, less and less often, until the link is dead.
import { call, wording } from '../../contract/text/wording.ts';
import { queueIdText } from '../../contract/text/named-file.ts';
import { AppError } from '../../contract/errors.ts';
import { isUnwanted, mayBeThere } from '../../contract/model.ts';
import type { Service } from '../account/service.ts';
import { createLoop } from '../shared/loop.ts';
import type { Upload } from '../ports/uploads.ts';
import type { Core } from '../state/core.ts';
import { createRounds, type Ended } from './rounds.ts';
import { createEndedLinks } from './ended-links.ts';

/** A process that begins a recall has this long before another one takes it up. */
const claimMs = 60_000;
const mostAtOnce = 1000;
/** How often to check whether the service may be asked again. */
const mayAskAgainMs = 15_000;

export const createRecaller = (core: Core, service: Service) => {
  const { ports, rows, work, steadyMs } = core;
  const { ledger } = ports;
  const { identity, gate } = service;
  const ended = createEndedLinks(core, service.expiry);
  /** The first turn takes up at once what an earlier process has left. */
  let isFirst = true;

  const mayAsk = (): boolean => work.isOn() && identity.holds() && gate.mayAsk();
  const { round, isUnderWay, isBusy } = createRounds(core, service, ended, mayAsk);

  const open = (): Upload[] => ledger.uploads.nextOf('recall', mostAtOnce);
  const nextAtMs = ({ state }: Upload): number =>
    state.kind === 'recalling' || state.kind === 'recalled' ? (state.nextAtMs ?? 0) : Infinity;
  const isReady = (row: Upload): boolean =>
    !isUnderWay(row.id) && (nextAtMs(row) <= steadyMs() || (isFirst && row.state.kind === 'recalling'));

  const turn = async (): Promise<number | null> => {
    await identity.look();
    service.expiry.syncCeiling();
    const waiting = open().filter(isReady);
    // While nothing may be asked, it matters only whether there are any.
    const due = ended.due(mayAsk() ? mostAtOnce : 1);
    if (waiting.length + due.length > 0) {
      if (!mayAsk()) return mayAskAgainMs;
      isFirst = false;
      await round([...new Set([...waiting, ...due].map(({ id }) => id))], 'background', work.signal);
      if (work.signal.aborted) return null;
    }
    isFirst = false;
    ended.tell();
    const next = open()
      .filter(({ id }) => !isUnderWay(id))
      .map((row) => Math.max(1000, nextAtMs(row) - steadyMs()));
    const endMs = ended.nextMs();
    if (endMs !== null) next.push(endMs);
    return next.length === 0 ? null : Math.min(...next);
  };

  const loop = createLoop({ name: 'recaller', ports, work, turn });
  gate.onChange(loop.wake);
  rows.onMove(({ row }) => {
    // Its link may be the next one to end, or its end may still have to be reported.
    if (row.state.kind === 'recalling' || row.ends !== null) loop.wake();
  });

  return {
    wake: loop.wake,
    stop: loop.stop,
    isStill() {
      if (loop.isBusy() || isBusy()) return false;
      return !mayAsk() || (!open().some(isReady) && ended.due(1).length === 0);
    },
    /**
     * Records that the link of this upload is to be taken back, also the one that it may have or get. Throws `bad-use` for
     * one that can have none.
     */
    want(row: Upload): Upload {
      if (row.state.kind === 'recalling' || isUnwanted(row.state)) return row;
      const hasNone = row.state.kind === 'held' && !mayBeThere(row.state);
      const after = hasNone
        ? 'stale'
        : rows.apply(row.id, { kind: 'recall', nextAtMs: Math.ceil(steadyMs() + claimMs) });
      if (after !== 'stale') return after;
      throw new AppError(
        'bad-use',
        `Upload ${queueIdText(row.id)} has no link to take back.`,
        wording`${call('cancel', queueIdText(row.id))} takes back what waits; ${call('why', queueIdText(row.id))} says where it is.`,
      );
    },
    /** Gives up what `want` recorded, before the DELETE has left. Throws `bad-use` afterwards, and if nothing was. */
    keep(row: Upload): Upload {
      const after = rows.apply(row.id, { kind: 'kept' });
      if (after !== 'stale') return after;
      const { state } = row;
      const why =
        state.kind !== 'recalling'
          ? 'is not being taken back.'
          : state.isExpired === true
            ? 'is taken back because its time is over.'
            : 'cannot be kept any more: the service was told to delete it.';
      throw new AppError(
        'bad-use',
        `Upload ${queueIdText(row.id)} ${why}`,
        wording`${call('upload', '--again FILE')} gives its file another link.`,
      );
    },
    /**
     * Takes links back while a person waits: all deletions first, then their proofs. Returns for each the row as it is
     * afterwards, or why it is not done; the recall then goes on by itself.
     */
    finish: (
      ids: readonly number[],
      signal: AbortSignal,
      lane: 'user' | 'agent' = 'user',
    ): Promise<(Ended | AppError)[]> => round(ids, lane, signal),
  };
};

export type Recaller = ReturnType<typeof createRecaller>;
