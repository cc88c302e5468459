// One round of a recall: all deletions, then the proofs that their links are dead. Both are recorded as they happen.
import type { FileId } from '../../contract/text/file-id.ts';
import { sentContent } from '../shared/same-content.ts';
import { AppError, isAboutOneFile, toAppError } from '../../contract/errors.ts';
import { linkStateOf, type LinkLook } from '../../contract/files/taken-back.ts';
import { stateRow, takenBackRule, type UploadState } from '../../contract/model.ts';
import { concernsAll, tellingPlan } from '../account/forbidden.ts';
import { isLinkDead, lookOf } from '../account/copies/prove-link.ts';
import type { AskOne, Removed } from '../account/copies/removal.ts';
import type { Service } from '../account/service.ts';
import { askWhile } from '../limiter/ask.ts';
import { idNow } from '../shared/links.ts';
import { pauseFor } from '../shared/time.ts';
import { deleteAgainMs, fileBackOffMs, linkAgainMs } from '../shared/waits.ts';
import type { Upload } from '../ports/uploads.ts';
import type { Core } from '../state/core.ts';
import type { EndedLinks } from './ended-links.ts';

/**
 * `refusal`: the service had no such file, or did not delete it. Otherwise `message` is its answer. `againAtMs`: when its
 * link is looked at again, by the wall clock; null: not, or not as a deleted one.
 */
export type Ended = Left & { row: Upload; againAtMs: number | null };

type Left = { message: string | null; refusal: AppError | null };
/** No answer of this round says that the service does not have the file. */
const nothing: Left = { message: null, refusal: null };

export type RecallLane = 'user' | 'agent' | 'background';

/** When to fetch the link, in milliseconds after the previous answer. A cache may serve it for some seconds. */
const triesAfterMs = [0, 2000, 8000];
/** Entries of one upload that are looked through. */
const mostEntries = 100;
/** Deletions, and reads of links, under way at once. */
const [deletionsAtOnce, readsAtOnce] = [4, 2];
/** How often a file is seen again because the DELETE did not find it. */
const mostTries = 3;

/** Records what the look at a link that was taken back has found; `look` null: that it is dead. */
const createRecord = (
  { ports, rows, steadyMs }: Pick<Core, 'ports' | 'rows' | 'steadyMs'>,
  ended: EndedLinks,
) => {
  const { ledger, clock } = ports;
  const openLink = (look: LinkLook, tries: number) => ({
    look,
    nextAtMs: Math.ceil(steadyMs() + linkAgainMs(tries)),
    tries: tries + 1,
    againAtMs: clock.wallMs() + linkAgainMs(tries),
  });

  /** Another process may have recorded it first: nothing is reported twice. */
  const record = (id: number, look: LinkLook | null): void => {
    ledger.atomically(() => {
      const before = rowOf(ledger, id);
      const { state } = before;
      const isNew = state.kind !== 'recalled';
      if (!isNew && state.dead) return;
      const dead = look === null;
      const found = linkStateOf({ dead, look: look ?? undefined });
      const open = dead ? null : openLink(look, isNew ? 0 : (state.tries ?? 0));
      if (open !== null && !isNew && linkStateOf(state) === found) {
        rows.apply(id, { kind: 'recall-planned', refusal: null, ...open });
        return;
      }
      // The key may be of another account since the DELETE.
      const fileId = idNow(ledger, before);
      const lateMs = ended.lateMs(before);
      const after = rows.apply(id, {
        kind: 'recalled',
        dead,
        downloads: fileId === null ? null : downloadsOf(ledger, fileId),
        atMs: (dead ? deadSinceMs(ledger, id) : null) ?? clock.wallMs(),
        lateMs,
        open,
      });
      if (after === 'stale') return;
      const rule = takenBackRule(after.state);
      if (rule === 'expired' && (isNew || dead)) ended.note(found, lateMs);
      if (dead && fileId !== null) {
        ledger.remote.markGone(fileId);
        ledger.remote.removeGone([fileId]);
      }
      const { folderId, dir, name, stamp, sha256 } = before;
      // The file stays on the disk, and is not uploaded again by itself.
      if (!before.present || folderId === null) return;
      const skipped = { kind: 'skipped' as const, rule };
      rows.insert({ folderId, dir, name, stamp, sha256, state: skipped, sameAsId: id });
    });
  };
  return record;
};

