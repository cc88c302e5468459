// Goal 12 of performance: the command is there at once, and one small file does not take long. A user starts the whole
// process for each.
import { utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createPeers, interleave, judge, type Bench, type Contestant } from './frame.ts';
import { builtCommand, figuresOf, measure } from './measure.ts';
import { makePlace } from './outtray.ts';
import { startSink, uploadCommand } from './sink.ts';

const goals = { version: 1.5, upload: 4 };
const smallBytes = 1_000;
/** The file is older than this. A younger one would wait until it is surely finished. */
const restedS = 60;

export const bench: Bench = {
  name: 'start',
  goal: `--version ≤ ${goals.version} × rclone version; upload of ${smallBytes / 1_000} KB, whole process ≤ ${goals.upload} × --version`,
  async run() {
    const peers = createPeers();
    const hasRclone = peers.find('rclone', 'rclone', 'version') !== null;
    const command = await builtCommand();
    const place = makePlace();
    const sink = await startSink();
    const env = { ...process.env, OUTTRAY_HOME: place.folder };
    const run = (file: string, args: readonly string[]) => async () =>
      figuresOf(await measure({ file, args, env }));
    const upload = async (round: number) => {
      const file = path.join(place.folder, `small ${String(round)}.txt`);
      writeFileSync(file, 'x'.repeat(smallBytes));
      const atS = Date.now() / 1_000 - restedS;
      utimesSync(file, atS, atS);
      return figuresOf(await measure(await uploadCommand(command, place.folder, sink, [file])));
    };
    const contestants: Contestant[] = [
      { name: 'outtray --version', run: run(process.execPath, [command, '--version']) },
      { name: 'outtray upload', run: upload },
      ...(hasRclone ? [{ name: 'rclone version', run: run('rclone', ['version']) }] : []),
    ];
    try {
      const rounds = await interleave({ rounds: 15, contestants });
      const ratio = (of: string, to: string) => rounds.ratio(of, to, 'wallMs');
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
        ]),
        ...rounds.summary(),
        ...peers.summary(),
      };
    } finally {
      await sink.stop();
      place.remove();
    }
  },
};
