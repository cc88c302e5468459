// Gathers raw events into small batches. Events are hints, so a batch says as little as it can: names while they
// are few, the folder when they are many, everything when events were probably lost.
//
// Linux drops events when its queue is full (`max_queued_events`, 16,384) and Node does not report it. But Node
// always reads the queue to its end, so a loss shows as a batch near that size; and a loop that stood still for long
// is reason enough to doubt.
import type { Sighting } from '../../engine/ports.ts';

/** Long enough to gather what one save does, short beside the quiet time every file waits anyway (250 ms). */
const gatherMs = 25;
/** Names of one folder in a batch; one listing is cheaper than more looks. */
const namesPerFolder = 32;
/** Sightings in a batch that is sent before its time. */
const batchSize = 1000;
/** A batch that is this late means that the event loop was blocked. */
const lateMs = 1000;

/** Entries were added, removed or moved in `folder`: at these names, or, when null, anywhere in it. */
export type Moves = Map<string, Set<string> | null>;

export type Batch = { sightings: Sighting[]; moves: Moves; everything: boolean };

type Options = {
  root: string;
  /** Events in one batch from which on some were probably lost. */
  overflowAt: number;
  deliver: (batch: Batch) => void;
};

export const createHints = ({ root, overflowAt, deliver }: Options) => {
  let names: Moves = new Map();
  let moves: Moves = new Map();
  let sightings = 0;
  let events = 0;
  let lost = false;
  let dueMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let early: NodeJS.Immediate | undefined;

  const flush = (): void => {
    clearTimeout(timer);
    clearImmediate(early);
    timer = early = undefined;
    const everything = lost || events >= overflowAt || performance.now() - dueMs > lateMs;
    const batch = { sightings: everything ? [allOf(root)] : sightingsOf(names), moves, everything };
    names = new Map();
    moves = new Map();
    sightings = events = 0;
    lost = false;
    deliver(batch);
  };

  const arm = (): void => {
    if (timer === undefined) {
      dueMs = performance.now() + gatherMs;
      timer = setTimeout(flush, gatherMs);
    }
    // Not at once: all events that are waiting are read first, so that their number can be judged.
    if (sightings >= batchSize) early ??= setImmediate(flush);
  };

  return {
    /** `moved`: the event may be about a folder that came or went. A null name is somewhere in the folder. */
    hint: (folder: string, name: string | null, moved: boolean): void => {
      events += 1;
      if (note(names, folder, name)) sightings += 1;
      if (moved) note(moves, folder, name);
      arm();
    },
    everything: (): void => {
      lost = true;
      arm();
    },
    stop: (): void => {
      clearTimeout(timer);
      clearImmediate(early);
    },
  };
};

/** Returns true when that made one more sighting. */
const note = (map: Moves, folder: string, name: string | null): boolean => {
  const noted = map.get(folder);
  if (noted === null || (name !== null && noted?.has(name) === true)) return false;
  if (name === null || noted?.size === namesPerFolder) {
    map.set(folder, null);
    return noted === undefined;
  }
  if (noted === undefined) map.set(folder, new Set([name]));
  else noted.add(name);
  return true;
};

const allOf = (root: string): Sighting => ({ folder: root, name: null, everything: true });

const sightingsOf = (names: Moves): Sighting[] =>
  [...names].flatMap(([folder, noted]): Sighting[] =>
    noted === null ? [{ folder, name: null }] : [...noted].map((name) => ({ folder, name })),
  );