export const createRounds = (
  { ports, rows, work, steadyMs }: Core,
  service: Service,
  ended: EndedLinks,
  mayAsk: () => boolean,
) => {
  const { ledger, api, log } = ports;
  const { gate, removal } = service;
  /** Those that this process works on. */
  const underWay = new Set<number>();
  const background = service.aboutOne(askWhile(mayAsk, service.ask));

  const askIn =
    (lane: RecallLane, signal: AbortSignal): AskOne =>
    (request) =>
      lane === 'background'
        ? background(lane, signal, request)
        : tellingPlan(service.ask, api, signal, () => service.ask(lane, signal, request));

  const record = createRecord({ ports, rows, steadyMs }, ended);
  const planAgain = (id: number, afterMs: number, refusal: AppError | null): void => {
    const nextAtMs = Math.ceil(steadyMs() + afterMs);
    const tries = triesOf(rowOf(ledger, id)) + 1;
    rows.apply(id, { kind: 'recall-planned', nextAtMs, tries, refusal: refusal?.message ?? null });
  };

  /** Deletes what is to be deleted. Afterwards the link of one that is not refused is to be read. */
  const leave = async (id: number, lane: RecallLane, ask: AskOne): Promise<Left> => {
    const before = rowOf(ledger, id);
    // A link that is still served may lead to a file that the service has after all: every second time it is asked.
    if (isOpen(before.state) && triesOf(before) % 2 === 0) return nothing;
    // Its end may have been moved meanwhile.
    const row = stateRow(before.state.kind).hasLink === true ? ended.begin(id) : rowOf(ledger, id);
    if (row === null || !(row.state.kind === 'recalling' || isOpen(row.state))) return nothing;
    const removed = await remove(rows, removal, row, ask, () => lane !== 'background' || mayAsk());
    switch (removed.kind) {
      case 'kept':
        return nothing;
      case 'deleted':
        return { message: removed.message, refusal: null };
      case 'gone':
        return { message: null, refusal: noSuchFile() };
      case 'refused':
        planAgain(id, deleteAgainMs(triesOf(row)), removed.error);
        return { message: null, refusal: removed.error };
    }
  };

  const failed = (id: number, caught: unknown): AppError => {
    const error = toAppError(caught);
    if (work.signal.aborted) return error;
    log.warn('recall failed', { code: error.code, message: error.message });
    if (concernsAll(error)) gate.refused(error);
    const tries = triesOf(rowOf(ledger, id));
    const isRefused = isAboutOneFile(error.code);
    planAgain(id, (isRefused ? deleteAgainMs : fileBackOffMs)(tries), isRefused ? error : null);
    return error;
  };

  /** All deletions, then the proofs of those that the service does not have any more. */
  const round = async (
    ids: readonly number[],
    lane: RecallLane,
    signal: AbortSignal,
  ): Promise<(Ended | AppError)[]> => {
    const ask = askIn(lane, signal);
    const fate = new Map<number, Left | AppError>();
    /** What is wrong with the key, the plan or the network is wrong for the rest, too. */
    let stopped: AppError | null = null;
    for (const id of ids) underWay.add(id);
    try {
      await atMost(deletionsAtOnce, ids, async (id) => {
        try {
          if (stopped === null) fate.set(id, await leave(id, lane, ask));
          else fate.set(id, stopped);
        } catch (caught) {
          const error = lane === 'background' ? failed(id, caught) : toAppError(caught);
          fate.set(id, error);
          if (!isAboutOneFile(error.code) && error.code !== 'bad-use') stopped ??= error;
        }
      });
      await atMost(readsAtOnce, ids, async (id) => {
        const left = fate.get(id);
        const row = rowOf(ledger, id);
        if (left === undefined || left instanceof AppError) return;
        if (left.refusal !== null && left.refusal.code !== 'not-found') return;
        const isGone = left !== nothing;
        if (!isOpen(row.state) && !(isGone && row.state.kind === 'recalling')) return;
        try {
          const look = await lookAt({ ports, rows }, row, signal);
          if (isGone || look !== null) record(id, look);
          // Since its id led to nothing, it may have shown our link again: it is asked before the link counts as dead.
          else planAgain(id, 0, null);
        } catch (caught) {
          fate.set(id, lane === 'background' ? failed(id, caught) : toAppError(caught));
        }
      });
    } finally {
      for (const id of ids) underWay.delete(id);
    }
    return ids.map((id) => {
      const one = fate.get(id) ?? noSuchFile();
      if (one instanceof AppError) return one;
      const row = rowOf(ledger, id);
      const nextAtMs = row.state.kind === 'recalled' ? (row.state.nextAtMs ?? null) : null;
      const againAtMs = nextAtMs === null ? null : Math.round(ports.clock.wallMs() + nextAtMs - steadyMs());
      return { row, againAtMs, ...one };
    });
  };

  return {
    round,
    isUnderWay: (id: number): boolean => underWay.has(id),
    isBusy: (): boolean => underWay.size > 0,
  };
};

