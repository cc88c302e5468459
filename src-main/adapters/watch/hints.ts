// Gathers events into small batches. Events are hints, so a batch names as little as it can: files while they are few,
// the folder when they are many, everything when events were probably lost.
//
// Linux drops events when its queue is full (`max_queued_events`, 16,384) and Node does not report it. But Node
// always reads the queue to its end, so a loss shows as a batch near that size. All watches of a process share one queue
// (libuv, `uv__inotify_init`): what fills it with the events of one folder drops those of all others.
import type { Sighting } from '../../engine/ports/files.ts';

/** Long enough to gather what one save does, short beside the quiet time every file waits anyway (250 ms). */
const gatherMs = 25;
/** Names of one folder in a batch; beyond that, one listing is cheaper than looking at each. */
const namesPerFolder = 32;
/** A batch with this many sightings is sent early. */
const batchSize = 1000;
/** A batch that is this late shows that the event loop was blocked: macOS then drops events without reporting it. */
const lateMs = 1000;

/** Of all watches of this process. */
const queue = {
  /** In this batch. */
  events: 0,
  timer: undefined as NodeJS.Timeout | undefined,
  lose: new Set<() => void>(),
};

const countEvent = (overflowAt: number): void => {
  queue.events += 1;
  queue.timer ??= setTimeout(() => {
    queue.events = 0;
    queue.timer = undefined;
  }, gatherMs);
  if (queue.events === overflowAt) for (const lose of queue.lose) lose();
};

type Options = {
  root: string;
  /** From this many events of all watches in a batch on, some were probably lost. */
  overflowAt: number;
  /** `lost`: folders may also have come and gone unseen. */
  deliver: (sightings: Sighting[], lost: boolean) => void;
};

export const createHints = ({ root, overflowAt, deliver }: Options) => {
  /** The names in each folder; null: anywhere in it. */
  let names = new Map<string, Set<string> | null>();
  let sightings = 0;
  let lost = false;
  let wanted = false;
  let dueMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let early: NodeJS.Immediate | undefined;

  const flush = (): void => {
    clearTimeout(timer);
    clearImmediate(early);
    timer = early = undefined;
    const isLoss = lost;
    const isEverything = wanted || isLoss || performance.now() - dueMs > lateMs;
    const batch = isEverything
      ? [{ folder: root, name: null, everything: true as const }]
      : sightingsOf(names);
    names = new Map();
    sightings = 0;
    lost = wanted = false;
    deliver(batch, isLoss);
  };

  const arm = (): void => {
    if (timer === undefined) {
      dueMs = performance.now() + gatherMs;
      timer = setTimeout(flush, gatherMs);
    }
    // Not at once: all waiting events are read first, so that their number can be judged.
    if (sightings >= batchSize) early ??= setImmediate(flush);
  };

  const lose = (): void => {
    lost = true;
    arm();
  };
  queue.lose.add(lose);

  return {
    /** `name` null: somewhere in the folder. */
    hint: (folder: string, name: string | null): void => {
      countEvent(overflowAt);
      if (note(names, folder, name)) sightings += 1;
      arm();
    },
    everything: (): void => {
      wanted = true;
      arm();
    },
    stop: (): void => {
      queue.lose.delete(lose);
      clearTimeout(timer);
      clearImmediate(early);
    },
  };
};

/** Returns true when this adds a sighting. */
const note = (names: Map<string, Set<string> | null>, folder: string, name: string | null): boolean => {
  const noted = names.get(folder);
  if (noted === null || (name !== null && noted?.has(name) === true)) return false;
  if (name === null || noted?.size === namesPerFolder) {
    names.set(folder, null);
    return noted === undefined;
  }
  if (noted === undefined) names.set(folder, new Set([name]));
  else noted.add(name);
  return true;
};

const sightingsOf = (names: ReadonlyMap<string, ReadonlySet<string> | null>): Sighting[] =>
  [...names].flatMap(([folder, noted]): Sighting[] =>
    noted === null ? [{ folder, name: null }] : [...noted].map((name) => ({ folder, name })),
  );
