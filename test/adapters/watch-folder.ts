// Shared by the tests of the watch: a watch that remembers, waiting for a sighting, counting the system's watches.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, vi } from 'vitest';
import { createWatch } from '../../src-main/adapters/watch/watch.ts';
import type { Sighting, Watch, WatchHealth } from '../../src-main/engine/ports/files.ts';

type Options = Partial<Parameters<Watch['start']>[0]>;

export const watching = async (
  root: string,
  options: Options = {},
  setup: Parameters<typeof createWatch>[0] = {},
) => {
  let sightings: Sighting[] = [];
  const health: WatchHealth[] = [];
  const { stop } = await createWatch(setup).start({
    root,
    recursive: true,
    sighted: (batch) => {
      sightings.push(...batch);
    },
    health: (now) => {
      health.push(now);
    },
    signal: new AbortController().signal,
    ...options,
  });
  onTestFinished(stop);
  return {
    health,
    stop,
    get sightings(): readonly Sighting[] {
      return sightings;
    },
    forget: (): void => {
      sightings = [];
    },
  };
};

export const sees = (watch: { sightings: readonly Sighting[] }, sighting: Sighting): Promise<void> =>
  vi.waitFor(() => expect(watch.sightings).toContainEqual(sighting), { timeout: 10_000, interval: 10 });

/** The inotify watches of this process. */
export const watchCount = (): number =>
  readdirSync('/proc/self/fdinfo')
    .map((fd) => {
      try {
        return readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1');
      } catch {
        return '';
      }
    })
    .reduce((count, lines) => count + (lines.match(/^inotify /gm)?.length ?? 0), 0);

/** Keeps the loop from turning. */
export const block = (forMs: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs);
};
