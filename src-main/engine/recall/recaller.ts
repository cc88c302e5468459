// Stage: takes links back. A person's wish is recorded first (state `recalling`), so a crash at any point only delays it.
// Then the file is deleted at the service, and its public link is asked without the key until it is dead. A second
// deletion after a crash answers 404, which counts as done. The result is recorded, and so told, once.
import { AppError, toAppError } from '../../contract/errors.ts';
import { closesEverything, isTroubleOf, tellingPlan } from '../account/forbidden.ts';
import type { Service } from '../account/service.ts';
import { askWhile } from '../limiter/ask.ts';
import { createLoop, type Loop } from '../shared/loop.ts';
import { fileBackOffMs } from '../shared/waits.ts';
import type { Upload } from '../ports.ts';
import type { Core } from '../state/core.ts';

/** `message`: what the service said to the deletion; null: it had no such file, or did not delete it. */
type Ended = { row: Upload; message: string | null };

export type Recaller = Loop & {
  /** True when a recall is due now or under way. */
  isDue(): boolean;
  /** Records that the link of this upload is to be taken back. Throws `bad-use` for one without a link. */
  want(row: Upload): Upload;
  /**
   * Takes back a link that is wanted back, for a person who waits. Returns the row as it then is. Throws what `ask`
   * throws; the recall then goes on by itself.
   */
  finish(id: number, signal: AbortSignal): Promise<Ended>;
};

/** When the link is asked, in milliseconds after the answer before: a cache may serve it for some seconds. */
const triesAfterMs = [0, 2000, 8000];
/** A process that begins a recall has this long before another one takes it up. */
const claimMs = 60_000;
const mostAtOnce = 1000;
/** How often to check whether the service may be asked again. */
const mayAskAgainMs = 15_000;

