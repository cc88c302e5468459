// The thread that searches texts (look.ts). It uses the compile cache of its program, so it starts sooner.
import { enableCompileCache } from 'node:module';
import { workerData } from 'node:worker_threads';

if (typeof workerData === 'string') enableCompileCache(workerData);
void import('./look.ts');
