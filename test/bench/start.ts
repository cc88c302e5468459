// Goal 12 of performance: the program that ships starts at once, and one small file does not take long. A user starts the whole
// process for each.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPeers, interleave, judge, type Bench, type Contestant } from './frame.ts';
import { figuresOf, measure, shippedCommand } from './measure.ts';
import { makePlace } from './outtray.ts';
import { plainEnvironment, startSink, uploadCommand } from './sink.ts';

const goals = { version: 1.5, upload: 5, fresh: 6 };
const smallBytes = 1_000;
const rounds = 15;
/** The files are older than this (engine/discover/quiet-period.ts). A younger one is given just as its writer has closed it. */
const restedMs = 2_500;

export const bench: Bench = {
  name: 'start',
  goal: `--version ≤ ${goals.version} × rclone version; upload of ${smallBytes / 1_000} KB, whole process ≤ ${goals.upload} × --version, of one just written ≤ ${goals.fresh} ×`,
  async run() {
    const peers = createPeers();
    const hasRclone = peers.find('rclone', 'rclone', 'version') !== null;
    const command = await shippedCommand();
    const [program = ''] = command;
    const place = makePlace();
    const sink = await startSink();
    const env = { ...plainEnvironment(), OUTTRAY_HOME: place.folder };
    const run = (file: string, args: readonly string[]) => async () =>
      figuresOf(await measure({ file, args, env }));
    const fileOf = (round: number) => path.join(place.folder, `small ${String(round)}.txt`);
    const upload = async (round: number) =>
      figuresOf(await measure(await uploadCommand(command, place.folder, sink, [fileOf(round)])));
    // A screenshot, or what a build has made.
    const uploadFresh = async (round: number) => {
      const file = path.join(place.folder, `fresh ${String(round)}.txt`);
      const ready = await uploadCommand(command, place.folder, sink, [file]);
      writeFileSync(file, 'x'.repeat(smallBytes));
      return figuresOf(await measure(ready));
    };
    const contestants: Contestant[] = [
      { name: 'outtray --version', run: run(program, ['--version']) },
      { name: 'outtray upload', run: upload },
      { name: 'outtray upload, just written', run: uploadFresh },
      ...(hasRclone ? [{ name: 'rclone version', run: run('rclone', ['version']) }] : []),
    ];
    try {
      // One more: the first one is not counted.
      for (let round = 0; round <= rounds; round += 1) writeFileSync(fileOf(round), 'x'.repeat(smallBytes));
      await sleep(restedMs);
      const measured = await interleave({ rounds, contestants });
      const ratio = (of: string, to: string) => measured.ratio(of, to, 'wallMs');
      return {
        ...judge([
          {
            what: 'outtray --version ÷ rclone version',
            value: ratio('outtray --version', 'rclone version'),
            atMost: goals.version,
          },
          {
            what: 'outtray upload ÷ --version',
            value: ratio('outtray upload', 'outtray --version'),
            atMost: goals.upload,
          },
          {
            what: 'outtray upload of a file just written ÷ --version',
            value: ratio('outtray upload, just written', 'outtray --version'),
            atMost: goals.fresh,
          },
        ]),
        ...measured.summary(),
        ...peers.summary(),
      };
    } finally {
      await sink.stop();
      place.remove();
    }
  },
};