const triesOf = ({ state }: Upload): number =>
  state.kind === 'recalling' || state.kind === 'recalled' ? (state.tries ?? 0) : 0;

/** When the link was first recorded as dead, after it was last recorded as alive. Null: never. */
const deadSinceMs = ({ entries }: Core['ports']['ledger'], id: number): number | null => {
  const recalls = entries.ofUpload(id, mostEntries).filter(({ body }) => body.kind === 'recalled');
  const alive = recalls.findLastIndex(({ body }) => body.kind === 'recalled' && !body.dead);
  return recalls[alive + 1]?.atMs ?? null;
};

/** Without our own reads. Null: no list and no answer has given the count. */
const downloadsOf = ({ remote }: Core['ports']['ledger'], fileId: FileId): number | null => {
  const seen = remote.byId(fileId);
  return seen?.download_count === undefined ? null : Math.max(0, seen.download_count - seen.readByUs);
};

/** The newest look at the link. Null: it serves nothing, or something else than the file. */
const lookAt = async (
  { ports, rows }: Pick<Core, 'ports' | 'rows'>,
  row: Upload,
  signal: AbortSignal,
): Promise<LinkLook | null> => {
  const { publicLink } = row;
  let look: LinkLook = { noAnswer: 'Its link is not known.' };
  if (publicLink === null) return look;
  const promised = { publicLink, fileId: idNow(ports.ledger, row), ...sentContent(row) };
  let { wasServed } = row;
  // Later looks come one at a time.
  for (const afterMs of row.state.kind === 'recalled' ? [0] : triesAfterMs) {
    if (afterMs > 0) await pauseFor(ports.clock, afterMs, signal);
    try {
      const link = await isLinkDead(ports, { ...promised, wasServed }, signal);
      if (link.isDead) return null;
      ({ look } = link);
      if (link.isServed && !wasServed) rows.apply(row.id, { kind: 'served' });
      wasServed ||= link.isServed;
    } catch (caught) {
      if (signal.aborted) throw caught;
      look = lookOf(toAppError(caught));
    }
  }
  return look;
};

/**
 * Deletes it at the service. `gone`: its id leads to nothing, or to another file. `mayAsk`: asked just before the DELETE,
 * since the gate may be closed while the file is seen.
 */
const remove = async (
  rows: Core['rows'],
  removal: Service['removal'],
  row: Upload,
  ask: AskOne,
  mayAsk: () => boolean,
): Promise<Removed> => {
  const { accountId, fileId, publicLink } = row;
  if (fileId === null) return { kind: 'gone' };
  const copy = { accountId, fileId, publicLink };
  const isWanted = (): boolean => rows.apply(row.id, { kind: 'delete-due' }) !== 'stale';
  for (let tries = 0; tries < mostTries; tries += 1) {
    const seen = await removal.see(copy, ask);
    // Without its file there is nothing to keep either.
    if (seen.kind !== 'seen') return isWanted() ? { kind: 'gone' } : { kind: 'kept' };
    const removed = await removal.remove(copy, seen, ask, () => mayAsk() && isWanted());
    // A DELETE that finds nothing says nothing yet: the id is asked again.
    if (removed.kind !== 'gone') return removed;
  }
  throw new AppError('interrupted', 'The service did not delete the file yet.');
};

const rowOf = ({ uploads }: Core['ports']['ledger'], id: number): Upload => {
  const row = uploads.byId(id);
  if (row !== null) return row;
  throw new AppError('internal', `There is no upload ${id}.`, 'Please report it.');
};

/** The service does not have it any more, and its link may not be dead. */
const isOpen = (state: UploadState): boolean => state.kind === 'recalled' && !state.dead;

const noSuchFile = (): AppError =>
  new AppError(
    'not-found',
    'The service does not have this file.',
    'Its link was read to see whether it is dead.',
  );

/** Calls `act` for each item, and runs at most `most` calls at once. */
const atMost = async <Item>(
  most: number,
  items: readonly Item[],
  act: (item: Item) => Promise<void>,
): Promise<void> => {
  const left = items.values();
  const work = async (): Promise<void> => {
    for (const item of left) await act(item);
  };
  // The first one goes alone: in an outage one request is enough to notice it.
  const { value, done } = left.next();
  if (done !== true) await act(value);
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, work));
};
