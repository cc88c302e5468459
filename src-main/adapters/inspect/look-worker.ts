// The thread that searches texts (look.ts). Where its program keeps compiled code, it does, too: it starts sooner.
import { enableCompileCache } from 'node:module';
import { workerData } from 'node:worker_threads';

if (typeof workerData === 'string') enableCompileCache(workerData);
await import('./look.ts');
