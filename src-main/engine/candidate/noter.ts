// Reads the files that a person left out or is asked about, so that the answer belongs to their content. No person
// waits for it, so it reads one file at a time and works at most a fifth of the time.
import { isUnwanted } from '../../contract/model.ts';
import { digestOrNull } from '../shared/same-content.ts';
import { rootOf } from '../shared/folder.ts';
import { createLoop } from '../shared/loop.ts';
import { joinPath } from '../shared/paths.ts';
import type { Core } from '../state/core.ts';
import type { Upload } from '../ports/uploads.ts';
import { keptContentOf } from './content-decisions.ts';

/** More files than this are one mass that waits for one answer. Files that arrive beside it are held as a burst. */
const mostAtStart = 10_000;
/** It reads small files for this long, and then writes once which are left. */
const atOnceMs = 50;
/** Then it rests for this many times as long as it took. */
const restShare = 4;
const mostRestMs = 60_000;
/** How soon it looks again whether the folder has been compared. */
const comparingMs = 500;
/** A file that cannot be read now is read again after this time, then after twice as long each time. */
const firstAgainMs = 5000;
const mostAgainMs = 600_000;

/** When each of them is due, monotonic, and how often it could not be read. */
type Waiting = Map<number, { atMs: number; tries: number }>;

/** The first that is due, or in how many milliseconds one is; null: none waits. */
const firstDue = (waiting: Waiting, nowMs: number): { id: number; tries: number } | number | null => {
  let leastMs = Infinity;
  for (const [id, { atMs, tries }] of waiting) {
    if (atMs <= nowMs) return { id, tries };
    leastMs = Math.min(leastMs, atMs - nowMs);
  }
  return leastMs === Infinity ? null : leastMs;
};

/** `isComparing`: a folder is being compared with the ledger; its files are asked about before one of them is read. */
export const createNoter = (
  { ports, rows, work }: Pick<Core, 'ports' | 'rows' | 'work'>,
  isComparing: () => boolean,
) => {
  const { ledger, clock } = ports;
  const waiting: Waiting = new Map();
  let isResumed = false;
  const want = (id: number): void => void waiting.set(id, { atMs: -Infinity, tries: 0 });

  /** In a transaction: the row is as it was when its content was read. */
  const keep = (row: Upload, sha256: string, by = keptContentOf(row)): void => {
    if (by === null || row.stamp === null || ledger.decisions.keptBy(sha256) === by) return;
    ledger.decisions.keep(sha256, by, row.stamp.sizeBytes);
  };

  /** False: it has to be read again. */
  const note = async (id: number): Promise<boolean> => {
    const row = ledger.uploads.byId(id);
    if (row === null || !row.present || row.stamp === null || keptContentOf(row) === null) return true;
    if (row.sha256 !== null) {
      const { sha256 } = row;
      ledger.atomically(() => keep(row, sha256));
      return true;
    }
    const path = joinPath(row.dir, row.name);
    const sha256 = await digestOrNull(ports, path, rootOf(ledger, row), row.stamp.key, work.signal);
    // Another program has it open, it was changed meanwhile, or its drive does not answer.
    if (sha256 === null) return false;
    ledger.atomically(() => {
      const now = ledger.uploads.byId(id);
      // It was approved or changed while it was being read.
      if (now?.stamp?.key !== row.stamp?.key || now === null || keptContentOf(now) === null) return;
      const hashed = rows.apply(id, { kind: 'hashed', sha256 });
      if (hashed !== 'stale') keep(hashed, sha256);
    });
    return true;
  };

  const leftOut = (): readonly number[] => {
    const ids = ledger.facts.get('left-out-unread')?.value ?? [];
    if (ids !== 'all') return ids;
    const left = ledger.uploads
      .inState('skipped', 'all')
      .filter((row) => row.present && row.sha256 === null && keptContentOf(row) !== null)
      .map(({ id }) => id);
    ledger.facts.set('left-out-unread', left, clock.wallMs());
    return left;
  };

  const takeLeftOut = (): void => {
    for (const id of leftOut()) if (!waiting.has(id)) want(id);
  };

  const turn = async (): Promise<number | null> => {
    if (isComparing()) return comparingMs;
    takeLeftOut();
    const fromMs = clock.monoMs();
    const noted = new Set<number>();
    for (let isDone = true; isDone && !work.signal.aborted;) {
      const first = firstDue(waiting, clock.monoMs());
      if (first === null || typeof first === 'number') {
        if (noted.size === 0) return first;
        break;
      }
      const { id, tries } = first;
      isDone = await note(id);
      waiting.delete(id);
      if (isDone) noted.add(id);
      else {
        const againMs = Math.min(mostAgainMs, firstAgainMs * 2 ** tries);
        waiting.set(id, { atMs: clock.monoMs() + againMs, tries: tries + 1 });
      }
      if (isComparing() || clock.monoMs() - fromMs >= atOnceMs) break;
    }
    const left = leftOut();
    const rest = left.filter((id) => !noted.has(id));
    if (left.length > 0 && rest.length === 0) ledger.facts.remove('left-out-unread');
    else if (rest.length < left.length) ledger.facts.set('left-out-unread', rest, clock.wallMs());
    return Math.min(mostRestMs, restShare * (clock.monoMs() - fromMs));
  };
  const loop = createLoop({ name: 'noter', ports, work, turn });

  rows.onMove(({ row, before, by: event }) => {
    const wasUnwanted = before !== null && isUnwanted(before);
    const isNo = isUnwanted(row.state);
    const isYes = event === 'kept' || (event === 'wanted' && wasUnwanted);
    if (isYes && row.sha256 !== null) ledger.decisions.release(row.sha256);
    const by = isNo ? 'cancelled' : keptContentOf(row);
    if (by === null || row.stamp === null) return;
    // In the transaction of the answer: from here on it belongs to the content. A no to an upload that is on its way counts
    // from then on, and not from its end: a person may have said yes to the content in between.
    if (row.sha256 === null) want(row.id);
    // An earlier version stored such a no at the end only; then there is no decision about a content of this size.
    else if (by !== 'cancelled' || !wasUnwanted || !ledger.decisions.knowsSize(row.stamp.sizeBytes))
      keep(row, row.sha256, by);
    loop.wake();
  });

  return {
    /** Takes up what is held or was left out by an earlier run or another process. */
    resume(): void {
      if (!isResumed) {
        isResumed = true;
        for (const { id, sha256 } of ledger.uploads.inState('held', mostAtStart))
          if (sha256 === null) want(id);
      }
      loop.wake();
    },
    stop: loop.stop,
  };
};
