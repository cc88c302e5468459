// The thread that searches long texts (look.ts). It uses the compile cache of its program, so it starts sooner.
import { enableCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { Content } from '../../engine/ports/files.ts';

if (typeof workerData === 'string') enableCompileCache(workerData);
void import('./look.ts').then(({ findingsIn }) =>
  parentPort?.on('message', ({ bytes }: Content) => parentPort?.postMessage(findingsIn(bytes))),
);
