// Goal 1 of performance: one large file, the whole command with SHA-256 and ledger, beside curl and rclone. Raw bytes
// through a socket show that the receiver is not what is measured; rclone goes over WebDAV, where it hashes nothing.
import { randomFillSync } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { createPeers, interleave, judge, type Bench, type Contestant } from './frame.ts';
import { builtCommand, figuresOf, measure, type Command } from './measure.ts';
import { makePlace } from './outtray.ts';
import {
  authorityFile,
  curlCommand,
  rcloneCommand,
  sendRaw,
  startSink,
  uploadCommand,
  type Sink,
} from './sink.ts';

const sizeBytes = 1024 ** 3;
const goals = { curl: 1.25, curlTls: 1.1, rclone: 0.9 };

const writeFile = (file: string): void => {
  const piece = randomFillSync(Buffer.alloc(8 * 1024 * 1024));
  const fd = openSync(file, 'w');
  for (let at = 0; at < sizeBytes; at += piece.length) {
    piece.writeDoubleLE(at);
    writeSync(fd, piece);
  }
  closeSync(fd);
};

export const bench: Bench = {
  name: 'upload-big',
  goal: `outtray upload of 1 GiB, whole process: ≤ ${goals.curl} × curl -F, ≤ ${goals.curlTls} × over TLS, ≤ ${goals.rclone} × rclone copyto`,
  async run() {
    const peers = createPeers();
    const [curl, rclone] = [peers.find('curl'), peers.find('rclone', 'rclone', 'version')];
    const built = await builtCommand();
    const place = makePlace();
    const sinks = [await startSink(), await startSink({ tls: true })] as const;
    const [plain, tls] = sinks;
    try {
      const file = path.join(place.folder, 'big.bin');
      writeFile(file);
      const caFile = authorityFile(place.folder);
      const measured = async (command: Command) => figuresOf(await measure(command));
      const outtray = async (sink: Sink, settings = {}) =>
        measured(await uploadCommand(built, place.folder, sink, [file], settings));
      const contestants: (Contestant | null)[] = [
        { name: 'outtray', run: () => outtray(plain) },
        curl && { name: 'curl -F', run: () => measured(curlCommand(place.folder, plain, file)) },
        rclone && {
          name: 'rclone copyto',
          run: () => measured(rcloneCommand('copyto', 'webdav', plain, file)),
        },
        {
          name: 'raw bytes',
          run: async () => {
            const startMs = performance.now();
            await sendRaw(plain, sizeBytes);
            return { wallMs: performance.now() - startMs };
          },
        },
        { name: 'outtray, TLS', run: () => outtray(tls, { caFile }) },
        curl && { name: 'curl -F, TLS', run: () => measured(curlCommand(place.folder, tls, file)) },
      ];
      const rounds = await interleave({ rounds: 7, contestants: contestants.filter((one) => one !== null) });
      return {
        ...judge([
          { what: 'wall × curl -F', value: rounds.ratio('outtray', 'curl -F', 'wallMs'), atMost: goals.curl },
          {
            what: 'wall × curl -F, TLS',
            value: rounds.ratio('outtray, TLS', 'curl -F, TLS', 'wallMs'),
            atMost: goals.curlTls,
          },
          {
            what: 'wall × rclone copyto',
            value: rounds.ratio('outtray', 'rclone copyto', 'wallMs'),
            atMost: goals.rclone,
          },
        ]),
        ...rounds.summary(),
        ...peers.summary(),
      };
    } finally {
      for (const sink of sinks) await sink.stop();
      place.remove();
    }
  },
};
