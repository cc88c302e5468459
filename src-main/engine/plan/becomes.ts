// What becomes of a file that is planned, by the functions that decide in the real run.
import { AppError } from '../../contract/errors.ts';
import { type UploadState } from '../../contract/model.ts';
import type { Service } from '../account/service.ts';
import { allowanceOf } from '../candidate/allowance.ts';
import { placeFor } from '../candidate/candidate.ts';
import { decideSettled, failedBy } from '../discover/decide.ts';
import { judgeGiven } from '../discover/given-by-path.ts';
import { createBursts, isLargeAlone, isOnlyOfBurst } from '../discover/bursts.ts';
import { brakeOf, brakeSpanMs, createQuietPeriods } from '../discover/quiet-period.ts';
import { createFileRecorder } from '../discover/record-file.ts';
import { createNoteLeft } from '../discover/scan.ts';
import { createInspection } from '../inspect/inspection.ts';
import { isOldEnough, restedMsOf } from '../shared/file-version.ts';
import type { Found, Stamp } from '../ports/files.ts';
import type { Ports } from '../ports/ports.ts';
import { newRow, type Upload } from '../ports/uploads.ts';
import { renewed } from '../shared/file-version.ts';
import { isInFirstScan, isOfFirstScan, rootOf, type ActiveFolder } from '../shared/folder.ts';
import { judgeByHand } from '../shared/names/name-rules.ts';
import { joinPath, relativeTo, splitPath } from '../shared/paths.ts';
import { digestOrNull, isHeldUncertain } from '../shared/same-content.ts';
import { isInGrace } from '../shared/waits.ts';
import { keysOf } from '../upload/picker.ts';
import { namedFile } from '../shared/sent-name.ts';

import type { Item, World } from './places.ts';

/**
 * What would be recorded: the file settles, or has its state already. `isNew`: it counts for a burst. `quietMs`: how
 * long it still has to stay unchanged, as far as this is known without a look at its writers.
 */
export type Recorded =
  | { kind: 'settles'; row: Upload; stamp: Stamp; isNew: boolean; quietMs: number }
  | { kind: 'is'; state: UploadState; row: Upload | null };

/** Returns what would be recorded of an item. Null: nothing is there any more. */
export const createRecord = ({ ports, rows, discovery }: World) => {
  const { ledger, clock, settings } = ports;
  const quiet = createQuietPeriods(() => ({ settleMs: 0 }));
  // This one only answers questions: nothing settles in it, and it counts no burst.
  const recorder = createFileRecorder({
    ports,
    rows,
    quiet,
    bursts: { ...createBursts(() => settings.current()), isHeldOnArrival: () => false },
    isWatched: discovery.choice.isWatched,
    left: () => undefined,
  });
  const noteLeft = createNoteLeft(ports, recorder);

  const settles = (row: Upload, stamp: Stamp, isNew: boolean, quietMs: number): Recorded => ({
    kind: 'settles',
    row: row.stamp?.key === stamp.key ? row : { ...row, ...renewed(row, stamp) },
    stamp,
    isNew,
    quietMs,
  });

  /** The quiet time of a file of the folder. `version`: its row, or the one that it replaces. */
  const quietInFolderMs = (version: Upload | null, isReplaced: boolean): number => {
    const sinceMs = clock.wallMs() - brakeSpanMs;
    const earlier = version === null ? 0 : ledger.uploads.versionsBefore(version.id, sinceMs);
    const replaced = isReplaced && (version?.uploadedAtMs ?? 0) >= sinceMs ? 1 : 0;
    return Math.max(settings.current().settleMs, brakeOf(earlier + replaced));
  };
  const quietGivenMs = (folderId: number | null, stamp: Stamp): number =>
    folderId === null && isOldEnough(restedMsOf(stamp, clock.wallMs())) ? 0 : settings.current().settleMs;

  /** A row that waits is looked at again. */
  const asItIs = (row: Upload, found: Found, active: ActiveFolder | null): Recorded => {
    const { state } = row;
    const isDecided = state.kind !== 'settling' && (state.kind !== 'waiting' || isInGrace(row));
    if (isDecided || found.stamp === null) return { kind: 'is', state, row };
    const isNew = active !== null && !row.confirmed && !isOfFirstScan(active.row, row.id);
    const quietMs = active === null ? quietGivenMs(row.folderId, found.stamp) : quietInFolderMs(row, false);
    const isQuiet = state.kind === 'settling' && row.stamp?.key === found.stamp.key;
    const passedMs = isQuiet ? clock.wallMs() - row.changedAtMs : 0;
    return settles(row, found.stamp, isNew && state.kind === 'settling', Math.max(0, quietMs - passedMs));
  };

  /** The row with which the file would begin. */
  const draft = (path: string, stamp: Stamp | null, more: Partial<Upload>): Upload => ({
    id: 0,
    ...newRow(
      { folderId: null, ...splitPath(path), stamp, state: { kind: 'settling' }, door: 'command' },
      clock.wallMs(),
      ledger.accounts.present(),
    ),
    ...more,
  });

  const asScanned = async (path: string, found: Found, active: ActiveFolder): Promise<Recorded | null> => {
    const { dir, name } = splitPath(path);
    const ofFolder = ledger.uploads.presentAt(active.row.id, dir, name);
    if (ofFolder === null) await noteLeft(found);
    const seen = recorder.foresee(active, dir, found, ofFolder);
    if (seen === null) return null;
    if ('id' in seen) return asItIs(seen, found, active);
    const { state, isNew, wantsAnother, known } = seen;
    const { stamp } = found;
    if (state.kind !== 'settling' || stamp === null) return { kind: 'is', state, row: known };
    const more = { folderId: active.row.id, door: 'folder' as const, wantsAnother };
    // A known row gets the new version, or keeps its outcome and another row stands for the file.
    const row =
      known === null || isNew
        ? draft(path, stamp, { ...more, sameAsId: known?.id ?? null })
        : { ...known, ...renewed(known, stamp), ...more, state, sha256: null, sent: null };
    return settles(row, stamp, isNew && !isInFirstScan(active), quietInFolderMs(known, isNew));
  };

  const asGiven = (path: string, found: Found | Error | null): Recorded => {
    const what = judgeGiven(
      ledger,
      discovery.choice.folderIdOf,
      { path, found },
      { again: false, agent: null },
    );
    if (what.kind === 'stays')
      return found === null || found instanceof Error
        ? { kind: 'is', state: what.row.state, row: what.row }
        : asItIs(what.row, found, null);
    if (what.kind === 'refused') return { kind: 'is', state: failedBy(what.error), row: null };
    const { state, stamp, known, isBeside, folderId, confirmed, wantsAnother } = what;
    if (state.kind !== 'settling' || stamp === null) return { kind: 'is', state, row: known };
    const more = { folderId, confirmed, wantsAnother };
    const row =
      known === null || isBeside
        ? draft(path, stamp, { ...more, sameAsId: known?.id ?? null })
        : { ...known, state, stamp, sha256: null, sent: null, confirmed, wantsAnother };
    return settles(row, stamp, false, quietGivenMs(folderId, stamp));
  };

  return async ({ path, folder, ...item }: Item): Promise<Recorded | null> => {
    if (!('found' in item)) return null;
    const { found, leftOut } = item;
    if (leftOut !== undefined) return { kind: 'is', state: leftOut, row: null };
    if (found === null || found instanceof Error) return asGiven(path, found);
    return folder === null ? asGiven(path, found) : await asScanned(path, found, folder);
  };
};

