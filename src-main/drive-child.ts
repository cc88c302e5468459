// The program of a drive's process (adapters/drives/). It ends with the process that started it.
import type { DriveOrder } from './adapters/drives/messages.ts';
import type { PulseTask } from './adapters/drives/pulse-worker.ts';
import { createServer } from './adapters/drives/serve.ts';
import { texts } from './adapters/drives/texts.ts';
import { disks } from './adapters/files/disk.ts';
import { createFiles } from './adapters/files/files.ts';
import { toSystemPath } from './adapters/files/paths.ts';
import { realPaths } from './adapters/files/spelling.ts';
import { createInspect } from './adapters/inspect/inspect.ts';
import { startThread } from './adapters/system/thread.ts';
import { createWatch } from './adapters/watch/watch.ts';

/** The fourth channel, after the three standard ones and Node's own. */
const signs = 4;
/** Each answer is a sign that the drive answers, so on a slow line it must be small. */
const pieceBytes = 64 * 1024;

const serveDrive = async (): Promise<never> => {
  if (process.send === undefined) {
    process.stderr.write('This is a part of Outtray that it starts by itself.\n');
    process.exit(2);
  }
  const end = (): void => void process.kill(process.pid, 'SIGKILL');
  process.once('disconnect', end);
  if (!process.connected) end();

  const { root } = await new Promise<{ root: string }>((resolve) =>
    process.once('message', (first) => resolve(first as { root: string })),
  );
  const open = new SharedArrayBuffer(4);
  const orders = new Int32Array(open);
  const task: PulseTask = { roots: disks.answering(root).map(toSystemPath), open, descriptor: signs };
  const pulse = startThread(new URL('./adapters/drives/pulse-worker.ts', import.meta.url), {
    workerData: task,
  });
  pulse.once('error', end);

  const serve = createServer(
    {
      files: createFiles({ pieceBytes }),
      paths: realPaths,
      texts,
      watch: createWatch(),
      inspect: createInspect(),
    },
    (reply) => process.send?.(reply, () => undefined),
    (count) => {
      Atomics.store(orders, 0, count);
      Atomics.notify(orders, 0);
    },
  );
  process.on('message', (order) => serve(order as DriveOrder));
  process.send({ kind: 'ready' });
  return new Promise<never>(() => undefined);
};

void serveDrive();
