// Stage: takes links back. The wish is recorded first (state `recalling`), so a crash at any point only delays it. Then
// the service deletes the file, and its public link is fetched without the key until it is dead. After a crash, the
// second deletion gets 404, which counts as done. The result is recorded, and so reported, once.
import { call, wording } from '../../contract/text/wording.ts';
import { queueIdText } from '../../contract/text/named-file.ts';
import type { FileId } from '../../contract/text/file-id.ts';
import { sentContent } from '../shared/same-content.ts';
import { AppError, isAboutOneFile, toAppError } from '../../contract/errors.ts';
import { takenBackRule } from '../../contract/model.ts';
import { closesEverything, isTroubleOf, tellingPlan } from '../account/forbidden.ts';
import type { Service } from '../account/service.ts';
import { askWhile } from '../limiter/ask.ts';
import { isGoneAnswer } from '../shared/links.ts';
import { pause } from '../shared/time.ts';
import { createLoop, type Stage } from '../shared/loop.ts';
import { fileBackOffMs } from '../shared/waits.ts';
import type { Upload } from '../ports/uploads.ts';
import type { Core } from '../state/core.ts';
import { createEndedLinks } from './ended-links.ts';

/** `refusal`: the service had no such file, or refused to delete it. Otherwise `message` is its answer. */
type Ended = { row: Upload; message: string | null; refusal: AppError | null };

type RecallLane = 'user' | 'agent' | 'background';
type How = { lane: RecallLane; isCounted: boolean; signal: AbortSignal };
type Request<Answer> = (signal: AbortSignal) => Promise<Answer>;

export type Recaller = Stage & {
  /** Records that the link of this upload is to be taken back. Throws `bad-use` for one without a link. */
  want(row: Upload): Upload;
  /**
   * Takes a link back while a person waits for it. Returns the row as it is afterwards. `isCounted`: also asks how
   * often the file was downloaded. Throws what `ask` throws; the recall then goes on by itself.
   */
  finish(id: number, isCounted: boolean, signal: AbortSignal, lane?: 'user' | 'agent'): Promise<Ended>;
};

/** When to fetch the link, in milliseconds after the previous answer. A cache may serve it for some seconds. */
const triesAfterMs = [0, 2000, 8000];
/** A process that begins a recall has this long before another one takes it up. */
const claimMs = 60_000;
const mostAtOnce = 1000;
/** Entries of one upload that are looked through. */
const mostTold = 100;
/** A download count that cannot be read delays the deletion by at most this many tries. */
const mostCounts = 3;
/** How often to check whether the service may be asked again. */
const mayAskAgainMs = 15_000;

