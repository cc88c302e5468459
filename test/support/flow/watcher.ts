// A running `outtray watch` and what the tests need of it.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Service } from '../../service/service.ts';
import type { Line, Running } from './command.ts';
import { eventually } from './poll.ts';
import type { Place } from './place.ts';
import { storedAs, uploads } from './wire.ts';

export type Watcher = {
  running: Running;
  /** Until this content is on the service; its link. */
  uploaded(content: string | Uint8Array): Promise<string>;
  /** The event of that kind about a file whose path ends so. */
  told(event: string, end: string): Promise<Line>;
  /** Waits until all earlier changes in the folder are seen: a file made now has been uploaded. */
  caughtUp(): Promise<void>;
  /** How many upload requests the service has had. */
  requests(): number;
  stop(): Promise<number | null>;
};

export const startWatcher = async (
  place: Place,
  service: Service,
  args: readonly string[] = [],
): Promise<Watcher> => {
  const running = place.start(['--json', 'watch', place.folder, ...args]);
  await running.until('idle', (lines) => lines.find((line) => line.event === 'idle'));
  let marks = 0;
  const uploaded = async (content: string | Uint8Array): Promise<string> =>
    (await eventually('it is on the service', () => storedAs(service, content)[0])).link;
  const told = (event: string, end: string): Promise<Line> =>
    running.until(`${event} ${end}`, (lines) =>
      lines.find((line) => line.event === event && line.path?.endsWith(end) === true),
    );
  return {
    running,
    uploaded,
    told,
    async caughtUp() {
      marks += 1;
      const mark = `mark ${marks} of ${place.root}`;
      await writeFile(path.join(place.folder, `mark-${marks}.txt`), mark);
      await told('uploaded', `mark-${marks}.txt`);
    },
    requests: () => uploads(service).length,
    stop: async () => (await running.stop()).code,
  };
};
