// Memory of what passes through the spool: that of a zip does not grow with its files, that of standard input not with
// its length. Sparse files and zeros, because nothing is read or written faster.
import { closeSync, ftruncateSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { interleave, judge, type Bench, type Contestant } from './frame.ts';
import { figuresOf, measure, shippedCommand } from './measure.ts';
import { makePlace } from './outtray.ts';
import { startSink, uploadCommand } from './sink.ts';

const MiB = 1024 ** 2;
const zipBytes = 3_000_000_000;
const zips = { few: 100, many: 10_000 };
/** From 8 MiB on a thread of its own hashes what is sent: it costs the same for every larger input. */
const inputs = { tiny: MiB, short: 64 * MiB, middle: 512 * MiB, long: 2_048 * MiB };
/** Half a minute on a machine that does nothing else. */
const mostMs = 1_800_000;
const goals = { zip: 1.5, input: 1.1 };

/** A tree as a person has it: a hundred files in a folder. */
const makeTree = (root: string, count: number): string => {
  for (let at = 0; at < count; at += 1) {
    const folder = path.join(root, `folder ${Math.floor(at / 100)}`);
    if (at % 100 === 0) mkdirSync(folder, { recursive: true });
    const fd = openSync(path.join(folder, `file ${at}.bin`), 'w');
    ftruncateSync(fd, zipBytes / count);
    closeSync(fd);
  }
  return root;
};

export const bench: Bench = {
  name: 'pack-memory',
  extra: true,
  goal: `peak memory: a zip of ${zips.many} files with 3 GB ≤ ${goals.zip} × one of ${zips.few} with 3 GB; standard input of 2 GiB ≤ ${goals.input} × 512 MiB`,
  async run() {
    const shipped = await shippedCommand();
    const place = makePlace();
    const sink = await startSink();
    const contestant = (name: string, args: readonly string[], stdinBytes?: number): Contestant => ({
      name,
      run: async () => {
        const command = await uploadCommand(shipped, place.folder, sink, args);
        return figuresOf(
          await measure({ ...command, mostMs, ...(stdinBytes === undefined ? {} : { stdinBytes }) }),
        );
      },
    });
    const zipped = (name: string, count: number): Contestant =>
      contestant(name, ['--zip', makeTree(path.join(place.folder, name), count)]);
    const piped = (name: string, bytes: number): Contestant =>
      contestant(name, ['-', '--name', 'input.bin', '--size', String(bytes)], bytes);
    try {
      // Half a minute a round, and memory hardly varies: three do.
      const rounds = await interleave({
        rounds: 3,
        warmup: 0,
        contestants: [
          zipped('few files', zips.few),
          zipped('many files', zips.many),
          piped('tiny input', inputs.tiny),
          piped('short input', inputs.short),
          piped('middle input', inputs.middle),
          piped('long input', inputs.long),
        ],
      });
      return {
        ...judge([
          {
            what: `zip of ${zips.many} files × of ${zips.few}`,
            value: rounds.ratio('many files', 'few files', 'peakBytes'),
            atMost: goals.zip,
          },
          {
            what: 'input of 2 GiB × of 512 MiB',
            value: rounds.ratio('long input', 'middle input', 'peakBytes'),
            atMost: goals.input,
          },
        ]),
        ...rounds.summary(),
      };
    } finally {
      await sink.stop();
      place.remove();
    }
  },
};
