// Goal 3 of performance: many small files, the limiter opened as far as the settings go, a fresh connection and every
// durable point for each, beside rclone over S3, which has neither, and beside a bare program in Node that does nothing
// but what the promises ask for (post.child.mjs), once with its notes in a file, once over the libraries that Outtray is
// built on (post-libraries.child.mjs).
import { randomFillSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createPeers, interleave, judge, type Bench, type Contestant } from './frame.ts';
import { builtCommand, measure, type Command } from './measure.ts';
import { makePlace } from './outtray.ts';
import { rcloneCommand, startSink, uploadCommand } from './sink.ts';

const files = 2_000;
const sizeBytes = 16 * 1024;
const barePost = path.join(import.meta.dirname, 'post.child.mjs');
const postOverLibraries = path.join(import.meta.dirname, 'post-libraries.child.mjs');
const goals = { rclone: 0.5, cpuMs: 1 };
const opened = { requestsPerMinute: 100_000, requestsPerDay: 100_000_000 };

export const bench: Bench = {
  name: 'upload-many',
  goal: `${files} × 16 KiB: ≥ ${goals.rclone} × rclone over S3 with 4 transfers, ≤ ${goals.cpuMs} ms of processor time a file`,
  async run() {
    const peers = createPeers();
    const rclone = peers.find('rclone', 'rclone', 'version');
    const built = await builtCommand();
    const place = makePlace();
    const sink = await startSink();
    try {
      const folder = path.join(place.folder, 'files');
      mkdirSync(folder);
      const paths = Array.from({ length: files }, (_, at) => path.join(folder, `file ${at}.bin`));
      for (const file of paths) writeFileSync(file, randomFillSync(Buffer.alloc(sizeBytes)));
      const measured = async (command: Command) => {
        const before = await sink.counts();
        const { wallMs, cpuMs, peakBytes } = await measure(command);
        const sent = (await sink.counts()).uploads - before.uploads;
        if (sent !== files) throw new Error(`${sent} of ${files} files arrived.`);
        return { wallMs, filesPerSecond: (1_000 * files) / wallMs, cpuMsPerFile: cpuMs / files, peakBytes };
      };
      const contestants: (Contestant | null)[] = [
        {
          name: 'outtray',
          run: async () => measured(await uploadCommand(built, place.folder, sink, paths, opened)),
        },
        {
          name: 'undici and SQLite',
          run: () => measured({ file: process.execPath, args: [postOverLibraries, sink.origin, ...paths] }),
        },
        {
          name: 'bare Node',
          run: () => measured({ file: process.execPath, args: [barePost, sink.origin, ...paths] }),
        },
        rclone && { name: 'rclone copy', run: () => measured(rcloneCommand('copy', 's3', sink, folder)) },
      ];
      const rounds = await interleave({ rounds: 7, contestants: contestants.filter((one) => one !== null) });
      return {
        ...judge([
          {
            what: 'files a second × rclone',
            value: rounds.ratio('outtray', 'rclone copy', 'filesPerSecond'),
            atLeast: goals.rclone,
          },
          {
            what: 'ms of processor time a file',
            value: rounds.spread('outtray', 'cpuMsPerFile').median,
            atMost: goals.cpuMs,
          },
        ]),
        limits: {
          'files a second, undici and SQLite × rclone': rounds.ratio(
            'undici and SQLite',
            'rclone copy',
            'filesPerSecond',
          ),
          'ms of processor time a file, undici and SQLite': rounds.spread('undici and SQLite', 'cpuMsPerFile')
            .median,
          'files a second, bare Node × rclone': rounds.ratio('bare Node', 'rclone copy', 'filesPerSecond'),
          'ms of processor time a file, bare Node': rounds.spread('bare Node', 'cpuMsPerFile').median,
        },
        ...rounds.summary(),
        ...peers.summary(),
      };
    } finally {
      await sink.stop();
      place.remove();
    }
  },
};
