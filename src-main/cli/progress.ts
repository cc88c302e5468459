// Bars on a terminal: one for each file on its way, a line above them for what the queue waits for.
import { MultiBar, type SingleBar } from 'cli-progress';
import type { Progress } from '../contract/entries.ts';
import { splitPath } from '../engine/paths.ts';
import type { Output } from './output.ts';
import { bytesText, nameText } from './words.ts';

export type Bars = {
  progress(progress: readonly Progress[]): void;
  /** The file is done, or no longer on its way. */
  end(uploadId: number): void;
  stop(): void;
};

const nameColumns = 36;

const none: Bars = { progress: () => undefined, end: () => undefined, stop: () => undefined };

export const createBars = (output: Output, wanted: boolean): Bars => {
  if (!wanted || output.json || output.quiet || !process.stderr.isTTY) return none;
  const bars = new Map<number, SingleBar>();
  const all = new MultiBar({
    stream: process.stderr,
    format: '{name} {bar} {percentage}% {amount}',
    barCompleteChar: '━',
    barIncompleteChar: '─',
    barsize: 24,
    hideCursor: true,
    clearOnComplete: true,
    emptyOnZero: true,
    autopadding: true,
    linewrap: false,
    forceRedraw: true,
  });
  // A line printed while bars are drawn goes above them.
  output.around = (write) => {
    all.update();
    process.stderr.write('\r\x1b[J');
    write();
    all.update();
  };
  return {
    progress(progress) {
      for (const { uploadId, path, sentBytes, totalBytes } of progress) {
        const words = {
          name: nameText(splitPath(path).name, nameColumns).padEnd(nameColumns),
          amount:
            sentBytes === totalBytes
              ? 'the service is storing it'
              : `${bytesText(sentBytes)} of ${bytesText(totalBytes)}`,
        };
        const bar = bars.get(uploadId) ?? all.create(totalBytes, 0, words);
        bars.set(uploadId, bar);
        bar.update(sentBytes, words);
      }
    },
    end(uploadId) {
      const bar = bars.get(uploadId);
      if (bar === undefined) return;
      bars.delete(uploadId);
      all.remove(bar);
    },
    stop() {
      all.stop();
      output.around = null;
    },
  };
};
