// Goal 1 of performance: one large file, the whole command with SHA-256 and ledger, beside curl and rclone. Raw bytes
// through a socket show that the receiver is not what is measured; rclone goes over WebDAV, where it hashes nothing. A
// bare hash shows what no sender with a SHA-256 can go below, whatever it does beside; and hash, curl and the receiver
// spread evenly over all cores, what none can that does the work of all three. The same hash and the same curl side by
// side show what comes of that on this machine: the fastest of each, with no ledger and nothing to tell each other.
import { randomFillSync } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { createPeers, interleave, judge, type Bench, type Contestant } from './frame.ts';
import { builtCommand, figuresOf, measure, type Command } from './measure.ts';
import { makePlace } from './outtray.ts';
import { rounded } from './show.ts';
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
const bareHash = path.join(import.meta.dirname, 'hash.child.mjs');
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
      const received = async (sink: Sink, command: Command) => {
        const beforeMs = sink.cpuMs();
        const figures = await measured(command);
        return { ...figures, receiverCpuMs: sink.cpuMs() - beforeMs };
      };
      const outtray = async (sink: Sink, settings = {}) =>
        received(sink, await uploadCommand(built, place.folder, sink, [file], settings));
      const hash: Command = { file: process.execPath, args: [bareHash, String(sizeBytes)] };
      const hashedBeside = async (sink: Sink) => {
        const startMs = performance.now();
        await Promise.all([measure(hash), measure(curlCommand(place.folder, sink, file))]);
        return { wallMs: performance.now() - startMs };
      };
      const contestants: (Contestant | null)[] = [
        { name: 'outtray', run: () => outtray(plain) },
        curl && { name: 'curl -F', run: () => received(plain, curlCommand(place.folder, plain, file)) },
        rclone && {
          name: 'rclone copyto',
          run: () => received(plain, rcloneCommand('copyto', 'webdav', plain, file)),
        },
        {
          name: 'raw bytes',
          run: async () => {
            const startMs = performance.now();
            await sendRaw(plain, sizeBytes);
            return { wallMs: performance.now() - startMs };
          },
        },
        { name: 'SHA-256 alone', run: () => measured(hash) },
        curl && { name: 'SHA-256 beside curl -F', run: () => hashedBeside(plain) },
        { name: 'outtray, TLS', run: () => outtray(tls, { caFile }) },
        curl && { name: 'curl -F, TLS', run: () => received(tls, curlCommand(place.folder, tls, file)) },
        curl && { name: 'SHA-256 beside curl -F, TLS', run: () => hashedBeside(tls) },
      ];
      const rounds = await interleave({ rounds: 7, contestants: contestants.filter((one) => one !== null) });
      const median = (name: string, figure: string) => rounds.spread(name, figure).median;
      const spreadOut = (peer: string) =>
        (median('SHA-256 alone', 'cpuMs') + median(peer, 'cpuMs') + median(peer, 'receiverCpuMs')) /
        availableParallelism() /
        median(peer, 'wallMs');
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
        limits: {
          'SHA-256 alone × curl -F': rounds.ratio('SHA-256 alone', 'curl -F', 'wallMs'),
          'SHA-256 alone × rclone copyto': rounds.ratio('SHA-256 alone', 'rclone copyto', 'wallMs'),
          'SHA-256 beside curl -F × curl -F': rounds.ratio('SHA-256 beside curl -F', 'curl -F', 'wallMs'),
          'SHA-256 beside curl -F × curl -F, TLS': rounds.ratio(
            'SHA-256 beside curl -F, TLS',
            'curl -F, TLS',
            'wallMs',
          ),
          'outtray × SHA-256 beside curl -F': rounds.ratio('outtray', 'SHA-256 beside curl -F', 'wallMs'),
          'outtray × SHA-256 beside curl -F, TLS': rounds.ratio(
            'outtray, TLS',
            'SHA-256 beside curl -F, TLS',
            'wallMs',
          ),
          'SHA-256, curl and receiver over all cores × curl -F': curl && rounded(spreadOut('curl -F')),
          'SHA-256, curl and receiver over all cores × curl -F, TLS':
            curl && rounded(spreadOut('curl -F, TLS')),
        },
        ...rounds.summary(),
        ...peers.summary(),
      };
    } finally {
      for (const sink of sinks) await sink.stop();
      place.remove();
    }
  },
};
