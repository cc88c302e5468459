// Goal 3 of performance: one large file, the whole command with SHA-256 and ledger, beside curl and rclone. rclone uses
// WebDAV, where it hashes nothing. A bare hash of the same bytes is the lower bound for any sender with a SHA-256.
import { randomFillSync } from 'node:crypto';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { createPeers, interleave, judge, type Bench, type Contestant } from './frame.ts';
import { builtCommand, figuresOf, measure, shippedCommand, type Command } from './measure.ts';
import { makePlace } from './outtray.ts';
import { median } from './show.ts';
import { curlCommand, rcloneCommand, startSink, uploadCommand } from './sink.ts';

const sizeBytes = 1024 ** 3;
const goals = { curl: 1.8, rclone: 2.1, blockMs: 20 };
/** Separate runs measure the event loop, because measuring it takes time. */
const blockRuns = 5;
const child = (name: string): string => path.join(import.meta.dirname, name);

const writeFile = (file: string): void => {
  const piece = randomFillSync(Buffer.alloc(8 * 1024 * 1024));
  const fd = openSync(file, 'w');
  for (let at = 0; at < sizeBytes; at += piece.length) {
    piece.writeDoubleLE(at);
    writeSync(fd, piece);
  }
  closeSync(fd);
};

/** The longest moment in which the event loop of this command stood still. */
const longestBlockMs = async (command: Command, blocksFile: string): Promise<number> => {
  await measure({
    ...command,
    args: ['--import', child('blocks.child.mjs'), ...command.args],
    env: { ...command.env, OUTTRAY_BENCH_BLOCKS: blocksFile },
  });
  const blocks = JSON.parse(readFileSync(blocksFile, 'utf8')) as { blockMs: number }[];
  return Math.max(0, ...blocks.map(({ blockMs }) => blockMs));
};

export const bench: Bench = {
  name: 'upload-big',
  goal: `outtray upload of 1 GiB, whole process: ≤ ${goals.curl} × curl -F, ≤ ${goals.rclone} × rclone copyto, event loop never blocked over ${goals.blockMs} ms`,
  async run() {
    const peers = createPeers();
    const [curl, rclone] = [peers.find('curl'), peers.find('rclone', 'rclone', 'version')];
    const built = await builtCommand();
    const shipped = await shippedCommand();
    const place = makePlace();
    const sink = await startSink();
    try {
      const file = path.join(place.folder, 'big.bin');
      writeFile(file);
      const measured = async (command: Command) => figuresOf(await measure(command));
      const upload = (words = shipped) => uploadCommand(words, place.folder, sink, [file]);
      const hash: Command = { file: process.execPath, args: [child('hash.child.mjs'), String(sizeBytes)] };
      const contestants: (Contestant | null)[] = [
        { name: 'outtray', run: async () => measured(await upload()) },
        curl && { name: 'curl -F', run: () => measured(curlCommand(sink, file)) },
        rclone && {
          name: 'rclone copyto',
          run: () => measured(rcloneCommand('copyto', 'webdav', sink, file)),
        },
        { name: 'SHA-256 alone', run: () => measured(hash) },
      ];
      const rounds = await interleave({ rounds: 7, contestants: contestants.filter((one) => one !== null) });
      const blocks: number[] = [];
      for (let run = 0; run < blockRuns; run += 1)
        blocks.push(
          await longestBlockMs(
            await upload([process.execPath, built]),
            path.join(place.folder, 'blocks.json'),
          ),
        );
      const ratio = (of: string, to: string) => rounds.ratio(of, to, 'wallMs');
      return {
        ...judge([
          { what: 'wall × curl -F', value: ratio('outtray', 'curl -F'), atMost: goals.curl },
          { what: 'wall × rclone copyto', value: ratio('outtray', 'rclone copyto'), atMost: goals.rclone },
          // At times the machine itself stands still. A pause that half of the runs show is the program's.
          { what: 'longest block, ms', value: median(blocks), atMost: goals.blockMs },
        ]),
        limits: {
          'SHA-256 alone × curl -F': ratio('SHA-256 alone', 'curl -F'),
          'SHA-256 alone × rclone copyto': ratio('SHA-256 alone', 'rclone copyto'),
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
