// Bars on a terminal: one for each file on its way, and one for all of them when there are several.
import { MultiBar, type SingleBar } from 'cli-progress';
import type { Entry, Progress } from '../../contract/entries.ts';
import { splitPath } from '../../engine/shared/paths.ts';
import { barLine, columnsOfStream, createPace, type BarCells } from './layout.ts';
import type { Session } from '../session.ts';

export type Bars = {
  /** A file that is to go up counts in the bar of all. */
  expect(uploadId: number, sizeBytes: number): void;
  progress(progress: readonly Progress[]): void;
  /** The file is done, or no longer on its way. */
  heard(entry: Entry): void;
  stop(): void;
};

const none: Bars = {
  expect: () => undefined,
  progress: () => undefined,
  heard: () => undefined,
  stop: () => undefined,
};

export const createBars = ({ output, stderr, options }: Session): Bars => {
  if (options.progress === false || output.json || output.quiet || stderr.isTTY !== true) return none;
  const all = new MultiBar({
    stream: stderr,
    format: (_options, _params, cells: BarCells) => barLine(cells, columnsOfStream(stderr) ?? 80),
    hideCursor: true,
    clearOnComplete: true,
    emptyOnZero: true,
    linewrap: false,
    forceRedraw: true,
  });
  // A line printed while bars are drawn goes above them.
  output.around = (write) => {
    all.update();
    stderr.write('\r\x1b[J');
    write();
    all.update();
  };
  const createBar = (name: string) => {
    let bar: SingleBar | null = null;
    const pace = createPace();
    return {
      draw(sentBytes: number, totalBytes: number): void {
        const cells = { name, sentBytes, totalBytes, bytesPerSecond: pace.at(performance.now(), sentBytes) };
        bar ??= all.create(totalBytes, 0, cells);
        bar.update(sentBytes, cells);
      },
      rename(to: string): void {
        name = to;
      },
      remove(): void {
        if (bar !== null) all.remove(bar);
      },
    };
  };
  const bars = new Map<number, ReturnType<typeof createBar>>();
  const total = createBar('');
  const sizes = new Map<number, number>();
  const sent = new Map<number, number>();
  const done = new Set<number>();
  const drawTotal = (): void => {
    if (sizes.size < 2) return;
    const sum = (map: ReadonlyMap<number, number>): number => [...map.values()].reduce((a, b) => a + b, 0);
    total.rename(`Total ${done.size} of ${sizes.size}`);
    total.draw(sum(sent), sum(sizes));
  };
  return {
    expect(uploadId, sizeBytes) {
      sizes.set(uploadId, sizeBytes);
    },
    progress(progress) {
      if (bars.size === 0) drawTotal();
      for (const { uploadId, path, sentBytes, totalBytes } of progress) {
        const bar = bars.get(uploadId) ?? createBar(splitPath(path).name);
        bars.set(uploadId, bar);
        if (sizes.has(uploadId)) sent.set(uploadId, sentBytes);
        bar.draw(sentBytes, totalBytes);
      }
      drawTotal();
    },
    heard({ uploadId, body }) {
      if (uploadId === null || body.kind === 'uploading') return;
      if (body.kind === 'queued') {
        sizes.set(uploadId, body.sizeBytes);
        return;
      }
      bars.get(uploadId)?.remove();
      bars.delete(uploadId);
      const size = sizes.get(uploadId);
      if (size === undefined) return;
      if (body.kind === 'uploaded') {
        done.add(uploadId);
        sent.set(uploadId, size);
      } else if (body.kind !== 'waiting') {
        // Not one of those that go up any more.
        sizes.delete(uploadId);
        sent.delete(uploadId);
      }
    },
    stop() {
      all.stop();
      output.around = null;
    },
  };
};