export const createRecaller = (core: Core, service: Service): Recaller => {
  const { ports, rows, work, steadyMs } = core;
  const { ledger, clock, api, log } = ports;
  const { identity, gate } = service;
  const ended = createEndedLinks(core, service.expiry);
  /** Those that this process works on. */
  const underWay = new Map<number, Promise<Ended>>();
  /** The first turn takes up at once what an earlier process has left. */
  let isFirst = true;

  const mayAsk = (): boolean => work.isOn() && identity.holds() && gate.mayAsk();
  const background = askWhile(mayAsk, service.ask);

  const asked = <Answer>(lane: RecallLane, signal: AbortSignal, request: Request<Answer>) =>
    lane === 'background'
      ? background(lane, signal, request)
      : tellingPlan(service.ask, api, signal, () => service.ask(lane, signal, request));

  /** Reads how often it was downloaded. In an outage one request is enough to notice it. */
  const count = async (fileId: FileId, lane: RecallLane, signal: AbortSignal): Promise<void> => {
    try {
      const file = await asked(lane, signal, (stop) => api.info(fileId, stop));
      // Our own file is no candidate for a lost upload. So it does not matter when it was first seen.
      ledger.remote.saw([{ ...file, file_id: fileId }], clock.wallMs());
    } catch (caught) {
      if (lane === 'background' && !isAboutOneFile(toAppError(caught).code)) throw caught;
    }
  };

  /** Deletes the file. If the service does not have it, or refuses, the link still shows whether the file is public. */
  const remove = async (fileId: FileId, lane: RecallLane, signal: AbortSignal) => {
    try {
      const { message } = await asked(lane, signal, (stop) => api.remove(fileId, stop));
      return { message, refusal: null };
    } catch (caught) {
      const refusal = toAppError(caught);
      if (!isAboutOneFile(refusal.code)) throw caught;
      return { message: null, refusal };
    }
  };

  /** Whether the link serves nothing, or something else than the file. False: it serves the file, or it is unknown. */
  const isDead = async (row: Upload, fileId: FileId, signal: AbortSignal) => {
    // What was sent is known, so other bytes are not the file.
    const { publicLink, stamp } = row;
    const { sha256, sizeBytes } = sentContent(row);
    const isKnown = sha256 !== null && sha256 !== '' && stamp !== null;
    for (const afterMs of triesAfterMs) {
      if (afterMs > 0) await pause(clock, afterMs, signal);
      if (publicLink === null) return false;
      try {
        const digest = await api.digestOfLink(publicLink, sizeBytes, signal);
        if (isKnown && digest !== sha256) return true;
        if (digest !== null) ledger.remote.readByUs(fileId);
      } catch (caught) {
        if (isGoneAnswer(toAppError(caught))) return true;
        if (signal.aborted) throw caught;
      }
    }
    return false;
  };

  /** Without our own reads. Null: no list and no answer has given the count. */
  const downloadsOf = (fileId: FileId): number | null => {
    const seen = ledger.remote.byId(fileId);
    return seen?.download_count === undefined ? null : Math.max(0, seen.download_count - seen.readByUs);
  };

  /** When the link was first recorded as dead, after it was last recorded as alive. Null: never. */
  const deadSinceMs = (id: number): number | null => {
    const told = ledger.entries.ofUpload(id, mostTold).filter(({ body }) => body.kind === 'recalled');
    const alive = told.findLastIndex(({ body }) => body.kind === 'recalled' && !body.dead);
    return told[alive + 1]?.atMs ?? null;
  };

  /** If another process has recorded it first, the row is stale here and nothing is reported twice. */
  const record = (id: number, fileId: FileId, dead: boolean): void => {
    ledger.atomically(() => {
      const before = ledger.uploads.byId(id);
      const lateMs = before === null ? 0 : ended.lateMs(before);
      const now = rows.apply(id, {
        kind: 'recalled',
        dead,
        downloads: downloadsOf(fileId),
        atMs: (dead ? deadSinceMs(id) : null) ?? clock.wallMs(),
        lateMs,
      });
      if (before === null || now === 'stale') return;
      const rule = takenBackRule(now.state);
      if (rule === 'expired') ended.note(dead, lateMs);
      if (dead) {
        ledger.remote.markGone(fileId);
        ledger.remote.removeGone([fileId]);
      }
      const { folderId, dir, name, stamp, sha256 } = before;
      // The file stays on the disk, and is not uploaded again by itself.
      if (!before.present || folderId === null) return;
      const state = { kind: 'skipped' as const, rule };
      rows.insert({ folderId, dir, name, stamp, sha256, state, sameAsId: id });
    });
  };

  const end = async (id: number, how: How): Promise<Ended> => {
    const { lane, isCounted, signal } = how;
    const row = ledger.uploads.byId(id);
    const fileId = row?.fileId ?? null;
    let removed: Omit<Ended, 'row'> = { message: null, refusal: null };
    if (row?.state.kind === 'recalling' && fileId !== null) {
      if (isCounted && row.state.tries < mostCounts) await count(fileId, lane, signal);
      removed = await remove(fileId, lane, signal);
      record(id, fileId, await isDead(row, fileId, signal));
    }
    const now = ledger.uploads.byId(id);
    if (now === null) throw new AppError('internal', `There is no upload ${id}.`, 'Please report it.');
    return { row: now, ...removed };
  };

  const once = (id: number, how: How): Promise<Ended> => {
    const running = underWay.get(id) ?? end(id, how).finally(() => underWay.delete(id));
    underWay.set(id, running);
    return running;
  };

  const inBackground: How = { lane: 'background', isCounted: true, signal: work.signal };
  const open = (): Upload[] => ledger.uploads.inState('recalling', mostAtOnce);
  const isReady = ({ id, state }: Upload): boolean =>
    !underWay.has(id) && state.kind === 'recalling' && (isFirst || state.nextAtMs <= steadyMs());

  const turn = async (): Promise<number | null> => {
    if (ended.cap()) return 0;
    const waiting = open();
    const due = ended.due(mostAtOnce);
    if (waiting.length + due.length > 0 && !mayAsk()) return mayAskAgainMs;
    for (const row of waiting.filter(isReady)) {
      if (!mayAsk()) return mayAskAgainMs;
      await once(row.id, inBackground).catch((caught: unknown) => failed(row, caught));
      if (work.signal.aborted) return null;
    }
    for (const { id } of due) {
      if (!mayAsk()) return mayAskAgainMs;
      const row = ended.begin(id);
      if (row !== null) await once(id, inBackground).catch((caught: unknown) => failed(row, caught));
      if (work.signal.aborted) return null;
    }
    isFirst = false;
    ended.tell();
    const next = open().flatMap(({ state }) =>
      state.kind === 'recalling' ? [Math.max(1000, state.nextAtMs - steadyMs())] : [],
    );
    const endMs = ended.nextMs();
    if (endMs !== null) next.push(endMs);
    return next.length === 0 ? null : Math.min(...next);
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
    // Its link may be the next one to end, or its end may still have to be reported.
    if (row.state.kind === 'recalling' || row.ends !== null) loop.wake();
  });

  return {
    wake: loop.wake,
    stop: loop.stop,
    isStill() {
      if (loop.isBusy() || underWay.size > 0) return false;
      return !mayAsk() || (!open().some(isReady) && ended.due(1).length === 0);
    },
    want(row) {
      if (row.state.kind === 'recalling') return row;
      const now = rows.apply(row.id, { kind: 'recall', nextAtMs: Math.ceil(steadyMs() + claimMs) });
      if (now !== 'stale') return now;
      throw new AppError(
        'bad-use',
        `Upload ${queueIdText(row.id)} has no link to take back.`,
        wording`${call('cancel', queueIdText(row.id))} takes back what waits; ${call('why', queueIdText(row.id))} says where it is.`,
      );
    },
    finish: (id, isCounted, signal, lane = 'user') => once(id, { lane, isCounted, signal }),
  };
};
