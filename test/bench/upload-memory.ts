// Goal 4 of performance: memory does not grow with the file, with uploads at once, or with a slow receiver. Sparse
// files: nothing is read faster than holes, so buffers that can pile up do so here.
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { createPeers, interleave, judge, type Bench, type Contestant } from './frame.ts';
import { figuresOf, measure, shippedCommand } from './measure.ts';
import { makePlace } from './outtray.ts';
import { chart } from './show.ts';
import { startSink, uploadCommand, type Sink } from './sink.ts';

const MiB = 1024 ** 2;
const smallMiB = 64;
const sizesMiB = [smallMiB, 512, 2_048, 8_192];
const slowBytesPerSecond = 24 * MiB;
const atOnce = 4;
const goals = { large: 1.1, atOnce: 1.1, slow: 1.1 };

/** Its first bytes differ, because the same content is not sent twice. */
const makeSparse = (file: string, sizeBytes: number): string => {
  const fd = openSync(file, 'w');
  writeSync(fd, file);
  ftruncateSync(fd, sizeBytes);
  closeSync(fd);
  return file;
};

export const bench: Bench = {
  name: 'upload-memory',
  goal: `peak memory: at 8 GiB ≤ ${goals.large} × that at ${smallMiB} MiB, ${atOnce} at once ≤ ${goals.atOnce} ×, slow receiver ≤ ${goals.slow} ×`,
  async run() {
    const peers = createPeers();
    const command = await shippedCommand();
    const place = makePlace();
    const fast = await startSink();
    const slow = await startSink({ bytesPerSecond: slowBytesPerSecond });
    try {
      const sparse = (name: string, sizeMiB: number): string =>
        makeSparse(path.join(place.folder, name), sizeMiB * MiB);
      const contestant = (name: string, sink: Sink, files: readonly string[]): Contestant => ({
        name,
        run: async () => figuresOf(await measure(await uploadCommand(command, place.folder, sink, files))),
      });
      const labels = new Map(
        sizesMiB.map((size) => [size, size < 1_024 ? `${size} MiB` : `${size / 1_024} GiB`]),
      );
      const several = Array.from({ length: atOnce }, (_, at) => sparse(`at-once-${at}`, smallMiB));
      const bySize = [...labels].map(([size, label]) =>
        contestant(label, fast, [sparse(`big-${size}`, size)]),
      );
      // Seconds a round, and memory hardly varies: three do.
      const long = await interleave({ rounds: 3, warmup: 0, contestants: bySize });
      const short = await interleave({
        rounds: 7,
        warmup: 0,
        contestants: [
          ...bySize.slice(0, 1),
          contestant('at once', fast, several),
          contestant('slow', slow, [sparse('slow', smallMiB)]),
        ],
      });
      const small = labels.get(smallMiB) ?? '';
      const large = [...labels.values()].at(-1) ?? '';
      const growth = chart(
        'peak memory in MiB by size of the file',
        [...labels].map(([size, label]) => ({
          label,
          x: size,
          value: long.spread(label, 'peakBytes').median / MiB,
        })),
      );
      return {
        ...judge([
          {
            what: `memory at ${large} × at ${small}`,
            value: long.ratio(large, small, 'peakBytes'),
            atMost: goals.large,
          },
          {
            what: `${atOnce} at once × one`,
            value: short.ratio('at once', small, 'peakBytes'),
            atMost: goals.atOnce,
          },
          {
            what: 'slow receiver × fast',
            value: short.ratio('slow', small, 'peakBytes'),
            atMost: goals.slow,
          },
        ]),
        ...short.summary(),
        bySize: long.summary(),
        ...peers.summary(),
        growth,
      };
    } finally {
      await fast.stop();
      await slow.stop();
      place.remove();
    }
  },
};