/** What a file that settles becomes. */
export const createDecide = (
  ports: Ports,
  { account }: Pick<Service, 'account'>,
  { isBurst, signal }: { isBurst: boolean; signal: AbortSignal },
) => {
  const work = { signal, isRunning: () => true, isOn: () => true };
  const inspection = createInspection(
    { ports, work },
    { done: () => undefined, isHeldBack: () => false, note: () => undefined },
  );
  const changed = failedBy(new AppError('changed', ''));

  return async (
    { row, stamp, isNew }: Extract<Recorded, { kind: 'settles' }>,
    item: Item,
  ): Promise<UploadState> => {
    const now = ports.settings.current();
    const { path, folder } = item;
    const one = { row, path, stamp };
    const settling = {
      one,
      name:
        folder === null
          ? judgeByHand(now, namedFile(path))
          : folder.names.judge(namedFile(relativeTo(folder.row.path, path) ?? path)),
      maxFileSizeBytes: account.maxFileSizeBytes(),
      burst:
        folder === null
          ? null
          : isLargeAlone(ports, row, stamp.sizeBytes)
            ? ('large' as const)
            : isBurst
              ? ('burst' as const)
              : null,
      isToLookInto: inspection.isWanted,
    };
    // The question about a burst does not wait for what a look would show.
    if (isNew && settling.burst === 'burst') {
      const rules = await allowanceOf(ports.files, now);
      const place = await placeFor(ports.files, rules, path);
      if (isOnlyOfBurst(ports, one, place, settling, rules)) return { kind: 'held', reason: 'burst' };
    }
    let outcome = await decideSettled(ports, settling, signal);
    if (outcome.kind === 'look') {
      const inside = await inspection.lookNow(one);
      if (signal.aborted) throw new AppError('aborted', 'Interrupted. Nothing was changed.');
      if (inside instanceof AppError) return failedBy(inside);
      if (inside === 'changed') return changed;
      outcome = await decideSettled(ports, settling, signal, inside);
    }
    switch (outcome.kind) {
      case 'is':
      case 'new':
        return outcome.state;
      case 'unread':
        return failedBy(outcome.fault);
      case 'same-file':
        // The row of that upload moves to this path, and keeps its state.
        return isHeldUncertain(outcome.twin.state)
          ? { kind: 'held', reason: 'uncertain' }
          : outcome.twin.state;
      case 'unfinished':
        return { kind: 'skipped', rule: 'partial' };
      case 'look':
      case 'changed':
        return changed;
    }
  };
};

/**
 * The queue sends new files with the same name and size one after the other, and compares each with those that are
 * uploaded by then.
 */
export const createTwins = (ports: Ports, signal: AbortSignal) => {
  const once = new Set<string>();
  const twice = new Set<string>();
  const sent = new Map<string, string[]>();
  const sha256Of = async (row: Upload): Promise<string | null> =>
    row.stamp === null
      ? null
      : (row.sha256 ??
        (await digestOrNull(
          ports,
          joinPath(row.dir, row.name),
          rootOf(ports.ledger, row),
          row.stamp.key,
          signal,
        )));
  return {
    count(row: Upload): void {
      for (const key of keysOf(row)) (once.has(key) ? twice : once).add(key);
    },
    /** Whether a file that goes earlier has the same content. */
    async isShared(row: Upload): Promise<boolean> {
      const keys = keysOf(row).filter((key) => twice.has(key));
      if (keys.length === 0) return false;
      const sha256 = await sha256Of(row);
      if (sha256 === null) return false;
      const isShared = keys.some((key) => sent.get(key)?.includes(sha256) === true) && !row.wantsAnother;
      for (const key of keys) sent.set(key, [...(sent.get(key) ?? []), sha256]);
      return isShared;
    },
  };
};
