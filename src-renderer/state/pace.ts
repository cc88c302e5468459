// How fast an upload goes, from its progress messages. Pure.
import type { Progress } from '../../src-main/contract/entries.ts';

export type Pace = {
  sentBytes: number;
  totalBytes: number;
  atMs: number;
  /** Smoothed; null until two messages have come. */
  bytesPerSecond: number | null;
};

/** The half-life of a measurement's weight: steady enough to read, and quick enough after a change. */
const HALF_LIFE_MS = 2_000;

/** `nowMs`: monotonic, or a clock that is set back would hold up the pace. */
export const nextPace = (before: Pace | undefined, progress: Progress, nowMs: number): Pace => {
  const { sentBytes, totalBytes } = progress;
  if (before === undefined || sentBytes < before.sentBytes) {
    return { sentBytes, totalBytes, atMs: nowMs, bytesPerSecond: null };
  }
  const passedMs = nowMs - before.atMs;
  if (passedMs <= 0) return { ...before, sentBytes, totalBytes };
  const measured = ((sentBytes - before.sentBytes) * 1000) / passedMs;
  const keep = before.bytesPerSecond === null ? 0 : 0.5 ** (passedMs / HALF_LIFE_MS);
  return {
    sentBytes,
    totalBytes,
    atMs: nowMs,
    bytesPerSecond: (before.bytesPerSecond ?? 0) * keep + measured * (1 - keep),
  };
};

/** The share of an upload that is sent. */
export const sentOf = (pace: Pace | undefined): number =>
  pace === undefined ? 0 : pace.totalBytes === 0 ? 1 : pace.sentBytes / pace.totalBytes;

export type Paces = ReadonlyMap<number, Pace>;
export const noPaces: Paces = new Map();

export const nextPaces = (before: Paces, progress: readonly Progress[], nowMs: number): Paces => {
  const next = new Map(before);
  for (const one of progress) next.set(one.uploadId, nextPace(before.get(one.uploadId), one, nowMs));
  return next;
};

/** Time until the last byte at this pace; null when it is not known. */
export const leftMs = (pace: Pace): number | null =>
  pace.bytesPerSecond === null || pace.bytesPerSecond < 1
    ? null
    : ((pace.totalBytes - pace.sentBytes) * 1000) / pace.bytesPerSecond;