export const createRecaller = ({ ports, rows, work, steadyMs }: Core, service: Service): Recaller => {
  const { ledger, clock, api, log } = ports;
  const { identity, gate } = service;
  /** Those that this process works on. */
  const underWay = new Map<number, Promise<Ended>>();
  /** What an earlier process has left is taken up at once. */
  let isFirst = true;

  const mayAsk = (): boolean => work.isOn() && identity.holds() && gate.mayAsk();
  const background = askWhile(mayAsk, service.ask);

  /** Deletes the file. That the service does not have it, or refuses, is no end: the link tells. */
  const remove = async (fileId: number, lane: 'user' | 'background', signal: AbortSignal) => {
    const request = (stop: AbortSignal) => api.remove(fileId, stop);
    try {
      const answer = await (lane === 'background'
        ? background(lane, signal, request)
        : tellingPlan(service.ask, api, signal, () => service.ask(lane, signal, request)));
      return answer.message;
    } catch (caught) {
      const { code } = toAppError(caught);
      if (code !== 'not-found' && code !== 'refused') throw caught;
      return null;
    }
  };

  /** Whether the link serves something else than the file, or nothing. False: it lives, or it cannot be told. */
  const isDead = async ({ publicLink, sha256, stamp }: Upload, fileId: number, signal: AbortSignal) => {
    for (const afterMs of triesAfterMs) {
      if (afterMs > 0) await pause(afterMs, signal);
      if (publicLink === null) return false;
      try {
        const digest = await api.digestOfLink(publicLink, stamp?.sizeBytes ?? 0, signal);
        if (sha256 !== null && sha256 !== '' && digest !== sha256) return true;
        if (digest !== null) ledger.remote.readByUs(fileId);
      } catch (caught) {
        const { status } = toAppError(caught);
        if (status === 404 || status === 410) return true;
        if (signal.aborted) throw caught;
      }
    }
    return false;
  };

  const pause = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const undo = clock.after(ms, () => {
        signal.removeEventListener('abort', stop);
        resolve();
      });
      const stop = (): void => {
        undo();
        reject(new AppError('aborted', 'Stopped.'));
      };
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });

  /** Null for a count that no list or answer has told. */
  const downloadsOf = (fileId: number): number | null => {
    const seen = ledger.remote.byId(fileId);
    return seen?.download_count === undefined ? null : Math.max(0, seen.download_count - seen.readByUs);
  };

  /** Another process may have recorded it first: then it has told it, too. */
  const record = (id: number, fileId: number, dead: boolean): void => {
    ledger.atomically(() => {
      const before = ledger.uploads.byId(id);
      const now = rows.apply(id, {
        kind: 'recalled',
        dead,
        downloads: downloadsOf(fileId),
        atMs: clock.wallMs(),
      });
      if (before === null || now === 'stale') return;
      if (dead) {
        ledger.remote.markGone(fileId);
        ledger.remote.removeGone([fileId]);
      }
      const { folderId, dir, name, stamp, sha256 } = before;
      // The file stays on the disk, and does not go up again by itself.
      if (!before.present || folderId === null) return;
      const state = { kind: 'skipped' as const, rule: 'recalled' as const };
      rows.insert({ folderId, dir, name, stamp, sha256, state, sameAsId: id });
    });
  };

  const end = async (id: number, lane: 'user' | 'background', signal: AbortSignal): Promise<Ended> => {
    const row = ledger.uploads.byId(id);
    const fileId = row?.fileId ?? null;
    let message: string | null = null;
    if (row?.state.kind === 'recalling' && fileId !== null) {
      message = await remove(fileId, lane, signal);
      record(id, fileId, await isDead(row, fileId, signal));
    }
    const now = ledger.uploads.byId(id);
    if (now === null) throw new AppError('internal', `There is no upload ${id}.`, 'Please report it.');
    return { row: now, message };
  };

  const once = (id: number, lane: 'user' | 'background', signal: AbortSignal): Promise<Ended> => {
    const running = underWay.get(id) ?? end(id, lane, signal).finally(() => underWay.delete(id));
    underWay.set(id, running);
    return running;
  };

  const open = (): Upload[] => ledger.uploads.inState('recalling', mostAtOnce);
  const isReady = ({ id, state }: Upload): boolean =>
    !underWay.has(id) && state.kind === 'recalling' && (isFirst || state.nextAtMs <= steadyMs());

  const turn = async (): Promise<number | null> => {
    const waiting = open();
    if (waiting.length === 0) {
      isFirst = false;
      return null;
    }
    if (!mayAsk()) return mayAskAgainMs;
    for (const row of waiting.filter(isReady)) {
      if (!mayAsk()) return mayAskAgainMs;
      await once(row.id, 'background', work.signal).catch((caught: unknown) => failed(row, caught));
      if (work.signal.aborted) return null;
    }
    isFirst = false;
    const next = open().flatMap(({ state }) => (state.kind === 'recalling' ? [state.nextAtMs] : []));
    return next.length === 0 ? null : Math.max(1000, Math.min(...next) - steadyMs());
  };

  const failed = ({ id, state }: Upload, caught: unknown): void => {
    const error = toAppError(caught);
    if (work.signal.aborted || state.kind !== 'recalling') return;
    log.warn('recall failed', { code: error.code, message: error.message });
    if (closesEverything.has(error.code) || isTroubleOf(error)) gate.refused(error);
    const nextAtMs = Math.ceil(steadyMs() + fileBackOffMs(state.tries));
    rows.apply(id, { kind: 'recall-planned', nextAtMs, tries: state.tries + 1 });
  };

  const loop = createLoop({ name: 'recaller', ports, work, turn });
  gate.onChange(loop.wake);
  rows.onMove(({ row }) => {
    if (row.state.kind === 'recalling') loop.wake();
  });

  return {
    ...loop,
    isDue: () => loop.isBusy() || underWay.size > 0 || (mayAsk() && open().some(isReady)),
    want(row) {
      if (row.state.kind === 'recalling') return row;
      const now = rows.apply(row.id, { kind: 'recall', nextAtMs: Math.ceil(steadyMs() + claimMs) });
      if (now !== 'stale') return now;
      throw new AppError(
        'bad-use',
        `Upload ${row.id} has no link to take back.`,
        '`outtray cancel ID` takes back what waits; `outtray why PATH` says where a file is.',
      );
    },
    finish: (id, signal) => once(id, 'user', signal),
  };
};
