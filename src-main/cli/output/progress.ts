// One bar on a terminal: for the file under way, or for all when there are several.
import type { Entry, Progress } from '../../contract/entries.ts';
import { splitPath } from '../../engine/shared/paths.ts';
import { barLine, columnsOfStream, createPace } from './layout.ts';
import { createLiveLine } from './live-line.ts';
import type { Session } from '../session.ts';

export type Bars = {
  /** Adds a file that is to be uploaded to the total. */
  expect(uploadId: number, sizeBytes: number): void;
  progress(progress: readonly Progress[]): void;
  /** The file is done, or no longer being uploaded. */
  heard(entry: Entry): void;
  stop(): void;
};

const none: Bars = {
  expect: () => undefined,
  progress: () => undefined,
  heard: () => undefined,
  stop: () => undefined,
};

export const createBars = ({ output, stderr, options, env }: Session): Bars => {
  const isDrawn = stderr.isTTY === true && env['TERM'] !== 'dumb';
  if (options.progress === false || output.json || output.quiet || !isDrawn) return none;
  const live = createLiveLine(stderr);
  output.around = live.above;
  const pace = createPace();
  const sizes = new Map<number, number>();
  const sent = new Map<number, number>();
  const done = new Set<number>();
  const sum = (map: ReadonlyMap<number, number>): number => [...map.values()].reduce((a, b) => a + b, 0);
  /** A file counts with its latest size: it may have changed while it waited. */
  const draw = (name: string): void => {
    const sentBytes = sum(sent);
    const cells = {
      ...(sizes.size < 2 ? {} : { count: `${done.size} of ${sizes.size}` }),
      name,
      sentBytes,
      totalBytes: sum(sizes),
      bytesPerSecond: pace.at(performance.now(), sentBytes),
    };
    live.show(barLine(cells, columnsOfStream(stderr) ?? 80));
  };
  return {
    expect(uploadId, sizeBytes) {
      sizes.set(uploadId, sizeBytes);
    },
    progress(progress) {
      for (const { uploadId, sentBytes, totalBytes } of progress) {
        sizes.set(uploadId, totalBytes);
        sent.set(uploadId, sentBytes);
      }
      const last = progress.at(-1);
      if (last !== undefined) draw(splitPath(last.path).name);
    },
    heard({ uploadId, body }) {
      if (uploadId === null || body.kind === 'uploading') return;
      if (body.kind === 'queued') {
        sizes.set(uploadId, body.sizeBytes);
        return;
      }
      const size = sizes.get(uploadId);
      if (size === undefined) return;
      if (body.kind === 'uploaded') {
        done.add(uploadId);
        sent.set(uploadId, size);
      } else if (body.kind !== 'waiting') {
        // This file is no longer to be uploaded.
        sizes.delete(uploadId);
        sent.delete(uploadId);
      }
      if (sizes.size === done.size) live.end();
    },
    stop() {
      live.end();
      output.around = null;
    },
  };
};
