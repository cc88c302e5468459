// Starts every thread of Outtray. Node's own loader does not see the code inside the program of the packages, so a
// thread of that program begins with the program's loader (resources/build/program/loader.cjs), which loads the file.
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { insideText, isOneProgram } from './one-program.ts';

/** `program`: the file with the thread's code. */
export const startThread = (program: URL, options: WorkerOptions = {}): Worker =>
  isOneProgram()
    ? new Worker(insideText('thread.cjs'), { ...options, eval: true, argv: [program.href] })
    : new Worker(program, options);
